import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { looksFormatted } from "../src/kit/result/recognise/layout.js";
import { built, subjects } from "./subjects.js";

for (const { where, kit } of subjects)
  describe(where, () => {
    const opened = [];
    const show = () =>
      new kit.Show({
        limit: 100_000,
        openLink: (url) => opened.push(url),
        copy: (text) => opened.push(text),
      });
    const draw = (text, options = {}) => {
      const view = kit.markdown(text, { show: show(), ...options });
      document.body.replaceChildren(view);
      return view;
    };
    const html = (text) => draw(text).innerHTML;
    const texts = (view, selector) => [...view.querySelectorAll(selector)].map((one) => one.textContent);

    test("calls in prose are code, in Markdown and in plain words", () => {
      const view = draw(
        '# Guide\n\nAlways call get_node() first, then:\n\n- find({query: "slack"}) - by name\n- **Check** validate({config: {a: 1}, mode: "full"}) and db.run(\'x\')\n- `kept()` and section(s), f(x) or say (hello)',
      );
      assert.deepEqual(texts(view, "code"), [
        "get_node()",
        'find({query: "slack"})',
        'validate({config: {a: 1}, mode: "full"})',
        "db.run('x')",
        "kept()",
      ]);
      assert.match(view.textContent, /section\(s\), f\(x\) or say \(hello\)/);
      const words = kit.renderText(
        'Please call read_file({path: "a"}) and `b`, see https://a.example/f() too',
        show(),
      );
      assert.deepEqual(texts(words, "code"), ['read_file({path: "a"})', "b"]);
    });

    test("headings keep the page's outline, whatever level the text begins with", () => {
      const tags = (text, options) => [...draw(text, options).children].map((one) => one.localName);
      assert.deepEqual(tags("# A\n\n## B\n\n###### F"), ["h3", "h4", "h6"]);
      assert.deepEqual(tags("## A\n### B"), ["h3", "h4"]);
      assert.deepEqual(tags("A\n===\nB\n---"), ["h3", "h4"]);
      assert.deepEqual(tags("# A", { level: 5 }), ["h5"]);
      assert.deepEqual(tags("#no heading\n\n####### none"), ["p", "p"]);
      assert.equal(draw("# A #").textContent, "A");
    });

    const words = (count) => "Words of a paragraph that go on for a while. ".repeat(count);
    const chapter = (name, count = 20, marks = "##") => `${marks} ${name}\n\n${words(count)}\n\n`;
    const BOOK = `# Guide\n\nAn introduction.\n\n${["One", "Two", "Three", "Four"].map((name) => chapter(name)).join("")}`;

    test("a long text with many headings is folded into chapters, and nothing of it is lost", () => {
      const view = draw(BOOK);
      const chapters = [...view.querySelectorAll(":scope > details")];
      assert.deepEqual(texts(view, "summary > h4"), ["One", "Two", "Three", "Four"]);
      assert.deepEqual(
        chapters.map(({ open }) => open),
        [true, false, false, false],
      );
      assert.deepEqual(texts(view, ":scope > h3, .count"), ["Guide", "4 chapters"]);
      assert.ok(view.children[1].matches("p"), "the introduction stands above the chapters");
      assert.equal(chapters.filter((one) => one.textContent.includes("Words of a paragraph")).length, 4);
      const all = view.querySelector(".bar button");
      all.click();
      assert.ok(chapters.every(({ open }) => open));
      all.click();
      assert.ok(!chapters.some(({ open }) => open));
    });

    test("short texts, and texts with few headings, have no chapters", () => {
      const few = ["One", "Two", "Three"].map((name) => chapter(name, 60)).join("");
      for (const text of [few, few.replaceAll("## ", "- "), "# A\n\na\n\n# B\n\nb\n\n# C\n\nc\n\n# D\n\nd"])
        assert.equal(draw(text).querySelector("details"), null);
    });

    test("the highest level that comes often makes the chapters, and a higher heading ends one", () => {
      const part = (name) => `# ${name}\n\n${chapter(`${name} 1`)}${chapter(`${name} 2`)}`;
      const view = draw(part("A") + part("B"));
      assert.deepEqual(
        [...view.children]
          .filter((one) => !one.matches(".bar"))
          .map((one) => one.querySelector("summary")?.textContent ?? one.textContent),
        ["A", "A 1", "A 2", "B", "B 1", "B 2"],
      );
      const flat = ["One", "Two", "Three", "Four"].map((name) => chapter(name, 20, "#")).join("");
      assert.equal(draw(flat).querySelectorAll(":scope > details").length, 4);
    });

    test("a long chapter has chapters, which its row names", () => {
      const long = `## Long\n\n${chapter("Inner A", 30, "###")}${chapter("Inner B", 30, "###")}`;
      const view = draw(BOOK + long);
      const last = view.querySelector(":scope > details:last-of-type");
      assert.equal(last.querySelector("summary .hint").textContent, "Inner A \u00b7 Inner B");
      assert.deepEqual(texts(last, "details > summary h5"), ["Inner A", "Inner B"]);
      view.querySelector(".bar button").click();
      assert.ok(
        [...view.querySelectorAll("details")].every(({ open }) => open),
        "the button opens these too",
      );
    });

    test("the first chapter inside of the first is open, and one that sums up is", () => {
      const inner = chapter("Inner A", 30, "###") + chapter("Inner B", 30, "###");
      const view = draw(`## Long\n\n${inner}${BOOK}## Key takeaways\n\nShort.\n`);
      const open = [...view.querySelectorAll("details")].filter(({ open }) => open);
      assert.deepEqual(
        open.map((one) => one.querySelector("summary :is(h3, h4, h5)").textContent),
        ["Long", "Inner A", "Key takeaways"],
      );
      const huge = chapter("Inner A", 90, "###") + chapter("Inner B", 30, "###");
      assert.equal(draw(`## Long\n\n${huge}${BOOK}`).querySelectorAll("details[open]").length, 1);
    });

    test("a chapter stays as a person left it when a text is drawn again", async () => {
      const kept = show();
      const first = draw(BOOK, { show: kept });
      first.querySelectorAll("details")[2].open = true;
      await new Promise((done) => setTimeout(done));
      assert.deepEqual(
        [...draw(BOOK, { show: kept }).querySelectorAll("details")].map(({ open }) => open),
        [true, false, true, false],
      );
    });

    test("the size of a heading follows its level in the text, also deep in a page; comments in code are no headings", () => {
      assert.deepEqual(
        [...draw("## A\n### B\n\n```sh\n# no heading\n```", { level: 6 }).querySelectorAll("h6")].map(
          ({ className }) => className,
        ),
        ["h1", "h2"],
      );
    });

    test("marks inside lines", () => {
      assert.equal(
        html("**b** *i* ***both*** ~~s~~ `c*d` __B b__ _i_"),
        "<p><strong>b</strong> <em>i</em> <em><strong>both</strong></em> <s>s</s> <code>c*d</code> <strong>B b</strong> <em>i</em></p>",
      );
      assert.equal(html("**a *b* `c` d**"), "<p><strong>a <em>b</em> <code>c</code> d</strong></p>");
      assert.equal(html("*a **b** c*"), "<p><em>a <strong>b</strong> c</em></p>");
      assert.equal(html("**\u6807\u51c6:**\u6587"), "<p><strong>\u6807\u51c6:</strong>\u6587</p>");
      assert.equal(html("\\*a\\* \\# `"), "<p>*a* # `</p>");
    });

    test("names, sums and patterns are no marks", () => {
      for (const text of [
        "snake_case_name and _private",
        "2 * 3 * 4 = 24",
        "f(*args, **kwargs) or g(**kwargs)",
        "__init__ and __name__",
        "**/*.js and *.py",
        "a ** b ** c",
        "5*3*2",
        "~5 min, ~10 km",
        "a_b_c",
      ])
        assert.equal(html(text), `<p>${text}</p>`, text);
    });

    test("line ends: two blanks, a backslash, or a line that was ended on purpose", () => {
      const long = "word ".repeat(14).trim();
      assert.equal(draw("short\nnext").querySelectorAll("br").length, 1);
      assert.equal(draw(`${long}\nnext`).querySelectorAll("br").length, 0);
      assert.equal(draw(`${long}  \nnext`).querySelectorAll("br").length, 1);
      assert.equal(draw(`${long}\\\nnext`).querySelectorAll("br").length, 1);
    });

    test("lines of their own stay lines, whatever their length", () => {
      const long = "Words of a line that is so long that somebody might take it for a wrapped one";
      const lines = (text) =>
        draw(text)
          .innerHTML.split(/<br>\n|<p>|<\/p>/)
          .filter(Boolean)
          .map((line) => line.replace(/<[^>]*>/g, ""));
      for (const next of [
        "\u2022 a bullet",
        "**Label:** a value",
        "__Label__: a value",
        "Label: a value",
        "a label: a value",
        "2 figures",
        "\u2705 done",
        "[a] b",
        "\u2192 d",
        "Another line that begins here",
      ])
        assert.equal(lines(`${long}\n${next}`).length, 2, next);
      assert.equal(lines(`**First:** ${long}\n**Second:** ${long}\n**Third:** ${long}`).length, 3);
      assert.equal(lines(`${long}:\nthe rest`).length, 2);
      assert.equal(lines(`${"word ".repeat(40).trim()}\nand another`).length, 2);
      assert.equal(lines(`${long}\nhas a word left on the first one\n${long}`).length, 3);
    });

    test("wrapped lines are one again", () => {
      const prose =
        "The first of some lines that a person wrapped at about seventy signs,\nas people do who write for a terminal. Such lines go on where the last\none ended, and Capitals may stand anywhere. The paragraph ends here.";
      assert.equal(draw(prose).querySelectorAll("br").length, 0);
      assert.equal(draw(`- ${prose.replaceAll("\n", "\n  ")}`).querySelectorAll("br, .indent").length, 0);
      assert.equal(draw(`**Note:** ${prose.slice(10)}\n**See:** another`).querySelectorAll("br").length, 1);
    });

    test("a long line that ends in a sentence is joined to the next, whatever the width of the others", () => {
      const breaks = (text) => draw(text).querySelectorAll("br").length;
      assert.equal(
        breaks(
          "Serena runs one call at a time, even when you ask for several at once, so whenever you have\nindependent work to do, you can ask for it in one turn and it is done in that order, which costs less\nthan asking again.",
        ),
        0,
      );
      assert.equal(
        breaks(
          `${"For example, if you work with code and know that you need the body of a constructor, you can directly".padEnd(100, " too")}\nuse \`find\` with its name.`,
        ),
        0,
      );
      assert.equal(breaks("A short line that ends\nwhere a person wanted it to end"), 1);
    });

    test("tags for programs are headings, and a tag around all is left out; code and markup keep theirs", () => {
      const view = draw(
        '<manual>\nRead this.\n\n<mode name="editing">\nEdit with care.\n</mode>\n\n```xml\n<mode>\nx\n</mode>\n```\n</manual>',
      );
      assert.deepEqual(
        [...view.querySelectorAll("h3")].map((one) => one.textContent),
        ["Mode: editing"],
      );
      assert.equal(view.querySelector("pre").textContent, "<mode>\nx\n</mode>");
      assert.doesNotMatch([...view.querySelectorAll("p")].map((one) => one.textContent).join(), /</);
      assert.match(draw("<div>\nwords\n</div>").textContent, /<div>/);
      assert.match(draw("<open>\nwords").textContent, /<open>/);
    });

    test("a long beginning without a heading is a chapter too, the introduction", () => {
      const text = `${"Words of a beginning that goes on. ".repeat(50)}\n\n${["One", "Two", "Three"].map((name) => chapter(name, 20, "#")).join("")}`;
      const summaries = [...draw(text).querySelectorAll(":scope > details > summary")].map(
        (one) => one.textContent,
      );
      assert.equal(summaries.length, 4);
      assert.equal(summaries[0], "Introduction");
    });

    test("trees and outlines keep their indentation", () => {
      const trees = [
        "src\n\u251c\u2500\u2500 a\n\u2502   \u2514\u2500\u2500 __init__.py\n\u2514\u2500\u2500 _b_.js",
        "src\n|-- a\n|   \`-- b\n\`-- c",
        "root\n+--- a\n|    file\n\\--- b",
      ];
      for (const tree of trees) {
        const view = draw(`**Tree:** of the project\n${tree}\n\nafter`);
        assert.equal(view.querySelector("pre").textContent, tree);
        assert.equal(view.lastChild.textContent, "after");
        assert.equal(draw(`- ${tree.replaceAll("\n", "\n  ")}`).querySelector("pre").textContent, tree);
      }
      assert.equal(
        draw(`\u250c\u2500\u2500\u2510\n\u2502 **a** \u2502\n\u2514\u2500\u2500\u2518`).querySelector(
          "pre strong",
        ).textContent,
        "a",
      );
      const outline = "Animals\n  Mammals\n      Cats\n  Birds";
      assert.equal(draw(outline).textContent, outline);
      assert.deepEqual(texts(draw(outline), ".indent"), ["  ", "      ", "  "]);
      const bullets = "Rows:\n\u2022 one\n  \u2022 two";
      assert.deepEqual(texts(draw(bullets), "li"), ["onetwo", "two"]);
    });

    test("lists: ordered, unordered, nested, with blank lines and code between, and tasks", () => {
      assert.equal(
        html("- a\n  - b\n    - c\n- d"),
        "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>",
      );
      assert.equal(
        html("3. a\n\n4. b\n   - c"),
        '<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>',
      );
      const view = draw("1. a\n\n   ```js\n   x\n   ```\n2. b\n\nend");
      assert.equal(view.querySelector("ol > li pre").textContent, "x");
      assert.deepEqual(
        [...view.children].map((one) => one.localName),
        ["ol", "p"],
      );
      assert.deepEqual(texts(draw("- [ ] a\n- [x] b"), "[role=img]"), ["\u2610 ", "\u2611 "]);
      assert.equal(html("- a\nb"), "<ul><li>a</li></ul><p>b</p>");
    });

    test("code: fenced with its language and a way to copy it, unclosed, indented", () => {
      const view = draw("```js\nlet a = 1;\n\n  b();\n```");
      assert.equal(view.querySelector("pre").textContent, "let a = 1;\n\n  b();");
      assert.match(view.textContent, /^js/);
      view.querySelector("button").click();
      assert.equal(opened.pop(), "let a = 1;\n\n  b();");
      assert.equal(draw("~~~\n# a\n```\n~~~\nb").querySelector("pre").textContent, "# a\n```");
      assert.equal(draw("````\n```\na\n```\n````").querySelector("pre").textContent, "```\na\n```");
      assert.equal(draw("```\nto the end").querySelector("pre").textContent, "to the end");
      assert.equal(draw("a\n\n    b\n\n      c\n\nd").querySelector("pre").textContent, "b\n\n  c");
      const diff = draw("```diff\n@@ -1 +1 @@\n-a\n+b\n```");
      assert.deepEqual(texts(diff, "ins, del"), ["+1", "−1", "-a\n", "+b"]);
    });

    test("quotes, rules, front matter", () => {
      assert.equal(html("> a\n> > b"), "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>");
      assert.equal(html("a\n\n---\n\n* * *"), "<p>a</p><hr><hr>");
      const document = draw("---\ntitle: T\ntags: [a]\n---\n# H\n\nwords");
      assert.equal(document.querySelector("pre").textContent, "title: T\ntags: [a]");
      assert.deepEqual(texts(document, "h3, h4, p"), ["H", "words", "Metadata"]);
    });

    test("tables are the kit's own, with formatted cells", () => {
      const view = draw(
        "| Name | Total Cost |\n|:--|--:|\n| **a** | 10 |\n| [b](https://example.com/b) | 9 |\n\nafter",
      );
      assert.deepEqual(texts(view, "thead th"), ["Name", "Total Cost"]);
      assert.deepEqual(texts(view, "tbody td"), ["a", "10", "b", "9"]);
      assert.equal(view.querySelector("td strong").textContent, "a");
      view.querySelectorAll("thead button")[1].click();
      assert.deepEqual(texts(view, "tbody td"), ["b", "9", "a", "10"]);
      assert.deepEqual(texts(draw("a | b\n--- | ---\n1 | 2\\|3"), "td"), ["1", "2|3"]);
      assert.equal(draw("a | b\n--- | --- | ---\n1 | 2").querySelector("table"), null);
      assert.deepEqual(texts(draw("| a | a | |\n|-|-|-|\n|1|2|3|"), "td"), ["1", "2", "3"]);
    });

    test("links go through the host, and only those of the web", () => {
      const view = draw(
        '[a](https://example.com/a_(b) "T") <https://example.com/c> see https://example.com/d. <mailto:a@example.com>',
      );
      for (const link of view.querySelectorAll("[role=link]")) link.click();
      assert.deepEqual(opened.splice(0), [
        "https://example.com/a_(b)",
        "https://example.com/c",
        "https://example.com/d",
        "mailto:a@example.com",
      ]);
      const bad = draw(
        "[a](javascript:alert(1)) [b](data:text/html,x) [c](./d.md) [e](#f) [g](vbscript:x) [h]( javascript:x)",
      );
      assert.equal(bad.querySelector("[role=link], a"), null);
      assert.match(bad.textContent, /a \(javascript:alert\(1\)\) b \(data:text\/html,x\) c \(\.\/d\.md\)/);
    });

    test("images are words that lead to them; what the text itself holds is shown", () => {
      const view = draw(
        "![a *chart*](https://example.com/x.png) [![badge](https://example.com/b.svg)](https://example.com/ci)",
      );
      assert.equal(view.querySelector("img"), null);
      assert.deepEqual(
        [...view.querySelectorAll("[role=link]")].map((one) => [one.textContent, one.title]),
        [
          ["a chart", "https://example.com/x.png"],
          ["badge", "https://example.com/ci"],
        ],
      );
      const image = draw(`![A dot](data:image/png;base64,${"iVBORw0KGgo".padEnd(80, "A")})`).querySelector(
        "img",
      );
      assert.equal(image.alt, "A dot");
    });

    test("markup stays text", () => {
      const bad = '<img src=x onerror=1><script>1</script><a href="javascript:1">x</a>';
      const view = draw(
        `# ${bad}\n\n${bad}\n\n- ${bad}\n\n> ${bad}\n\n| a |\n|---|\n| ${bad} |\n\n[${bad}](https://example.com)\n\n\`\`\`${bad}\n${bad}\n\`\`\``,
      );
      assert.equal(view.querySelector("img, script, a, svg, iframe"), null);
      assert.ok(view.textContent.split("onerror=1").length >= 7);
    });

    test("a text above the limit is cut behind a line, and shown on demand", () => {
      const text = Array.from({ length: 200 }, (_, i) => `Paragraph ${i}.\n\n`).join("");
      const view = draw(text, { show: new kit.Show({ limit: 500 }) });
      assert.ok(view.querySelectorAll("p").length < 50);
      while (view.lastChild.localName === "button") view.lastChild.click();
      assert.equal(view.querySelectorAll("p").length, 200);
    });

    test("nesting has a limit, and nothing is lost behind it", () => {
      const view = draw(`${"> ".repeat(50)}deep\n\n${"- ".repeat(50)}deeper`);
      assert.match(view.textContent, /deep[^]*deeper/);
      assert.ok(view.querySelectorAll("blockquote, ul").length < 20);
    });
  });

