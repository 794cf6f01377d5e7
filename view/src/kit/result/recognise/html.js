import { parseMarkup } from "../../../runtime/parse-markup.js";
import { max, min } from "../../plain.js";
import { rowsFromText, rowsOf } from "./rows.js";
/** @import { Found } from "./read.js" */

/** The one element that means something even there: the page's policy forbids it, in the console. */
const BASE = /<base(?=[\s/>])/gi;

/** What begins and ends a line. */
const BLOCK =
  /^(p|div|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|pre|blockquote|section|article|header|footer|figure|caption|details|summary|body)$/i;
const MAX_SPAN = 100;
const FIGURES = "0123456789+-";
const ABOVE = [..."\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b"];
const BELOW = [..."\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b"];

/**
 * Tables that come as HTML, and the words around them. The markup is read in a document that no one
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
    else {
      const words = /^(script|style)$/i.test(node.nodeName) ? "" : wordsOf(node);
      if (words)
        found[found.length - 1] +=
          `${node.nodeName === "LI" ? "" : /^H\d$/.test(node.nodeName) ? "\n## " : "\n"}${words}\n`;
    }
  }
}

/** @param {HTMLTableElement} table @returns {Found[0]} */
function tableOf(table) {
  const { rows } = table;
  const texts = cellsOf([...rows]);
  const isHead = rows[0] && [...rows[0].cells].every((cell) => cell.nodeName === "TH");
  const value = isHead ? rowsFromText(texts[0], texts.slice(1)) : rowsOf(texts);
  return value ? { kind: "table", value } : wordsOf(table);
}

/** The words of all cells, each in its column; a cell over several rows or columns is in each of the rows. @param {HTMLTableRowElement[]} rows */
function cellsOf(rows) {
  /** @type {string[][]} */
  const texts = rows.map(() => []);
  rows.forEach((row, r) => {
    let column = 0;
    for (const cell of row.cells) {
      while (texts[r][column] !== undefined) column++;
      for (let down = 0; down < max(1, min(cell.rowSpan || rows.length, rows.length - r)); down++)
        for (let along = 0; along < min(cell.colSpan, MAX_SPAN); along++)
          texts[r + down][column + along] = along ? "" : wordsOf(cell);
    }
  });
  return texts.map((row) => Array.from(row, (text) => text ?? ""));
}

/** The words of an element as a page shows them: in lines, with the words of pictures. @param {Node} node */
function wordsOf(node) {
  return linesOf(node)
    .replace(/ *\n[ \n]*/g, "\n")
    .trim();
}

/** @param {Node} node @returns {string} */
function linesOf(node) {
  const { nodeName: name, childNodes } = node;
  if (name === "#text") return `${node.nodeValue}`.replace(/\s+/g, " ");
  if (name === "BR" || name === "HR") return "\n";
  if (name === "IMG") return /** @type {Element} */ (node).getAttribute("alt") ?? "";
  if (!(node instanceof Element)) return "";
  const inner = name === "PRE" ? (node.textContent ?? "") : [...childNodes].map(linesOf).join("");
  if (name === "SUP" || name === "SUB") return raised(inner.trim(), name === "SUP");
  if (/^(TD|TH)$/.test(name)) return `${inner} `;
  return BLOCK.test(name) ? `\n${inner}\n` : inner;
}

/** Figures above or below the line, which are no more digits of the number before them. @param {string} text @param {boolean} isAbove */
function raised(text, isAbove) {
  const signs = [...text].map((sign) => (isAbove ? ABOVE : BELOW)[FIGURES.indexOf(sign)]);
  return signs.every(Boolean) ? signs.join("") : /^\d/.test(text) ? ` ${text}` : text;
}
