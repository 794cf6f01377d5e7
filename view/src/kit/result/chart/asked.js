import { entriesOf, isArray, isPlain, own, plain } from "../../plain.js";
import { rowsOf } from "../data.js";
import { alternating, linesApart, linesByCategory } from "./categories.js";
import { amountsIn, columnOf, isConstant, isOrdered } from "./columns.js";
import { columnsBeside, PLACE } from "./lists.js";
import { line, MAX_SERIES } from "./rows.js";
/** @import { Column } from "./columns.js" */
/** @import { Evidence } from "./evidence.js" */

/**
 * @typedef {object} Asked what a view asks for; what it leaves out is read from the data
 * @property {"line" | "area" | "scatter" | "sparkline" | "bar" | "stacked" | "donut"} [type]
 * @property {string} [x] a column; without it the first that holds no numbers, else the first
 * @property {string | string[]} [y] columns of numbers; without it all amounts
 */

/** The types that stand on two axes. */
const LINES = /^(line|area|scatter|sparkline)$/;

/**
 * The chart that a view asks for.
 * @param {any} data rows, an object of labels and numbers, a list of numbers or of pairs
 * @param {Asked} options
 * @returns {Evidence | undefined} undefined when there are no numbers to draw
 */
export function askedFor(data, { type, x, y }) {
  const table =
    rowsOf(isArray(data) && isArray(data[0]) ? asRows(data) : data) ??
    columnsBeside(plain(data)) ??
    rowsOf(asRows(data));
  if (!table) return undefined;
  const { columns } = table;
  const wanted = y === undefined ? columns : [y].flat();
  const over =
    x ??
    columns.find((name) => !wanted.includes(name) || columnOf(table.rows, name).kind !== "number") ??
    columns[0];
  const rows = table.rows.filter((row) => (own(row, over) ?? null) !== null);
  const numbers = wanted
    .filter((name) => name !== over)
    .map((name) => columnOf(rows, name))
    .filter(({ kind }) => kind === "number");
  const amounts = y === undefined ? amountsIn(numbers) : [];
  const series = (amounts.length ? amounts : numbers).slice(0, MAX_SERIES);
  if (!rows.length || !series.length) return undefined;
  const along = columnOf(rows, over);
  const isLine = type ? LINES.test(type) : along.kind === "number" || isOrdered(along);
  // Bars that are all alike say less than their numbers.
  if (!isLine && rows.length > 1 && series.every(isConstant)) return undefined;
  const split = isLine && series.length === 1 && splitBy(rows, columns, along, series);
  if (split) return { ...split, strong: true, rows, look: type };
  return isLine
    ? { ...line(along, series, true), rows, look: type }
    : { type: "bar", strong: true, x: along, series, rows, look: type };
}

/** A line for each category of the only column of labels beside a line that a view asks for. @param {any[]} rows @param {string[]} columns @param {Column} along @param {Column[]} series */
function splitBy(rows, columns, along, series) {
  const labels = columns
    .map((name) => columnOf(rows, name))
    .filter((one) => one.kind === "label" && one.name !== along.name && !isConstant(one));
  const three = [along, ...labels, ...series];
  const category = labels.length === 1 && isOrdered(along) && alternating(along, three, series);
  return category
    ? linesApart(along, category, series[0], true)
    : labels.length === 1
      ? linesByCategory(three, series)
      : undefined;
}

/** @param {any} data */
function asRows(data) {
  if (isPlain(data)) return entriesOf(data).map(([name, value]) => ({ name, value }));
  return isArray(data)
    ? data.map((one, i) => (isArray(one) ? { x: one[0], value: one[1] } : { [PLACE]: i + 1, value: one }))
    : undefined;
}
