// What the frame says in words: the first sentence of a description, the summary of a result, the words for an error.
import assert from "node:assert/strict";
import { test } from "node:test";
import { freshDom } from "./dom.js";

freshDom();

const { firstSentence, unindented } = await import("../src/shell/description.js");
const { choicesOf, doneOf, presetsOf } = await import("../src/shell/choices.js");
const { toolTitle } = await import("../src/shell/header.js");
const { summaryOf } = await import("../src/kit/result/summary.js");
const { alternatives, errorWords, namedFailure } = await import("../src/shell/error-words.js");
const { Show } = await import("../src/kit/result/show.js");
const { resultArea } = await import("../src/shell/result-area.js");

test("a description written for a model becomes one sentence for a person", () => {
  for (const [description, sentence] of [
    ["", ""],
    ["List users", "List users"],
    ["Lists users. Use it when asked.", "Lists users."],
    ["Lists files, e.g. those of a team. More follows.", "Lists files, e.g. those of a team."],
    ["Reads version 1.2 of a file.\nThen more.", "Reads version 1.2 of a file."],
    [
      "\n    Get the **current** `weather`\n    for a [city](https://example.com).\n\n    Args:\n      city: which",
      "Get the current weather for a city.",
    ],
    ["# Search\n\nFinds things.", "Search"],
    ["Get stories\nArgs:\n  id: which", "Get stories"],
    ["- first\n- second", "first"],
    ["<use_case>Finds things</use_case>", "Finds things"],
    ["\u5929\u6c14\u3002\u66f4\u591a\u3002", "\u5929\u6c14\u3002"],
    ["---\n***\n", ""],
    [`${"word ".repeat(60)}end.`, `${"word ".repeat(31).trim()}\u2026`],
  ])
    assert.equal(firstSentence(description), sentence, JSON.stringify(description));
});

test("a description is read without the indentation of the code it stood in", () => {
  assert.equal(
    unindented("First\n    second\n      third\n\n    fourth"),
    "First\nsecond\n  third\n\nfourth",
  );
  assert.equal(unindented("one line"), "one line");
});

test("no more than the beginning of a description is read", () => {
  assert.equal(firstSentence(`${" \n".repeat(9)}${"[".repeat(3000)}a](b) Words.`), "");
  assert.equal(firstSentence(`${"\n- ".repeat(2000)}\nWords.`), "");
});

test("a result is summed up by what its data says", () => {
  const of = (data, tool = "get_it") =>
    summaryOf({ content: [{ type: "text", text: JSON.stringify(data) }] }, tool);
  assert.equal(of([{ a: 1 }, { a: 2 }], "list_stories"), "2 stories");
  assert.equal(of([{ a: 1 }], "list_addresses"), "1 address");
  assert.equal(of([{ a: 1 }], "list_boxes"), "1 box");
  assert.equal(of([1, 2, 3]), "", "few need no count");
  assert.equal(of(Array(9).fill(1)), "9 items");
  assert.equal(of(Array(9).fill({ a: 1 })), "9 rows");
  assert.equal(of({ openIssues: [{ a: 1 }, { a: 2 }], page: 1 }), "2 open issues");
  assert.equal(of({ users: [] }), "");
  assert.equal(of({ name: "Ada", tags: ["a", "b"] }), "", "a name is the head of the result");
  assert.equal(of({ series: [{ a: 1 }] }), "", "what a chart draws");
  assert.equal(summaryOf({ content: [{ type: "text", text: "words" }] }, "tool"), "");
  assert.equal(
    summaryOf({ content: [{ type: "text", text: "[{'name': 'a'}, {'name': 'b'}]" }] }, "list_tables"),
    "2 tables",
    "as Python writes it",
  );
  const rows = (count) => ({ structuredContent: Array(count).fill({ a: 1, b: 2 }), content: [] });
  assert.deepEqual(
    [1, 2, 9].map((count) => summaryOf(rows(count), "query")),
    ["", "", "9 rows"],
  );
  assert.equal(summaryOf({ content: [] }, "tool"), "");
  assert.equal(
    summaryOf(
      {
        content: [
          { type: "text", text: "before" },
          { type: "text", text: '[{"a": 1}]' },
        ],
      },
      "tool",
    ),
    "",
  );
});

test("an error is told without what programs put before it", () => {
  const of = (message) => errorWords(message, new Show()).map((one) => one.textContent);
  assert.deepEqual(of("Error: The disk is full"), ["The disk is full"]);
  assert.deepEqual(of("MCP error -32602: Error executing tool x: ValueError: No such city"), [
    "No such city",
  ]);
  assert.deepEqual(of("No such city. Name another one."), ["No such city.", "Name another one."]);
  assert.deepEqual(of("Error:"), ["Error:"]);
  assert.deepEqual(of("TypeError"), ["TypeError"]);
});

