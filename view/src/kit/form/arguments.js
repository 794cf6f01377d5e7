import { el } from "../el.js";
import { isPlain, own } from "../plain.js";
import { check } from "../schema/check.js";
import { describeArguments, isEnvelope } from "../schema/describe.js";
import { typedField } from "./controls.js";
import { makeField } from "./make.js";
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
export function argumentsForm(schema, { maxDepth, omitted = "" }) {
  const spec = describeArguments(schema, maxDepth);
  const count = (spec.fields ?? spec.variants)?.length ?? 0;
  const structured = !omitted && spec.kind !== "json" && (count > 0 || !!spec.rest);
  const raw = rawField(omitted);
  const form = structured ? structuredField(spec) : raw;
  let active = form;
  raw.element.hidden = structured;
  const element = el("div", structured && form.element, raw.element);
  installSpread(element);

  return {
    element,
    structured,
    count,
    submit: () => collect(active, schema),
    peek: () => active.read([]) ?? {},
    fill(value) {
      form.write(value);
      if (structured) raw.write(form.read([]));
    },
    setRaw(on) {
      const next = on ? raw : form;
      if (next === active) return;
      const value = active.read([]);
      active.element.hidden = true;
      active = next;
      active.element.hidden = false;
      active.write(value);
    },
    focus: () => active.focus(),
  };
}

/** @param {FieldSpec} spec @returns {Field} */
function structuredField(spec) {
  if (!isEnvelope(spec)) return makeField(spec, { flat: true });
  const [only] = /** @type {FieldSpec[]} */ (spec.fields);
  const inner = makeField(only, { flat: true });
  return {
    ...inner,
    read(problems) {
      const value = inner.read(problems);
      return value === undefined ? {} : { [only.key]: value };
    },
    write(value) {
      if (isPlain(value)) inner.write(own(value, only.key));
      else inner.reset();
    },
    locate: (path) => inner.locate(path.slice(1)),
  };
}

/** The arguments as JSON text. @param {string} description @returns {Field} */
function rawField(description) {
  const field = typedField({
    kind: "json", name: "", key: "", label: "Raw arguments (JSON)", required: false, nullable: false,
    description, schema: { type: "object" }, preset: undefined, issues: () => [],
  }, {});
  const { read } = field;
  field.read = (problems) => {
    const value = read(problems) ?? {};
    if (isPlain(value)) return value;
    problems.push({ field, message: "The arguments must be one JSON object, such as {\"name\": \"value\"}." });
    return {};
  };
  return field;
}

/** @param {Field} field @param {unknown} schema @returns {Plain | undefined} */
function collect(field, schema) {
  /** @type {Problem[]} */
  const problems = [];
  const value = field.read(problems) ?? {};
  const unread = new Set(problems.map((one) => one.field));
  for (const { path, message } of check(value, schema, schema)) {
    const [where, rest] = field.locate(path);
    if (!unread.has(where)) problems.push({ field: where, message: rest.length ? `${rest.join(".")}: ${message}` : message });
  }
  clearErrors(field);
  problems.sort((a, b) => (a.field.element.compareDocumentPosition(b.field.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  for (const one of problems.toReversed()) one.field.showError(one.message);
  problems[0]?.field.focus();
  return problems.length ? undefined : value;
}

/** @param {Field} field */
function clearErrors(field) {
  field.showError("");
  for (const [, child] of field.children()) clearErrors(child);
}
