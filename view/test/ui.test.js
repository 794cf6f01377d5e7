// What the prompts promise to a model and what the kit gives it are the same names.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { freshDom } from "./dom.js";
import { pageJson } from "./page.mjs";
import { builtText } from "../build.mjs";
import { globalOf } from "./subjects.js";

const prompts = new URL("../../src/genui_core/data/prompts/", import.meta.url);
const promptOf = (name) => readFileSync(new URL(`${name}.mustache`, prompts), "utf8");
const namesIn = (text) => [...new Set([...text.matchAll(/\bui\.(\w+)/g)].map(([, name]) => name))].sort();

/** Runs the built script in a page of its own, and returns its global and the page's window. */
function page(template = "<p></p>") {
  const data = { tool: { name: "tool", inputSchema: { type: "object" } }, limits: {}, theme: "light" };
  const block = (id, value) =>
    `<script type="application/json" id="mcp-gen-ui-${id}">${pageJson(value)}</script>`;
  const window = freshDom(block("page", { guarded: false, ...data }) + block("template", template));
  return { kit: globalOf(builtText("likeness.js") + builtText("written.js")), window };
}

/** What a fragment is handed when a result comes. */
async function handed(result) {
  const { kit, window } = page();
  const seen = new Promise((resolve) => {
    kit.fragment([], () => (data, ui) => {
      ui.root.append("drawn");
      resolve({ data, ui });
    });
  });
  const { app } = kit.startFragmentView();
  app.ontoolresult(result);
  return { window, ...(await seen) };
}

test("the kit of a document has the functions that the system prompt explains, and no others", () => {
  const explained = promptOf("system")
    .split("\n")
    .filter((line) => line.startsWith("- "))
    .join("\n");
  const { ui } = page().kit;
  assert.deepEqual(
    Object.keys(ui).sort(),
    [...explained.matchAll(/`ui\.(\w+)\(/g)].map(([, name]) => name).sort(),
  );
  assert.ok(Object.isFrozen(ui));
  for (const one of Object.values(ui)) assert.equal(typeof one, "function");
});

test("the kit of a fragment has besides what the prompts name", async () => {
  const { ui } = await handed({ content: [{ type: "text", text: '{"a": 1}' }] });
  assert.deepEqual(
    Object.keys(ui).sort(),
    [
      ...new Set([
        ...Object.keys(page().kit.ui),
        ...namesIn(promptOf("system")),
        ...namesIn(promptOf("generate")),
      ]),
    ].sort(),
  );
  assert.ok(Object.isFrozen(ui));
  assert.deepEqual(Object.keys(ui.meta).sort(), ["args", "content", "isError"]);
});

test("the root of a view takes what parts take: nothing that is left out is written", async () => {
  const { ui } = await handed({ structuredContent: { a: 1 } });
  ui.root.append(false, null, undefined, 0 > 1 && ui.el("p", "not"), [ui.el("p", "one"), false], 0, "two");
  assert.equal(ui.root.textContent, "drawnonetwo");
});

test("no prompt names what there is not", async () => {
  const { ui } = await handed({ structuredContent: { a: 1 } });
  for (const file of readdirSync(prompts).filter((name) => name.endsWith(".mustache"))) {
    const unknown = namesIn(promptOf(file.replace(".mustache", ""))).filter((name) => !(name in ui));
    assert.deepEqual(unknown, [], file);
  }
});

test("every option that the prompts name is read", async () => {
  const { ui, window } = await handed({ structuredContent: { a: 1 } });
  const { body } = window.document;
  const put = (element) => body.replaceChildren(element);
  const text = () => body.textContent;
  put(
    ui.table([{ a: 1 }, { a: 2 }], {
      columns: [{ key: "a", label: "Letter", format: (value, row) => ui.el("b", `${value}/${row.a}`) }],
      caption: "Words",
    }),
  );
  assert.deepEqual(
    [
      body.querySelector("caption").textContent,
      body.querySelector("th").textContent,
      body.querySelector("td b").textContent,
    ],
    ["Words", "Letter", "1/1"],
  );
  put(ui.chart([{ a: "x", b: 1, c: 2 }], { type: "bar", x: "a", y: ["b", "c"], title: "Bars", unit: "ms" }));
  assert.match(text(), /Bars/);
  assert.match(body.querySelector("svg[role=img]").getAttribute("aria-label"), /b, c by a.*1 ms/);
  put(ui.keyValue({ a: { b: { c: [1, { d: 2 }] } } }, { labels: { a: "Alpha" } }));
  assert.equal(body.querySelector("dt").textContent, "Alpha");
  assert.ok(body.querySelector("details"));
  put(ui.card("Title", "words", [ui.badge("low", "bad")]));
  assert.match(body.querySelector(".badge").className, /\bbad\b/);
  assert.deepEqual(
    [ui.number(1.005, { unit: "kg", digits: 1 }), ui.number(null), ui.date(null)],
    ["1.0 kg", "\u2013", "\u2013"],
  );
  assert.match(ui.date("2026-03-01T10:00:00Z", { time: true }), /10:00/);
  assert.doesNotMatch(ui.date("2026-03-01T10:00:00Z", { time: false }), /10:00/);
  let clicks = 0;
  put(
    ui.el(
      "button",
      { type: "button", onclick: () => clicks++, className: "wide", style: { color: "red" } },
      "Press ",
      1,
      ["!", null],
    ),
  );
  body.firstChild.click();
  assert.deepEqual(
    [clicks, text(), body.firstChild.className, body.firstChild.style.color],
    [1, "Press 1!", "wide", "red"],
  );
});
