import { isPlain, list, own, plain, same } from "../plain.js";
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

/**
 * Checks a JSON value against a schema, for the keywords which real tools use.
 * What cannot be checked here (remote references, unsafe patterns) is left to the server.
 * @param {unknown} value
 * @param {unknown} schema
 * @param {unknown} root the document that `$ref` refers to
 * @param {Path} [path]
 * @returns {Issue[]} empty when it is valid
 */
export function check(value, schema, root, path = []) {
  if (schema === false) return [{ path, message: "Nothing is allowed here." }];
  if (!isPlain(schema) || path.length > MAX_DEPTH) return [];
  return checkHere(value, schema, root, path, 0);
}

/** @param {any} value @param {Plain} schema @param {unknown} root @param {Path} path @param {number} hops @returns {Issue[]} */
function checkHere(value, schema, root, path, hops) {
  if (hops > 16) return [];
  const follow = (/** @type {unknown} */ other) =>
    other === false ? check(value, other, root, path) : isPlain(other) ? checkHere(value, other, root, path, hops + 1) : [];
  const issues = [];
  if (typeof schema.$ref === "string") issues.push(...follow(lookUp(root, schema.$ref)));
  for (const one of list(schema.allOf)) issues.push(...follow(one));
  issues.push(...alternatives(list(schema.anyOf), follow, path, false));
  issues.push(...alternatives(list(schema.oneOf), follow, path, true));
  const message = typeProblem(value, schema) || valueProblem(value, schema);
  if (message) return [...issues, { path, message }];
  if (typeof value === "string") return add(issues, path, textProblem(value, schema));
  if (typeof value === "number") return add(issues, path, numberProblem(value, schema));
  if (Array.isArray(value)) return [...issues, ...checkList(value, schema, root, path)];
  return isPlain(value) ? [...issues, ...checkObject(value, schema, root, path)] : issues;
}

/** @param {Issue[]} issues @param {Path} path @param {string} message */
function add(issues, path, message) {
  return message ? [...issues, { path, message }] : issues;
}

/** @param {any[]} options @param {(other: unknown) => Issue[]} follow @param {Path} path @param {boolean} exactlyOne @returns {Issue[]} */
function alternatives(options, follow, path, exactlyOne) {
  if (!options.length) return [];
  const results = options.map(follow);
  const matching = results.filter((issues) => !issues.length).length;
  if (matching > 1 && exactlyOne) return [{ path, message: "This fits more than one of the allowed forms." }];
  if (matching) return [];
  const closest = results.toSorted((a, b) => deepest(b) - deepest(a) || a.length - b.length)[0];
  return closest;
}

/** @param {Issue[]} issues */
function deepest(issues) {
  return Math.max(...issues.map((issue) => issue.path.length));
}

/** @param {any} value @param {Plain} schema */
function typeProblem(value, schema) {
  const types = typeof schema.type === "string" ? [schema.type] : list(schema.type);
  if (!types.length || types.some((type) => isType(value, type))) return "";
  return `Expected ${types.map((type) => TYPE_WORDS.get(type) ?? type).join(" or ")}.`;
}

const TYPE_WORDS = new Map([
  ["string", "text"], ["integer", "a whole number"], ["number", "a number"], ["boolean", "yes or no"],
  ["array", "a list"], ["object", "an object"], ["null", "nothing"],
]);

/** @param {any} value @param {unknown} type */
function isType(value, type) {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isPlain(value);
  if (type === "null") return value === null;
  return typeof value === type || !TYPE_WORDS.has(/** @type {string} */ (type));
}

/** @param {any} value @param {Plain} schema */
function valueProblem(value, schema) {
  if (Object.hasOwn(schema, "const") && !same(value, schema.const)) return `Must be ${JSON.stringify(schema.const)}.`;
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => same(one, value))) return "Choose one of the listed values.";
  return "";
}

/** @param {string} value @param {Plain} schema */
function textProblem(value, { minLength, maxLength, pattern, format }) {
  const length = [...value].length;
  if (length < minLength) return `At least ${minLength} ${minLength === 1 ? "character" : "characters"}, now ${length}.`;
  if (length > maxLength) return `At most ${maxLength} characters, now ${length}.`;
  const safe = safePattern(pattern);
  if (safe && value.length <= safe.maxLength && !safe.regexp.test(value)) return `Must match the pattern ${pattern}`;
  return formatProblem(value, format);
}

/** @param {number} value @param {Plain} schema */
function numberProblem(value, { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }) {
  if (value < minimum) return `Must be ${minimum} or more.`;
  if (value > maximum) return `Must be ${maximum} or less.`;
  if (value <= exclusiveMinimum) return `Must be more than ${exclusiveMinimum}.`;
  if (value >= exclusiveMaximum) return `Must be less than ${exclusiveMaximum}.`;
  if (multipleOf > 0 && !isMultiple(value, multipleOf)) return `Must be a multiple of ${multipleOf}.`;
  return "";
}

/** @param {any[]} value @param {Plain} schema @param {unknown} root @param {Path} path @returns {Issue[]} */
function checkList(value, schema, root, path) {
  const { minItems, maxItems, uniqueItems } = schema;
  if (value.length < minItems) return [{ path, message: `At least ${minItems} ${minItems === 1 ? "entry" : "entries"}, now ${value.length}.` }];
  if (value.length > maxItems) return [{ path, message: `At most ${maxItems} entries, now ${value.length}.` }];
  if (uniqueItems === true && value.some((one, i) => value.slice(0, i).some((other) => same(one, other))))
    return [{ path, message: "Entries must differ from each other." }];
  const tuple = list(schema.prefixItems ?? schema.items);
  const rest = schema.prefixItems ? schema.items : Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  return value.flatMap((one, i) => check(one, i < tuple.length ? tuple[i] : rest, root, [...path, i]));
}

/** @param {Plain} value @param {Plain} schema @param {unknown} root @param {Path} path @returns {Issue[]} */
function checkObject(value, schema, root, path) {
  const properties = plain(schema.properties);
  const missing = list(schema.required).filter((name) => typeof name === "string" && !Object.hasOwn(value, name));
  const issues = missing.map((name) => ({ path: [...path, name], message: "This field is required." }));
  for (const [name, one] of Object.entries(value)) {
    const here = [...path, name];
    if (Object.hasOwn(properties, name)) issues.push(...check(one, own(properties, name), root, here));
    else if (!schema.patternProperties) issues.push(...checkExtra(one, name, schema.additionalProperties, root, here));
  }
  const count = Object.keys(value).length;
  if (count < schema.minProperties) issues.push({ path, message: `At least ${schema.minProperties} entries, now ${count}.` });
  if (count > schema.maxProperties) issues.push({ path, message: `At most ${schema.maxProperties} entries, now ${count}.` });
  return issues;
}

/** @param {unknown} value @param {string} name @param {unknown} schema @param {unknown} root @param {Path} path @returns {Issue[]} */
function checkExtra(value, name, schema, root, path) {
  if (schema === false) return [{ path, message: `The tool knows no argument "${name}".` }];
  return check(value, schema, root, path);
}
