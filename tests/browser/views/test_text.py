"""How the minimal view shows texts: Markdown, code, diffs, tables, names and values, and failures."""

import json

import pytest
from accessibility import barriers
from playwright.sync_api import expect

README = """# Weather

A **small** service, see [the docs](https://example.com/docs), `PORT` and
<b>no markup</b>.

## Install

1. Clone it
2. Start it:

   ```bash
   weather --port 8080 --with-a-long-option --that-goes-on-and-on --so-that-no-narrow-page-can-hold-it
   ```

- one
  - two

| Plan | Price |
|------|------:|
| Pro | **9 €** |
| Free | 0 |

![a chart](https://example.com/chart.png)
"""
DIFF = """diff --git a/app.py b/app.py
--- a/app.py
+++ b/app.py
@@ -1,2 +1,2 @@
-port = 80
+port = 8080
 run(port)
"""
DUCK = """┌───────┬─────────┐
│  id   │  name   │
│ int32 │ varchar │
├───────┼─────────┤
│     1 │ tea     │
│     2 │ café    │
└───────┴─────────┘
"""
PSQL = " id | name\n----+------\n  1 | tea\n  2 | café\n"
ROWS = [{"id": 1, "name": "tea"}, {"id": 2, "name": "café"}]
HTML = "<h2>Sheet</h2><table><tr><th>id</th><th>name</th></tr><tr><td>1</td><td>tea</td></tr><tr><td>2</td><td>café</td></tr></table>"
TABLES = {
    "a box": DUCK,
    "bars": PSQL,
    "Markdown": "| id | name |\n|---|---|\n| 1 | tea |\n| 2 | café |",
    "commas": "id,name\n1,tea\n2,café\n",
    "Python": repr(ROWS),
    "JSON behind words": f"Found 2 rows:\n{json.dumps(ROWS)}",
    "JSON lines": "\n".join(map(json.dumps, ROWS)),
    "HTML": HTML,
}
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    '<rect width="40" height="40" fill="red"/><script>canary=1</script></svg>'
)


def cells(screen):
    return [one.strip() for one in screen.result.locator("tbody td").all_inner_texts()]


def test_markdown_is_formatted_below_the_headings_of_the_page(show_result, text):
    screen = show_result(text(README))
    for level, name in ((3, "Weather"), (4, "Install")):
        expect(screen.result.get_by_role("heading", level=level, name=name)).to_be_visible()
    expect(screen.result.locator("strong").first).to_have_text("small")
    expect(screen.result.get_by_text("<b>no markup</b>")).to_be_visible()
    expect(screen.result.locator("li li")).to_have_text("two")
    expect(screen.result.get_by_role("columnheader")).to_have_text(["Plan", "Price"])
    assert screen.result.locator("img, b").count() == 0


BOOK = "# Guide\n\n" + "".join(f"## Part {i}\n\n{'Some words to read. ' * 40}\n\n" for i in range(8))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_chapters_of_a_long_text_open_by_key_and_all_at_once(show_result, text, theme):
    screen = show_result(text(BOOK), width=320, theme=theme)
    below = screen.result.locator("details").nth(3).locator("p")
    expect(below).to_be_hidden()
    screen.result.locator("summary").nth(3).press("Enter")
    expect(below).to_be_visible()
    assert barriers(screen.host) == []
    screen.button("Open all").click()
    expect(screen.result.locator("details[open]")).to_have_count(8)
    expect(screen.button("Close all")).to_be_visible()
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_links_and_images_of_markdown_are_opened_by_the_host(show_result, text):
    screen = show_result(text(README))
    for name in ("the docs", "a chart"):
        screen.result.get_by_role("link", name=name).click()
    screen.host.page.wait_for_function("host.links.length === 2")
    assert screen.host.ask_host("host.links") == ["https://example.com/docs", "https://example.com/chart.png"]


@pytest.mark.parametrize("width", [320, 800])
def test_wide_code_scrolls_by_itself(show_result, text, width):
    screen = show_result(text(README), text(DIFF), width=width)
    expect(screen.result.locator("pre")).to_have_count(2)
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_code_has_its_language_and_can_be_copied(show_result, text):
    screen = show_result(text("Run:\n```bash\nls -l\n```"))
    expect(screen.result.get_by_text("bash", exact=True)).to_be_visible()
    screen.frame.evaluate("document.addEventListener('copy', () => { copied = `${getSelection()}`; })")
    screen.result.get_by_role("button", name="Copy bash").click()
    assert screen.frame.evaluate("copied") == "ls -l"


def test_a_diff_marks_its_lines_by_colour_and_by_their_signs(show_result, text):
    screen = show_result(text(DIFF))
    expect(screen.result.locator(".diff ins")).to_have_text("+port = 8080")
    expect(screen.result.locator(".diff del")).to_have_text("-port = 80")
    expect(screen.result.locator(".file")).to_have_text("app.py+1 \u22121")
    assert DIFF.strip().endswith(screen.result.locator("pre").text_content())
    colour = "one => getComputedStyle(one).backgroundColor"
    shades = [screen.result.locator(one).evaluate(colour) for one in (".diff ins", ".diff del", "pre")]
    assert len(set(shades)) == 3


@pytest.mark.parametrize("words", TABLES.values(), ids=TABLES)
def test_a_table_in_text_is_a_table(show_result, text, words):
    screen = show_result(text(words))
    expect(screen.result.get_by_role("columnheader")).to_have_count(2)
    assert cells(screen) == ["1", "tea", "2", "café"]
    screen.result.get_by_role("columnheader").nth(1).get_by_role("button").click()
    assert cells(screen) == ["2", "café", "1", "tea"]


