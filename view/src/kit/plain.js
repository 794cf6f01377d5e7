/** @typedef {{ [key: string]: any }} Plain a JSON object */

/**
 * @param {unknown} value
 * @returns {value is Plain} whether it is a JSON object (not null, not a list)
 */
export function isPlain(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** @param {unknown} value @returns {Plain} the value itself when it is an object, else an empty one */
export function plain(value) {
  return isPlain(value) ? value : {};
}

/** @param {unknown} value @returns {any[]} the value itself when it is a list, else an empty one */
export function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown} value @returns {string} the value itself when it is a string, else "" */
export function string(value) {
  return typeof value === "string" ? value : "";
}

/** An own property, also for names such as `__proto__`. @param {any} object @param {string} key */
export function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own property, also for names such as `__proto__`. @param {Plain} object @param {string} key @param {unknown} value */
export function put(object, key, value) {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether two JSON values are equal; the order of keys does not matter. @param {any} a @param {any} b @returns {boolean} */
export function same(a, b) {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** @param {string} text @returns {any} the JSON value in it, or undefined */
export function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
