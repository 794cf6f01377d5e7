import assert from "node:assert/strict";
import { test } from "node:test";
import { subjects } from "./subjects.js";
const [{ kit }] = subjects;
const { readText } = await import("../src/kit/result/recognise/read.js");
const { joined, rowsFrom } = await import("../src/kit/result/recognise/rows.js");
const { check } = await import("../src/kit/schema/check.js");
const { matches } = await import("../src/kit/schema/pattern.js");
const { resolve } = await import("../src/kit/schema/resolve.js");

const LIMIT_MS = 8000;
const quickly = (work) => {
  const start = performance.now();
  const value = work();
  assert.ok(performance.now() - start < LIMIT_MS, "it took too long");
  return value;
};
const ref = (name) => ({ $ref: `#/$defs/${name}` });
const levels = (keyword) => ({
  $defs: Object.fromEntries(
    Array.from({ length: 15 }, (_, i) => [`d${i}`, { [keyword]: Array(8).fill(ref(`d${i + 1}`)) }]),
  ),
  ...ref("d0"),
});

test("a schema whose parts repeat each other is read in time", () => {
  const root = levels("allOf");
  root.$defs.d15 = { properties: { a: {} } };
  assert.deepEqual(quickly(() => resolve(root, root)).schema.properties, { a: {} });
  for (const keyword of ["allOf", "anyOf", "oneOf"])
    quickly(() => check("x", levels(keyword), levels(keyword)));
});

test("a pattern that repeats nothing for ever is left to the server", () => {
  for (const pattern of ["(\\b|$){99999999}", `${"(".repeat(10)}^${"){99}".repeat(10)}`])
    assert.equal(
      quickly(() => matches("a".repeat(100), pattern)),
      undefined,
    );
});

test("what begins and never ends is read in time", () => {
  for (const piece of ["\x1b]", "[a](b("]) quickly(() => readText(piece.repeat(400_000 / piece.length)));
});

test("rows lose nothing to their head", () => {
  assert.deepEqual(rowsFrom(["a", "a", "a 2"], [[1, 2, 3]]), {
    columns: ["a", "a 2", "a 2 3"],
    rows: [{ a: 1, "a 2": 2, "a 2 3": 3 }],
  });
  assert.deepEqual(joined({ columns: ["a"], rows: [[1, 2]] }), [{ a: 1, "# 2": 2 }]);
});

test("texts that hold an answer are set large; records and texts of any size are read in time", () => {
  const show = () => new kit.Show({});
  const drawn = (text, args) => {
    document.body.replaceChildren(...kit.renderResult({ content: [{ type: "text", text }] }, show(), args));
    return document.body;
  };
  assert.match(
    drawn('{"value": 10, "from": "km", "to": "mi", "result": 6.2137119, "category": "length"}', {
      value: 10,
      from: "km",
      to: "mi",
    }).querySelector(".hero").textContent,
    /10 km =6\.2137119mi/,
  );
  for (const [text, shown] of [
    ["1414.2135623731", "1414.2135623731"],
    ["33.333333333333336", "33.33333"],
  ])
    assert.equal(drawn(text).querySelector(".hero .figure").textContent, shown);
  assert.equal(drawn("The sum of 2 and 40.5 is 42.5.").querySelector(".figure").textContent, "42.5");
  assert.equal(drawn("Table created successfully").querySelector(".said").dataset.tone, "ok");
  for (const words of ["Nothing was deleted by it", "The task was not completed", "a".repeat(200)])
    assert.equal(drawn(words).querySelector(".said, .hero"), null, words);
  const many = Array.from({ length: 100_000 }, (_, i) => ({
    name: `n${i}`,
    description: `<img src=x onerror=alert(1)> ${"words ".repeat(9)}`,
    __proto__x: i,
    nested: [{ a: { b: [i] } }],
  }));
  const body = quickly(() => drawn(JSON.stringify(many)));
  assert.equal(body.querySelectorAll("li").length, 8);
  assert.equal(body.querySelector("img"), null);
  for (const text of ["a ".repeat(80), "1".repeat(160), `${"x=".repeat(70)}1`]) quickly(() => drawn(text));
});
