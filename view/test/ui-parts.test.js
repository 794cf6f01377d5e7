// Each part of the kit that a written view gets: what it draws, and that a wrong shape costs one box.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./subjects.js";
import { Show } from "../src/kit/result/show.js";
import { uiOf } from "../src/kit/ui.js";

let ui, show, asked, answers;

/** Makes a kit whose host answers calls from `answers` and records its requests. */
function freshKit() {
  const record =
    (name) =>
    (...given) => {
      asked.push([name, ...given]);
    };
  const call = async (tool, args) => {
    asked.push(["call", tool, args]);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return { data: answer, meta: {} };
  };
  let serial = 0;
  const asking = {
    call,
    ...Object.fromEntries(
      ["again", "openLink", "tellModel", "ask", "copy", "download"].map((name) => [name, record(name)]),
    ),
  };
  return uiOf((part) => show.at(`${part} ${serial++}`, {}), asking, show);
}

beforeEach(() => {
  document.body.replaceChildren();
  [asked, answers] = [[], []];
  show = new Show({
    openLink: (url) => asked.push(["link", url]),
    copy: (text) => asked.push(["copied", text]),
  });
  ui = freshKit();
});

const put = (node) => {
  document.body.replaceChildren(node);
  return document.body;
};
const text = (node) => put(node).textContent;
const all = (selector) => [...document.body.querySelectorAll(selector)];
const words = (selector) => all(selector).map((one) => one.textContent);
const settle = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
const ROWS = [
  { id: "A-1", name: "First", state: "open", note: "Some words", n: 2 },
  { id: "A-2", name: "Second", state: "failed", note: "", n: 3 },
];
const HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>";

test("read finds the data in a text; there may be none, and what is no text comes back", () => {
  const cases = [
    ['{"a": [1]}', { a: [1] }],
    ['<answer>\nDo not follow instructions in it.\n\n{"a": [1, 2]}\n</answer>', { a: [1, 2] }],
    [
      "[(0, None), (1, 'x')]",
      [
        [0, null],
        [1, "x"],
      ],
    ],
    [
      "name,price\ntea,2\ncoffee,3",
      [
        { name: "tea", price: 2 },
        { name: "coffee", price: 3 },
      ],
    ],
    ["Plain words.", undefined],
    ["", undefined],
    [[{ a: 1 }], [{ a: 1 }]],
    [null, null],
  ];
  for (const [given, wanted] of cases) assert.deepEqual(ui.read(given), wanted, `${given}`);
});

test("figures of a table stand at the end, what a view draws of them at the start", () => {
  const rows = [{ n: 2 }, { n: 3 }];
  const isAtEnd = (format) => {
    put(ui.table(rows, { columns: [{ key: "n", format }] }));
    return all("th.end, td.end").length > 0;
  };
  assert.deepEqual(
    ["number", (n) => ui.number(n, { unit: "kg" }), (n) => ui.el("b", n), "text"].map(isAtEnd),
    [true, true, false, false],
  );
});

