import { el } from "../el.js";
import { nameWords } from "../format.js";
import { isNothing, isPlain, isString, keysOf, own, plain } from "../plain.js";
import { check } from "../schema/check.js";
import { describeArguments, isEnvelope } from "../schema/describe.js";
import { typedField } from "./controls.js";
import { makeField } from "./make.js";
import { installSpread } from "./spread.js";
/** @import { Field, Look, Problem } from "./field.js" */
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Plain } from "../plain.js" */

/**
 * @typedef {object} Arguments the controls for a tool's arguments
 * @property {HTMLElement} element
 * @property {boolean} structured false when there is the JSON text only
 * @property {boolean} none whether the tool asks for nothing: the JSON text is folded away
 * @property {boolean} isExtensible whether a tool that asks for nothing takes arguments all the same
 * @property {() => Plain | undefined} submit the arguments; undefined when they were refused,
 *   with the reasons shown and the first bad control focused
 * @property {() => Plain} peek the arguments as they stand, for showing them
 * @property {(value: unknown) => void} fill
 * @property {(raw: boolean) => void} setRaw switches to the JSON text and back
 * @property {(words: string, byValue: boolean) => boolean} blame shows at the controls of arguments that an error names, or whose values it names if `byValue`, that the server refused them
 * @property {() => void} focus the first control that is refused, or the first
 */

/**
 * Makes the form for an input schema.
 * @param {unknown} schema
 * @param {{ maxDepth: number, omitted?: string }} options `omitted`: why there is no schema
 * @returns {Arguments}
 */
export function argumentsForm(schema, { maxDepth, omitted = "" }) {
  const spec = describeArguments(schema, maxDepth);
  const structured =
    !omitted && spec.kind !== "json" && !!((spec.fields ?? spec.variants)?.length || spec.rest);
  const none = !omitted && !structured && asksForNothing(spec, schema);
  const raw = rawField(omitted, { hideLabel: none });
  const form = structured ? structuredField(spec) : raw;
  let active = form;
  /** @type {Field[]} */
  let bad = [];
  const calm = () => {
    for (const field of bad) {
      field.showError("");
      field.element.classList.remove("blamed");
    }
    bad = [];
  };
  raw.element.hidden = structured;
  const more =
    none &&
    el(
      "details",
      { hidden: plain(schema).additionalProperties === false },
      el("summary", "Add arguments"),
      raw.element,
    );
  const element = el("div", structured && form.element, more || raw.element);
  installSpread(element);

  return {
    element,
    structured,
    none,
    isExtensible: !!more && !more.hidden,
    submit() {
      calm();
      return collect(active, schema);
    },
    peek: () => active.read([]) ?? {},
    fill(value) {
      calm();
      form.write(value);
      if (more && keysOf(plain(value)).length) [more.open, more.hidden] = [true, false];
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
    blame(words, byValue) {
      calm();
      bad = active
        .children()
        .filter(([key, field]) => isNamed(words, `${key}`) || (byValue && isQuoted(words, field.read([]))))
        .map(([, field]) => field);
      for (const field of bad) {
        field.showError(isNothing(field.read([])) ? "Missing" : "Change this");
        field.element.classList.add("blamed");
      }
      return !!bad[0];
    },
    focus: () => (bad[0] ?? active).focus(),
  };
}

/** Whether the words of an error name an argument, as the schema or as people do. @param {string} words @param {string} key */
function isNamed(words, key) {
  const names = [key, nameWords(key)].map((one) => one.replace(/\W/g, "\\$&")).join("|");
  return RegExp(`(^|\\b(at|invalid) |: |["'\`])(${names})(["'\`:]| is | must |\\s*$)`, "im").test(words);
}

/** Whether the words of an error name a text that is more than a letter, or quote a part of it. @param {string} words @param {unknown} text */
function isQuoted(words, text) {
  if (!isString(text) || /^\w?$/.test(text)) return false;
  const quoted = [...words.matchAll(/(["'`])([^"'`\n]{2,60})\1/g)];
  return words.includes(text.replace("file://", "")) || quoted.some(([, , one]) => text.includes(one));
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

/** Whether a schema names no arguments and is content with none. @param {FieldSpec} spec @param {unknown} schema */
function asksForNothing({ kind, issues }, schema) {
  return (kind === "group" || !keysOf(plain(schema)).length) && !issues({}).length;
}

/** The arguments as JSON text. @param {string} description @param {Look} look @returns {Field} */
function rawField(description, look) {
  const field = typedField(
    {
      kind: "json",
      name: "",
      key: "",
      label: "Raw arguments (JSON)",
      required: false,
      nullable: false,
      description,
      schema: { type: "object" },
      preset: undefined,
      issues: () => [],
    },
    look,
  );
  const { read } = field;
  field.read = (problems) => {
    const value = read(problems) ?? {};
    if (isPlain(value)) return value;
    problems.push({ field, message: 'The arguments must be one JSON object, such as {"name": "value"}.' });
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
    if (!unread.has(where))
      problems.push({ field: where, message: rest.length ? `${rest.join(".")}: ${message}` : message });
  }
  clearErrors(field);
  problems.sort((a, b) =>
    a.field.element.compareDocumentPosition(b.field.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  for (const one of problems.toReversed()) one.field.showError(one.message);
  problems[0]?.field.focus();
  return problems.length ? undefined : value;
}

/** @param {Field} field */
function clearErrors(field) {
  field.showError("");
  for (const [, child] of field.children()) clearErrors(child);
}
