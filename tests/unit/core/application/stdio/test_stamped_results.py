"""Results on the relay name or hold their view, if the settings ask for that."""

import json

import pytest

from genui_core.application.stdio.router import StdioRouter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.settings import Settings

APPS = {"extensions": {"io.modelcontextprotocol/ui": {}}}
TOOLS = {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}


def relay_with(*, stamps=False, embeds=False, capabilities=APPS):
    settings = Settings(stamp_results=stamps, embed_results=embeds)
    relay = StdioRouter(Wrapper(settings=settings).open()).relay
    ask(relay, 1, "initialize", {"capabilities": capabilities})
    answer(relay, 1, '{"capabilities":{"tools":{}}}')
    ask(relay, 2, "tools/list", {})
    answer(relay, 2, json.dumps(TOOLS))
    return relay


def ask(relay, request_id, method, params):
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    relay.host_sent(json.dumps(message).encode() + b"\n")
    relay.to_upstream.clear()


def answer(relay, request_id, result):
    relay.upstream_sent(f'{{"jsonrpc":"2.0","id":{request_id},"result":{result}}}\n'.encode())
    said = b"".join(relay.to_host)
    relay.to_host.clear()
    return said.decode()


def stamped(relay, result, name="echo"):
    ask(relay, 3, "tools/call", {"name": name})
    return answer(relay, 3, result)


def test_a_result_names_its_view_and_stays_what_it_was_to_the_character():
    before = '{"content":[ ],"structuredContent":{"n":1.0,"e":1e2}}'
    line = stamped(relay_with(stamps=True), before)
    assert before[:-1] in line
    meta = json.loads(line)["result"]["_meta"]
    assert meta["ui"]["resourceUri"].startswith("ui://echo?v=")
    assert meta["openai/outputTemplate"] == meta["ui/resourceUri"] == meta["ui"]["resourceUri"]


def test_the_results_own_meta_stays():
    line = stamped(relay_with(stamps=True), '{"content":[],"_meta":{"k":null,"ui":{"x":1}}}')
    meta = json.loads(line)["result"]["_meta"]
    assert (meta["k"], meta["ui"]["x"]) == (None, 1)
    assert "resourceUri" in meta["ui"]


@pytest.mark.parametrize("result", ["{}", '{"resultType":"input_required","requestState":"s"}'])
def test_other_messages_than_results_of_known_tools_stay_unchanged(result):
    name = "echo" if "input" in result else "other"
    assert f'"result":{result}' in stamped(relay_with(stamps=True), result, name)


@pytest.mark.parametrize(("stamps", "capabilities"), [(False, APPS), (True, {})])
def test_results_gain_nothing_without_the_setting_or_apps(stamps, capabilities):
    result = '{"content":[]}'
    assert f'"result":{result}' in stamped(relay_with(stamps=stamps, capabilities=capabilities), result)


def test_a_result_holds_its_view_and_itself_and_stays_what_it_was_to_the_character():
    before = '{"content":[ ],"structuredContent":{"n":1.0,"e":1e2}}'
    line = stamped(relay_with(embeds=True), before)
    assert line.endswith(',"structuredContent":{"n":1.0,"e":1e2}}}\n')
    (item,) = json.loads(line)["result"]["content"]
    shown = item["resource"]["_meta"]["mcpui.dev/ui-initial-render-data"]
    assert shown == {"toolInput": {}, "toolOutput": json.loads(before)}
