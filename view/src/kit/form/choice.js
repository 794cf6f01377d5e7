import { el, newId } from "../el.js";
import { asText, isArray, list, same } from "../plain.js";
import { makeFrame } from "./field.js";
import { leafField } from "./leaf.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/** @param {FieldSpec} spec @param {Look} look */
export function choiceField(spec, look) {
  return selectField(spec, look, (spec.values ?? []).map((value) => [value, words(value)]));
}

/** An optional boolean without default has a third state: not sent. @param {FieldSpec} spec @param {Look} look */
export function booleanField(spec, look) {
  const two = typeof spec.preset === "boolean" || (spec.required && !spec.nullable);
  return two ? checkboxField(spec, look) : selectField(spec, look, [[true, "Yes"], [false, "No"]]);
}

/**
 * A select whose first option is "not set".
 * @param {FieldSpec} spec @param {Look} look @param {[any, string][]} options value and words
 */
function selectField(spec, look, options) {
  const blank = el("option", { value: "" }, spec.required ? "Choose\u2026" : "Not set");
  const control = el("select", blank, options.map(([value, text]) => el("option", { value: asText(value) || '""' }, text)));
  return leafField(spec, look, {
    control,
    parse: () => (control.selectedIndex < 1 ? undefined : { value: options[control.selectedIndex - 1][0] }),
    show: (value) => { control.selectedIndex = 1 + options.findIndex(([one]) => same(one, value)); },
  });
}

/** @param {any} value */
function words(value) {
  return asText(value) || "(empty)";
}

/** A constant: shown, not asked for. @param {FieldSpec} spec @param {Look} look */
export function constField(spec, look) {
  const [value] = spec.values ?? [];
  const control = el("input", { type: "text", readonly: true, value: asText(value) });
  return makeFrame(spec, look, control, { read: () => value, write() {} });
}

/** A boolean that is sent when it is required, has a default or was touched. @param {FieldSpec} spec @param {Look} look */
function checkboxField(spec, look) {
  const control = el("input", { type: "checkbox", onchange: () => { sent = true; } });
  let sent = spec.required;
  return makeFrame({ ...spec, required: false }, { ...look, inline: true }, control, {
    read: () => (sent ? control.checked : undefined),
    write(value) {
      sent = spec.required || value !== undefined;
      control.checked = value === true;
    },
  });
}

/** A list out of fixed values: one checkbox each. @param {FieldSpec} spec @param {Look} look */
export function choicesField(spec, look) {
  const values = spec.values ?? [];
  const group = newId();
  const boxes = values.map((value) => el("input", { type: "checkbox", name: group, "data-field": spec.name, value: asText(value), id: newId() }));
  const labels = values.map((value, i) => el("div.inline", boxes[i], el("label", { for: boxes[i].id }, words(value))));
  let explicit = false;
  return makeFrame(spec, look, [el("div.boxes", labels)], {
    read() {
      const chosen = values.filter((_, i) => boxes[i].checked);
      return chosen.length || spec.required || explicit ? chosen : undefined;
    },
    write(value) {
      explicit = isArray(value) && !value.length;
      boxes.forEach((box, i) => { box.checked = list(value).some((one) => same(one, values[i])); });
    },
  });
}
