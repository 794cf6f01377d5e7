"""The wrapper attached to a server of the real package `fastmcp`."""

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.matrix(quick=0)  # it installs the package
SERVER = Path(__file__).parents[2] / "examples" / "fastmcp-server" / "library_server.py"


@pytest.fixture
def library(open_host, fastmcp_python, repository):
    """A host of a `fastmcp` server that the wrapper is attached to."""
    environment = os.environ | {"PYTHONPATH": str(repository / "src")}
    host = open_host(fastmcp_python, SERVER, env=environment)
    host.connect()
    return host


def tools_of(host):
    return {each["name"]: each for each in host.request("tools/list")["result"]["tools"]}


def test_the_tools_of_a_fastmcp_server_carry_views_that_can_be_read(library):
    tools = tools_of(library)
    for name in ("find_books", "learn"):
        uri = tools[name]["_meta"]["ui"]["resourceUri"]
        (page,) = library.request("resources/read", {"uri": uri})["result"]["contents"]
        assert (page["uri"], page["mimeType"]) == (uri, "text/html;profile=mcp-app")
        assert page["text"].startswith("<!DOCTYPE html>")


def test_a_fastmcp_server_answers_calls_as_it_does_without_the_wrapper(library):
    result = library.request("tools/call", {"name": "find_books", "arguments": {"text": "march"}})["result"]
    assert result["structuredContent"] == {"titles": ["Middlemarch"]}
    assert not result.get("isError")


def test_a_tool_that_a_fastmcp_server_adds_gets_a_view_too(library):
    library.request("tools/call", {"name": "learn", "arguments": {"name": "late"}})
    assert tools_of(library)["late"]["_meta"]["ui"]["resourceUri"].startswith("ui://late?v=")
