import { isNumber, isPlain, keysOf, own } from "../../plain.js";
/** @import { Show } from "../show.js" */
/** @import { Column } from "./columns.js" */

const MAX_MEMBERS = 6;
const MAX_COLUMNS = 12;

/**
 * Columns whose cells hold the same few numbers in every row, as a column for each number: they
 * can be compared and sorted there.
 * @param {Column[]} columns @param {any[]} rows @param {Show} entry knows the words for the members of a row
 * @returns {Column[]}
 */
export function spreadColumns(columns, rows, entry) {
  const spread = columns.flatMap((column) => {
    const { key, label: group, format } = column;
    const inner = entry.at(key);
    const names = format ? [] : numbersIn(rows, key);
    const parts = names.map(
      (name) =>
        /** @type {Column} */ ({
          key: `${key}.${name}`,
          path: [key, name],
          group,
          label: inner.label(name),
          hint: inner.describe(name) || `${key}.${name}`,
          numeric: true,
        }),
    );
    return parts.length ? parts : column;
  });
  return spread.length <= MAX_COLUMNS ? spread : columns;
}

/** The names of the numbers that each cell of a column holds, if it does. @param {any[]} rows @param {string} key */
function numbersIn(rows, key) {
  const cells = rows.map((row) => own(row, key) ?? undefined).filter((cell) => cell !== undefined);
  if (!cells.every(isPlain) || key.includes(".")) return [];
  const names = keysOf(cells[0] ?? {});
  const isRegular = (/** @type {any} */ cell) =>
    keysOf(cell).length === names.length && names.every((name) => isNumber(own(cell, name)));
  return names.length <= MAX_MEMBERS && cells.every(isRegular) ? names : [];
}
