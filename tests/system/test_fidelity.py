"""Third-party servers send the same bytes direct and through the wrapper, except for its edits (requirement W3)."""

import json
import re
import sys

import pytest

ADDITION = re.compile(
    rb',"_meta":\{"ui":\{"resourceUri":"(?P<uri>ui://[^"]*)"\},"ui/resourceUri":"(?P=uri)","openai/outputTemplate":"(?P=uri)"\}'
)
FIRST_OWN_TOOL = ',{"name":"_ui_refine"'
HINTS = re.compile(rb'"ttlMs":\d+,?|"cacheScope":"\w+",?')
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test host", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {
        "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    },
}


def lines_of_a_session(host, calls):
    """Make the same requests with the same ids, and return the bytes of each answer."""
    host.connect()
    lines = {}
    for method in ("tools/list", "prompts/list", "resources/list", "ping", "no/such/method"):
        host.send(method, {}, id=method)
        lines[method] = host.answer_line(method)
    for number, (name, arguments) in enumerate(calls):
        request_id = f"{number} {name}"
        host.send("tools/call", {"name": name, "arguments": arguments}, id=request_id)
        lines[request_id] = host.answer_line(request_id)
    return lines


@pytest.fixture(scope="module")
def sessions(upstream, start_host, proxy):
    """The answers of a session direct and through the wrapper, and the wrapper's host, which stays connected."""
    server = upstream()
    host = start_host(*server.argv, **server.options)
    direct = lines_of_a_session(host, server.calls)
    host.close()
    server = upstream()
    host = start_host(*proxy, *server.argv, **server.options)
    through = lines_of_a_session(host, server.calls)
    yield direct, through, host
    assert host.close() == 0


def test_every_answer_is_the_same_bytes(sessions):
    direct, through, _ = sessions
    edited = {"tools/list", "resources/list"}
    assert {key: line for key, line in through.items() if key not in edited} == {
        key: line for key, line in direct.items() if key not in edited
    }


def without_own_tools(line):
    """Return a list of tools without those of the wrapper, which come last."""
    text = line.decode()
    at = start = text.index(FIRST_OWN_TOOL)
    while text[at] == ",":
        _, at = json.JSONDecoder().raw_decode(text, at + 1)
    return (text[:start] + text[at:]).encode()


def test_every_field_of_every_tool_is_the_same_bytes(sessions):
    direct, through, _ = sessions
    assert without_own_tools(ADDITION.sub(b"", through["tools/list"])) == direct["tools/list"]
    listed = len(json.loads(direct["tools/list"])["result"]["tools"])
    assert len(ADDITION.findall(through["tools/list"])) == listed


def test_the_servers_own_resources_come_first_and_unchanged(sessions):
    direct, through, _ = sessions
    theirs = json.loads(direct["resources/list"]).get("result", {}).get("resources", [])
    listed = json.loads(through["resources/list"])["result"]["resources"]
    assert listed[: len(theirs)] == theirs
    assert all(each["uri"].startswith("ui://") for each in listed[len(theirs) :])


def test_every_advertised_view_can_be_read(sessions):
    _, _, host = sessions
    tools = host.request("tools/list")["result"]["tools"]
    for tool in tools:
        if tool["name"].startswith("_ui_"):
            continue
        uri = tool["_meta"]["ui"]["resourceUri"]
        (contents,) = host.request("resources/read", {"uri": uri})["result"]["contents"]
        assert contents["uri"] == uri
        assert tool["name"] in contents["text"]


def test_stateless_requests_are_forwarded_and_their_tools_get_views_too(open_host, proxy, repository):
    server = (sys.executable, repository / "examples" / "weather-server" / "weather_server.py")

    def answers(host):
        lines = []
        for method, params in (
            ("server/discover", {}),
            ("tools/list", {}),
            ("tools/call", {"name": "get_forecast", "arguments": {"city": "Oslo", "days": 3}}),
        ):
            host.send(method, {**params, "_meta": STATELESS}, id=method)
            lines.append(host.answer_line(method))
        return lines

    direct, through = answers(open_host(*server)), open_host(*proxy, *server)
    discovered, listed, called = answers(through)
    assert called == direct[2]
    ours, theirs = without_own_tools(ADDITION.sub(b"", listed)), direct[1]
    assert HINTS.sub(b"", ours) == HINTS.sub(b"", theirs)
    hinted = json.loads(listed)["result"]
    assert (hinted["ttlMs"], hinted["cacheScope"]) == (0, "private")
    assert json.loads(discovered)["result"]["capabilities"]["resources"] == {
        "subscribe": True,
        "listChanged": True,
    }
    uri = json.loads(listed)["result"]["tools"][0]["_meta"]["ui"]["resourceUri"]
    read = through.request("resources/read", {"uri": uri, "_meta": STATELESS})["result"]
    assert (read["ttlMs"], read["resultType"]) == (0, "complete")
    assert through.close() == 0
