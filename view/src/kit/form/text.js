import { el } from "../el.js";
import { list, string } from "../plain.js";
import { parseNumber } from "../schema/number.js";
import { safePattern } from "../schema/pattern.js";
import { asText, leafField } from "./leaf.js";
/** @import { FieldSpec } from "../schema/describe.js" */

const INPUT_MODES = new Map([["email", "email"], ["uri", "url"], ["url", "url"], ["uri-reference", "url"]]);
const SECRET = /^(password|passwd|secret|api_?key|access_?token|auth_?token)$/i;

/** @param {string} shown */
const parseText = (shown) => (shown === "" ? undefined : { value: shown });

/** @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function textField(spec, look) {
  const { format } = spec.schema;
  const secret = format === "password" || SECRET.test(spec.key);
  const control = el("input", {
    type: secret ? "password" : "text",
    inputmode: INPUT_MODES.get(format),
    autocomplete: secret ? "new-password" : "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: placeholder(spec),
    dir: "auto",
  });
  return leafField(withPatternHint(spec), control, { parse: parseText, format: asText }, look);
}

/** @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function longTextField(spec, look) {
  const control = el("textarea", { rows: 2, spellcheck: "false", placeholder: placeholder(spec), dir: "auto" });
  return leafField(withPatternHint(spec), control, { parse: parseText, format: asText }, look);
}

/** @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function numberField(spec, look) {
  const whole = spec.schema.type === "integer";
  const control = el("input", {
    type: "text",
    inputmode: whole && spec.schema.minimum >= 0 ? "numeric" : "decimal",
    autocomplete: "off",
    placeholder: placeholder(spec) ?? range(spec),
  });
  return leafField(spec, control, { parse: (shown) => (shown.trim() === "" ? undefined : parseNumber(shown)), format: asText }, look);
}

/** @param {FieldSpec} spec @returns {string | undefined} */
function placeholder({ schema }) {
  const example = list(schema.examples)[0] ?? schema.example;
  return example === undefined || example === null || typeof example === "object" ? undefined : `e.g. ${asText(example).slice(0, 120)}`;
}

/** @param {FieldSpec} spec @returns {string | undefined} */
function range({ schema: { minimum, maximum } }) {
  if (typeof minimum === "number" && typeof maximum === "number") return `${minimum} \u2013 ${maximum}`;
  return undefined;
}

/** Says so when a pattern is checked by the server only. @param {FieldSpec} spec @returns {FieldSpec} */
function withPatternHint(spec) {
  const pattern = string(spec.schema.pattern);
  if (!pattern || safePattern(pattern)) return spec;
  const note = `The server checks the format: ${pattern.slice(0, 200)}`;
  return { ...spec, description: spec.description ? `${spec.description}\n${note}` : note };
}
