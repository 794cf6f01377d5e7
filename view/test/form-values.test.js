import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  button,
  choose,
  control,
  fill,
  isShown,
  press,
  reasons,
  show,
  showProperties,
} from "./forms/screen.js";

const MANY = Array.from({ length: 1000 }, (_, i) => `value ${i}`);
const options = () => [...document.querySelectorAll("[role=option]")].filter(isShown);

describe("one of many values", () => {
  test("is searched for and taken with the keyboard", () => {
    const form = showProperties({ pick: { enum: MANY } });
    const box = control("Pick");
    assert.equal(box.getAttribute("role"), "combobox");
    fill("Pick", "99");
    assert.deepEqual(
      options()
        .map((one) => one.textContent)
        .slice(0, 3),
      ["value 99", "value 199", "value 299"],
    );
    press(box, "ArrowDown", "ArrowDown");
    assert.equal(document.getElementById(box.getAttribute("aria-activedescendant")).textContent, "value 199");
    press(box, "Enter");
    assert.equal(box.value, "value 199");
    assert.equal(box.ariaExpanded, "false");
    assert.deepEqual(form.submit(), { pick: "value 199" });
  });

  test("is taken by a click, and Escape leaves the list", () => {
    const form = showProperties({ pick: { enum: MANY } });
    const box = control("Pick");
    box.click();
    assert.equal(options().length, 100);
    press(box, "Escape");
    assert.equal(options().length, 0);
    press(box, "ArrowDown");
    options()[3].click();
    assert.deepEqual(form.submit(), { pick: "value 3" });
  });

  test("is taken as typed, refused when it is none, and left out when it is empty", () => {
    const form = showProperties({ pick: { enum: MANY }, number: { enum: MANY.map((_, i) => i) } });
    fill("Pick", "VALUE 7");
    fill("Number", "12");
    assert.deepEqual(form.submit(), { pick: "value 7", number: 12 });
    fill("Pick", "value");
    assert.equal(form.submit(), undefined);
    assert.deepEqual(reasons(), ["Choose one of the listed values."]);
    fill("Pick", "");
    assert.deepEqual(form.submit(), { number: 12 });
  });
});

describe("several of many values", () => {
  test("are searched for and stay ticked", () => {
    const form = showProperties({ picks: { type: "array", items: { enum: MANY } } });
    for (const words of ["value 999", "value 5"]) {
      fill("Search Picks", words);
      control(words).click();
    }
    fill("Search Picks", "");
    assert.ok(control("value 999").checked);
    assert.deepEqual(form.submit(), { picks: ["value 5", "value 999"] });
  });

  test("come back in their order until they are touched", () => {
    const form = showProperties({ picks: { type: "array", items: { enum: ["a", "b"] } } });
    form.fill({ picks: ["b", "a", "b"] });
    assert.deepEqual(form.submit(), { picks: ["b", "a", "b"] });
    control("a").click();
    assert.deepEqual(form.submit(), { picks: ["b"] });
  });
});

describe("null", () => {
  test("is offered where it says more than an empty field", () => {
    const form = showProperties({
      limit: { type: ["integer", "null"], default: 10 },
      name: { type: ["string", "null"], default: null },
      sure: { type: ["boolean", "null"] },
      place: { anyOf: [{ type: "object", properties: { a: { type: "string" } } }, { type: "null" }] },
    });
    assert.throws(() => control("Name: null"));
    control("Limit: null").click();
    control("Place: null").click();
    choose("Sure", "null");
    assert.deepEqual(form.submit(), { limit: null, sure: null, place: null });
    fill("Limit", "4");
    assert.deepEqual(form.submit(), { limit: 4, sure: null, place: null });
  });

  test("can be given by the host, and taken back", () => {
    const form = showProperties({
      name: { type: ["string", "null"], default: null },
      tags: { type: ["array", "null"], items: { type: "string" } },
    });
    form.fill({ name: null, tags: null });
    assert.deepEqual(form.submit(), { name: null, tags: null });
    control("Name: null").click();
    fill("Tags 1", "x");
    assert.deepEqual(form.submit(), { tags: ["x"] });
  });

  test("that is not allowed is left out", () => {
    const form = showProperties({
      name: { type: "string" },
      list: { type: "array", items: { type: "string" } },
    });
    form.fill({ name: null, list: null });
    assert.deepEqual(form.submit(), {});
  });
});

