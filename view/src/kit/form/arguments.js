import { el } from "../el.js";
import { isPlain, parseJson } from "../plain.js";
import { check } from "../schema/check.js";
import { describeArguments, isEnvelope } from "../schema/describe.js";
import { groupField } from "./group.js";
import { jsonField, jsonProblem } from "./json.js";
import { fieldOf, makeField } from "./make.js";
import { installSpread } from "./spread.js";
/** @import { Field, Problem } from "./field.js" */
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Plain } from "../plain.js" */

/**
 * @typedef {object} Arguments the controls for a tool's arguments
 * @property {HTMLElement} element
 * @property {boolean} structured false when there is the JSON text only
 * @property {number} count how many controls of its own the form has at its top
 * @property {() => Plain | undefined} submit the arguments; undefined when they were refused,
 *   with the reasons shown and the first bad control focused
 * @property {() => Plain} peek the arguments as they stand, for showing them
 * @property {(value: unknown) => void} fill
 * @property {(raw: boolean) => void} setRaw switches to the JSON text and back
 * @property {() => void} focus
 */

/**
 * Makes the form for an input schema.
 * @param {unknown} schema
 * @param {{ maxDepth: number, omitted?: string }} options `omitted`: why there is no schema
 * @returns {Arguments}
 */
export function argumentsForm(schema, { maxDepth, omitted }) {
  const spec = describeArguments(schema, maxDepth);
  const structured = !omitted && spec.kind === "group" && !!spec.fields?.length;
  const form = structured ? structuredField(spec) : undefined;
  const rawField = rawArguments(omitted);
  let raw = !form;
  const element = el("div", { class: "arguments" }, form?.element, rawField.element);
  rawField.element.hidden = !raw;
  installSpread(element);
  const active = () => (raw || !form ? rawField : form);

  return {
    element,
    structured,
    count: spec.fields?.length ?? 0,
    submit: () => collect(active(), schema, true),
    peek: () => collect(active(), schema, false) ?? {},
    fill(value) {
      form?.write(value);
      rawField.write(value);
    },
    setRaw(on) {
      if (on === raw || !form) return;
      const value = active().read([]);
      raw = on;
      if (on || isPlain(value)) active().write(value);
      form.element.hidden = raw;
      rawField.element.hidden = !raw;
    },
    focus: () => active().focus(),
  };
}

/** @param {FieldSpec} spec @returns {Field} */
function structuredField(spec) {
  if (!isEnvelope(spec)) return groupField(spec, { flat: true });
  const [only] = spec.fields ?? [];
  const inner = groupField(only, { flat: true });
  fieldOf.set(inner.element, inner);
  if (only.preset !== undefined) inner.write(only.preset);
  /** @type {Field} */
  const outer = {
    ...inner,
    read(problems) {
      const value = inner.read(problems);
      return value === undefined ? {} : { [only.key]: value };
    },
    write: (value) => inner.write(isPlain(value) ? value[only.key] : undefined),
    locate: (path) => (path.length ? inner.locate(path.slice(1)) : inner),
  };
  return outer;
}

/** @param {string} [omitted] @returns {Field} */
function rawArguments(omitted) {
  const field = jsonField({
    kind: "json", name: "", key: "", label: "Raw arguments (JSON)", required: false, nullable: false,
    description: omitted ?? "", schema: { type: "object" }, preset: undefined,
  });
  const { read } = field;
  field.read = (problems) => {
    const value = read(problems) ?? {};
    if (isPlain(value)) return value;
    problems.push({ field, message: "The arguments must be one JSON object, such as {\"name\": \"value\"}." });
    return {};
  };
  return field;
}

/** @param {Field} field @param {unknown} schema @param {boolean} report @returns {Plain | undefined} */
function collect(field, schema, report) {
  /** @type {Problem[]} */
  const problems = [];
  const value = field.read(problems);
  if (!report) return value;
  const unread = new Set(problems.map((one) => one.field));
  for (const { path, message } of check(value, schema, schema)) {
    const where = field.locate(path);
    const place = where === field && path.length ? `${path.join(".")}: ${message}` : message;
    if (!unread.has(where)) problems.push({ field: where, message: place });
  }
  clearErrors(field);
  problems.sort((a, b) => (a.field.element.compareDocumentPosition(b.field.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  for (const { field: where, message } of [...problems].reverse()) where.showError(message);
  problems[0]?.field.focus();
  return problems.length ? undefined : value;
}

/** @param {Field} field */
function clearErrors(field) {
  field.showError("");
  field.children().forEach(clearErrors);
}

export { jsonProblem, makeField, parseJson };
