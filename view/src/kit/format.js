/**
 * Words out of a technical name: "repo_path" → "Repo path", "maxItems" → "Max items".
 * @param {string} name
 */
export function nameWords(name) {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_\-.\s]+/g, " ").trim()
    .replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
  return words ? words[0].toUpperCase() + words.slice(1) : name;
}

/** @param {number} count @param {string} one @param {string} [many] @returns {string} "1 row", "3 rows" */
export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** A size for people: 2048 → "2.0 KB". @param {number} bytes */
export function byteSize(bytes) {
  const kilobytes = bytes / 1024;
  return kilobytes < 1 ? `${bytes} B` : kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

/** One line, cut at a length. @param {string} text @param {number} length */
export function shorten(text, length) {
  const line = text.slice(0, length * 2).replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}\u2026` : line;
}
