import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isEmpty, saysFailed } from "../src/kit/result/data.js";
import { readTyped } from "../src/kit/result/recognise/by-type.js";
import { pictureIn } from "../src/kit/result/recognise/picture.js";
import { pythonIn } from "../src/kit/result/recognise/python.js";
import { readText } from "../src/kit/result/recognise/read.js";
import { joined, rowsOf } from "../src/kit/result/recognise/rows.js";
import { subjects } from "./subjects.js";

const ROUNDS = Number(process.env.RANDOM_TEXTS ?? 400);

const text = (words) => ({ type: "text", text: words });
const kinds = (words) => readText(words).map((one) => one.kind);
const only = (words, kind) => {
  const readings = readText(words);
  assert.deepEqual(
    readings.map((one) => one.kind),
    [kind],
    words,
  );
  return readings[0].value;
};
const staysText = (words) => assert.match(kinds(words).join(), /^(text|code)$/, words);

test("JSON: whole, in a fence, behind words, on lines of its own, one object a line", () => {
  assert.deepEqual(only('{"a": 1}', "data"), { a: 1 });
  assert.deepEqual(only("```json\n[1, 2]\n```", "data"), [1, 2]);
  assert.deepEqual(only('{"a": 1}\n{"a": 2}\n', "data"), [{ a: 1 }, { a: 2 }]);
  assert.deepEqual(
    readText('Found 3 rows:\n[{"a": 1}]').map((one) => one.value ?? one.text),
    ["Found 3 rows:", [{ a: 1 }]],
  );
  assert.deepEqual(kinds('<r>\nwords\n\n{\n  "a": {\n    "b": 1\n  }\n}\n</r>'), ["text", "data"]);
  assert.deepEqual(kinds('Raw result: {\n  "action": "decline"\n}'), ["text", "data"]);
  assert.deepEqual(kinds('Here:\n\n```json\n[{"a": 1, "b": 2}]\n```\n\nDone.'), ["text", "data", "text"]);
  assert.deepEqual(kinds('{"a": 1}\nall of it'), ["data", "text"]);
  for (const words of [
    "[1] a reference",
    "[INFO] started\n[INFO] done",
    "see (1, 2) and [3]",
    "{not json}",
    '{"open": [',
    "42",
    "null",
  ])
    staysText(words);
});

test("numbers that are not finite stay numbers", () => {
  assert.deepEqual(only('{"a": NaN, "b": [Infinity, -Infinity, 1], "c": "NaN, or inf"}', "data"), {
    a: NaN,
    b: [Infinity, -Infinity, 1],
    c: "NaN, or inf",
  });
  assert.deepEqual(pythonIn("[nan, -inf, {'a': inf, 'b': 'nan'}]"), [
    NaN,
    -Infinity,
    { a: Infinity, b: "nan" },
  ]);
  for (const words of ["[NaN, banana]", "{NaN}", '{"a": nano}']) staysText(words);
});

test("what Python writes", () => {
  assert.deepEqual(pythonIn("[{'id': 1, 'name': 'caf\\xe9', 'price': 2.5, 'x': None, 'ok': True}]"), [
    { id: 1, name: "caf\u00e9", price: 2.5, x: null, ok: true },
  ]);
  assert.deepEqual(pythonIn("[(1, 'a'), (2, \"it's\")]"), [
    [1, "a"],
    [2, "it's"],
  ]);
  assert.deepEqual(pythonIn("(5,)"), [5]);
  assert.deepEqual(pythonIn("{'q': 'say \"hi\"\\n', 'n': {1: [], 'e': -1e-05}}"), {
    q: 'say "hi"\n',
    n: { 1: [], e: -0.00001 },
  });
  assert.deepEqual(
    pythonIn(
      "[(datetime.date(2026, 5, 1), datetime.datetime(2026, 5, 1, 9, 30), Decimal('1.5'), Decimal('1.50'), UUID('ab-1'))]",
    ),
    [["2026-05-01", "2026-05-01T09:30:00", 1.5, "1.50", "ab-1"]],
  );
  assert.deepEqual(pythonIn("{'big': 12345678901234567890}"), { big: "12345678901234567890" });
  for (const words of [
    "(5)",
    "(see below)",
    "[x]",
    "{'a'}",
    "['a' 'b']",
    "[print('a', 'b')]",
    "['a",
    "[1, 2",
    "'a'",
    "{'a': b}",
    "[a for a in b]",
    "[object Object]",
    "[1 2]",
  ])
    assert.equal(pythonIn(words), undefined, words);
});

