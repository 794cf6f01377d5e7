// The parts that draw a thing as people know it: what each says, and that a wrong shape costs one box.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./subjects.js";
import { Show } from "../src/kit/result/show.js";

await import("../src/likeness/index.js");
// The kit adds the parts when it is loaded.
const { uiOf } = await import("../src/kit/ui.js");

let ui, copied;
beforeEach(() => {
  document.body.replaceChildren();
  copied = [];
  const show = new Show({ copy: (text) => copied.push(text) });
  let serial = 0;
  ui = uiOf(
    (part) => show.at(`${part} ${serial++}`, {}),
    { call: async () => ({}), copy: (text) => copied.push(text) },
    show,
  );
});

const put = (node) => {
  document.body.replaceChildren(node);
  return document.body;
};
const all = (selector) => [...document.body.querySelectorAll(selector)];
const words = (selector) => all(selector).map((one) => one.textContent);
const HOSTILE = "<img src=x onerror=alert(1)>";
const PARTS = [
  "browser",
  "calendar",
  "compare",
  "excerpt",
  "file",
  "formula",
  "mark",
  "message",
  "paper",
  "rating",
  "ruler",
  "sheet",
  "steps",
  "swatches",
  "terminal",
];

test("no part throws, whatever it is given, and no text becomes markup", () => {
  const odd = [
    undefined,
    null,
    0,
    NaN,
    -1,
    "",
    HOSTILE,
    [],
    [null],
    [[]],
    [HOSTILE],
    {},
    { [HOSTILE]: HOSTILE },
    [{ label: HOSTILE, state: {} }],
    true,
    1e300,
    "\u0130stanbul",
  ];
  for (const part of PARTS)
    for (const one of odd)
      for (const other of odd) {
        const drawn = ui[part](one, other, other);
        assert.ok(drawn instanceof Node, `${part}(${String(one)}, ${String(other)})`);
        assert.equal(put(drawn).querySelectorAll("img, script").length, 0, part);
      }
});

test("a sheet names its columns and rows from the first cell on, and heads objects with their keys", () => {
  put(ui.sheet([["Item", 1.5], ["Pear"]], { at: "'My sheet'!Z9:AA10", name: "Prices" }));
  assert.deepEqual(words("thead th"), ["Z", "AA"]);
  assert.deepEqual(words("tbody th"), ["9", "10"]);
  assert.deepEqual(words("tbody td"), ["Item", "1.5", "Pear", ""]);
  assert.match(document.body.textContent, /Prices/);
  put(
    ui.sheet([
      { a: 1, b: "x" },
      { a: 2, c: null },
    ]),
  );
  assert.deepEqual(words("tbody td"), ["a", "b", "c", "1", "x", "", "2", "", ""]);
  put(ui.sheet(Array.from({ length: 130 }, (_, i) => [i])));
  assert.equal(all("tbody tr").length, 100);
  assert.match(document.body.textContent, /30 more rows/);
});

