import { SECRET } from "../kit/form/controls.js";
import { fromEntries } from "../kit/plain.js";
/** @import { Page } from "./index.js" */

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
  const rows = [...document.querySelectorAll("section.result tbody > tr:not(.detail)")].filter((row) => selection.containsNode(row, true)).slice(0, MOST_ROWS);
  return rows.map((row) => {
    const heads = [...row.closest("table")?.querySelectorAll("thead th") ?? []];
    return fromEntries([...row.children].map((cell, i) => /** @type {[string, string]} */ ([`${heads[i]?.textContent ?? i}`.trim(), `${cell.textContent}`.trim().slice(0, 200)])));
  });
}
