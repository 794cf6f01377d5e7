"""`check` without a browser finds views that are unreadable, refused or a fallback."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import define

from genui_cli.check.checking import Check, find_axe, programs
from genui_cli.check.stage import Shown
from genui_cli.preview.connection import Connection
from genui_cli.preview.server import PreviewOptions
from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import page_needs, view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

TOOL = Tool({"name": "t", "inputSchema": {"type": "object"}})
SOUND = "<template><p></p></template><script>function render(data, ui) {}</script><!--end-->"
OPTIONS = PreviewOptions(
    proxy_argv=(), title="t", publish_address=lambda _text: None, announce=lambda _text: None
)
CHECK = Check(OPTIONS, Settings())


def page(source: str) -> str:
    """Return the page that is served for a written view."""
    data = page_data(TOOL, Settings(default_theme="system"))
    parts = kit_parts(BuiltViewKit(), page_needs(TOOL, source))
    return view_page(TOOL, data, parts, source, "fragment")


@define
class Wrapper(Connection):
    """A stand-in for a connection to a wrapper that serves one view."""

    facts: dict[str, Any]
    contents: list[dict[str, Any]]

    async def request(self, method: str, _params: dict[str, object]) -> dict[str, object]:
        """Answer a read of the view, or a call of `_ui_inspect`."""
        if method == "resources/read":
            return {"contents": self.contents}
        return {"structuredContent": self.facts}


def wrapper(text: str = "", mime: str = "text/html;profile=mcp-app", **facts: object) -> Wrapper:
    """Return a wrapper with a view."""
    return Wrapper({"uiType": "rich", "state": "written", **facts}, [{"mimeType": mime, "text": text}])


DEFINITION = {**TOOL.definition, "_meta": {"ui": {"resourceUri": "ui://t?v=00000000"}}}


@pytest.mark.parametrize(
    ("served", "rule", "text"),
    [
        (wrapper(page(SOUND)), None, ""),
        (wrapper(page(SOUND.replace("{}", "{ fetch('https://a.example'); }"))), "refused", "script "),
        (
            wrapper(page(SOUND), fallbackReason="the model wrote nothing"),
            "fallback",
            "the model wrote nothing",
        ),
        (wrapper("text", mime="text/plain"), "unreadable", "text/plain"),
    ],
)
@pytest.mark.anyio
async def test_a_view_that_would_not_work_is_found_without_a_browser(
    served: Wrapper, rule: str | None, text: str
) -> None:
    tool = await CHECK._check_tool(served, DEFINITION, ["t"], None)
    assert {each.rule for each in tool.faults} == ({rule} if rule else set())
    assert all(text in each.text for each in tool.faults)


@pytest.mark.anyio
async def test_a_tool_without_a_view_has_a_note_and_no_fault() -> None:
    tool = await CHECK._check_tool(wrapper(), TOOL.definition, ["t"], None)
    assert (tool.shown, tool.notes) == ([], ["the tool has no view"])


def test_of_many_faults_that_are_alike_the_first_five_are_kept() -> None:
    shown = Shown("one")
    for number in range(9):
        shown.add("contrast", f"{number}")
    assert len(shown.faults) == 5


def test_axe_is_left_out_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    axe = tmp_path / "node_modules" / "axe-core" / "axe.min.js"
    axe.parent.mkdir(parents=True)
    axe.write_text("")
    browser = tmp_path / "browser"
    browser.touch()
    monkeypatch.chdir(tmp_path)
    assert programs("browser", None) == (str(browser), axe)
    assert programs("browser", "none") == (str(browser), None)


def test_a_file_of_axe_that_cannot_be_read_is_named(command: Any, repository: Path) -> None:
    corpus = repository / "tests" / "corpus"
    Path("axe.min.js").write_bytes(b"\xff")
    words = ("check", "--browser", "none", "--llm", "none", "--axe", "axe.min.js", "--")
    recorded = corpus / "recorded_upstream.py", corpus / "sample" / "weather"
    code, out, err = command(*words, sys.executable, *recorded)
    assert (code, out) == (2, "")
    assert "axe.min.js cannot be used: line 1: it is not written in UTF-8" in err


def test_the_error_about_an_upstream_that_ends_at_once_has_its_last_words(command: Any) -> None:
    words = (
        "check",
        "--browser",
        "none",
        "--llm",
        "none",
        "--",
        sys.executable,
        "-c",
        "import no_such_module",
    )
    code, out, err = command(*words)
    assert (code, out) == (4, "")
    assert "its last words:" in err
    assert "No module named 'no_such_module'" in err
    assert "install what the server needs" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("flags", "expected", "text"),
    [
        (("--llm", "acme"), 2, "There is no LLM provider named 'acme'"),
        (("--llm", "openai"), 3, "set OPENAI_API_KEY"),
        (("--llm", "none", "--cwd", "nowhere"), 4, "there is no directory 'nowhere'"),
    ],
)
def test_check_exits_with_the_code_of_the_wrapper_that_does_not_start(
    command: Any, flags: tuple[str, ...], expected: int, text: str
) -> None:
    code, out, err = command("check", "--browser", "none", *flags, "--", sys.executable)
    assert (code, out) == (expected, "")
    assert text in err


def test_check_prints_an_error_of_the_wrapper_as_json_on_request(command: Any) -> None:
    code, out, err = command("check", "--browser", "none", "--json", "--llm", "acme", "--", sys.executable)
    assert (code, out) == (2, "")
    assert json.loads(err.splitlines()[-1])["error"]["code"] == "USAGE"


def test_axe_is_found_in_the_packages_of_a_folder_above(tmp_path: Path) -> None:
    file = tmp_path / "node_modules" / "axe-core" / "axe.min.js"
    assert find_axe(tmp_path / "a") is None
    file.parent.mkdir(parents=True)
    file.touch()
    assert find_axe(tmp_path / "a" / "b") == file
