import { nameWords } from "../format.js";
import { entriesOf, hasOwn, isBranch, isPlain, keysOf, list, own, plain, string } from "../plain.js";
import { TYPE_WORDS } from "./check.js";
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
 * @typedef {{ key: string, name: string, required: boolean, depth: number, hops: number }} Place
 * @typedef {(Partial<FieldSpec> & { kind: Kind }) | undefined} Shape
 */

const MAX_FIELDS = 400;
const MAX_HOPS = 24;
const MAX_VARIANTS = 12;
const LONG_NAMES = /(^|[_-])(body|code|contents?|css|html|instructions|javascript|jsonl?|latex|markdown|message|prompt|script|source|sql|statement|text|xml|yaml)$/i;
const LONG_HINTS = /\b(sql|graphql|promql|logql|cypher|aggregation|multi-?line|markdown)\b/i;

/**
 * Describes the form of a whole argument object.
 * @param {unknown} root the input schema
 * @param {number} maxDepth nested objects and lists beyond it are JSON text
 * @returns {FieldSpec} a group, or "json" when the schema is no object
 */
export function describeArguments(root, maxDepth) {
  let left = MAX_FIELDS;

  /** @param {unknown} raw @param {Place} place @returns {FieldSpec} */
  const describe = (raw, place) => {
    const { schema, nullable, variants } = resolve(raw, root);
    const { key, name, required, hops } = place;
    /** @type {FieldSpec} */
    const spec = {
      kind: "json", name, key, required, nullable, schema, preset: schema.default ?? undefined,
      label: string(schema.title).trim() || nameWords(key), description: string(schema.description).trim(),
    };
    if (--left < 0 || hops > MAX_HOPS) return spec;
    return { ...spec, ...(variants.length ? withVariants(spec, variants, place) : shape(spec, place)) };
  };

  /** @param {FieldSpec} spec @param {Plain[]} all @param {Place} place @returns {Shape} */
  const withVariants = ({ schema }, all, place) => {
    const variants = all.map((one) => {
      const whole = isPlain(one.properties) ? { ...one, properties: { ...plain(schema.properties), ...one.properties } } : one;
      return { ...describe(whole, { ...place, hops: place.hops + 1 }), label: variantLabel(resolve(one, root).schema) };
    });
    return variants.length > MAX_VARIANTS ? undefined : { kind: "variants", variants };
  };

  /** @param {FieldSpec} spec @param {Place} place @returns {Shape} */
  const shape = (spec, place) => {
    const { schema, required } = spec;
    const values = list(schema.enum);
    if (hasOwn(schema, "const")) return { kind: required ? "const" : "choice", values: [schema.const] };
    if (values.length && !values.some(isBranch)) return { kind: "choice", values };
    switch (typeOf(schema)) {
      case "string": return { kind: textKind(spec) };
      case "integer":
      case "number": return { kind: "number" };
      case "boolean": return { kind: "boolean" };
      case "array": return listShape(spec, place);
      case "object": return objectShape(spec, place);
    }
  };

  /** @param {FieldSpec} spec @param {Place} place @returns {Shape} */
  const listShape = ({ schema: { items, prefixItems }, key, name }, place) => {
    if (!isPlain(items) || prefixItems || place.depth >= maxDepth) return undefined;
    const item = describe(items, inside(place, key, name));
    if (item.kind === "choice") return { kind: "choices", values: item.values };
    return item.kind === "json" && item.schema.type === undefined && !item.label ? undefined : { kind: "list", item };
  };

  /** @param {FieldSpec} spec @param {Place} place @returns {Shape} */
  const objectShape = ({ schema: { properties, required, additionalProperties: values }, name }, place) => {
    if (place.depth > maxDepth) return undefined;
    const fields = keysOf(plain(properties)).map((key) =>
      describe(own(properties, key), { ...inside(place, key, name ? `${name}.${key}` : key), required: list(required).includes(key) }));
    if (fields.length || !place.depth) return { kind: "group", fields };
    if (!isPlain(values) || place.depth >= maxDepth || !typeOf(resolve(values, root).schema)) return undefined;
    return { kind: "map", item: describe(values, inside(place, "value", name)) };
  };

  const spec = describe(root, { key: "", name: "", required: true, depth: 0, hops: 0 });
  return spec.kind === "group" ? spec : { ...spec, kind: "json" };
}

/**
 * The property that holds everything, when there is only one and it is an object.
 * @param {FieldSpec} spec
 */
export function isEnvelope({ fields = [] }) {
  return fields.length === 1 && fields[0].kind === "group" && !!fields[0].fields?.length;
}

/** @param {Plain} schema of the variant, resolved */
function variantLabel(schema) {
  const members = entriesOf(plain(schema.properties));
  const tag = members.find(([, one]) => isPlain(one) && hasOwn(one, "const"));
  const type = own(TYPE_WORDS, typeOf(schema) ?? "") ?? "JSON";
  return string(schema.title) || (tag ? `${tag[0]}: ${tag[1].const}` : members.slice(0, 4).map(([name]) => name).join(", "))
    || type[0].toUpperCase() + type.slice(1);
}

/** @param {FieldSpec} spec @returns {Kind} */
function textKind({ schema: { format, pattern, maxLength }, key, description, preset }) {
  if (format === "date" || format === "date-time" || format === "time") return format;
  if (format || pattern || maxLength <= 120) return "text";
  const long = maxLength > 500 || LONG_NAMES.test(key) || string(preset).includes("\n");
  return long || (/quer/i.test(key) && LONG_HINTS.test(description)) ? "long" : "text";
}

/** @param {Place} place @param {string} key @param {string} name @returns {Place} */
function inside({ depth, hops }, key, name) {
  return { key, name, required: true, depth: depth + 1, hops: hops + 1 };
}
