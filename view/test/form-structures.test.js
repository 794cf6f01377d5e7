import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { button, choose, control, fill, isShown, reasons, show, showProperties } from "./forms/screen.js";

const TEXT = { type: "string" };
const OTHER = { other: TEXT };

describe("rows", () => {
  test("are moved by their buttons, and numbered by where they are", () => {
    const form = showProperties({ tags: { type: "array", items: TEXT }, ...OTHER });
    form.fill({ tags: ["a", "b", "c"] });
    button("Move Tags 3 up").click();
    assert.equal(control("Tags 2").value, "c");
    assert.equal(document.activeElement, button("Move Tags 2 up"));
    button("Move Tags 2 up").click();
    assert.equal(document.activeElement, button("Move Tags 1 down"), "the way up has ended");
    button("Move Tags 2 down").click();
    assert.deepEqual(form.submit(), { tags: ["c", "b", "a"] });
  });

  test("of objects keep what was entered when they move", () => {
    const form = showProperties({
      people: {
        type: "array",
        items: { type: "object", properties: { name: TEXT, nick: { type: "array", items: TEXT } } },
      },
      ...OTHER,
    });
    button("Add to People").click();
    fill("Name", "Ada");
    button("Move People 1 down").click();
    assert.equal(document.querySelectorAll("legend")[1].textContent, "People 1");
    fill("Name", "Grace");
    assert.deepEqual(form.submit(), { people: [{ name: "Grace" }, { name: "Ada" }] });
  });

  test("begin with as many as are needed and end at the limit", () => {
    const form = showProperties(
      { box: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 3 }, ...OTHER },
      "box",
    );
    fill("Box 1", "1");
    fill("Box 2", "2");
    assert.equal(button("Add to Box").disabled, false);
    button("Add to Box").click();
    assert.equal(button("Add to Box").disabled, true);
    button("Remove Box 3").click();
    assert.equal(button("Add to Box").disabled, false);
    assert.deepEqual(form.submit(), { box: [1, 2] });
  });

  test("that were asked for are sent with their defaults, those that were there are not", () => {
    const form = showProperties({
      sizes: { type: "array", items: { type: "integer", default: 5 } },
      ...OTHER,
    });
    assert.deepEqual(form.submit(), {});
    button("Add to Sizes").click();
    assert.deepEqual(form.submit(), { sizes: [5] });
  });

  test("are as many as fit on a page, and the entries behind them are kept", () => {
    const numbers = Array.from({ length: 260 }, (_, i) => i);
    const form = showProperties({
      numbers: { type: "array", items: { type: "integer" } },
      table: { type: "object", additionalProperties: { type: "integer" } },
    });
    const table = Object.fromEntries(numbers.map((one) => [`k${one}`, one]));
    form.fill({ numbers, table });
    fill("Numbers 1", "9");
    assert.deepEqual(form.submit(), { numbers: [9, ...numbers.slice(1)], table });
  });
});

describe("free names", () => {
  const schema = (more) => ({ type: "object", properties: { id: TEXT, ...OTHER }, ...more });

  test("stand beside fixed properties", () => {
    const form = show(schema({ additionalProperties: { type: "integer" } }));
    button("Add to Further entries").click();
    fill("Key 1", "size");
    fill("Value 1", "4");
    assert.deepEqual(form.submit(), { size: 4 });
    form.fill({ id: "x", __proto__: null, size: 7 });
    assert.equal(control("Value 1").value, "7");
  });

  test("cannot be those of fixed properties, nor twice the same", () => {
    const form = show(schema({ additionalProperties: { type: "integer" } }));
    for (const place of [1, 2]) {
      button("Add to Further entries").click();
      fill(`Key ${place}`, place === 1 ? "id" : "size");
      fill(`Value ${place}`, "1");
    }
    assert.equal(form.submit(), undefined);
    assert.deepEqual(reasons(), ['There is a field for "id" already.']);
    fill("Key 1", "size");
    assert.equal(form.submit(), undefined);
    assert.deepEqual(reasons(), ["This key is there already."]);
  });

  test("must fit their pattern, and the values what the pattern asks", () => {
    const form = showProperties({
      ...OTHER,
      headers: {
        type: "object",
        patternProperties: { "^x-": { type: "integer" } },
        additionalProperties: false,
      },
    });
    fill("Key 1", "y");
    fill("Value 1", "1");
    assert.equal(form.submit(), undefined);
    assert.match(reasons()[0], /knows no argument "y"/);
    fill("Key 1", "x-a");
    assert.deepEqual(form.submit(), { headers: { "x-a": 1 } });
    fill("Value 1", "1.5");
    assert.equal(form.submit(), undefined);
    assert.match(reasons()[0], /whole number/);
  });

  test("may be of several kinds", () => {
    const form = showProperties({
      ...OTHER,
      env: {
        type: "object",
        additionalProperties: { anyOf: [{ type: "integer" }, { type: "array", items: TEXT }] },
      },
    });
    form.fill({ env: { a: 1, b: ["x"] } });
    assert.equal(control("Value 1").value, "1");
    assert.deepEqual(form.submit(), { env: { a: 1, b: ["x"] } });
  });
});

