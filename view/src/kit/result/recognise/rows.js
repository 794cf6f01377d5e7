import {
  fromEntries,
  isArray,
  isBranch,
  isPlain,
  isString,
  keysOf,
  list,
  max,
  plain,
  string,
} from "../../plain.js";

/**
 * @typedef {object} Rows
 * @property {any[]} rows as objects
 * @property {string[]} columns in their order
 * @property {boolean} [isOpen] whether records show all that is in them at once
 * @property {boolean} [isGrid] whether they came as a small head and the rows below it: then even one row is a table
 * @property {(value: any) => Node} [draw] how cells look, where it is not by their value
 */

/** With more columns than this, rows that have little in common are no table. */
const MANY_COLUMNS = 40;
const MAX_COLUMNS = 500;
/** Fewer columns than these are easily read in one row. */
const FEW_COLUMNS = 7;
const MIN_FILLED = 0.1;
const HEADS = ["columns", "headers", "header", "fields", "column_names"];
const BODIES = ["rows", "data", "values", "records"];

/**
 * A list of objects, which need not all have the same members, or of equally long lists, as rows
 * and columns in the order of first appearance.
 * @param {any} value
 * @returns {Rows | undefined} undefined when it is no table
 */
export function rowsOf(value) {
  if (!list(value).length) return undefined;
  if (isArray(value[0])) return matrix(value);
  if (!value.every(isPlain)) return undefined;
  const names = value.flatMap(keysOf);
  const columns = [...new Set(names)];
  const together =
    columns.length <= MANY_COLUMNS || names.length >= columns.length * value.length * MIN_FILLED;
  return columns.length && columns.length <= MAX_COLUMNS && together ? { rows: value, columns } : undefined;
}

/** Lists of plain values; the first is the head if the figures begin below it. Below a single letter digits in a text may be more of the same. @param {any[]} rows */
function matrix(rows) {
  const [first, ...others] = rows;
  const { length } = first;
  if (
    !length ||
    length > MAX_COLUMNS ||
    !rows.every((row) => isArray(row) && row.length === length && !row.some(isBranch))
  )
    return undefined;
  const isHead =
    others.length > 0 &&
    first.every(isName) &&
    first.some(
      (/** @type {string} */ name, /** @type {number} */ i) =>
        !others.some((row) => (name[1] ? isName : isString)(row[i])),
    );
  return isHead
    ? { ...rowsFrom(first, others), isGrid: length > 1 && length < FEW_COLUMNS }
    : rowsFrom(
        first.map((/** @type {any} */ _, /** @type {number} */ i) => `Column ${i + 1}`),
        rows,
      );
}

/** The lines of a text, without empty ones around them. @param {string} text */
export function linesOf(text) {
  return text.replace(/^\n+/, "").trimEnd().split("\n");
}

/** Whether a value could be in a head: words, no figures. @param {any} value */
function isName(value) {
  return isString(value) && /^\D*\p{L}/u.test(value);
}

/**
 * Rows as objects. Columns of the same name, or of none, get one of their own, as do cells beyond the head.
 * @param {string[]} head @param {any[][]} rows
 * @returns {Rows}
 */
export function rowsFrom(head, rows) {
  const width = rows.reduce((most, { length }) => max(most, length), head.length);
  const names = new Set();
  for (let i = 0; i < width; i++) {
    const place = i ? ` ${i + 1}` : "";
    let name = head[i] || `#${place}`;
    while (names.has(name)) name += place;
    names.add(name);
  }
  const columns = [...names];
  return { columns, rows: rows.map((row) => fromEntries(columns.map((name, i) => [name, row[i]]))) };
}

/**
 * The same for rows of text: columns of nothing but numbers become numbers.
 * @param {string[]} head @param {string[][]} rows
 * @returns {Rows}
 */
export function rowsFromText(head, rows) {
  const isNumeric = head.map((_, i) => rows.every((row) => !row[i] || `${Number(row[i])}` === row[i]));
  return rowsFrom(
    head,
    rows.map((row) => row.map((cell, i) => (isNumeric[i] ? (cell ? Number(cell) : null) : cell))),
  );
}

/** What a schema would say of rows, or of one of them, so that names stay as they came. @param {string[]} names */
export function titles(names) {
  const properties = fromEntries(names.map((name) => [name, { title: name }]));
  return { properties, items: { properties } };
}

/**
 * An object whose columns and rows stand beside each other, with the rows as objects instead: alone,
 * or as a member when there is more in it. Everything else comes back as it is.
 * @param {any} value
 */
export function joined(value) {
  const member = (/** @type {string[]} */ names) =>
    names.find((name) => list(plain(value)[name]).length) ?? "";
  const body = member(BODIES);
  const { [member(HEADS)]: heads, [body]: rows, ...rest } = plain(value);
  const head = list(heads).map((one) => string(isPlain(one) ? one.name : one));
  if (
    !head.length ||
    head.includes("") ||
    new Set(head).size < head.length ||
    !list(rows).length ||
    !rows.every(isArray)
  )
    return value;
  const objects = rowsFrom(head, rows).rows;
  return keysOf(rest).length ? { ...rest, [body]: objects } : objects;
}
