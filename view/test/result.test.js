import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isEmpty, onlyFailure, soundsFailed } from "../src/kit/result/data.js";
import { joined, rowsOf } from "../src/kit/result/recognise/rows.js";
import { subjects } from "./subjects.js";

for (const {
  where,
  kit: { Show, partsOf, renderResult },
} of subjects)
  describe(where, () => {
    const show = new Show({ limit: 1000 });
    const draw = (result) => {
      document.body.replaceChildren(...renderResult(result, show));
      return document.body;
    };
    const text = (value) => ({
      type: "text",
      text: typeof value === "string" ? value : JSON.stringify(value),
    });

    test("structured content comes first, a text that repeats it is not shown twice", () => {
      assert.deepEqual(partsOf({ structuredContent: { a: 1 }, content: [text({ a: 1 })] }).length, 1);
      assert.deepEqual(
        partsOf({ structuredContent: { a: 1 }, content: [text("else")] }).map((part) => part.kind),
        ["data", "text"],
      );
      assert.deepEqual(partsOf({ structuredContent: { result: "hi" }, content: [text("hi")] }), [
        { kind: "data", value: "hi" },
      ]);
      assert.equal(partsOf({ content: [text("a"), text([1])] }).length, 2);
    });

    test("malformed results do not throw", () => {
      for (const result of [
        undefined,
        null,
        3,
        "x",
        [],
        {},
        { content: "x" },
        { content: [null, 3, {}, { type: "text" }, { type: "image" }, { type: "resource" }] },
      ])
        draw(result);
      assert.equal(isEmpty({}), true);
      assert.equal(isEmpty({ structuredContent: { result: 0 } }), false);
    });

    test("a list of objects is a table that sorts", () => {
      const body = draw({
        content: [
          text({
            total: 2,
            items: [
              { n: 10, s: "b" },
              { n: 9, s: "a" },
            ],
          }),
        ],
      });
      const cells = () => [...body.querySelectorAll("tbody tr")].map((row) => row.cells[0].textContent);
      assert.deepEqual(cells(), ["10", "9"]);
      body.querySelector("th button").click();
      assert.deepEqual(cells(), ["9", "10"]);
      assert.equal(body.querySelector("th").getAttribute("aria-sort"), "ascending");
    });

    test("a long table shows fifty rows and filters", () => {
      const body = draw({
        structuredContent: { rows: Array.from({ length: 10_000 }, (_, i) => ({ id: `row ${i}` })) },
      });
      assert.equal(body.querySelectorAll("tbody tr").length, 50);
      const box = body.querySelector("[type=search]");
      box.value = "row 9999";
      box.dispatchEvent(new window.Event("input"));
      assert.equal(body.querySelectorAll("tbody tr").length, 1);
    });

    test("long text is cut and can be shown", () => {
      const body = draw({ content: [text("x".repeat(3000))] });
      assert.equal(body.querySelector("pre").textContent.length, 1000);
      body.querySelector("button").click();
      assert.equal(body.querySelector("pre").textContent.length, 3000);
    });

    test("a list of one long text is that text", () => {
      const long = "# Title\n\nWords, *and more*.\n\n".repeat(20);
      assert.equal(draw({ structuredContent: [long] }).querySelector(".markdown h3").textContent, "Title");
      assert.equal(draw({ structuredContent: { notes: [long], more: 1 } }).querySelectorAll("li").length, 0);
      assert.deepEqual(
        [["short"], [long, long]].map(
          (value) => draw({ structuredContent: { result: value } }).querySelectorAll("li").length,
        ),
        [1, 2],
      );
    });

    test("the size of binary data leaves out what fills its last group", () => {
      for (const [blob, size] of [
        ["AAAA", "3 bytes"],
        ["AAA=", "2 bytes"],
        ["AA==", "1 byte"],
        ["AA", "1 byte"],
      ]) {
        const resource = { uri: "file:///a", blob, mimeType: "application/gzip" };
        assert.match(draw({ content: [{ type: "resource", resource }] }).textContent, RegExp(`, ${size}`));
      }
    });

    test("a picture comes before the texts about it and behind the line that leads to it, and a text about its making is folded", () => {
      const picture = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
      const order = (...content) =>
        [...draw({ content }).children].map(({ localName, className }) => className || localName);
      const code =
        "### Result\n- [Shot](a/b.png)\n### Ran code\n```js\nawait page.screenshot({ path: 'a/b.png' });\n```";
      assert.deepEqual(order(text("Here it is:"), picture, text("It shows the logo.")), [
        "hint",
        "picture",
        "hint",
      ]);
      assert.deepEqual(
        [...document.querySelectorAll("body > .hint")].map((one) => one.textContent),
        ["Here it is:", "It shows the logo."],
      );
      assert.deepEqual(order(text(code), picture), ["picture", "details"]);
      document.querySelector("summary").parentNode.open = true;
      assert.match(document.body.textContent, /As text Result - Shot /);
      assert.deepEqual(
        order(text(`# Report\n\n${"Words that say more than the picture. ".repeat(4)}`), picture),
        ["picture", "markdown"],
      );
      assert.deepEqual(order(text("See https://example.com/a"), picture), ["picture", "hint"]);
      assert.equal(document.querySelector("[role=link]").title, "https://example.com/a");
      assert.equal(
        order(text({ a: 1 }), {
          type: "resource",
          resource: { uri: "a:b", blob: picture.data, mimeType: "image/png" },
        })[0],
        "resource",
      );
    });

    test("pictures with words between them, and an error's picture, keep their places", () => {
      const picture = (data) => ({ type: "image", data, mimeType: "image/png" });
      const kinds = (...content) => [...draw({ content }).children].map(({ localName }) => localName);
      assert.deepEqual(
        kinds(text("First:"), picture("AAAA"), text("Second:"), picture("BBBB")).filter(
          (name) => name === "figure",
        ).length,
        2,
      );
      assert.notEqual(kinds(text("First:"), picture("AAAA"), text("Second:"), picture("BBBB"))[0], "figure");
      assert.notEqual(kinds(text("Error: no page"), picture("AAAA"))[0], "figure");
    });

    test("markup in a result stays text", () => {
      const bad = '<img src=x onerror="1"><svg/onload=1>';
      const body = draw({
        structuredContent: { [bad]: bad, rows: [{ [bad]: bad }] },
        content: [text(bad), { type: "resource_link", uri: "javascript:1", name: bad }],
      });
      assert.equal(body.querySelector("img, svg, script, a"), null);
    });
  });

