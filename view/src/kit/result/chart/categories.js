import { hasOrder, isConstant, isSorted, tellsRecords } from "./columns.js";
import { line, MAX_SERIES } from "./rows.js";
/** @import { Column } from "./columns.js" */
/** @import { Evidence } from "./evidence.js" */

const MIN_PLACES = 3;
/** Of all the points that the lines could have, at least these are there. */
const MIN_FILLED = 0.5;

/**
 * Rows of a date, a category and an amount: a line for each category.
 * @param {Column[]} columns @param {Column[]} amounts
 * @returns {Evidence | undefined}
 */
export function linesByCategory(columns, amounts) {
  const x = columns.find(hasOrder);
  const amount = amounts.find((one) => one !== x);
  const [category, ...others] = columns.filter((one) => one !== x && !amounts.includes(one) && !isConstant(one));
  if (!x || !amount || category?.kind !== "label" || category.cells.includes(null) || others.length || tellsRecords(category)) return undefined;
  const names = [...new Set(category.cells)];
  const places = [...new Set(x.cells)];
  const points = new Map(x.cells.map((place, i) => [`${place}\n${category.cells[i]}`, amount.cells[i]]));
  const isLong = points.size === x.cells.length && points.size >= names.length * places.length * MIN_FILLED;
  // Only names of the calendar keep the order in which they came.
  if (!isLong || names.length > MAX_SERIES || places.length < MIN_PLACES || (x.kind === "label" && !isSorted(places))) return undefined;
  const series = names.map((label) => ({ ...amount, label, cells: places.map((place) => points.get(`${place}\n${label}`) ?? null) }));
  return line({ ...x, cells: places }, series, amounts.length < 2);
}
