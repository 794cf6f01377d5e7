import { el } from "../el.js";
import { date, number } from "../format.js";
import { asText, entriesOf, fromEntries, isString, list, plain, string } from "../plain.js";
import { heading, keyValue } from "./card.js";
import { rowsOf } from "./recognise/rows.js";
import { Show } from "./show.js";
import { columnsOf } from "./table/columns.js";
import { table } from "./table/table.js";
import { renderValue } from "./value.js";
/** @import { Child } from "../el.js" */

/** @type {Map<string, (value: any) => string>} */
const FORMATS = new Map([["text", asText], ["number", (value) => number(value)], ["date", (value) => date(value)]]);

/**
 * @typedef {{ key: string, label?: string, format?: "text" | "number" | "date" | ((value: any, row: any) => Child) }} ColumnChoice
 *
 * A table of a list of objects; anything else is shown as what it is.
 * @param {unknown} rows
 * @param {Show | { columns?: (string | ColumnChoice)[], caption?: string, show?: Show }} [options] without
 *   columns there is one for each member
 * @returns {HTMLElement}
 */
export function tableOf(rows, options = {}) {
  const { show = new Show(), caption = "Table", columns } = options instanceof Show ? { show: options } : options;
  const data = rowsOf(rows);
  const choices = list(columns).map((one) => (isString(one) ? { key: one } : plain(one))).filter(({ key }) => isString(key));
  if (!data) return renderValue(rows, show, caption);
  if (!choices.length) return table(data, show, caption);
  const keys = choices.map(({ key }) => key);
  const chosen = columnsOf(data.rows, keys, show.at(0)).map((column, i) => {
    const { label, format } = choices[i];
    return { ...column, label: string(label) || column.label, format: isString(format) ? FORMATS.get(format) : format };
  });
  return table({ rows: data.rows, columns: keys }, show, caption, { columns: chosen });
}

/**
 * Names and values of an object; what is nested folds.
 * @param {unknown} object
 * @param {Show | { labels?: Record<string, string>, show?: Show }} [options]
 */
export function keyValueOf(object, options = {}) {
  const { show = new Show(), labels } = options instanceof Show ? { show: options } : options;
  const properties = labels && fromEntries(entriesOf(labels).map(([key, title]) => [key, { title }]));
  return keyValue(entriesOf(plain(object)), properties ? show.at("labelled", { properties }) : show);
}

/** A box with a title. @param {string} title @param {...(Child | Child[])} children */
export function card(title, ...children) {
  return el("section.block.card", heading(0, title), ...children);
}
