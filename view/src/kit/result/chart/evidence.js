import { isArray, isBranch, keysOf } from "../../plain.js";
import { columnsBeside, listEvidence } from "./lists.js";
import { mapEvidence } from "./map.js";
import { tableEvidence } from "./rows.js";
/** @import { Column } from "./columns.js" */

/**
 * @typedef {object} Evidence that data is a chart, and which
 * @property {"line" | "bar"} type
 * @property {boolean} strong whether the chart tells more than the table
 * @property {Column} x what the series stand over, in drawing order
 * @property {Column[]} series amounts that can be read on one axis
 * @property {string} [look] a special kind of either, where a view asks for it
 * @property {any[]} [rows] the same as a table, where the data is none by itself
 */

/** Whether a list is one of points, which is no table although it has two columns. @param {any} value */
function arePairs(value) {
  return isArray(value) && value.every((one) => isArray(one) && one.length === 2);
}

/**
 * Whether a value is a chart. Ids, codes, years, places, counters and amounts of unlike kinds are none.
 * @param {any} value
 * @param {object} [known]
 * @param {string} [known.name] under which the value stands
 * @param {{ rows: any[], columns: string[] }} [known.table] that the value is
 * @param {boolean} [known.isMap] whether a schema says that the value's keys are data
 * @returns {Evidence | undefined}
 */
export function evidenceOf(value, { name = "", table, isMap = false } = {}) {
  if (table && !arePairs(value)) return tableEvidence(table);
  if (!isBranch(value) || keysOf(value).length < 2) return undefined;
  if (isArray(value)) return listEvidence(value, name);
  const beside = columnsBeside(value);
  const evidence = beside ? tableEvidence(beside) : mapEvidence(value, name, isMap);
  return beside && evidence ? { ...evidence, rows: beside.rows } : evidence;
}