const FORMATTED = {
  readme: "# Title\n\nSome words.\n\n## Usage\n\n- one\n- two",
  "title and words": "# Soup\n\nBoil water.",
  "bold and code": "**Done**: saved to `a.txt`",
  fence: "Output:\n```\n2\n```",
  table: "| a | b |\n|---|---|\n| 1 | 2 |",
  link: "See [the docs](https://example.com/docs).",
  "a list": "Shopping:\n\n- apples\n- pears\n- plums",
  "one item": "Found 1 document:\n- d.docx (35.92 KB)",
  tasks: "- [ ] a\n- [x] b",
  underlined: "Report\n======\n\n- a\n- b",
};
const PLAIN = {
  words: "Created branch 'feature' from 'main'",
  stars: "One line\n    an indented one\n\n* not a list *",
  log: "2026-01-01 10:00:00 INFO start\n2026-01-01 10:00:01 WARN `disk` **full**\n2026-01-01 10:00:02 INFO [a](b) end",
  python:
    "# comment\n\nimport os\n\ndef f(**kwargs):\n    # - item\n    return kwargs['a']\n\nclass A:\n    x = {}\n",
  shell: "#!/bin/sh\n# Install\n\nexport PATH=/bin\n# Run\n\nfor a in b; do\n  echo `date`;\ndone",
  yaml: "# settings\n\nname: a\nitems:\n  - b\n  - c\n  - d\n",
  env: "# Settings\n\nHOST=a\nPORT=1",
  names: "snake_case __init__ *args **kwargs 2 * 3 * 4 **/*.js",
  csv: "a,b\n1,*2*\n3,`4`",
  tree: "src\n\u251c\u2500\u2500 a.js\n\u2514\u2500\u2500 b.js",
  art: "  /\\_/\\\n ( o.o )\n  > ^ <",
  "key and value": "Name: x\nVersion: 1.0\nFiles:\n- a\n- b",
  C: "#include <stdio.h>\n\nint main() {\n  // **bold** `code`\n  return 0;\n}",
};

