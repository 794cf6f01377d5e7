// What a page does with the chat around it: the tools of the view, and the state that is kept for the next page.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { freshDom } from "./dom.js";

freshDom();

const { viewTools } = await import("../src/chat/view-tools.js");
const { keptState: keptStateOf } = await import("../src/chat/kept-state.js");
const { nextView } = await import("../src/chat/next-view.js");
const { questionsOf } = await import("../src/chat/question.js");
const { Show } = await import("../src/kit/result/show.js");
const { table } = await import("../src/kit/result/table/table.js");

const ROWS = "kiwi owl heron duck robin swan rook gull jay"
  .split(" ")
  .map((bird, wing_span) => ({ bird, wing_span }));

/** A page with tables, and what the part needs of it. */
function pageOf(rowsOfTables, more = {}) {
  freshDom(
    '<script type="application/json" id="mcp-gen-ui-page">{"tool":{"name":"birds"},"live":{"tool":"_ui_view","version":"a"}}</script>',
  );
  const memory = new Map();
  const show = new Show({ memory });
  const place = document.createElement("section");
  place.className = "result";
  document.body.append(place);
  const redraw = () =>
    place.replaceChildren(
      ...rowsOfTables.map((rows, i) =>
        table({ rows, columns: Object.keys(rows[0]) }, show.at(i), `Table ${i}`),
      ),
    );
  const filled = [];
  const inputs = { peek: () => ({ kind: "sea", api_key: "hush" }), fill: (args) => filled.push(args) };
  const app = { getHostContext: () => ({ toolInfo: { id: 5 } }) };
  return {
    app,
    capabilities: {},
    tool: { name: "birds" },
    memory,
    inputs,
    redraw,
    nameAtHost: (name) => name,
    filled,
    place,
    ...more,
  };
}

const keptState = (page) => keptStateOf(page, questionsOf(page));

let page;
beforeEach(() => {
  page = pageOf([ROWS, ROWS.slice(0, 3)]);
  page.redraw();
  viewTools(page);
});
const call = (name, args) => page.app.oncalltool({ name, arguments: args });
const first = (at = 0) =>
  [...page.place.querySelectorAll("table")[at].querySelectorAll("tbody td:first-child")].map(
    (cell) => cell.textContent,
  );

test("a view announces its tools, each with a schema for an object", () => {
  assert.deepEqual(page.capabilities, { tools: {} });
  const { tools } = page.app.onlisttools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["get_view_state", "set_sort", "set_filter"],
  );
  for (const { inputSchema, description } of tools)
    assert.ok(inputSchema.type === "object" && description.length > 20);
});

test("every order of a table is reached from every other", () => {
  const orders = [
    { column: "Bird" },
    { column: "bird", descending: true },
    {},
    { column: "WING-SPAN", descending: true },
    { column: "wing_span" },
  ];
  const inOrder = new Map(
    orders.map((one) => [
      one,
      ROWS.toSorted((a, b) => {
        if (!one.column) return 0;
        const key = /b/i.test(one.column) ? "bird" : "wing_span";
        return (a[key] < b[key] ? -1 : 1) * (one.descending ? -1 : 1);
      }).map(({ bird }) => bird),
    ]),
  );
  for (const from of orders)
    for (const to of orders) {
      call("set_sort", from);
      const { structuredContent, isError } = call("set_sort", to);
      assert.equal(isError, undefined);
      assert.deepEqual(first(), inOrder.get(to), JSON.stringify([from, to]));
      assert.equal(structuredContent.sorted?.descending, to.column && !!to.descending);
    }
});

test("a filter is set where there is one, and refused in words where there is none", () => {
  assert.deepEqual(call("set_filter", { words: "RO" }).structuredContent, {
    filter: "RO",
    count: "3 of 9 rows",
  });
  assert.deepEqual(first(), ["heron", "robin", "rook"]);
  assert.deepEqual(call("set_filter", {}).structuredContent, { filter: "", count: "9 rows" });
  const refused = call("set_filter", { words: "a", table: 2 });
  assert.ok(refused.isError);
  assert.match(refused.content[0].text, /no filter/);
});

test("whatever an agent gives, it gets an answer", () => {
  for (const name of ["get_view_state", "set_sort", "set_filter", "constructor", "", undefined])
    for (const args of [
      undefined,
      null,
      [],
      "text",
      { column: {} },
      { column: "<img>", table: 1e9 },
      { table: "x" },
      { words: { a: 1 } },
      { table: -1 },
    ])
      assert.equal(typeof call(name, args).content[0].text, "string", `${name} ${JSON.stringify(args)}`);
});

test("the state of the view says what is shown, without secrets", () => {
  call("set_sort", { column: "bird", table: 2 });
  const state = call("get_view_state").structuredContent;
  assert.deepEqual(state.arguments, { kind: "sea" });
  assert.deepEqual(
    state.tables.map(({ columns, sort, filter }) => [columns, sort, filter]),
    [
      [["Bird", "Wing span"], null, ""],
      [["Bird", "Wing span"], { column: "Bird", descending: false }, null],
    ],
  );
  assert.deepEqual(state.selectedRows, []);
});

