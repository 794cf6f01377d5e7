"""`doctor` reports whether a real browser shows views."""

import shutil
import sys

import anyio
import pytest
from view_host import BROWSERS

from genui_cli.subcommands.doctor_checks import faults_in_sandbox, find_browser, pages_of
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_store import a_view

from .made_views import HERE, tool

pytestmark = pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="there is no browser here")

ODD = {
    "an empty page": "",
    "a page that fails": "<script>nope()</script>",
    "a page that asks the network": "<script>fetch('https://example.org/')</script>",
    "a page of text": "<p>There is text to see, and the page sends no message.</p>",
}


@pytest.fixture(scope="module")
def faults(module_environment):
    """The faults of sound and odd pages, all shown in one browser."""
    definition = tool("rows", inputSchema={"type": "object", "properties": {"a": {"type": "string"}}})
    fragment = (HERE / "recordings" / "fragments" / "plain.txt").read_text()
    kept = [
        a_view(tool_name="rows", html=fragment),
        a_view("b" * 64, tool_name="gone", html=fragment),
    ]
    pages = pages_of([Tool(definition)], kept, Settings())
    assert [name for name, _ in pages] == ["rows", "rows, as model-x wrote it"]
    odd = [
        (name, f"<!DOCTYPE html><html><head></head><body>{body}</body></html>") for name, body in ODD.items()
    ]
    return anyio.run(faults_in_sandbox, find_browser(module_environment), [*pages, *odd])


def test_the_minimal_view_and_a_written_view_are_shown(faults):
    assert not [fault for fault in faults if fault.startswith("rows")]


def test_a_page_that_does_not_speak_to_its_host_is_named_with_the_reason(faults):
    assert [fault.partition(":")[0] for fault in faults] == [
        f"{name} does not speak to its host" for name in ODD
    ]
    assert "nope is not defined" in faults[1]
    assert "connect-src https://example.org/" in faults[2]


def test_the_command_says_that_the_views_of_a_server_are_shown(open_host, repository, tmp_path, environment):
    environment["HOME"] = str(tmp_path)
    corpus = repository / "tests" / "corpus"
    recorded = sys.executable, corpus / "recorded_upstream.py", corpus / "sample" / "database"
    words = ("-P", "-m", "genui_cli", "doctor", "--llm", "none", "--", *recorded)
    host = open_host(sys.executable, *words, cwd=tmp_path, env=environment)
    assert host.wait() == 0
    assert b"views in a strict sandbox: 5 shown by" in b"".join(host.lines)
