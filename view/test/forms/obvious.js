import { isPlain, list, plain } from "../../src/kit/plain.js";
import { resolve, typeOf } from "../../src/kit/schema/resolve.js";

const BY_FORMAT = {
  date: "2026-02-28",
  "date-time": "2026-03-14T15:09:00Z",
  time: "15:09:00Z",
  email: "ada@example.com",
  uri: "https://example.com",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  hostname: "example.com",
};

/**
 * What somebody would enter who knows nothing about a tool but its schema: an example, the
 * default, the first listed value, or something of the type.
 * @param {unknown} raw @param {unknown} root @param {number} [depth]
 * @returns {any}
 */
export function obviousValue(raw, root, depth = 0) {
  const { schema, variants } = resolve(raw, root);
  const given = [list(schema.examples)[0], schema.default, schema.const, list(schema.enum)[0]].find(
    (one) => one !== undefined && one !== null,
  );
  if (given !== undefined) return given;
  if (variants.length) return obviousValue(variants[0], root, depth + 1);
  const { minimum, exclusiveMinimum, maximum, minLength = 0, maxLength = 99, minItems = 1 } = schema;
  switch (typeOf(schema)) {
    case "string":
      return BY_FORMAT[schema.format] ?? "sample".padEnd(minLength, "x").slice(0, maxLength);
    case "integer":
    case "number":
      return minimum ?? (exclusiveMinimum !== undefined ? exclusiveMinimum + 1 : Math.min(1, maximum ?? 1));
    case "boolean":
      return true;
    case "array":
      return depth > 6
        ? []
        : Array.from({ length: minItems }, () => obviousValue(schema.items ?? {}, root, depth + 1));
    case "object":
      return Object.fromEntries(
        Object.entries(plain(schema.properties))
          .filter(([name]) => list(schema.required).includes(name) || depth === 0)
          .map(([name, one]) => [name, obviousValue(isPlain(one) ? one : {}, root, depth + 1)]),
      );
  }
  return "anything";
}
