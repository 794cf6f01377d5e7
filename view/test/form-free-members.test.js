// Objects whose schema names no members: one row a key, with a value of a type that the person chooses.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { button, choose, control, fill, reasons, show, showProperties } from "./forms/screen.js";

const OTHER = { other: { type: "boolean" } };
const FREE = { type: "object" };
const bySpelling = {
  "no word on members": FREE,
  "no properties": { type: "object", properties: {} },
  true: { type: "object", additionalProperties: true },
  "an empty schema": { type: "object", additionalProperties: {} },
  "only a title": { type: "object", title: "Fields", additionalProperties: { title: "Value" } },
  nullable: { anyOf: [{ type: "object", additionalProperties: true }, { type: "null" }], default: null },
  "a list of types": { type: ["object", "null"] },
  "any pattern": { type: "object", patternProperties: { ".*": {} } },
  "names that are checked": { type: "object", propertyNames: { maxLength: 40 } },
};
const VALUES = {
  text: "Paris",
  empty: "",
  lines: "one\r\ntwo",
  digits: "007",
  word: "true",
  zero: 0,
  small: 2.5e-7,
  large: 1e21,
  yes: true,
  no: false,
  nothing: null,
  list: [1, "2", [null]],
  object: { deep: { deeper: [{}] } },
  "": "no name",
  "two\nlines": "key",
  __proto__x: 1,
  "a.b": "dots",
  " padded ": "x",
};
const formOf = (schema, ...required) => showProperties({ fields: schema, ...OTHER }, ...required);
const typed = (value) => JSON.parse(JSON.stringify(value));
const boxes = () => [...document.querySelectorAll("textarea.code")].filter((one) => !one.closest("[hidden]"));

for (const [spelling, schema] of Object.entries(bySpelling))
  test(`an object with ${spelling} asks for keys and values, without JSON text`, () => {
    const form = formOf(schema);
    assert.equal(boxes().length, 0);
    assert.deepEqual(form.submit(), {});
    fill("Key 1", "city");
    fill("Value 1", "Paris");
    assert.deepEqual(form.submit(), { fields: { city: "Paris" } });
  });

describe("a value", () => {
  const entries = [
    ["Text", "12", "12"],
    ["Number", "12", 12],
    ["Number", "-0.50", -0.5],
    ["Null", undefined, null],
    ["JSON", '{"a": [1]}', { a: [1] }],
    ["JSON", "[]", []],
    ["JSON", '""', ""],
  ];
  for (const [type, text, value] of entries)
    test(`of type ${type} is sent as ${JSON.stringify(value)}`, () => {
      const form = formOf(FREE);
      fill("Key 1", "it");
      choose("Type of Value 1", type);
      if (text !== undefined) fill("Value 1", text);
      assert.deepEqual(form.submit(), { fields: { it: value } });
    });

  for (const value of [true, false])
    test(`of type True/false is sent as ${value}`, () => {
      const form = formOf(FREE);
      fill("Key 1", "it");
      choose("Type of Value 1", "True/false");
      assert.equal(form.submit(), undefined);
      choose("Value 1", `${value}`);
      assert.deepEqual(form.submit(), { fields: { it: value } });
    });

  test("that is not of its type is refused with the reason", () => {
    const form = formOf(FREE);
    fill("Key 1", "it");
    choose("Type of Value 1", "Number");
    fill("Value 1", "a dozen");
    assert.equal(form.submit(), undefined);
    assert.match(reasons()[0], /number, such as/);
    fill("Value 1", "12345678901234567890");
    assert.equal(form.submit(), undefined);
    assert.match(reasons()[0], /more digits/);
    choose("Type of Value 1", "JSON");
    fill("Value 1", '{"a": ');
    assert.equal(form.submit(), undefined);
    assert.match(reasons()[0], /not valid JSON/);
  });

  test("goes along when its type changes, as far as the new type can have it", () => {
    const form = formOf(FREE);
    const sentAs = (type) => {
      choose("Type of Value 1", type);
      return form.submit()?.fields.it;
    };
    fill("Key 1", "it");
    fill("Value 1", "12");
    assert.deepEqual(
      [sentAs("Number"), sentAs("Text"), sentAs("JSON"), sentAs("Number")],
      [12, "12", 12, 12],
    );
    form.fill({ fields: { it: { a: 1 } } });
    assert.equal(sentAs("Text"), '{"a":1}');
    form.fill({ fields: { it: "12345678901234567890" } });
    assert.equal(sentAs("Number"), undefined, "a number of other digits is not made of a text");
  });
});

test("host input fills the rows by type and is sent as it came", () => {
  const form = formOf(FREE);
  for (const fields of [VALUES, {}, { __proto__: "own", ...VALUES }]) {
    const given = { fields: JSON.parse(JSON.stringify(fields)) };
    form.fill(given);
    assert.deepEqual(form.submit(), given);
    assert.equal(JSON.stringify(form.submit()), JSON.stringify(given), "in the same order");
  }
  form.fill({ fields: { t: "x", n: 1.5, b: false, z: null, j: [1] } });
  const types = [1, 2, 3, 4, 5]
    .map((place) => control(`Type of Value ${place}`))
    .map((one) => one.options[one.selectedIndex].textContent);
  assert.deepEqual(types, ["Text", "Number", "True/false", "Null", "JSON"]);
});

test("more entries than there are rows are sent too", () => {
  const form = formOf(FREE);
  const fields = Object.fromEntries(Array.from({ length: 260 }, (_, i) => [`key ${i}`, i % 2 ? i : `${i}`]));
  form.fill({ fields });
  assert.deepEqual(form.submit(), { fields });
});

