import assert from "node:assert/strict";
import { test } from "node:test";
import "./subjects.js";
import { check } from "../src/kit/schema/check.js";
import { describeArguments, isEnvelope } from "../src/kit/schema/describe.js";
import { parseNumber } from "../src/kit/schema/number.js";
import { matches } from "../src/kit/schema/pattern.js";
import { resolve } from "../src/kit/schema/resolve.js";
import { freshDom } from "./dom.js";

freshDom();

const describeOne = (schema, root = {}) =>
  describeArguments({ ...root, type: "object", properties: { it: schema, other: {} } }, 5).fields[0];
const messages = (value, schema) =>
  check(value, schema, schema).map((issue) => `${issue.path.join(".")}|${issue.message}`);

test("each schema gets its kind of control", () => {
  const kinds = [
    [{ type: "string" }, "text"],
    [{ enum: ["a", "b"] }, "choice"],
    [{ const: 1 }, "choice"],
    [{ type: "integer" }, "number"],
    [{ type: "boolean" }, "boolean"],
    [{ type: "string", format: "date" }, "date"],
    [{ type: "string", format: "date-time" }, "date-time"],
    [{ type: "string", maxLength: 4000 }, "long"],
    [{ type: "string", default: "a\nb" }, "long"],
    [{ type: "array", items: { enum: ["a"] } }, "choices"],
    [{ type: "array", items: { type: "string" } }, "list"],
    [{ type: "object", properties: { a: {} } }, "group"],
    [{ type: "object", additionalProperties: { type: "string" } }, "map"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "text"],
    [{ type: ["integer", "null"] }, "number"],
    [{ oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, "variants"],
    [{ anyOf: [{ const: "a" }, { const: "b" }] }, "choice"],
    [{ enum: [{ a: 1 }, [2]] }, "choice"],
    [{ type: "array" }, "list"],
    [{ type: "array", prefixItems: [{ type: "string" }, {}], items: false }, "tuple"],
    [{ type: "array", items: [{ type: "string" }], additionalItems: { type: "string" } }, "json"],
    [{ type: "object", patternProperties: { "^x": {} } }, "map"],
    [{ type: "object", additionalProperties: {} }, "map"],
    [{ type: "object" }, "map"],
    [{ type: "object", additionalProperties: true }, "map"],
    [{ type: ["object", "null"], properties: {} }, "map"],
    [{ type: "object", additionalProperties: false }, "choice"],
    [{ type: "array", items: { type: "object" } }, "list"],
    [{ type: "string", anyOf: [{ minLength: 3 }, { format: "uri" }] }, "text"],
    [{ type: "string", contentEncoding: "base64" }, "long"],
    [{}, "json"],
    [true, "json"],
    [{ type: "weird" }, "json"],
  ];
  for (const [schema, kind] of kinds) assert.equal(describeOne(schema).kind, kind, JSON.stringify(schema));
});

test("references are followed anywhere, and cycles end", () => {
  const root = {
    $defs: {
      node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, name: { type: "string" } } },
    },
  };
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
  assert.equal(
    isEnvelope(
      describeArguments(
        { type: "object", properties: { request: { type: "object", properties: { a: {} } } } },
        5,
      ),
    ),
    true,
  );
  assert.equal(isEnvelope(describeArguments({ type: "object", properties: { a: {}, b: {} } }, 5)), false);
});

test("malformed schemas do not throw", () => {
  const bad = [
    undefined,
    null,
    true,
    false,
    7,
    "x",
    [],
    { properties: 3 },
    { properties: { a: null, b: 3, c: [] } },
    { required: "a" },
    {
      type: "object",
      properties: { a: { enum: "x", default: null, type: 9, anyOf: "y", description: 4, title: {} } },
    },
  ];
  for (const schema of bad) assert.ok(describeArguments(schema, 5), JSON.stringify(schema));
});

test("values are checked with words for people", () => {
  const schema = {
    type: "object",
    required: ["city"],
    additionalProperties: false,
    properties: {
      city: { type: "string", minLength: 2 },
      days: { type: "integer", exclusiveMinimum: 0, multipleOf: 2 },
      on: { type: "string", format: "date" },
    },
  };
  assert.deepEqual(messages({ city: "Rom", days: 4, on: "2026-02-28" }, schema), []);
  assert.deepEqual(messages({}, schema), ["city|This field is required."]);
  assert.match(messages({ city: "x" }, schema)[0], /^city\|At least 2/);
  assert.match(messages({ city: "Rom", days: 0 }, schema)[0], /more than 0/);
  assert.match(messages({ city: "Rom", days: 3 }, schema)[0], /multiple of 2/);
  assert.match(messages({ city: "Rom", on: "2026-02-31" }, schema)[0], /no such date|date as/);
  assert.match(messages({ city: "Rom", extra: 1 }, schema)[0], /knows no argument/);
  assert.deepEqual(messages({ n: 0.3 }, { properties: { n: { multipleOf: 0.1 } } }), []);
  assert.deepEqual(messages(1, { oneOf: [{ type: "integer" }, { type: "number" }] }), [
    "|This fits more than one of the allowed forms.",
  ]);
});

