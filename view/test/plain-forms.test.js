// The build for plain schemas. Which schemas are plain is decided in Python: `tests/corpus/test_plain_forms.py` tries those.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freshDom } from "./dom.js";
import { random } from "./forms/random.js";
import { schemaMaker } from "./forms/schemas.js";
import { SCHEMAS } from "./samples.js";

freshDom();
const { assertSame, assertTaken } = await import("./forms/builds.js");
const SOURCES = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../src");

test("each module of the plain build stands in for one of the kit", () => {
  const modules = readdirSync(path.join(SOURCES, "plain"), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".js"));
  assert.ok(modules.length > 5);
  for (const name of modules) assert.ok(existsSync(path.join(SOURCES, "kit", name)), name);
});

test("a plain schema gives the same form in both builds", () => {
  assertSame({
    inputSchema: {
      type: "object",
      required: ["city", "size"],
      additionalProperties: false,
      properties: {
        city: { type: "string", minLength: 2, examples: ["Oslo", "Rome"] },
        days: { type: "integer", minimum: 1, maximum: 7, default: 3 },
        unit: { enum: ["c", "f", null] },
        size: { enum: ["s", "m"] },
        exact: { anyOf: [{ type: "boolean" }, { type: "null" }], default: null },
        share: { type: ["number", "null"], multipleOf: 0.1 },
        consent: { const: true },
        note: { type: "string", readOnly: true },
        free: { description: "Anything" },
      },
    },
    outputSchema: {
      type: "object",
      properties: {
        days: {
          type: "array",
          items: { type: "object", properties: { t: { title: "Temperature", type: "number" } } },
        },
      },
    },
  });
});

test("the comparison of the builds finds a schema that is not plain", () => {
  for (const schema of [
    { type: "array", items: { type: "string" } },
    { type: "array", items: { enum: ["s", "m"] } },
    { type: "string", format: "date" },
    { $ref: "#/$defs/a" },
    { type: ["string", "integer"] },
  ]) {
    assert.throws(
      () =>
        assertSame({
          inputSchema: { type: "object", properties: { a: schema }, $defs: { a: { enum: [1] } } },
        }),
      JSON.stringify(schema),
    );
  }
  assert.throws(() =>
    assertSame({
      outputSchema: { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { title: "Label" } } },
    }),
  );
});

test("the plain build takes every schema: what it has no code for is a line or JSON text", () => {
  for (const [schema] of SCHEMAS) assertTaken(schema);
  for (const schema of [
    true,
    null,
    [],
    7,
    { type: "array" },
    { properties: [] },
    { type: "object", required: [{}, 1], properties: { a: true, b: false, c: null } },
  ])
    assertTaken(schema);
  for (let seed = 0; seed < 60; seed++)
    assertTaken(schemaMaker(random(seed), seed % 2 ? "draft-07" : "2020-12").whole(3).schema);
});