test("an excerpt has three lines on each side of its line, and the note beneath it", () => {
  const text = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`).join("\n");
  put(ui.excerpt(text, { line: 6, note: "Wrong here", tone: "warning" }));
  assert.deepEqual(words(".line-number"), ["3", "4", "5", "6", "7", "8", "9"]);
  assert.equal(all("[data-tone=warn]")[0].textContent, "6line 6");
  assert.equal(all("[data-tone=warn]")[0].nextSibling.textContent, "Wrong here");
  assert.match(
    put(ui.excerpt(text, { line: 90 })).textContent,
    /line 20/,
    "without such a line the whole text is shown",
  );
});

test("what changed between two texts is marked line by line", () => {
  put(ui.compare("a\nb\nc\nd", "a\nB\nc\nd\ne"));
  assert.deepEqual(
    [words("del"), words("ins")],
    [
      ["−1", "- b\n"],
      ["+2", "+ B\n", "+ e"],
    ],
  );
  put(ui.compare("same", "same"));
  assert.deepEqual(words("del, ins"), ["+0", "−0"]);
  put(ui.compare({ a: 1 }, { a: 2 }));
  assert.deepEqual(words("ins"), ["+1", '+   "a": 2\n']);
});

test("a formula in LaTeX is set as mathematics", () => {
  for (const [latex, markup] of [
    [
      String.raw`\int x^{2}\, dx`,
      "<mrow><mrow><mrow><mi>∫</mi><msup><mi>x</mi><mrow><mn>2</mn></mrow></msup></mrow><mi>d</mi></mrow><mi>x</mi></mrow>",
    ],
    [
      String.raw`2ab\sin`,
      "<mrow><mrow><mrow><mn>2</mn><mi>a</mi></mrow><mi>b</mi></mrow><mi>sin</mi></mrow>",
    ],
    [
      String.raw`\frac{1}{2} \alpha`,
      "<mrow><mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac><mi>α</mi></mrow>",
    ],
    [
      String.raw`\left(a \cdot b\right)`,
      "<mrow><mo>(</mo><mrow><mrow><mi>a</mi><mo>·</mo><mi>b</mi></mrow></mrow><mo>)</mo></mrow>",
    ],
    [
      String.raw`\sum_{i=1}^{n} \sqrt{i}`,
      "<mrow><msup><msub><mi>∑</mi><mrow><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow></mrow></msub><mrow><mi>n</mi></mrow></msup><msqrt><mrow><mi>i</mi></mrow></msqrt></mrow>",
    ],
  ])
    assert.equal(put(ui.formula(latex)).querySelector("math")?.innerHTML, markup, latex);
  for (const latex of [String.raw`\text{if } x`, String.raw`\frac{1}`, String.raw`\frac{1}{2`, "{1}{2}"])
    assert.equal(put(ui.formula(latex)).querySelectorAll("math").length, 0, latex);
});

test("a formula is set as mathematics where it can be read, and as it is elsewhere", () => {
  put(ui.formula("sqrt(2)*10^3/(a+b) = -x^2^n + f(x, 2!)"));
  assert.deepEqual(
    ["msqrt", "mfrac", "msup"].map((tag) => all(tag).length),
    [1, 1, 3],
  );
  assert.equal(all("mfrac")[0].lastChild.textContent, "a+b", "a fraction needs no brackets");
  assert.equal(all("[role=math]")[0].getAttribute("aria-label"), "sqrt(2)*10^3/(a+b) = -x^2^n + f(x, 2!)");
  for (const text of ["what is this", "1 +", "(1", "1)", "(".repeat(200), "2 $ 3"])
    assert.equal(put(ui.formula(text)).querySelectorAll("math").length, 0, text);
  const long = `x = ${"1.4142135".padEnd(40, "62373")}`;
  assert.equal(
    put(ui.formula(long)).querySelector("code")?.textContent,
    long,
    "a number that is longer than its line stays a text, which wraps",
  );
});

test("steps say in words what their colours say", () => {
  put(
    ui.steps([
      { label: "Build", state: "passed" },
      { label: "Test", state: false, hint: "2 failed" },
      "Ship",
    ]),
  );
  assert.deepEqual(
    all("li > i").map((one) => one.getAttribute("aria-label")),
    ["done", "failed", null],
  );
  assert.deepEqual(words("li > i"), ["\u2713", "\u2717", "3"]);
  assert.match(document.body.textContent, /2 failed/);
});

test("a ruler of whole numbers has whole ticks", () => {
  const ticks = (min, max, value) => {
    put(ui.ruler(value, { min, max }));
    return words(".ruler text.muted").map(Number);
  };
  assert.deepEqual(ticks(5, 15, 8), [5, 7, 9, 11, 13, 15]);
  assert.deepEqual(ticks(1, 6, 2), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(ticks(0, 11, 3), [0, 11]);
  assert.deepEqual(ticks(0, 1, 0.7), [0, 0.25, 0.5, 0.75, 1]);
});

test("a ruler says its value and its range, and clamps what lies beyond it", () => {
  put(ui.ruler(71, { max: 100, unit: "%", marks: { limit: 90, odd: "x" } }));
  assert.match(all("[role=img]")[0].getAttribute("aria-label"), /71.*between 0 and 100/);
  assert.deepEqual(
    words("text").filter((one) => /[a-z]/.test(one)),
    ["limit"],
  );
  put(ui.ruler(500, { min: 0, max: 100 }));
  assert.equal(all("circle")[0].getAttribute("cx"), "592");
  assert.match(put(ui.ruler(5, { min: 10, max: 10 })).textContent, /5/);
});

test("stars are read from numbers and from stars, and nothing is made up beyond their number", () => {
  const label = (...given) =>
    put(ui.rating(...given))
      .querySelector("[role=img]")
      ?.getAttribute("aria-label");
  assert.deepEqual(
    [label(3.5), label("\u2605\u2605"), label(8, { max: 10 }), label(7)],
    ["3.5 of 5", "2 of 5", "8 of 10", undefined],
  );
});

test("a calendar has the months in which something falls, each day in its column", () => {
  put(
    ui.calendar([
      { date: "2026-11-03", title: "Standup" },
      { date: "2026-11-03T09:00:00Z", title: "Review" },
      { date: "soon", title: "Never" },
    ]),
  );
  assert.equal(all(".day-cell").length, 30);
  assert.equal(all(".day-cell")[0].style.gridColumnStart, "7", "the first of November 2026 is a Sunday");
  assert.equal(all(".day-cell")[2].textContent, "3StandupReview");
  put(ui.calendar([1, 3, 5, 7].map((month) => ({ date: `2026-0${month}-01`, title: "x" }))));
  assert.equal(all(".month").length, 0, "more than three months are a list");
});

test("a file's path and a colour are copied, colours that are none are not drawn", () => {
  put(ui.file("C:\\tmp\\report.docx", { hint: "12 kB" }));
  assert.deepEqual(
    [words(".file-kind"), words("b"), words(".hint")],
    [["DOCX"], ["report.docx"], ["C:\\tmp\\ \u00b7 12 kB"]],
  );
  all("button")[0].click();
  put(ui.swatches({ primary: "#123456", odd: "url(x)" }));
  assert.equal(all("button").length, 1);
  all("button")[0].click();
  assert.deepEqual(copied, ["C:\\tmp\\report.docx", "#123456"]);
});

test("a message says who wrote it, to whom and when", () => {
  put(
    ui.message("Ada Lovelace", "Dear *all*", {
      to: ["bob", "eve"],
      date: "2026-11-25T10:00:00Z",
      title: "Meeting",
    }),
  );
  assert.deepEqual([words(".initials"), words("h4"), words("em")], [["AL"], ["Meeting"], ["all"]]);
  assert.match(document.body.textContent, /to bob, eve.*2026/);
});

test("a browser, a sheet of paper and a terminal hold what they are given", () => {
  put(
    ui.stack(
      ui.browser("https://a.example", "# Title\n\nWords"),
      ui.paper("# On paper\n\nWords", ui.badge("x")),
      ui.terminal("ls", "error: none"),
    ),
  );
  assert.deepEqual(
    [words(".browser code"), words(".browser h3"), words(".paper h3"), words(".command")],
    [["https://a.example"], ["Title"], ["On paper"], ["ls"]],
  );
  assert.equal(all(".terminal [data-tone=bad]").length, 1);
});

test("marked words are found again in what is drawn later", async () => {
  const kept = {};
  globalThis.Highlight = class {
    constructor(...ranges) {
      kept.ranges = ranges.map(String);
    }
  };
  globalThis.CSS = { highlights: { set: () => {} } };
  globalThis.Range ??= window.Range;
  globalThis.NodeFilter ??= window.NodeFilter;
  globalThis.MutationObserver ??= window.MutationObserver;
  const part = ui.mark(ui.el("p", "Send a Mail, or mail it"), "mail AND or");
  put(part);
  assert.deepEqual(kept.ranges, ["Mail", "mail"]);
  part.append(" by email");
  await new Promise((done) => {
    setTimeout(done, 5);
  });
  assert.deepEqual(kept.ranges, ["Mail", "mail", "mail"]);
  delete globalThis.CSS;
});
