/** A wider head than this is an accident. */
const MAX_COLUMNS = 100;

/** Whether a table's head and the line beneath it stand at a place. @param {string[]} lines @param {number} at */
export function startsTable(lines, at) {
  const ruler = lines[at + 1] ?? "";
  if (!lines[at].includes("|") || !/^[\s|:-]{3,999}$/.test(ruler)) return false;
  const marks = cellsOf(ruler);
  return (
    marks.length <= MAX_COLUMNS &&
    marks.length === cellsOf(lines[at]).length &&
    marks.every((mark) => /^:?-+:?$/.test(mark))
  );
}

/** The cells between the bars of a line. @param {string} line @returns {string[]} */
export function cellsOf(line) {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
}
