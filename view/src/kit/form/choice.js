import { el, newId } from "../el.js";
import { list, same } from "../plain.js";
import { describe, errorLine, errorSetter, focusOn, frame, mark, tie } from "./field.js";
import { asText, leafField } from "./leaf.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field } from "./field.js" */

/** @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function choiceField(spec, look) {
  return selectField(spec, (spec.values ?? []).map((value) => [value, asText(value)]), look);
}

/** A boolean that may also be left out. @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] */
export function threeStateField(spec, look) {
  return selectField(spec, [[true, "Yes"], [false, "No"]], look);
}

/**
 * A select whose first option is "not set".
 * @param {FieldSpec} spec @param {[any, string][]} options value and words @param {{ hideLabel?: boolean }} [look]
 */
function selectField(spec, options, look) {
  const blank = el("option", { value: "" }, spec.required ? "Choose\u2026" : "Not set");
  const nodes = options.map(([value, words]) => el("option", { value: asText(value) || '""' }, words || "(empty)"));
  const control = el("select", null, blank, ...nodes);
  const parse = () => (control.selectedIndex < 1 ? undefined : { value: options[control.selectedIndex - 1][0] });
  const field = leafField(spec, control, { parse, format: asText }, look);
  const { write } = field;
  field.write = (value) => {
    write(value);
    const index = options.findIndex(([one]) => same(one, value));
    control.selectedIndex = index + 1;
  };
  return field;
}

/** A constant: shown, not asked for. @param {FieldSpec} spec */
export function constField(spec) {
  const [value] = spec.values ?? [];
  const control = el("input", { type: "text", readonly: true, "data-field": spec.name });
  control.value = asText(value);
  const { element, showError } = frame(spec, control);
  let sent = spec.required;
  /** @type {Field} */
  const field = {
    element, showError,
    read: () => (sent ? value : undefined),
    write: (given) => { sent = spec.required || given !== undefined; },
    focus: () => focusOn(control),
    locate: () => field,
    children: () => [],
  };
  return field;
}

/** A boolean that is sent when it is required, has a default or was touched. @param {FieldSpec} spec @param {{ hideLabel?: boolean }} [look] @returns {Field} */
export function checkboxField(spec, look) {
  const control = el("input", { type: "checkbox", "data-field": spec.name });
  const { element, showError } = frame({ ...spec, required: false }, control, { ...look, inline: true });
  let sent = spec.required;
  control.addEventListener("change", () => { sent = true; });
  /** @type {Field} */
  const field = {
    element, showError,
    read: () => (sent ? control.checked : undefined),
    write(value) {
      sent = spec.required || value !== undefined;
      control.checked = value === true;
    },
    focus: () => focusOn(control),
    locate: () => field,
    children: () => [],
  };
  return field;
}

/** A list out of fixed values: one checkbox each. @param {FieldSpec} spec @returns {Field} */
export function choicesField(spec) {
  const values = spec.values ?? [];
  const group = newId();
  const boxes = values.map((value) => el("input", { type: "checkbox", name: group, "data-field": spec.name, value: asText(value), id: newId() }));
  const labels = values.map((value, i) => el("div", { class: "inline" }, boxes[i], el("label", { for: boxes[i].id, dir: "auto" }, asText(value) || "(empty)")));
  const hint = describe(spec);
  const error = errorLine();
  const element = el("fieldset", { class: "field choices", "data-field": spec.name },
    el("legend", { class: "label", dir: "auto" }, spec.label, mark(spec)), el("div", { class: "boxes" }, labels), hint, error);
  tie(element, hint, error);
  let explicit = false;
  /** @type {Field} */
  const field = {
    element,
    showError: errorSetter(element, error),
    read() {
      const chosen = values.filter((_, i) => boxes[i].checked);
      if (chosen.length || (explicit && spec.required)) return chosen;
      return spec.required ? [] : undefined;
    },
    write(value) {
      explicit = value !== undefined;
      boxes.forEach((box, i) => { box.checked = list(value).some((one) => same(one, values[i])); });
    },
    focus: () => focusOn(boxes[0] ?? element),
    locate: () => field,
    children: () => [],
  };
  element.addEventListener("change", () => field.showError(""));
  return field;
}
