"""The pages of written views: no source leaves the element in which it stands."""

import json
import re
import subprocess

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import body_version, minimal_page, page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import Fragment

TOOL = Tool({"name": "tool"})
DATA = page_data(TOOL, Settings(default_theme="system"))
BREAKING = ["</script>", "</SCRIPT ", "<!--", "<script>", "-->", "</style>", "</StYlE\n", "</template>", "<template>", "</textarea>", "<plaintext>", "]]>", "\x00", "`", "\\", "'", '"', "{}", "%s"]  # fmt: skip
PIECES = st.lists(st.sampled_from(BREAKING) | st.text(max_size=8), max_size=8).map("".join)
PARTS = [
    "meta",
    "meta",
    "meta",
    "meta",
    "title",
    "style",
    "script",
    "script",
    "style",
    "script",
    "script",
    "script",
]


@pytest.fixture
def run_script(tmp_path):
    """Run a script, and return what it writes to the console."""

    def run_script(text):
        path = tmp_path / "script.cjs"
        path.write_text(text, encoding="utf-8")
        return subprocess.run(["node", path], capture_output=True, check=True, encoding="utf-8").stdout

    return run_script


class Kit:
    style = "body{color:red}"
    script = "globalThis.McpGenUi={kit}"
    document_script = "globalThis.McpGenUi={}"


def fragment(style="", template="", script="function render() {}"):
    return Fragment(style=style, template=template, script=script).text


def page(source, mode="fragment", **options):
    return view_page(TOOL, DATA, Kit, source, mode, **options)


def parsed(html):
    return html5lib.parse(html.encode("utf-8"), namespaceHTMLElements=False, transport_encoding="utf-8")


def parts(html):
    """Return the elements within head and body, in order, and the texts of raw text elements."""
    found = [each for each in parsed(html).iter() if each.tag not in {"html", "head", "body"}]
    return [each.tag for each in found], [each.text or "" for each in found]


@given(PIECES, PIECES, PIECES)
def test_no_source_leaves_the_element_it_stands_in(style, template, script):
    fragment_of = Fragment(style=style, template=template, script=script)
    with pytest.MonkeyPatch.context() as patch:
        # What is taken out of an answer could not hold all of this; the page relies on nothing of that.
        patch.setattr("genui_core.domain.pages.generated_page.fragment_in", lambda _: fragment_of)
        tags, texts = parts(page("any"))
    assert tags == PARTS
    assert texts[7] == Kit.script
    assert json.loads(texts[9]) == template
    assert texts[11] == "McpGenUi.startFragmentView();"


def test_a_whole_fragment_stands_in_its_places():
    html = page(
        fragment(".view { color: red }", "<p>Here</p>", "function render(data, ui) { f('<\\/script>'); }")
    )
    tags, texts = parts(html)
    assert tags == PARTS
    assert texts[8].strip() == ".view { color: red }"
    assert json.loads(texts[9]) == "<p>Here</p>"
    assert texts[10].splitlines()[1] == "function render(data, ui) { f('<\\/script>'); }"
    assert "<head>\n" in html[:40]


@pytest.mark.parametrize(
    "literal",
    [
        "'</script>'",
        '"<!--"',
        "`</SCRIPT >`",
        "'a</script><!--'.replace(/<!--|<\\/script>/giu, '-')",
        "'<!-- <script> </script>'",
    ],
)
def test_texts_in_a_script_mean_what_they_meant(literal, run_script):
    fragment_of = Fragment(script=f"const it = {literal}; function render() {{ return it; }}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("genui_core.domain.pages.generated_page.fragment_in", lambda _: fragment_of)
        script = parts(page("any"))[1][10]
    said = run_script(
        f"const McpGenUi = {{ fragment: (names, run) => console.log(JSON.stringify(run()())) }};\n{script}"
    )
    assert json.loads(said) == json.loads(run_script(f"console.log(JSON.stringify({literal}))"))


def test_a_script_has_a_scope_of_its_own_and_strict_rules(run_script):
    script = parts(page(fragment(script="var leak = 1; function render() { return this === undefined; }")))[
        1
    ][10]
    said = run_script(
        f"const McpGenUi = {{ fragment: (names, run) => console.log(run()(), typeof leak) }};\n{script}"
    )
    assert said.split() == ["true", "undefined"]


@pytest.mark.parametrize(
    ("source", "mode"), [("Sorry, I cannot.", "fragment"), ("", "fragment"), ("", "document")]
)
def test_a_source_without_a_view_is_the_minimal_page(source, mode):
    assert page(source, mode) == minimal_page(TOOL, DATA, Kit)


def test_a_document_is_what_was_written_with_what_it_imports():
    written = '<!DOCTYPE html><html lang="en"><head></head><body><p>Text</p></body></html>'
    html = page(written, "document")
    assert "<p>Text</p>" in html
    assert Kit.document_script in html
    assert "McpGenUi" not in page(written, "document", runtime="host")


def test_the_version_follows_the_source():
    assert body_version("key", DATA, "build", "<p>") != body_version("key", DATA, "build")
    assert re.fullmatch("[0-9a-f]{8}", body_version("key", DATA, "build", "\ud800"))


@pytest.mark.parametrize("opening", ["\n-->", "\n  -->", "/* a\n*/ -->", "\u2028-->", "\n\ufeff-->"])
def test_an_end_of_an_html_comment_hides_no_code(opening, run_script):
    hidden = f"const it = 1{opening} {{\nx: 1\n}}(); }}(); console.log('out'); (function () {{ return function () {{"
    script = parts(page(fragment(script=hidden)))[1][10]
    with pytest.raises(subprocess.CalledProcessError):
        run_script(f"const McpGenUi = {{ fragment() {{}} }};\n{script}")
