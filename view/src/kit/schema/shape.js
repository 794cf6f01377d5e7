import { isArray, isPlain, keysOf, list, own, plain, string, valuesOf } from "../plain.js";
import { describeSection } from "./describe.js";
import { resolve, typeOf } from "./resolve.js";
import { scalarShape } from "./scalar.js";
import { variantLabel, wholeVariant } from "./variant.js";
/** @import { Plain } from "../plain.js" */
/** @import { FieldSpec, Place, Section, Shape } from "./describe.js" */

const MAX_VARIANTS = 60;
const MAX_TUPLE = 20;

/**
 * What a schema is drawn as.
 * @param {FieldSpec} spec @param {Plain[]} variants @param {Place} place @param {Section} form
 * @returns {Shape}
 */
export function shapeOf(spec, variants, place, form) {
  const { schema } = spec;
  if (variants.length) return variantsShape(schema, variants, place, form);
  const scalar = scalarShape(spec, place.depth);
  if (scalar || place.depth > form.maxDepth) return scalar;
  switch (typeOf(schema)) {
    case "array":
      return listShape(spec, place, form);
    case "object":
      return objectShape(spec, place, form);
  }
}

/** @param {Plain} schema @param {Plain[]} variants @param {Place} place @param {Section} form @returns {Shape} */
function variantsShape(schema, variants, place, form) {
  if (variants.length > MAX_VARIANTS) return undefined;
  return {
    kind: "variants",
    variants: variants.map((one) =>
      describeSection(
        wholeVariant(schema, one, variants),
        { ...place, hops: place.hops + 1, label: variantLabel(resolve(one, form.root).schema) },
        form,
      ),
    ),
  };
}

/** @param {FieldSpec} spec @param {Place} place @param {Section} form @returns {Shape} */
function listShape(spec, place, form) {
  const { key, name, schema } = spec;
  const { items = {}, prefixItems, additionalItems } = schema;
  if (prefixItems || isArray(items))
    return tupleShape(
      spec,
      list(prefixItems ?? items),
      prefixItems ? schema.items : additionalItems,
      place,
      form,
    );
  if (items === false) return undefined;
  const item = describeSection(items, inside(place, key, name), form);
  if (!item.values || item.nullable) return { kind: "list", item };
  return { kind: "choices", values: item.values, schema: { ...schema, enumNames: item.schema.enumNames } };
}

/**
 * Fixed places, unless more entries of a kind of their own may follow.
 * @param {FieldSpec} spec @param {unknown[]} all @param {unknown} rest @param {Place} place @param {Section} form @returns {Shape}
 */
function tupleShape({ name, label, schema }, all, rest, place, { describe }) {
  if (isPlain(rest) || all.length > MAX_TUPLE) return undefined;
  const fields = all.map((one, i) =>
    describe(one, {
      ...inside(place, `${i}`, name && `${name}.${i}`),
      required: i < schema.minItems,
      label: string(plain(one).title) || `${label} ${i + 1}`,
    }),
  );
  return fields.some(({ kind }) => kind !== "json") ? { kind: "tuple", fields } : undefined;
}

/** @param {FieldSpec} spec @param {Place} place @param {Section} form @returns {Shape} */
function objectShape(spec, place, form) {
  const { name, schema } = spec;
  const keys = keysOf(plain(schema.properties)).filter((key) => own(schema.properties, key) !== false);
  const bare = !keys.length && place.hops > 0;
  const free = freeMembers(schema) ?? (bare && isOpen(schema) ? {} : undefined);
  const item = free && memberSpec(free, inside(place, "value", keys.length ? "" : name), form);
  if (bare)
    return item
      ? { kind: "map", item }
      : { kind: spec.required && !spec.nullable ? "const" : "choice", values: [{}] };
  /** @type {FieldSpec[]} */
  const fields = [];
  const required = new Set(list(schema.required));
  form.later((full) => {
    if (full) Object.assign(spec, { kind: "json", fields: undefined, rest: undefined });
    else
      fields.push(
        ...keys.map((key) =>
          form.describe(own(schema.properties, key), {
            ...inside(place, key, name ? `${name}.${key}` : key),
            required: required.has(key),
            label: key ? undefined : "(no name)",
          }),
        ),
      );
  });
  return {
    kind: "group",
    fields,
    rest: item && {
      ...spec,
      kind: "map",
      item,
      name: "",
      label: "Further entries",
      description: "",
      required: false,
      nullable: false,
      preset: undefined,
    },
  };
}

/** Whether an object may hold what its schema does not name. @param {Plain} schema */
function isOpen({ additionalProperties, unevaluatedProperties, maxProperties }) {
  return additionalProperties !== false && unevaluatedProperties !== false && maxProperties !== 0;
}

/** What stands under a free name: a person says its type where the schema does not. @param {Plain} schema @param {Place} place @param {Section} form */
function memberSpec(schema, place, form) {
  const item = describeSection(schema, place, form);
  if (item.kind === "json" && !typeOf(item.schema)) item.kind = "any";
  return item;
}

/** What an object may hold under names of one's own choice. @param {Plain} schema @returns {Plain | undefined} */
function freeMembers({ patternProperties, additionalProperties }) {
  const patterns = valuesOf(plain(patternProperties)).filter(isPlain);
  const all = additionalProperties === true ? patterns : [...patterns, additionalProperties].filter(isPlain);
  return all.length > 1 ? { anyOf: all } : (all[0] ?? (additionalProperties === true ? {} : undefined));
}

/** @param {Place} place @param {string} key @param {string} name @returns {Place} */
function inside({ depth, hops }, key, name) {
  return { key, name, required: true, depth: depth + 1, hops: hops + 1 };
}
