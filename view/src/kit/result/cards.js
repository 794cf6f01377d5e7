import { el } from "../el.js";
import { asText, entriesOf, fromEntries, isString, keysOf, own } from "../plain.js";
import { heading } from "./card.js";
import { identify, isName, isShort, nameKey } from "./naming.js";
import { renderValue } from "./value.js";
/** @import { Rows } from "./recognise/rows.js" */
/** @import { Show } from "./show.js" */

const MAX_CARDS = 12;
const LONG = 120;
const HEAVY = 200;

/**
 * Whether a list of objects reads better as cards than as a table: few of them, and mostly made
 * of what no cell holds, which is long texts and what is nested. In results of real servers these
 * are recipes with their ingredients, scenarios with their projections and search hits with their
 * excerpts: 200 to 5,000 characters of it each. Lint messages, validation errors and the shapes on
 * a slide stay below 170, and compare well in columns. A single row has nothing to compare with: with a name it is a card.
 * @param {Rows} data
 */
export function readAsCards({ rows, columns }) {
  if (rows.length > MAX_CARDS) return false;
  const lengths = rows.flatMap((row) => columns.map((key) => asText(own(row, key) ?? "").length));
  const sum = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0);
  const heavy = sum(lengths.filter((length) => length > LONG));
  return (rows.length === 1 && columns.length > 1 && columns.some(isName)) || (heavy >= HEAVY * rows.length && heavy * 2 > sum(lengths));
}

/**
 * @param {Rows} data
 * @param {Show} show
 * @param {number} depth
 * @returns {HTMLElement}
 */
export function cards({ rows, columns }, show, depth) {
  const { schema } = show.at(0);
  const { ids } = identify(rows, columns);
  return el("ul.cards", rows.map((row, i) => {
    const entry = show.at(ids[i], schema);
    const key = nameKey(row) ?? columns.find((one) => isString(own(row, one)) && isShort(row[one]));
    const rest = fromEntries(entriesOf(row).filter(([name]) => name !== key));
    const words = key === undefined ? `${i + 1}` : isName(key) ? `${row[key]}` : `${entry.label(key)}: ${row[key]}`;
    return el("li.block", heading(depth, words), keysOf(rest).length > 0 && renderValue(rest, entry, words, depth + 1));
  }));
}
