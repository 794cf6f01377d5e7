import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { subjects } from "./subjects.js";

const text = (words) => ({ type: "text", text: words });

for (const { where, kit } of subjects)
  describe(`the shapes of results, in ${where}`, () => {
    const draw = (structuredContent, words, page = {}) => {
      const result = { content: words ? [text(words)] : [], ...(structuredContent && { structuredContent }) };
      document.body.replaceChildren(
        ...kit.renderResult(result, new kit.Show({ limit: 100_000, ...page }), {}),
      );
      return document.body;
    };
    const texts = (view, selector) => [...view.querySelectorAll(selector)].map((one) => one.textContent);

    test("nodes and edges are a graph with the lists beneath; lists that do not fit together are none", () => {
      const graph = draw({
        nodes: [
          { id: "a", name: "Web" },
          { id: "b", name: "Store" },
        ],
        edges: [{ source: "a", target: "b" }],
      });
      assert.deepEqual(texts(graph, ".graph text"), ["Web", "Store"]);
      assert.equal(graph.querySelectorAll(".graph .edge").length, 1);
      const width = (label) =>
        Number(
          draw({ nodes: [label], edges: [{ source: label, target: label }] })
            .querySelector("rect")
            .getAttribute("width"),
        );
      assert.ok(width("Store") < 80 && width("A".repeat(40)) === 138, "boxes are as wide as their words");
      assert.ok(graph.querySelectorAll("section").length >= 2);
      assert.equal(
        draw({
          relations: [
            { from: "x", to: "y" },
            { from: "y", to: "x" },
          ],
        }).querySelectorAll(".graph rect").length,
        2,
      );
      const many = Array.from({ length: 500 }, (_, i) => ({ source: `n${i}`, target: "n0" }));
      for (const value of [
        { edges: [{ source: "a", target: "gone" }], nodes: [{ id: "a" }] },
        { links: ["https://a.example"] },
        { edges: many },
        { edges: [{ source: {}, target: [] }] },
      ])
        assert.equal(draw(value).querySelector(".graph"), null, JSON.stringify(value).slice(0, 80));
    });

    test("two or three things with a time of day each stand beside each other, each time large", () => {
      const zone = (timezone, datetime) => ({ timezone, datetime, day_of_week: "Saturday", is_dst: false });
      const [source, target] = [
        zone("Europe/Paris", "2026-11-21T16:30:00+01:00"),
        zone("America/New_York", "2026-11-21T10:30:00-05:00"),
      ];
      const clocks = draw({ source, target, time_difference: "-6.0h" });
      assert.deepEqual(texts(clocks, ".board h3, .board h4"), ["Source", "Target"]);
      assert.match(texts(clocks, ".board .figure")[1], /^10:30/);
      assert.match(texts(clocks, ".board .facts")[0], /Europe\/Paris.*Saturday/);
      const days = [source, target].map((one) => ({ ...one, datetime: one.datetime.slice(0, 10) }));
      for (const value of [
        { source: days[0], target: days[1] },
        { a: source, b: target, c: source, d: target },
        { source: { ...source, load: 1 }, target: { ...target, load: 2 } },
      ])
        assert.equal(draw(value).querySelector(".board"), null, JSON.stringify(value));
    });

    test("a text about several things that were asked for is parted under their names, and says which failed", () => {
      const read = (words, paths) => {
        const result = { content: [text(words)] };
        document.body.replaceChildren(...kit.renderResult(result, new kit.Show({}), { paths }));
        return document.body;
      };
      const words =
        "a+b.md:\n# Soup\n\n---\n\nnone.md: Error - ENOENT: no such file or directory, open 'none.md'";
      const parts = read(words, ["a+b.md", "none.md"]);
      assert.deepEqual(texts(parts, ".records > li > :first-child"), ["a+b.md", "none.md"]);
      assert.match(texts(parts, "li")[0], /Soup\s*$/);
      assert.deepEqual(texts(parts, ".doubtful").length, 1);
      assert.match(texts(parts, "li .doubtful")[0], /^Error - ENOENT/);
      assert.equal(read(":name: x\n:other: y", []).querySelector(".records"), null);
      for (const paths of [["a+b.md"], ["none.md", "c.md"], [], ["a.b.md", "none.md"], "a+b.md"])
        assert.equal(read(words, paths).querySelector(".records"), null, `${paths}`);
    });

    test("the text of an answer stands above what is said of it", () => {
      const content = text("Forty-two");
      const answer = draw({ model: "small", stopReason: "endTurn", role: "assistant", content });
      assert.equal(texts(answer, ".said")[0], "Forty-two");
      assert.match(answer.textContent, /^Forty-two.*small/s);
    });

    test("rows with coordinates are a sketch of places; impossible coordinates are left out", () => {
      const places = draw({
        places: [
          { name: "Oslo", lat: 59.9, lon: 10.7 },
          { name: "Rome", lat: 41.9, lon: 12.5 },
          { name: "Nowhere", lat: 900, lon: 0 },
        ],
      });
      assert.deepEqual(texts(places, ".graph text"), ["Oslo", "Rome"]);
      assert.match(places.textContent, /Sketch of 2 places, north is up/);
      assert.match(places.textContent, /Nowhere/);
      assert.equal(
        draw({
          places: [
            { name: "A", lat: 1, lon: 1 },
            { name: "A", lat: 1, lon: 1 },
          ],
        })
          .querySelector("circle")
          .getAttribute("cx"),
        "320",
      );
      assert.equal(
        draw({
          rows: [
            { name: "A", lat: "x", lon: 1 },
            { name: "B", lat: null, lon: 2 },
          ],
        }).querySelector(".graph"),
        null,
      );
    });

    test("values in a line have no sign of arithmetic between them", () => {
      assert.equal(draw({ result: [-2, 2] }).querySelector(".hero .figure").textContent, "-2, 2");
      assert.equal(draw({ result: [1234, 5678] }).querySelector(".hero .figure").textContent, "1,234; 5,678");
      const people = draw({ id: 1, kind: "group", people: ["Smith, John", "Doe, Jane"], place: "Oslo" });
      assert.match(people.textContent, /Smith, John; Doe, Jane/);
    });

    test("the settings of a chart are drawn as the chart, with the settings folded", () => {
      const axis = { type: "category", data: ["Mon", "Tue", "Wed"] };
      const drawings = [
        ["line.s0", { xAxis: axis, yAxis: { type: "value" }, series: [{ type: "line", data: [1, 4, 2] }] }],
        [
          "line.s0",
          {
            xAxis: {},
            yAxis: {},
            series: [
              {
                type: "line",
                data: [
                  [1, 4],
                  [2, 5],
                ],
              },
            ],
          },
        ],
        [
          "column.s0",
          {
            xAxis: { type: "value" },
            yAxis: axis,
            series: [{ name: "Sales", type: "bar", data: [1, 4, { value: 2 }] }],
          },
        ],
        [
          "slice",
          {
            series: [
              {
                type: "pie",
                data: [
                  { name: "A", value: 3 },
                  { name: "B", value: 1 },
                ],
              },
            ],
          },
        ],
        [
          "column.s0",
          { type: "bar", data: { labels: ["A", "B"], datasets: [{ label: "Votes", data: [3, 1] }] } },
        ],
        ["slice", { type: "doughnut", data: { labels: ["A", "B"], datasets: [{ data: [3, 1] }] } }],
        [
          "column.s0",
          {
            mark: "bar",
            encoding: { x: { field: "day" }, y: { field: "n" } },
            data: {
              values: [
                { day: "Mon", n: 1 },
                { day: "Tue", n: 3 },
              ],
            },
          },
        ],
        [
          "line.s0",
          {
            mark: { type: "line" },
            encoding: { x: { field: "day" }, y: { field: "n" } },
            data: {
              values: [
                { day: "2026-01-01", n: 1 },
                { day: "2026-01-02", n: 3 },
              ],
            },
          },
        ],
      ];
      for (const [mark, settings] of drawings) {
        const view = draw(settings);
        assert.ok(view.querySelector(`figure.chart .${mark}`), JSON.stringify(settings));
        assert.equal(view.querySelector("details").open, false);
      }
      const tree = draw({
        series: [
          {
            type: "tree",
            data: [{ name: "root", children: [{ name: "a" }, { name: "b", children: [{ name: "c" }] }] }],
          },
        ],
        tooltip: {},
      });
      assert.deepEqual(
        [texts(tree, ".graph text").sort(), tree.querySelectorAll(".graph .edge").length],
        [["a", "b", "c", "root"], 3],
      );
      for (const value of [
        { series: ["Dune", "Emma"], type: "book" },
        { series: [{ type: "sitcom", data: [1, 2] }] },
        { type: "bar", data: { labels: ["A"] } },
        { mark: "x", encoding: {}, data: { values: [] } },
      ])
        assert.equal(
          texts(draw(value), "summary").includes("Settings of the chart"),
          false,
          JSON.stringify(value),
        );
    });

    test("members that are objects of like members are records with their names, and hide nothing", () => {
      const steps = draw({
        workflow: {
          step_1_build: {
            description: "Make the package from its sources, with every warning shown",
            command: "make all",
            notes: ["Takes a minute", "Needs a compiler"],
          },
          step_2_test: {
            description: "Run all tests of the package on a machine without a network",
            command: "make check",
            notes: ["Stops at a failure", "Needs a network"],
          },
        },
      });
      assert.deepEqual(
        texts(steps, ".records > li > .inline").map((words) => words.trim()),
        ["Step 1 build", "Step 2 test"],
      );
      for (const word of ["make check", "Needs a compiler"])
        assert.match(steps.textContent, new RegExp(word));
      assert.equal(draw({ one: { a: 1 }, other: { b: "text" } }).querySelector(".records"), null);
    });

    test("a flag of a record that its badge names is not said again", () => {
      const found = (name) => ({
        name,
        category: "Community",
        description: `What ${name} does, in more words than a fact has.`,
        isCommunity: true,
        isVerified: true,
      });
      const view = draw([found("first"), found("second")]);
      assert.deepEqual(texts(view, ".records .badge"), ["Community", "Community"]);
      assert.deepEqual(texts(view, ".records p.facts"), ["Verified", "Verified"]);
      assert.equal(view.querySelector(".records details"), null);
    });

    test("all records of a list show a member, or none does", () => {
      const about = (name, layout_type, description) => ({
        name,
        layout_type,
        description: `${description} and so much more to read that it is no cell of a table`,
        id: name.toLowerCase(),
      });
      const view = draw({
        result: [
          about("Title", "title", "A title with a title"),
          about("Two columns", "content", "Text"),
          about("Agenda", "content", "A table of content"),
        ],
      });
      assert.deepEqual(texts(view, ".badge"), ["title", "content", "content"]);
      const plain = draw({
        result: [
          { name: "Ann", team: "red", note: `The red one ${"word ".repeat(12)}` },
          { name: "Bo", team: "blue", note: `Another one ${"word ".repeat(12)}` },
        ],
      });
      assert.deepEqual(
        [...plain.querySelectorAll(".records > li")].map((one) =>
          /red|blue/.test(one.querySelector(".facts")?.textContent ?? ""),
        ),
        [true, true],
      );
    });

    test("an item for the assistant alone is folded, and the most important item comes first", () => {
      const items = [
        { ...text("Cache miss"), annotations: { audience: ["assistant"], priority: 0.9 } },
        { ...text("All is well, thank you very much."), annotations: { audience: ["user"], priority: 0.3 } },
        {
          ...text("The build of yesterday has to be looked at."),
          annotations: { audience: ["user", "assistant"], priority: 1 },
        },
      ];
      document.body.replaceChildren(
        ...kit.renderResult({ content: items }, new kit.Show({ limit: 100_000 }), {}),
      );
      const words = [...document.body.children].map((one) => one.textContent);
      assert.deepEqual(words.slice(0, 2), [items[2].text, items[1].text]);
      assert.equal(document.body.children[2].localName, "details");
      document.body.replaceChildren(
        ...kit.renderResult({ content: items.slice(0, 1) }, new kit.Show({ limit: 100_000 }), {}),
      );
      assert.equal(document.querySelector("details"), null);
    });

    test("a count is left out only where its own list shows it", () => {
      const view = draw({
        messages: [
          { rule: "semi", text: "Missing semicolon" },
          { rule: "quotes", text: "Wrong quotes" },
        ],
        deprecated: [{ rule: "semi" }],
        messageCount: 2,
        fixableErrorCount: 1,
      });
      assert.match(view.textContent, /Fixable error count ?1/);
      assert.doesNotMatch(view.textContent, /Message count/);
    });

    test("names of variables stay as they are, and initials are capitals", () => {
      assert.deepEqual(texts(draw({ NO_COLOR: "1", is_dst: "so", isAITool: "too", userIDs: "u" }), "dt"), [
        "NO_COLOR",
        "DST",
        "AI tool",
        "User IDs",
      ]);
    });

    test("several texts under a name stand beneath each other", () => {
      const view = draw({
        name: "it",
        other: 1,
        steps: ["Add the required fields: id, name", "Fix the errors"],
      });
      assert.deepEqual(texts(view, "dd li"), ["Add the required fields: id, name", "Fix the errors"]);
    });

    test("what a message says already is not said again", () => {
      const view = draw({
        error: "request to https://a.example/s/Paris failed",
        searchUrl: "https://a.example/s/Paris",
        retries: 3,
        place: "Rome, the old town",
      });
      assert.doesNotMatch(view.textContent, /Search URL/);
      assert.match(view.textContent, /Rome, the old town/);
    });

    test("how long a call took is no answer, how long a film takes is", () => {
      const results = ["Ask for the region", "Use the newest provider of all"];
      assert.doesNotMatch(
        draw({ status: 200, duration: 0, truncated: false, results }).textContent,
        /Dur|Tr/,
      );
      const took = draw({ status: 200, duration: 12, results });
      assert.ok(took.textContent.indexOf("Duration") > took.textContent.indexOf("newest"), took.textContent);
      assert.match(
        draw({ title: "Stalker", duration: 161, director: "Tarkovsky" }).querySelector("dl").textContent,
        /Duration/,
      );
    });

    test("a text in the protocol's wrapping is the text", () => {
      const view = draw({ model: "m", content: { type: "text", text: "canned answer" } });
      assert.match(view.textContent, /canned answer/);
      assert.doesNotMatch(view.textContent, /Type|Text/);
      assert.match(draw({ note: { type: "memo", text: "call Ann" } }).textContent, /memo/);
    });

    test("a number of rows leads to nothing", () => {
      assert.equal(
        draw({
          tables: [
            {
              index: 0,
              rows: 2,
              columns: 3,
              preview: [
                ["a", "b"],
                ["1", "2"],
              ],
            },
          ],
        }).querySelector(".first"),
        null,
      );
      assert.equal(texts(draw({ score: 7, hits: 2, misses: 3 }), ".first dt")[0], "Score");
    });

    test("findings of a linter say where they are in a line, whether rows have ends or not", () => {
      const finding = {
        ruleId: "semi",
        message: "Missing semicolon.",
        severity: 2,
        line: 1,
        column: 10,
        messageId: "missingSemi",
        endLine: 2,
        endColumn: 1,
        suggestions: [{ desc: "Add it" }],
        fix: { range: [9, 9], text: ";" },
      };
      const view = draw({ messages: [finding, { ...finding, message: "Another of them" }] });
      assert.match(texts(view, ".records .facts")[0], /Line 1:10\u20132:1/);
      assert.deepEqual(texts(view, ".records details > summary")[0], "More Suggestions, Fix");
      const found = {
        name: "main",
        file: "a.py",
        text: "def main() and so on, for a longer while than others",
        startLine: 10,
        endLine: 20,
      };
      assert.match(
        texts(draw({ symbols: [found, { ...found, name: "other" }] }), ".records .facts")[0],
        /Line 10\u201320/,
      );
      assert.doesNotMatch(
        draw({
          rows: [
            { name: "a", column: 3, text: "x ".repeat(40) },
            { name: "b", column: 4, text: "y ".repeat(40) },
          ],
        }).textContent,
        /Line/,
      );
    });

    test("objects of like members beside other facts are compared in a table", () => {
      const at = (timezone, hour) => ({ timezone, hour, is_dst: false });
      const view = draw({
        time_difference: "-6.0h",
        source: at("Europe/Paris", "16:30"),
        target: at("America/New_York", "10:30"),
      });
      assert.deepEqual(texts(view, "tbody tr td:first-child"), ["source", "target"]);
      assert.match(texts(view, "dl")[0], /-6.0h/);
    });

    test("a command for a shell is code with a way to copy it, a sentence is none", () => {
      const command = "aws cloudformation create-change-set --stack-name my-stack --region us-west-2";
      assert.deepEqual(
        texts(
          draw({ step: "Create a change set", note: "set it with care - it stays", command }),
          ".code-block pre",
        ),
        [command],
      );
    });

    test("where a result only counts, what was given stands above it", () => {
      const args = { thought: "First, list facts.", thoughtNumber: 1 };
      document.body.replaceChildren(
        ...kit.renderResult(
          { content: [], structuredContent: { thoughtNumber: 1, branches: [], thoughtHistoryLength: 1 } },
          new kit.Show({ limit: 100_000 }),
          args,
        ),
      );
      assert.equal(document.querySelector(".hero"), null);
      assert.match(document.body.textContent, /First, list facts.*Thought history length 1/);
      document.body.replaceChildren(
        ...kit.renderResult(
          { content: [], structuredContent: { query: "x", results: [] } },
          new kit.Show({ limit: 100_000 }),
          { query: "x" },
        ),
      );
      assert.equal(document.querySelector(".pairs"), null);
    });

    test("paths that a call was given are not said again beneath its message", () => {
      document.body.replaceChildren(
        ...kit.renderResult(
          { content: [text("Created branch 'feature' from 'main'")] },
          new kit.Show({ limit: 100_000 }),
          { repo_path: "/work/repo", note: "for the demo" },
        ),
      );
      assert.match(document.body.textContent, /for the demo/);
      assert.doesNotMatch(document.body.textContent, /work/);
    });

    test("code in words may end a line behind a sign that joins its words, and is copied without a blank", () => {
      const view = draw(
        undefined,
        '# Files\n\nSave it as `dynamodb_requirement.md` or call `get_node({nodeType: "slack"})`.',
      );
      const [file, call] = view.querySelectorAll("p > code");
      assert.equal(file.innerHTML, "dynamodb_<wbr>requirement.<wbr>md");
      assert.equal(call.textContent, 'get_node({nodeType: "slack"})');
      assert.ok(call.querySelector("wbr"));
    });

    test("columns that a query asked for keep their names", () => {
      const rows = [
        { dflt_value: "a", notnull: "no" },
        { dflt_value: "b", notnull: "yes" },
      ];
      const heads = (args) => {
        document.body.replaceChildren(
          ...kit.renderResult(
            { content: [], structuredContent: { rows } },
            new kit.Show({ limit: 100_000 }),
            args,
          ),
        );
        return texts(document.body, "th button");
      };
      assert.deepEqual(heads({ query: "SELECT dflt_value, notnull FROM t" }), ["dflt_value", "notnull"]);
      assert.deepEqual(heads({ query: "Selected columns" }), ["Dflt value", "Notnull"]);
    });

    test("a hint says what a result is drawn as", () => {
      const dated = [
        { name: "start", date: "2026-01-02", n: 1 },
        { name: "end", date: "2026-01-01", n: 2 },
        { name: "later", date: "2026-01-03", n: 3 },
      ];
      assert.equal(draw({ result: dated }).querySelector(".timeline"), null);
      assert.equal(
        draw({ result: dated }, "", { kind: "timeline" }).querySelectorAll(".timeline > li:not(.day)").length,
        3,
      );
      assert.equal(
        draw({ result: [{ name: "Oslo", lat: 59.9, lon: 10.7 }] }, "", { kind: "map" }).querySelectorAll(
          "circle",
        ).length,
        1,
      );
    });

    test("names with a state each are a board", () => {
      const board = draw({
        services: [
          { name: "api", status: "running" },
          { name: "store", status: "failed" },
        ],
      });
      assert.deepEqual(texts(board, ".board h3, .board h4"), ["api", "store"]);
      assert.deepEqual([texts(board, ".badge.good"), texts(board, ".badge.bad")], [["running"], ["failed"]]);
      assert.equal(
        draw({
          rows: [
            { name: "api", status: "a" },
            { name: "store", status: "b" },
          ],
        }).querySelector(".board"),
        null,
      );
    });

    test("a text that tells the data again is folded, one that tells more is not", () => {
      const data = {
        defaultBudget: 100_000,
        categories: [
          { name: "Marketing", percent: 25 },
          { name: "Sales", percent: 75 },
        ],
      };
      const again = draw(
        data,
        "Budget allocator\nDefault budget: $100,000\nCategories:\n- Marketing: 25 percent\n- Sales: 75 percent\nthe default",
      );
      assert.match(again.querySelector("details:last-child > summary").textContent, /^As text /);
      const more = draw(
        data,
        "Call the other tool next, and do not forget to say which of the departments wants to spend the money it gets.",
      );
      assert.match(more.textContent, /Call the other tool next/);
      assert.equal(texts(more, "summary").filter((words) => /As text/.test(words)).length, 0);
    });

    test("a picture under two names is drawn once, and a word for nothing stands for an empty list", () => {
      const png = `iVBORw0KGgo${"A".repeat(400)}`;
      const view = draw({ size: 3, base64: png, data_url: `data:image/png;base64,${png}` });
      assert.equal(view.querySelectorAll(".picture").length, 1);
      assert.deepEqual(texts(draw(undefined, "Diff with main:\n"), ".said"), ["Diff with main: none"]);
    });

    test("a record says each thing once, leads with its sign, and shows ids as they are", () => {
      const tools = [
        {
          icon: "\u{1f680}",
          name: "Rocket",
          id: "rocket-1",
          type: "a/Rocket",
          node: "a/Rocket",
          text: "A rocket that goes up very fast, and comes down again.",
          safe: true,
          gone: false,
        },
        {
          icon: "\u{1f6b2}",
          name: "Bike",
          id: "bike-1",
          type: "b/Bike",
          node: "b/Bike",
          text: "A bike that goes along, and does not come down at all.",
          safe: true,
          gone: false,
        },
        {
          name: "X",
          id: "x-1",
          text: "Nothing is known of this one so far, but it may come later.",
          safe: false,
        },
      ];
      const view = draw({ tools });
      assert.equal(view.querySelector(".records h3").textContent, "\u{1f680} Rocket");
      const first = view.querySelector(".records > li").textContent;
      assert.equal(first.split("a/Rocket").length, 2);
      assert.equal(view.querySelector(".records code").textContent, "rocket-1");
      assert.doesNotMatch(first, /Safe ?Yes/);
    });

    test("short items of a name and a value are names and values, long ones stay a list", () => {
      const page = draw(undefined, "## Page\n\n- Page URL: https://a.example\n- **Title**: Garden");
      assert.deepEqual(
        [texts(page, ".pairs dt"), texts(page, ".pairs dd")],
        [
          ["Page URL", "Title"],
          ["https://a.example", "Garden"],
        ],
      );
      const list = draw(undefined, `## Page\n\n- Note: ${"word ".repeat(60)}\n- Title: Garden`);
      assert.equal(list.querySelector(".markdown .pairs"), null);
    });

    test("messages that would make a wide table are records, amounts stay a table", () => {
      const problem = (n) => ({
        ruleId: "no-unused-vars",
        severity: 2,
        message: `'a${n}' is assigned a value but never used.`,
        line: n,
        column: 5,
        messageId: "unusedVar",
        endLine: 1,
        endColumn: 6,
        nodeType: "Identifier",
      });
      assert.deepEqual(texts(draw({ messages: [problem(1), problem(2)] }), ".records h3"), [
        "'a1' is assigned a value but never used.",
        "'a2' is assigned a value but never used.",
      ]);
      const amounts = (n) => ({
        message: `Something that was sold ${n}`,
        price: n,
        tax: n,
        total: n,
        discount: n,
        cost_of_delivery: n,
        cost_of_packaging: n,
        cost_of_insurance: n,
        margin: n,
      });
      assert.ok(draw({ sales: [amounts(1), amounts(2)] }).querySelector("table"));
    });

    test("a long message leads with its first line", () => {
      const view = draw({ status: 401, message: `Sign in first.\n${"More words of it. ".repeat(40)}` });
      assert.equal(view.querySelector(".said").textContent, "Sign in first.");
      assert.ok(texts(view, "summary").includes("More"));
    });

    test("a short list stands on one line, and truths have the tone of their name", () => {
      assert.equal(draw({ result: [-2, 2] }).querySelector(".hero .figure").textContent, "-2, 2");
      assert.equal(
        draw({ is_valid: false, count: 2 }).querySelector(".said[data-tone=bad]").textContent,
        "Not valid",
      );
      assert.equal(draw({ admin: false, count: 2 }).querySelector(".badge").className, "badge");
      assert.match(
        draw({ errors: 0, humidity: 82 }, "", {
          schema: { properties: { humidity: { description: "Humidity percentage" } } },
        }).textContent,
        /82%/,
      );
    });

    test("what was refused says so once with its reason, whether it says so itself or a part of it", () => {
      const said = (value) =>
        [...draw(value).querySelectorAll(".said")].map((one) => [one.textContent, one.dataset.tone]);
      assert.deepEqual(said({ valid: false, error: "Unexpected end", line: 2 }), [
        ["Not valid: Unexpected end", "bad"],
      ]);
      assert.deepEqual(said({ message: "The template has errors", checks: { is_valid: false, errors: 1 } }), [
        ["The template has errors", "bad"],
      ]);
      assert.deepEqual(said({ is_valid: true, count: 2 }), [["Valid", "ok"]]);
    });

    test("a value that another member of each record holds is not said twice", () => {
      const rows = [
        ["Hook", "pack.hook", "pack.hook"],
        ["Start", "base.start", "pack-base.start"],
        ["Stop", "base.stop", "pack-base.stop"],
      ];
      const shown = draw(
        rows.map(([name, nodeType, workflowNodeType]) => ({
          name,
          nodeType,
          workflowNodeType,
          note: `What ${name} does, in more words than a cell of a table holds well`,
        })),
      ).textContent;
      for (const [, , type] of rows) assert.equal(shown.split(type).length, 2, type);
    });

    test("a count of what went wrong has the colour of bad news, none has not", () => {
      const dd = (name, value) =>
        draw({ [name]: value, total: 9, b: "x" }).querySelector("dd.bad")?.textContent;
      for (const name of ["error_count", "errorCount", "violations", "fatal_error_count"])
        assert.deepEqual([dd(name, 2), dd(name, 0)], ["2", undefined], name);
      assert.equal(dd("count", 2) ?? dd("item_count", 2), undefined);
    });

    test("encoded data is shortened, words and paths are not", () => {
      const shown = (value) => draw({ a: value, b: 1 }).querySelector(".token")?.title;
      const data =
        "JVBERi0xLjQKMSAwIG9iago8PC9UeXBlL0NhdGFsb2cvUGFnZXMgMiAwIFI+PgplbmRvYmoKMiAwIG9iago8PC9UeXBl";
      assert.equal(shown(data), data);
      for (const words of [
        "home/user/Documents/Projects/2026/report-final-version-with-a-long-name.txt",
        "a-rather-long-name-of-something-that-people-gave-to-it-in-the-year-2026",
        "0".repeat(80),
      ])
        assert.equal(shown(words), undefined, words);
    });

    test("shares of a hundred have bars, in tables with room for them", () => {
      const bars = (rows) =>
        [...draw({ rows }).querySelectorAll("td.percent")].map((one) =>
          one.style.getPropertyValue("--share"),
        );
      assert.deepEqual(
        bars([
          { name: "a", percent: 25 },
          { name: "b", percent: 7.5 },
        ]),
        ["25%", "7.5%"],
      );
      assert.deepEqual(
        bars([
          { name: "a", percent: 25 },
          { name: "b", percent: 213 },
        ]),
        [],
      );
      assert.deepEqual(
        bars([
          { name: "a", percent: 25, b: 1, c: 2, d: 3, e: 4 },
          { name: "b", percent: 2, b: 1, c: 2, d: 3, e: 4 },
        ]),
        [],
      );
    });

    test("a message that something was done is followed by the arguments that it does not repeat, but for secrets", () => {
      const sql = `CREATE TABLE tea (${"name TEXT, ".repeat(8)} id INTEGER)`;
      const show = new kit.Show({ limit: 100_000 });
      const after = (words, args) =>
        kit
          .renderResult({ content: [text(words)] }, show, args)
          .slice(1)
          .map((one) => one.querySelector(".code").textContent);
      assert.deepEqual(after("Table created successfully", { query: sql, api_key: "k".repeat(90) }), [sql]);
      const [, short] = kit.renderResult({ content: [text("Saved as a.txt")] }, show, {
        file_name: "a.txt",
        mode: "append",
        password: "short",
      });
      assert.equal(short.textContent, "Modeappend");
      assert.deepEqual(after("Nothing was created", { query: sql }), []);
      assert.deepEqual(after("The first line.\n\nThe second line, created by hand.", { query: sql }), []);
    });

    test("whether something is valid is said first", () => {
      const first = (value) => draw(value).querySelector(".said");
      assert.equal(
        first({ name: "a", errors: [{ field: "x", message: "is missing" }], valid: false }).textContent,
        "Not valid",
      );
      assert.equal(first({ name: "a", valid: false }).dataset.tone, "bad");
      assert.equal(first({ name: "a", passed: true }).dataset.tone, "ok");
      assert.equal(first({ name: "a", passed: 3 }), null);
    });

    test("a verdict that came with warnings is no plain success", () => {
      const said = draw({
        valid: true,
        warnings: [{ node: "a", message: "Empty" }],
        summary: { total: 1 },
      }).querySelector(".said");
      assert.deepEqual([said.textContent, said.dataset.tone], ["Valid, with 1 warning", "warn"]);
      assert.equal(draw({ valid: true, warnings: [], name: "a" }).querySelector(".said").dataset.tone, "ok");
    });

    test("a message has the colour of the verdict or status beside it, not of how urgent something is", () => {
      const tone = (value) => draw({ message: "Looked at", ...value }).querySelector(".said").dataset.tone;
      const results = { overall_status: "VIOLATIONS_FOUND", total_violations: 10 };
      assert.equal(tone({ compliance_results: results }), "bad");
      assert.equal(tone({ results: { is_valid: false, errors: 1 } }), "bad");
      assert.equal(tone({ issue: { title: "a", priority: "high", severity: "critical" } }), undefined);
    });

    test("a message about what stands above it comes last", () => {
      const words = (message) =>
        draw({ message, issues: [{ rule: "a", text: "b" }], results: { count: 1 } }).textContent;
      assert.match(words("Fix the errors above, then try again"), /.Fix the errors above, then try again$/);
      assert.match(words("Fix the errors, then try again"), /^Fix the errors, then try again./);
    });

    test("a number that says which is no figure of a band", () => {
      const figures = (value) =>
        [...draw({ tables: [value] }).querySelectorAll(".stats dt")].map((one) => one.textContent);
      assert.deepEqual(figures({ index: 0, rows: 2, columns: 2 }), ["Rows", "Columns"]);
    });

    test("only a figure that the others lead to is set off, never the first one by its place", () => {
      const first = (value) =>
        draw({ name: "a", part: value }).querySelector(".stats .first dt")?.textContent;
      assert.equal(first({ timezone: "Europe/Paris", hours: 4, dst: false }), undefined);
      assert.equal(first({ hours: 4, total: 12 }), "Total");
      assert.equal(first({ hours: 4, total: 0 }), undefined);
    });

    test("what the line of the arguments says and how long a list is do not come again; other members about the call do", () => {
      const show = new kit.Show({ limit: 100_000 });
      document.body.replaceChildren(
        ...kit.renderResult({ structuredContent: { value: 2.2046, from_unit: "kg", to_unit: "lb" } }, show, {
          value: 1,
          from_unit: "kg",
          to_unit: "lb",
        }),
      );
      assert.equal(document.querySelector("details"), null);
      assert.match(document.body.textContent, /1 kg =2\.2046/);
      assert.equal(
        draw({ rows: [{ a: 1 }, { a: 2 }], count: 2, success: true }).querySelector("details"),
        null,
      );
      assert.match(
        draw({ rows: [{ a: 1 }, { a: 2 }], took_ms: 12 }).querySelector(".facts").textContent,
        /Took ms 12 ms/,
      );
    });

    test("a moment among figures shows its day and its time apart, a length of time in hours, and a single figure no section", () => {
      const view = draw({ name: "a", start: { datetime: "2026-11-21T16:30:00+01:00", zone: "Paris" } });
      assert.deepEqual(texts(view, ".stats time .unit"), ["Nov 21, 2026"]);
      assert.equal(
        view.querySelector(".stats time").textContent.replaceAll("\u202f", " "),
        "4:30 PM GMT+1 Nov 21, 2026",
      );
      const stats = draw({ name: "a", uptime: { seconds: 7092.31 }, wait: { seconds: 90 } });
      assert.equal(stats.querySelector("section"), null);
      assert.deepEqual(texts(stats, "h3, .pairs dd"), ["a", "1 hr 58 min", "90 sec"]);
      assert.equal(stats.querySelector(".number").title, "7092.31");
    });

    test("a thing with a name has it and its state as a head, its amounts in a band and the rest beneath", () => {
      const thing = {
        title: "Report",
        status: "open",
        author: "T",
        created: "2026-01-02",
        words: 300,
        pages: 2,
      };
      const view = draw({ ...thing, revision: 1, tags: ["a", "b", "c"] });
      assert.deepEqual(texts(view, ".named > *"), ["Report", "open"]);
      assert.deepEqual(texts(view, ".stats dt"), ["Words", "Pages"]);
      assert.deepEqual(texts(view, ".pairs dt"), ["Author", "Created", "Revision", "Tags"]);
      const denied = draw({ name: "x", valid: false, a: "b", c: "d" });
      assert.equal(denied.querySelector(".named"), null, "a verdict is the head");
    });

    test("an object of one list is one section with both names", () => {
      assert.deepEqual(
        texts(
          draw({
            name: "a",
            cpu: {
              cores: [
                { idle: 1, load: 2 },
                { idle: 3, load: 4 },
              ],
            },
          }),
          "h3, h4",
        ),
        ["CPU cores"],
      );
    });

    test("ids and addresses stand last among names and values", () => {
      assert.deepEqual(
        texts(
          draw({
            view_id: "a1",
            link: "https://a.example/b",
            page: 1,
            name: "x",
            size: "3 by 4 inches of paper",
          }),
          ".pairs dt",
        ).slice(-2),
        ["View ID", "Link"],
      );
    });

    test("a list in a record names what is in it", () => {
      const rows = ["soup", "stew", "cake"].map((name) => ({
        name: `Hot ${name}`,
        description: `A ${name} of the sort that people like to eat on days of snow.`,
        parts: [{ name: "salt" }, { name: "water" }],
      }));
      const view = draw({ rows });
      assert.equal(view.querySelector("summary").textContent, "Parts (2)  salt, water");
    });

    test("names of columns and where rows are kept stand behind the rows", () => {
      const view = draw({
        columns: ["a", "b"],
        rows: [
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ],
        database_path: "/tmp/tea.db",
      });
      assert.match(view.querySelector("details").textContent, /Columns, Database path/);
      assert.ok(!draw({ path: "/tmp/tea", size: 4 }).querySelector("details"));
    });

    test("a picture among other members comes first", () => {
      const view = draw({
        format: "png",
        size: 1,
        data: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      });
      const image = view.querySelector("img, canvas, figure");
      assert.ok(image.compareDocumentPosition(view.querySelector("dl")) & 4);
    });

    test("an exact number with more digits than a number keeps is set in groups", () => {
      const words = (value) => draw(undefined, value).querySelector(".figure").textContent;
      assert.equal(
        words("1267650600228229401496703205376.0000"),
        "1,267,650,600,228,229,401,496,703,205,376",
      );
      assert.equal(words("12676506002282294014.25"), "12,676,506,002,282,294,014.25");
      assert.equal(words("12676506002282294014"), "12676506002282294014");
    });

    test("a fraction that was computed has fewer digits among others, its exact value is its title", () => {
      const cells = [
        ...draw({
          rows: [
            { name: "a", sum: 89792.8163011065 },
            { name: "b", sum: 38047.25 },
          ],
        }).querySelectorAll("td .number"),
      ];
      assert.deepEqual(
        cells.map((one) => one.textContent),
        ["89,792.82", "38,047.25"],
      );
      assert.equal(cells[0].title, "89792.8163011065");
    });

    test("things with names begin with a letter each, events and sentences do not", () => {
      const letters = (rows) => texts(draw({ rows }), ".tile");
      const words = "What it is for, in more words than a cell of a table has room for.";
      assert.deepEqual(
        letters(["tea", "jam", "\u5496\u5561"].map((name) => ({ name, description: words }))),
        ["T", "J", "\u5496"],
      );
      assert.deepEqual(letters(["tea", "jam"].map((name) => ({ name, description: words }))), []);
    });

    test("what a check found stands right under its verdict", () => {
      const view = draw({
        valid: false,
        node: "slack",
        properties: { operation: "create", resource: "channel" },
        errors: [{ message: "The channel is missing", fix: "Name one" }],
      });
      const all = view.textContent;
      assert.ok(all.indexOf("Not valid") < all.indexOf("The channel is missing"), all);
      assert.ok(all.indexOf("The channel is missing") < all.indexOf("slack"), all);
    });

    test("a few numbers inside a record stand in it, and what is more is named", () => {
      const rows = [1, 2, 3].map((at) => ({
        name: `Plan ${at}`,
        description: "Words about a plan that are more than a cell of a table has room for.",
        summary: { revenue: 100 * at, profit: 10 * at },
        months: [{ month: 1, notes: { first: "x" } }],
        owner: { name: "Ada", team: "one" },
      }));
      const view = draw({ rows });
      assert.match(texts(view, ".records .facts").join(), /Revenue 300 *Profit 30/);
      assert.match(texts(view, ".records summary")[0], /^More Months, Owner/);
    });

    test("what a record is not is not folded away", () => {
      const words = "Words about a node that are more than a cell of a table has room for, really.";
      const rows = [1, 2, 3].map((at) => ({ name: `Node ${at}`, description: words, verified: at === 1 }));
      const view = draw({ rows });
      assert.deepEqual(texts(view, ".records li:last-child p.facts"), ["Verified No"]);
      assert.equal(view.querySelector(".switch"), null, "three need no choice between kinds");
      assert.equal(view.querySelector("summary"), null);
    });

    test("many records of a few kinds can be chosen by kind", () => {
      const words = "Words about a node that are more than a cell of a table has room for, really.";
      const rows = [1, 2, 3, 4, 5].map((at) => ({
        name: `Node ${at}`,
        description: `${at} ${words}`,
        kind: at % 2 ? "core" : "community",
      }));
      const view = draw({ rows });
      assert.deepEqual(texts(view, ".switch button"), ["All 5", "core 3", "community 2"]);
      view.querySelectorAll(".switch button")[2].click();
      assert.deepEqual(texts(view, ".records h3"), ["Node 2", "Node 4"]);
      assert.deepEqual(
        [...view.querySelectorAll(".switch button")].map((one) => one.ariaPressed),
        ["false", "false", "true"],
      );
    });

    test("a time that passed beside the parts of an answer is no answer", () => {
      const parts = { cores: [{ idle: 1, total: 2 }], memory: { used: 1, free: 2 } };
      assert.equal(draw({ uptime: 7000, ...parts }).querySelector(".hero"), null);
      assert.ok(draw({ temperature: 21, ...parts }).querySelector(".hero"));
    });

    test("a changed text has nothing above its lines", () => {
      assert.equal(draw(undefined, "  a\n- b\n+ x\n  c").querySelector(".files").previousSibling, null);
    });

    test("flags of a table have no chart, and its keys no separators", () => {
      const view = draw({ rows: [0, 1, 2].map((cid) => ({ cid: cid + 1000, name: `n${cid}`, pk: +!cid })) });
      assert.doesNotMatch(view.textContent, /Chart|1,000/);
    });
  });
