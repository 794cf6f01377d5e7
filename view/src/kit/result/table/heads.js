import { el } from "../../el.js";
/** @import { Column } from "./columns.js" */
/** @import { Kept } from "./table.js" */

/**
 * The headers; each is a button that sorts.
 * @param {Column[]} columns
 * @param {Kept} state
 * @param {(by: Partial<Kept>) => void} change
 */
export function headRow(columns, state, change) {
  const heads = new Map(
    columns.map((column) => [column, head(column, () => change(nextSort(state, column.key)))]),
  );
  const element = el("tr");
  const update = (/** @type {Column[]} */ shown) => {
    const cells = shown.map((column) => /** @type {HTMLElement} */ (heads.get(column)));
    // Nodes that move lose the focus.
    if (cells.length !== element.cells.length || cells.some((cell, i) => cell !== element.cells[i]))
      element.replaceChildren(...cells);
    heads.forEach((cell, { key }) => {
      cell.ariaSort = key !== state.sort ? "none" : state.sign > 0 ? "ascending" : "descending";
    });
  };
  return { element, update };
}

/** @param {Column} column @param {() => void} onclick */
function head({ group, label, hint, numeric }, onclick) {
  return el(
    "th",
    { scope: "col", class: numeric && "end" },
    el("button", { type: "button", title: hint, onclick }, group && el("span.of", group, " "), label),
  );
}

/** Upwards, downwards, and back to the order in which the rows came. @param {Kept} state @param {string} key @returns {Partial<Kept>} */
function nextSort({ sort, sign }, key) {
  if (sort !== key) return { sort: key, sign: 1 };
  return sign > 0 ? { sign: -1 } : { sort: "" };
}
