import { isPlain, list, own, plain, string } from "../plain.js";
import { nameWords } from "../format.js";
import { resolve, typeOf } from "./resolve.js";
/** @import { Plain } from "../plain.js" */

/**
 * @typedef {"text" | "long" | "number" | "boolean" | "choice" | "choices" | "const" | "date" | "date-time" | "time"
 *   | "list" | "group" | "map" | "variants" | "json"} Kind
 *
 * @typedef {object} FieldSpec what one control asks for
 * @property {Kind} kind
 * @property {string} name dotted path from the arguments on, for the control's `data-field`: a `name` would shadow members of the form
 * @property {string} key the property's own name
 * @property {string} label
 * @property {string} description
 * @property {boolean} required
 * @property {boolean} nullable
 * @property {Plain} schema resolved
 * @property {any} preset the default, or undefined
 * @property {FieldSpec[]} [fields] of a group
 * @property {FieldSpec} [item] of a list or map
 * @property {FieldSpec[]} [variants]
 * @property {any[]} [values] of a choice, choices or const
 *
 * @typedef {object} Context
 * @property {unknown} root
 * @property {number} maxDepth
 * @property {{ left: number }} budget how many more fields may be described
 */

const MAX_FIELDS = 400;
const MAX_HOPS = 24;
const LONG_NAMES = /(^|[_-])(body|code|content|contents|css|html|instructions|javascript|json|jsonl|latex|markdown|message|prompt|script|source|sql|statement|text|xml|yaml)$/i;
const LONG_HINTS = /\b(sql|graphql|promql|logql|cypher|aggregation|multi-?line|markdown)\b/i;

/**
 * Describes the form of a whole argument object.
 * @param {unknown} inputSchema
 * @param {number} maxDepth nested objects and lists beyond it are JSON text
 * @returns {FieldSpec} a group, or "json" when the schema is no object
 */
export function describeArguments(inputSchema, maxDepth) {
  const context = { root: inputSchema, maxDepth, budget: { left: MAX_FIELDS } };
  const spec = describe(inputSchema, { key: "", name: "", required: true, depth: 0, hops: 0 }, context);
  return spec.kind === "group" ? spec : { ...spec, kind: "json" };
}

/**
 * The property that holds everything, when there is only one and it is an object.
 * @param {FieldSpec} spec
 */
export function isEnvelope(spec) {
  const only = spec.fields?.length === 1 ? spec.fields[0] : undefined;
  return only?.kind === "group" && !!only.fields?.length;
}

/**
 * @typedef {{ key: string, name: string, required: boolean, depth: number, hops: number }} Place
 * @param {unknown} raw @param {Place} place @param {Context} context @returns {FieldSpec}
 */
function describe(raw, place, context) {
  const { schema, nullable, variants } = resolve(raw, context.root);
  const label = string(schema.title).trim() || nameWords(place.key);
  const { key, name, required } = place;
  const preset = schema.default === null ? undefined : schema.default;
  /** @type {FieldSpec} */
  const spec = { kind: "json", name, key, label, description: string(schema.description).trim(), required, nullable, schema, preset };
  if (--context.budget.left < 0 || place.hops > MAX_HOPS) return spec;
  if (variants.length) return withVariants(spec, variants, place, context);
  return shape(spec, place, context);
}

/** @param {FieldSpec} spec @param {Plain[]} variants @param {Place} place @param {Context} context @returns {FieldSpec} */
function withVariants(spec, variants, place, context) {
  const shared = spec.schema.properties ? { properties: spec.schema.properties } : {};
  const specs = variants.map((one) => {
    const merged = { ...one, ...(isPlain(one.properties) ? { properties: { ...plain(shared.properties), ...one.properties } } : {}) };
    return { ...describe(merged, { ...place, hops: place.hops + 1 }, context), label: variantLabel(one, context) };
  });
  return specs.length > 12 ? spec : { ...spec, kind: "variants", variants: specs };
}