test("tables: drawn, in columns, delimited, HTML", () => {
  const duck =
    "\u250c\u2500\u2500\u2500\u2500\u252c\u2500\u2500\u2500\u2500\u2500\u2510\n\u2502 id \u2502 Name\u2502\n\u2502 int\u2502 text\u2502\n\u251c\u2500\u2500\u2500\u2500\u253c\u2500\u2500\u2500\u2500\u2500\u2524\n\u2502  1 \u2502 tea \u2502\n\u2502  2 \u2502     \u2502\n\u2514\u2500\u2500\u2500\u2500\u2534\u2500\u2500\u2500\u2500\u2500\u2518";
  assert.deepEqual(only(duck, "table"), {
    columns: ["id", "Name"],
    rows: [
      { id: 1, Name: "tea" },
      { id: 2, Name: "" },
    ],
  });
  assert.deepEqual(
    only("+----+------+\n| id | name |\n+----+------+\n|  1 | tea  |\n+----+------+", "table").rows,
    [{ id: 1, name: "tea" }],
  );
  assert.deepEqual(
    readText(" id | name \n----+------\n  1 | tea\n  2 | \n(2 rows)").map(
      (one) => one.value?.rows.length ?? one.text,
    ),
    [2, "(2 rows)"],
  );
  assert.deepEqual(
    only("NAME    READY   STATUS\nweb-1   1/1     Running\nweb-2   0/1     Up 2 hours", "table").rows[1],
    { NAME: "web-2", READY: "0/1", STATUS: "Up 2 hours" },
  );
  assert.deepEqual(only("   id  name\n0   1   tea\n1   2  caf\u00e9", "table").rows[1], {
    "#": 1,
    id: 2,
    name: "caf\u00e9",
  });
  assert.deepEqual(only("Name    Age\n------  ---\nAda      36", "table").rows, [{ Name: "Ada", Age: 36 }]);
  assert.deepEqual(only('id,name\n1,"a, ""b"""\n2,c\n', "table").rows, [
    { id: 1, name: 'a, "b"' },
    { id: 2, name: "c" },
  ]);
  assert.deepEqual(only("a\tb\tc\nx\ty\tz\nu\tv\tw", "table").columns, ["a", "b", "c"]);
  assert.deepEqual(kinds("Rows:\nid,name\n1,a\n2,b\n\n2 rows in all"), ["text", "table", "text"]);
  const html = readText(
    "<h2>Sheet</h2><table><tr><th></th><th>A</th></tr><tr><th>1</th><td>k<script>x</script></td></tr></table><p>ok</p>",
  );
  assert.deepEqual(
    html.map((one) => one.value?.rows ?? one.text),
    ["## Sheet", [{ "#": 1, A: "kx" }], "ok"],
  );
  const cells = (inner) =>
    readText(`<table><tr><th>A</th><th>B</th></tr>${inner}</table>`)[0].value.rows.map(({ A, B }) => [A, B]);
  assert.deepEqual(cells("<tr><td>1<br>2</td><td>x</td></tr><tr><td>3</td><td>y\n  z</td></tr>"), [
    ["1\n2", "x"],
    ["3", "y z"],
  ]);
  assert.deepEqual(cells("<tr><td><p>1</p><p>2</p></td><td><ul><li>a</li><li>b</li></ul></td></tr>"), [
    ["1\n2", "a\nb"],
  ]);
  assert.deepEqual(
    cells(
      '<tr><td>10<sup>2</sup></td><td>H<sub>2</sub>O</td></tr><tr><td>5<sup>a</sup></td><td><img alt="Yes"></td></tr>',
    ),
    [
      ["10\u00b2", "H\u2082O"],
      ["5a", "Yes"],
    ],
  );
  assert.deepEqual(
    cells("<tr><td rowspan=2>1</td><td>2</td></tr><tr><td>3</td></tr><tr><td colspan=2>4</td></tr>"),
    [
      [1, "2"],
      [1, "3"],
      [4, ""],
    ].map(([a, b]) => [a, b === "" ? null : Number(b)]),
  );
  assert.deepEqual(
    readText("<p>1<br>2</p><table><tr><th>A</th></tr><tr><td>1</td></tr></table>")[0].text,
    "1\n2",
  );
  for (const words of [
    "Hello, world\nfoo, bar\nx, y",
    "First, do this.\nThen, do that.\nLast, rest.",
    "f(a,b,c)\ng(d,e,f)\nh(i,j,k)",
    "a,b\n1,2,3",
    "src\n\u251c\u2500\u2500 a.js\n\u2514\u2500\u2500 b.js",
    "+-----+      +----+\n| API | ---> | DB |\n+-----+      +----+",
    "a | b\nc | d",
    "int a;\nint b;\nint c;",
    "total 48\ndrwxr-xr-x  2 root root 4096 Jan 1 00:00 a\n-rw-r--r--  1 root root   12 Jan 1 00:00 b",
    "<p>Hi</p>\n<b>there</b>",
    'a,b\n"open,1\n2,3',
  ])
    staysText(words);
});

