import { nameWords } from "../format.js";
import { string } from "../plain.js";
/** @import { Plain } from "../plain.js" */
/** @import { FieldSpec, Place } from "./describe.js" */

/**
 * The description of a field before its shape is known: JSON text.
 * @param {Plain} schema resolved @param {boolean} nullable @param {Pick<Place, "key" | "name" | "required" | "label">} place @param {FieldSpec["issues"]} issues
 * @returns {FieldSpec}
 */
export function blankSpec(
  schema,
  nullable,
  { key, name, required, label = string(schema.title).trim() || nameWords(key) },
  issues,
) {
  const preset = schema.readOnly === true ? undefined : (schema.default ?? undefined);
  const notes = [
    schema.deprecated === true && "Deprecated.",
    schema.readOnly === true && "Read-only.",
    string(schema.description).trim(),
  ];
  return {
    kind: "json",
    name,
    key,
    label,
    required,
    nullable,
    schema,
    issues,
    description: notes.filter(Boolean).join(" "),
    preset: preset !== undefined && issues(preset).every((one) => one.missing) ? preset : undefined,
  };
}
