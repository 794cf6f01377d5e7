import { el, note } from "../el.js";
import { plural } from "../format.js";
import { asText, entriesOf, isArray, isBranch, isPlain, isString, keysOf } from "../plain.js";
import { cell } from "./cell.js";
import { matrixOf, rowsOf } from "./data.js";
import { table } from "./table.js";
import { textBlock } from "./text.js";
import { jsonTree } from "./tree.js";

/** @import { Show } from "./show.js" */

const MAX_LINES = 60;
const MAX_SECTIONS = 12;
const LONG_TEXT = 300;

/**
 * Shows a JSON value by what it is: table, key/value card, tree or text.
 * @param {any} value
 * @param {Show} show
 * @param {string} [title]
 * @param {number} [depth] sections inside sections, 0 at the top
 * @returns {HTMLElement}
 */
export function renderValue(value, show, title = "Result", depth = 0) {
  if (isString(value)) return textBlock(value, show.limit);
  if (!isBranch(value)) return el("p.scalar", String(value));
  const rows = rowsOf(value) ?? (isPlain(value) ? matrixOf(value) : undefined);
  if (rows) return table(rows, show, title);
  if (!keysOf(value).length) return note(isPlain(value) ? "Empty object" : "Empty list");
  return (isPlain(value) ? card(value, show, depth) : plainList(/** @type {any} */ (value))) ?? jsonTree(value);
}

/** @param {any[]} value */
function plainList(value) {
  if (value.length > MAX_LINES || value.some(isBranch)) return undefined;
  return el("ul.plain-list", value.map((one) => el("li", asText(one))));
}

/** @param {import("../plain.js").Plain} value @param {Show} show @param {number} depth */
function card(value, show, depth) {
  const entries = entriesOf(value);
  const sections = entries.filter(([, one]) => isSection(one, depth));
  const lines = entries.filter(([, one]) => !isSection(one, depth));
  if (lines.length > MAX_LINES || sections.length > MAX_SECTIONS) return undefined;
  return el("div.stack", lines.length > 0 && keyValue(lines, show), sections.map(([name, one]) => section(name, one, show, depth)));
}

/** Whether a member of an object gets a part of the page to itself. @param {any} value @param {number} depth */
function isSection(value, depth) {
  if (isString(value)) return !depth && value.length > LONG_TEXT;
  return depth < 2 && !!(rowsOf(value) || (isPlain(value) && keysOf(value).length));
}

/** @param {string} name @param {any} value @param {Show} show @param {number} depth */
function section(name, value, show, depth) {
  const words = show.label(name);
  const count = isArray(value) ? plural(value.length, "entry", "entries") : null;
  return el("section", el("h3", { title: count }, words), renderValue(value, show.at(name), words, depth + 1));
}

/**
 * Names and values beneath each other.
 * @param {[string, any][]} entries
 * @param {Show} show
 * @returns {HTMLElement}
 */
export function keyValue(entries, show) {
  return el("dl", entries.map(([name, value]) => el("div", el("dt", { title: show.describe(name) || name }, show.label(name)), el("dd", cell(value, show.at(name))))));
}