test("what is formatted text, and what is not", () => {
  for (const [name, text] of Object.entries(FORMATTED)) assert.equal(looksFormatted(text), true, name);
  for (const [name, text] of Object.entries(PLAIN)) assert.equal(looksFormatted(text), false, name);
});

test("nothing a text can be takes long", () => {
  const { kit } = built;
  const patterns = [
    "[",
    "*",
    "`",
    "|",
    ">",
    "- ",
    "> ",
    "*a ",
    "_a_",
    "[a](",
    "![",
    "`a``",
    "*`",
    "[a[b]",
    "x[1](y) ",
    "![a]",
    "a|\n",
    "|-|\n",
    "#",
    "# \n",
    "1. ",
    "\\",
    "http://",
    "<a",
    "- a\n",
    "  ",
    "~~a ",
    "```\n",
    "\n",
    "\t- a\n",
    "***a ",
    "a: b\n",
    "a,b\n",
    "---\n",
    "+--+\n",
    "{\n",
    "['a', ",
    "\\'",
    "(",
    "a.",
    "@@ -1 +1 @@\n",
    "A  B\n",
    " \n",
  ];
  const long = (prefix, pattern, length) => prefix + pattern.repeat(length / pattern.length);
  for (const prefix of ["", "# A\n\n", "{'a': '"])
    for (const pattern of patterns) {
      const start = performance.now();
      kit.partsOf({ content: [{ type: "text", text: long(prefix, pattern, 100_000) }] });
      kit.markdown(long(prefix, pattern, 2_000));
      const took = performance.now() - start;
      assert.ok(took < 4000, `${JSON.stringify(prefix + pattern)}: ${took} ms`);
    }
});