test("an error about arguments says which, and one about the network to where", () => {
  const of = (message) => errorWords(message, new Show()).map((one) => one.textContent);
  assert.deepEqual(
    of(
      "Input validation error: Invalid arguments for tool draw_pie: Expected array, received string at data",
    ),
    ["Data must be an array"],
  );
  assert.deepEqual(
    of(
      'Invalid arguments for read_notes: [{"code": "invalid_type", "path": ["paths"], "message": "Expected array"}]',
    ),
    ["paths: Expected array"],
  );
});

test("an error that lists what a server takes leads to calls with each of it", () => {
  const of = (words, args) =>
    alternatives(words, args).calls.map(([value, next]) => [value, next.unit ?? next.to_unit]);
  const units = [
    ["g", "g"],
    ["kg", "kg"],
    ["oz", "oz"],
  ];
  assert.deepEqual(of("'stone' is not one of ['g', 'kg', 'oz']", { value: 1, unit: "stone" }), units);
  assert.deepEqual(
    of("Invalid enum value. Expected 'g' | 'kg' | 'oz', received 'stone'", { value: 1, unit: "stone" }),
    units,
  );
  assert.deepEqual(
    of('unit: Invalid option: expected one of "g"|"kg"|"oz"', { value: 1, unit: "stone" }),
    units,
  );
  assert.deepEqual(
    of(
      "to_unit Input should be 'g', 'kg' or 'oz' [type=literal_error, input_value='stone', input_type=str]",
      { value: 1, to_unit: "stone" },
    ),
    units,
  );
  assert.deepEqual(
    of("Expected 'g' | 'kg', received 'stone'", { unit: "pounds" }),
    [],
    "an error about something else",
  );
  assert.deepEqual(of("Expected 'g' | 'kg', received 'g'", { unit: "g" }), [], "a value that is accepted");
  assert.deepEqual(of("Expected an array, received 'stone'", { unit: "stone" }), []);
  assert.deepEqual(of("Unknown unit stone. Supported: g, kg, oz", { unit: "stone" }), units);
  assert.deepEqual(
    of("\u4e0d\u652f\u6301: stone\u3002\u652f\u6301\uff1ag\u3001kg\u3001oz", { unit: "stone" }),
    units,
  );
  assert.deepEqual(of("Cannot parse stone: expected, later, never", { unit: "kg" }), [], "a sentence");
});

test("a word that is nearly one that the error or a query language knows leads to a call with that", () => {
  const of = (words, args) => alternatives(words, args).calls.map(([word, next]) => [word, next]);
  assert.deepEqual(of('syntax error at or near "SELEC"', { query: "SELEC a FROM t", limit: 2 }), [
    ["SELECT", { query: "SELECT a FROM t", limit: 2 }],
  ]);
  assert.deepEqual(of("no such table: oders. Known are orders and users", { table: "oders" }), [
    ["orders", { table: "orders" }],
  ]);
  assert.deepEqual(of('near "FORM": syntax error', { query: "SELECT a FORM t" }), [
    ["FROM", { query: "SELECT a FROM t" }],
  ]);
  assert.deepEqual(of("no such column: amount", { query: "SELECT amount FROM t" }), []);
  assert.deepEqual(of("fetch failed", { query: "SELEC" }), [], "an error that does not name the word");
  const long = "SELEC".repeat(200_000);
  assert.deepEqual(of(long, { query: long }), [], "what is no word");
  assert.equal(errorWords("x [type=".repeat(100_000), new Show({ limit: 1000 })).length, 1);
});

test("words under which a mark points at a letter keep their places", () => {
  const [first, rest] = errorWords(
    'Parser Error: syntax error at or near "SELEC"\nLINE 1: SELEC\n        ^',
    new Show({ limit: 1000 }),
  );
  assert.match(first.textContent, /^Syntax error at or near "SELEC"$/);
  assert.match(rest.querySelector("pre").className, /columns/);
  assert.equal(rest.textContent, "LINE 1: SELEC\n        ^");
});

test("a tool without a title is called by its name, without the protocol's and the server's", () => {
  assert.equal(toolTitle({ name: "mcp_howtocook_whatToEat" }, "howtocook-mcp"), "What to eat");
  assert.equal(toolTitle({ name: "mcp_howtocook_whatToEat" }, "other"), "Howtocook what to eat");
  assert.equal(toolTitle({ name: "git_log" }, "git"), "Git log");
  assert.equal(toolTitle({ name: "mcp_" }, "a"), "Mcp");
  assert.equal(toolTitle({ name: "mcp_a", title: "A title" }), "A title");
});

