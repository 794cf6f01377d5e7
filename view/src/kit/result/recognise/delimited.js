import { lastOf, min } from "../../plain.js";
import { rowsFromText } from "./rows.js";
/** @import { Found } from "./read.js" */

/**
 * The table of a text whose values stand between commas, tabs or semicolons, under a head.
 * @param {string} text
 * @param {boolean} [told] whether something else says that it is one; else only what can be nothing else is
 * @returns {Found | undefined}
 */
export function delimitedIn(text, told = false) {
  const source = text.trim();
  const [line] = source.split("\n", 1);
  const [mark] = [..."\t;,"].toSorted((a, b) => line.split(b).length - line.split(a).length);
  const [head, ...rows] = cellsOf(source, mark);
  if (
    head.length < 2 ||
    !rows.length ||
    rows.some((row) => row.length !== head.length) ||
    !(told || isHead(head, rows))
  )
    return undefined;
  return [{ kind: "table", value: rowsFromText(head, rows) }];
}

/** Whether a first line names columns; that of prose or code with commas does not. @param {string[]} head @param {string[][]} rows */
function isHead(head, rows) {
  const figures = head.some((_, i) => rows.every((row) => /^$|\d/.test(row[i])));
  const names = head.every(
    (name) => /^[\p{L}_][^.!?=;{}<>]{0,39}$/u.test(name) && !/\([^)]*$|^[^(]*\)/.test(name),
  );
  return (
    names &&
    new Set(head).size === head.length &&
    Number(figures) + min(head.length, 3) + min(rows.length, 2) > 4
  );
}

/** Lines of cells, plain or in quotes; nothing when a quote does not close. @param {string} text @param {string} mark */
function cellsOf(text, mark) {
  const cell = RegExp(`("(?:[^"]|"")*"|[^"${mark}\\n][^${mark}\\n]*|)(${mark}|\\n|$)`, "y");
  /** @type {string[][]} */
  const rows = [[]];
  for (let found; (found = cell.exec(text));) {
    const [, source, end] = found;
    lastOf(rows).push(source[0] === '"' ? source.slice(1, -1).replaceAll('""', '"') : source);
    if (!end) return rows;
    if (end === "\n") rows.push([]);
  }
  return [[]];
}