test("names and values: one object, or one for each paragraph", () => {
  assert.deepEqual(only("Name: x\nRegion: eu\nUp since: 2026-01-01 10:00", "data"), {
    Name: "x",
    Region: "eu",
    "Up since": "2026-01-01 10:00",
  });
  assert.deepEqual(only("Id: 1\nName: a\n\nId: 2\nName: b", "data"), [
    { Id: "1", Name: "a" },
    { Id: "2", Name: "b" },
  ]);
  assert.deepEqual(
    readText("History:\nCommit: d78\nAuthor: T\nDate: 2026\n\n3 found").map((one) => one.value ?? one.text),
    ["History:", { Commit: "d78", Author: "T", Date: "2026" }, "3 found"],
  );
  for (const words of [
    "Name: x\nAge: y",
    "Alice: hi\nBob: hello\nAlice: bye",
    "ERROR: a\nERROR: b\nWARN: c",
    "a.py:1: x\nb.py:2: y\nc.py:3: z",
    "name: a\nitems:\n  - b\n  - c",
    "http://a\nhttp://b\nhttp://c",
  ])
    staysText(words);
});

test("a list of lists is a table, with a head where the figures begin below it", () => {
  assert.deepEqual(
    rowsOf([
      ["name", "b"],
      ["x", 1],
    ]),
    { columns: ["name", "b"], rows: [{ name: "x", b: 1 }], isGrid: true },
  );
  assert.deepEqual(
    rowsOf([
      ["at", "count"],
      ["x", "1"],
    ]),
    { columns: ["at", "count"], rows: [{ at: "x", count: "1" }], isGrid: true },
  );
  assert.deepEqual(
    rowsOf([
      ["a", "b"],
      ["1", "2"],
    ]).columns,
    ["Column 1", "Column 2"],
    "the cells of a document",
  );
  for (const width of [1, 7]) {
    const head = Array.from({ length: width }, (_, at) => `name ${"abcdefg"[at]}`);
    assert.equal(rowsOf([head, head.map(() => 1)]).isGrid, false, `${width}`);
  }
  assert.deepEqual(
    rowsOf([
      [0, 0],
      [1, 1],
    ]).columns,
    ["Column 1", "Column 2"],
  );
  assert.equal(rowsOf([[1], [1, 2]]), undefined);
  assert.equal(rowsOf([[[1]], [[2]]]), undefined);
  assert.deepEqual(joined({ columns: [{ name: "a" }], values: [[1]], count: 1 }), {
    count: 1,
    values: [{ a: 1 }],
  });
  for (const value of [
    { columns: ["a", "a"], rows: [[1, 2]] },
    { columns: ["a"], rows: [{ a: 1 }] },
    { columns: [], rows: [] },
    [1],
    null,
    "x",
  ])
    assert.equal(joined(value), value);
});

