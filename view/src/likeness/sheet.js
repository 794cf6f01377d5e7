/** Cells of a spreadsheet with the letters of their columns and the numbers of their rows. */
import { asText, isBranch, keysOf, list } from "../kit/plain.js";
/** @import { Ui } from "./things.js" */

const MAX_ROWS = 100;
const MAX_COLUMNS = 40;

/**
 * @param {Ui} ui
 * @param {any} given rows of cells: lists, or objects, whose keys are the first row
 * @param {{ at?: string, name?: any }} [options] `at`: the first cell, or a range, as "B2:C9"; `name`: of the sheet
 */
export function sheet(ui, given, { at = "A1", name } = {}) {
  const all = rowsOf(given);
  if (!all.length) return undefined;
  const [, letters, digits] = /([A-Z]{1,3})\$?(\d{1,7})/i.exec(`${at}`.replace(/^.*!/, "")) ?? [0, "A", "1"];
  const [left, top] = [numberOf(`${letters}`), Number(digits)];
  const rows = all.slice(0, MAX_ROWS);
  const width = Math.min(Math.max(...rows.map(({ length }) => length)), MAX_COLUMNS);
  const columns = Array.from({ length: width }, (_, i) => i);
  const table = ui.el(
    "table.sheet",
    { "aria-label": `${name ?? "Sheet"}` },
    ui.el(
      "thead",
      ui.el(
        "tr",
        ui.el("td"),
        columns.map((i) => ui.el("th", { scope: "col" }, lettersOf(left + i))),
      ),
    ),
    ui.el(
      "tbody",
      rows.map((row, r) =>
        ui.el(
          "tr",
          ui.el("th", { scope: "row" }, `${top + r}`),
          columns.map((c) =>
            ui.el("td", { class: typeof row[c] === "number" ? "number" : null }, textOf(ui, row[c])),
          ),
        ),
      ),
    ),
  );
  const more = all.length - rows.length;
  return ui.el(
    "div.frame.workbook",
    ui.el("div.scroller", { tabindex: "0", role: "region", "aria-label": `${name ?? "Sheet"}` }, table),
    ui.el(
      "div.frame-foot",
      name ? ui.el("b", `${name}`) : false,
      ui.el("span.hint", more ? `${ui.number(more)} more rows` : false),
    ),
  );
}

/** @param {any} given @returns {any[][]} */
function rowsOf(given) {
  const all = list(given);
  if (all.every(Array.isArray)) return all;
  const keys = [...new Set(all.flatMap((one) => (isBranch(one) ? keysOf(one) : [])))];
  return keys.length ? [keys, ...all.map((one) => keys.map((key) => one?.[key]))] : all.map((one) => [one]);
}

/** @param {Ui} ui @param {any} value */
function textOf(ui, value) {
  return typeof value === "number" ? ui.number(value) : asText(value ?? "");
}

/** @param {string} letters of a column, "A" is 1 */
function numberOf(letters) {
  return [...letters.toUpperCase()].reduce((sum, one) => 26 * sum + one.charCodeAt(0) - 64, 0);
}

/** @param {number} column */
function lettersOf(column) {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}
