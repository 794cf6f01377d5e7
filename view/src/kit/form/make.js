import { typedField } from "./controls.js";
import { MAKERS } from "./makers.js";
import { needsNullBox, withNull } from "./null.js";
import { takePastes } from "./spread.js";
/** @import { FieldSpec } from "../schema/describe.js" */
/** @import { Field, Look } from "./field.js" */

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
  takePastes(field, spec.name);
  return field;
}

/** What a field begins with, undefined for nothing. @param {FieldSpec} spec */
export function presetOf({ preset, required }) {
  return preset === "" && !required ? undefined : preset;
}
