/** @typedef {{ [key: string]: any }} Plain a JSON object */

export const { isArray } = Array;
// One by one: a page that does not use them is built without them.
export const entriesOf = Object.entries;
export const fromEntries = Object.fromEntries;
export const hasOwn = Object.hasOwn;
export const keysOf = Object.keys;
export const valuesOf = Object.values;
export const abs = Math.abs;
export const ceil = Math.ceil;
export const floor = Math.floor;
export const max = Math.max;
export const min = Math.min;
export const round = Math.round;

/**
 * @param {unknown} value
 * @returns {value is Plain} whether it is a JSON object (not null, not a list)
 */
export function isPlain(value) {
  return isBranch(value) && !isArray(value);
}

/** Whether a value holds others: an object or a list, and no element of a page. @param {unknown} value @returns {value is Plain} */
export function isBranch(value) {
  return !!value && typeof value === "object" && !(value instanceof Node);
}

/** @param {unknown} value @returns {Plain} the value itself when it is an object, else an empty one */
export function plain(value) {
  return isPlain(value) ? value : {};
}

/** @param {unknown} value @returns {any[]} the value itself when it is a list, else an empty one */
export function list(value) {
  return isArray(value) ? value : [];
}

/** @param {unknown} value @returns {value is string} */
export function isString(value) {
  return typeof value === "string";
}

/** @param {unknown} value @returns {value is number} */
export function isNumber(value) {
  return typeof value === "number";
}

/** @param {unknown} value @returns {value is boolean} */
export function isBoolean(value) {
  return typeof value === "boolean";
}

/** The last of a list that is not empty. @template T @param {readonly T[]} entries @returns {T} */
export function lastOf(entries) {
  return entries[entries.length - 1];
}

/** @param {unknown} value @returns {string} the value itself when it is a string, else "" */
export function string(value) {
  return isString(value) ? value : "";
}

/** An own property, also for names such as `__proto__`. @param {any} object @param {string} key */
export function own(object, key) {
  return hasOwn(object, key) ? object[key] : undefined;
}

/**
 * An own property, or what is inside of one: `"geo.lat"` of `{geo: {lat: 1}}`.
 * @param {any} object @param {string} key
 */
export function reach(object, key) {
  if (hasOwn(object, key)) return object[key];
  const [head] = key.split(".", 1);
  return own(plain(own(object, head)), key.slice(head.length + 1));
}

/** The members that a schema of an object names. @param {unknown} schema */
export function propertiesOf(schema) {
  return plain(plain(schema).properties);
}

/** Whether a value is one that a page shows: not left out, null or false. @param {unknown} value */
export function isThere(value) {
  return (value ?? false) !== false;
}

/** Whether a value says nothing: no value, an empty text, list or object. @param {unknown} value */
export function isNothing(value) {
  return isBranch(value) ? !(isArray(value) ? value : keysOf(value)).length : (value ?? "") === "";
}

/** Whether two JSON values are equal; the order of keys does not matter. @param {any} a @param {any} b @returns {boolean} */
export function same(a, b) {
  if (!isBranch(a) || !isBranch(b)) return a === b || (a !== a && b !== b);
  return (
    isArray(a) === isArray(b) &&
    keysOf(a).length === keysOf(b).length &&
    keysOf(a).every((key) => hasOwn(b, key) && same(a[key], b[key]))
  );
}

/** What a function returns; undefined where it throws, as for a value deeper than the stack. @template T @param {() => T} look @returns {T | undefined} */
export function attempt(look) {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** @param {string} text @param {(key: string, value: any, context?: any) => any} [revive] @returns {any} the JSON value in it, or undefined */
export function parseJson(text, revive) {
  return attempt(() => JSON.parse(text, revive));
}

/** A pattern for what any of some patterns finds. @param {(RegExp | string)[]} patterns @param {string} flags */
export function eitherOf(patterns, flags) {
  return RegExp(patterns.map((one) => (isString(one) ? one : one.source)).join("|"), flags);
}

/** Sorts what a test holds for behind all else. @template T @param {(one: T) => boolean | undefined} test @returns {(a: T, b: T) => number} */
export function lastly(test) {
  return (a, b) => Number(!!test(a)) - Number(!!test(b));
}

/** JSON for people. @param {unknown} value @returns {string} */
export function jsonText(value) {
  return JSON.stringify(value, keepNumber, 2) ?? "null";
}

/** Any value as one line. @param {unknown} value @returns {string} */
export function asText(value) {
  return isString(value) ? value : isNumber(value) ? `${value}` : (JSON.stringify(value, keepNumber) ?? "");
}

/** JSON has no word for these numbers, and would write null. @param {string} _ @param {any} value */
function keepNumber(_, value) {
  return isNumber(value) && !Number.isFinite(value) ? `${value}` : value;
}

/** What went wrong, in words. @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : `${error}`;
}