describe("defaults", () => {
  const schema = {
    type: "object",
    properties: {
      zero: { type: "integer", default: 0, minimum: 0, maximum: 0 },
      wrong: { type: "integer", default: "five" },
      list: { type: "array", items: { type: "string" }, default: ["a"] },
      place: {
        type: "object",
        properties: { city: { type: "string" }, country: { type: "string", default: "FR" } },
      },
    },
  };

  test("that do not fit are left out", () => {
    assert.deepEqual(show(schema).submit(), { zero: 0, list: ["a"] });
  });

  test("come back when the form is reset, at every level", () => {
    const form = show(schema);
    form.fill({ place: { city: "Rome" } });
    assert.deepEqual(form.submit(), { place: { city: "Rome" } });
    form.fill(undefined);
    assert.deepEqual(form.submit(), { zero: 0, list: ["a"] });
    fill("City", "Paris");
    assert.deepEqual(form.submit(), { zero: 0, list: ["a"], place: { city: "Paris", country: "FR" } });
  });
});

describe("numbers", () => {
  test("are sent with the digits that were typed, or refused", () => {
    const form = showProperties({ n: { type: "number" } });
    for (const [text, value] of [
      ["9007199254740994", 9007199254740994],
      ["2.50", 2.5],
      ["12345678901234568000000", 12345678901234568e6],
      ["1e-7", 1e-7],
      ["-0.0", -0],
    ]) {
      fill("n", text);
      assert.deepEqual(form.submit(), { n: value }, text);
    }
    for (const text of ["9007199254740993", "0.12345678901234567890", "1e400", "1e-400"]) {
      fill("n", text);
      assert.equal(form.submit(), undefined, text);
    }
  });

  test("are refused in JSON text too, and kept as text where a text may stand", () => {
    const form = showProperties({ id: { type: "integer" }, any: {} });
    fill("Any", "12345678901234567890");
    assert.deepEqual(form.submit(), { any: "12345678901234567890" });
    form.setRaw(true);
    fill("Raw arguments (JSON)", '{"id": 12345678901234567890, "any": "12345678901234567890"}');
    assert.equal(form.submit(), undefined);
    assert.match(reasons()[0], /^12345678901234567890: .*more digits/);
    fill("Raw arguments (JSON)", '{"id": 12345678901234567000, "any": "1e400 in words"}');
    assert.deepEqual(form.submit(), { id: 12345678901234567000, any: "1e400 in words" });
  });
});

test("dates that a control cannot show are shown as text, and can be repaired", () => {
  const form = showProperties({ day: { type: "string", format: "date", formatMinimum: "2026-01-01" } });
  form.fill({ day: "tomorrow" });
  assert.equal(control("Day").value, "tomorrow");
  assert.equal(form.submit(), undefined);
  form.fill({ day: "2025-12-31" });
  assert.equal(control("Day").type, "date");
  assert.equal(form.submit(), undefined);
  assert.deepEqual(reasons(), ["Must be 2026-01-01 or later."]);
  fill("Day", "2026-01-02");
  assert.deepEqual(form.submit(), { day: "2026-01-02" });
});

test("examples are suggested, what is deprecated or read-only says so", () => {
  const form = showProperties({
    city: { type: "string", examples: ["Paris", "Rome"] },
    old: { type: "string", deprecated: true, description: "Use city." },
    id: { type: "string", readOnly: true, default: "x" },
  });
  const suggested = document.getElementById(control("City").getAttribute("list"));
  assert.deepEqual(
    [...suggested.children].map((one) => one.value),
    ["Paris", "Rome"],
  );
  assert.equal(control("City").placeholder, "e.g. Paris");
  assert.match(control("Old").closest(".field").textContent, /Deprecated\. Use city\./);
  assert.equal(control("ID").readOnly, true);
  assert.deepEqual(form.submit(), {});
});

test("a range is shown where its bounds are not those of all numbers", () => {
  showProperties({
    page: { type: "integer", minimum: 1, maximum: 50 },
    step: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  });
  assert.deepEqual([control("Page").placeholder, control("Step").placeholder], ["1 \u2013 50", ""]);
});

test("formats are checked", () => {
  const wrong = {
    uri: "no address",
    email: "x@y",
    uuid: "1234",
    hostname: "-a.b",
    ipv4: "256.1.1.1",
    ipv6: "1::2::3",
    time: "25:00:00Z",
    duration: "1 hour",
    "date-time": "2026-02-30T00:00:00Z",
  };
  for (const [format, text] of Object.entries(wrong)) {
    const form = showProperties({ it: { type: "string", format } });
    form.fill({ it: text });
    assert.equal(form.submit(), undefined, format);
  }
  const form = showProperties({ it: { type: "string", format: "unheard-of" } });
  form.fill({ it: "anything" });
  assert.deepEqual(form.submit(), { it: "anything" });
});

test("a button adds what a list of lists holds", () => {
  const form = showProperties({
    rows: { type: "array", items: { type: "array", items: { type: "integer" } } },
    other: {},
  });
  fill("Rows 1 1", "1");
  button("Add to Rows 1").click();
  fill("Rows 1 2", "2");
  assert.deepEqual(form.submit(), { rows: [[1, 2]] });
});
