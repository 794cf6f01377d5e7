"""``mcp-gen-ui validate``."""

import json
from pathlib import Path

import pytest

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