describe("fixed places", () => {
  for (const [draft, places] of [
    ["2020-12", { prefixItems: [{ type: "number", title: "Width" }, { type: "number" }] }],
    ["draft-07", { items: [{ type: "number", title: "Width" }, { type: "number" }] }],
  ]) {
    test(`have a field each, in ${draft}`, () => {
      const form = showProperties({ size: { type: "array", ...places }, ...OTHER });
      assert.deepEqual(form.submit(), {});
      fill("Size 2", "3");
      assert.equal(form.submit(), undefined);
      assert.match(reasons()[0], /Fill in this one too/);
      fill("Width", "2");
      assert.deepEqual(form.submit(), { size: [2, 3] });
      form.fill({ size: [1, 2, "more"] });
      assert.deepEqual(form.submit(), { size: [1, 2, "more"] });
    });
  }
});

describe("alternatives", () => {
  const SHAPE = {
    oneOf: [
      { type: "object", properties: { kind: { const: "none" } } },
      {
        type: "object",
        properties: { kind: { const: "circle" }, radius: { type: "number" } },
        required: ["radius"],
      },
    ],
  };

  test("send what tells them apart, also when the schema does not ask for it", () => {
    const form = showProperties({ shape: SHAPE, ...OTHER });
    assert.deepEqual(form.submit(), {});
    choose("Kind", "kind: circle");
    fill("Radius", "2");
    assert.deepEqual(form.submit(), { shape: { kind: "circle", radius: 2 } });
  });

  test("show the alternative that incomplete arguments are for", () => {
    const form = showProperties({ shape: SHAPE, ...OTHER });
    form.fill({ shape: { kind: "circle" } });
    assert.equal(form.submit(), undefined);
    assert.equal(document.activeElement, control("Radius"));
  });

  test("that only say what goes together are checked and not picked", () => {
    const form = show({
      type: "object",
      properties: { a: TEXT, b: TEXT },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    });
    assert.equal(form.submit(), undefined);
    fill("b", "x");
    assert.deepEqual(form.submit(), { b: "x" });
  });

  test("may be the whole of the arguments", () => {
    const form = show({
      oneOf: [
        { type: "object", title: "By id", properties: { id: TEXT }, required: ["id"] },
        { type: "object", title: "By name", properties: { name: TEXT }, required: ["name"] },
      ],
    });
    choose("Kind", "By name");
    fill("Name", "x");
    assert.deepEqual(form.submit(), { name: "x" });
  });

  test("of constants are words to choose from", () => {
    const form = showProperties({
      unit: {
        oneOf: [
          { const: "c", title: "Celsius" },
          { const: "f", title: "Fahrenheit" },
        ],
      },
    });
    choose("Unit", "Fahrenheit");
    assert.deepEqual(form.submit(), { unit: "f" });
  });
});

describe("conditions", () => {
  test("are asked for and checked", () => {
    const form = show({
      type: "object",
      properties: { method: { enum: ["mail", "phone"] } },
      required: ["method"],
      if: { properties: { method: { const: "phone" } } },
      then: { properties: { number: { type: "string" } }, required: ["number"] },
      dependentRequired: { number: ["method"] },
    });
    choose("Method", "mail");
    assert.deepEqual(form.submit(), { method: "mail" });
    choose("Method", "phone");
    assert.equal(form.submit(), undefined);
    assert.equal(document.activeElement, control("Number"));
    fill("Number", "1");
    assert.deepEqual(form.submit(), { method: "phone", number: "1" });
  });

  test("that name what the form cannot ask for say so in words", () => {
    const form = showProperties({
      place: { type: "object", properties: { a: TEXT }, dependentRequired: { a: ["unheard"] } },
      ...OTHER,
    });
    fill("a", "x");
    assert.equal(form.submit(), undefined);
    assert.deepEqual(reasons(), ["unheard: This field is required."]);
  });
});