test("a few values of an argument that the call has are buttons where the tool only reads", () => {
  const tool = {
    name: "convert_weight",
    inputSchema: {
      properties: {
        value: { type: "number" },
        to_unit: { enum: ["g", "kg"] },
        mode: { enum: ["a", "b"], default: "b" },
        many: { enum: [..."abcdefgh"] },
      },
    },
  };
  const asked = [];
  const rows = choicesOf(tool, { value: 1, to_unit: "kg", many: "a" }, (args) => asked.push(args));
  assert.deepEqual(
    [...rows[0].children].map((one) => one.ariaLabel ?? one.getAttribute("aria-label")),
    ["To unit"],
  );
  assert.deepEqual(
    [...rows[0].firstChild.querySelectorAll("button")].map((one) => [
      one.textContent,
      one.getAttribute("aria-pressed"),
    ]),
    [
      ["g", "false"],
      ["kg", "true"],
    ],
  );
  rows[0].querySelector("button").click();
  assert.deepEqual(asked, [{ value: 1, to_unit: "g", many: "a" }]);
  assert.deepEqual(
    choicesOf({ ...tool, name: "set_weight" }, { to_unit: "kg" }, () => {}),
    [],
  );
  assert.deepEqual(
    choicesOf({ ...tool, annotations: { readOnlyHint: false } }, { to_unit: "kg" }, () => {}),
    [],
  );
  assert.equal(
    choicesOf({ ...tool, name: "weigh", annotations: { readOnlyHint: true } }, { to_unit: "kg" }, () => {})[0]
      .children.length,
    1,
  );
});

test("the arguments that a server takes by itself are those with a default", () => {
  assert.deepEqual(
    presetsOf({
      inputSchema: {
        properties: { mode: { default: "b" }, off: { default: false }, text: { type: "string" } },
      },
    }),
    { mode: "b", off: false },
  );
  assert.deepEqual(presetsOf({}), {});
});

test("what a validator says of an argument is said in plain words", () => {
  const words = (said) => errorWords(said, new Show({ limit: 1000 })).map((one) => one.textContent);
  const invalid = "Input validation error: Invalid arguments for tool list: ";
  for (const [said, first, rest] of [
    ["city: Invalid input: expected string, received undefined", "City is missing"],
    ["Invalid input: expected number, received NaN at days", "Days must be a number"],
    ["ids: expected array, received string", "IDs must be an array"],
    ['Invalid option: expected one of "a"|"b" at size', 'Size must be one of "a"|"b"'],
    ['[{"path": ["city"], "message": "Required"}]', "City is missing"],
    [
      "first_day: Required\nb.c: expected array, received string",
      "First day is missing; B c must be an array",
    ],
    [
      "1 validation error for fetchArguments\nurl\n  Input should be a valid URL [type=url_parsing, input_value='x']\n    For further information visit https://example.com",
      "URL must be a valid URL",
    ],
    [
      "1 validation error for fetchArguments\nurl\n  Field required [type=missing, input_value={}]",
      "URL is missing",
    ],
    [
      "Invalid input: expected string, received undefined",
      "Invalid input: expected string, received undefined",
    ],
    ["A password is required", "A password is required"],
  ])
    assert.deepEqual(words(invalid + said), rest ? [first, rest] : [first], said);
});

test("what a text must look like stands beneath the words that it does not", () => {
  const [first, rest] = errorWords("'0x' does not match '^d$'", new Show({ limit: 1000 }));
  assert.equal(first.textContent, "'0x' has the wrong form");
  assert.equal(rest.textContent, "'^d$'");
});

test("an error of a Python program begins with what was thrown", () => {
  const [first, rest] = errorWords(
    'Error:\n```\nTraceback (most recent call last):\n  File "main.py", line 1\n    1/0\nZeroDivisionError: division by zero\n```',
    new Show(),
  );
  assert.equal(first.textContent, "ZeroDivisionError: division by zero");
  assert.match(rest.textContent, /main\.py/);
});

