"""The request router's decisions about a host's requests, with a function as the upstream."""

import json

import pytest

from genui_adapters.host.channels import router_in_event_loop
from genui_adapters.host.sessions.host_session import result_answer
from genui_core.application.requests.host_request import HostRequest
from genui_core.application.wrapper import Wrapper
from genui_core.domain.framing.lines import result_in
from genui_core.domain.mcp.results import WrittenResult
from genui_core.domain.settings.settings import Settings
from genui_core.errors import UpstreamFailed

pytestmark = pytest.mark.anyio

APPS = {"extensions": {"io.modelcontextprotocol/ui": {}}}


class Server:
    """Answers from a table, as bytes; a method without an entry is unknown."""

    def __init__(self, **settings):
        self.router = router_in_event_loop(Wrapper(settings=Settings(**settings)).open())
        self.answers = {"tools/list": '{"tools":[{"name":"echo"}]}', "tools/call": '{"content":[ ]}'}
        self.asked = []

    async def forward(self, request):
        self.asked.append(request.method)
        if request.method not in self.answers:
            raise UpstreamFailed({"code": -32601, "message": "no such method"})
        return result_in(b'{"jsonrpc":"2.0","id":1,"result":%s}\n' % self.answers[request.method].encode())[1]

    async def answer(self, method, capabilities=APPS, **params):
        """Return the line of an answer."""
        request = HostRequest(method, params, handshake={"capabilities": capabilities})
        return result_answer(7, await self.router.answer(request, self.forward)).body


async def test_a_result_that_holds_its_view_can_be_sent():
    body = await Server(embed_results=True).answer("tools/call", name="echo")
    (item,) = json.loads(body)["result"]["content"]
    shown = item["resource"]["_meta"]["mcpui.dev/ui-initial-render-data"]
    assert shown == {"toolInput": {}, "toolOutput": {"content": []}}


async def test_a_view_is_sent_as_the_cached_bytes_of_its_page(monkeypatch):
    server = Server()
    await server.answer("tools/list")
    monkeypatch.setattr(WrittenResult, "_value", None)  # a page takes longer to parse than to send
    (entry,) = json.loads(await server.answer("resources/read", uri="ui://echo"))["result"]["contents"]
    assert entry["text"].startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("method", "settings", "name"),
    [
        ("tools/call", {}, "echo"),
        ("tools/call", {"embed_results": True}, "other"),
        ("tools/call", {"stamp_results": True}, 7),
    ],
)
async def test_a_result_without_additions_is_forwarded_as_the_same_bytes(method, settings, name):
    body = await Server(**settings).answer(method, name=name)
    assert body == b'{"jsonrpc":"2.0","id":7,"result":{"content":[ ]}}'


async def test_an_upstream_without_resources_gets_no_request_for_them():
    server = Server()
    server.answers["initialize"] = '{"capabilities":{"tools":{}}}'
    await server.answer("initialize")
    listed = json.loads(await server.answer("resources/list"))["result"]["resources"]
    assert [each["uri"] for each in listed] == ["ui://echo"]
    assert json.loads(await server.answer("resources/templates/list"))["result"] == {"resourceTemplates": []}
    assert server.asked == ["initialize", "tools/list"]


async def test_an_upstream_without_tools_gets_no_request_for_them():
    server = Server()
    server.answers |= {"initialize": '{"capabilities":{}}', "resources/read": '{"contents":[]}'}
    await server.answer("initialize")
    await server.answer("resources/read", uri="ui://echo")
    assert server.asked == ["initialize", "resources/read"]


async def test_tools_that_change_while_they_are_listed_are_listed_again():
    server = Server()
    server.answers["resources/read"] = '{"contents":[]}'
    listed = server.forward

    async def forward(request):
        server.router.listings.changed()
        return await listed(request)

    server.forward = forward
    await server.answer("resources/read", uri="ui://other")
    server.forward = listed
    await server.answer("resources/read", uri="ui://other")
    assert server.asked.count("tools/list") == 2


@pytest.mark.parametrize("is_parsed", [False, True])
async def test_a_list_is_edited_again_if_a_value_or_only_its_type_is_another_one(is_parsed):
    server = Server()
    received = server.forward

    async def forward(request):
        result = await received(request)
        return dict(result) if is_parsed else result

    server.forward = forward
    for default in ("0", "0", "false", "0.0", "0"):
        server.answers["tools/list"] = f'{{"tools":[{{"name":"echo","x":{default}}}]}}'
        tool = json.loads(await server.answer("tools/list"))["result"]["tools"][0]
        assert json.dumps(tool["x"]) == default
        assert tool["_meta"]["ui"]["resourceUri"].startswith("ui://echo?v=")


async def test_every_page_of_a_list_is_edited_and_counted():
    server = Server()
    for _ in range(2):
        server.answers["tools/list"] = '{"tools":[{"name":"echo"}],"nextCursor":"2"}'
        first = json.loads(await server.answer("tools/list"))["result"]["tools"]
        server.answers["tools/list"] = '{"tools":[{"name":"more"}]}'
        last = json.loads(await server.answer("tools/list", cursor="2"))["result"]["tools"]
        assert [each["name"] for each in (*first, *last) if not each["name"].startswith("_ui_")] == [
            "echo",
            "more",
        ]
        assert all("_meta" in each for each in (*first, last[0]))
        listed = json.loads(await server.answer("resources/list"))["result"]["resources"]
        assert [each["uri"] for each in listed] == ["ui://echo", "ui://more"]


async def test_a_host_without_apps_gets_what_the_upstream_answers():
    server = Server()
    assert await server.answer("tools/list", {}) == (
        b'{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"echo"}]}}'
    )
    assert not server.router.passes("tools/call", {"name": "_ui_list"}, gets_apps=True)
    assert server.router.passes("tools/call", {"name": "_ui_list"}, gets_apps=False)
