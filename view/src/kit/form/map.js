import { entriesOf, fromEntries, isPlain, same } from "../plain.js";
import { rowsField } from "./rows.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Look, Problem } from "./field.js" */
/** @import { Row } from "./row.js" */

/** Free keys with values: one row a pair. @param {FieldSpec} spec @param {Look} look */
export function mapField(spec, look) {
  return rowsField(spec, look, {
    keyed: true,
    least: spec.schema.minProperties,
    most: spec.schema.maxProperties,
    read: (rows, problems) => pairs(rows, problems),
    entries: (value) => (isPlain(value) ? entriesOf(value) : []),
    join: (value, more) => ({ ...value, ...fromEntries(more) }),
    key: nameOf,
    accepts: isPlain,
  });
}

/** @param {Row} row */
function nameOf({ key }) {
  return key ? key.value : "";
}

/** @param {Row[]} rows @param {Problem[]} problems */
function pairs(rows, problems) {
  /** @type {Map<string, any>} */
  const read = new Map();
  for (const row of rows) {
    const name = nameOf(row);
    const value = row.field.read(problems);
    const says = (/** @type {string} */ message) => problems.push({ field: row.field, message });
    if (!name && !row.meant && same(value, row.blank)) continue;
    if (read.has(name)) says("This key is there already.");
    else if (value === undefined || !(name || row.meant)) says("A pair needs a key and a value.");
    else read.set(name, value);
  }
  return fromEntries(read);
}
