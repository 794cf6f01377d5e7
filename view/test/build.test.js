import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  BUDGET,
  INTERNAL,
  LENGTHS,
  OWN_PROPERTIES,
  PLAIN_FORMS,
  builtText,
  bundle,
  dataFiles,
  keptTexts,
  sizes,
} from "../build.mjs";
import { RESULTS, SCHEMAS } from "./samples.js";
import { built, globalOf, subjects } from "./subjects.js";

const texts = await keptTexts();
const size = sizes(texts);

test("sizes stay within the budget", () => {
  for (const key of Object.keys(BUDGET))
    assert.ok(size[key] <= BUDGET[key], `${key} ${size[key]} > ${BUDGET[key]}`);
});

test("the output is what is committed, pure ASCII and cannot end its element", () => {
  const files = dataFiles(texts);
  const stale = Object.keys(files).filter((name) => builtText(name) !== files[name]);
  assert.deepEqual(stale, [], "run `npm run build` in view/");
  const all = Object.values(texts).join("");
  assert.match(all, /^[\x00-\x7f]*$/);
  assert.doesNotMatch(all, /<\/(script|style)|<!--/i);
});

test("nothing that the policy or the rules forbid is in the script", () => {
  const { style, schemaStyle, writtenStyle, likenessStyle, ...scripts } = texts;
  assert.doesNotMatch(
    Object.values(scripts).join(""),
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|localStorage|sessionStorage|\balert\(|\bconfirm\(|https?:\/\/(?!example\.com|www\.w3\.org\/(2000\/svg|1998\/Math\/MathML)\")/,
  );
  assert.doesNotMatch(style + schemaStyle + writtenStyle + likenessStyle, /100vh|height:100%|url\(|@import/);
});

test("every public name is intact", () => {
  const [sources] = subjects;
  for (const text of [texts.minimal, texts.plainMinimal])
    assert.deepEqual(Object.keys(globalOf(text)).sort(), ["PostMessageTransport", "startAdaptiveView"]);
  assert.deepEqual(Object.keys(globalOf(texts.plainWritten)).sort(), [
    "PostMessageTransport",
    "fragment",
    "startFragmentView",
  ]);
  for (const text of [texts.live, texts.plainLive])
    assert.deepEqual(Object.keys(globalOf(text)).sort(), [
      "PostMessageTransport",
      "fragment",
      "startAdaptiveView",
      "startFragmentView",
    ]);
  assert.deepEqual(
    Object.keys(built).sort(),
    [
      ...Object.keys(sources.runtime),
      "fragment",
      "kit",
      "prepareDocument",
      "run",
      "startAdaptiveView",
      "startFragmentView",
      "ui",
    ].sort(),
  );
  assert.deepEqual(Object.keys(built.kit).sort(), Object.keys(sources.kit).sort());
  assert.deepEqual(
    Object.keys(globalOf(texts.document)).sort(),
    [...Object.keys(sources.runtime), "prepareDocument", "run"].sort(),
  );
  const app = (one) => Object.getOwnPropertyNames(new one.runtime.App({ name: "a", version: "1" })).sort();
  assert.deepEqual(app(subjects[1]), app(sources));
  for (const one of subjects) {
    const form = one.kit.argumentsForm({}, { maxDepth: 1 });
    assert.deepEqual(Object.keys(form).sort(), [
      "blame",
      "element",
      "fill",
      "focus",
      "isExtensible",
      "none",
      "peek",
      "setRaw",
      "structured",
      "submit",
    ]);
  }
});

/** Markup with the ids of this run numbered again. */
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

test("members with short names are no words of views, prompts or pages", () => {
  const told = [
    "docs/writing-views.md",
    "src/genui_core/data/prompts/system.mustache",
    "src/genui_core/data/prompts/document.mustache",
    "src/genui_core/domain/pages/page_frame.py",
    "src/genui_core/domain/pages/minimal_view.py",
  ]
    .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"))
    .join(" ");
  assert.deepEqual(
    (told.match(/\w+/g) ?? []).filter((word) => INTERNAL.test(word)),
    [],
  );
  const shortened = RegExp(`\\.(${INTERNAL.source.slice(2, -2)})\\b`);
  for (const text of [texts.minimal, texts.plainMinimal, texts.plainWritten, texts.written])
    assert.doesNotMatch(text, shortened);
});

test("custom properties with short names are promised to no one and clash with no other", () => {
  const told = [
    "docs/writing-views.md",
    "docs/views.md",
    "src/genui_core/data/prompts/system.mustache",
    "src/genui_core/domain/settings/brand.py",
  ]
    .map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"))
    .join(" ");
  const sources = readdirSync(new URL("../src/style", import.meta.url))
    .map((file) => readFileSync(new URL(`../src/style/${file}`, import.meta.url), "utf8"))
    .join(" ");
  for (const name of Object.keys(LENGTHS)) {
    assert.doesNotMatch(told, RegExp(`--${name}(?![\\w-])`));
    assert.equal(sources.match(RegExp(`--${name}:`, "g"))?.length, 1);
    assert.doesNotMatch(
      texts.style + texts.schemaStyle + texts.writtenStyle + texts.likenessStyle,
      RegExp(`--${name}(?![\\w-])`),
    );
  }
  for (const [name, short] of Object.entries(OWN_PROPERTIES)) {
    assert.doesNotMatch(told, RegExp(`--${name}(?![\\w-])`));
    assert.doesNotMatch(sources, RegExp(`--${short}(?![\\w-])`));
  }
});

test("results are the same in the sources, in the build and with forms for plain schemas", async () => {
  const plain = new Function(
    `${await bundle("src/kit/index.js", { format: "iife", globalName: "plain", plugins: [PLAIN_FORMS] })}; return plain;`,
  )();
  plain.kit.speak({ locale: "en-US", timeZone: "UTC" });
  for (const result of RESULTS) {
    const [one, ...others] = [...subjects, plain].map(({ kit }) =>
      kit.renderResult(result, new kit.Show({ limit: 500 })).map(markup),
    );
    for (const other of others) assert.deepEqual(other, one, JSON.stringify(result));
  }
});
