import { anyField } from "./any.js";
import { booleanField, choiceField, constField } from "./choice.js";
import { choicesField } from "./choices.js";
import { typedField } from "./controls.js";
import { groupField } from "./group.js";
import { listField } from "./list.js";
import { mapField } from "./map.js";
import { needsNullBox, withNull } from "./null.js";
import { tupleField } from "./tuple.js";
import { variantsField } from "./variants.js";
/** @import { FieldSpec, Kind } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

/** What is not typed into one control. @type {Partial<Record<Kind, (spec: FieldSpec, look: Look) => Field>>} */
const MAKERS = {
  any: anyField, boolean: booleanField, choice: choiceField, choices: choicesField, const: constField,
  group: groupField, list: listField, map: mapField, tuple: tupleField, variants: variantsField,
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
  const made = (MAKERS[spec.kind] ?? typedField)(spec, look);
  const field = needsNullBox(spec) ? withNull(spec, made) : made;
  const preset = presetOf(spec);
  field.reset = () => field.write(preset);
  if (preset !== undefined) field.reset();
  fieldOf.set(field.element, field);
  if (field.accepts) markPasteTarget(field.element, spec.name);
  return field;
}

/** What a field begins with, undefined for nothing. @param {FieldSpec} spec */
export function presetOf({ preset, required }) {
  return preset === "" && !required ? undefined : preset;
}

/**
 * Names the control that takes pasted JSON for a whole group or list: one that has no such name yet, if there is one.
 * @param {HTMLElement} element @param {string} [name] @param {boolean} [anew] the first one, whether it has a name or not
 */
export function markPasteTarget(element, name, anew) {
  // An object in a JSON box is its own; a list is for the list around it.
  const boxes = element.matches(".list") ? "textarea" : "textarea:not(.code)";
  const find = (/** @type {string} */ not) => element.querySelector(`:is(input[type=text], textarea:not(.code))${not}`) ?? element.querySelector(boxes + not);
  if (name) ((!anew && find(":not([data-name], .key, [readonly])")) || find(":not(.key, [readonly])"))?.setAttribute("data-name", name);
}
