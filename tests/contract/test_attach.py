"""The in-process transport gives an SDK-made server UIs for its tools and changes nothing else (requirement P1)."""

import sys
from pathlib import Path

import pytest

from genui_core.domain.tools.wrapper_tools import NAMES

SERVER = Path(__file__).parent / "sdk_server.py"
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test host", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {
        "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    },
}


@pytest.fixture(scope="module", params=["high", "low"])
def serve(request, start_host):
    """Start the server, plain or attached."""
    return lambda dress: start_host(sys.executable, SERVER, request.param, dress)


@pytest.fixture(scope="module")
def unconnected(serve):
    """A host of the plain server, before the handshake."""
    return serve("plain")


@pytest.fixture(scope="module")
def facts(unconnected):
    """The plain server's answer to the handshake."""
    return unconnected.connect()["result"]


@pytest.fixture(scope="module")
def plain(unconnected, facts):
    """A host of the plain server."""
    return unconnected


@pytest.fixture(scope="module")
def attached(serve):
    """A host of the attached server that has read a view before any listing."""
    host = serve("attached")
    assert host.connect()["result"]["capabilities"]["resources"]["listChanged"] is True
    assert host.request("resources/read", {"uri": "ui://add"})["result"]["contents"]
    return host


def test_a_view_is_there_before_any_listing_and_every_tool_is_tied_to_one(attached):
    tools = attached.request("tools/list")["result"]["tools"]
    assert [each["name"] for each in tools] == ["add", *NAMES]
    uri = tools[0]["_meta"]["ui"]["resourceUri"]
    (contents,) = attached.request("resources/read", {"uri": uri})["result"]["contents"]
    assert contents["uri"] == uri
    assert "Add numbers" in contents["text"]


def test_views_and_the_servers_own_resources_are_in_one_list(plain, attached):
    own = plain.request("resources/list").get("result", {}).get("resources", [])
    listed = attached.request("resources/list")["result"]["resources"]
    assert listed[: len(own)] == own
    assert [each["uri"] for each in listed[len(own) :]] == ["ui://add"]
    assert attached.request("resources/templates/list")["result"]["resourceTemplates"] == []


def test_tools_and_calls_stay_unchanged(plain, attached):
    (theirs,) = plain.request("tools/list")["result"]["tools"]
    tied = attached.request("tools/list")["result"]["tools"][0]
    tied.pop("_meta")
    assert tied == {key: value for key, value in theirs.items() if key != "_meta"}
    call = {"name": "add", "arguments": {"a": 1, "b": 2.5}}
    odd = ({"name": "nope"}, {"name": "add", "arguments": {"a": "x"}}, {})
    for method, params in (*(("tools/call", each) for each in (call, *odd)), ("no/such", None)):
        ours, theirs = attached.request(method, params), plain.request(method, params)
        assert {**ours, "id": 0} == {**theirs, "id": 0}


def test_wrapper_tools_answer(attached):
    result = attached.request("tools/call", {"name": "_ui_inspect", "arguments": {"toolName": "add"}})[
        "result"
    ]
    assert result["structuredContent"]["resourceUri"].startswith("ui://add?v=")
    assert attached.request("resources/subscribe", {"uri": "ui://add"})["result"] == {}


def test_a_host_without_apps_sees_the_bare_server(serve, plain, facts):
    attached = serve("attached")
    assert attached.connect({})["result"]["capabilities"] == facts["capabilities"]
    assert attached.request("tools/list")["result"] == plain.request("tools/list")["result"]


def test_stateless_hosts_are_served_too(serve):
    host = serve("attached")
    tool = host.request("tools/list", {"_meta": STATELESS})["result"]["tools"][0]
    read = host.request("resources/read", {"uri": tool["_meta"]["ui"]["resourceUri"], "_meta": STATELESS})[
        "result"
    ]
    assert (read["resultType"], read["ttlMs"]) == ("complete", 0)
    assert read["contents"][0]["text"].startswith("<!DOCTYPE html>")


def test_the_tools_can_be_listed_again(attached):
    found = attached.request("tools/call", {"name": "_ui_refresh_tools", "arguments": {}})["result"]
    assert found["structuredContent"] == {"added": [], "removed": [], "changed": [], "unchanged": ["add"]}
