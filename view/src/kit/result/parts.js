import { el, stack } from "../el.js";
import {
  asText,
  attempt,
  entriesOf,
  fromEntries,
  isNothing,
  isNumber,
  isString,
  list,
  own,
  plain,
  reach,
  string,
} from "../plain.js";
import { folded, heading, keyValue } from "./card.js";
import { isBig } from "./nested.js";
import { rowsOf } from "./recognise/rows.js";
import { moment, numeral } from "./scalar.js";
/** @import { Show } from "./show.js" */
import { columnsOf } from "./table/columns.js";
import { table } from "./table/table.js";
import { renderValue } from "./value.js";
/** @import { Child } from "../el.js" */

/**
 * What a column's format may be called. Each draws values as all of the page draws such values, and
 * leaves to the table what is none of its own.
 * @type {Record<string, (value: any, show: Show) => Child>}
 */
const FORMATS = {
  text: (value) => ((value ?? "") === "" || isBig(value) ? undefined : el("span.string", asText(value))),
  number: (value, show) => (isNumber(value) ? numeral(value, show) : undefined),
  date: moment,
};

/** More empty members than this are said in one line. */
const SOME = 2;
/** More members than this are no lines to read beneath each other. */
const MOST = 1000;

/**
 * @typedef {{ key: string, label?: string, format?: "text" | "number" | "date" | ((value: any, row: any) => Child) }} ColumnChoice
 *
 * A table of a list of objects; anything else is shown as what it is.
 * @param {unknown} rows
 * @param {{ columns?: (string | ColumnChoice)[], caption?: string, show: Show }} options without columns there is one for each member
 * @returns {HTMLElement}
 */
export function tableOf(rows, { show, caption = "Table", columns }) {
  const data = rowsOf(rows);
  const choices = list(columns)
    .map((one) => (isString(one) ? { key: one } : plain(one)))
    .filter(({ key }) => isString(key));
  if (!data) return renderValue(rows, show, caption);
  if (!choices.length) return table(data, show, caption);
  const keys = choices.map(({ key }) => key);
  const chosen = columnsOf(data.rows, keys, show.at(0)).map((column, i) => {
    const { label, format } = choices[i];
    const drawn = typeof format === "function" && attempted(format);
    const [row] = data.rows;
    return {
      ...column,
      label: string(label) || column.label,
      // What a view draws stands where its head does: figures at the end, drawings at the start.
      numeric:
        column.numeric && format !== "text" && !(drawn && drawn(reach(row, column.key), row) instanceof Node),
      format: drawn || cellsOf(format, column.key, show),
    };
  });
  return table({ rows: data.rows, columns: keys }, show, caption, { columns: chosen });
}

/** A format that leaves to the table what it throws at. @param {(value: any, row: any) => Child} format */
function attempted(format) {
  return (/** @type {any} */ value, /** @type {any} */ row) => attempt(() => format(value, row));
}

/** @param {unknown} format @param {string} key @param {Show} show */
function cellsOf(format, key, show) {
  const draw = own(FORMATS, string(format));
  // What is called a date is one, whatever its name.
  const entry = show.at(key, { format });
  return draw && ((/** @type {any} */ value) => draw(value, entry));
}

/**
 * Names and values of an object; what is nested folds.
 * @param {unknown} object
 * @param {{ labels?: Record<string, string>, show: Show }} options
 */
export function keyValueOf(object, { show, labels }) {
  const properties = labels && fromEntries(entriesOf(labels).map(([key, title]) => [key, { title }]));
  const entries = entriesOf(plain(object));
  if (entries.length > MOST) return renderValue(object, show);
  const named = properties ? show.at("labelled", { properties }) : show;
  const [full, empty] = [false, true].map((is) => entries.filter(([, one]) => isNothing(one) === is));
  return full.length && empty.length > SOME
    ? stack(keyValue(full, named), folded([], empty, named))
    : keyValue(entries, named);
}

/**
 * A title and what stands beneath it; a text of its own that begins with the title again shows it once.
 * @param {string} kind tag and classes @param {any} title @param {(Child | Child[])[]} children
 */
export function titled(kind, title, children) {
  const name = heading(0, title);
  const holder = el(kind, name, ...children);
  const again = holder.querySelector(".markdown > [class^=h]:first-child");
  if (again?.textContent === name.textContent) again?.remove();
  return holder;
}

/** A box with a title. @param {string} title @param {...(Child | Child[])} children */
export function card(title, ...children) {
  return titled("section.block.card", title, children);
}
