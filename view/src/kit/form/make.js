import { checkboxField, choiceField, choicesField, constField, threeStateField } from "./choice.js";
import { groupField } from "./group.js";
import { jsonField } from "./json.js";
import { dateField, dateTimeField, timeField } from "./moment.js";
import { listField, mapField } from "./rows.js";
import { longTextField, numberField, textField } from "./text.js";
import { variantsField } from "./variants.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field } from "./field.js" */

/** @type {Record<import("../schema/describe.js").Kind, (spec: FieldSpec, look?: any) => Field>} */
const MAKERS = {
  text: textField, long: longTextField, number: numberField, boolean: booleanField, choice: choiceField, choices: choicesField,
  const: constField, date: dateField, "date-time": dateTimeField, time: timeField, list: listField, group: groupField,
  map: mapField, variants: variantsField, json: jsonField,
};

/**
 * The field for a description, its default written into it.
 * @param {FieldSpec} spec
 * @param {{ hideLabel?: boolean, flat?: boolean }} [look]
 * @returns {Field}
 */
export function makeField(spec, look) {
  const field = MAKERS[spec.kind](spec, look);
  const preset = spec.preset === "" && !spec.required ? undefined : spec.preset;
  if (preset !== undefined) field.write(preset);
  fieldOf.set(field.element, field);
  if (field.accepts && spec.name) markPasteTarget(field.element, spec.name);
  return field;
}

/** Names the control that takes pasted JSON for a whole group or list. @param {HTMLElement} element @param {string} name */
export function markPasteTarget(element, name) {
  const free = element.querySelector(":is(input[type=text], textarea:not(.code)):not([data-name], .key)");
  free?.setAttribute("data-name", name);
}

/** Every field by its element. @type {WeakMap<Element, Field>} */
export const fieldOf = new WeakMap();

/** An optional boolean without default has a third state: not sent. @param {FieldSpec} spec @param {any} look */
function booleanField(spec, look) {
  const two = typeof spec.preset === "boolean" || (spec.required && !spec.nullable);
  return two ? checkboxField(spec, look) : threeStateField(spec, look);
}
