import { el, quietButton } from "../el.js";
import { entriesOf, fromEntries, isArray, isPlain, keysOf, list, same } from "../plain.js";
import { check } from "../schema/check.js";
import { makeFrame } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look, Problem } from "./field.js" */

/**
 * @typedef {object} Row
 * @property {Field} field
 * @property {HTMLElement} element
 * @property {any} blank its value while nobody touched it
 * @property {HTMLInputElement | false} key of a map
 * @property {boolean} [written] whether a value was put in from outside
 */

const MAX_ROWS = 200;

/** A list: one row an entry. Empty rows are not sent. @param {FieldSpec} spec @param {Look} look */
export function listField(spec, look) {
  /** Rows of the entries read last. @type {Row[]} */
  let sent = [];
  return rowsField(spec, look, false, {
    read(rows, problems) {
      const values = new Map(rows.map((row) => [row, row.field.read(problems)]));
      const read = rows.filter((row) => values.get(row) !== undefined);
      sent = read.filter((row) => row.written || !same(values.get(row), row.blank));
      if (!sent.length && spec.required && spec.schema.minItems > 0) sent = read;
      return sent.map((row) => values.get(row));
    },
    entries: (value) => list(value).map((one) => ["", one]),
    key: (row) => sent.indexOf(row),
    accepts: (value) => isArray(value) && !check(value, { ...spec.schema, minItems: 0 }, spec.schema).length,
  });
}

/** Free keys with values: one row a pair. @param {FieldSpec} spec @param {Look} look */
export function mapField(spec, look) {
  return rowsField(spec, look, true, {
    read: (rows, problems) => fromEntries(rows.flatMap(({ key, field }) => {
      const name = key ? key.value : "";
      const value = field.read(problems);
      if (name && value !== undefined) return [[name, value]];
      if (name || (value !== undefined && value !== false && !isPlain(value))) problems.push({ field, message: "A pair needs a key and a value." });
      return [];
    })),
    entries: (value) => (isPlain(value) ? entriesOf(value) : []),
    key: ({ key }) => (key ? key.value : ""),
    accepts: isPlain,
  });
}

/**
 * @param {FieldSpec} spec @param {Look} look @param {boolean} keyed whether a row has a key
 * @param {object} how
 * @param {(rows: Row[], problems: Problem[]) => any} how.read
 * @param {(value: any) => [string, any][]} how.entries
 * @param {(row: Row) => string | number} how.key where its value was in what was read last
 * @param {(value: any) => boolean} how.accepts
 * @returns {Field}
 */
function rowsField(spec, look, keyed, { read, entries, key, accepts }) {
  /** @type {Row[]} */
  const rows = [];
  let given = false;
  const holder = el("div.rows");
  const more = quietButton("Add", () => add()?.field.focus(), { "aria-label": `Add to ${spec.label}` });
  const remove = (/** @type {Row} */ row) => {
    rows.splice(rows.indexOf(row), 1);
    row.element.remove();
  };
  const add = () => {
    if (rows.length >= MAX_ROWS) return undefined;
    const row = makeRow(spec, keyed, rows.length + 1, () => { remove(row); more.focus(); });
    rows.push(row);
    holder.append(row.element);
    return row;
  };
  const field = makeFrame(spec, look, [holder, more], {
    read(problems) {
      const value = read(rows, problems);
      return keysOf(value).length || spec.required || given ? value : undefined;
    },
    write(value) {
      for (const row of [...rows]) remove(row);
      const all = entries(value);
      given = value !== undefined && value !== null && !all.length;
      for (const [name, one] of all) {
        const row = add();
        if (!row) break;
        if (row.key) row.key.value = name;
        row.written = true;
        row.field.write(one);
      }
      if (!all.length && startsOpen(spec)) add();
    },
    children: () => rows.map((row) => [key(row), row.field]),
    accepts,
  });
  if (startsOpen(spec)) add();
  return field;
}

/** @param {FieldSpec} spec @param {boolean} keyed @param {number} place @param {() => void} drop @returns {Row} */
function makeRow(spec, keyed, place, drop) {
  const item = /** @type {FieldSpec} */ (spec.item);
  const label = `${keyed ? "Value" : spec.label} ${place}`;
  const field = makeField({ ...item, label, required: item.kind !== "boolean" && item.required, key: "" }, { hideLabel: true });
  const keyLabel = `Key ${place}`;
  const key = keyed && el("input.key", { type: "text", "aria-label": keyLabel, placeholder: "key", autocomplete: "off", dir: "auto" });
  const remove = quietButton("Remove", drop, { "aria-label": `Remove ${keyed ? keyLabel : label}` });
  const element = el(field.children().length ? "div.row.block" : "div.row", key, field.element, remove);
  return { field, key, element, blank: field.read([]) };
}

/** Whether an empty list shows a row: not for objects deep inside, which would unfold without end. @param {FieldSpec} spec */
function startsOpen({ name, item }) {
  return !/^(group|variants)$/.test(item?.kind ?? "") || name.split(".").length < 3;
}
