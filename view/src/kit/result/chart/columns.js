import { instantOf } from "../../instant.js";
import { lastWord, namesThings, setOf } from "../../meaning.js";
import { isNumber, isString, own } from "../../plain.js";

/** Places and sizes of a thing: two of them beside each other are geometry, not amounts. */
const GEOMETRY = setOf("left top right bottom width height x y z w h r g b");

/** Last words of names under which numbers have an order of their own. */
const ORDERED = setOf(
  "x t step epoch iteration day week month quarter year yr fy hour minute second round period generation time elapsed",
);

/** Texts that sort as they stand: hours, weeks, quarters, years. */
const CALENDAR = /^(\d{1,2}:\d\d(:\d\d)?|(19|20)\d\d([-/ ]?[QWH]?\d{1,2})?)$/i;

/** Last words of names of what tells one record from another. */
const IDENTITY = setOf("id name title path file url sha hash key email number");
/** Texts that are longer, or that differ in more rows, tell records apart too. */
const LONG_TEXT = 40;
const FEW_ROWS = 12;
/** So many cells tell whether a column holds dates; whether all of it does is seen where it matters. */
const SAMPLE = 50;

/**
 * @typedef {object} Column
 * @property {string} name
 * @property {"number" | "date" | "label" | "other"} kind
 * @property {any[]} cellValues null where there is nothing; numbers where the kind is number
 * @property {string} [label] of a series that is one of several under the same name
 * @property {boolean} [apart] whether a series has no points where others have theirs, which is no gap in it
 */

/** @param {any[]} rows @param {string} name @returns {Column} */
export function columnOf(rows, name) {
  const cells = rows.map((row) => own(row, name) ?? null);
  const known = cells.filter((one) => one !== null);
  const kind = known.slice(0, SAMPLE).every((one) => instantOf(one, name))
    ? "date"
    : known.every(isNumeric)
      ? "number"
      : known.every(isString)
        ? "label"
        : "other";
  return {
    name,
    kind,
    cellValues:
      kind === "number" ? cells.map((one) => (one === null || !Number.isFinite(+one) ? null : +one)) : cells,
  };
}

/** Whether there are no two different values. @param {Column} column */
export function isConstant({ cellValues: cells }) {
  const first = cells.find((one) => one !== null);
  return cells.every((one) => one === null || one === first);
}

/** Whether a number only says yes or no. @param {Column} column */
function isFlag({ cellValues: cells }) {
  return cells.every((one) => !one || one === 1);
}

/** The columns beside an axis and amounts that say something of their own. @param {Column[]} columns @param {Column | undefined} x @param {Column[]} amounts */
export function othersIn(columns, x, amounts) {
  return columns.filter((one) => one !== x && !amounts.includes(one) && !isConstant(one));
}

/** Whether every row has a value of its own. @param {Column} column */
function isDistinct({ cellValues: cells }) {
  return !cells.includes(null) && new Set(cells).size === cells.length;
}

/** A number, also one with decimals that came as text to keep its digits, as from databases. @param {any} value */
export function isNumeric(value) {
  return isNumber(value) || (isString(value) && /^-?\d+\.\d+$/.test(value));
}

/**
 * Columns that hold amounts: numbers which are no ids and places, and do not just count the rows.
 * @param {Column[]} columns
 */
export function amountsIn(columns) {
  const isPlace = (/** @type {Column} */ { name }) => GEOMETRY.has(lastWord(name));
  const arePlaces = columns.filter(isPlace).length > 1 && columns.map(({ name }) => name).join() !== "x,y";
  return columns.filter(
    (one) =>
      one.kind === "number" &&
      !isConstant(one) &&
      !isFlag(one) &&
      !namesThings(one.name) &&
      !(arePlaces && isPlace(one)) &&
      !(one === columns[0] && one.cellValues.every((cell, i, cells) => !i || cell - cells[i - 1] === 1)),
  );
}

/** Whether a column's values have an order of their own. @param {Column} column */
export function hasOrder({ name, kind, cellValues: cells }) {
  if (kind === "date") return cells.every((one) => instantOf(one, name));
  return kind === "number" ? ORDERED.has(lastWord(name)) : cells.every((one) => CALENDAR.test(one));
}

/** Whether a line may run along a column's values. @param {Column} column */
export function isOrdered(column) {
  return hasOrder(column) && (column.kind === "date" ? isDistinct(column) : isSorted(column.cellValues));
}

/** Whether values only rise, or only fall. @param {any[]} cells */
export function isSorted(cells) {
  const rises = cells[1] > cells[0];
  return cells.every(
    (one, i) => one !== null && (!i || (one !== cells[i - 1] && one > cells[i - 1] === rises)),
  );
}

/** Whether a column can name bars. @param {Column} column */
export function isLabel(column) {
  return (
    column.kind === "label" &&
    column.cellValues.every((one) => one && one.length < 60 && !/^https?:|^[\da-f-]{24,}$/i.test(one)) &&
    isDistinct(column)
  );
}

/** Whether rows are records, of which a date is one property among others. @param {Column} column */
export function tellsRecords(column) {
  const { name, kind, cellValues: cells } = column;
  const tells =
    IDENTITY.has(lastWord(name)) ||
    (kind === "label" && (cells.length > FEW_ROWS || cells.some((one) => one?.length > LONG_TEXT)));
  return tells && isDistinct(column);
}
