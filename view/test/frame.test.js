// What the frame says in words: the first sentence of a description, the summary of a result, the words for an error.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDom } from "./dom.js";

freshDom();

const { firstSentence, unindented } = await import("../src/shell/description.js");
const { summaryOf } = await import("../src/kit/result/summary.js");
const { errorWords } = await import("../src/shell/error-words.js");
const { Show } = await import("../src/kit/result/show.js");

test("a description written for a model becomes one sentence for a person", () => {
  for (const [description, sentence] of [
    ["", ""],
    ["List users", "List users"],
    ["Lists users. Use it when asked.", "Lists users."],
    ["Lists files, e.g. those of a team. More follows.", "Lists files, e.g. those of a team."],
    ["Reads version 1.2 of a file.\nThen more.", "Reads version 1.2 of a file."],
    ["\n    Get the **current** `weather`\n    for a [city](https://example.com).\n\n    Args:\n      city: which", "Get the current weather for a city."],
    ["# Search\n\nFinds things.", "Search"],
    ["Get stories\nArgs:\n  id: which", "Get stories"],
    ["- first\n- second", "first"],
    ["<use_case>Finds things</use_case>", "Finds things"],
    ["\u5929\u6c14\u3002\u66f4\u591a\u3002", "\u5929\u6c14\u3002"],
    ["---\n***\n", ""],
    [`${"word ".repeat(60)}end.`, `${"word ".repeat(31).trim()}\u2026`],
  ]) assert.equal(firstSentence(description), sentence, JSON.stringify(description));
});

test("a description is read without the indentation of the code it stood in", () => {
  assert.equal(unindented("First\n    second\n      third\n\n    fourth"), "First\nsecond\n  third\n\nfourth");
  assert.equal(unindented("one line"), "one line");
});

test("no more than the beginning of a description is read", () => {
  assert.equal(firstSentence(`${" \n".repeat(9)}${"[".repeat(3000)}a](b) Words.`), "");
  assert.equal(firstSentence(`${"\n- ".repeat(2000)}\nWords.`), "");
});

test("a result is summed up by what its data says", () => {
  const of = (data, tool = "get_it") => summaryOf({ content: [{ type: "text", text: JSON.stringify(data) }] }, tool);
  assert.equal(of([{ a: 1 }, { a: 2 }], "list_stories"), "2 stories");
  assert.equal(of([{ a: 1 }], "list_addresses"), "1 address");
  assert.equal(of([{ a: 1 }], "list_boxes"), "1 box");
  assert.equal(of([1, 2, 3]), "3 items");
  assert.equal(of([{ a: 1 }, { a: 2 }]), "2 rows");
  assert.equal(of({ openIssues: [{ a: 1 }, { a: 2 }], page: 1 }), "2 open issues");
  assert.equal(of({ users: [] }), "0 users");
  assert.equal(of({ name: "Ada", tags: ["a", "b"] }), "Ada");
  assert.equal(of({ name: { first: "Ada" } }), "");
  assert.equal(of({ name: "line\nbreak" }), "line break");
  assert.equal(of({ series: [{ a: 1 }] }), "1 series");
  assert.equal(summaryOf({ content: [{ type: "text", text: "words" }] }, "tool"), "");
  assert.equal(summaryOf({ content: [] }, "tool"), "");
  assert.equal(summaryOf({ content: [{ type: "text", text: "before" }, { type: "text", text: '[{"a": 1}]' }] }, "tool"), "");
});

test("an error is told without what programs put before it", () => {
  const of = (message) => errorWords(message, new Show()).map((one) => one.textContent);
  assert.deepEqual(of("Error: The disk is full"), ["The disk is full"]);
  assert.deepEqual(of("MCP error -32602: Error executing tool x: ValueError: No such city"), ["No such city"]);
  assert.deepEqual(of("No such city. Name another one."), ["No such city.", "Name another one."]);
  assert.deepEqual(of("Error:"), ["Error:"]);
  assert.deepEqual(of("TypeError"), ["TypeError"]);
});

test("an error of a Python program begins with what was thrown", () => {
  const [first, rest] = errorWords('Error:\n```\nTraceback (most recent call last):\n  File "main.py", line 1\n    1/0\nZeroDivisionError: division by zero\n```', new Show());
  assert.equal(first.textContent, "ZeroDivisionError: division by zero");
  assert.match(rest.textContent, /main\.py/);
});