test("rows are added and removed", () => {
  const form = formOf(FREE);
  fill("Key 1", "a");
  fill("Value 1", "1");
  button("Add to Fields").click();
  assert.equal(document.activeElement, control("Key 2"));
  fill("Key 2", "b");
  choose("Type of Value 2", "Null");
  assert.deepEqual(form.submit(), { fields: { a: "1", b: null } });
  button("Remove Key 1").click();
  assert.equal(control("Key 1").value, "b");
  assert.equal(control("Type of Value 1").selectedIndex, 3);
  assert.deepEqual(form.submit(), { fields: { b: null } });
});

test("a key that is there twice is refused at the key, until it is another", () => {
  const form = formOf(FREE);
  form.fill({ fields: { a: 1, b: 2 } });
  fill("Key 2", "a");
  assert.equal(form.submit(), undefined);
  assert.deepEqual(reasons(), ["This key is there already."]);
  const key = control("Key 2");
  assert.equal(key.ariaInvalid ?? key.getAttribute("aria-invalid"), "true");
  assert.match(
    key
      .getAttribute("aria-describedby")
      .split(" ")
      .map((id) => document.getElementById(id).textContent)
      .join(),
    /already/,
  );
  assert.equal(document.activeElement, key);
  fill("Key 2", "c");
  assert.deepEqual(reasons(), []);
  assert.deepEqual(form.submit(), { fields: { a: 1, c: 2 } });
});

test("a value without a key is refused at the key, a key without a value at the value", () => {
  const form = formOf(FREE);
  fill("Value 1", "x");
  assert.equal(form.submit(), undefined);
  assert.equal(document.activeElement, control("Key 1"));
  fill("Key 1", "k");
  fill("Value 1", "");
  assert.equal(form.submit(), undefined);
  assert.equal(document.activeElement, control("Value 1"));
  assert.deepEqual(reasons(), ["A pair needs a key and a value."]);
});

test("an object that is required is sent empty, and one that is optional left out", () => {
  assert.deepEqual(formOf(FREE, "fields").submit(), { fields: {} });
  assert.deepEqual(formOf(FREE).submit(), {});
  assert.deepEqual(formOf({ ...FREE, default: {} }).submit(), { fields: {} });
  assert.deepEqual(formOf({ ...FREE, default: { a: 1 } }).submit(), { fields: { a: 1 } });
});

test("what the schema says of keys and sizes is still checked", () => {
  const form = formOf({ type: "object", propertyNames: { pattern: "^[a-z]+$" }, minProperties: 2 });
  fill("Key 1", "A");
  fill("Value 1", "x");
  assert.equal(form.submit(), undefined);
  assert.ok(
    reasons().some(
      (one) => /2 or more/.test(one) || /at least 2/i.test(one) || /The name is refused/.test(one),
    ),
    reasons().join(),
  );
});

test("an object that can only be empty is a choice, not a place for JSON", () => {
  const closed = { type: "object", properties: {}, additionalProperties: false };
  const form = formOf(closed);
  assert.equal(boxes().length, 0);
  assert.deepEqual(form.submit(), {});
  choose("Fields", "{}");
  assert.deepEqual(form.submit(), { fields: {} });
  assert.deepEqual(formOf(closed, "fields").submit(), { fields: {} });
});

test("lists of free objects, free objects in maps and beside properties have rows too", () => {
  const form = showProperties({
    rows: { type: "array", items: FREE },
    maps: { type: "object", additionalProperties: FREE },
    open: { type: "object", properties: { id: { type: "string" } }, additionalProperties: true },
  });
  const given = {
    rows: [{ a: 1, b: "1" }, {}],
    maps: { m: { x: null }, n: {} },
    open: { id: "7", extra: [true] },
  };
  form.fill(given);
  assert.deepEqual(typed(form.submit()), given);
  assert.equal(boxes().length, 1, "only the list is JSON");
});

test("below the depth limit there is one box for all", () => {
  const nested = (depth) =>
    depth ? { type: "object", properties: { in: nested(depth - 1), x: { type: "string" } } } : FREE;
  const form = show(nested(7));
  const value = [0, 0, 0, 0, 0, 0, 0].reduce((inner) => ({ in: inner }), { a: 1 });
  form.fill(value);
  assert.deepEqual(typed(form.submit()), value);
});

describe("JSON that is pasted", () => {
  const open = {
    type: "object",
    properties: { meta: FREE, name: { type: "string" } },
    additionalProperties: true,
  };

  test("into a value without a key fills its own object, not the one around it", () => {
    const form = showProperties({ outer: open, ...OTHER });
    fill("Value 1", '{"a": 1, "b": "x"}');
    assert.deepEqual(form.submit(), { outer: { meta: { a: 1, b: "x" } } });
  });

  test("into a value with a key becomes that value", () => {
    for (const text of ['{"a": 1}', "[1, 2]"]) {
      const form = showProperties({ rows: { type: "array", items: FREE }, ...OTHER });
      fill("Key 1", "it");
      fill("Value 1", text);
      assert.deepEqual(form.submit(), { rows: [{ it: JSON.parse(text) }] });
      assert.equal(boxes().length, 1);
    }
  });

  test("is taken back from one value only, when that is emptied", () => {
    const form = formOf(FREE);
    form.fill({ fields: { a: "1", b: "2" } });
    fill("Value 1", "[3]");
    fill("Value 1", "");
    assert.equal(control("Value 2").value, "2");
    assert.equal(form.submit(), undefined, "the first has no value now");
  });
});
