import { plural } from "../format.js";
import { hasOwn, isArray, isBranch, isNumber, isString, keysOf, own, same } from "../plain.js";
import { formProblem } from "./formats.js";
import { listProblem } from "./list-limits.js";
import { isMultiple } from "./number.js";
/** @import { Plain } from "../plain.js" */

/** The types of JSON Schema, in words. @type {Record<string, string>} */
export const TYPE_WORDS = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "yes or no",
  array: "a list",
  object: "an object",
  null: "nothing",
};

/**
 * What is wrong with a value itself, not with what is inside of it.
 * @param {any} value @param {Plain} schema
 * @returns {string} "" when nothing is
 */
export function limitProblem(value, schema) {
  return typeProblem(value, schema) || valueProblem(value, schema);
}

/** @param {any} value @param {Plain} schema */
function typeProblem(value, { type }) {
  const types = [type ?? []].flat();
  return !types.length || types.some((one) => isType(value, one))
    ? ""
    : `Expected ${types.map((one) => own(TYPE_WORDS, one) ?? one).join(" or ")}.`;
}

/** @param {any} value @param {any} type */
function isType(value, type) {
  if (value === null || isArray(value)) return type === (value ? "array" : "null") || !own(TYPE_WORDS, type);
  return type === "integer" ? Number.isInteger(value) : typeof value === type || !own(TYPE_WORDS, type);
}

/** @param {any} value @param {Plain} schema @returns {string} */
function valueProblem(value, schema) {
  if (hasOwn(schema, "const") && !same(value, schema.const))
    return `Must be ${JSON.stringify(schema.const)}.`;
  if (isArray(schema.enum) && !schema.enum.some((one) => same(one, value)))
    return "Choose one of the listed values.";
  if (isString(value)) return textProblem(value, schema);
  if (isNumber(value)) return numberProblem(value, schema);
  if (isArray(value)) return listProblem(value, schema);
  return isBranch(value)
    ? sizeProblem(keysOf(value).length, schema.minProperties, schema.maxProperties, "entry", "entries")
    : "";
}

/**
 * @param {number} size @param {number | undefined} least @param {number | undefined} most @param {[string, string?]} words
 * @returns {string} how many there must be, "" when there are
 */
export function sizeProblem(size, least, most, ...words) {
  const bound =
    size < (least ?? 0) ? ["At least", least] : size > (most ?? Infinity) ? ["At most", most] : undefined;
  return bound ? `${bound[0]} ${plural(Number(bound[1]), ...words)}, now ${size}.` : "";
}

/** @param {string} value @param {Plain} schema */
function textProblem(value, schema) {
  return (
    sizeProblem([...value].length, schema.minLength, schema.maxLength, "character") ||
    formProblem(value, schema)
  );
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
  // In draft-04 a bound is only said to be exclusive.
  const bound = (/** @type {string} */ keyword) =>
    schema[keyword] === true ? schema[keyword.slice(9).toLowerCase()] : schema[keyword];
  const broken = BOUNDS.find(([keyword, keeps]) => isNumber(bound(keyword)) && !keeps(value, bound(keyword)));
  return broken ? `Must be ${broken[2].replace("%", bound(broken[0]))}.` : "";
}
