import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { rowsOf } from "../src/kit/result/data.js";
import { type } from "./dom.js";
import { subjects } from "./subjects.js";

const later = () => new Promise((done) => setTimeout(done));

for (const {
  where,
  kit: { Show, card, keyValue, renderResult, renderText, renderValue, table },
} of subjects)
  describe(where, () => {
    let copied;
    let show;
    beforeEach(() => {
      copied = [];
      show = new Show({ copy: (text) => copied.push(text) });
    });

    const draw = (value) => put(renderValue(value, show));
    const put = (element) => {
      document.body.replaceChildren(element);
      return document.body;
    };
    const all = (selector) => [...document.body.querySelectorAll(selector)];
    const texts = (selector) => all(selector).map((one) => one.textContent);
    const column = (number) =>
      texts(`.table > .scroller > table > tbody > tr:not(.detail) > td:nth-child(${number})`);
    const button = (words) => all("button").find((one) => one.textContent === words);
    const head = (words) => all("th").find((one) => one.textContent === words);
    const sortBy = (words) => head(words).querySelector("button").click();
    const filter = (words) => type(document.querySelector("[type=search]"), words);
    const count = () => document.querySelector(".table > .bar:first-child > .count")?.textContent ?? "";
    const box = (label) =>
      all("label")
        .find((one) => one.textContent === label)
        .parentElement.querySelector("input");
    const range = (length, make) => Array.from({ length }, (_, i) => make(i));

    test("three clicks on a header sort upwards, downwards, and not at all; nothing is last", () => {
      draw([null, 10, 9, undefined, -1.5, "", []].map((n) => ({ n, other: 1 })));
      const order = [column(1)];
      for (const sort of ["ascending", "descending", "none"]) {
        sortBy("n");
        assert.equal(head("n").getAttribute("aria-sort"), sort);
        order.push(column(1));
      }
      assert.deepEqual(order, [
        ["\u2013", "10", "9", "\u2013", "-1.5", "\u2013", "\u2013"],
        ["-1.5", "9", "10", "\u2013", "\u2013", "\u2013", "\u2013"],
        ["10", "9", "-1.5", "\u2013", "\u2013", "\u2013", "\u2013"],
        ["\u2013", "10", "9", "\u2013", "-1.5", "\u2013", "\u2013"],
      ]);
    });

    test("equal rows keep their order, downwards too, and headers keep the focus", () => {
      draw(range(6, (i) => ({ kind: i % 2 ? "b" : "a", i })));
      head("Kind").querySelector("button").focus();
      for (const expected of [
        ["0", "2", "4", "1", "3", "5"],
        ["1", "3", "5", "0", "2", "4"],
      ]) {
        document.activeElement.click();
        assert.deepEqual(column(2), expected);
      }
    });

    for (const [name, values, sorted] of [
      ["decimals as text", ["1.5", "-2", "1.25", "10"], ["-2", "1.25", "1.5", "10"]],
      ["numbers within words", ["row 10", "Row 9", "row 1"], ["row 1", "Row 9", "row 10"]],
      ["numbers among words", ["n/a", 10, -5, 9, "b"], ["-5", "9", "10", "b", "n/a"]],
      ["booleans", [true, false, true], ["No", "Yes", "Yes"]],
      ["accents", ["zebra", "\u00e9cole", "eclair"], ["eclair", "\u00e9cole", "zebra"]],
    ])
      test(`${name} sort as people read them`, () => {
        draw(values.map((v) => ({ v, other: 1 })));
        sortBy("v");
        assert.deepEqual(column(1), sorted);
      });

    test("the filter finds rows with all words, whatever the case and accents, in the columns shown", () => {
      draw([
        { a: "Zo\u00eb", b: "Paris", c: { deep: "hidden gem" } },
        { a: "zoe", b: "Oslo", c: null },
        ...range(10, (i) => ({ a: `x${i}`, b: "Oslo", c: i })),
      ]);
      for (const [words, found] of [
        ["ZOE", 2],
        ["oslo zoe", 1],
        ["gem", 1],
        ["nowhere", 0],
        ["  ", 12],
        ["null", 0],
      ]) {
        filter(words);
        assert.equal(column(1).length, found, words);
      }
      filter("nowhere");
      assert.equal(count(), "0 of 12 rows");
      assert.equal(all(".none").find((one) => one.textContent === "No row matches.").hidden, false);
      filter("oslo");
      assert.equal(column(1).length, 11);
      button("Columns").click();
      box("b").click();
      assert.equal(column(1).length, 0);
    });

    test("pages of fifty rows; a page that is gone becomes the last one", () => {
      draw(range(120, (i) => ({ i })));
      assert.equal(button("Previous").ariaDisabled, "true");
      for (const _ of "abc") button("Next").click();
      assert.deepEqual([column(1).length, column(1)[0]], [20, "100"]);
      assert.equal(button("Next").ariaDisabled, "true");
      draw(range(60, (i) => ({ i })));
      assert.deepEqual([column(1).length, column(1)[0]], [10, "50"]);
      button("Previous").click();
      assert.equal(column(1)[0], "0");
    });

    test("columns can be left out, all but one, and come back", () => {
      draw(range(8, (i) => ({ a: 1, b: i, c: 3 })));
      const menu = button("Columns");
      assert.equal(menu.getAttribute("aria-expanded"), "false");
      menu.click();
      assert.equal(menu.getAttribute("aria-expanded"), "true");
      box("a").click();
      box("c").click();
      assert.deepEqual([texts("th"), texts("td")], [["b"], range(8, String)]);
      assert.equal(box("b").disabled, true);
      assert.equal(menu.textContent, "Columns 1/3");
      button("Show all").click();
      assert.deepEqual(texts("th"), ["a", "b", "c"]);
    });

    test("a very wide table begins with the columns that say most, and stays small", () => {
      draw(range(200, (i) => Object.fromEntries(range(60, (c) => [`c${c}`, c % 3 || i === 7 ? i : null]))));
      assert.equal(all("th").length, 40);
      assert.ok(texts("th").includes("C1") && !texts("th").includes("C57"));
      assert.ok(all("*").length < 2000, `${all("*").length}`);
      button("Columns 40/60").click();
      button("Show all").click();
      assert.equal(all("th").length, 60);
    });

    test("rows need not have the same members, but something in common", () => {
      draw([{ a: 1 }, { b: 2 }, { a: 3, c: 4 }]);
      assert.deepEqual(
        [texts("th"), column(1)],
        [
          ["a", "b", "c"],
          ["1", "\u2013", "3"],
        ],
      );
      assert.deepEqual(rowsOf(range(600, (i) => (i < 599 ? { a: i } : { a: i, late: 1 }))).columns, [
        "a",
        "late",
      ]);
      assert.equal(rowsOf(range(50, (i) => ({ [`only${i}`]: i }))), undefined);
    });

    test("numbers are copied with all they hold", () => {
      draw([
        { a: 1e999, b: NaN, c: [-1e999], d: 1.5e-9 },
        { a: 2, b: 1, c: [], d: 0.1 },
        { a: 3, b: 2, c: [], d: 1.609344 },
        ...range(5, (i) => ({ a: i, b: i, c: [], d: i })),
      ]);
      button("Copy CSV").click();
      assert.deepEqual(copied.pop().split("\r\n").slice(1, 4), [
        'Infinity,NaN,"[""-Infinity""]",1.5e-9',
        "2,1,[],0.1",
        "3,2,[],1.609344",
      ]);
      button("Copy JSON").click();
      assert.deepEqual(JSON.parse(copied.pop())[0], { a: "Infinity", b: "NaN", c: ["-Infinity"], d: 1.5e-9 });
    });

    test("what is found is copied as CSV and JSON: the rows in their order, the columns shown", () => {
      draw([
        { id: 2, text: 'a "b", c', note: "two\nlines", off: 1, deep: { a: [1] } },
        { id: 10, text: "=1+1", note: "-3.5", off: 1 },
        { id: 1, text: "@x", note: null, off: 1, deep: [] },
        ...range(9, (i) => ({ id: i + 20, text: "other", off: 0 })),
      ]);
      sortBy("ID");
      sortBy("ID");
      filter("1");
      button("Columns").click();
      box("Off").click();
      filter("");
      filter("a");
      filter("x");
      assert.deepEqual(column(1), ["1"]);
      filter("");
      button("Copy CSV").click();
      assert.equal(count(), "12 rows copied as CSV");
      const lines = copied.pop().split("\r\n");
      assert.deepEqual(
        [lines[0], ...lines.slice(-4)],
        ["id,text,note,deep", "10,'=1+1,-3.5,", '2,"a ""b"", c","two\nlines","{""a"":[1]}"', "1,'@x,,[]", ""],
      );
      filter("@x");
      button("Copy JSON").click();
      assert.deepEqual(JSON.parse(copied.pop()), [{ id: 1, text: "@x", note: null, deep: [] }]);
    });

    test("what is nested opens beneath its row", () => {
      draw([
        {
          id: "x",
          owner: { login: "ada", age: 36 },
          files: [{ name: "a.txt" }, { name: "b.txt" }],
          words: "long ".repeat(80),
        },
        { id: "y", owner: null, files: [], words: "" },
        { id: "z" },
      ]);
      const [owner, files, words] = all("td > .opener");
      assert.deepEqual(
        [owner.textContent, files.textContent, owner.ariaExpanded],
        ["ada", "2: a.txt, b.txt", "false"],
      );
      owner.click();
      assert.deepEqual(texts(".detail dd"), ["ada", "36"]);
      assert.equal(owner.ariaExpanded, "true");
      files.click();
      assert.deepEqual(texts(".detail dd").slice(0, 1), ["a.txt, b.txt"]);
      owner.click();
      files.click();
      assert.equal(all(".detail").length, 0);
      words.click();
      assert.equal(document.querySelector(".detail pre").textContent, "long ".repeat(80));
    });

    test("sort, filter, page, columns and open cells survive a new result", () => {
      const make = (extra) =>
        range(150, (i) => ({
          id: `r${i}`,
          n: (i * 7) % 150,
          kind: i % 2 ? "odd" : "even",
          deep: { value: `${i}${extra}` },
        }));
      draw({ rows: make("") });
      sortBy("n");
      sortBy("n");
      filter("odd");
      button("Next").click();
      button("Columns").click();
      box("Kind").click();
      assert.equal(column(1).length, 0);
      box("Kind").click();
      button("Next").click();
      const first = column(1)[0];
      all("td > .opener")[0].click();
      draw({ rows: make("!").reverse() });
      assert.equal(head("n").getAttribute("aria-sort"), "descending");
      assert.equal(document.querySelector("[type=search]").value, "odd");
      assert.equal(column(1)[0], first);
      assert.match(texts(".detail dd").join(), /^\d+! was \d+$/);
      button("Columns").click();
      box("Deep").click();
      draw({ rows: make("?") });
      assert.deepEqual(texts("th"), ["ID", "n", "Kind"]);
      draw({ rows: range(20, (i) => ({ id: i, other: i })) });
      assert.equal(head("ID").getAttribute("aria-sort"), "none");
      draw({ rows: make("").slice(0, 5) });
      assert.equal(count(), "2 of 5 rows");
      assert.ok(document.querySelector("[type=search]"));
    });

    test("sections, folded values and the tree stay as they were left", async () => {
      const value = (n) => ({
        n,
        part: { a: { b: { c: { d: { e: n } }, f: { g: { h: n } } } } },
        odd: [[n, [n]], [2]],
      });
      draw(value(1));
      const fold = (words) => all("details").find((one) => one.firstChild.textContent.startsWith(words));
      assert.equal(button("Part").ariaExpanded, "true");
      fold("d").firstChild.click();
      button("Part").click();
      fold("0 [2]").firstChild.click();
      await later();
      draw(value(2));
      assert.equal(button("Part").ariaExpanded, "false");
      assert.equal(fold("d"), undefined);
      button("Part").click();
      assert.deepEqual([fold("d").open, fold("g").open], [true, false]);
      assert.equal(fold("0 [2]").open, true);
      assert.equal(fold("1 [1]").open, false);
    });

    test("the tree opens and closes as a whole, and makes only what is open", () => {
      draw([[1, [2, [3, [4]]]], ["x"]]);
      assert.doesNotMatch(document.body.textContent, /4/);
      button("Expand all").click();
      assert.match(document.body.textContent, /4/);
      button("Collapse all").click();
      assert.equal(all("details[open]").length, 0);
      draw(range(60, () => range(60, () => [1])));
      button("Expand all").click();
      assert.equal(all("details[open]").length, 500);
    });

    test("rows and cells that are different from the run before say so, once", () => {
      const before = [
        { id: 1, n: 1, s: "a" },
        { id: 2, n: 2, s: "b" },
        { id: 3, n: 3, s: "c" },
        { id: 4, n: 4, s: "d" },
      ];
      const now = [
        { id: 5, n: 5, s: "e" },
        { id: 2, n: 20, s: "b" },
        { id: 1, n: 1, s: "a" },
        { id: 3, n: 3, s: null },
      ];
      draw(before);
      assert.equal(count(), "");
      draw(now);
      assert.equal(count(), "4 rows \u00b7 2 changed, 1 new, 1 gone");
      assert.deepEqual(column(1), ["5 (new)", "2", "1", "3"]);
      assert.deepEqual(column(2), ["5", "20 (was 2)", "1", "3"]);
      assert.deepEqual(column(3), ["e", "b", "a", "\u2013 (was c)"]);
      draw(now);
      assert.equal(all(".mark").length, 3);
      draw(structuredClone(now));
      assert.equal(count(), "");
      assert.equal(all(".mark").length, 0);
    });

    test("rows that share an id are told apart by their places", () => {
      draw([
        { id: 1, n: 1, a: 1 },
        { id: 1, n: 2, a: 1 },
      ]);
      draw([
        { id: 1, n: 1, a: 1 },
        { id: 1, n: 3, a: 1 },
      ]);
      assert.equal(count(), "2 rows \u00b7 1 changed");
      assert.deepEqual(column(2), ["1", "3 (was 2)"]);
    });

    for (const [name, before, now] of [
      [
        "other things",
        [
          { id: 1, n: 1 },
          { id: 2, n: 2 },
          { id: 3, n: 2 },
        ],
        [
          { id: 4, n: 1 },
          { id: 5, n: 2 },
        ],
      ],
      [
        "nearly everything",
        [
          { a: 1, b: 1 },
          { a: 2, b: 2 },
        ],
        [
          { a: 3, b: 3 },
          { a: 4, b: 2 },
        ],
      ],
      [
        "rows that no one can tell apart, and more of them",
        [
          { a: 1, b: 1 },
          { a: 1, b: 1 },
        ],
        [
          { a: 1, b: 1 },
          { a: 1, b: 1 },
          { a: 2, b: 1 },
        ],
      ],
    ])
      test(`nothing is marked where ${name} came`, () => {
        draw(before);
        draw(now);
        assert.equal(count(), "");
        assert.equal(all(".mark").length, 0);
      });

    test("a value that changed says what it was, unless it is of another thing", () => {
      draw({ id: 1, state: "open", n: 1, when: null });
      assert.deepEqual(texts(".was"), []);
      draw({ id: 1, state: "closed", n: 1, when: "now" });
      assert.deepEqual(texts(".was"), ["was open", "was \u2013"]);
      draw({ id: 1, state: "closed", n: 1, when: "now" });
      assert.deepEqual(texts(".was"), []);
      draw({ id: 2, state: "closed", n: 2, when: "now" });
      assert.deepEqual(texts(".was"), []);
    });

    test("rows with long texts are records under their titles, and nothing of them is lost", () => {
      draw([
        { title: "One", url: "u", text: "long ".repeat(61) },
        { title: "Two", url: "v", text: "long ".repeat(90) },
      ]);
      assert.deepEqual(texts("li h3"), ["One", "Two"]);
      assert.equal(all("pre").length, 2);
      assert.match(all("li")[0].textContent, /URL u/);
      draw([{ stage: "Seed", parts: { a: { low: 10, high: 20, words: "w".repeat(200) } } }]);
      assert.match(document.body.textContent, /Seed.*w{200}/s);
    });

    test("more than eight records are filtered and shown step by step", () => {
      draw(
        range(12, (i) => ({
          name: `Thing ${i}`,
          description: "a text that is longer than a cell of a table shows well",
          state: i ? "active" : "failed",
          secret: null,
        })),
      );
      assert.equal(all("li").length, 8);
      button("Show 4 more").click();
      assert.equal(all("li").length, 12);
      assert.match(all("li")[0].textContent, /failed/);
      assert.equal(all(".badge.bad").length, 1);
      const box = document.querySelector("[type=search]");
      box.value = "thing 11";
      box.dispatchEvent(new window.Event("input"));
      assert.deepEqual(texts("li h3"), ["Thing 11"]);
    });

    test("records of dates and words are a timeline by day", () => {
      draw([
        {
          message: "Fix the crash",
          author: "Ada",
          date: "2026-11-21T10:00:00Z",
          sha: "d78099da2e55f8dcc0d235db58e053eec03a697b",
        },
        {
          message: "Add a theme",
          author: "Bo",
          date: "Fri, 20 Nov 2026 08:00:00 GMT",
          sha: "a78099da2e55f8dcc0d235db58e053eec03a697b",
        },
      ]);
      assert.deepEqual(texts(".day"), ["Nov 21, 2026", "Nov 20, 2026"]);
      assert.deepEqual(
        [texts("li h3"), texts("time").map((one) => one.replace(/\s/g, " "))],
        [
          ["Fix the crash", "Add a theme"],
          ["10:00 AM", "8:00 AM"],
        ],
      );
      assert.equal(document.querySelector(".token").title, "d78099da2e55f8dcc0d235db58e053eec03a697b");
    });

    test("a single row is names and values; a single value is set large", () => {
      draw([{ a: 1, b: 2, codes: [{ n: 3, m: "x" }] }]);
      assert.deepEqual(
        [texts("th"), texts(".pairs dt, .stats dt"), texts(".facts > div")],
        [[], ["n", "m"], ["a1", "b2"]],
      );
      draw([{ id: 7, name: "Ada" }]);
      assert.deepEqual(
        [texts("dt"), texts("dd")],
        [
          ["ID", "Name"],
          ["7", "Ada"],
        ],
      );
      draw([[5]]);
      assert.deepEqual([texts("th, dt, .hint"), texts(".scalar")], [[], ["5"]], "a cell without a name");
      draw([{ count: 3 }]);
      assert.deepEqual(texts(".hero .figure"), ["3"]);
      draw([{ name: "Ada" }]);
      assert.deepEqual([texts(".caption"), texts("li")], [["Name"], ["Ada"]]);
      draw([Object.fromEntries(range(90, (i) => [`k${i}`, i]))]);
      assert.equal(all("tbody tr").length, 50);
      draw({
        preview: [
          ["a", "b"],
          [1, 2],
        ],
      });
      assert.deepEqual(
        [texts("th"), texts("td")],
        [
          ["a", "b"],
          ["1", "2"],
        ],
      );
      put(renderText("id,name,city,zip\n1,Ada,London,7", show));
      assert.deepEqual([texts("th"), texts("h3, dd")], [[], ["Ada", "1", "London", "7"]]);
    });

    test("a single column of a few short values is a list, under its title in the schema", () => {
      draw([{ user: "Ada" }, { user: "Bo" }]);
      assert.deepEqual([texts(".caption"), texts("li")], [["User"], ["Ada", "Bo"]]);
      show = new Show({
        schema: { type: "array", items: { title: "Row", properties: { user: { title: "Who" } } } },
      });
      draw([{ user: "Ada" }, { user: "Bo" }]);
      assert.deepEqual(texts(".caption"), ["Who"]);
      for (const rows of [range(8, (user) => ({ user })), [{ user: "Ada" }, { user: "long ".repeat(61) }]]) {
        draw(rows);
        assert.deepEqual(texts("th"), [show.at(0).label("user")]);
      }
    });

    test("objects of the same few numbers are columns of their own, under one name", () => {
      const rows = [
        { city: "Rome", geo: { lat: 41.9, lon: 12.5 }, n: { a: 1, b: null } },
        { city: "Oslo", geo: { lat: 59.9, lon: 10.7 }, n: {} },
        ...range(6, () => ({ city: "Nowhere", geo: null, n: { a: 2 } })),
      ];
      draw(rows);
      assert.deepEqual(texts("th"), ["City", "Geo Lat", "Geo Lon", "n"]);
      sortBy("Geo Lat");
      sortBy("Geo Lat");
      assert.deepEqual(
        [column(1).slice(0, 3), column(2).slice(0, 3)],
        [
          ["Oslo", "Rome", "Nowhere"],
          ["59.9", "41.9", "\u2013"],
        ],
      );
      button("Columns").click();
      box("Geo Lon").click();
      assert.deepEqual(texts("th"), ["City", "Geo Lat", "n"]);
      button("Copy CSV").click();
      assert.equal(copied[0].split("\r\n")[1], "Oslo,59.9,{}");
      button("Copy JSON").click();
      assert.deepEqual(JSON.parse(copied[1]), [rows[1], rows[0], ...rows.slice(2)]);
    });

    test("a text of more than three lines opens beneath its row", () => {
      draw([
        { id: 1, text: "word ".repeat(26) },
        { id: 2, text: "word ".repeat(27) },
        { id: 3, text: "a\nb\nc" },
        { id: 4, text: "a\nb\nc\nd" },
      ]);
      assert.deepEqual(
        all("tbody tr").map((row) => !!row.querySelector(".opener")),
        [false, true, false, true],
      );
      assert.ok(document.querySelector(".opener").textContent.length <= 80);
      assert.deepEqual(
        [
          all("dd").length,
          put(renderValue({ text: "word ".repeat(50), n: 1 }, show)).querySelectorAll(".opener").length,
        ],
        [0, 0],
      );
    });

    test("what is not the same few numbers in every row stays in its cell", () => {
      for (const pair of [
        [{ a: 1 }, { b: 1 }],
        [{ a: 1 }, { a: "1" }],
        [{ a: 1 }, [1]],
        [{}, {}],
        range(2, () => Object.fromEntries(range(7, (i) => [`k${i}`, i]))),
      ]) {
        draw(pair.map((v, i) => ({ i, v })));
        assert.deepEqual(texts("th"), ["i", "v"], JSON.stringify(pair));
      }
    });

    test("what changed inside an object is marked in its own column", () => {
      const at = (lat) => [
        { id: "a", geo: { lat, lon: 1 } },
        { id: "b", geo: { lat: 5, lon: 2 } },
      ];
      draw(at(1));
      draw(at(3));
      assert.deepEqual(
        all(".mark").map((one) => [one.parentElement.cellIndex, one.title]),
        [[1, "was 1"]],
      );
    });

    for (const [name, value] of [
      [
        "short rows",
        [
          { id: 1, name: "a" },
          { id: 2, name: "b" },
        ],
      ],
      [
        "rows with a little nested in them",
        [
          { id: 1, owner: { login: "a" }, tags: ["x"] },
          { id: 2, owner: { login: "b" }, tags: [] },
        ],
      ],
      ["many rows", range(13, (i) => ({ i, text: "long ".repeat(100) }))],
      [
        "one long text among much else",
        range(2, () => ({
          a: "x".repeat(110),
          b: "x".repeat(110),
          c: "x".repeat(110),
          text: "x".repeat(210),
        })),
      ],
    ])
      test(`${name} are a table`, () => {
        draw(value);
        assert.ok(document.querySelector("table"));
      });

    test("many plain values are a table, few a list", () => {
      draw(range(61, (i) => `word ${i}`));
      assert.deepEqual([texts("th"), column(1).length], [["Value"], 50]);
      draw(Object.fromEntries(range(61, (i) => [`key_${i}`, i])));
      assert.deepEqual([texts("th"), column(1)[2], column(2)[2]], [["Name", "Value"], "key_2", "2"]);
      draw(range(40, (i) => `word ${i}`));
      assert.equal(all("li").length, 40);
    });

    test("the schema names columns and fields, through references, lists and what may be null", () => {
      const schema = {
        $defs: {
          Address: {
            title: "Address",
            type: "object",
            properties: { zip: { type: "string", title: "Post code", description: "Five digits" } },
          },
          Celsius: { title: "Temperature in \u00b0C", type: "number", description: "At noon" },
          Page: {
            title: "Page",
            type: "object",
            properties: {
              rows: { type: "array", items: { anyOf: [{ $ref: "#/$defs/Row" }, { type: "null" }] } },
            },
          },
          Row: {
            title: "Row",
            type: "object",
            properties: {
              n: { anyOf: [{ type: "integer", title: "How many" }, { type: "null" }] },
              home: { anyOf: [{ $ref: "#/$defs/Address" }, { type: "null" }] },
              temp: { $ref: "#/$defs/Celsius" },
            },
          },
          Other: { type: "object", properties: { late: { title: "Only here" } } },
        },
        type: "object",
        properties: {
          result: { oneOf: [{ $ref: "#/$defs/Page" }, { $ref: "#/$defs/Other" }] },
          work: { $ref: "#/$defs/Address" },
        },
      };
      const labelled = new Show({ schema });
      put(
        renderValue(
          {
            result: { rows: [{ n: 1, home: { zip: "12345" }, temp: 3 }, { n: 2 }], late: 1 },
            work: { zip: "1" },
          },
          labelled,
        ),
      );
      assert.deepEqual(texts("th"), ["How many", "Home", "Temperature in \u00b0C"]);
      assert.equal(head("Temperature in \u00b0C").querySelector("button").title, "At noon");
      assert.deepEqual(texts("h3"), ["Result", "Work"]);
      assert.deepEqual([texts(".pairs dt"), texts(".facts > div")], [["Post code"], ["Only here1"]]);
      assert.equal(all(".pairs dt")[0].title, "Five digits");
      all("td > .opener")[0].click();
      assert.deepEqual(texts(".detail dt"), ["Post code"]);
      document.body.replaceChildren(
        ...renderResult({ structuredContent: { result: { rows: [{ n: 2 }] } } }, labelled),
      );
      assert.equal(document.querySelector(".hero .hint").textContent, "How many");
    });

    test("a view's own table has the columns it asks for, and looks as it says", () => {
      const rows = [
        { a: 2, b: "x" },
        { a: 1, b: "y" },
      ];
      put(
        table(rows, {
          columns: [
            { key: "b", label: "Letter" },
            { key: "a", format: (value, row) => `${value} of ${row.b}` },
            "missing",
          ],
          caption: "Letters",
        }),
      );
      assert.deepEqual(texts("th"), ["Letter", "a", "Missing"]);
      assert.equal(document.querySelector("caption").textContent, "Letters");
      sortBy("a");
      assert.deepEqual(column(2), ["1 of y", "2 of x"]);
      put(table(rows));
      assert.deepEqual(texts("th"), ["a", "b"]);
      for (const odd of [[], null, 3, "x", {}, [1, 2], [[1]]]) put(table(odd, { columns: [{ key: "a" }] }));
      const many = range(8, (i) => ({ a: i, b: "x" }));
      put(table(many, show));
      button("Copy JSON").click();
      assert.deepEqual(JSON.parse(copied.pop()), many);
    });

    test("what a view calls text, number or date looks as it does elsewhere on the page", () => {
      const rows = [
        {
          year: 2024,
          size_bytes: 2048,
          amount: 1234.5,
          sent: "2024-03-01T22:30:00Z",
          epoch: 1709331000,
          day: "2024-03-01",
          code: "2024-03-01",
          n: 12345,
          none: null,
          long: "long ".repeat(80),
        },
        {
          year: "x",
          size_bytes: null,
          amount: "1.50",
          sent: "soon",
          epoch: null,
          day: 3,
          code: true,
          n: { a: 1 },
          none: undefined,
          long: "",
        },
      ];
      const keys = Object.keys(rows[0]);
      const formats = [
        "number",
        "number",
        "number",
        "date",
        "date",
        "date",
        "text",
        "text",
        "number",
        "text",
      ];
      const columns = keys.map((key, i) => ({ key, format: formats[i] }));
      const shown = () =>
        [...all("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent.replace(/\s/g, " ")));
      put(table(rows, { columns }));
      assert.deepEqual(shown(), [
        [
          "2024",
          "2.05 kB",
          "1,234.5",
          "Mar 1, 2024, 10:30 PM",
          "Mar 1, 2024, 10:10 PM",
          "Mar 1, 2024",
          "2024-03-01",
          "12345",
          "\u2013",
          `${"long ".repeat(16).trim()}\u2026`,
        ],
        ["x", "\u2013", "1.50", "soon", "\u2013", "3", "true", "a: 1", "\u2013", "\u2013"],
      ]);
      assert.equal(all("td time")[0].title, "2024-03-01T22:30:00Z");
      assert.equal(all("td .number")[1].title, "2048");
      const [asAsked] = shown();
      put(table(rows));
      for (const i of [0, 1, 2, 3, 5]) assert.equal(shown()[0][i], asAsked[i], keys[i]);
    });

    test("a column's own function leaves to the table what it makes nothing of", () => {
      put(
        table([{ a: 1 }, { a: null }], {
          columns: [
            { key: "a", format: (value) => value && `${value}!` },
            { key: "a", format: "no such" },
          ],
        }),
      );
      assert.deepEqual(
        [column(1), column(2)],
        [
          ["1!", "\u2013"],
          ["1", "\u2013"],
        ],
      );
    });

    test("a view's own names and values, and its card", () => {
      put(card("Ada", keyValue({ born_in: 1815, gone: null }, { labels: { born_in: "Born" } }), "words"));
      assert.deepEqual(
        [texts("h3"), texts("dt"), texts("dd")],
        [["Ada"], ["Born", "Gone"], ["1815", "\u2013"]],
      );
      for (const odd of [undefined, null, 3, [1]]) put(keyValue(odd));
    });

    test("names and values without end are drawn as far as somebody wants to see them", () => {
      const lines = (count) =>
        Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i % 7 ? "word" : i]));
      put(keyValue(lines(300)));
      assert.equal(texts("dt").length, 300);
      put(keyValue({ ..."x".repeat(200_000) }));
      assert.ok(document.body.textContent.includes("x"));
      assert.ok(document.querySelectorAll("*").length < 3000);
    });

    test("names that objects have of their own are names like others", () => {
      const odd = JSON.parse(
        '[{"__proto__": 1, "constructor": {"a": 1}, "toString": "x"}' + ', {"__proto__": 2}'.repeat(7) + "]",
      );
      draw(odd);
      assert.equal(all("th").length, 3);
      assert.deepEqual(column(1).slice(0, 2), ["1", "2"]);
      button("Copy JSON").click();
      assert.deepEqual(JSON.parse(copied.pop()), odd);
    });
  });
