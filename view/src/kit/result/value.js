import { el, note } from "../el.js";
import { asText, entriesOf, isBranch, isPlain, isString, keysOf } from "../plain.js";
import { members } from "./card.js";
import { cards, readAsCards } from "./cards.js";
import { cell } from "./cell.js";
import { chartFor } from "./chart/chart.js";
import { renderText } from "./reading.js";
import { joined, rowsOf } from "./recognise/rows.js";
import { table } from "./table/table.js";
import { jsonTree } from "./tree.js";
/** @import { Show } from "./show.js" */

const MAX_LIST = 60;
/** Entries of this length stand beside each other. */
const SHORT = 16;

/**
 * Shows a JSON value by what it is: chart, table, cards, names and values, list, tree or text.
 * @param {any} value
 * @param {Show} show
 * @param {string} [title]
 * @param {number} [depth] sections inside sections, 0 at the top
 * @returns {HTMLElement}
 */
export function renderValue(value, show, title = "Result", depth = 0) {
  value = joined(value);
  return isBranch(value) && chartFor(value, show, title, rowsOf(value), depth) || renderPlain(value, show, title, depth);
}

/**
 * The same without a chart.
 * @param {any} value @param {Show} show @param {string} title @param {number} [depth]
 * @returns {HTMLElement}
 */
export function renderPlain(value, show, title, depth = 0) {
  if (isString(value)) return renderText(value, show, { level: 3 + depth });
  if (!isBranch(value)) return el("p.scalar", cell(value, show));
  if (!keysOf(value).length) return note(isPlain(value) ? "Empty object" : "Empty list");
  const rows = rowsOf(value);
  if (rows && readAsCards(rows)) return cards(rows, show, depth);
  if (rows) return table(rows, show, title, { small: depth > 2 });
  return (isPlain(value) ? members(value, show, depth) : plainList(value)) ?? longList(value, show, title) ?? jsonTree(value, show);
}

/** @param {any} value */
function plainList(value) {
  if (value.length > MAX_LIST || value.some(isBranch)) return undefined;
  const texts = value.map(asText);
  return el(texts.every((/** @type {string} */ text) => text.length <= SHORT) ? "ul.plain-list.short" : "ul.plain-list", texts.map((/** @type {string} */ text) => el("li", text)));
}

/** Too many plain values to read one by one: a table, which can be searched. @param {any} value @param {Show} show @param {string} title */
function longList(value, show, title) {
  const entries = entriesOf(value);
  if (entries.some(([, one]) => isBranch(one))) return undefined;
  const rows = entries.map(([name, one]) => ({ name, value: one }));
  return table({ rows, columns: isPlain(value) ? ["name", "value"] : ["value"] }, show.at(title, {}), title);
}
