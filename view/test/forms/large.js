const text = { type: "string", description: "What it is called, in words" };
const LEAVES = [
  text,
  { type: "integer", minimum: 0, maximum: 100 },
  { type: "boolean" },
  { type: "boolean", default: false },
  { enum: ["first", "second", "third"] },
  { anyOf: [text, { type: "null" }], default: null },
  { type: "string", format: "date-time" },
  { type: ["number", "null"] },
];

/** @template T @param {number} count @param {(i: number) => T} make */
const named = (count, make) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, make(i)]));
const leaf = (/** @type {number} */ i) => LEAVES[i % LEAVES.length];

/** An object like those that real servers ask for: plain fields, a list, a list of objects, a map, alternatives, all required so that they are all drawn. */
const part = () => ({
  type: "object",
  description: "A part of the request. ".repeat(12),
  properties: {
    ...named(8, leaf),
    tags: { type: "array", items: text },
    steps: { type: "array", items: { type: "object", properties: named(4, leaf) } },
    labels: { type: "object", additionalProperties: text },
    settings: { type: "object" },
    body: {
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, ...named(3, leaf) } },
        { type: "object", properties: { kind: { const: "b" }, a: text } },
      ],
    },
    owner: { $ref: "#/$defs/owner" },
  },
  required: ["p0", "p1", "tags", "steps", "labels", "settings", "body", "owner"],
});

/**
 * A schema of the shape of the largest that real servers publish: everything under one property, parts within it, references, alternatives.
 * @param {number} parts about 51 controls each
 */
export function largeSchema(parts) {
  return {
    type: "object",
    $defs: {
      owner: {
        type: "object",
        properties: {
          name: text,
          team: { type: "object", properties: named(4, leaf), default: { p0: "core", p1: 1 } },
        },
      },
    },
    properties: {
      request: { type: "object", properties: named(parts, part), required: Object.keys(named(parts, part)) },
    },
    required: ["request"],
  };
}
