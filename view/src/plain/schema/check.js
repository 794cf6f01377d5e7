import { entriesOf, hasOwn, isArray, isPlain, list, own, plain } from "../../kit/plain.js";
import { limitProblem } from "../../kit/schema/limits.js";
import { optionOf } from "./resolve.js";
/** @import { Plain } from "../../kit/plain.js" */
/** @import { Issue, Path } from "../../kit/schema/check.js" */

/**
 * Checks a JSON value against a plain schema. What only other schemas have is left to the server.
 * @param {any} value @param {any} schema @param {unknown} [_root] @param {Path} [path]
 * @returns {Issue[]} empty when it is valid
 */
export function check(value, schema, _root, path = []) {
  if (!isPlain(schema)) return [];
  const message = limitProblem(value, schema);
  const inner = (/** @type {string | number} */ key, /** @type {any} */ part) =>
    check(value[key], part, 0, [...path, key]);
  return [
    ...(value === null ? [] : check(value, optionOf(schema.anyOf), 0, path)),
    ...(message
      ? [{ path, message }]
      : isArray(value)
        ? value.flatMap((_, i) => inner(i, schema.items))
        : isPlain(value)
          ? [
              ...missing(value, schema, path),
              ...entriesOf(value).flatMap(([name]) =>
                known(name, schema)
                  ? inner(name, own(plain(schema.properties), name))
                  : [{ path, message: `The tool knows no argument "${name}".` }],
              ),
            ]
          : []),
  ];
}

/** @param {Plain} value @param {Plain} schema @param {Path} path @returns {Issue[]} */
function missing(value, { required }, path) {
  return list(required)
    .filter((name) => !hasOwn(value, name))
    .map((name) => ({ path: [...path, name], message: "This field is required.", missing: true }));
}

/** Whether an object may have a member. @param {string} name @param {Plain} schema */
function known(name, { properties, additionalProperties, patternProperties }) {
  return additionalProperties !== false || patternProperties || hasOwn(plain(properties), name);
}
