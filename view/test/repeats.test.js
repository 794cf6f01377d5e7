import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { subjects } from "./subjects.js";

const text = (words) => ({ type: "text", text: typeof words === "string" ? words : JSON.stringify(words) });
const PNG = `iVBORw0KGgo${"A".repeat(400)}`;
const image = (data = PNG) => ({ type: "image", data, mimeType: "image/png" });

for (const { where, kit } of subjects)
  describe(`results that say a thing twice, in ${where}`, () => {
    const parts = (structuredContent, ...content) =>
      kit.partsOf({ structuredContent, content: content.map((one) => (one?.type ? one : text(one))) });
    const draw = (result) => {
      document.body.replaceChildren(...kit.renderResult(result, new kit.Show({ limit: 100_000 })));
      for (const copy of document.querySelectorAll(".copy")) copy.remove();
      return document.body;
    };

    test("a text that differs only in what a serializer may leave out is not shown", () => {
      const city = { city: "Oslo", people: 709 };
      const cases = [
        [city, { ...city, mayor: null }],
        [{ ...city, mayor: null }, city],
        [
          { rows: [{ id: 1, geo: { lat: 2 } }] },
          { rows: [{ id: 1, note: null, geo: { lat: 2, alt: null } }], next: null, tags: [], meta: {} },
        ],
        [{ ...city, truncated: false, offset: 0 }, city],
        [{ ...city, a: { b: { c: null } } }, city],
        [{ price: 1 }, '{"price": 1.0}'],
        [{ price: 2.5 }, '{"price": "2.50"}'],
        [{ at: "2026-06-14T10:30:00Z" }, '{"at": "2026-06-14T10:30:00+00:00"}'],
        [
          { fileName: "a", isOpen: true },
          { file_name: "a", is_open: true },
        ],
        [
          { b: [1, { y: 2, x: 1 }], a: 1 },
          { a: 1, b: [1, { x: 1, y: 2 }] },
        ],
        [
          { result: [{ id: 1 }, { id: 2 }] },
          [
            { id: 1, note: null },
            { id: 2, note: null },
          ],
        ],
        [{ result: [{ id: 1 }, { id: 2 }] }, { id: 1, note: null }, { id: 2, note: null }],
        [{ result: { id: 1 } }, { id: 1, note: null }],
        [{ ok: true, note: null }, "{'ok': True, 'note': None}"],
      ];
      for (const [structured, ...texts] of cases)
        assert.equal(parts(structured, ...texts).length, 1, JSON.stringify([structured, texts]));
    });

    test("a text in JSON that has all of the structured content and more stands in its place", () => {
      assert.deepEqual(parts({ a: 1 }, { a: 1, b: { c: "more" } }), [
        { kind: "data", value: { a: 1, b: { c: "more" } } },
      ]);
      assert.deepEqual(parts({ a: 1 }, { a: 1, more: false }), [
        { kind: "data", value: { a: 1, more: false } },
      ]);
    });

    test("digits that a number cannot hold are shown from the text", () => {
      const text = '{"id": "12345678901234567890"}';
      assert.deepEqual(parts({ id: 12345678901234567890 }, text), [
        { kind: "data", value: { id: "12345678901234567890" } },
      ]);
    });

    test("a text that is another answer stays", () => {
      const city = { city: "Oslo", people: 709 };
      for (const other of [
        { city: "Oslo" },
        { city: "Oslo", people: 708 },
        { city: null, people: 709 },
        { city: "Oslo", people: "709 or so" },
        "Oslo has 709 people left",
      ])
        assert.equal(parts(city, other).length, 2, JSON.stringify(other));
      assert.equal(parts({ codes: ["7"] }, { codes: ["007"] }).length, 2);
      assert.equal(parts({ rows: [1, 2] }, { rows: [2, 1] }).length, 2);
      assert.equal(parts({ change: 5 }, "Change: -5").length, 2);
      assert.equal(parts({ low: 3, high: 5 }, "Low: 5, high: 3").length, 2);
      assert.equal(parts({ low: 3, high: 5 }, "**Low:** 5\n**High:** 3").length, 2);
    });

    test("a text that writes out the structured content is not shown", () => {
      const cases = [
        [{ name: "Ada", age: 36, email: null }, "**Name:** Ada\n**Age:** 36\n**Email:** None"],
        [{ users: [{ name: "Ada" }, { name: "Bo" }] }, "Users:\n1. Ada\n2. Bo"],
        [{ total: 1234567.5, open: true }, "Total: 1,234,567.50\nOpen: Yes"],
        [{ low: 3, high: 5 }, "high: 5; low: 3"],
        [{ mean: 26.82417945625457, count: 3 }, "Mean: 26.82, count: 3"],
        [
          {
            items: [
              { id: 1, name: "tea" },
              { id: 2, name: "milk" },
            ],
          },
          "| ID | Name |\n|---|---|\n| 1 | tea |\n| 2 | milk |",
        ],
        [
          {
            items: [
              { id: 1, name: "tea" },
              { id: 2, name: "milk" },
            ],
          },
          "id,name\n1,tea\n2,milk",
        ],
      ];
      for (const [structured, words] of cases) assert.equal(parts(structured, words).length, 1, words);
    });

    test("an error stands in its panel, and beneath it only what its words do not say", () => {
      const told = (structuredContent, ...words) =>
        kit
          .partsOf({ isError: true, structuredContent, content: words.map(text) })
          .map(({ kind, text, value }) => [kind, kind === "text" ? text : value]);
      const gone = "No such file: a.txt";
      for (const structured of [
        { result: gone },
        { error: gone },
        { success: false, error: gone },
        { error: { message: gone } },
        { isError: true, message: gone, details: null },
        { status: "error", errors: [gone] },
        { content: [{ type: "text", text: `Error: ${gone}` }], isError: true },
        { errors: [{ message: gone }] },
      ])
        assert.deepEqual(
          told(structured, `Error: ${gone}`),
          [["text", `Error: ${gone}`]],
          JSON.stringify(structured),
        );
      assert.deepEqual(told({ error: { message: gone, code: "ENOENT" } }, gone), [
        ["text", gone],
        ["data", { error: { code: "ENOENT" } }],
      ]);
      assert.deepEqual(told({ code: 404, error: "Not found" }, "404 Not found"), [["text", "404 Not found"]]);
      assert.deepEqual(told({ error: gone }, { error: gone, hint: null }), [
        ["data", { error: gone, hint: null }],
      ]);
      assert.deepEqual(told({ error: gone, hint: "Look" }, { error: gone }), [
        ["data", { error: gone, hint: "Look" }],
      ]);
      assert.deepEqual(told({ errors: [{ message: gone }, { message: "Disk full", code: 7 }] }, gone), [
        ["text", gone],
        ["data", { errors: [{ message: "Disk full", code: 7 }] }],
      ]);
      assert.deepEqual(told({ error: "cat" }, "The category is unknown").length, 2);
    });

    test("a picture is shown once, wherever a result has it", () => {
      const pictures = (result) => draw(result).querySelectorAll("img, canvas").length;
      assert.equal(
        pictures({
          structuredContent: { name: "dot", image: PNG },
          content: [text({ name: "dot", image: PNG }), image()],
        }),
        1,
      );
      assert.equal(pictures({ content: [text({ name: "dot", image: PNG }), image()] }), 1);
      assert.equal(pictures({ content: [image(), image()] }), 1);
      assert.equal(
        pictures({
          content: [
            image(),
            { type: "resource", resource: { uri: "a:b", blob: PNG, mimeType: "image/png" } },
          ],
        }),
        1,
      );
      assert.equal(
        pictures({ content: [text(`# Dot\n\n![dot](data:image/png;base64,${PNG})`), image()] }),
        1,
      );
      assert.equal(
        pictures({
          structuredContent: {
            result: [{ type: "image", data: PNG, mimeType: "image/png", annotations: null }],
          },
          content: [image()],
        }),
        1,
      );
      assert.equal(
        pictures({
          structuredContent: { result: { type: "image", data: PNG, mimeType: "image/png" } },
          content: [text("A dot"), image()],
        }),
        1,
      );
      assert.equal(pictures({ content: [image(), image(`${PNG}BBBB`)] }), 2);
    });

    test("structured content that holds the items once more is not shown beside them", () => {
      assert.equal(
        draw({ structuredContent: { result: [{ type: "text", text: "Hello" }] }, content: [text("Hello")] })
          .textContent,
        "Hello",
      );
      assert.equal(
        draw({
          structuredContent: { content: [{ type: "text", text: "Hello" }], isError: false },
          content: [text("Hello")],
        }).textContent,
        "Hello",
      );
      assert.match(
        draw({ structuredContent: { result: [{ type: "text", text: "Hello" }] }, content: [text("Bye")] })
          .textContent,
        /Hello[^]*Bye/,
      );
    });

    test("an embedded resource and a link to it are one thing, which has what both say", () => {
      const resource = {
        type: "resource",
        resource: { uri: "file:///a.txt", text: "All of the words", mimeType: "text/plain" },
      };
      const link = { type: "resource_link", uri: "file:///a.txt", name: "a.txt", description: "The notes" };
      for (const content of [
        [resource, link],
        [link, resource],
        [link, resource, link],
      ]) {
        const body = draw({ content });
        assert.equal(body.querySelectorAll(".resource").length, 1);
        assert.match(body.textContent, /a\.txt.*file:\/\/\/a\.txt.*The notes.*All of the words/);
      }
      assert.equal(draw({ content: [link, link] }).querySelectorAll(".resource").length, 1);
      const twice = draw({ content: [text("All of the words"), resource] }).textContent;
      assert.equal(twice.split("All of the words").length, 2);
      assert.match(twice, /file:\/\/\/a\.txt/);
      const said = draw({
        structuredContent: { a: 1 },
        content: [
          { type: "resource", resource: { uri: "x:y", text: '{"a": 1}', mimeType: "application/json" } },
        ],
      });
      assert.equal(said.querySelectorAll(".hero").length, 1);
      assert.match(said.textContent, /x:y/);
    });
  });