test("every keyword is checked that can be", () => {
  const refused = [
    [{ not: { required: ["a"] } }, { a: 1 }, /not allowed/],
    [{ if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, /b\|This field is required/],
    [{ if: { required: ["a"] }, else: false }, {}, /Nothing/],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, /^b\|/],
    [{ dependencies: { a: ["b"] } }, { a: 1 }, /^b\|/],
    [
      { dependentSchemas: { a: { properties: { c: { type: "string" } } } } },
      { a: 1, c: 2 },
      /^c\|Expected text/,
    ],
    [{ propertyNames: { maxLength: 2 } }, { abc: 1 }, /^abc\|The name is refused: At most 2/],
    [{ patternProperties: { "^x": { type: "string" } } }, { x1: 1 }, /^x1\|/],
    [{ patternProperties: { "^x": {} }, additionalProperties: false }, { y: 1 }, /knows no argument "y"/],
    [
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      /knows no argument "b"/,
    ],
    [{ items: { type: "string" }, contains: { const: "x" } }, ["y"], /At least 1 fitting entry/],
    [{ contains: { const: "x" }, minContains: 0, maxContains: 1 }, ["x", "x"], /At most 1/],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1], /^1\|/],
    [{ items: [{ type: "string" }], additionalItems: { type: "string" } }, ["a", 1], /^1\|/],
    [{ uniqueItems: true }, [1, { a: 1 }, 2, { a: 1 }], /differ/],
  ];
  for (const [schema, value, reason] of refused)
    assert.match(messages(value, schema).join(), reason, JSON.stringify(schema));
  const fine = [
    [
      {
        allOf: [{ properties: { a: {} } }],
        anyOf: [{ properties: { b: {} } }],
        if: { properties: { c: {} } },
        unevaluatedProperties: false,
      },
      { a: 1, b: 2, c: 3 },
    ],
    [{ additionalProperties: { type: "integer" }, unevaluatedProperties: false }, { z: 1 }],
    [{ uniqueItems: true }, [1, "1", true, null, { a: 1 }, { a: 2 }]],
    [{ not: { type: "string" } }, 1],
  ];
  for (const [schema, value] of fine) assert.deepEqual(messages(value, schema), [], JSON.stringify(schema));
});

test("nothing is refused because of what only the server can check", () => {
  const unknown = [
    [{ $ref: "https://example.com/schema.json" }, 1],
    [{ pattern: "^(.)\\1$" }, "ab"],
    [{ $ref: "#/nowhere" }, "x"],
    [{ patternProperties: { "(.)\\1": false } }, { ab: 1 }],
  ];
  for (const [one, value] of unknown) {
    for (const schema of [
      one,
      { not: one },
      { oneOf: [one, true] },
      { oneOf: [one, one] },
      { if: one, then: false },
      { not: { anyOf: [one] } },
      { not: { allOf: [{ not: one }] } },
    ])
      assert.deepEqual(messages(value, schema), [], JSON.stringify(schema));
    assert.deepEqual(messages([value], { contains: one, maxContains: 0 }), []);
    assert.deepEqual(messages({ a: value }, { not: { properties: { a: one } } }), []);
  }
});

test("references go to anchors and addresses too", () => {
  const root = {
    $id: "https://example.com/a.json",
    $defs: { x: { $anchor: "there", type: "integer" }, y: { $id: "other.json", type: "string" } },
  };
  const kind = (ref) => describeOne({ $ref: ref }, root).kind;
  assert.deepEqual(
    [
      "#there",
      "https://example.com/a.json#/$defs/x",
      "other.json",
      "#gone",
      "https://example.com/b.json",
    ].map(kind),
    ["number", "number", "text", "json", "json"],
  );
});

