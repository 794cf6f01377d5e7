import { el } from "../el.js";
import { asText, isBoolean, same, string } from "../plain.js";
import { comboboxField } from "./combobox.js";
import { makeFrame } from "./field.js";
import { leafField } from "./leaf.js";
import { offersNull } from "./null.js";
import { FEW } from "./search.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/** @typedef {[value: any, words: string]} Option */

/** @param {FieldSpec} spec @param {Look} look */
export function choiceField(spec, look) {
  const options = optionsOf(spec);
  return options.length > FEW ? comboboxField(spec, look, options) : selectField(spec, look, options);
}

/** The values with the words for them. @param {FieldSpec} spec @returns {Option[]} */
export function optionsOf({ values = [], schema }) {
  return values.map((value, i) => [
    value,
    string(schema.enumNames?.[i]).trim() || asText(value) || "(empty)",
  ]);
}

/** An optional boolean without default has a third state: not sent. @param {FieldSpec} spec @param {Look} look */
export function booleanField(spec, look) {
  const two = (isBoolean(spec.preset) || spec.required) && !spec.nullable;
  return two
    ? checkboxField(spec, look)
    : selectField(spec, look, [
        [true, "Yes"],
        [false, "No"],
      ]);
}

/**
 * A select whose first option is "not set".
 * @param {FieldSpec} spec @param {Look} look @param {Option[]} given
 */
function selectField(spec, look, given) {
  const options = offersNull(spec) ? [...given, /** @type {Option} */ ([null, "null"])] : given;
  const blank = el(
    "option",
    { value: "" },
    !spec.required ? "Not set" : spec.nullable ? "None" : "Choose\u2026",
  );
  const control = el(
    "select",
    blank,
    options.map(([value, text]) => el("option", { value: asText(value) || '""' }, text)),
  );
  const select = (/** @type {any} */ value) => {
    control.selectedIndex = 1 + options.findIndex(([one]) => same(one, value));
  };
  const field = leafField(spec, look, {
    control,
    parse: () => (control.selectedIndex < 1 ? undefined : { value: options[control.selectedIndex - 1][0] }),
    show: select,
  });
  const { write } = field;
  field.write = (value) => {
    write(value);
    if (value === null) select(value);
  };
  return field;
}

/** A constant: shown, with nothing else to choose. @param {FieldSpec} spec @param {Look} look */
export function constField(spec, look) {
  const [[value, text]] = optionsOf(spec);
  const control = el("select", el("option", { value: asText(value) }, text));
  return makeFrame(spec, look, control, { read: () => value, write() {} });
}

/** A boolean that is sent when it is required, has a default or was touched. @param {FieldSpec} spec @param {Look} look */
function checkboxField(spec, look) {
  const control = el("input", {
    type: "checkbox",
    onchange: () => {
      sent = true;
    },
  });
  let sent = spec.required;
  return makeFrame({ ...spec, required: false }, { ...look, inline: true }, control, {
    read: () => (sent ? control.checked : undefined),
    write(value) {
      sent = spec.required || value !== undefined;
      control.checked = value === true;
    },
  });
}