test("columns beside rows are a table; what is none stays none", () => {
  assert.deepEqual(joined({ columns: ["a"], rows: [[1]] }), [{ a: 1 }]);
  assert.deepEqual(joined({ columns: ["a"], rows: [[1]], total: 9 }), { total: 9, rows: [{ a: 1 }] });
  assert.equal(rowsOf([1, 2]), undefined);
  assert.equal(rowsOf([]), undefined);
});

test("a success that says error is recognised", () => {
  for (const words of ["Error: no", "Failed to fetch", "\u274c error", "Could not find"])
    assert.equal(soundsFailed(words), true, words);
  for (const words of ["All good", "No errors", "Forecast"]) assert.equal(soundsFailed(words), false, words);
});

test("a result that only says that it failed is a failure, with other words it is not", () => {
  const text = (words) => ({ type: "text", text: words });
  const only = onlyFailure;
  assert.ok(only({ content: [text("Error: the disk is full")] }));
  assert.ok(only({ structuredContent: { result: "Error retrieving key a: connection refused" } }));
  assert.ok(
    only({
      structuredContent: {
        results: [{ rank: 1, title: "Error: the search is down", url: "" }],
        facets: null,
      },
    }),
  );
  assert.ok(!only({ structuredContent: { title: "Error: the search is down", url: "https://a.example" } }));
  assert.ok(!only({ content: [text("Error: one"), text("and more")] }));
  assert.ok(!only({ content: [text("All is well")] }) && !only({ content: [] }) && !only(undefined));
  assert.ok(!only({ content: [text(`Error: ${"very ".repeat(200)}long`)] }));
});
