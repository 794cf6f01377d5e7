// Compares what the two builds of the kit make of the schemas of a tool.
import assert from "node:assert/strict";
import { bundle, PLAIN_FORMS } from "../../build.mjs";
import { list, plain } from "../../src/kit/plain.js";

/** The same modules, once whole and once as they are built for plain schemas. */
const [whole, small] = await Promise.all(
  [[], [PLAIN_FORMS]].map(async (plugins) => {
    const script = await bundle("test/forms/parts.js", { format: "iife", globalName: "parts", plugins });
    return new Function(`${script}; return parts;`)();
  }),
);

const SCALARS = [null, "", "a", " 1 ", "two\nlines", "2026-02-28", true, false, 0, 1, -1, 2.5, 1e21];
const BRANCHES = [[], ["a"], ["a", "a"], [1, null, "a", {}], [[]], {}, { a: 1, b: null }, { "": [] }];
const NAMES = ["", "title", "result", "a", "0", "__proto__"];

/** What fits a schema, at a guess. @param {any} schema */
function guesses(schema) {
  const { enum: values, const: one, default: preset, minLength, minimum, items, anyOf } = plain(schema);
  const own = [...list(values), one, preset, minimum, minimum - 1, "x".repeat(Number(minLength) || 1)].filter(
    (value) => value !== undefined && value === value,
  );
  const entries = list(items?.enum);
  return [
    ...own,
    ...(items ? [entries, entries.slice(0, 1), [...entries, ...entries], [...entries, "other"]] : []),
    ...list(anyOf).flatMap(guesses),
  ];
}

/** Arguments to try: each member with each value, and all of them at once. @param {any} schema */
function candidates(schema) {
  const members = Object.entries(schema?.properties ?? {});
  const all = (at) =>
    Object.fromEntries(members.map(([name, one]) => [name, [...guesses(one), ...SCALARS][at]]));
  const single = members
    .slice(0, 30)
    .flatMap(([name, one]) =>
      [...guesses(one), ...SCALARS, ...BRANCHES].map((value) => Object.fromEntries([[name, value]])),
    );
  return [all(0), all(1), all(3), { ...all(0), unknown: 1 }, ...SCALARS, ...BRANCHES, ...single];
}

/** Markup with ids that count from 0. @param {HTMLElement} element */
function markup(element) {
  const ids = new Map();
  return element.outerHTML.replace(/\bg\d+\b/g, (id) => ids.get(id) ?? ids.set(id, `id${ids.size}`).get(id));
}

/** The description of a form without its functions. */
const described = (parts, schema) => JSON.parse(JSON.stringify(parts.describeArguments(schema, 5)));

/** What a person meets in the form: empty, sent, filled in, as JSON. */
function shown(parts, schema, values) {
  const form = parts.argumentsForm(schema, { maxDepth: 5 });
  document.body.replaceChildren(form.element);
  for (const fold of form.element.querySelectorAll("details")) {
    fold.open = true;
    fold.dispatchEvent(new window.Event("toggle"));
  }
  const { structured, none, count, isExtensible } = form;
  const states = [
    { structured, none, count, isExtensible },
    markup(form.element),
    form.submit(),
    markup(form.element),
  ];
  for (const value of values) {
    form.fill(value);
    states.push(form.peek(), form.submit(), markup(form.element));
  }
  form.setRaw(true);
  return [...states, markup(form.element)];
}

/** What results get from an output schema. */
function labelled(parts, schema) {
  const show = new parts.Show({ schema });
  const words = (at, part, depth) =>
    Object.keys((depth && part?.properties) || {})
      .concat(NAMES)
      .map((name) => [
        name,
        at.label(name),
        at.describe(name),
        at.schema,
        ...(depth
          ? [words(at.at(name), part?.properties?.[name], depth - 1), words(at.at(0), part?.items, depth - 1)]
          : []),
      ]);
  const text = (value) => ({ type: "text", text: value });
  const outcomes = [[text("1")], [text("a"), text("[2]")], [text('{"a": [1]}')], []].map((content) =>
    parts.outcomeOf({ content }, {}, schema),
  );
  return [words(show, schema, 2), outcomes];
}

/**
 * Fails where the build for plain schemas does anything else than the whole one.
 * @param {{ inputSchema?: any, outputSchema?: any }} tool
 */
export function assertSame({ inputSchema = {}, outputSchema }) {
  const about = JSON.stringify({ inputSchema, outputSchema });
  const all = candidates(inputSchema);
  const filled = [...all.slice(0, 4), ...all.slice(-1)];
  const both = (of) => assert.deepEqual(of(small), of(whole), about);
  both((parts) => described(parts, inputSchema));
  both((parts) => all.map((value) => parts.check(value, inputSchema, inputSchema)));
  both((parts) => shown(parts, inputSchema, filled));
  both((parts) => labelled(parts, outputSchema));
}

/** Fails where the build for plain schemas cannot take a schema or values that it has no code for. @param {any} inputSchema */
export function assertTaken(inputSchema) {
  const values = candidates(inputSchema);
  shown(small, inputSchema, values);
  labelled(small, inputSchema);
  for (const value of values) small.check(value, inputSchema, inputSchema);
}
