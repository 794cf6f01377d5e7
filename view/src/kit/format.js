/**
 * Words out of a technical name: "repo_path" → "Repo path", "maxItems" → "Max items".
 * @param {string} name
 */
export function nameWords(name) {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_\-.\s]+/g, " ").trim();
  const lower = words.replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
  return lower ? lower[0].toUpperCase() + lower.slice(1) : name;
}

/** @param {number} count @param {string} one @param {string} [many] @returns {string} "1 row", "3 rows" */
export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** A size for people: 2048 → "2.0 KB". @param {number} bytes */
export function byteSize(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  const unit = bytes < 1024 ** 2 ? "KB" : "MB";
  return `${(bytes / (unit === "KB" ? 1024 : 1024 ** 2)).toFixed(1)} ${unit}`;
}

/** One line, cut at a length. @param {string} text @param {number} length */
export function shorten(text, length) {
  const line = text.slice(0, length * 2).replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}\u2026` : line;
}
