import { booleanField, choiceField, choicesField, constField } from "./choice.js";
import { typedField } from "./controls.js";
import { groupField } from "./group.js";
import { listField, mapField } from "./rows.js";
import { variantsField } from "./variants.js";
/** @import { FieldSpec, Kind } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/** What is not typed into one control. @type {Partial<Record<Kind, (spec: FieldSpec, look: Look) => Field>>} */
const MAKERS = {
  boolean: booleanField, choice: choiceField, choices: choicesField, const: constField,
  group: groupField, list: listField, map: mapField, variants: variantsField,
};

/** Every field by its element. @type {WeakMap<Element, Field>} */
export const fieldOf = new WeakMap();

/**
 * The field for a description, its default written into it.
 * @param {FieldSpec} spec
 * @param {Look} [look]
 * @returns {Field}
 */
export function makeField(spec, look = {}) {
  const field = (MAKERS[spec.kind] ?? typedField)(spec, look);
  const { preset } = spec;
  if (preset !== undefined && (preset !== "" || spec.required)) field.write(preset);
  fieldOf.set(field.element, field);
  if (field.accepts) markPasteTarget(field.element, spec.name);
  return field;
}

/** Names the control that takes pasted JSON for a whole group or list. @param {HTMLElement} element @param {string} [name] */
export function markPasteTarget(element, name) {
  if (name) element.querySelector(":is(input[type=text], textarea:not(.code)):not([data-name], .key)")?.setAttribute("data-name", name);
}
