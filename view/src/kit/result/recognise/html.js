import { parseMarkup } from "../../../runtime/native.js";
import { rowsFromText, rowsOf } from "./rows.js";
/** @import { Found } from "./read.js" */

/** The one element that means something even there: the page's policy forbids it, in the console. */
const BASE = /<base(?=[\s/>])/gi;

/**
 * Tables that come as HTML, and the words around them. The markup is read in a document that nobody
 * sees and that loads and runs nothing; only text comes out of it.
 * @param {string} text @returns {Found | undefined}
 */
export function htmlTablesIn(text) {
  if (!/^\s*<[a-z!][^]*<\/table>/i.test(text)) return undefined;
  /** @type {Found} */
  const found = [""];
  gather(parseMarkup(text.replace(BASE, "<p"), "text/html").body, found);
  return found;
}

/** @param {Element} parent @param {Found} found ends in a text, which grows */
function gather(parent, found) {
  for (const node of parent.childNodes) {
    if (node instanceof HTMLTableElement) found.push(tableOf(node), "");
    else if (node instanceof Element && node.querySelector("table, li")) gather(node, found);
    else if (node.textContent?.trim() && !/^(script|style|#comment)$/i.test(node.nodeName)) found[found.length - 1] += `${node.nodeName === "LI" ? "" : "\n"}${node.textContent.trim()}\n`;
  }
}

/** @param {HTMLTableElement} table @returns {Found[0]} */
function tableOf({ rows, textContent }) {
  const cells = [...rows].map((row) => [...row.cells]);
  const texts = cells.map((row) => row.map((cell) => cell.textContent?.trim() ?? ""));
  const value = cells[0]?.every((cell) => cell.nodeName === "TH") ? rowsFromText(texts[0], texts.slice(1)) : rowsOf(texts);
  return value ? { kind: "table", value } : textContent ?? "";
}
