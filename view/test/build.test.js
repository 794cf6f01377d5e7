import assert from "node:assert/strict";
import { test } from "node:test";
import { BUDGET, buildTexts, builtText, dataFiles, sizes } from "../build.mjs";
import { RESULTS, SCHEMAS } from "./samples.js";
import { built, globalOf, subjects } from "./subjects.js";

const texts = await buildTexts();
const size = sizes(texts);

test("sizes stay within the budget", () => {
  for (const key of Object.keys(BUDGET)) assert.ok(size[key] <= BUDGET[key], `${key} ${size[key]} > ${BUDGET[key]}`);
});

test("the output is deterministic, pure ASCII and cannot end its element", async () => {
  assert.deepEqual(dataFiles(await buildTexts()), dataFiles(texts));
  const all = Object.values(texts).join("");
  assert.match(all, /^[\x00-\x7f]*$/);
  assert.doesNotMatch(all, /<\/(script|style)|<!--/i);
});

test("the suites run against what is built", () => {
  assert.equal(builtText("written.js"), texts.written);
  assert.equal(builtText("minimal.js"), texts.minimal);
});

test("nothing that the policy or the rules forbid is in the script", () => {
  const { style, schemaStyle, writtenStyle, ...scripts } = texts;
  assert.doesNotMatch(Object.values(scripts).join(""), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|localStorage|sessionStorage|\balert\(|\bconfirm\(|https?:\/\/(?!example\.com|www\.w3\.org\/2000\/svg\")/);
  assert.doesNotMatch(style + schemaStyle + writtenStyle, /100vh|height:100%|url\(|@import/);
});

test("every public name is intact", () => {
  const [sources] = subjects;
  const plain = globalOf(texts.plainWritten);
  for (const text of [texts.minimal, texts.plainMinimal]) assert.deepEqual(Object.keys(globalOf(text)).sort(), [...Object.keys(sources.runtime), "startAdaptiveView"].sort());
  assert.deepEqual(Object.keys(plain), Object.keys(built));
  assert.deepEqual(Object.keys(plain.kit), Object.keys(built.kit));
  assert.deepEqual(Object.keys(built).sort(), [...Object.keys(sources.runtime), "fragment", "kit", "prepareDocument", "run", "startAdaptiveView", "startFragmentView", "ui"].sort());
  assert.deepEqual(Object.keys(built.kit).sort(), Object.keys(sources.kit).sort());
  assert.deepEqual(Object.keys(globalOf(texts.document)).sort(), [...Object.keys(sources.runtime), "prepareDocument", "run"].sort());
  const app = (one) => Object.getOwnPropertyNames(new one.runtime.App({ name: "a", version: "1" })).sort();
  assert.deepEqual(app(subjects[1]), app(sources));
  for (const one of subjects) {
    const form = one.kit.argumentsForm({}, { maxDepth: 1 });
    assert.deepEqual(Object.keys(form).sort(), ["count", "element", "fill", "focus", "isExtensible", "none", "peek", "setRaw", "structured", "submit"]);
  }
});

/** Markup with the ids of this run numbered anew. */
function markup(element) {
  const ids = new Map();
  return element.outerHTML.replace(/\bg\d+\b/g, (id) => ids.get(id) ?? ids.set(id, `id${ids.size}`).get(id));
}

test("forms of the built script are those of the sources", () => {
  for (const [schema, value] of SCHEMAS) {
    const [one, other] = subjects.map(({ kit }) => {
      const form = kit.argumentsForm(schema, { maxDepth: 5 });
      const empty = [markup(form.element), form.submit(), markup(form.element)];
      form.fill(value);
      const filled = [form.submit(), form.peek(), markup(form.element)];
      form.setRaw(true);
      return [empty, filled, form.peek(), kit.check(value, schema, schema)];
    });
    assert.deepEqual(other, one, JSON.stringify(schema));
    assert.deepEqual(one[2], value, JSON.stringify(schema));
  }
});

test("results are the same in the sources and in both builds", () => {
  const plain = globalOf(texts.plainWritten);
  plain.kit.speak({ locale: "en-US", timeZone: "UTC" });
  for (const result of RESULTS) {
    const [one, ...others] = [...subjects, plain].map(({ kit }) => kit.renderResult(result, new kit.Show({ limit: 500 })).map(markup));
    for (const other of others) assert.deepEqual(other, one, JSON.stringify(result));
  }
});
