import { lastWord } from "../../meaning.js";
import { abs } from "../../plain.js";
import { hasOrder, isConstant, isSorted, othersIn, tellsRecords } from "./columns.js";
import { line, MAX_SERIES } from "./rows.js";
/** @import { Column } from "./columns.js" */
/** @import { Evidence } from "./evidence.js" */

const MIN_PLACES = 3;
/** Of all the points that the lines could have, at least these are there. */
const MIN_FILLED = 0.5;
/** With fewer of them a missing point is no gap: the lines have places of their own. */
const MOSTLY_FILLED = 0.75;

/** What a row says about its day, rather than what its amount belongs to. */
const REMARK =
  /^(status|state|conditions?|weather|(week)?day|month|quarter|season|trend|direction|signal|flag|notes?|comment|remark|summary|description|text|message|label|level|grade|rating|unit|currency)$/;
/** How much more lines of their own must calm amounts that stand beside others. */
const CALMER = 1.5;

/**
 * The column that says to which of several series a row belongs, where each place has a row of one of
 * them only: one line through all rows would go to and fro between them.
 * @param {Column} x with a value of its own in each row @param {Column[]} columns @param {Column[]} amounts
 * @returns {Column | undefined}
 */
export function alternating(x, columns, amounts) {
  const labels = othersIn(columns, x, amounts).filter(({ kind }) => kind === "label");
  const [category, ...others] = labels;
  if (
    !category ||
    others.length ||
    category.cellValues.includes(null) ||
    REMARK.test(lastWord(category.name))
  )
    return undefined;
  const counts = new Map();
  for (const one of category.cellValues) counts.set(one, (counts.get(one) ?? 0) + 1);
  const isSeries =
    counts.size * 2 <= category.cellValues.length && [...counts.values()].every((count) => count > 1);
  const isOnly =
    amounts.length === 1 &&
    columns.every((one) => one === x || one === category || one === amounts[0] || isConstant(one));
  return isSeries && (isOnly || isCalmer(category, amounts[0])) ? category : undefined;
}

/** Whether amounts go to and fro between categories, and not within them. @param {Column} category @param {Column} amount */
function isCalmer({ cellValues: names }, { cellValues: cells }) {
  let [along, within] = [0, 0];
  const last = new Map();
  cells.forEach((one, i) => {
    if (one === null) return;
    along += abs(one - (cells[i - 1] ?? one));
    within += abs(one - (last.get(names[i]) ?? one));
    last.set(names[i], one);
  });
  return along > within * CALMER;
}

/**
 * A line for each category along places that they do not share: each goes from its own point to its next.
 * @param {Column} x @param {Column} category @param {Column} amount @param {boolean} strong
 * @returns {Evidence | undefined} undefined where there are more of them than can be told apart
 */
export function linesApart(x, category, amount, strong) {
  const names = [...new Set(category.cellValues)];
  if (names.length > MAX_SERIES) return undefined;
  return line(
    x,
    names.map((label) => ({
      ...amount,
      label,
      apart: true,
      cellValues: amount.cellValues.map((cell, i) => (category.cellValues[i] === label ? cell : null)),
    })),
    strong,
  );
}

/**
 * Rows of a date, a category and an amount: a line for each category.
 * @param {Column[]} columns @param {Column[]} amounts
 * @returns {Evidence | undefined}
 */
export function linesByCategory(columns, amounts) {
  const x = columns.find(hasOrder);
  const amount = amounts.find((one) => one !== x);
  const [category, ...others] = othersIn(columns, x, amounts);
  if (
    !x ||
    !amount ||
    category?.kind !== "label" ||
    category.cellValues.includes(null) ||
    others.length ||
    tellsRecords(category)
  )
    return undefined;
  const names = [...new Set(category.cellValues)];
  const places = [...new Set(x.cellValues)];
  const points = new Map(
    x.cellValues.map((place, i) => [`${place}\n${category.cellValues[i]}`, amount.cellValues[i]]),
  );
  // Where no place is shared, `alternating` says whether there are several lines.
  const isLong =
    places.length < x.cellValues.length &&
    points.size === x.cellValues.length &&
    points.size >= names.length * places.length * MIN_FILLED;
  // Only names of the calendar keep the order in which they came.
  if (
    !isLong ||
    names.length > MAX_SERIES ||
    places.length < MIN_PLACES ||
    (x.kind === "label" && !isSorted(places))
  )
    return undefined;
  const apart = points.size < names.length * places.length * MOSTLY_FILLED;
  const series = names.map((label) => ({
    ...amount,
    label,
    apart,
    cellValues: places.map((place) => points.get(`${place}\n${label}`) ?? null),
  }));
  return line({ ...x, cellValues: places }, series, amounts.length < 2);
}