/** @param {Plain} variant @param {Context} context */
function variantLabel(variant, context) {
  const { schema } = resolve(variant, context.root);
  const tag = Object.entries(plain(schema.properties)).find(([, one]) => isPlain(one) && Object.hasOwn(one, "const"));
  const type = typeOf(schema);
  const words = new Map([["string", "Text"], ["integer", "Whole number"], ["number", "Number"], ["boolean", "Yes or no"], ["array", "List"], ["object", "Object"]]);
  const names = Object.keys(plain(schema.properties)).slice(0, 4).join(", ");
  return string(schema.title) || (tag ? `${tag[0]}: ${tag[1].const}` : names || (words.get(type ?? "") ?? "JSON"));
}

/** @param {FieldSpec} spec @param {Place} place @param {Context} context @returns {FieldSpec} */
function shape(spec, place, context) {
  const { schema } = spec;
  const options = list(schema.enum);
  if (Object.hasOwn(schema, "const")) return { ...spec, kind: spec.required ? "const" : "choice", values: [schema.const] };
  if (options.length && options.every((one) => typeof one !== "object")) return { ...spec, kind: "choice", values: options };
  switch (typeOf(schema)) {
    case "string": return { ...spec, kind: textKind(spec) };
    case "integer":
    case "number": return { ...spec, kind: "number" };
    case "boolean": return { ...spec, kind: "boolean" };
    case "array": return shapeList(spec, place, context);
    case "object": return shapeObject(spec, place, context);
    default: return spec;
  }
}

/** @param {FieldSpec} spec @returns {Kind} */
function textKind({ schema, key, description, preset }) {
  if (schema.format === "date" || schema.format === "date-time" || schema.format === "time") return schema.format;
  if (schema.format || schema.pattern || schema.maxLength <= 120) return "text";
  const long = schema.maxLength > 500 || LONG_NAMES.test(key) || string(preset).includes("\n");
  return long || (/quer/i.test(key) && LONG_HINTS.test(description)) ? "long" : "text";
}

/** @param {FieldSpec} spec @param {Place} place @param {Context} context @returns {FieldSpec} */
function shapeList(spec, place, context) {
  const { items } = spec.schema;
  if (!isPlain(items) || spec.schema.prefixItems || place.depth >= context.maxDepth) return spec;
  const item = describe(items, inside(place, spec.key, spec.name), context);
  if (item.kind === "choice") return { ...spec, kind: "choices", values: item.values };
  return item.kind === "json" && item.schema.type === undefined && !item.label ? spec : { ...spec, kind: "list", item };
}

/** @param {FieldSpec} spec @param {Place} place @param {Context} context @returns {FieldSpec} */
function shapeObject(spec, place, context) {
  if (place.depth > context.maxDepth) return spec;
  const { properties, required, additionalProperties } = spec.schema;
  const names = Object.keys(plain(properties));
  if (!names.length) return place.depth === 0 ? { ...spec, kind: "group", fields: [] } : shapeMap(spec, additionalProperties, place, context);
  const fields = names.map((key) => {
    const name = spec.name ? `${spec.name}.${key}` : key;
    return describe(own(properties, key), { ...inside(place, key, name), required: list(required).includes(key) }, context);
  });
  return { ...spec, kind: "group", fields };
}

/** @param {FieldSpec} spec @param {unknown} values @param {Place} place @param {Context} context @returns {FieldSpec} */
function shapeMap(spec, values, place, context) {
  if (!isPlain(values) || place.depth >= context.maxDepth || !typeOf(resolve(values, context.root).schema)) return spec;
  return { ...spec, kind: "map", item: describe(values, inside(place, "value", spec.name), context) };
}

/** @param {Place} place @param {string} key @param {string} name @returns {Place} */
function inside(place, key, name) {
  return { key, name, required: true, depth: place.depth + 1, hops: place.hops + 1 };
}
