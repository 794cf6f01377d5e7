import { instantOf } from "../../instant.js";
import { namesThings } from "../../meaning.js";
import { entriesOf, fromEntries, isArray, isBranch, isString } from "../../plain.js";
import { columnOf, isConstant, isSorted } from "./columns.js";
import { line, tableEvidence } from "./rows.js";
/** @import { Evidence } from "./evidence.js" */

const MIN_NUMBERS = 5;
/** The column that counts the numbers of a list. */
export const PLACE = "#";
/** What lists of numbers are that no one reads as a course of values. */
const NO_COURSE =
  /embed|vector|box|bound|range|coord|path|polygon|position|shape|size|colou?r|rgb|version|choice|option|preset/i;

/**
 * A list of numbers, or of pairs.
 * @param {any[]} values @param {string} name @returns {Evidence | undefined}
 */
export function listEvidence(values, name) {
  if (NO_COURSE.test(name) || namesThings(name.replace(/s$/, ""))) return undefined;
  return values.every((one) => isArray(one) && one.length === 2)
    ? pairEvidence(values)
    : numberEvidence(values, name);
}

/** @param {any[]} values @param {string} name @returns {Evidence | undefined} */
function numberEvidence(values, name) {
  const areWhole = values.every(Number.isInteger);
  const rows = values.map((value, i) => ({ [PLACE]: i + 1, value }));
  const amounts = columnOf(rows, "value");
  if (
    rows.length < MIN_NUMBERS ||
    isConstant(amounts) ||
    amounts.kind !== "number" ||
    values.some(isString) ||
    (areWhole && isSorted(values))
  )
    return undefined;
  return { ...line(columnOf(rows, PLACE), [{ ...amounts, name }], !areWhole), rows };
}

/** @param {[any, any][]} pairs @returns {Evidence | undefined} */
function pairEvidence(pairs) {
  const areTimes = (/** @type {0 | 1} */ side) => pairs.every((pair) => instantOf(pair[side], "time"));
  if (!areTimes(0) && areTimes(1)) return pairEvidence(pairs.map(([value, time]) => [time, value]));
  const x = areTimes(0) ? "time" : isString(pairs[0][0]) ? "name" : "x";
  const isKnown = x !== "x";
  const areIntervals = pairs.every(([from, to], i) => from <= to && (!i || pairs[i - 1][1] <= from));
  if (!isKnown && (areIntervals || pairs.length < MIN_NUMBERS)) return undefined;
  const rows = pairs.map(([a, value]) => ({
    [x]: a,
    value: isKnown && /^-?[\d.]+$/.test(value) ? +value : value,
  }));
  const evidence = tableEvidence({ rows, columns: [x, "value"] });
  // A table has no heads that the data does not name.
  return evidence && { ...evidence, strong: evidence.strong && isKnown, ...(isKnown && { rows }) };
}

/**
 * Columns of the same length beside each other: `{time: [...], value: [...]}`.
 * @param {any} value
 */
export function columnsBeside(value) {
  const entries = entriesOf(value);
  const { length } = entries[0]?.[1] ?? [];
  if (
    !length ||
    entries.length < 2 ||
    !entries.every(([, one]) => isArray(one) && one.length === length && !one.some(isBranch))
  )
    return undefined;
  const rows = Array.from({ length }, (_, i) =>
    fromEntries(entries.map(([name, cells]) => [name, cells[i]])),
  );
  return { rows, columns: entries.map(([name]) => name) };
}
