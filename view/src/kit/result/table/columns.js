import { el, newId, quietButton, stack } from "../../el.js";
import { own, reach } from "../../plain.js";
import { isNumeric } from "../chart/columns.js";
/** @import { Child } from "../../el.js" */
/** @import { Show } from "../show.js" */

/**
 * @typedef {object} Column
 * @property {string} key
 * @property {string} label
 * @property {string} hint
 * @property {boolean} numeric
 * @property {boolean} [isShare] whether all its numbers are from 0 to 100
 * @property {string} [group] label of what it is a part of
 * @property {string[]} [path] where its value is in a row, if that is not under the key
 * @property {(value: any, row: any) => Child} [format] draws the cells; undefined leaves one to the table
 */

/** More columns than this are not shown at once unless a person asks for them. */
const MANY = 40;
/** With more columns there is no room for bars. */
const FEW = 5;
/** So many rows tell whether a column holds numbers. */
const SAMPLE = 200;

/**
 * @param {any[]} rows
 * @param {string[]} keys
 * @param {Show} entry knows the words for the members of a row
 * @param {Column["format"]} [format] draws all cells
 * @returns {Column[]}
 */
export function columnsOf(rows, keys, entry, format) {
  const sample = rows.slice(0, SAMPLE);
  return keys.map((key) => {
    const values = sample.map((row) => own(row, key) ?? undefined).filter((one) => one !== undefined);
    const isShare = keys.length <= FEW && values.every((one) => one >= 0 && one <= 100);
    return {
      format,
      key,
      label: entry.label(key) || "(no name)",
      hint: entry.describe(key) || key,
      numeric: areNumeric(values),
      isShare,
    };
  });
}

/** @param {any[]} values */
function areNumeric(values) {
  return values.length > 0 && values.every(isNumeric);
}

/**
 * The columns that a very wide table begins without: those with a value in the fewest rows.
 * @param {any[]} rows @param {string[]} keys
 * @returns {string[]}
 */
export function leastFilled(rows, keys) {
  if (keys.length <= MANY) return [];
  const filled = new Map(
    keys.map((key) => [key, rows.filter((row) => (reach(row, key) ?? "") !== "").length]),
  );
  return keys.toSorted((a, b) => Number(filled.get(b)) - Number(filled.get(a))).slice(MANY);
}

/**
 * The choice of columns: a button, and what it opens, a box for each column. The last one shown
 * cannot be taken away.
 * @param {Column[]} columns
 * @param {Set<string>} hidden keys; changed here
 * @param {() => void} onchange
 * @returns {[HTMLElement, HTMLElement]}
 */
export function columnMenu(columns, hidden, onchange) {
  /** @type {HTMLInputElement[]} */
  const boxes = [];
  const choice = (/** @type {Column} */ { key, group = "", label, hint }) => {
    const id = newId();
    const box = el("input", {
      type: "checkbox",
      id,
      onchange: () => {
        if (!hidden.delete(key)) hidden.add(key);
        choose();
      },
    });
    boxes.push(box);
    return el("div.inline", box, el("label", { for: id, title: hint }, `${group} ${label}`.trim()));
  };
  const update = () => {
    const shown = columns.length - hidden.size;
    toggle.textContent = hidden.size ? `Columns ${shown}/${columns.length}` : "Columns";
    boxes.forEach((box, i) => {
      box.checked = !hidden.has(columns[i].key);
      box.disabled = box.checked && shown === 1;
    });
  };
  const choose = () => {
    update();
    onchange();
  };
  const panel = stack({ hidden: true });
  const toggle = quietButton(
    "",
    () => {
      panel.hidden = !panel.hidden;
      toggle.ariaExpanded = `${!panel.hidden}`;
      if (!boxes.length)
        panel.append(
          el("div.boxes", columns.map(choice)),
          quietButton("Show all", () => {
            hidden.clear();
            choose();
          }),
        );
      update();
    },
    { class: "quiet", "aria-expanded": "false" },
  );
  update();
  return [toggle, panel];
}
