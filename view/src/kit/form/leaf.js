import { focusOn, frame } from "./field.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field } from "./field.js" */

/**
 * @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control
 * @typedef {object} Codec
 * @property {(shown: string) => { value: any } | { problem: string } | undefined} parse undefined leaves the value out
 * @property {(value: any) => string} format
 */

/**
 * A field with one control. A value that was written and not touched since is read back
 * exactly as it came, whatever the control makes of it (null, "", fractions of seconds).
 * @param {FieldSpec} spec
 * @param {Control} control
 * @param {Codec} codec
 * @param {{ hideLabel?: boolean }} [look]
 * @returns {Field}
 */
export function leafField(spec, control, codec, look) {
  control.dataset.field = spec.name;
  if (spec.required && spec.key) control.setAttribute("aria-required", "true");
  const { element, showError } = frame(spec, control, look);
  /** @type {{ shown: string, value: any } | undefined} */
  let given;
  control.addEventListener("input", () => showError(""));

  /** @type {Field} */
  const field = {
    element,
    showError,
    read(problems) {
      if (given && control.value === given.shown) return given.value;
      const parsed = codec.parse(control.value);
      if (!parsed) return spec.nullable && spec.required && spec.key ? null : undefined;
      if ("value" in parsed) return parsed.value;
      problems.push({ field, message: parsed.problem });
      return undefined;
    },
    write(value) {
      control.value = value === undefined || value === null ? "" : codec.format(value);
      given = value === undefined ? undefined : { shown: control.value, value };
      showError("");
    },
    focus: () => focusOn(control),
    locate: () => field,
    children: () => [],
  };
  return field;
}

/** Any value as one line of text. @param {any} value */
export function asText(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
