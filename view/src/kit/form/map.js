import { entriesOf, fromEntries, isPlain, plain, same } from "../plain.js";
import { rowsField } from "./rows.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look, Problem } from "./field.js" */
/** @import { Row } from "./row.js" */

const NEEDS_BOTH = "A pair needs a key and a value.";

/** Free keys with values: one row a pair. @param {FieldSpec} spec @param {Look} look */
export function mapField(spec, look) {
  return rowsField(spec, look, {
    keyed: true,
    least: spec.schema.minProperties,
    most: spec.schema.maxProperties,
    read: (rows, problems) => pairs(rows, problems),
    entries: (value) => entriesOf(plain(value)),
    join: (value, more) => ({ ...value, ...fromEntries(more) }),
    key: (row) => row.name(),
    accepts: isPlain,
  });
}

/** @param {Row[]} rows @param {Problem[]} problems */
function pairs(rows, problems) {
  /** @type {Map<string, any>} */
  const read = new Map();
  for (const row of rows) {
    const name = row.name();
    const value = row.field.read(problems);
    const refuse = (/** @type {Field} */ field, /** @type {string} */ message) =>
      problems.push({ field, message });
    const naming = row.naming ?? row.field;
    if (!name && !row.meant && same(value, row.blank)) continue;
    if (read.has(name)) refuse(naming, "This key is there already.");
    else if (value === undefined) refuse(row.field, NEEDS_BOTH);
    else if (!name && !row.meant) refuse(naming, NEEDS_BOTH);
    else read.set(name, value);
  }
  return fromEntries(read);
}
