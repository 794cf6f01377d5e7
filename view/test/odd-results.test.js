import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { saysFailed } from "../src/kit/result/data.js";
import { readText } from "../src/kit/result/recognise/read.js";
import { asMeant } from "../src/kit/result/recognise/meant.js";
import { xmlIn } from "../src/kit/result/recognise/xml.js";
import { subjects } from "./subjects.js";

const text = (words) => ({ type: "text", text: words });
const json = (value) => text(JSON.stringify(value));
const only = (words, kind) => {
  const readings = readText(words);
  assert.deepEqual(
    readings.map((one) => one.kind),
    [kind],
    words,
  );
  return readings[0].value ?? readings[0].text;
};

for (const { where, kit } of subjects)
  describe(`results of other servers, in ${where}`, () => {
    const draw = (...content) => {
      document.body.replaceChildren(...kit.renderResult({ content }, new kit.Show({})));
      return document.body;
    };
    const rowsIn = (body) =>
      [...body.querySelectorAll("tbody tr")].map((row) =>
        [...row.cells].map((cell) => cell.textContent).join(" "),
      );

    test("objects in items of their own are rows of one table, and a row's own failure is no failure of the call", () => {
      const items = [1, 2, 3].map((id) => json({ id, ok: id !== 2 }));
      assert.deepEqual(rowsIn(draw(...items)), ["1 Yes", "2 No", "3 Yes"]);
      assert.equal(saysFailed({ content: items }), false);
      assert.equal(draw(json({ id: 1 }), json({ other: 2 })).querySelector("table"), null);
      assert.equal(
        draw(text("Two rows"), json({ id: 1, a: 2 }), json({ id: 2, a: 2 })).querySelector("table"),
        null,
      );
    });

    test("JSON inside of JSON is read", () => {
      assert.deepEqual(
        rowsIn(
          draw(
            text(
              JSON.stringify(
                JSON.stringify([
                  { a: 1, b: "x" },
                  { a: 2, b: "y" },
                ]),
              ),
            ),
          ),
        ),
        ["1 x", "2 y"],
      );
      assert.match(
        draw(text(JSON.stringify("# Title\n\n**bold**"))).querySelector("h3").textContent,
        /^Title$/,
      );
      assert.equal(draw(text('"a few words"')).textContent, '"a few words"');
      const body = draw(
        json({ status: "ok", payload: JSON.stringify({ rows: [{ a: 1 }] }), tags: '["p","q"]' }),
      );
      assert.doesNotMatch(body.textContent, /[{[]/);
      assert.match(body.textContent, /p, q/);
    });

    test("what a terminal is told is left out", () => {
      assert.equal(
        draw(
          text("\x1b[32m\u2713\x1b[0m passed\n\x1b[1;31mFAIL\x1b[0m \x1b]8;;https://x.y\x07link\x1b]8;;\x07"),
        ).textContent,
        "\u2713 passed\nFAIL link",
      );
      assert.equal(saysFailed({ content: [text("\x1b[31mError:\x1b[0m no such host")] }), true);
    });

    test("errors of a graph without data are a failure", () => {
      assert.equal(
        saysFailed({ content: [json({ data: null, errors: [{ message: "No such field" }] })] }),
        true,
      );
      assert.equal(saysFailed({ content: [json({ errors: [{ status: "422" }] })] }), true);
      for (const fine of [
        { data: { a: 1 }, errors: [{ message: "Partly" }] },
        { errors: [], checked: 4 },
        { errors: 0 },
      ])
        assert.equal(saysFailed({ content: [json(fine)] }), false);
    });

    test("a break in formatted text is one", () => {
      assert.equal(draw(text("# T\n\n- a<br>b<br/>c\n- `<br>`")).querySelectorAll("li br").length, 2);
    });
  });

test("XML is data where it is no text", () => {
  const feed =
    '<?xml version="1.0"?>\n<rss xmlns:a="urn:x"><channel><title>News</title><item id="1"><title>One</title></item><item id="2"><title><![CDATA[<Two>]]></title></item></channel></rss>';
  assert.deepEqual(only(feed, "data"), {
    channel: {
      title: "News",
      item: [
        { id: "1", title: "One" },
        { id: "2", title: "<Two>" },
      ],
    },
  });
  assert.deepEqual(
    xmlIn(
      '<r n="1"><!-- no --><a unit="km">5</a><b>7</b><c/><constructor>x</constructor><__proto__>y</__proto__></r>',
    )[0].value.a,
    { unit: "km", text: "5" },
  );
  for (const words of [
    "<p>Hello <b>world</b></p>",
    "<p>a</p><p>b</p>",
    "<!DOCTYPE html><html><body><p>x</p></body></html>",
    "<a><b></a>",
    "<Foo bar={1} />",
    "<x>words</x>",
  ])
    only(words, "code");
  only("<think>", "code");
  only("a < b > c", "text");
});

test("records between rules, and names with a picture in front", () => {
  assert.deepEqual(
    only("Title: One\nScore: 5\n---\nTitle: Two\nScore: 7\n---\nTitle: Three\nScore: 9\n", "data").map(
      ({ Score }) => Score,
    ),
    ["5", "7", "9"],
  );
  assert.deepEqual(
    readText(
      "\u{1f4ca} Weather\n\n\u{1f321}\ufe0f Temperature: 12 \u00b0C\n\u{1f4a7} Humidity: 70 %\n\u{1f4a8} Wind: 5 km/h",
    ).map((one) => one.value ?? one.text),
    ["\u{1f4ca} Weather", { Temperature: "12 \u00b0C", Humidity: "70 %", Wind: "5 km/h" }],
  );
});

test("numbered entries with lines of their own are a list", () => {
  only(
    "1. First\n   URL: https://example.com/1\n   Snippet: good\n\n2. Second\n   URL: https://example.com/2\n   Snippet: bad",
    "markdown",
  );
  only("- id: 1\n  name: tea\n- id: 2\n  name: milk", "code");
});

test("values as they are meant", () => {
  assert.deepEqual(asMeant([{ node: { id: 1 }, cursor: "x" }, { node: { id: 2 } }]), [{ id: 1 }, { id: 2 }]);
  assert.deepEqual(asMeant({ u1: { name: "A", age: 3 }, u2: { name: "B", age: 4 } }), [
    { key: "u1", name: "A", age: 3 },
    { key: "u2", name: "B", age: 4 },
  ]);
  assert.deepEqual(asMeant({ name: "a", encoding: "base64", content: btoa("h\u00e9llo") && "aMOpbGxv" }), {
    name: "a",
    content: "h\u00e9llo",
  });
  for (const value of [
    { encoding: "base64", content: "//79" },
    { encoding: "utf-8", content: "aMOp" },
    [{ node: 1 }],
    [{ node: {}, x: 1 }],
    [],
    {},
    { a: { x: 1 }, b: { x: 2 } },
    { a: { x: 1, y: 2 }, b: { x: 1, z: 2 } },
    { a: { x: [], y: 2 }, b: { x: [], y: 2 } },
    null,
    "x",
  ])
    assert.equal(asMeant(value), value, JSON.stringify(value));
});
