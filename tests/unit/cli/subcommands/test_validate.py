"""``mcp-gen-ui validate``."""

import json
from pathlib import Path

import pytest

from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.pages.page_frame import PageNeeds, PagePolicy
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

GOOD = "<style></style><template><p>Hi</p></template><script>function render(data, ui) {}</script>"
BAD = "<template><p></p></template>\n<script>\nfunction render(data) {\n  eval(data)\n}\n</script>"


def test_a_sound_view_is_accepted(command):
    Path("view.html").write_text(GOOD)
    code, out, _ = command("validate", "view.html")
    assert (code, out) == (0, "view.html: accepted\n")


def test_a_finding_is_printed_with_its_rule_and_place(command):
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
def test_the_flag_names_tools_that_the_view_may_call(command, tools, code):
    call = "ui.el('button', {onclick: () => ui.call('other', {})})"
    Path("view.html").write_text(GOOD.replace("{}</", f"{{ {call} }}</"))
    assert command("validate", *tools, "view.html")[0] == code


def test_a_document_is_validated_as_one(command):
    Path("view.html").write_text("<!DOCTYPE html><html><body><script>eval('1')</script></body></html>")
    assert json.loads(command("validate", "--json", "view.html")[1])["mode"] == "document"


def test_a_view_can_come_from_a_pipe(command):
    assert command("validate", "-", piped=GOOD)[1] == "-: accepted\n"


@pytest.mark.parametrize(("name", "content"), [("nowhere.html", None), ("bad.html", b"\xff"), (".", None)])
def test_a_file_that_cannot_be_read_is_an_error(command, name, content):
    if content is not None:
        Path(name).write_bytes(content)
    code, out, err = command("validate", name)
    assert (code, out) == (2, "")
    assert name in err


KIT = BuiltViewKit()
CALLING = GOOD.replace("{}</", "{\n  ui.call('other', {});\n}</")
DOCUMENT = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>a</title></head><body><p id="a">Hi</p>
<script type="module">
import { App } from "@modelcontextprotocol/ext-apps";
const app = new App({ name: "a", version: "1" });
app.ontoolresult = () => { app.callServerTool({ name: "other", arguments: {} }); };
await app.connect();
</script></body></html>
"""
POLICIES = pytest.mark.parametrize("guarded", [True, False], ids=["with a policy", "without a policy"])


def exported(source, mode="fragment", *, guarded=True):
    """Return the page that `export` writes for a view."""
    tool = Tool({"name": "a", "inputSchema": {"type": "object"}})
    data = page_data(tool, Settings(page_policy=guarded))
    parts = kit_parts(KIT, PageNeeds()).with_script(KIT.standalone_script)
    return view_page(tool, data, parts, source, mode, policy=PagePolicy(is_on=guarded))


@pytest.mark.matrix
@POLICIES
@pytest.mark.parametrize(("source", "mode"), [(CALLING, "fragment"), (DOCUMENT, "document")])
def test_validate_of_an_exported_page_names_the_lines_of_its_source(command, source, mode, guarded):
    Path("views").mkdir()
    Path("views/a-0123456789ab.html").write_text(exported(source, mode, guarded=guarded))
    Path("views/a-0123456789ab.source.html").write_text(source)
    code, out, err = command("validate", "views/a-0123456789ab.html")
    line = 1 + source[: source.index("other")].count("\n")
    assert code == 1
    assert f"views/a-0123456789ab.source.html:{line}:" in out
    assert "error tool.foreign" in out
    assert "lines are those of views/a-0123456789ab.source.html" in err
    assert command("validate", "--tool", "other", "views/a-0123456789ab.html")[0] == 0


@pytest.mark.matrix
@POLICIES
@pytest.mark.parametrize(("source", "mode"), [(CALLING, "fragment"), (DOCUMENT, "document")])
def test_validate_of_an_exported_page_alone_counts_lines_within_its_blocks(command, source, mode, guarded):
    Path("a.html").write_text(exported(source, mode, guarded=guarded))
    Path("a.source.html").write_text(GOOD)  # of another page
    code, out, err = command("validate", "--json", "a.html")
    found = json.loads(out)
    assert (code, found["mode"], found["linesOf"]) == (1, mode, None)
    (finding,) = (each for each in found["findings"] if each["rule"] == "tool.foreign")
    assert (finding["fileLine"], finding["fileColumn"]) == (None, None)
    assert "lines count within its blocks" in err


@POLICIES
def test_validate_accepts_an_exported_page_of_the_minimal_view(command, guarded):
    Path("a.html").write_text(exported("", guarded=guarded))
    code, out, err = command("validate", "a.html")
    assert (code, out) == (0, "a.html: accepted\n")
    assert "which no model wrote" in err


CHANGED = [
    exported(GOOD).replace("McpGenUi", "McpGenUI", 1),
    exported(GOOD).replace("{}\n", "{ ui.root.hidden = true }\n", 1),
    exported("").replace("</body>", "<p>more</p></body>"),
    exported(DOCUMENT, "document").replace("other", "another", 1),
]


@pytest.mark.parametrize("page", CHANGED)
def test_validate_of_a_changed_page_fails_and_names_the_source_to_validate(command, page):
    Path("a.html").write_text(page)
    code, out, err = command("validate", "a.html")
    assert (code, out) == (2, "")
    assert "was changed, or that another version made" in err
    assert "the .source.html that export writes beside it" in err
    assert command("validate", "-", piped=page)[0] == 2
    Path("a.source.html").write_text(GOOD)
    assert "mcp-gen-ui validate a.source.html" in command("validate", "a.html")[2]


def test_validate_reads_a_page_as_the_flag_mode_says(command):
    Path("a.html").write_text(exported(""))
    assert command("validate", "--mode", "fragment", "a.html")[1].startswith("a.html")
