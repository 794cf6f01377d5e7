import { el } from "../../el.js";
import { rowsFrom, titles } from "../recognise/rows.js";
import { table } from "../table/table.js";
import { inline } from "./inline.js";
import { cellsOf, startsTable } from "./table-lines.js";
/** @import { Block, Context } from "./blocks.js" */

/**
 * A table, as the kit's own: it sorts and filters.
 * @param {string[]} lines @param {number} at @param {Context} context
 * @returns {Block | undefined}
 */
export function tableAt(lines, at, { show }) {
  if (!startsTable(lines, at)) return undefined;
  const draw = (/** @type {string} */ words = "") => el("span.run", inline(words, show));
  const head = cellsOf(lines[at]).map((cell) => draw(cell).textContent ?? "");
  const place = show.at(`table ${at}`, titles(head));
  const rows = [];
  for (at += 2; lines[at]?.includes("|"); at++) rows.push(cellsOf(lines[at]));
  return [table({ ...rowsFrom(head, rows), draw }, place, "Table"), at];
}
