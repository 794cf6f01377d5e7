import { isPlain, list, own, plain } from "../plain.js";
/** @import { Plain } from "../plain.js" */

const MAX_HOPS = 16;
const SCALARS = new Set(["string", "number", "integer", "boolean"]);

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
  for (const part of ref.slice(1).split("/").slice(1)) {
    if (here === null || typeof here !== "object") return undefined;
    here = own(here, unescapePointer(part));
  }
  return here;
}

/** @param {string} part */
function unescapePointer(part) {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // A stray % is a plain character then.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * One plain schema out of references, `allOf` and nullable forms.
 * @param {unknown} schema
 * @param {unknown} root
 * @returns {Resolved}
 */
export function resolve(schema, root) {
  const flat = splitTypes(flatten(schema, root, 0));
  const { anyOf, oneOf, ...rest } = flat;
  const all = [...list(anyOf), ...(anyOf ? [] : list(oneOf))].map((one) => flatten(one, root, 0));
  const real = all.filter((one) => one.type !== "null" && one.const !== null);
  const nullable = real.length < all.length || list(flat.type).includes("null") || list(flat.enum).includes(null);
  if (real.length === 1) {
    const inner = resolve({ ...real[0], ...rest }, root);
    return { ...inner, nullable: nullable || inner.nullable };
  }
  const choice = asEnum(real);
  if (choice) return { schema: { ...rest, enum: choice }, nullable, variants: [] };
  return { schema: withoutNull(rest), nullable, variants: real };
}

/** @param {unknown} schema @param {unknown} root @param {number} hops @returns {Plain} */
function flatten(schema, root, hops) {
  if (!isPlain(schema)) return {};
  if (hops > MAX_HOPS) return {};
  if (typeof schema.$ref === "string") {
    const { $ref, ...rest } = schema;
    return flatten({ ...plain(lookUp(root, $ref)), ...rest }, root, hops + 1);
  }
  if (!list(schema.allOf).length) return schema;
  const { allOf, ...rest } = schema;
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
  const types = list(schema.type).filter((type) => type !== "null");
  if (types.length < 2 || schema.anyOf || schema.oneOf || schema.enum) return schema;
  const { type, title, description, default: preset, ...rest } = schema;
  const shared = { title, description, ...(preset === undefined ? {} : { default: preset }) };
  const branches = types.map((one) => ({ ...rest, type: one }));
  return { ...shared, anyOf: list(type).includes("null") ? [...branches, { type: "null" }] : branches };
}

/** Alternatives which are constants only. @param {Plain[]} variants @returns {any[] | undefined} */
function asEnum(variants) {
  if (variants.length < 2) return undefined;
  const values = variants.map((one) => (Object.hasOwn(one, "const") ? [one.const] : list(one.enum)));
  const flat = values.flat().filter((value) => value !== null);
  const scalar = flat.every((value) => SCALARS.has(typeof value));
  return scalar && values.every((some) => some.length) ? flat : undefined;
}

/** @param {Plain} schema @returns {Plain} */
function withoutNull(schema) {
  const out = { ...schema };
  if (Array.isArray(out.type)) out.type = out.type.find((type) => type !== "null");
  if (Array.isArray(out.enum)) out.enum = out.enum.filter((value) => value !== null);
  return out;
}

/**
 * @param {Plain} schema a resolved schema
 * @returns {string | undefined} its type, also when only its keywords tell
 */
export function typeOf(schema) {
  if (typeof schema.type === "string") return schema.type;
  const sample = Object.hasOwn(schema, "const") ? schema.const : list(schema.enum)[0];
  if (SCALARS.has(typeof sample)) return typeof sample;
  if (isPlain(schema.properties)) return "object";
  if (isPlain(schema.items)) return "array";
  if (["pattern", "format", "minLength", "maxLength"].some((key) => key in schema)) return "string";
  if (["minimum", "maximum", "multipleOf"].some((key) => key in schema)) return "number";
  return undefined;
}
