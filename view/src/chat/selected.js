import { SECRET } from "../kit/form/controls.js";
import { fromEntries } from "../kit/plain.js";
/** @import { Page } from "./index.js" */

/** The rows of a table, and the heads of its columns. */
export const ROWS = "tbody > tr:not(.detail)";
export const HEADS = "thead th";

const MOST_ROWS = 50;
const MOST_CHARACTERS = 4_000;

/** Leaves out what may be a secret. @param {string} key @param {unknown} value */
export function withoutSecrets(key, value) {
  return SECRET.test(key) ? undefined : value;
}

/** The arguments as they stand in the form, without secrets. @param {Page} page @returns {Record<string, any>} */
export function argumentsNow({ inputs }) {
  return JSON.parse(JSON.stringify(inputs.peek(), withoutSecrets));
}

/** Listens to the whole page. @param {string} type @param {(event: any) => void} hear */
export function listenTo(type, hear) {
  document.addEventListener(type, hear);
}

/** @param {string} selector @param {ParentNode} [within] @returns {HTMLElement[]} */
export function all(selector, within = document) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (within.querySelectorAll(selector))];
}

/** An element's text, without the spaces around it. @param {Node | null | undefined} element */
export function textOf(element) {
  return element?.textContent?.trim() ?? "";
}

/** What the person has selected in the result; "" for nothing. */
export function selectedWords() {
  const selection = document.getSelection();
  const result = document.querySelector("section.result");
  if (!selection || !result || selection.isCollapsed || !selection.containsNode(result, true)) return "";
  return `${selection}`.trim().slice(0, MOST_CHARACTERS);
}

/** The rows of tables that the selection touches, as the person sees them. @returns {Record<string, string>[]} */
export function selectedRows() {
  const selection = document.getSelection();
  if (!selection || !selectedWords()) return [];
  const rows = all(`section.result ${ROWS}`)
    .filter((row) => selection.containsNode(row, true))
    .slice(0, MOST_ROWS);
  return rows.map((row) => {
    const heads = all(HEADS, row.closest("table") ?? row);
    return fromEntries(
      [...row.children].map((cell, i) => [textOf(heads[i]) || i, textOf(cell).slice(0, 200)]),
    );
  });
}