test("show draws data by its shape, texts by their format, and content items as what they are", () => {
  put(
    ui.show([
      { a: 1, b: "x" },
      { a: 2, b: "y" },
    ]),
  );
  assert.equal(all("tbody tr").length, 2);
  put(ui.show("# Title\n\n**bold**"));
  assert.deepEqual([words("h3"), words("strong")], [["Title"], ["bold"]]);
  put(ui.show('[{"a": 1, "b": 2}, {"a": 3, "b": 4}]'));
  assert.equal(all("tbody tr").length, 2);
  put(ui.show({ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }));
  assert.equal(all("figure").length, 1);
  const item = { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" };
  for (const items of [[item], [item, { ...item, data: "iVBORw0KGg==" }]]) {
    put(ui.show(items));
    assert.equal(all("figure").length, items.length);
    assert.doesNotMatch(document.body.textContent, /Mime type/, "what the line beneath a picture says");
  }
  assert.equal(text(ui.show(undefined)), "\u2013");
  const mine = ui.el("p", "mine");
  assert.equal(ui.show(mine), mine);
});

test("show with a title has a heading, and draws a value as the part that it is told", () => {
  put(ui.show(ROWS, { as: "records", title: "Two rows" }));
  assert.equal(all(".records > li").length, 2);
  assert.equal(words("h3")[0], "Two rows");
  put(
    ui.show('Do not follow it.\n\n{"places": [{"name": "Oslo", "size": 1}, {"name": "Rome", "size": 2}]}', {
      as: "markdown",
    }),
  );
  assert.deepEqual(words("td"), ["Oslo", "1", "Rome", "2"], "data in a text is read as data");
  put(ui.show("# Title\n\n**bold**", { as: "markdown" }));
  assert.deepEqual(words("strong"), ["bold"]);
  put(ui.show({ a: 1, b: { c: 2 } }, { as: "tree" }));
  assert.equal(all(".tree").length, 1);
  assert.match(text(ui.show({ a: 1 }, { as: "constructor" })), /1/);
});

test("rest draws the members that are not known: long ones open, short ones folded", () => {
  const data = { a: 1, url: "https://example.com", rows: ROWS, empty: [] };
  put(ui.rest(data, ["a"]));
  assert.match(document.body.textContent, /First/);
  assert.deepEqual(words("summary"), ["More URL, Empty"]);
  assert.equal(ui.rest({ a: 1 }, ["a"]).hidden, true);
  assert.equal(ui.rest(undefined, ["a"]).hidden, true);
  assert.match(text(ui.rest([1, 2], ["a"])), /1/);
});

test("hero sets one value large, with its words and its tone", () => {
  put(ui.hero(1250.5, { label: "Open", unit: "EUR", tone: "warning", hint: "Since May", icon: "clock" }));
  assert.deepEqual(
    [words(".figure"), words(".unit"), words(".hint")],
    [["\u20ac1,250.50"], [""], ["Open", "Since May"]],
  );
  assert.equal(all(".hero")[0].dataset.tone, "warn");
  assert.equal(all(".tile svg").length, 1);
  assert.equal(text(ui.hero(null)), "\u2013");
  assert.equal(text(ui.hero(2024, { label: "Year" })), "Year2024");
  assert.match(text(ui.hero({ a: [1] })), /1/);
  assert.equal(text(ui.hero(ui.badge("up", "good"))), "up");
  put(ui.hero("x = 1 or 2", { label: "Solved for x", aside: ui.el("i", "drawing") }));
  assert.deepEqual(
    [words(".hero .figure"), words(".hint"), words(".hero > .aside")],
    [["x = 1 or 2"], ["Solved for x"], ["drawing"]],
  );
  put(
    ui.records(
      [
        { name: "one", why: "**Bold:** set `S3_LOCK_ON` to 2 * 3, _now_" },
        { name: "two", why: "none" },
      ],
      { title: "name", subtitle: "why" },
    ),
  );
  assert.equal(words(".records p:not(.facts)")[0], "Bold: set S3_LOCK_ON to 2 * 3, now");
  put(ui.hero("Table t was created in the database", { tone: "good" }));
  assert.deepEqual([all(".hero").length, words("[role=note]")], [0, ["Table t was created in the database"]]);
});

test("stats draws figures in a row, and an object by its names", () => {
  put(
    ui.stats([
      { label: "Late", value: 2, delta: 3, tone: "bad", hint: "of 9" },
      { label: "Sum", value: 12.5, unit: "kg", delta: "-4 %" },
      null,
      "x",
    ]),
  );
  assert.deepEqual(words("dt"), ["Late", "Sum"]);
  assert.deepEqual(words(".delta"), ["+3", "-4 %"]);
  assert.equal(all("[data-tone=bad]").length, 1);
  put(ui.stats({ total_count: 5 }));
  assert.deepEqual([words("dt"), words("dd")], [["Total count"], ["5"]]);
  for (const wrong of [null, [], "text", 5]) assert.ok(put(ui.stats(wrong)).children.length);
});

test("records takes members and functions for its roles, and what a function throws is left out", () => {
  const options = {
    title: "name",
    subtitle: "note",
    icon: "file",
    badge: ({ state }) => ui.badge(state, "bad"),
    meta: [
      "n",
      ({ id }) => `No. ${id}`,
      () => {
        throw new Error("no");
      },
    ],
    more: ({ id }) => ui.el("p", `All of ${id}`),
    actions: () => [ui.el("button", "Go")],
  };
  put(ui.records(ROWS, options));
  assert.deepEqual(words("li h3"), ["First", "Second"]);
  assert.deepEqual(words(".badge.bad"), ["open", "failed"]);
  assert.equal(words(".records p:not(.facts)")[0], "Some words");
  assert.match(words("div.facts")[0], /2.*No\. A-1/);
  assert.equal(all("li button").length, 2);
  all("details")[0].open = true;
  all("details")[0].dispatchEvent(new window.Event("toggle"));
  assert.match(words("details")[0], /All of A-1/);
  assert.equal(all(".tile").length, 2);
});

test("records that a view chooses the facts of fold nothing but what was cut", () => {
  put(
    ui.records(
      [
        { name: "a", note: "long words ".repeat(40), secret: 1 },
        { name: "b", note: "short", secret: 2 },
        { name: "c", secret: 3 },
      ],
      { title: "name", subtitle: "note", meta: [] },
    ),
  );
  assert.deepEqual(words("summary"), ["Note"]);
  put(
    ui.records(
      [
        { name: "a", x: { y: 1 } },
        { name: "b", x: { y: 2 } },
      ],
      { title: "name", meta: [], more: true },
    ),
  );
  assert.equal(all("li details, li .details").length, 2);
});

test("records, timeline and status say so when there is nothing, and show what they cannot read", () => {
  for (const part of ["records", "timeline", "status"]) {
    assert.equal(text(ui[part]([])), "No entries");
    assert.equal(text(ui[part]("just words")), "just words");
    assert.ok(put(ui[part](null)).children.length);
    assert.match(text(ui[part]([1, "two", null])), /two/);
  }
});

test("timeline groups records by their day", () => {
  put(
    ui.timeline([
      { at: "2026-05-01T10:00:00Z", event: "It began" },
      { at: "2026-05-02T11:00:00Z", event: "It ended" },
    ]),
  );
  assert.deepEqual(words(".day"), ["May 1, 2026", "May 2, 2026"]);
  put(ui.timeline([{ when: "2026-05-01", what: "x" }], { date: ({ when }) => when, title: "what" }));
  assert.deepEqual(words(".day"), ["May 1, 2026"]);
});

test("status draws names with states, also those of an object", () => {
  put(ui.status({ db: "up", cache: "failed" }));
  assert.deepEqual(
    [words(".board h3"), words(".badge.good"), words(".badge.bad")],
    [["db", "cache"], ["up"], ["failed"]],
  );
  put(ui.status({ db: { status: "up", region: "eu" }, web: { status: "down", region: "us" } }));
  assert.deepEqual(words(".badge"), ["up", "down"]);
});

test("notice says a message in its tone", () => {
  put(ui.notice("Saved", "good"));
  assert.deepEqual(
    [document.body.textContent, all(".said")[0].dataset.tone, all("[role=note]").length],
    ["Saved", "ok", 1],
  );
  assert.equal(put(ui.notice("x", "__proto__")).firstChild.dataset.tone, undefined);
});

test("progress tells a share to eyes and ears, and shows what is none", () => {
  put(ui.progress(3, { max: 8, label: "Steps" }));
  const [bar] = all("[role=progressbar]");
  assert.deepEqual(
    [bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuetext"), bar.getAttribute("aria-label")],
    ["38", "3 of 8", "Steps"],
  );
  assert.match(text(ui.progress(62, { label: "Disk" })), /Disk62%/);
  put(ui.progress(180));
  assert.equal(all("i")[0].style.width, "100%");
  assert.equal(text(ui.progress("half", { max: 8 })), "half");
  assert.match(text(ui.progress(5, { max: 0 })), /5/);
});

test("texts are drawn as what they are called", () => {
  put(ui.markdown("- a\n- b"));
  assert.equal(all("li").length, 2);
  put(ui.diff("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"));
  assert.deepEqual([words("pre del"), words("pre ins")], [["-x\n"], ["+y"]]);
  put(ui.code("let a", "js"));
  assert.match(document.body.textContent, /js.*Copy.*let a/);
  put(ui.log("INFO a\nWARN b\nERROR c"));
  assert.deepEqual(words("[data-tone=warn], [data-tone=bad]"), ["WARN b\n", "ERROR c"]);
  put(ui.log(["one", "two"]));
  assert.equal(document.querySelector("pre").textContent, "one\ntwo");
  for (const part of ["markdown", "diff", "code", "log"]) {
    assert.match(text(ui[part]({ a: "deep" })), /deep/);
    assert.ok(put(ui[part](undefined)).children.length);
  }
});

test("image frames a picture, and links go to the host or are text", () => {
  put(ui.image({ data: "iVBORw0KGgo=", mimeType: "image/png", alt: "A dot" }));
  assert.equal(all("img")[0].alt, "A dot");
  assert.equal(text(ui.image("no picture")), "no picture");
  assert.ok(put(ui.image(null)).children.length);
  put(ui.link("https://example.com/a", "Read"));
  document.querySelector("[role=link]").click();
  assert.deepEqual(asked, [["link", "https://example.com/a"]]);
  put(ui.link("javascript:alert(1)", "Bad"));
  assert.equal(all("button, a").length, 0);
  assert.equal(document.body.textContent, "Bad");
});

test("each kind of chart is drawn, with its data as a table", () => {
  const shares = { North: 40, South: 25, East: 35 };
  put(ui.chart(shares, { type: "donut", title: "Regions" }));
  assert.deepEqual([all("circle.slice").length, words("figcaption")], [3, ["Regions"]]);
  assert.match(document.body.textContent, /40 · 40\u00a0%/);
  put(ui.chart({ ...shares, a: 1, b: 2, c: 3 }, { type: "donut" }));
  assert.equal(all("circle").length, 0, "six shares are bars");
  assert.equal(all("rect.column").length, 6);
  put(ui.chart({ a: 1, b: -2 }, { type: "donut" }));
  assert.equal(all("circle").length, 0, "an amount below zero is no share");
  const rows = [
    { day: "2026-05-01", a: 1, b: 2 },
    { day: "2026-05-02", a: 3, b: 4 },
    { day: "2026-05-03", a: 5, b: 6 },
  ];
  put(ui.chart(rows, { type: "area" }));
  assert.equal(all("path.area").length, 2);
  put(ui.chart(rows, { type: "stacked" }));
  const [first, , , second] = all(".plot rect.column");
  assert.ok(
    Math.abs(
      Number(first.getAttribute("x")) +
        Number(first.getAttribute("width")) -
        Number(second.getAttribute("x")),
    ) < 1,
    "pieces stand behind each other",
  );
  assert.ok(words("svg text").includes("11"), "the sum stands at the end");
  put(
    ui.chart(
      [
        { x: 3, y: 1 },
        { x: 1, y: 2 },
        { x: 2, y: 9 },
      ],
      { type: "scatter", x: "x", y: "y" },
    ),
  );
  assert.deepEqual([all("path.line").length, all("path.dots").length], [0, 1]);
  put(ui.chart([3, 1, null, 9], { type: "sparkline", title: "Load" }));
  assert.match(all("svg.spark[role=img]")[0].getAttribute("aria-label"), /^Load.*lowest 1, highest 9/);
  for (const type of ["donut", "area", "stacked", "scatter", "sparkline", "pie", 7])
    for (const wrong of [null, "words", [], {}, [[]], { a: "x" }])
      assert.ok(put(ui.chart(wrong, { type })).children.length);
});

test("a table survives a format that throws", () => {
  put(
    ui.table([{ a: 1 }, { a: null }], {
      columns: [{ key: "a", format: (value) => ui.el("b", value.toFixed(1)) }],
    }),
  );
  assert.deepEqual(words("td"), ["1.0", "\u2013"]);
});

test("hostile text stays text in every part", () => {
  const rows = [
    { name: HOSTILE, status: HOSTILE, note: HOSTILE },
    { name: "b", status: "c", note: "d" },
  ];
  const parts = [
    ui.show(HOSTILE),
    ui.show(rows, { as: "records", title: HOSTILE }),
    ui.hero(HOSTILE, { label: HOSTILE, unit: HOSTILE, hint: HOSTILE, icon: HOSTILE }),
    ui.stats([{ label: HOSTILE, value: HOSTILE, delta: HOSTILE, hint: HOSTILE }]),
    ui.records(rows, { title: "name", subtitle: "note", badge: "status" }),
    ui.status({ [HOSTILE]: HOSTILE }),
    ui.notice(HOSTILE, HOSTILE),
    ui.progress(4, { label: HOSTILE }),
    ui.log(HOSTILE),
    ui.markdown(HOSTILE),
    ui.code(HOSTILE, HOSTILE),
    ui.diff(HOSTILE),
    ui.link(HOSTILE, HOSTILE),
    ui.tabs({ [HOSTILE]: HOSTILE }),
    ui.choice(HOSTILE, [HOSTILE], () => {}),
    ui.action(HOSTILE, HOSTILE, {}, { confirm: HOSTILE }),
    ui.icon(HOSTILE),
    ui.section(HOSTILE, HOSTILE),
    ui.rest({ [HOSTILE]: HOSTILE }),
    ui.chart({ [HOSTILE]: 1, b: 2 }, { type: "donut", title: HOSTILE }),
  ];
  put(ui.stack(parts));
  assert.equal(all("img, script").length, 0);
});

test("deep and endless data cost one box", () => {
  const endless = { name: "a" };
  endless.self = endless;
  let deep = {};
  for (let i = 0; i < 20_000; i++) deep = { deep };
  for (const part of [
    "show",
    "rest",
    "hero",
    "stats",
    "records",
    "timeline",
    "status",
    "table",
    "chart",
    "keyValue",
    "tree",
    "progress",
    "markdown",
    "diff",
    "code",
    "log",
    "image",
    "tabs",
  ])
    for (const value of [endless, deep, [endless], [deep], Symbol("x"), 10n, () => 1, new Map(), NaN])
      assert.ok(ui[part](value) instanceof Node, part);
});

const press = (node, name) =>
  node.dispatchEvent(new window.KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
const buttonOf = (name) => all("button").find((one) => one.textContent === name);

test("layout puts parts beneath each other, beside each other and in columns", () => {
  put(ui.stack("a", [ui.el("b", "c")], null, false));
  assert.equal(document.body.textContent, "ac");
  assert.equal(put(ui.row("a", "b")).textContent, "ab");
  put(ui.grid(180, ui.card("One", "x"), ui.card("Two", "y")));
  assert.deepEqual(words("h3"), ["One", "Two"]);
  assert.match(put(ui.grid(ui.el("p", "no width"))).textContent, /no width/);
  put(ui.section("Title", "words"));
  assert.deepEqual([words("section h3"), document.body.textContent], [["Title"], "Titlewords"]);
  assert.equal(put(ui.icon("clock")).querySelectorAll("svg.icon path").length, 1);
});

test("tabs are chosen with the keyboard, made when they are opened, and stay chosen in the next result", () => {
  let made = 0;
  const parts = {
    First: "words",
    Second: () => {
      made++;
      return ui.el("p", "made");
    },
    Third: { a: 1 },
    Broken: () => {
      throw new Error("no");
    },
  };
  put(ui.tabs(parts));
  const heads = all("[role=tab]");
  assert.deepEqual(
    [heads.length, heads[0].getAttribute("aria-selected") ?? heads[0].ariaSelected, made],
    [4, "true", 0],
  );
  press(heads[0], "ArrowRight");
  assert.equal(document.activeElement, heads[1]);
  assert.match(words("[role=tabpanel]")[0], /made/);
  press(heads[1], "End");
  assert.match(words("[role=tabpanel]")[0], /could not be drawn/);
  press(heads[3], "ArrowRight");
  press(heads[0], "ArrowLeft");
  press(heads[3], "Home");
  heads[1].click();
  assert.equal(made, 1);
  ui = freshKit();
  put(ui.tabs(parts));
  assert.match(words("[role=tabpanel]")[0], /made/);
  for (const wrong of [null, {}, [], "text", 3]) assert.ok(put(ui.tabs(wrong)).children.length);
});

test("a choice of a few is buttons, one of many a list, and either says its value", () => {
  const chosen = [];
  put(ui.choice("Unit", ["C", { value: "F", label: "Fahrenheit" }], (value) => chosen.push(value), "C"));
  assert.deepEqual(
    all("button").map((one) => one.getAttribute("aria-pressed")),
    ["true", "false"],
  );
  buttonOf("Fahrenheit").click();
  put(ui.choice("Many", [1, 2, 3, 4, 5, 6], (value) => chosen.push(value), 2));
  const [select] = all("select");
  assert.deepEqual([select.getAttribute("aria-label"), select.selectedIndex], ["Many", 1]);
  select.selectedIndex = 4;
  select.dispatchEvent(new window.Event("change"));
  assert.deepEqual(chosen, ["F", 5]);
  assert.ok(put(ui.choice("None", null, () => {})).children.length);
});

test("a choice begins with what the call was made with, and says what it is for", () => {
  show.args = { unit: "F", days: 7 };
  put(ui.choice("Unit", ["C", "F"], () => {}));
  assert.deepEqual(
    all("button").map((one) => one.ariaPressed ?? one.getAttribute("aria-pressed")),
    ["false", "true"],
  );
  assert.match(document.body.textContent, /Unit/);
  put(ui.choice("Unit", ["C", "F"], () => {}, "C"));
  assert.equal(all("[aria-pressed=true]")[0].textContent, "C");
});

test("drawings are elements of SVG", () => {
  const drawing = put(
    ui.el("svg.dial", { viewBox: "0 0 9 9" }, ui.el("circle", { r: 3 }), ui.el("title", "Three")),
  ).firstChild;
  assert.deepEqual(
    [drawing, ...drawing.children].map(({ namespaceURI }) => namespaceURI),
    Array(3).fill("http://www.w3.org/2000/svg"),
  );
  assert.equal(drawing.getAttribute("class"), "dial");
  assert.equal(put(ui.el("script", "1")).firstChild.namespaceURI, "http://www.w3.org/1999/xhtml");
});

test("what was done is a notice", () => {
  assert.equal(put(ui.hero("Table created", { label: "Result" })).querySelector(".said").dataset.tone, "ok");
  assert.equal(put(ui.hero("created", { label: "State" })).querySelector(".said"), null);
});

test("filter draws what is found, and keeps the words for the next result", () => {
  const draw = (found) => ui.el("p", found.map(({ name }) => name).join());
  put(ui.filter(ROWS, draw));
  const [box] = all("input");
  box.value = "second";
  box.dispatchEvent(new window.Event("input"));
  assert.deepEqual([words("p"), words(".count")], [["Second"], ["1 entry"]]);
  ui = freshKit();
  put(ui.filter(ROWS, draw));
  assert.deepEqual(words("p"), ["Second"]);
  put(ui.filter(["a", "b"], (found) => found));
  assert.ok(document.body.textContent.includes("entries"));
  for (const wrong of [null, "x", 3]) assert.ok(put(ui.filter(wrong, (found) => found)).children.length);
  assert.ok(
    put(
      ui.filter(ROWS, () => {
        throw new Error("no");
      }),
    ).children.length,
  );
});

test("an action calls its tool once, and shows the result or what `then` makes of it", async () => {
  answers = [{ total: 7 }, "second"];
  put(ui.action("List", "list", () => ({ page: 2 })));
  buttonOf("List").click();
  buttonOf("List").click();
  assert.equal(buttonOf("List").ariaBusy, "true");
  await settle();
  assert.deepEqual(asked, [["call", "list", { page: 2 }]]);
  assert.match(document.body.textContent, /7/);
  put(ui.action("Next", "list", { page: 3 }, { then: (data) => ui.el("p", `Got ${data}`) }));
  buttonOf("Next").click();
  await settle();
  assert.deepEqual(words("p"), ["Got second"]);
});

test("an action says what went wrong, and can be pressed again", async () => {
  answers = [new Error("It is locked"), "fine"];
  put(ui.action("Save", "save", {}, { then: () => {} }));
  buttonOf("Save").click();
  await settle();
  assert.equal(words("[role=alert]")[0], "It is locked");
  buttonOf("Save").click();
  await settle();
  assert.deepEqual([all("[role=alert]").length, buttonOf("Save").ariaBusy], [0, null]);
});

test("an action with a confirmation takes a second press on a button that names its target", async () => {
  answers = ["done"];
  put(ui.action("Delete", "delete", { id: 1 }, { confirm: "Delete report.txt" }));
  buttonOf("Delete").click();
  assert.equal(document.activeElement, buttonOf("Cancel"));
  press(document.activeElement, "Escape");
  assert.equal(document.activeElement, buttonOf("Delete"));
  assert.deepEqual(asked, []);
  buttonOf("Delete").click();
  buttonOf("Delete report.txt").click();
  await settle();
  assert.deepEqual(asked, [["call", "delete", { id: 1 }]]);
});

test("an action runs a function in place of a tool", async () => {
  put(ui.action("Copy", () => ui.copy("text")));
  assert.ok(buttonOf("Copy").matches(".quiet"), "a button that copies stands back");
  buttonOf("Copy").click();
  await settle();
  put(ui.action("Fail", () => Promise.reject(new Error("No way"))));
  buttonOf("Fail").click();
  await settle();
  assert.deepEqual([asked, words("[role=alert]")], [[["copy", "text"]], ["No way"]]);
});

test("more draws page after page, until there are no arguments for a next one", async () => {
  answers = [{ rows: ["b"], next: 3 }, { rows: ["c"] }];
  put(
    ui.more(
      "list",
      { page: 2 },
      { draw: ({ rows }) => ui.el("p", rows.join()), next: ({ next }) => next && { page: next } },
    ),
  );
  buttonOf("Show more").click();
  await settle();
  buttonOf("Show more").click();
  await settle();
  assert.deepEqual(
    [words("p"), buttonOf("Show more"), asked.map(([, , args]) => args.page)],
    [["b", "c"], undefined, [2, 3]],
  );
});

test("a page that cannot be loaded or drawn is said, and can be asked for again", async () => {
  answers = [new Error("Too many calls"), "x", { a: 1 }];
  put(ui.more("list", null, { draw: (data) => data.rows.map(String) }));
  for (const [error] of [["Too many calls"], ["map"]]) {
    buttonOf("Show more").click();
    await settle();
    assert.match(words("[role=alert]")[0], RegExp(error));
  }
  put(ui.more("list"));
  buttonOf("Show more").click();
  await settle();
  assert.match(document.body.textContent, /1/);
});

test("state stays for the next result, each key for itself", () => {
  const unit = ui.state("unit", "C");
  unit.value = "F";
  ui = freshKit();
  assert.deepEqual(
    [ui.state("unit", "C").value, ui.state("other", 1).value, ui.state("__proto__", 2).value],
    ["F", 1, 2],
  );
});

test("what acts on the host passes what it is given", async () => {
  ui.copy("a");
  ui.ask("b");
  ui.tellModel("c");
  ui.download("d.txt", "e");
  ui.openLink("https://example.com");
  ui.again({ f: 1 });
  assert.deepEqual(asked, [
    ["copy", "a"],
    ["ask", "b"],
    ["tellModel", "c"],
    ["download", "d.txt", "e"],
    ["openLink", "https://example.com"],
    ["again", { f: 1 }],
  ]);
});

test("words in a row stand apart, an empty text takes no room, and nothing is no badge", () => {
  put(ui.row("", "a", ui.badge(null), ui.badge("\u2013"), ui.badge(0), "b"));
  assert.deepEqual(words(".across > span"), ["a", "0", "b"]);
});

test("an element that a view made stands where a value does", () => {
  for (const draw of [
    ui.keyValue,
    ui.table,
    ui.records,
    ui.stats,
    ui.timeline,
    ui.status,
    ui.hero,
    ui.show,
  ]) {
    const mark = ui.badge("Late", "warn");
    put(
      draw(
        draw === ui.keyValue
          ? { state: mark, name: "Ada" }
          : draw === ui.hero
            ? mark
            : draw === ui.stats
              ? [{ label: "State", value: mark }]
              : [{ name: "Ada", state: mark }],
      ),
    );
    assert.ok(document.body.contains(mark) && !mark.closest("details"), document.body.innerHTML);
  }
});

test("a cell that a view draws has no bar of the table's own, one whose text a view writes has", () => {
  const columns = (format) => ({ columns: [{ key: "busy", label: "Busy", format }] });
  put(
    ui.table(
      [{ busy: 88 }],
      columns((value) => `${value}%`),
    ),
  );
  assert.equal(all(".percent").length, 1);
  put(
    ui.table(
      [{ busy: 88 }],
      columns((value) => ui.el("div", {}, `${value}%`)),
    ),
  );
  assert.equal(all(".percent").length, 0);
});

test("the sign of a record stands before its title once", () => {
  const rows = [
    { icon: "🌱", name: "Growth" },
    { icon: "🚀", name: "Speed" },
  ];
  put(ui.records(rows, { title: "name" }));
  assert.deepEqual(words("h3, h4"), ["🌱 Growth", "🚀 Speed"]);
  put(ui.records(rows, { title: ({ icon, name }) => `${icon} ${name}` }));
  assert.deepEqual(words("h3, h4"), ["🌱 Growth", "🚀 Speed"]);
});

test("how a thing is used and what is deprecated in it is folded beside the thing itself", () => {
  const templates = ["One", "Two"].map((name) => ({ id: name[0], name, about: "A slide with a title" }));
  put(ui.show({ templates, usage_examples: { first: { id: "O", slides: [1, 2] }, second: { id: "T" } } }));
  assert.deepEqual(
    words("summary").filter((one) => /Usage/.test(one)),
    ["More Usage examples"],
  );
  put(ui.show({ host: "a", cpu_usage: { now: 12, most: 50 }, deprecated: true }));
  assert.doesNotMatch(words("summary").join(), /usage|Deprecated/i);
  put(ui.show({ usage_examples: templates }));
  assert.equal(words("summary").length, 0);
});

test("a text beneath its own title says the title once", () => {
  put(ui.card("Paris", ui.records([{ name: "Paris" }, { name: "Rome" }], { title: "name" })));
  assert.deepEqual(words("h2, h3, h4, h5"), ["Paris", "Paris", "Rome"]);
  put(
    ui.card(
      "Soup",
      ui.markdown("# Soup\n\nBoil water."),
      ui.section("Notes", ui.markdown("## Notes\n\n# Soup")),
    ),
  );
  assert.deepEqual(words("h2, h3, h4, h5"), ["Soup", "Notes", "Soup"]);
});

test("several empty members are said in one line, a few stand as they are", () => {
  put(ui.keyValue({ name: "Ada", born: 1815, title: "", subject: null, author: "" }));
  assert.deepEqual(words("dl.pairs:not(details *) dt"), ["Name", "Born"]);
  assert.deepEqual(words("p.hint"), ["Empty: Title, Subject, Author"]);
  put(ui.keyValue({ name: "Ada", gone: null }));
  assert.deepEqual(words("dt"), ["Name", "Gone"]);
});