test("diffs", () => {
  only("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "diff");
  only("  a\n- b\n+ x\n  c", "diff");
  for (const words of ["- a\n+ b", "- a\n- b", "+ 1\n- 2\nsum: -1"])
    assert.ok(!kinds(words).includes("diff"), words);
});

test("images in text", () => {
  const png = `iVBORw0KGgo${"A".repeat(80)}`;
  assert.deepEqual(pictureIn(png), { mimeType: "image/png", data: png });
  assert.equal(pictureIn(`data:image/webp;base64,${png}`).mimeType, "image/webp");
  assert.equal(pictureIn('<svg xmlns="http://www.w3.org/2000/svg"></svg>').mimeType, "image/svg+xml");
  for (const words of [
    "/9j/a/path",
    "iVBORw0KGgo",
    "data:text/html;base64,AAAA",
    `data:image/png;base64,<b>${png}`,
    "A".repeat(200),
    "<svg>",
  ])
    assert.equal(pictureIn(words), undefined, words);
});

test("a text that says what it is, is that: markup stays as it is written", () => {
  const kind = (type, uri, words = "# a\n\nb") =>
    readTyped(words, type, uri)
      .map((one) => one.kind + (one.language ?? ""))
      .join();
  assert.equal(kind("text/markdown", ""), "markdown");
  assert.equal(kind("", "file:///a/README.md?x#y"), "markdown");
  assert.equal(kind("text/html", "", "<table><tr><td>1</table>"), "codehtml");
  assert.equal(kind("text/x-python", ""), "codepython");
  assert.equal(kind("application/json; charset=utf-8", "", "[1]"), "data");
  assert.equal(kind("application/json", "", "[1"), "codejson");
  assert.equal(kind("text/csv", "", "a\n1"), "codecsv");
  assert.equal(kind("text/csv", "", "1,2\n3,4"), "table");
  assert.equal(kind("text/plain", "https://example.com", "words"), "text");
  assert.equal(kind("text/plain", "file:///a.js", "words"), "codejs");
});

test("a success that says it failed is recognised, and nothing else", () => {
  const failed = (result) =>
    saysFailed(typeof result === "string" ? { content: [text(result)] } : { structuredContent: result });
  for (const words of [
    "Error: no",
    "ERROR\nmore",
    "Error 404",
    "Failed to fetch",
    "\u274c error",
    "Could not find",
    "Database error: no such table: x",
    "MCP error -32603: fetch failed",
    "Error retrieving key a: refused",
    "Query execution failed: x",
    "Document /a.docx does not exist",
    "User not found",
    "**Error:** no",
    "Traceback (most recent call last):\n  x",
    "ZeroDivisionError: division by zero",
    "Permission denied",
    "\u9519\u8bef: x",
  ])
    assert.equal(failed(words), true, words);
  for (const words of [
    "All good",
    "No errors",
    "0 errors: fine",
    "No error: fine",
    "Forecast",
    "Errors: 0",
    "Error rate: 0.5",
    "Standard error: 0.12",
    "Failed: 0",
    "Error handling in Go: a guide",
    "Tests passed, none failed",
    "Unknown Pleasures is an album",
    "Total messages: 0 (Errors: 0, Warnings: 0)",
    "# Error handling\n\nWords.",
    "Last error: none",
    "Cannes: sunny",
  ])
    assert.equal(failed(words), false, words);
  for (const value of [
    { success: false },
    { ok: false, id: 1 },
    { error: "x" },
    { error: { code: 1 } },
    { status: "error", id: "a" },
    { status: 404 },
    { result: { error: "x" } },
    { found: [{ title: "Error searching: x", url: "" }] },
  ])
    assert.equal(failed(value), true, JSON.stringify(value));
  for (const value of [
    { success: true, error: null },
    { error: "" },
    { error: false },
    { errors: [] },
    { valid: false, error: "x" },
    { is_valid: false, errors: ["x"] },
    { status: 200 },
    { status: "open", title: "Error: crash at start" },
    { error: {} },
    { state: "failed job" },
  ])
    assert.equal(failed(value), false, JSON.stringify(value));
});

for (const { where, kit } of subjects)
  describe(where, () => {
    const show = () => new kit.Show({ limit: 100_000 });
    const draw = (result) => {
      document.body.replaceChildren(...kit.renderResult(result, show()));
      return document.body;
    };
    const parts = (structuredContent, ...content) =>
      kit.partsOf({
        structuredContent,
        content: content.map((one) => text(typeof one === "string" ? one : JSON.stringify(one))),
      });

    test("a program's notation is not shown beside what it says", () => {
      const view = draw({ content: [{ type: "text", text: "[{'id': 1, 'name': 'tea'}]" }] });
      assert.doesNotMatch(view.textContent, /\{'id'/);
    });

    test("words above data are its caption, other words beside it are quiet, and a tag around all is not shown", () => {
      const drawn = (text) => draw({ content: [{ type: "text", text }] });
      assert.equal(
        drawn('Raw result: {\n  "action": "decline"\n}').querySelector(".caption").textContent,
        "Raw result",
      );
      const view = drawn('<answer>\nFor programs.\n\n{"a": 1, "b": "x"}\n</answer>');
      assert.equal(view.querySelector("pre.hint").textContent.trim(), "For programs.");
      assert.doesNotMatch(view.textContent, /answer>/);
      assert.match(drawn("<b>bold\nwords</b> and more").textContent, /<b>bold/);
    });

    test("a diff names its files and counts what was added and removed; lines in a hunk are no heads", () => {
      const drawn = (text) =>
        [...draw({ content: [{ type: "text", text }] }).querySelectorAll(".file")].map(
          (one) => one.textContent,
        );
      const git =
        "diff --git a/a.sql b/a.sql\nindex 1..2 100644\n--- a/a.sql\n+++ b/a.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n";
      assert.deepEqual(drawn(git), ["a.sql+1 \u22121"]);
      assert.deepEqual(
        drawn(`${git}diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n`),
        ["a.sql+1 \u22121", "yrenamed+0 \u22120"],
      );
      assert.deepEqual(
        drawn(
          "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+one\n--- a/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n",
        ),
        ["b.txtnew+1 \u22120", "c.txtdeleted+0 \u22121"],
      );
    });

    test("commits that Git prints are a timeline, with the diff beneath", () => {
      const drawn = (text) => draw({ content: [{ type: "text", text }] });
      const commit = (n, message) =>
        `commit ${n}a78099da2e55f8dcc0d235db58e053eec03a697b\nAuthor: Ada <ada@example.org>\nDate:   2026-01-0${n} 00:00:00 +0000\n\n    ${message}\n`;
      const view = drawn(`${commit(2, "second")}\n${commit(1, "first")}`);
      assert.deepEqual(
        [...view.querySelectorAll(".timeline h3")].map((one) => one.textContent),
        ["second", "first"],
      );
      assert.match(view.textContent, /Ada <ada@example.org>/);
      const shown = drawn(`${commit(1, "first")}\n--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1 @@\n+one\n`);
      assert.deepEqual(
        [shown.querySelectorAll(".timeline > li:not(.day)").length, shown.querySelectorAll(".file").length],
        [1, 1],
      );
      assert.equal(
        drawn(
          "Commit history:\nCommit: d78099da2e55f8dcc0d235db58e053eec03a697b\nAuthor: T\nDate: 2026-01-01 00:00:00+00:00\nMessage: first commit\n",
        ).querySelector("h3").textContent,
        "first commit",
      );
    });

    test("a line that ends in a colon and items beneath it are a list", () => {
      const drawn = (text) =>
        [...draw({ content: [{ type: "text", text }] }).querySelectorAll("li")].map((one) => one.textContent);
      assert.deepEqual(drawn("Found 2 files:\n- a.txt (3 kB)\n- b.txt"), ["a.txt (3 kB)", "b.txt"]);
      assert.deepEqual(drawn("Found 2 files:\n\u2022 a.txt\n\u2022 b.txt"), ["a.txt", "b.txt"]);
      assert.deepEqual(drawn("name: x\nsize: 2\nfiles:\n- a\n- b"), []);
    });

    test("what structured content says already is not said again; what differs is", () => {
      const city = { city: "Oslo", people: 709 };
      for (const same of [
        city,
        { people: 709, city: "Oslo" },
        "Oslo",
        "city: Oslo, people: 709",
        "City: Oslo\nPeople: 709",
        "{'city': 'Oslo', 'people': 709}",
      ])
        assert.equal(parts(city, same).length, 1, JSON.stringify(same));
      for (const other of [
        "Oslo is nice",
        "City: Oslo",
        { city: "Oslo" },
        "709 people in Oslo, at least",
        "[1]",
        "No data",
      ])
        assert.equal(parts(city, other).length, 2, JSON.stringify(other));
      assert.equal(parts({ result: [{ a: 1 }, { a: 2 }] }, { a: 1 }, { a: 2 }).length, 1);
      assert.equal(parts({ result: ["x", "y"] }, "x", "y", "z").length, 2);
      assert.equal(parts({ result: 5 }, "5").length, 1);
      assert.match(
        draw({ structuredContent: { rows: [{ a: 1 }] }, content: [text('Found:\n{"rows": [{"a": 1}]}')] })
          .textContent,
        /^[^{]*Found:[^{]*$/,
      );
    });

    test("an error tells its words before its data, and each once", () => {
      const told = (structuredContent, words) =>
        kit.partsOf({ isError: true, structuredContent, content: [text(words)] }).map((part) => part.kind);
      assert.deepEqual(told({ code: 7 }, "It broke"), ["text", "data"]);
      assert.deepEqual(told({ code: 7 }, '{"code": 7}'), ["data"]);
    });

    test("data that has more than its rows shows all of it", () => {
      const body = draw({
        structuredContent: {
          columns: ["a", "b"],
          rows: [
            [1, 2],
            [3, 4],
          ],
          note: "kept",
        },
      });
      assert.match(body.textContent, /kept/);
      assert.equal(body.querySelectorAll("th").length, 2);
    });

    test("resources: text in base64, code, binary with a way to save it", () => {
      const resource = (one) => ({ content: [{ type: "resource", resource: one }] });
      assert.match(
        draw(resource({ uri: "a:b", mimeType: "text/plain", blob: btoa("inside") })).textContent,
        /inside/,
      );
      assert.match(
        draw(resource({ uri: "a:b", mimeType: "text/html", text: "<b>x</b>" })).textContent,
        /<b>x<\/b>/,
      );
      const saved = [];
      const zip = { uri: "a:c.zip", mimeType: "application/zip", blob: "AAAA" };
      assert.equal(draw(resource(zip)).querySelector("button"), null);
      document.body.replaceChildren(
        ...kit.renderResult(resource(zip), new kit.Show({ download: (one) => saved.push(one) })),
      );
      document.querySelector("button").click();
      assert.deepEqual(saved, [zip]);
      const link = draw({
        content: [
          {
            type: "resource_link",
            uri: "https://example.com/a.csv",
            name: "a.csv",
            title: "The file",
            size: 2048,
            mimeType: "text/csv",
            description: "Rows",
          },
        ],
      });
      assert.match(link.textContent, /The file.*text\/csv.*2.05 kB.*Rows/);
    });

    test("an image inside JSON is shown", () => {
      const body = draw({
        content: [
          text(
            JSON.stringify({
              format: "png",
              base64: `iVBORw0KGgo${"A".repeat(400)}`,
              small: `iVBORw0KGgo${"A".repeat(80)}`,
            }),
          ),
        ],
      });
      assert.equal(body.querySelectorAll("img").length, 2);
    });

    test("random texts never throw, and none of their words is lost", () => {
      const bits = [
        "word",
        "zwei",
        "*",
        "**",
        "_",
        "`",
        "```",
        "\n",
        "\n\n",
        " ",
        "    ",
        "- ",
        "1. ",
        "# ",
        "> ",
        "|",
        "| a | b |\n|---|---|\n",
        "[",
        "](",
        "https://example.com/x",
        ")",
        "!",
        "<b>",
        "</table>",
        "<table>",
        "{",
        "}",
        '"k": ',
        ": ",
        ",",
        "'",
        "True",
        "---\n",
        "\t",
        "\\",
        "~~",
        "@@ -1 +1 @@\n",
        "+",
        "\u2502",
        "+--+\n",
        "name: ",
        "javascript:",
        "\u0000",
        "\ud800",
        "&amp;",
        "\u5b57",
      ];
      let seed = 7;
      const random = (below) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
      for (let round = 0; round < ROUNDS; round++) {
        const words = Array.from({ length: 1 + random(40) }, () => bits[random(bits.length)]).join("");
        for (const view of [draw({ content: [text(words)] }), kit.markdown(words, { show: show() })]) {
          assert.equal(view.querySelector("a, script, b, svg, iframe"), null);
          const seen = [
            view.textContent,
            ...[...view.querySelectorAll("[title]")].map((one) => one.title),
          ].join(" ");
          for (const word of ["word", "zwei", "\u5b57", "javascript"])
            assert.ok(
              seen.split(word).length >= Math.min(words.split(word).length, 2),
              `${JSON.stringify(words)} lost ${word}`,
            );
        }
      }
    });

    test("what is deeper than the stack, or of no known shape, does not throw", () => {
      let deep = 1;
      for (let i = 0; i < 20_000; i++) deep = { a: deep };
      const odd = [
        { structuredContent: deep, content: [text("x")] },
        { content: [text("[".repeat(100_000))] },
        { content: [text("('".repeat(50_000))] },
        { content: [text("<table></table>")] },
        { content: [text("\r\n\r\n")] },
      ];
      for (const result of odd) draw(result);
      assert.equal(isEmpty({ content: [] }), true);
    });
  });
