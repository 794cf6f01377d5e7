import { plural } from "../format.js";
import { hasOwn, entriesOf, isArray, isBranch, isPlain, isString, keysOf, list, own, plain, same } from "../plain.js";
import { formatProblem } from "./formats.js";
import { isMultiple } from "./number.js";
import { safePattern } from "./pattern.js";
import { lookUp } from "./resolve.js";
/** @import { Plain } from "../plain.js" */

/**
 * @typedef {(string | number)[]} Path property names and indexes from the arguments on
 * @typedef {{ path: Path, message: string }} Issue why a value is refused, in words for a person
 */

const MAX_DEPTH = 40;
const MAX_HOPS = 16;

/** The types of JSON Schema, in words. @type {Record<string, string>} */
export const TYPE_WORDS = {
  string: "text", integer: "a whole number", number: "a number", boolean: "yes or no", array: "a list", object: "an object", null: "nothing",
};

/**
 * Checks a JSON value against a schema, for the keywords which real tools use.
 * What cannot be checked here (remote references, unsafe patterns) is left to the server.
 * @param {unknown} value
 * @param {unknown} schema
 * @param {unknown} root the document that `$ref` refers to
 * @param {Path} [path]
 * @param {number} [hops] references and alternatives followed on the spot
 * @returns {Issue[]} empty when it is valid
 */
export function check(value, schema, root, path = [], hops = 0) {
  if (schema === false) return [{ path, message: "Nothing is allowed here." }];
  if (!isPlain(schema) || path.length > MAX_DEPTH || hops > MAX_HOPS) return [];
  const follow = (/** @type {unknown} */ other) => check(value, other, root, path, hops + 1);
  const { $ref, allOf, anyOf, oneOf } = schema;
  const message = typeProblem(value, schema) || valueProblem(value, schema);
  return [
    ...(isString($ref) ? follow(lookUp(root, $ref)) : []),
    ...list(allOf).flatMap(follow),
    ...closest(list(anyOf).map(follow)),
    ...closest(list(oneOf).map(follow), path),
    ...(message ? [{ path, message }] : checkInside(value, schema, root, path)),
  ];
}

/**
 * The issues of the alternative that was nearest to fit.
 * @param {Issue[][]} results by alternative @param {Path} [single] where to complain when more than one fits
 * @returns {Issue[]}
 */
function closest(results, single) {
  const fitting = results.filter((issues) => !issues.length).length;
  if (fitting > 1 && single) return [{ path: single, message: "This fits more than one of the allowed forms." }];
  if (fitting || !results.length) return [];
  const depth = (/** @type {Issue[]} */ issues) => Math.max(...issues.map(({ path }) => path.length));
  return results.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
}

/** @param {any} value @param {Plain} schema */
function typeProblem(value, { type }) {
  const types = [type ?? []].flat();
  return !types.length || types.some((one) => isType(value, one)) ? "" : `Expected ${types.map((one) => own(TYPE_WORDS, one) ?? one).join(" or ")}.`;
}

/** @param {any} value @param {any} type */
function isType(value, type) {
  if (value === null || isArray(value)) return type === (value ? "array" : "null") || !own(TYPE_WORDS, type);
  return type === "integer" ? Number.isInteger(value) : typeof value === type || !own(TYPE_WORDS, type);
}

/** Whatever concerns the value itself, not what is inside of it. @param {any} value @param {Plain} schema @returns {string} */
function valueProblem(value, schema) {
  if (hasOwn(schema, "const") && !same(value, schema.const)) return `Must be ${JSON.stringify(schema.const)}.`;
  if (isArray(schema.enum) && !schema.enum.some((one) => same(one, value))) return "Choose one of the listed values.";
  if (isString(value)) return textProblem(value, schema);
  if (typeof value === "number") return numberProblem(value, schema);
  if (isArray(value)) return listProblem(value, schema);
  return isBranch(value) ? sizeProblem(keysOf(value).length, schema.minProperties, schema.maxProperties, "entry", "entries") : "";
}

/** @param {number} size @param {number | undefined} least @param {number | undefined} most @param {[string, string?]} words */
function sizeProblem(size, least, most, ...words) {
  const bound = size < (least ?? 0) ? ["At least", least] : size > (most ?? Infinity) ? ["At most", most] : undefined;
  return bound ? `${bound[0]} ${plural(Number(bound[1]), ...words)}, now ${size}.` : "";
}

/** @param {string} value @param {Plain} schema */
function textProblem(value, { minLength, maxLength, pattern, format }) {
  const safe = safePattern(pattern);
  return sizeProblem([...value].length, minLength, maxLength, "character")
    || (safe && value.length <= safe.maxLength && !safe.regexp.test(value) ? `Must match the pattern ${pattern}` : formatProblem(value, format));
}

/** What a bound asks of a number, and how to say so. @type {[string, (value: number, bound: number) => boolean, string][]} */
const BOUNDS = [
  ["minimum", (value, bound) => value >= bound, "% or more"],
  ["maximum", (value, bound) => value <= bound, "% or less"],
  ["exclusiveMinimum", (value, bound) => value > bound, "more than %"],
  ["exclusiveMaximum", (value, bound) => value < bound, "less than %"],
  ["multipleOf", isMultiple, "a multiple of %"],
];

/** @param {number} value @param {Plain} schema */
function numberProblem(value, schema) {
  const broken = BOUNDS.find(([keyword, keeps]) => typeof schema[keyword] === "number" && !keeps(value, schema[keyword]));
  return broken ? `Must be ${broken[2].replace("%", schema[broken[0]])}.` : "";
}

/** @param {any[]} value @param {Plain} schema */
function listProblem(value, { minItems, maxItems, uniqueItems }) {
  return sizeProblem(value.length, minItems, maxItems, "entry", "entries")
    || (uniqueItems === true && value.some((one, i) => value.slice(0, i).some((other) => same(one, other))) ? "Entries must differ from each other." : "");
}

/** @param {any} value @param {Plain} schema @param {unknown} root @param {Path} path @returns {Issue[]} */
function checkInside(value, schema, root, path) {
  if (isArray(value)) return value.flatMap((one, i) => check(one, itemSchema(schema, i), root, [...path, i]));
  if (!isPlain(value)) return [];
  const missing = list(schema.required).filter((name) => isString(name) && !hasOwn(value, name));
  return [
    ...missing.map((name) => ({ path: [...path, name], message: "This field is required." })),
    ...entriesOf(value).flatMap(([name, one]) => checkMember(name, one, schema, root, path)),
  ];
}

/** @param {Plain} schema @param {number} index @returns {unknown} */
function itemSchema({ prefixItems, items, additionalItems }, index) {
  const tuple = list(prefixItems ?? items);
  return index < tuple.length ? tuple[index] : isArray(items) ? additionalItems : items;
}

/** @param {string} name @param {unknown} value @param {Plain} schema @param {unknown} root @param {Path} path @returns {Issue[]} */
function checkMember(name, value, { properties, patternProperties, additionalProperties }, root, path) {
  if (hasOwn(plain(properties), name)) return check(value, own(properties, name), root, [...path, name]);
  if (patternProperties) return [];
  if (additionalProperties === false) return [{ path, message: `The tool knows no argument "${name}".` }];
  return check(value, additionalProperties, root, [...path, name]);
}