test("a failure of a common kind has a name above what the program said", () => {
  const named = (message) =>
    namedFailure(message, errorWords(message, new Show({ limit: 1000 }))).map((one) => one.textContent);
  for (const [message, name] of [
    [
      "API request failed with status undefined: getaddrinfo EAI_AGAIN developers.hostinger.com",
      "developers.hostinger.com cannot be reached right now",
    ],
    [
      "request to https://api.monday.com/v2 failed, reason: getaddrinfo ENOTFOUND api.monday.com",
      "api.monday.com cannot be reached right now",
    ],
    ["dial tcp 127.0.0.1:3000: connect: connection refused", "127.0.0.1:3000 cannot be reached right now"],
    [
      "Error 111 connecting to 127.0.0.1:6379. Connection refused.",
      "127.0.0.1:6379 cannot be reached right now",
    ],
    ["fetch failed", "The service cannot be reached right now"],
    [
      "Unable to connect to https://sentry.io/api/0/ - DNS unavailable.",
      "sentry.io cannot be reached right now",
    ],
    ["HTTP 429 Too Many Requests", "Limit reached"],
    ["Monthly quota exceeded", "Limit reached"],
    ["Request failed with status code 401", "Access denied"],
    ["403 Forbidden", "Access denied"],
    ["Invalid API key", "Access denied"],
  ]) {
    const [first, , said] = named(message);
    assert.deepEqual([first, said], [name, message]);
  }
  assert.equal(named("fetch failed")[1], "Check the network, then try again.");
  assert.equal(
    named("Connection error, according to docs.example.com")[0],
    "The service cannot be reached right now",
  );
  assert.equal(named("connect ECONNREFUSED localhost:80")[1], "Check that it is running.");
  assert.deepEqual(named("The city is unknown."), ["The city is unknown."]);
  assert.deepEqual(named("Chapter 4290 is empty"), ["Chapter 4290 is empty"]);
});

test("a call that changed something says that it was done, unless the result says how it went", () => {
  const nodes = (html) => {
    document.body.innerHTML = html;
    return [...document.body.children];
  };
  const done = (name, html, result = {}, annotations = {}) =>
    doneOf({ name, annotations }, result, nodes(html)).map((one) => one.textContent);
  for (const name of ["generate_icon", "create_table", "hubspot-create-task", "Files.upload", "deleteUser"])
    assert.deepEqual(done(name, "<dl></dl>"), ["Done"], name);
  for (const name of ["get_created_items", "list_updates", "recreate", "additions"])
    assert.deepEqual(done(name, "<dl></dl>"), [], name);
  for (const html of [
    '<p class="said">Saved</p>',
    '<div><p class="hero"></p></div>',
    "<figure></figure>",
    '<span class="badge warning">pending</span>',
  ])
    assert.deepEqual(done("create_table", html), [], html);
  assert.deepEqual(done("create_table", "<dl></dl>", { structuredContent: { success: false } }), []);
  assert.deepEqual(done("create_report", "<dl></dl>", {}, { readOnlyHint: true }), []);
});

test("an error's panel says each thing once, in words, and what is beyond them stands beneath it", () => {
  const header = Object.fromEntries(
    ["setRaw", "setSeconds", "setStatus", "setSummary"].map((name) => [name, () => {}]),
  );
  const shown = (result) => {
    const area = resultArea({
      show: new Show({ limit: 1000 }),
      header,
      name: "read",
      retry: () => {},
      args: () => ({}),
      runWith: () => {},
      blame: () => false,
      draw: () => assert.fail("no error"),
    });
    area.result(result, {});
    const [panel, ...others] = area.element.querySelector(".result-body").children;
    for (const one of others) one.dispatchEvent(new Event("toggle"));
    assert.equal(others.at(-1).className, "bar", "the buttons are last");
    return [
      [...panel.querySelector(".stack").children].map((one) => one.textContent).join(": "),
      others
        .filter((one) => one.className !== "bar")
        .map((one) => one.lastChild.textContent)
        .join(),
    ];
  };
  const text = (words) => ({ type: "text", text: typeof words === "string" ? words : JSON.stringify(words) });
  const gone = { error: "No such file: a.txt" };
  assert.deepEqual(shown({ isError: true, content: [text(gone.error), text(gone.error)] }), [gone.error, ""]);
  assert.deepEqual(shown({ isError: true, structuredContent: gone, content: [text(gone)] }), [
    gone.error,
    "",
  ]);
  assert.deepEqual(shown({ content: [text(gone)] }), [gone.error, ""]);
  for (const result of [
    { content: [text({ ...gone, code: 404 })] },
    { structuredContent: { ...gone, code: 404, ok: false }, content: [] },
  ]) {
    const [words, beneath] = shown(result);
    assert.equal(words, gone.error);
    assert.match(beneath, /code\W*404/i);
    assert.doesNotMatch(beneath, /No such|ok/i);
  }
});
