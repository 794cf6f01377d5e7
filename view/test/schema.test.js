import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../src/kit/schema/check.js";
import { describeArguments, isEnvelope } from "../src/kit/schema/describe.js";
import { parseNumber } from "../src/kit/schema/number.js";
import { longestInput, safePattern } from "../src/kit/schema/pattern.js";
import { resolve } from "../src/kit/schema/resolve.js";

const describeOne = (schema, root = {}) => describeArguments({ ...root, type: "object", properties: { it: schema } }, 5).fields[0];
const messages = (value, schema) => check(value, schema, schema).map((issue) => `${issue.path.join(".")}|${issue.message}`);

test("each schema gets its kind of control", () => {
  const kinds = [
    [{ type: "string" }, "text"], [{ enum: ["a", "b"] }, "choice"], [{ const: 1 }, "choice"], [{ type: "integer" }, "number"],
    [{ type: "boolean" }, "boolean"], [{ type: "string", format: "date" }, "date"], [{ type: "string", format: "date-time" }, "date-time"],
    [{ type: "string", maxLength: 4000 }, "long"], [{ type: "string", default: "a\nb" }, "long"],
    [{ type: "array", items: { enum: ["a"] } }, "choices"], [{ type: "array", items: { type: "string" } }, "list"],
    [{ type: "object", properties: { a: {} } }, "group"], [{ type: "object", additionalProperties: { type: "string" } }, "map"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "text"], [{ type: ["integer", "null"] }, "number"],
    [{ oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, "variants"],
    [{ anyOf: [{ const: "a" }, { const: "b" }] }, "choice"], [{}, "json"], [true, "json"], [{ type: "object" }, "json"], [{ type: "weird" }, "json"],
  ];
  for (const [schema, kind] of kinds) assert.equal(describeOne(schema).kind, kind, JSON.stringify(schema));
});

test("references are followed anywhere, and cycles end", () => {
  const root = { $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, name: { type: "string" } } } } };
  const spec = describeOne({ $ref: "#/$defs/node" }, root);
  assert.equal(spec.kind, "group");
  let depth = 0;
  for (let at = spec; at.kind === "group"; at = at.fields[0]) depth++;
  assert.equal(depth, 5);
  assert.equal(resolve({ $ref: "#/a" }, { a: { $ref: "#/a" } }).variants.length, 0);
  assert.equal(describeOne({ $ref: "#/properties/other/anyOf/0" }, {}).kind, "json");
  assert.ok(describeOne({ anyOf: [{ $ref: "#/properties/it" }, { type: "string" }] }));
});

test("allOf is merged and nullable is remembered", () => {
  const { schema } = resolve({ allOf: [{ type: "string", minLength: 2 }, { maxLength: 5 }], title: "T" }, {});
  assert.deepEqual(schema, { type: "string", minLength: 2, maxLength: 5, title: "T" });
  assert.equal(resolve({ anyOf: [{ type: "string" }, { type: "null" }] }, {}).nullable, true);
});

test("an only object property is an envelope", () => {
  assert.equal(isEnvelope(describeArguments({ type: "object", properties: { request: { type: "object", properties: { a: {} } } } }, 5)), true);
  assert.equal(isEnvelope(describeArguments({ type: "object", properties: { a: {}, b: {} } }, 5)), false);
});

test("malformed schemas do not throw", () => {
  const bad = [undefined, null, true, false, 7, "x", [], { properties: 3 }, { properties: { a: null, b: 3, c: [] } }, { required: "a" },
    { type: "object", properties: { a: { enum: "x", default: null, type: 9, anyOf: "y", description: 4, title: {} } } }];
  for (const schema of bad) assert.ok(describeArguments(schema, 5), JSON.stringify(schema));
});

test("values are checked with words for people", () => {
  const schema = {
    type: "object", required: ["city"], additionalProperties: false,
    properties: { city: { type: "string", minLength: 2 }, days: { type: "integer", exclusiveMinimum: 0, multipleOf: 2 }, on: { type: "string", format: "date" } },
  };
  assert.deepEqual(messages({ city: "Rom", days: 4, on: "2026-02-28" }, schema), []);
  assert.deepEqual(messages({}, schema), ["city|This field is required."]);
  assert.match(messages({ city: "x" }, schema)[0], /^city\|At least 2/);
  assert.match(messages({ city: "Rom", days: 0 }, schema)[0], /more than 0/);
  assert.match(messages({ city: "Rom", days: 3 }, schema)[0], /multiple of 2/);
  assert.match(messages({ city: "Rom", on: "2026-02-31" }, schema)[0], /no such date|date as/);
  assert.match(messages({ city: "Rom", extra: 1 }, schema)[0], /knows no argument/);
  assert.deepEqual(messages({ n: 0.3 }, { properties: { n: { multipleOf: 0.1 } } }), []);
  assert.deepEqual(messages(1, { oneOf: [{ type: "integer" }, { type: "number" }] }), ["|This fits more than one of the allowed forms."]);
});

test("numbers are read exactly or refused", () => {
  assert.deepEqual(parseNumber(" 12 "), { value: 12 });
  assert.deepEqual(parseNumber("-.5e1"), { value: -5 });
  for (const text of ["1,5", "abc", "0x10", "1e999", "9007199254740993", "--1"]) assert.ok("problem" in parseNumber(text), text);
});

test("patterns that could freeze the page are not run", () => {
  const refused = ["(a+)+$", "^(a|a)*$", "(a*)*b", "(?=a+)b", "(a)\\1", "^([a-z]+\\d?){5,}$", "a?".repeat(40) + "a".repeat(40), "x".repeat(600), "([", "[^]+".repeat(20)];
  for (const pattern of refused) assert.ok((safePattern(pattern)?.maxLength ?? 0) < 30, pattern);
  for (const pattern of ["^[a-z]+$", "\\d{4}", "^(foo|bar)$", "^#[0-9a-f]{6}$", "^\\p{L}+$"]) assert.ok(safePattern(pattern), pattern);
  const started = performance.now();
  for (const pattern of [".*a.*b.*c.*d", "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "a?a?a?a?a?a?[ab]+[ab]+[ab]+c"]) safePattern(pattern)?.regexp.test("a".repeat(longestInput(pattern)));
  assert.ok(performance.now() - started < 1500);
});
