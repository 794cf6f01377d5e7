import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { type } from "./dom.js";
import { subjects } from "./subjects.js";

for (const {
  where,
  kit: { argumentsForm },
} of subjects)
  describe(where, () => {
    /** @param {object} properties @param {string[]} [required] */
    function make(properties, required = []) {
      const form = argumentsForm({ type: "object", properties, required }, { maxDepth: 5 });
      document.body.append(form.element);
      return form;
    }
    const control = (name) =>
      [...document.querySelectorAll("input, select, textarea")].find((one) => one.dataset.field === name);
    const errors = () =>
      [...document.querySelectorAll(".error-line:not([hidden])")].map((one) => one.textContent);

    beforeEach(() => document.body.replaceChildren());

    test("values have the schema's types, and empty optional ones are left out", () => {
      const form = make({
        n: { type: "integer" },
        s: { type: "string" },
        b: { type: "boolean" },
        e: { enum: [1, 2] },
      });
      assert.deepEqual(form.submit(), {});
      type(control("n"), "3");
      type(control("s"), "x");
      control("b").value = "false";
      control("e").selectedIndex = 2;
      assert.deepEqual(form.submit(), { n: 3, s: "x", b: false, e: 2 });
    });

    test("what does not validate is refused next to the control, which is focused", () => {
      const form = make({ a: { type: "string" }, n: { type: "integer", minimum: 0, maximum: 5 } }, ["n"]);
      assert.equal(form.submit(), undefined);
      assert.deepEqual(errors(), ["This field is required."]);
      assert.equal(document.activeElement, control("n"));
      type(control("n"), "9");
      assert.equal(form.submit(), undefined);
      assert.equal(control("n").getAttribute("aria-invalid"), "true");
      type(control("n"), "0");
      assert.deepEqual(form.submit(), { n: 0 });
      assert.deepEqual(errors(), []);
    });

    test("defaults are shown and sent, a default of null or an optional empty text is not", () => {
      const form = make({
        z: { type: "integer", default: 0 },
        f: { type: "boolean", default: false },
        s: { type: "string", default: "" },
        n: { type: "string", default: null },
      });
      assert.deepEqual(form.submit(), { z: 0, f: false });
    });

    test("a tool that asks for nothing has its JSON text folded away, until the host sends arguments", () => {
      for (const schema of [
        {},
        { type: "object" },
        { type: "object", properties: {}, additionalProperties: false },
      ]) {
        const form = argumentsForm(schema, { maxDepth: 5 });
        document.body.replaceChildren(form.element);
        const more = document.querySelector("details");
        assert.deepEqual(
          [form.none, more.open, more.hidden, form.submit()],
          [true, false, "additionalProperties" in schema, {}],
        );
        form.fill({});
        assert.equal(more.open, false);
        form.fill({ x: 1 });
        assert.deepEqual([more.open, more.hidden, form.peek()], [true, false, { x: 1 }]);
      }
      for (const schema of [
        { type: "object", required: ["a"] },
        { type: "object", additionalProperties: { type: "string" } },
        { type: "array" },
        false,
      ])
        assert.equal(argumentsForm(schema, { maxDepth: 5 }).none, false, JSON.stringify(schema));
      assert.equal(argumentsForm({}, { maxDepth: 5, omitted: "Too large" }).none, false);
    });

    test("every control has a label and no id comes from the schema", () => {
      const names = ["name", "action", "submit", "length", "__proto__", "constructor", "id"];
      const form = make(JSON.parse(`{${names.map((name) => `"${name}":{"type":"string"}`).join()}}`));
      for (const one of document.querySelectorAll("input, select, textarea"))
        assert.equal(one.labels.length, 1);
      for (const one of document.querySelectorAll("[id]")) assert.match(one.id, /^g\d+$/);
      assert.equal(document.querySelector("input[name], select[name], textarea[name]"), null);
      for (const name of names) type(control(name), "v");
      assert.deepEqual(Object.keys(form.submit()).sort(), [...names].sort());
    });

    test("host input comes back exactly, also what no control can hold", () => {
      const form = make({
        when: { type: "string", format: "date-time" },
        t: { type: "string" },
        n: { anyOf: [{ type: "string" }, { type: "null" }] },
        o: { type: "object", properties: { a: { type: "string" } } },
      });
      const given = { when: "2026-03-14T15:09:00.25+02:00", t: "", n: null, o: {}, extra: [1] };
      form.fill(given);
      assert.deepEqual(form.submit(), given);
    });

    test("an optional group that no one touched is left out, also with defaults inside", () => {
      const form = make({
        o: {
          type: "object",
          required: ["id"],
          properties: { id: { type: "string" }, on: { type: "boolean", default: true } },
        },
      });
      assert.deepEqual(form.submit(), {});
      type(control("o.id"), "7");
      assert.deepEqual(form.submit(), { o: { id: "7", on: true } });
    });

    test("JSON pasted beside a key without a name is for all keys, beside a named one it is its value", () => {
      const form = make({
        effects: { type: "object", additionalProperties: { type: "object", additionalProperties: true } },
      });
      const box = () => document.querySelector(".any :is(input, textarea)");
      type(box(), '{"blur": {"px": 3}}');
      assert.deepEqual(form.submit(), { effects: { blur: { px: 3 } } });
      type(box(), "");
      assert.deepEqual(form.submit(), {});
      type(document.querySelector(".key"), "glow");
      type(box(), '{"px": 4}');
      assert.deepEqual(form.submit(), { effects: { glow: { px: 4 } } });
    });

    test("JSON that names the box it is pasted into is for the object around it", () => {
      const form = make({
        data: {
          type: "object",
          properties: { fields: { type: "object", properties: {}, additionalProperties: {} } },
        },
      });
      const box = () => document.querySelector("textarea");
      type(box(), '{"fields": {"a": 1}}');
      assert.deepEqual(form.submit(), { data: { fields: { a: 1 } } });
      form.fill({});
      type(box(), '{"a": {"fields": 1}}');
      assert.deepEqual(form.submit(), { data: { fields: { a: { fields: 1 } } } });
    });

    test("what has to be true is confirmed, not taken for granted", () => {
      const form = make({ sure: { type: "boolean", const: true }, kind: { const: "x" } }, ["sure", "kind"]);
      assert.equal(form.submit(), undefined);
      assert.deepEqual(errors(), ["Must be true."]);
      control("sure").click();
      assert.deepEqual(form.submit(), { sure: true, kind: "x" });
    });

    test("emptying takes back what was pasted into lists within lists", () => {
      const text = { type: "string" };
      const filters = {
        type: "array",
        items: { type: "object", properties: { name: text, not: text }, required: ["name", "not"] },
      };
      const form = make({
        groups: { type: "array", items: { type: "object", properties: { filters }, required: ["filters"] } },
      });
      const box = () => document.querySelector('[data-field="groups"] input[type=text]');
      const value = {
        groups: [{ filters: [{ name: "a", not: "b" }] }, { filters: [{ name: "c", not: "d" }] }],
      };
      type(box(), JSON.stringify(value.groups));
      assert.deepEqual(form.submit(), value);
      type(box(), "");
      assert.deepEqual(form.submit(), {});
    });

    test("JSON pasted into a list is spread over its rows, and emptying takes it back", () => {
      const form = make({ tags: { type: "array", items: { type: "string" } }, s: { type: "string" } });
      type(control("tags"), '["a","b"]');
      assert.deepEqual(form.submit(), { tags: ["a", "b"] });
      type(control("tags"), "");
      type(control("s"), '{"s":1}');
      assert.deepEqual(form.submit(), { s: '{"s":1}' });
    });

    test("the JSON text and the form show the same arguments", () => {
      const form = make({ a: { type: "integer" } });
      type(control("a"), "4");
      form.setRaw(true);
      const raw = document.querySelector("textarea.code");
      assert.equal(raw.value, '{\n  "a": 4\n}');
      type(raw, '{"a": ');
      assert.equal(form.submit(), undefined);
      assert.match(errors()[0], /not valid JSON/);
      type(raw, '{"a": 5}');
      form.setRaw(false);
      assert.deepEqual(form.submit(), { a: 5 });
    });

    test("hostile names and descriptions stay text", () => {
      const bad = '<img src=x onerror="globalThis.ran=1"></script>\u202e\u0000\ud800';
      make({ [bad]: { type: "string", title: bad, description: bad, examples: [bad] } });
      assert.equal(document.querySelector("img, script"), null);
    });
  });
