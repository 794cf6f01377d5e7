import { el } from "../el.js";
import { nameWords } from "../format.js";
import { cell } from "./cell.js";
/** @import { Show } from "./value.js" */

/**
 * Names and values beneath each other.
 * @param {[string, any][]} entries
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function keyValue(entries, show) {
  return el("dl", { class: "key-value" }, entries.map(([name, value]) =>
    el("div", null, el("dt", { title: name, dir: "auto" }, nameWords(name) || name), el("dd", null, cell(value, show)))));
}