test("two schemas that both hold are drawn as one", () => {
  const both = {
    allOf: [
      { properties: { a: { type: "number" }, b: { enum: [1, 2, 3] } }, required: ["a"] },
      { properties: { a: { type: "integer", minimum: 1 }, b: { enum: [2, 3, 4] } } },
    ],
    type: "object",
  };
  const { fields } = describeOne(both);
  assert.deepEqual(
    fields.map(({ kind, required, values, schema }) => [kind, required, values, schema.minimum]),
    [
      ["number", true, undefined, 1],
      ["choice", false, [2, 3], undefined],
    ],
  );
});

test("no property is lost behind a schema that unfolds without end", () => {
  const node = {
    type: "object",
    properties: Object.fromEntries("abcdefgh".split("").map((name) => [name, { $ref: "#/$defs/node" }])),
  };
  const started = process.cpuUsage();
  const { fields } = describeArguments(
    {
      type: "object",
      properties: { tree: { $ref: "#/$defs/node" }, last: { type: "integer" } },
      $defs: { node },
    },
    5,
  );
  assert.equal(fields[1].kind, "number");
  assert.ok(
    process.cpuUsage(started).user < 500_000,
    "microseconds of the processor's time, whatever else runs",
  );
});

test("numbers are read exactly or refused", () => {
  assert.deepEqual(parseNumber(" 12 "), { value: 12 });
  assert.deepEqual(parseNumber("-.5e1"), { value: -5 });
  for (const text of ["1,5", "abc", "0x10", "1e999", "9007199254740993", "--1"])
    assert.ok("problem" in parseNumber(text), text);
});

test("patterns match as the language has it", () => {
  const texts = [
    "",
    "a",
    "ab",
    "abc",
    "aabb",
    "foo",
    "foob",
    "1:2;3-4",
    "a.b.example.com",
    "GET,POST",
    "GET,X",
    "a-b-c",
    "a--b",
    "x1y2",
    "Łódź",
    "line\nx",
    "]x",
    "12px",
    "no",
  ];
  const patterns = [
    "^[a-z]+(-[a-z]+)*$",
    "\\bfoo\\b",
    "foo\\B",
    "(?=.*\\d)[a-z\\d]{4,}",
    "^(?!no).*$",
    "^(?:a|ab)(?:c|bb?)$",
    "[\\]a]x",
    "\\x61\\u0062",
    "^\\p{L}{2,4}?$",
    "a{2}",
    "^(?<y>\\d+)px",
    "^(GET|POST)(,(GET|POST))*$",
    "^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]+$",
    "^$",
    "",
    "|a",
    "(a*)*b",
    "[^]",
    "^I?\\d+[:|-]\\d+(?:;\\d+[:|-]\\d+)*$",
  ];
  for (const pattern of patterns)
    for (const text of texts)
      assert.equal(matches(text, pattern), new RegExp(pattern, "u").test(text), `${pattern} on ${text}`);
  for (const pattern of ["(a)\\1", "(?<=a)b", "([", "a".repeat(3000), 7])
    assert.equal(matches("aa", pattern), undefined, `${pattern}`);
});

test("no pattern freezes the page", () => {
  const patterns = [
    "^(a+)+$",
    "^(a|a)*$",
    "^(a*)*b",
    "^(\\w+\\s?)*$",
    "^a*a*a*a*a*a*a*a*a*a*b$",
    "^(?=(a+)+$)x",
    "^(a{1,40}){1,40}$",
    "(.*)*x",
    "^([a-z]+\\d?){5,}$",
    "a?".repeat(40) + "a".repeat(40),
  ];
  for (const pattern of patterns)
    for (const length of [30, 2000]) {
      const started = performance.now();
      matches(`${"a".repeat(length)}!`, pattern);
      assert.ok(performance.now() - started < 2000, `${pattern} on ${length}`);
    }
});

test("an older draft says of a bound that it is exclusive, and nothing may be under a name that is false", () => {
  const older = { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true };
  assert.deepEqual(
    [0, 5, 10].map((value) => messages(value, older).length),
    [1, 0, 1],
  );
  assert.deepEqual(messages(0, older), ["|Must be more than 0."]);
  assert.deepEqual(messages(0, { ...older, exclusiveMinimum: false }), []);
  assert.deepEqual(
    describeArguments({ type: "object", properties: { a: false, b: true, c: {} } }, 5).fields.map(
      ({ key }) => key,
    ),
    ["b", "c"],
  );
  assert.deepEqual(
    describeArguments({ type: "object", properties: { "": {}, a: {} } }, 5).fields.map(({ label }) => label),
    ["(no name)", "a"],
  );
});
