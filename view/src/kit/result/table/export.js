import { asText, fromEntries, hasOwn, isString, jsonText, reach } from "../../plain.js";

/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[-+]?[\d.]+(e[-+]?\d+)?$/i;

/**
 * Rows as CSV (RFC 4180), with the names of the members as its first line. Results are the words
 * of strangers and CSV goes into spreadsheets, so text that would run there gets an apostrophe first.
 * @param {any[]} rows @param {string[]} keys
 */
export function csv(rows, keys) {
  const lines = [keys, ...rows.map((row) => keys.map((key) => reach(row, key)))];
  return lines.map((values) => `${values.map(field).join(",")}\r\n`).join("");
}

/** @param {unknown} value */
function field(value) {
  const text = asText(value ?? "");
  const safe = isString(value) && FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as JSON: these members as they are, whole where only parts of them are columns. @param {any[]} rows @param {string[]} columns */
export function json(rows, columns) {
  const member = (/** @type {any} */ row, /** @type {string} */ key) =>
    hasOwn(row, key) ? key : key.split(".", 1)[0];
  return jsonText(
    rows.map((row) =>
      fromEntries(
        columns
          .map((key) => member(row, key))
          .filter((key) => hasOwn(row, key))
          .map((key) => [key, row[key]]),
      ),
    ),
  );
}
