import { entriesOf, list, plain } from "../../kit/plain.js";
import { blankSpec } from "../../kit/schema/blank.js";
import { scalarShape } from "../../kit/schema/scalar.js";
import { check } from "./check.js";
import { resolve, typeOf } from "./resolve.js";
/** @import { FieldSpec, Place } from "../../kit/schema/describe.js" */

/**
 * Describes the form of an argument object whose members hold no objects.
 * @param {unknown} root the input schema
 * @returns {FieldSpec} a group, or "json" when the schema is no object
 */
export function describeArguments(root) {
  const spec = describe(root, { key: "", name: "", required: true });
  const { properties, required } = spec.schema;
  if (typeOf(spec.schema) !== "object") return spec;
  const needed = new Set(list(required));
  const members = entriesOf(plain(properties)).filter(([, one]) => one !== false);
  const fields = members.map(([key, one]) =>
    describe(one, { key, name: key, required: needed.has(key), label: key ? undefined : "(no name)" }),
  );
  return { ...spec, kind: "group", fields: fields.map((one) => Object.assign(one, scalarShape(one, 1))) };
}

/** No member is a group. */
export function isEnvelope() {
  return false;
}

/** @param {unknown} raw @param {Pick<Place, "key" | "name" | "required" | "label">} place */
function describe(raw, place) {
  const { schema, nullable } = resolve(raw);
  return blankSpec(schema, nullable, place, (value) => check(value, raw));
}
