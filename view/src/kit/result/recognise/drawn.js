import { rowsFromText } from "./rows.js";
/** @import { Found } from "./read.js" */

/** What databases and consoles draw tables with: a line between rows, its joints, and bars between cells. */
const RULE = /^[|\u2502]?[-+=\u2500-\u257f]{3,}[|\u2502]?$/;
const JOINTS = /[+\u250c-\u254b\u2552-\u2570]/;
const BARS = /[|\u2502\u2503\u2551]/;

/** A table that is drawn with lines, and the text around it. @param {string} text @returns {Found | undefined} */
export function drawnIn(text) {
  if (text.includes("```")) return undefined;
  const lines = text.split("\n").map((line) => line.trimEnd());
  const isRule = (/** @type {string} */ line = "") => RULE.test(line.trim());
  let start = lines.findIndex((line) => isRule(line) && JOINTS.test(line));
  let end = start;
  while (BARS.test(lines[start - 1] ?? "")) start--;
  while (isRule(lines[end]) || BARS.test(lines[end] ?? "")) end++;
  const bordered = lines.slice(start, end).some((line) => BARS.test(line.trim()[0]) && !isRule(line));
  /** @type {string[][]} */
  const rows = [];
  let length = 0;
  for (const line of lines.slice(start, end)) {
    if (isRule(line)) length ||= rows.length;
    else
      rows.push(
        line
          .trim()
          .slice(Number(bordered), bordered ? -1 : undefined)
          .split(BARS)
          .map((cell) => cell.trim()),
      );
  }
  const width = rows[0]?.length;
  const notes = rows.slice(length).filter((row) => row.length === 1 && width > 1);
  const body = rows.slice(length).filter((row) => !notes.includes(row));
  if (!length || !body.length || rows.some((row) => row.length !== width && !notes.includes(row)))
    return undefined;
  return [
    lines.slice(0, start).join("\n"),
    { kind: "table", value: rowsFromText(headOf(rows.slice(0, length)), body) },
    [...notes, ...lines.slice(end)].join("\n"),
  ];
}

/** The names in a head; the types that some databases write beneath them are left out. @param {string[][]} head */
function headOf([names, ...more]) {
  const typed = more[0]?.every((cell) => /^[a-z]/.test(cell));
  return names.map((name, i) => (typed ? name : [name, ...more.map((row) => row[i])].join(" ").trim()));
}
