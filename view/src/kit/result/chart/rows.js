import { instantOf } from "../../instant.js";
import { namesThings, unitOf, wordsOf } from "../../meaning.js";
import { abs, isPlain, keysOf, max, own } from "../../plain.js";
import { alternating, linesApart, linesByCategory } from "./categories.js";
import { amountsIn, columnOf, isLabel, isOrdered, isSorted, othersIn, tellsRecords } from "./columns.js";
/** @import { Rows } from "../data.js" */
/** @import { Column } from "./columns.js" */
/** @import { Evidence } from "./evidence.js" */

const MIN_ROWS = 3;
/** More lines than these cannot be told apart. */
export const MAX_SERIES = 5;
/** Amounts share an axis while the largest is at most this many times that of the first. */
const COMPARABLE = 20;
/** Beside more columns than these a label and an amount are parts of a record. */
const MAX_OTHERS = 5;
const MAX_MEMBERS = 12;

/** @param {Rows} table @returns {Evidence | undefined} */
export function tableEvidence({ rows, columns }) {
  if (rows.length < MIN_ROWS) return undefined;
  const filled = columns
    .flatMap((name) => spread(rows, name))
    .filter(({ cellValues }) => cellValues.some((one) => one !== null));
  const amounts = amountsIn(filled);
  return !amounts.length
    ? undefined
    : (lineIn(filled, amounts) ??
        linesByCategory(filled, amounts) ??
        barsIn(filled, amounts) ??
        curveIn(filled, amounts));
}

/** A column; one that holds objects is the columns of their members. @param {any[]} rows @param {string} name */
function spread(rows, name) {
  const inner = rows.map((row) => own(row, name));
  return inner.every(isPlain)
    ? keysOf(inner[0])
        .slice(0, MAX_MEMBERS)
        .map((key) => columnOf(inner, key))
    : [columnOf(rows, name)];
}

/** Amounts over something with an order. @param {Column[]} columns @param {Column[]} amounts */
function lineIn(columns, amounts) {
  const x = columns.find(isOrdered);
  const lines = amounts.filter((one) => one !== x);
  if (!x || !lines.length || columns.some((one) => one !== x && tellsRecords(one))) return undefined;
  const category = alternating(x, columns, lines);
  if (category) return linesApart(x, category, lines[0], lines.length < 2);
  const others = othersIn(columns, x, lines);
  return line(x, comparable(lines), others.length < 3 && !others.some(({ kind }) => kind === "date"));
}

/** Short labels, each with amounts. @param {Column[]} columns @param {Column[]} amounts @returns {Evidence | undefined} */
function barsIn(columns, amounts) {
  const labels = columns.filter(isLabel);
  const x = labels.find(({ name }) => !namesThings(name)) ?? labels[0];
  const others = othersIn(columns, x, amounts).filter(({ name }) => name !== "rank");
  if (!x || others.length > MAX_OTHERS || amounts.length >= MAX_SERIES) return undefined;
  const isWhole = amounts.every(({ cellValues }) => !cellValues.includes(null));
  return {
    type: "bar",
    strong: !others.length && isWhole && areAlike(amounts),
    x,
    series: areAlike(amounts) ? amounts : [amounts[0]],
  };
}

/** Numbers over the first column, which only rises or falls. @param {Column[]} columns @param {Column[]} amounts */
function curveIn(columns, amounts) {
  const [x, ...rest] = columns;
  return rest.length &&
    columns.length === amounts.length &&
    x.cellValues.length > MIN_ROWS &&
    isSorted(x.cellValues)
    ? line(x, comparable(rest), false)
    : undefined;
}

/** Whether amounts are of one kind: the same unit, or a word in common. @param {Column[]} amounts */
function areAlike([{ name: first }, ...others]) {
  return others.every(
    ({ name }) =>
      unitOf(name) === unitOf(first) &&
      (unitOf(name) || wordsOf(name).some((word) => wordsOf(first).includes(word))),
  );
}

/** The first amount, and those which can be read on its axis. @param {Column[]} amounts */
function comparable(amounts) {
  const sizes = amounts.map(({ cellValues }) => cellValues.reduce((most, one) => max(most, abs(one)), 0));
  return amounts
    .filter(
      ({ name }, i) =>
        unitOf(name) === unitOf(amounts[0].name) &&
        sizes[i] <= sizes[0] * COMPARABLE &&
        sizes[0] <= sizes[i] * COMPARABLE,
    )
    .slice(0, MAX_SERIES);
}

/**
 * A line, with its points in order; labels keep theirs unless they fall.
 * @param {Column} x @param {Column[]} series @param {boolean} strong @returns {Evidence}
 */
export function line(x, series, strong) {
  const falls = isOrdered(x) && x.cellValues[0] > x.cellValues[1];
  const keys = x.cellValues.map((cell, i) =>
    x.kind === "label" ? (falls ? -i : i) : (instantOf(cell, x.name)?.at ?? cell),
  );
  const order = [...keys.keys()].sort((a, b) => keys[a] - keys[b]);
  const sorted = (/** @type {Column} */ column) => ({
    ...column,
    cellValues: order.map((i) => column.cellValues[i]),
  });
  return { type: "line", strong, x: sorted(x), series: series.map(sorted) };
}
