import { hasOwn, isArray, isBranch, isPlain, isString, list, own, plain, valuesOf } from "../plain.js";
import { merge } from "./merge.js";
import { lookUp } from "./reference.js";
/** @import { Plain } from "../plain.js" */

/** So many parts are made into one schema; what is there again says nothing new. */
const MAX_PARTS = 500;
const MAX_CONDITIONS = 40;
const SCALARS = ["string", "number", "integer", "boolean"];

/** What an alternative must have to be drawn as one: without, it only limits what is drawn anyway. */
const DRAWN = ["properties", "items", "prefixItems", "enum", "const", "anyOf", "oneOf"];

/**
 * @typedef {object} Resolved
 * @property {Plain} schema one schema without `$ref`, `allOf` or null alternatives
 * @property {boolean} nullable whether null is a value too
 * @property {Plain[]} variants alternatives which are left; none or at least two
 */

/**
 * One plain schema out of references, `allOf`, conditions and nullable forms.
 * @param {unknown} raw
 * @param {unknown} root
 * @returns {Resolved}
 */
export function resolve(raw, root) {
  const { anyOf, oneOf, ...schema } = splitTypes(withConditional(raw, root));
  const sets = [anyOf, oneOf].map((some) => list(some).map((one) => flatten(one, root)));
  const all = sets.find((some) => some.length && !some.every((one) => onlyLimits(one, schema))) ?? [];
  const variants = all.filter((one) => one.type !== "null" && one.const !== null);
  const nullable =
    variants.length < all.length || list(schema.type).includes("null") || list(schema.enum).includes(null);
  if (variants.length === 1) {
    const inner = resolve(merge(variants[0], schema), root);
    return { ...inner, nullable: nullable || inner.nullable };
  }
  const values = asEnum(variants);
  if (values) return { schema: { ...schema, ...values }, nullable, variants: [] };
  if (isArray(schema.type)) schema.type = schema.type.find((type) => type !== "null");
  if (isArray(schema.enum)) schema.enum = schema.enum.filter((value) => value !== null);
  return { schema, nullable, variants };
}

/**
 * @param {unknown} schema @param {unknown} root @param {Set<unknown>} [seen] parts that are in it already
 * @param {unknown[]} [conditional] takes up the schemas that hold under a condition only
 * @returns {Plain}
 */
function flatten(schema, root, seen = new Set(), conditional = []) {
  if (!isPlain(schema) || seen.has(schema) || seen.add(schema).size > MAX_PARTS) return {};
  const { $ref, allOf, ...rest } = schema;
  if (conditional.length < MAX_CONDITIONS) {
    conditional.push(
      ...[
        rest.then,
        rest.else,
        ...valuesOf({ ...plain(rest.dependentSchemas), ...plain(rest.dependencies) }),
      ].filter(isPlain),
    );
  }
  const parts = [...(isString($ref) ? [lookUp(root, $ref)] : []), ...list(allOf)];
  return parts
    .map((one) => flatten(one, root, seen, conditional))
    .reduceRight((sum, one) => merge(one, sum), rest);
}

/** Properties which only a condition speaks of are asked for too. @param {unknown} raw @param {unknown} root */
function withConditional(raw, root) {
  /** @type {unknown[]} */
  const conditional = [];
  const seen = new Set();
  const schema = flatten(raw, root, seen, conditional);
  for (const one of conditional) {
    const { properties } = flatten(one, root, seen, conditional);
    if (properties) schema.properties = { ...plain(properties), ...plain(schema.properties) };
  }
  return schema;
}

/** @param {Plain} alternative @param {Plain} schema */
function onlyLimits(alternative, schema) {
  const type = typeOf(schema);
  return (
    type !== undefined &&
    (alternative.type ?? type) === type &&
    !DRAWN.some((keyword) => keyword in alternative)
  );
}

/** A list of several types becomes alternatives. @param {Plain} schema @returns {Plain} */
function splitTypes(schema) {
  const types = list(schema.type);
  if (types.filter((type) => type !== "null").length < 2 || schema.anyOf || schema.oneOf || schema.enum)
    return schema;
  const { title, description, default: preset, ...rest } = schema;
  return {
    ...(title && { title }),
    ...(description && { description }),
    ...(preset !== undefined && { default: preset }),
    anyOf: types.map((type) => (type === "null" ? { type } : { ...rest, type })),
  };
}

/** Alternatives which are constants only, with their titles. @param {Plain[]} variants @returns {Plain | undefined} */
function asEnum(variants) {
  if (!variants.length) return undefined;
  const values = variants.map((one) => (hasOwn(one, "const") ? [one.const] : list(one.enum)));
  if (!values.every((some) => some.length)) return undefined;
  const named = values
    .flatMap((some, i) => some.map((value) => [value, some.length < 2 && variants[i].title]))
    .filter(([value]) => value !== null);
  return { enum: named.map(([value]) => value), enumNames: named.map(([, name]) => name) };
}

/**
 * @param {Plain} schema a resolved schema
 * @returns {string | undefined} its type, also when only its keywords tell
 */
export function typeOf(schema) {
  if (isString(schema.type)) return schema.type;
  const sample = hasOwn(schema, "const") ? schema.const : list(schema.enum)[0];
  if (SCALARS.includes(typeof sample)) return typeof sample;
  const has = (/** @type {string[]} */ ...keywords) => keywords.some((one) => isBranch(own(schema, one)));
  if (has("properties", "patternProperties", "additionalProperties")) return "object";
  if (has("items", "prefixItems")) return "array";
  const says = (/** @type {string[]} */ ...keywords) => keywords.some((one) => one in schema);
  if (says("pattern", "format", "minLength", "maxLength")) return "string";
  return says("minimum", "maximum", "multipleOf") ? "number" : undefined;
}