describe("many properties", () => {
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`option${i}`, { type: "integer", maximum: 5 }]),
  );
  const details = () => document.querySelector("details.more-options");
  const label = (/** @type {number} */ i) => `Option${i}`;

  test("are folded but for what is required and the first few", () => {
    showProperties({ ...many, must: TEXT }, "must");
    assert.equal(details().open, false);
    assert.equal(details().querySelector("summary").textContent, "More options (41)");
    assert.equal(document.querySelector("input").dataset.field, "must");
    assert.ok(control(label(8)));
  });

  test("are folded by how many controls they have in all, whatever stands at the top", () => {
    const part = { type: "object", properties: Object.fromEntries(Object.entries(many).slice(0, 40)) };
    showProperties({ must: TEXT, small: TEXT, first: part, second: part, last: TEXT }, "must");
    assert.equal(details().open, false);
    assert.equal(details().querySelector(":scope > summary").textContent, "More options (2)");
    assert.equal(document.querySelectorAll("input[data-field]").length, 3);
    assert.ok(control("Last"));
  });

  test("are open at first where there is nothing else", () => {
    const part = { type: "object", properties: Object.fromEntries(Object.entries(many).slice(0, 40)) };
    showProperties({ first: part });
    assert.equal(document.querySelectorAll("details.more-options")[0].open, false);
    showProperties({ first: part, second: part });
    assert.equal(details().open, true);
  });

  test("are opened by a value or a mistake inside", () => {
    const form = showProperties(many);
    form.fill({ option1: 1 });
    assert.equal(details().open, false);
    form.fill({ option39: 9 });
    assert.equal(details().open, true);
    details().open = false;
    assert.equal(form.submit(), undefined);
    assert.equal(details().open, true);
    assert.equal(document.activeElement, control(label(39)));
  });

  test("are made when they are first needed, and are what they would have been all along", () => {
    const defaults = {
      ...many,
      option39: { type: "integer", default: 4 },
      option40: { type: "string", default: "" },
    };
    const form = showProperties(defaults);
    const boxes = () => document.querySelectorAll("input[data-field]").length;
    assert.equal(boxes(), 10);
    assert.deepEqual(form.submit(), { option39: 4 });
    form.fill({ option1: 1 });
    assert.deepEqual(form.submit(), { option1: 1 });
    assert.equal(boxes(), 10);
    form.fill({ option1: 2, option41: 5 });
    assert.equal(boxes(), 50);
    assert.equal(control(label(39)).value, "");
    assert.deepEqual(form.submit(), { option1: 2, option41: 5 });
    form.fill(undefined);
    assert.deepEqual(form.submit(), { option39: 4 });
  });

  test("a rule for one of them that is not made yet makes it", () => {
    const form = show({ type: "object", properties: many, dependentRequired: { option1: ["option39"] } });
    fill(label(1), "3");
    assert.equal(form.submit(), undefined);
    assert.equal(details().open, true);
    assert.equal(document.activeElement, control(label(39)));
  });

  test("can be searched", () => {
    showProperties(many);
    details().open = true;
    fill("Search the options", "OPTION3");
    assert.ok(isShown(control(label(33))));
    assert.throws(() => control(label(22)));
  });

  test("ten are not folded", () => {
    showProperties(Object.fromEntries(Object.entries(many).slice(0, 10)));
    assert.equal(details(), null);
  });
});

test("what holds everything is shown flat, and does not count for the depth", () => {
  const nested = (depth) => (depth ? { type: "object", properties: { in: nested(depth - 1), x: {} } } : TEXT);
  const form = showProperties({ request: nested(6) });
  const deepest = "request.in.in.in.in.in.in";
  assert.equal(document.querySelector(`[data-field="${deepest}"]`).className, "");
  form.fill({ request: { in: { x: 1 } } });
  assert.deepEqual(form.submit(), { request: { in: { x: 1 } } });
});
