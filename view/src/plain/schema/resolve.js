import { isArray, list, plain, string } from "../../kit/plain.js";
/** @import { Plain } from "../../kit/plain.js" */
/** @import { Resolved } from "../../kit/schema/resolve.js" */

/**
 * The schema without null: one type, or the first of two alternatives, with what is said beside them.
 * @param {unknown} raw
 * @returns {Resolved}
 */
export function resolve(raw) {
  const { anyOf, ...rest } = plain(raw);
  const option = optionOf(anyOf);
  const schema = { ...option, ...rest };
  const types = list(schema.type);
  const [type, more] = types.filter((one) => one !== "null");
  const nullable = !!option || types.includes("null") || list(schema.enum).includes(null);
  if (types.length) schema.type = more ? undefined : type;
  if (isArray(schema.enum)) schema.enum = schema.enum.filter((value) => value !== null);
  return { schema, nullable, variants: [] };
}

/** The one alternative beside null. @param {unknown} anyOf @returns {Plain | undefined} */
export function optionOf(anyOf) {
  const [option, none] = list(anyOf);
  return plain(none).type === "null" ? plain(option) : undefined;
}

/** @param {Plain} schema a resolved schema @returns {string | undefined} */
export function typeOf({ type, properties }) {
  return string(type) || (properties && "object");
}
