import { lastWord, namesThings, unitOf, wordsOf } from "../../meaning.js";
import { abs, entriesOf, isNumber } from "../../plain.js";
import { columnOf, isConstant, isOrdered } from "./columns.js";
import { line } from "./rows.js";
/** @import { Evidence } from "./evidence.js" */

const MIN_BARS = 3;
/** Names of objects whose members are parts of one count. */
const TALLY =
  /\b(by|per|counts|distribution|histogram|breakdown|frequenc(y|ies)|votes|shares|tally|allocations?)\b/;
/** Names that tell nothing of what was counted. */
const FIGURE = /^(.|p\d+|count|sum|min|max|mean|median|average|avg|std(dev)?|variance)$/i;

/**
 * An object of labels and numbers, where something says that its numbers can be compared.
 * @param {any} value @param {string} name @param {boolean} isMap @returns {Evidence | undefined}
 */
export function mapEvidence(value, name, isMap) {
  const entries = entriesOf(value).filter(([key]) => key !== "total");
  const rows = entries.map(([key, amount]) => ({ key, amount }));
  const amounts = columnOf(rows, "amount");
  const keys = columnOf(rows, "key");
  if (
    rows.length < MIN_BARS ||
    isConstant(amounts) ||
    !amounts.cellValues.every((one, i) => one === rows[i].amount && isNumber(one))
  )
    return undefined;
  const [x, series] = [{ ...keys, name }, [{ ...amounts, name }]];
  if (isOrdered(x)) return line(x, series, true);
  const isSum = (/** @type {number} */ whole) => addUp(amounts.cellValues, whole);
  const strong =
    isMap ||
    TALLY.test(wordsOf(name).join(" ")) ||
    isSum(value.total ?? 100) ||
    (amounts.cellValues.some((one) => one % 1) && isSum(1));
  return (strong || areCounts(keys.cellValues)) && (isMap || areOfOneKind(keys.cellValues))
    ? { type: "bar", strong, x, series }
    : undefined;
}

/** Whether numbers are the parts of a whole. @param {number[]} parts @param {number} whole */
function addUp(parts, whole) {
  return abs(parts.reduce((sum, one) => sum + one, -whole)) <= whole / 500 && parts.every((one) => one >= 0);
}

/** Whether nothing in the names says that the numbers are of different kinds. @param {string[]} keys */
function areOfOneKind(keys) {
  return new Set(keys.map(unitOf)).size === 1 && !keys.some((key) => namesThings(key) || FIGURE.test(key));
}

/** Whether names are those of things that were counted: "errors", "warningCount". @param {string[]} keys */
function areCounts(keys) {
  const last = keys.map(lastWord);
  return new Set(last).size === 1 || last.every((word) => /[^s]s$/.test(word));
}
