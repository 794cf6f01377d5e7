import { asText } from "../plain.js";
import { makeFrame } from "./field.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/**
 * @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control
 * @typedef {{ value: any } | { problem: string } | undefined} Parsed undefined leaves the value out
 *
 * @typedef {object} Leaf a control, and how it holds a value
 * @property {Control} control
 * @property {(shown: string) => Parsed} parse
 * @property {(value: any) => void} [show] any value but undefined and null
 */

/**
 * A field with one control. A value that was written and not touched since is read back
 * exactly as it came, whatever the control makes of it (null, "", fractions of seconds).
 * @param {FieldSpec} spec
 * @param {Look} look
 * @param {Leaf} leaf
 * @returns {Field}
 */
export function leafField(spec, look, { control, parse, show = (value) => { control.value = asText(value); } }) {
  const mandatory = spec.required && spec.key;
  if (mandatory) control.ariaRequired = "true";
  /** @type {{ shown: string, value: any } | undefined} */
  let given;
  const field = makeFrame(spec, look, control, {
    read(problems) {
      const shown = control.value;
      if (given?.shown === shown) return given.value;
      const parsed = control.validity?.badInput ? { problem: "This is not complete." } : parse(shown);
      if (!parsed) return spec.nullable && mandatory ? null : undefined;
      if ("value" in parsed) return parsed.value;
      problems.push({ field, message: parsed.problem });
    },
    write(value) {
      control.value = "";
      if (value !== undefined && value !== null) show(value);
      given = value === undefined ? undefined : { shown: control.value, value };
      field.showError("");
    },
  });
  return field;
}
