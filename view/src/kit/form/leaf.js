import { el } from "../el.js";
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
 * @property {HTMLElement} [beside] what belongs to the control, behind it
 */

/**
 * A field with one control. A value that was written and not touched since is read back
 * exactly as it came, whatever the control makes of it (null, "", fractions of seconds).
 * @param {FieldSpec} spec
 * @param {Look} look
 * @param {Leaf} leaf
 * @returns {Field}
 */
export function leafField(
  spec,
  look,
  {
    control,
    parse,
    show = (value) => {
      control.value = asText(value);
    },
    beside,
  },
) {
  const mandatory = spec.required && spec.key;
  if (mandatory) control.ariaRequired = "true";
  else if (spec.schema.readOnly === true) lock(control);
  /** @type {{ value: any } | undefined} */
  let given;
  control.addEventListener("input", () => {
    given = undefined;
  });
  const field = makeFrame(spec, look, control, {
    read(problems) {
      if (given) return given.value;
      const parsed = control.validity?.badInput ? { problem: "This is not complete." } : parse(control.value);
      if (!parsed) return spec.nullable && mandatory ? null : undefined;
      if ("value" in parsed) return parsed.value;
      problems.push({ field, message: parsed.problem });
    },
    write(value) {
      const kept = value !== undefined && (value !== null || spec.nullable || spec.kind === "json");
      control.value = "";
      if (kept && (value !== null || spec.kind === "json")) show(value);
      given = kept ? { value } : undefined;
      field.showError("");
    },
  });
  if (beside) {
    const both = el("div.with");
    control.replaceWith(both);
    both.append(control, beside);
  }
  return field;
}

/** @param {any} control */
function lock(control) {
  if ("readOnly" in control) control.readOnly = true;
  else control.disabled = true;
}
