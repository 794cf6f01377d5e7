import { el } from "../el.js";
import { parseJson } from "../plain.js";
import { leafField } from "./leaf.js";
/** @import { FieldSpec } from "../schema/describe.js" */

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
    const before = text.slice(0, Number(at ?? 0)).split("\n");
    const place = at ? ` Line ${before.length}, column ${before[before.length - 1].length + 1}.` : "";
    return `This is not valid JSON.${place}`;
  }
}

/** JSON text, its syntax checked while it is typed. @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function jsonField(spec, look) {
  const free = spec.schema.type === undefined;
  const control = el("textarea", { class: "code", rows: free ? 1 : 2, spellcheck: "false", placeholder: free ? "Text or JSON" : "JSON" });
  const parse = (/** @type {string} */ shown) => {
    if (!shown.trim()) return undefined;
    const problem = jsonProblem(shown);
    if (!problem) return { value: parseJson(shown) };
    return free && !/^\s*[[{"]/.test(shown) ? { value: shown } : { problem };
  };
  const field = leafField(spec, control, { parse, format: (value) => formatJson(value) }, look);
  control.addEventListener("input", () => {
    const parsed = parse(control.value);
    field.showError(parsed && "problem" in parsed ? parsed.problem ?? "" : "");
  });
  return field;
}

/** @param {any} value */
function formatJson(value) {
  return JSON.stringify(value, null, 2);
}
