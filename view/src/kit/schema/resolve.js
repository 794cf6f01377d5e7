import { hasOwn, isArray, isBranch, isPlain, isString, list, own, plain } from "../plain.js";
/** @import { Plain } from "../plain.js" */

const MAX_HOPS = 16;
const SCALARS = ["string", "number", "integer", "boolean"];

/**
 * @typedef {object} Resolved
 * @property {Plain} schema one schema without `$ref`, `allOf` or null alternatives
 * @property {boolean} nullable whether null is a value too
 * @property {Plain[]} variants alternatives which are left; none or at least two
 */

/**
 * What a local `$ref` points at.
 * @param {unknown} root the whole schema document
 * @param {string} ref
 * @returns {unknown} undefined when it points nowhere
 */
export function lookUp(root, ref) {
  if (!ref.startsWith("#")) return undefined;
  /** @type {any} */
  let here = root;
  for (const part of ref.split("/").slice(1)) here = isBranch(here) ? own(here, unescapePointer(part)) : undefined;
  return here;
}

/** @param {string} part */
function unescapePointer(part) {
  try {
    part = decodeURIComponent(part);
  } catch {
    // A stray % is a plain character then.
  }
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * One plain schema out of references, `allOf` and nullable forms.
 * @param {unknown} raw
 * @param {unknown} root
 * @returns {Resolved}
 */
export function resolve(raw, root) {
  const { anyOf, oneOf, ...schema } = splitTypes(flatten(raw, root, 0));
  const all = list(anyOf ?? oneOf).map((one) => flatten(one, root, 0));
  const variants = all.filter((one) => one.type !== "null" && one.const !== null);
  const nullable = variants.length < all.length || list(schema.type).includes("null") || list(schema.enum).includes(null);
  if (variants.length === 1) {
    const inner = resolve({ ...variants[0], ...schema }, root);
    return { ...inner, nullable: nullable || inner.nullable };
  }
  const values = asEnum(variants);
  if (values) return { schema: { ...schema, enum: values }, nullable, variants: [] };
  if (isArray(schema.type)) schema.type = schema.type.find((type) => type !== "null");
  if (isArray(schema.enum)) schema.enum = schema.enum.filter((value) => value !== null);
  return { schema, nullable, variants };
}

/** @param {unknown} schema @param {unknown} root @param {number} hops @returns {Plain} */
function flatten(schema, root, hops) {
  if (!isPlain(schema) || hops > MAX_HOPS) return {};
  const { $ref, allOf, ...rest } = schema;
  if (isString($ref)) return flatten({ ...plain(lookUp(root, $ref)), ...rest, ...(allOf && { allOf }) }, root, hops + 1);
  return list(allOf).map((one) => flatten(one, root, hops + 1)).reduceRight((sum, one) => merge(one, sum), rest);
}

/** @param {Plain} base @param {Plain} over @returns {Plain} */
function merge(base, over) {
  const merged = { ...base, ...over };
  if (base.properties && over.properties) merged.properties = { ...plain(base.properties), ...plain(over.properties) };
  if (base.required && over.required) merged.required = [...new Set([...list(base.required), ...list(over.required)])];
  return merged;
}

/** A list of several types becomes alternatives. @param {Plain} schema @returns {Plain} */
function splitTypes(schema) {
  const types = list(schema.type);
  if (types.filter((type) => type !== "null").length < 2 || schema.anyOf || schema.oneOf || schema.enum) return schema;
  const { title, description, default: preset, ...rest } = schema;
  return {
    ...(title && { title }), ...(description && { description }), ...(preset !== undefined && { default: preset }),
    anyOf: types.map((type) => (type === "null" ? { type } : { ...rest, type })),
  };
}

/** Alternatives which are constants only. @param {Plain[]} variants @returns {any[] | undefined} */
function asEnum(variants) {
  if (!variants.length) return undefined;
  const values = variants.map((one) => (hasOwn(one, "const") ? [one.const] : list(one.enum)));
  const flat = values.flat().filter((value) => value !== null);
  return values.every((some) => some.length) && !flat.some(isBranch) ? flat : undefined;
}

/**
 * @param {Plain} schema a resolved schema
 * @returns {string | undefined} its type, also when only its keywords tell
 */
export function typeOf(schema) {
  if (isString(schema.type)) return schema.type;
  const sample = hasOwn(schema, "const") ? schema.const : list(schema.enum)[0];
  if (SCALARS.includes(typeof sample)) return typeof sample;
  if (isPlain(schema.properties)) return "object";
  if (isPlain(schema.items)) return "array";
  const has = (/** @type {string[]} */ ...keywords) => keywords.some((one) => one in schema);
  if (has("pattern", "format", "minLength", "maxLength")) return "string";
  return has("minimum", "maximum", "multipleOf") ? "number" : undefined;
}