/** A line to a wrapper that keeps state. */
function lineOf(states, delay = 0) {
  const hearing = new Set();
  const asked = [];
  return {
    asked,
    listen: (hear) => {
      hearing.add(hear);
      return () => hearing.delete(hear);
    },
    post({
      id,
      params: {
        arguments: { view, keep },
      },
    }) {
      asked.push(keep);
      if (keep) states.set(view, keep);
      const structuredContent = {
        tool: "birds",
        version: "a",
        state: "minimal",
        kept: states.get(view) ?? {},
      };
      setTimeout(() => {
        for (const hear of [...hearing])
          hear({ jsonrpc: "2.0", id, result: structuredContent && { structuredContent } });
      }, delay);
    },
  };
}
const passed = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("sorting and filter come back in the next page of the same view, whether it has drawn its result or not", async () => {
  const states = new Map();
  const one = pageOf([ROWS], { line: lineOf(states) });
  const kept = keptState(one);
  await kept.begin();
  one.redraw();
  const search = one.place.querySelector("[type=search]");
  search.value = "ro";
  search.dispatchEvent(new window.Event("input", { bubbles: true }));
  one.place.querySelector("th button").click();
  await one.app.onteardown();
  for (const isDrawn of [false, true]) {
    const next = pageOf([ROWS], { line: lineOf(states) });
    const state = keptState(next);
    if (isDrawn) next.redraw();
    await state.begin();
    if (!isDrawn) next.redraw();
    assert.deepEqual(
      [...next.place.querySelectorAll("tbody td:first-child")].map((cell) => cell.textContent),
      ["heron", "robin", "rook"],
    );
    assert.equal(next.place.querySelector("th").ariaSort, "ascending");
    await next.app.onteardown();
    assert.equal(next.line.asked.length, 1, "nothing has changed");
  }
});

test("what is too large to keep is left out, and the rest is kept", async () => {
  const one = pageOf([], { line: lineOf(new Map()) });
  const kept = keptState(one);
  await kept.begin();
  const show = new Show({ memory: one.memory });
  show.at("state").remember("large", { value: 0 }).value = "x".repeat(9_000);
  show.at("state").remember("small", { value: 0 }).value = [1, { two: true }];
  await one.app.onteardown();
  assert.deepEqual(one.line.asked[1], { parts: { "/state small": { value: [1, { two: true }] } } });
});

test("a host without an id of the view, and a wrapper that keeps nothing, are asked no further", async () => {
  const nameless = pageOf([ROWS], {
    line: lineOf(new Map()),
    app: { getHostContext: () => ({ toolInfo: {} }) },
  });
  await keptState(nameless).begin();
  assert.deepEqual(nameless.line.asked, []);
  const line = { ...lineOf(new Map()), posted: 0 };
  const hearing = [];
  const refused = pageOf([ROWS], {
    line: {
      listen: (hear) => {
        hearing.push(hear);
        return () => {};
      },
      post({ id }) {
        line.posted++;
        setTimeout(() => hearing.at(-1)({ jsonrpc: "2.0", id, error: { code: -1, message: "no" } }));
      },
    },
  });
  await keptState(refused).begin();
  refused.redraw();
  refused.place.querySelector("th button").click();
  await refused.app.onteardown();
  await passed(10);
  assert.equal(line.posted, 1);
});

/** A page whose host can pass a message on; its wrapper answers each question with the next of these. */
function offering(answers, app = {}) {
  const asked = [];
  const said = [];
  const line = {
    listen: (hear) => {
      line.hear = hear;
      return () => {};
    },
    post({ id, params: { arguments: args } }) {
      asked.push(args);
      const structuredContent = answers.shift();
      setTimeout(() =>
        line.hear({
          jsonrpc: "2.0",
          id,
          ...(structuredContent ? { result: { structuredContent } } : { error: { code: -1, message: "no" } }),
        }),
      );
    },
  };
  const page = pageOf([], {
    line,
    app: {
      getHostCapabilities: () => ({ message: {} }),
      sendMessage: async (message) => said.push(message),
      ...app,
    },
  });
  const title = document.createElement("h1");
  title.className = "who";
  document.body.append(title);
  nextView(page, questionsOf(page)).begin();
  return { asked, said };
}
async function focus(minutes) {
  const { now } = performance;
  performance.now = () => now.call(performance) + minutes * 60_000;
  window.dispatchEvent(new window.Event("focus"));
  await passed(550);
  await passed(20); // where the question came late, its answer is still to come
  performance.now = now;
}

test("a page that cannot show the next view offers it, and a click has the chat show it", async () => {
  const { asked, said } = offering([{ version: "a" }, { version: "b" }]);
  await passed(5);
  assert.deepEqual(asked, [], "nothing is asked before the page has the focus");
  window.dispatchEvent(new window.Event("focus"));
  await passed(50);
  assert.deepEqual(asked, [], "what a person came to press goes first");
  await focus(0);
  await focus(0.5);
  assert.deepEqual(asked, [{ toolName: "birds", have: "a", waitMs: 0 }], "once a minute at most");
  assert.equal(document.querySelector(".news"), null);
  await focus(1.1);
  document.querySelector(".news button").click();
  assert.match(said[0].content[0].text, /birds/);
  assert.equal(document.querySelector(".news"), null);
  await focus(5);
  assert.equal(asked.length, 2, "it has offered what there is");
});

test("a refusal ends the questions about the next view, and a host without messages gets none", async () => {
  const { asked } = offering([undefined, { version: "b" }]);
  await focus(0);
  await focus(2);
  assert.equal(asked.length, 1);
  assert.equal(document.querySelector(".news"), null);
  const mute = offering([{ version: "b" }], { getHostCapabilities: () => ({}) });
  await focus(0);
  assert.deepEqual(mute.asked, []);
});

test("a page that shows the next view itself offers none", async () => {
  const { asked } = offering([{ version: "b" }], { yielding: (call) => call() });
  await focus(0);
  assert.deepEqual(asked, []);
});
