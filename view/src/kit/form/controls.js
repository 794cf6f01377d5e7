import { el, newId } from "../el.js";
import { asText, isBranch, jsonText, list, parseJson, string } from "../plain.js";
import { inexactNumber, parseNumber } from "../schema/number.js";
import { compile } from "../schema/pattern.js";
import { leafField } from "./leaf.js";
import { localDateTime, offset, withSeconds } from "./moment.js";
/** @import { FieldSpec, Kind } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */
/** @import { Leaf, Parsed } from "./leaf.js" */

export const SECRET = /^(password|passwd|secret|(api|access|auth)_?(key|token))$/i;
const MAX_SUGGESTIONS = 50;

/** How each kind of text control is made. @type {Partial<Record<Kind, (spec: FieldSpec) => Leaf>>} */
const LEAVES = {
  text: (spec) => ({ ...line(spec, SECRET.test(spec.key) || spec.schema.format === "password" ? "password" : "text"), parse: unlessEmpty }),
  long: (spec) => ({ control: area(spec), parse: unlessEmpty }),
  number: (spec) => ({ ...line(spec, "text"), parse: (shown) => (shown.trim() ? parseNumber(shown) : undefined) }),
  date: (spec) => moment(spec, "date", String, unlessEmpty),
  "date-time": (spec) => moment(spec, "datetime-local", localDateTime, (shown) => unlessEmpty(shown && withSeconds(shown) + offset(new Date(shown)))),
  time: (spec) => moment(spec, "time", (value) => /^[\d:.]+/.exec(value)?.[0] ?? "", (shown) => unlessEmpty(shown && withSeconds(shown) + offset(new Date()))),
  json: (spec) => jsonLeaf(spec),
};

/** A control to type in. @param {FieldSpec} spec @param {Look} look @returns {Field} */
export function typedField(spec, look) {
  const leaf = /** @type {any} */ (LEAVES[spec.kind])(spec);
  const field = leafField(withPatternHint(spec), look, leaf);
  if (spec.kind === "json") leaf.control.addEventListener("input", () => field.showError(leaf.parse(leaf.control.value)?.problem ?? ""));
  return field;
}

/** @param {string} shown @returns {Parsed} */
function unlessEmpty(shown) {
  return shown ? { value: shown } : undefined;
}

/** A line, with the schema's examples to choose from when there are several. @param {FieldSpec} spec @param {string} type */
function line({ schema, kind }, type) {
  const { format, minimum, formatMinimum, formatMaximum } = schema;
  const examples = type === "text" ? list(schema.examples).filter((one) => !isBranch(one)).slice(0, MAX_SUGGESTIONS) : [];
  const beside = examples.length > 1 ? el("datalist", { id: newId() }, examples.map((one) => el("option", { value: asText(one) }))) : undefined;
  const control = el("input", {
    type,
    inputmode: kind === "number" ? (schema.type === "integer" && minimum >= 0 ? "numeric" : "decimal") : format === "email" ? format : /^ur[il]/.test(format) ? "url" : null,
    autocomplete: type === "password" ? "new-password" : "off",
    autocapitalize: "off",
    spellcheck: "false",
    step: "any",
    min: formatMinimum,
    max: formatMaximum,
    list: beside?.id,
    placeholder: placeholder(schema),
    dir: "auto",
  });
  return { control, beside };
}

/** @param {FieldSpec} spec */
function area({ schema }) {
  return el("textarea", { rows: 2, spellcheck: "false", placeholder: placeholder(schema), dir: "auto" });
}

/**
 * A control for dates or times, which becomes a plain line for a value it cannot show.
 * @param {FieldSpec} spec @param {string} type @param {(value: string) => string} toShown @param {(shown: string) => Parsed} parse
 * @returns {Leaf}
 */
function moment(spec, type, toShown, parse) {
  const { control } = line(spec, type);
  return {
    control,
    parse: (shown) => (control.type === "text" ? unlessEmpty(shown) : parse(shown)),
    show(value) {
      control.type = type;
      control.value = toShown(asText(value));
      if (control.value) return;
      control.type = "text";
      control.value = asText(value);
    },
  };
}

/** An example, or the range. @param {FieldSpec["schema"]} schema */
function placeholder({ examples, example, minimum, maximum }) {
  const one = list(examples)[0] ?? example ?? {};
  if (!isBranch(one)) return `e.g. ${asText(one).slice(0, 120)}`;
  return Number.isFinite(minimum) && Number.isFinite(maximum) ? `${minimum} \u2013 ${maximum}` : null;
}

/** Says so when a pattern is checked by the server only. @param {FieldSpec} spec @returns {FieldSpec} */
function withPatternHint(spec) {
  const pattern = spec.kind === "json" ? "" : string(spec.schema.pattern);
  if (!pattern || compile(pattern)) return spec;
  return { ...spec, description: `${spec.description}\nThe server checks the format: ${pattern.slice(0, 200)}`.trim() };
}

/** JSON text, its syntax checked while it is typed. Where anything goes, plain text does too. @param {FieldSpec} spec @returns {Leaf} */
function jsonLeaf({ schema }) {
  const free = schema.type === undefined;
  const control = el("textarea.code", { rows: free ? 1 : 2, spellcheck: "false", placeholder: free ? "Text or JSON" : "JSON" });
  return {
    control,
    parse(shown) {
      if (!shown.trim()) return undefined;
      const problem = jsonProblem(shown) || inexactNumber(shown);
      if (!problem) return { value: parseJson(shown) };
      return free && !/^\s*[[{"]/.test(shown) ? { value: shown } : { problem };
    },
    show: (value) => { control.value = jsonText(value); },
  };
}

/**
 * @param {string} text
 * @returns {string} why the text is no JSON, with line and column where they are known; "" when it is
 */
export function jsonProblem(text) {
  try {
    JSON.parse(text);
    return "";
  } catch (/** @type {any} */ error) {
    const at = /position (\d+)/.exec(error.message)?.[1];
    const before = text.slice(0, Number(at)).split("\n");
    return `This is not valid JSON.${at ? ` Line ${before.length}, column ${before[before.length - 1].length + 1}.` : ""}`;
  }
}
