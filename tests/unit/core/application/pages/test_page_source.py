"""The written source in an exported page is found by building the page again."""

from pathlib import Path

import pytest

from genui_core.application.pages.exported_page import page_source
from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.pages.page_frame import ALL_NEEDS, PagePolicy, json_in_script
from genui_core.domain.settings.settings import GrantedDomains, Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import ValidationContext, fragment_in
from genui_core.domain.validation.finding import Ruling
from genui_core.domain.validation.validate import validate

KIT = BuiltViewKit()
SERVED = [kit_parts(KIT, needs) for needs in ALL_NEEDS]
EXPORTED = [each.with_script(KIT.standalone_script) for each in SERVED]
STANDALONE = EXPORTED[-1]
EVERY_KIT = pytest.mark.parametrize("kit", [*SERVED, *EXPORTED])
WRITTEN = Path(__file__).parents[4] / "written_views"
TOOL = Tool({"name": "weather", "title": 'Weather <b> & "more"', "inputSchema": {"type": "object"}})
FRAGMENTS = sorted((WRITTEN / "fragments").glob("*.html"))
DOCUMENTS = sorted((WRITTEN / "documents").glob("*.html"))


GRANTED = GrantedDomains(
    connect=("https://a.example", "https://b.example:8443"),
    resource=("https://c.example/it's",),
    frame=("https://d.example",),
    base_uri=("https://e.example/?a&b",),
)
POLICIES = [PagePolicy(), PagePolicy(is_on=False), PagePolicy(GRANTED), PagePolicy(nonce="0a" * 16)]
EVERY_POLICY = pytest.mark.parametrize("policy", POLICIES, ids=["closed", "none", "granted", "live"])


def page(source, mode, kit=STANDALONE, tool=TOOL, policy=POLICIES[0]):
    data = page_data(tool, Settings(default_theme="system", page_policy=policy.is_on))
    return view_page(tool, data, kit, source, mode, policy=policy)


@EVERY_KIT
@pytest.mark.matrix
@pytest.mark.parametrize("file", FRAGMENTS, ids=lambda file: file.stem)
def test_the_fragment_in_a_page_is_found(file, kit):
    source = file.read_text(encoding="utf-8")
    whole = page(source, "fragment", kit)
    found = page_source(whole, KIT)
    assert found is not None
    assert found.mode == "fragment"
    assert page(found.text, "fragment", kit) == whole
    assert fragment_in(found.text).template == fragment_in(source).template
    assert found.is_built_of(source)
    assert not found.is_built_of(source.replace("<template>", "<template>more"))


@EVERY_KIT
@pytest.mark.matrix
@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: file.stem)
def test_the_document_in_a_page_is_found_with_its_imports(file, kit):
    whole = page(file.read_text(encoding="utf-8"), "document", kit)
    found = page_source(whole, KIT)
    assert found is not None
    assert found.mode == "document"
    assert page(found.text, "document", kit) == whole
    assert found.is_built_of(file.read_text(encoding="utf-8"))
    assert not found.is_built_of(f"{found.text}<p>more</p>")
    assert "McpGenUi" not in found.text
    tools = frozenset({"get_forecast", "stock", "classic", "list"})
    report = validate(found.text, ValidationContext(mode="document", callable_tools=tools, nonce="4f1c9a77"))
    assert not {"app.missing", "import.missing", "frame.access"} & {each.rule for each in report.findings}


@EVERY_POLICY
@pytest.mark.parametrize(("files", "mode"), [(FRAGMENTS, "fragment"), (DOCUMENTS, "document")])
def test_a_page_is_found_with_every_policy(files, mode, policy):
    for file in files[:3]:
        whole = page(file.read_text(encoding="utf-8"), mode, policy=policy)
        found = page_source(whole, KIT)
        assert found is not None, file
        assert found.mode == mode
        assert "McpGenUi" not in found.text
        assert page(found.text, mode, policy=policy) == whole


def test_a_document_of_many_scripts_is_found_behind_a_long_policy():
    more = "".join(f"<script>globalThis.x{at} = {at};</script>\n" for at in range(10))
    source = DOCUMENTS[0].read_text(encoding="utf-8").replace("</body>", f"{more}</body>")
    whole = page(source, "document", policy=POLICIES[2])
    assert whole.index("Content-Security-Policy") > whole.index("charset")
    found = page_source(whole, KIT)
    assert found is not None
    assert found.text.count("<script>globalThis.x") == 10


@EVERY_POLICY
def test_the_minimal_view_holds_nothing_that_a_model_wrote(policy):
    found = page_source(page("", "fragment", policy=policy), KIT)
    assert found is not None
    assert found.text == ""


def test_a_persons_change_of_a_page_is_validated_as_a_written_view():
    source = "<template><p>changeable</p></template><script>function render(data, ui) {}</script><!--end-->"
    changed = page(source, "fragment").replace(
        "changeable", json_in_script("<iframe src='https://a.example'></iframe>")[1:-1]
    )
    found = page_source(changed, KIT)
    assert found is not None
    report = validate(
        found.text, ValidationContext(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77")
    )
    assert (report.ruling, report.findings[0].rule) == (Ruling.REFUSED, "resource.element")


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("McpGenUi", "McpGenUI", 1),
        lambda text: text.replace("</head>", "<script>fetch('https://a.example')</script></head>", 1),
        lambda text: text.replace("</body>", "<img src=x onerror=a()></body>"),
        lambda text: text.replace("<style>", "<style>/**/", 1),
        lambda text: text + " ",
        lambda text: text.replace("McpGenUi.start", "McpGenUi. start", 1),
        lambda text: text.replace("connect-src 'none'", "connect-src 'none' 'unsafe-inline'", 1),
        lambda text: text.replace("script-src ", "script-src * ", 1),
        lambda text: text.replace("img-src data:", "img-src data: https://a.example", 1),
        lambda text: text.replace('id="mcp-gen-ui-page">', 'id="mcp-gen-ui-page"></script><script>a()//', 1),
    ],
)
@pytest.mark.parametrize("file", [FRAGMENTS[0], None], ids=["fragment", "minimal"])
def test_a_page_that_differs_around_its_source_is_not_recognised(file, change):
    whole = page("" if file is None else file.read_text(encoding="utf-8"), "fragment")
    changed = change(whole)
    assert changed != whole
    assert page_source(changed, KIT) is None


@pytest.mark.parametrize("text", ["", "<!DOCTYPE html><html><body>McpGenUi</body></html>", "mcp-gen-ui-page"])
def test_other_texts_are_not_recognised_as_pages(text):
    assert page_source(text, KIT) is None
