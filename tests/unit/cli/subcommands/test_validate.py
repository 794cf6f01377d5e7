"""``mcp-gen-ui validate``."""

import json
from pathlib import Path

import pytest

from genui_cli.subcommands.validate import _PAGE, _RICH
from genui_core.application.built_kit import BuiltViewKit
from genui_core.domain.generated_page import view_page
from genui_core.domain.minimal_view import page_data
from genui_core.domain.settings import Settings
from genui_core.domain.tool import Tool

GOOD = "<style></style><template><p>Hi</p></template><script>function render(data, ui) {}</script>"
BAD = "<template><p></p></template>\n<script>\nfunction render(data) {\n  eval(data)\n}\n</script>"


def test_a_view_that_is_all_right(command):
    Path("view.html").write_text(GOOD)
    code, out, _ = command("validate", "view.html")
    assert (code, out) == (0, "view.html: accepted\n")


def test_a_finding_is_told_with_its_rule_and_place(command):
    Path("view.html").write_text(BAD)
    code, out, _ = command("validate", "view.html")
    assert code == 1
    assert "view.html:4:3: error code.from_text" in out
    code, out, _ = command("validate", "--json", "view.html")
    found = json.loads(out)
    assert (code, found["mode"]) == (1, "fragment")
    (finding,) = found["findings"]
    assert (finding["rule"], finding["block"], finding["fileLine"], finding["fileColumn"]) == (
        "code.from_text",
        "script",
        4,
        3,
    )
    assert command("validate", "--lenient", "view.html")[0] == 0


@pytest.mark.parametrize(("tools", "code"), [((), 1), (("--tool", "other"), 0)])
def test_tools_that_the_view_may_call_are_named(command, tools, code):
    call = "ui.el('button', {onclick: () => ui.call('other', {})})"
    Path("view.html").write_text(GOOD.replace("{}</", f"{{ {call} }}</"))
    assert command("validate", *tools, "view.html")[0] == code


def test_a_document_is_judged_as_one(command):
    Path("view.html").write_text("<!DOCTYPE html><html><body><script>eval('1')</script></body></html>")
    assert json.loads(command("validate", "--json", "view.html")[1])["mode"] == "document"


def test_a_view_can_come_from_a_pipe(command):
    assert command("validate", "-", piped=GOOD)[1] == "-: accepted\n"


@pytest.mark.parametrize(("name", "content"), [("nowhere.html", None), ("bad.html", b"\xff"), (".", None)])
def test_a_file_that_cannot_be_read_is_said(command, name, content):
    if content is not None:
        Path(name).write_bytes(content)
    code, out, err = command("validate", name)
    assert (code, out) == (2, "")
    assert name in err


PAGE = '<!DOCTYPE html><html><body><script type="application/json" id="mcp-gen-ui-page">{}</script>'
TEMPLATE = '<script type="application/json" id="mcp-gen-ui-template">""</script>'


def test_an_exported_page_points_to_what_the_model_wrote(command):
    Path("views").mkdir()
    Path("views/a-0123456789ab.html").write_text(PAGE + TEMPLATE)
    Path("views/a-0123456789ab.source.html").write_text(GOOD)
    _, out, err = command("validate", "views/a-0123456789ab.html")
    assert "mcp-gen-ui validate views/a-0123456789ab.source.html" in err
    assert "source.html" not in out
    assert "exported" not in command("validate", "views/a-0123456789ab.source.html")[2]


@pytest.mark.parametrize(
    ("content", "said"), [(PAGE, "which no model wrote"), (PAGE + TEMPLATE, "that export writes beside it")]
)
def test_an_exported_page_without_a_source_beside_it_says_why(command, content, said):
    Path("view.html").write_text(content)
    assert said in command("validate", "view.html")[2]
    assert said in command("validate", "-", piped=content)[2]


def test_the_pages_that_are_served_are_recognised(command):
    tool = Tool({"name": "a", "inputSchema": {"type": "object"}})
    limits = Settings().limits
    minimal = view_page(tool, page_data(tool, limits, "light"), BuiltViewKit(), "", "fragment")
    rich = view_page(tool, page_data(tool, limits, "light"), BuiltViewKit(), GOOD, "fragment")
    assert [_PAGE in minimal, _RICH in minimal] == [True, False]
    assert [_PAGE in rich, _RICH in rich] == [True, True]
