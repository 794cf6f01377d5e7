// The work of building a form grows with the number of its controls, and not faster; it ends at a bound.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDom } from "./dom.js";
import { largeSchema } from "./forms/large.js";
import { countSteps } from "./forms/steps.js";

freshDom();
const { argumentsForm } = await import("../src/kit/form/arguments.js");

const MOST_GROWTH = 2.3;
const TEXT = { type: "string" };
const range = (count, make) => Object.fromEntries(Array.from({ length: count }, (_, i) => make(i)));
const required = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
const nested = (depth) => required(range(2, (i) => [`n${i}`, depth ? nested(depth - 1) : TEXT]));
const lists = (depth) =>
  depth ? { type: "array", minItems: 1, items: required({ inner: lists(depth - 1), word: TEXT }) } : TEXT;
const JSON_VALUE = {
  anyOf: [
    TEXT,
    { type: "number" },
    { type: "array", items: { $ref: "#/$defs/json" } },
    { type: "object", additionalProperties: { $ref: "#/$defs/json" } },
  ],
};

/** Schemas by what grows in them. @type {Record<string, (size: number) => object>} */
const SHAPES = {
  "parts of a large request": largeSchema,
  "required properties": (size) => required(range(size * 20, (i) => [`p${i}`, TEXT])),
  "nested groups": (size) => required(range(size * 3, (i) => [`g${i}`, nested(3)])),
  "lists in lists": (size) => required(range(size * 3, (i) => [`l${i}`, lists(4)])),
  "choices of 40": (size) =>
    required(range(size * 8, (i) => [`c${i}`, { enum: Array.from({ length: 40 }, (_, j) => `v${j}`) }])),
  "free objects": (size) => required(range(size * 10, (i) => [`o${i}`, { type: "object" }])),
  "references to anchors": (size) => ({
    ...required(range(size * 20, (i) => [`p${i}`, { $ref: `#a${i}` }])),
    $defs: range(size * 20, (i) => [`d${i}`, { ...TEXT, $anchor: `a${i}` }]),
  }),
  "parts that all hold": (size) => ({
    type: "object",
    allOf: Array.from({ length: size * 20 }, (_, i) => required({ [`p${i}`]: TEXT })),
  }),
  conditions: (size) => ({
    ...required(range(size * 20, (i) => [`p${i}`, TEXT])),
    allOf: Array.from({ length: size * 20 }, (_, i) => ({
      if: { required: [`p${i}`] },
      then: { properties: { [`p${i}`]: TEXT } },
    })),
  }),
  "defaults of any JSON": (size) => ({
    ...required(range(size, (i) => [`p${i}`, { $ref: "#/$defs/json", default: { a: [1, { b: ["x"] }] } }])),
    $defs: { json: JSON_VALUE },
  }),
};
const work = (schema) => countSteps(schema, (one) => argumentsForm(one, { maxDepth: 5 }));
const controls = ({ element }) => element.querySelectorAll("input, select, textarea").length;

for (const [what, make] of Object.entries(SHAPES))
  test(`twice as many ${what} are twice the work`, () => {
    const [half, whole] = [work(make(4)), work(make(8))];
    assert.ok(controls(whole.built) > 1.5 * controls(half.built), "the form grew");
    const growth = whole.steps / half.steps;
    assert.ok(
      growth <= MOST_GROWTH,
      `${half.steps} steps became ${whole.steps}, ${growth.toFixed(2)} times as many`,
    );
  });

/** Builds a form and all that is folded in it. */
function unfolded(schema) {
  const form = argumentsForm(schema, { maxDepth: 5 });
  for (let folds; (folds = form.element.querySelectorAll("details:not([open])")).length;)
    for (const fold of folds) {
      fold.open = true;
      fold.dispatchEvent(new Event("toggle"));
    }
  return form;
}

test("a form of 400 controls costs the same for each as one of 50", () => {
  const [few, many] = [2, 16].map((size) => countSteps(largeSchema(size), unfolded));
  assert.ok(controls(many.built) > 400);
  const each = ({ built, steps }) => steps / controls(built);
  assert.ok(each(many) <= 1.3 * each(few), `${each(few)} steps for each became ${each(many)}`);
});

test("a required field beyond the bound is there when it is missing", () => {
  freshDom();
  const form = argumentsForm(SHAPES["required properties"](15), { maxDepth: 5 });
  document.body.replaceChildren(form.element);
  const made = controls(form);
  assert.ok(made < 230, `${made} controls`);
  const all = range(300, (i) => [`p${i}`, `v${i}`]);
  form.fill(all);
  assert.deepEqual(form.submit(), all);
  const { p299, ...most } = all;
  form.fill(most);
  assert.equal(form.submit(), undefined);
  assert.equal(document.activeElement.dataset.field, "p299");
});

test("beyond a bound a larger schema makes no larger form", () => {
  for (const what of ["required properties", "parts of a large request", "free objects"]) {
    const [large, huge] = [40, 160].map((size) => work(SHAPES[what](size)).made);
    assert.ok(huge <= large * 1.1, `${what}: ${large} elements became ${huge}`);
  }
});