def test_lines_of_names_and_values_are_names_and_values(show_result, text):
    screen = show_result(text("Server:\nName: eu-1\nStarted at: 2026-01-01 10:00\nLoad: 12 %"))
    expect(screen.result.locator("dt")).to_have_text(["Started at", "Load"])
    expect(screen.result.locator(".named")).to_have_text("eu-1")
    expect(screen.result.locator(".caption")).to_have_text("Server")


def test_text_that_only_looks_like_something_stays_as_it_is(show_result, text):
    for words in (
        "snake_case_name and 2 * 3 * 4 = 24 or so",
        "  /\\_/\\\n ( o.o )\n  > ^ <",
        "for a in *.py; do\n  echo `a`;\ndone",
    ):
        screen = show_result(text(words))
        assert screen.result.locator("pre").text_content() == words


@pytest.mark.parametrize(
    "result",
    [
        {"words": "Database error: no such table: x", "state": "Failed"},
        {"structured": {"rank": 1, "title": "Error: the search is down"}, "state": "Failed"},
        {"structured": {"success": False, "error": "no"}, "state": "Problem"},
    ],
)
def test_a_success_that_says_it_failed_is_not_called_done(show_result, text, result):
    screen = show_result(text(result.get("words", "")), structured=result.get("structured"))
    expect(screen.state).to_have_text(result["state"])


def test_an_error_in_json_is_names_and_values_in_the_panel(show_result, text):
    screen = show_result(text('{"code": 7, "message": "It broke"}'), is_error=True)
    expect(screen.result.get_by_role("alert").get_by_role("note")).to_have_text("It broke")
    expect(screen.result.get_by_role("alert").locator("dl, .hero")).to_contain_text("Code")
    expect(screen.result.get_by_role("button", name="Run again")).to_be_visible()


def test_an_image_in_markdown_and_one_in_json_are_drawn_where_images_are_forbidden(
    show_result, text, red_png, painted
):
    screen = show_result(text(f"![A red one](data:image/png;base64,{red_png})"), profile="opaque")
    expect(screen.result.get_by_role("img", name="A red one")).to_be_visible()
    assert painted(screen, screen.result.get_by_role("img")) == [255, 0, 0]
    screen.host.send_result({"content": [text(json.dumps({"size": 48, "base64": red_png}))]})
    expect(screen.result.get_by_role("img")).to_be_visible()


def test_a_drawing_in_text_is_an_image_that_runs_nothing(show_result, text, painted):
    screen = show_result(text(SVG))
    expect(screen.result.get_by_role("img")).to_be_visible()
    assert painted(screen, screen.result.get_by_role("img")) == [255, 0, 0]
    assert screen.frame.evaluate("globalThis.canary") is None


def test_markup_of_a_resource_is_shown_as_it_is_written(show_result):
    page = {"uri": "file:///a.html", "mimeType": "text/html", "text": "<h1>Hi</h1><script>canary=1</script>"}
    screen = show_result({"type": "resource", "resource": page})
    expect(screen.result.locator("pre")).to_have_text(page["text"])
    assert screen.result.locator("h1").count() == 0


def test_a_file_that_nothing_shows_is_handed_over_by_the_host(show_result):
    file = {"uri": "file:///a.zip", "mimeType": "application/zip", "blob": "UEsFBg=="}
    screen = show_result({"type": "resource", "resource": file})
    expect(screen.result.get_by_text("Binary data")).to_be_visible()
    screen.button("Download").click()
    screen.host.page.wait_for_function("host.files.length === 1")
    assert screen.host.ask_host("host.files") == [{"type": "resource", "resource": file}]


def test_the_view_says_that_data_are_no_video(show_result):
    film = {"uri": "file:///a.mp4", "mimeType": "video/mp4", "blob": "AAAA"}
    expect(
        show_result({"type": "resource", "resource": film}).result.get_by_text("cannot be played")
    ).to_be_visible()


@pytest.mark.matrix(quick=3)
@pytest.mark.parametrize(
    "pattern", ["[", "*a ", "`a``", "*`", "> ", "x[1](y) ", "|a|\n|-|\n", "[[a]", "\\", "## a\n"]
)
def test_text_made_to_take_long_does_not(show_result, text, pattern):
    screen = show_result(text(f"# A title\n\n{pattern * (100_000 // len(pattern))}"))
    assert screen.host.ask("ping")["result"] == {}
    expect(screen.result.get_by_role("heading", level=3)).to_have_text("A title")


def test_lines_trees_and_labels_of_formatted_text_stay_apart(show_result, text):
    label = "**Status:** the service answers again, and no one knows what was wrong with it at all"
    words = [label, label.replace("Status", "Owner")]
    bullets = ["\u2022 a bullet", "  \u2022 one below it"]
    tree = "src\n\u251c\u2500\u2500 a.js\n\u2502   \u2514\u2500\u2500 b.js\n\u2514\u2500\u2500 c.js"
    screen = show_result(
        text("# Report\n\n" + "\n".join([*words, *bullets]) + f"\n\nFiles:\n{tree}\n"), width=760
    )
    shown = screen.result.locator(".markdown").inner_text()
    for line in words:
        assert f"\n{line.replace('**', '')}\n" in f"\n{shown}\n"
    expect(screen.result.locator("li")).to_have_text(["a bulletone below it", "one below it"])
    assert screen.result.locator("pre").inner_text() == tree
