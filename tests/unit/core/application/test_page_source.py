"""A page of this build is told from every other text by building it again."""

from pathlib import Path

import pytest

from genui_core.application.built_kit import BuiltViewKit
from genui_core.application.page_source import page_source
from genui_core.domain.finding import Ruling
from genui_core.domain.generated_page import view_page
from genui_core.domain.judging.brief import JudgeBrief
from genui_core.domain.judging.extraction import fragment_in
from genui_core.domain.judging.judge import judge
from genui_core.domain.minimal_view import page_data
from genui_core.domain.settings import Limits
from genui_core.domain.standalone_page import StandaloneParts
from genui_core.domain.tool import Tool

KIT = BuiltViewKit()
STANDALONE = StandaloneParts(KIT, KIT.standalone_script)
WRITTEN = Path(__file__).parents[3] / "written_views"
TOOL = Tool({"name": "weather", "title": 'Weather <b> & "more"', "inputSchema": {"type": "object"}})
FRAGMENTS = sorted((WRITTEN / "fragments").glob("*.html"))
DOCUMENTS = sorted((WRITTEN / "documents").glob("*.html"))


def page(source, mode, kit=STANDALONE, tool=TOOL):
    return view_page(tool, page_data(tool, Limits(), "system"), kit, source, mode)


@pytest.mark.parametrize("kit", [KIT, STANDALONE], ids=["served", "exported"])
@pytest.mark.parametrize("file", FRAGMENTS, ids=lambda file: file.stem)
def test_the_fragment_in_a_page_is_found(file, kit):
    source = file.read_text(encoding="utf-8")
    whole = page(source, "fragment", kit)
    found = page_source(whole, KIT)
    assert found is not None
    assert found.mode == "fragment"
    assert page(found.text, "fragment", kit) == whole
    assert fragment_in(found.text).template == fragment_in(source).template


@pytest.mark.parametrize("kit", [KIT, STANDALONE], ids=["served", "exported"])
@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.stem)
def test_the_document_in_a_page_is_found_with_its_imports(file, kit):
    whole = page(file.read_text(encoding="utf-8"), "document", kit)
    found = page_source(whole, KIT)
    assert found is not None
    assert found.mode == "document"
    assert page(found.text, "document", kit) == whole
    assert "McpGenUi" not in found.text
    tools = frozenset({"get_forecast", "stock", "classic", "list"})
    verdict = judge(found.text, JudgeBrief(mode="document", callable_tools=tools, nonce="4f1c9a77"))
    assert not {"app.missing", "import.missing", "frame.access"} & {each.rule for each in verdict.findings}


def test_the_minimal_view_holds_nothing_that_a_model_wrote():
    found = page_source(page("", "fragment"), KIT)
    assert found is not None
    assert found.text == ""


def test_what_a_person_changed_in_a_page_is_judged_as_what_was_written():
    source = "<template><p></p></template><script>function render(data, ui) { /* here */ }</script><!--end-->"
    changed = page(source, "fragment").replace("/* here */", "fetch('https://a.example');")
    found = page_source(changed, KIT)
    assert found is not None
    verdict = judge(found.text, JudgeBrief(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77"))
    assert (verdict.ruling, verdict.findings[0].rule) == (Ruling.REFUSED, "network.call")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("McpGenUi", "McpGenUI", 1),
        lambda text: text.replace("</head>", "<script>fetch('https://a.example')</script></head>", 1),
        lambda text: text.replace("</body>", "<img src=x onerror=a()></body>"),
        lambda text: text.replace("<style>", "<style>/**/", 1),
        lambda text: text + " ",
        lambda text: text.replace('id="mcp-gen-ui-page">', 'id="mcp-gen-ui-page"></script><script>a()//', 1),
    ],
)
@pytest.mark.parametrize("file", [FRAGMENTS[0], None], ids=["fragment", "minimal"])
def test_a_page_that_differs_around_what_was_written_is_no_page_of_ours(file, change):
    whole = page("" if file is None else file.read_text(encoding="utf-8"), "fragment")
    changed = change(whole)
    assert changed != whole
    assert page_source(changed, KIT) is None


@pytest.mark.parametrize("text", ["", "<!DOCTYPE html><html><body>McpGenUi</body></html>", "mcp-gen-ui-page"])
def test_other_texts_are_no_pages_of_ours(text):
    assert page_source(text, KIT) is None
