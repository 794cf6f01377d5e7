import { isArray, list, same } from "../plain.js";
import { rowsField } from "./rows.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Look } from "./field.js" */
/** @import { Row } from "./row.js" */

/** A list: one row an entry. Empty rows are not sent. @param {FieldSpec} spec @param {Look} look */
export function listField(spec, look) {
  /** Rows of the entries read last. @type {Row[]} */
  let sent = [];
  return rowsField(spec, look, {
    keyed: false,
    least: spec.schema.minItems,
    most: spec.schema.maxItems,
    read(rows, problems) {
      const values = new Map(rows.map((row) => [row, row.field.read(problems)]));
      const read = rows.filter((row) => values.get(row) !== undefined);
      sent = read.filter((row) => row.meant || !same(values.get(row), row.blank));
      if (!sent.length && spec.required && spec.schema.minItems > 0) sent = read;
      return sent.map((row) => values.get(row));
    },
    entries: (value) => list(value).map((one) => ["", one]),
    join: (value, more) => [...value, ...more.map(([, one]) => one)],
    key: (row) => sent.indexOf(row),
    accepts: (value) => isArray(value) && spec.issues(value).every(({ path }) => !path.length),
  });
}
