import { el } from "../el.js";
import { jsonText, lastOf, parseJson, string } from "../plain.js";
import { inexactNumber, parseNumber } from "../schema/number.js";
import { compile } from "../schema/pattern.js";
import { leafField } from "./leaf.js";
import { line, placeholder, unlessEmpty } from "./line.js";
import { momentLeaf } from "./moment.js";
/** @import { FieldSpec, Kind } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */
/** @import { Leaf } from "./leaf.js" */

export const SECRET = /^(password|passwd|secret|(api|access|auth)_?(key|token))$/i;

/** How each kind of text control is made. @type {Partial<Record<Kind, (spec: FieldSpec) => Leaf>>} */
const LEAVES = {
  text: (spec) => ({
    ...line(spec, SECRET.test(spec.key) || spec.schema.format === "password" ? "password" : "text"),
    parse: unlessEmpty,
  }),
  long: (spec) => ({ control: area(spec), parse: unlessEmpty }),
  number: (spec) => ({
    ...line(spec, "text"),
    parse: (shown) => (shown.trim() ? parseNumber(shown) : undefined),
  }),
  json: (spec) => jsonLeaf(spec),
};

/** A control to type in. @param {FieldSpec} spec @param {Look} look @returns {Field} */
export function typedField(spec, look) {
  const leaf = /** @type {any} */ (LEAVES[spec.kind] ?? momentLeaf)(spec);
  const field = leafField(withPatternHint(spec), look, leaf);
  if (spec.kind === "json")
    leaf.control.addEventListener("input", () =>
      field.showError(leaf.parse(leaf.control.value)?.problem ?? ""),
    );
  return field;
}

/** @param {FieldSpec} spec */
function area({ schema }) {
  return el("textarea", { rows: 2, spellcheck: "false", placeholder: placeholder(schema), dir: "auto" });
}

/** Says so when a pattern is checked by the server only. @param {FieldSpec} spec @returns {FieldSpec} */
function withPatternHint(spec) {
  const pattern = spec.kind === "json" ? "" : string(spec.schema.pattern);
  if (!pattern || compile(pattern)) return spec;
  return {
    ...spec,
    description: `${spec.description}\nThe server checks the format: ${pattern.slice(0, 200)}`.trim(),
  };
}

/** JSON text, its syntax checked while it is typed. Where anything goes, plain text does too. @param {FieldSpec} spec @returns {Leaf} */
function jsonLeaf({ schema }) {
  const free = schema.type === undefined;
  const control = el("textarea.code", {
    rows: free ? 1 : 2,
    spellcheck: "false",
    placeholder: free ? "Text or JSON" : "JSON",
  });
  return {
    control,
    parse(shown) {
      if (!shown.trim()) return undefined;
      const problem = jsonProblem(shown) || inexactNumber(shown);
      if (!problem) return { value: parseJson(shown) };
      return free && !/^\s*[[{"]/.test(shown) ? { value: shown } : { problem };
    },
    show: (value) => {
      control.value = jsonText(value);
    },
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
    return `This is not valid JSON.${at ? ` Line ${before.length}, column ${lastOf(before).length + 1}.` : ""}`;
  }
}
