import { button, el } from "../el.js";
import { isPlain, put, same } from "../plain.js";
import { check } from "../schema/check.js";
import { describe, errorLine, errorSetter, focusOn, mark, tie } from "./field.js";
import { makeField } from "./make.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field } from "./field.js" */

/**
 * @typedef {object} Row
 * @property {Field} field
 * @property {HTMLElement} element
 * @property {any} blank its value while nobody touched it
 * @property {HTMLInputElement} [key] of a map
 * @property {boolean} [written] whether a value was put in from outside
 */

const MAX_ROWS = 200;

/** A list: one row an entry. Empty rows are not sent. @param {FieldSpec} spec @returns {Field} */
export function listField(spec) {
  const item = /** @type {FieldSpec} */ (spec.item);
  const frame = rowsFrame(spec, (place) => makeRow({ ...item, label: `${spec.label} ${place}` }, frame));
  /** Rows of the entries read last. @type {Row[]} */
  let sent = [];
  const field = rowsField(spec, frame, {
    read(problems) {
      const read = frame.rows.map((row) => ({ row, value: row.field.read(problems) })).filter(({ value }) => value !== undefined);
      const touched = read.filter(({ row, value }) => row.written || !same(value, row.blank));
      const filled = touched.length || !(spec.required && spec.schema.minItems > 0) ? touched : read;
      sent = filled.map(({ row }) => row);
      return filled.map(({ value }) => value);
    },
    entries: (value) => (Array.isArray(value) ? value.map((one) => [undefined, one]) : []),
    rowAt: (part) => sent[Number(part)],
    accepts: (value) => Array.isArray(value) && !check(value, { ...spec.schema, minItems: 0 }, spec.schema).length,
  });
  return field;
}

/** Free keys with values: one row a pair. @param {FieldSpec} spec @returns {Field} */
export function mapField(spec) {
  const item = /** @type {FieldSpec} */ (spec.item);
  const frame = rowsFrame(spec, (place) => makeRow({ ...item, label: `Value ${place}` }, frame, `Key ${place}`));
  return rowsField(spec, frame, {
    read(problems) {
      const value = {};
      for (const row of frame.rows) {
        const one = row.field.read(problems);
        const key = row.key?.value ?? "";
        if (key !== "" && one !== undefined) put(value, key, one);
        else if (key !== "" || (one !== undefined && one !== false && !isPlain(one))) problems.push({ field: row.field, message: "A pair needs a key and a value." });
      }
      return value;
    },
    entries: (value) => (isPlain(value) ? Object.entries(value) : []),
    rowAt: (part) => frame.rows.find((row) => row.key?.value === part),
    accepts: isPlain,
  });
}

/**
 * @typedef {ReturnType<typeof rowsFrame>} Frame
 * @param {FieldSpec} spec @param {(place: number) => Row} create
 */
function rowsFrame(spec, create) {
  /** @type {Row[]} */
  const rows = [];
  const holder = el("div", { class: "rows" });
  const hint = describe(spec);
  const error = errorLine();
  const add = () => {
    if (rows.length >= MAX_ROWS) return undefined;
    const row = create(rows.length + 1);
    rows.push(row);
    holder.append(row.element);
    return row;
  };
  const remove = (/** @type {Row} */ row) => {
    rows.splice(rows.indexOf(row), 1);
    row.element.remove();
  };
  const more = button("Add", () => add()?.field.focus(), { class: "quiet small", "aria-label": `Add to ${spec.label}` });
  const element = el("fieldset", { class: "field list", "data-field": spec.name },
    el("legend", { class: "label", dir: "auto" }, spec.label, mark(spec)), hint, holder, more, error);
  tie(element, hint, error);
  return { rows, element, error, add, remove, more };
}

/** @param {FieldSpec} item @param {Frame} frame @param {string} [keyLabel] @returns {Row} */
function makeRow(item, frame, keyLabel) {
  const field = makeField({ ...item, required: item.kind !== "boolean" && item.required, key: "" }, { hideLabel: true });
  const key = keyLabel ? el("input", { type: "text", class: "key", "aria-label": keyLabel, placeholder: "key", autocomplete: "off", dir: "auto" }) : undefined;
  /** @type {Row} */
  const row = { field, key, element: field.element, blank: field.read([]) };
  const drop = button("Remove", () => { frame.remove(row); frame.more.focus(); }, { class: "quiet small", "aria-label": `Remove ${keyLabel ?? item.label}` });
  row.element = el("div", { class: field.children().length ? "row block" : "row" }, key, field.element, drop);
  return row;
}

/**
 * @param {FieldSpec} spec @param {Frame} frame
 * @param {{ read: Field["read"], entries: (value: any) => [string | undefined, any][], rowAt: (part: any) => Row | undefined, accepts: (value: any) => boolean }} how
 * @returns {Field}
 */
function rowsField(spec, frame, how) {
  let given = false;
  const start = () => { if (startsOpen(spec)) frame.add(); };
  /** @type {Field} */
  const field = {
    element: frame.element,
    showError: errorSetter(frame.element, frame.error),
    read(problems) {
      const value = how.read(problems);
      return Object.keys(value).length || spec.required || given ? value : undefined;
    },
    write(value) {
      for (const row of [...frame.rows]) frame.remove(row);
      const entries = how.entries(value);
      given = value !== undefined && value !== null && !entries.length;
      for (const [key, one] of entries) {
        const row = frame.add();
        if (!row) break;
        if (row.key && key !== undefined) row.key.value = key;
        row.written = true;
        row.field.write(one);
      }
      if (!entries.length) start();
    },
    focus: () => (frame.rows[0] ? frame.rows[0].field.focus() : focusOn(frame.more)),
    locate: (path) => (path.length ? how.rowAt(path[0])?.field.locate(path.slice(1)) ?? field : field),
    children: () => frame.rows.map((row) => row.field),
    accepts: how.accepts,
  };
  start();
  return field;
}

/** Whether an empty list shows a row: not for objects deep inside, which would unfold without end. @param {FieldSpec} spec */
function startsOpen({ name, item }) {
  const big = item?.kind === "group" || item?.kind === "variants";
  return !big || name.split(".").length < 3;
}
