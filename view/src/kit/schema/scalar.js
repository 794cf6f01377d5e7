import { hasOwn, list } from "../plain.js";
import { typeOf } from "./resolve.js";
import { textKind } from "./text-kind.js";
/** @import { Plain } from "../plain.js" */
/** @import { FieldSpec, Shape } from "./describe.js" */

/** The values a schema lists, if it does. @param {Plain} schema @returns {any[] | undefined} */
export function constantsOf(schema) {
  const values = hasOwn(schema, "const") ? [schema.const] : list(schema.enum);
  return values.length ? values : undefined;
}

/**
 * The shape of a field for one value that holds no others.
 * @param {FieldSpec} spec @param {number} depth objects and lists around it
 * @returns {Shape}
 */
export function scalarShape(spec, depth) {
  const { schema, required, nullable } = spec;
  const values = constantsOf(schema);
  const isFixed = required && !nullable && values?.length === 1;
  // What has to be true is for the person to confirm; further inside it tells alternatives apart.
  if (isFixed && values[0] === true && depth < 2) return { kind: "boolean" };
  if (values) return { kind: isFixed ? "const" : "choice", values };
  switch (typeOf(schema)) {
    case "string":
      return { kind: textKind(spec) };
    case "integer":
    case "number":
      return { kind: "number" };
    case "boolean":
      return { kind: "boolean" };
  }
}
