"""Every transport and era serves the same views, addresses and metadata (requirements W2 and U1)."""

import json

import anyio
import pytest
from attrs import evolve
from every_transport import EVERY_HOST, EVERY_TRANSPORT, EVERY_UPSTREAM

from genui_core.domain.mcp.envelope import AppsSetting
from genui_core.domain.settings.settings import GrantedDomains, Settings
from genui_core.domain.tools.wrapper_tools import DOCUMENTS, NAMES
from genui_core.testing.scripted_upstream import RESULTS, ScriptedUpstream, error_reply, reply

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

MIME_TYPE = "text/html;profile=mcp-app"
NO_DOMAINS = {"connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []}


@EVERY_UPSTREAM
@EVERY_HOST
@EVERY_TRANSPORT
async def test_the_wrapper_has_the_name_of_its_upstream(
    open_transport, transport, stateless, upstream_stateless
):
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=stateless) as host:
            await (host.result("tools/list") if stateless else host.connect())
            assert opened.wrapper.views.tools.upstream_name == "scripted"


@EVERY_UPSTREAM
@EVERY_HOST
@EVERY_TRANSPORT
async def test_every_tool_is_tied_to_a_view_that_can_be_read(
    open_transport, transport, stateless, upstream_stateless
):
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=stateless) as host:
            said = await host.connect()
            assert said["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}
            assert said["capabilities"]["tools"] == {"listChanged": True}
            listed = (await host.result("tools/list"))["tools"]
            tool = next(each for each in listed if each["name"] == "echo")
            address = tool["_meta"]["ui"]["resourceUri"]
            assert json.dumps({**tool, "_meta": None}) == json.dumps(
                {**own_definition("echo"), "_meta": None}
            )
            assert tool["_meta"] == {
                "ui": {"resourceUri": address},
                "ui/resourceUri": address,
                "openai/outputTemplate": address,
            }
            assert {each["name"] for each in listed} >= {"_ui_list", "_ui_inspect"}
            for uri in (address, "ui://echo", "ui://echo?v=00000000"):
                read = await host.result("resources/read", {"uri": uri})
                (contents,) = read["contents"]
                assert (contents["uri"], contents["mimeType"]) == (uri, MIME_TYPE)
                assert contents["text"].startswith("<!DOCTYPE html>")
                assert_marks(contents["_meta"])
                assert ("ttlMs" in read) is stateless
                if stateless:
                    assert (read["resultType"], read["ttlMs"], read["cacheScope"]) == (
                        "complete",
                        0,
                        "private",
                    )
                    assert "io.modelcontextprotocol/serverInfo" in read["_meta"]
            entries = (await host.result("resources/list"))["resources"]
            entry = next(each for each in entries if each["uri"] == "ui://echo")
            assert entry["mimeType"] == MIME_TYPE
            assert_marks(entry["_meta"])


def own_definition(name):
    (act,) = ScriptedUpstream().receive({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    return next(each for each in act.message["result"]["tools"] if each["name"] == name)


def assert_marks(meta):
    assert meta["ui"] == {"csp": NO_DOMAINS, "prefersBorder": True}
    assert meta["openai/widgetCSP"] == {"connect_domains": [], "resource_domains": []}


@EVERY_HOST
@EVERY_TRANSPORT
async def test_an_agent_reads_how_views_are_written_called_and_changed(open_transport, transport, stateless):
    async with open_transport(transport) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            await host.result("tools/list")
            for uri, words in zip(
                DOCUMENTS, ("Write the view as this page says", "`ui.records(", "`_ui_rollback`"), strict=True
            ):
                (contents,) = (await host.result("resources/read", {"uri": uri}))["contents"]
                assert (contents["uri"], contents["mimeType"]) == (uri, "text/markdown")
                assert words in contents["text"]
                assert "{{" not in contents["text"]
            prompted = await host.call("_ui_prompt", toolName="echo")
            assert all(uri in prompted["structuredContent"]["next"] for uri in DOCUMENTS)
            entries = (await host.result("resources/list"))["resources"]
            assert not {each["uri"] for each in entries} & set(DOCUMENTS)


@EVERY_HOST
@EVERY_TRANSPORT
async def test_every_view_declares_what_the_settings_grant(open_transport, transport, stateless):
    granted = GrantedDomains(permissions=("geolocation", "clipboardWrite"), domain="views.example")
    async with open_transport(transport, settings=Settings(granted=granted)) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            await host.result("tools/list")
            (contents,) = (await host.result("resources/read", {"uri": "ui://echo"}))["contents"]
            entries = (await host.result("resources/list"))["resources"]
            for said in (contents, next(each for each in entries if each["uri"] == "ui://echo")):
                assert said["_meta"]["ui"] == {
                    "csp": NO_DOMAINS,
                    "prefersBorder": True,
                    "permissions": {"geolocation": {}, "clipboardWrite": {}},
                    "domain": "views.example",
                }
                assert said["_meta"]["openai/widgetDomain"] == "views.example"


@EVERY_HOST
@EVERY_TRANSPORT
async def test_a_host_without_apps_sees_the_bare_upstream_and_that_is_logged_once(
    open_transport, transport, stateless
):
    async with open_transport(transport) as opened:
        async with opened.host(stateless=stateless, capabilities={}) as host:
            await host.connect()
            for _ in range(2):
                listed = (await host.result("tools/list"))["tools"]
            assert not any("_meta" in each or each["name"].startswith("_ui_") for each in listed)
            answer = await host.request("resources/list")
            assert answer["error"]["code"] == -32601
        assert len(opened.event_log.named("pass_through")) == 1


@EVERY_TRANSPORT
async def test_the_setting_decides_for_hosts_that_say_nothing(open_transport, transport):
    settings = Settings(apps=AppsSetting.ALWAYS)
    async with open_transport(transport, settings=settings) as opened:
        async with opened.host(stateless=False, capabilities={}) as host:
            await host.connect()
            listed = (await host.result("tools/list"))["tools"]
            assert all("ui" in each["_meta"] for each in listed if not each["name"].startswith("_ui_"))


@EVERY_HOST
@EVERY_TRANSPORT
async def test_only_allowed_tools_have_views_and_none_is_hidden(open_transport, transport, stateless):
    settings = Settings(enabled_tools=frozenset({"echo"}))
    async with (
        open_transport(transport, settings=settings) as opened,
        opened.host(stateless=stateless) as host,
    ):
        await host.connect()
        listed = {each["name"]: each for each in (await host.result("tools/list"))["tools"]}
        assert {name for name, tool in listed.items() if "resourceUri" in str(tool.get("_meta"))} == {"echo"}
        assert "news" in listed


@EVERY_HOST
@EVERY_TRANSPORT
async def test_results_name_their_view_if_the_setting_says_so(open_transport, transport, stateless):
    async with open_transport(transport, settings=Settings(stamp_results=True)) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            said = await host.call("echo")
            assert said["_meta"]["ui"]["resourceUri"].startswith("ui://echo?v=")
            assert said["structuredContent"]["name"] == "echo"
            asked = await host.call("answer", name="input required")
            assert "_meta" not in asked


@pytest.mark.parametrize("which", ["all", "core", "none"])
@EVERY_TRANSPORT
async def test_the_setting_decides_which_wrapper_tools_the_model_sees(open_transport, transport, which):
    async with open_transport(transport, settings=Settings(own_tools=which)) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            listed = (await host.result("tools/list"))["tools"]
            own = {each["name"]: each.get("_meta", {}) for each in listed if each["name"].startswith("_ui_")}
            for_pages = {name for name, meta in own.items() if meta.get("ui") == {"visibility": ["app"]}}
            core = {"_ui_refine", "_ui_regenerate"}
            seen = {"all": set(NAMES) - {"_ui_view"}, "core": core, "none": set()}[which]
            assert own.keys() - for_pages == seen
            assert for_pages == {"_ui_view", "_ui_rollback"} - seen
            answer = await host.call("_ui_view", toolName="echo", have="00000000")
            assert answer["structuredContent"]["state"] == "minimal"
            assert (await host.call("_ui_list"))["structuredContent"]["tools"][0]["enabled"] is True


EMBEDS = Settings(embed_results=True)


@pytest.mark.parametrize(
    ("settings", "announced", "holds"),
    [
        (EMBEDS, {}, True),
        (EMBEDS, {"capabilities": {}}, True),
        (evolve(EMBEDS, apps=AppsSetting.NEVER), {}, False),
        (Settings(), {"capabilities": {}}, False),
    ],
    ids=["apps", "no apps", "never", "off"],
)
@EVERY_HOST
@EVERY_TRANSPORT
async def test_results_hold_their_view_and_its_data_if_the_setting_says_so(
    open_transport, transport, stateless, settings, announced, holds, monkeypatch
):
    monkeypatch.setitem(RESULTS, "an error", '{"isError":true,"content":[]}')
    async with (
        open_transport(transport, settings=settings) as opened,
        opened.host(stateless=stateless, **announced) as host,
    ):
        await host.connect()
        for name in ("input required", "no content", "an error"):
            assert json.dumps(await host.call("answer", name=name)) == json.dumps(json.loads(RESULTS[name]))
        sent = json.loads(RESULTS["another order"])
        said = await host.call("answer", name="another order")
        if holds:
            item = said["content"].pop()
            resource = item["resource"]
            assert (item["type"], item["annotations"]) == ("resource", {"audience": ["user"]})
            assert resource["mimeType"] == "text/html"
            assert resource["uri"].startswith("ui://answer/")
            assert resource["text"].startswith("<!DOCTYPE html>")
            shown = resource["_meta"]["mcpui.dev/ui-initial-render-data"]
            assert shown == {"toolInput": {"name": "another order"}, "toolOutput": sent}
        assert json.dumps(said) == json.dumps(sent)
        listed = (await host.result("tools/list"))["tools"]
        assert ("_meta" in listed[0]) == (settings is EMBEDS and not announced)


def views_updated(host):
    told = [params["uri"] for method, params in host.told if method.endswith("resources/updated")]
    return [uri for uri in told if uri.startswith("ui://")]


class ChangingUpstream(ScriptedUpstream):
    """An upstream whose tools a test may change through ``tools``."""

    tools = ({"name": "old"}, {"name": "kept"}, {"name": "_ui_list"})

    def receive(self, message):
        if message.get("method") == "tools/list":
            return [reply(message["id"], {"tools": list(self.tools)})]
        return super().receive(message)


@EVERY_UPSTREAM
@EVERY_HOST
@EVERY_TRANSPORT
async def test_a_removed_tool_takes_its_view_along_and_hosts_are_notified(
    open_transport, transport, stateless, upstream_stateless
):
    async with open_transport(
        transport, upstream=ChangingUpstream, upstream_stateless=upstream_stateless
    ) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            await host.result("tools/list")
            await host.result("resources/read", {"uri": "ui://old?v=1"})
            if stateless:
                wishes = {"resourcesListChanged": True, "toolsListChanged": True}
                subscribed = {**wishes, "resourceSubscriptions": ["ui://old?v=1"]}
                await host.start("subscriptions/listen", {"notifications": subscribed})
                await host.wait_for(lambda: host.told)
            opened.upstreams[-1].tools = ({"name": "kept", "description": "changed"}, {"name": "new"})
            await host.call("news")
            await host.wait_for(lambda: "notifications/tools/list_changed" in host.methods_told())
            answer = await host.request("resources/read", {"uri": "ui://old?v=1"})
            error = answer["error"]
            assert error["code"] == (-32602 if stateless else -32001)
            assert error["message"] == "Resource not found: ui://old"
            assert (error["data"]["uri"], error["data"]["toolName"]) == ("ui://old", "old")
            await host.wait_for(lambda: views_updated(host))
            assert views_updated(host) == ["ui://old?v=1"]
            assert "notifications/resources/list_changed" in host.methods_told()
            entries = (await host.result("resources/list"))["resources"]
            assert [each["uri"] for each in entries] == ["ui://kept", "ui://new"]
    assert opened.event_log.named("tool_changed")


@EVERY_HOST
@EVERY_TRANSPORT
async def test_an_upstream_tool_keeps_its_name_and_the_wrapper_tool_yields(
    open_transport, transport, stateless
):
    async with open_transport(transport, upstream=ChangingUpstream) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            names = [each["name"] for each in (await host.result("tools/list"))["tools"]]
            assert names[:6] == [
                "old",
                "kept",
                "_ui_list",
                "_ui_refine",
                "_ui_list_of_wrapper",
                "_ui_inspect",
            ]
            assert "structuredContent" in await host.call("_ui_list_of_wrapper")
            answer = await host.request("tools/call", {"name": "_ui_list"})
            assert answer["error"]["message"] == "Unknown tool: _ui_list"
    assert opened.event_log.named("name_taken")


async def test_one_hosts_list_of_tools_removes_no_tool_of_another_host(open_transport):
    """The upstream lists different tools to two hosts; a tool missing in one list is not removed in the other."""

    class Choosy(ScriptedUpstream):
        def receive(self, message):
            if message.get("method") == "initialize":
                self.can = message["params"]["capabilities"]
            if message.get("method") == "tools/list":
                extra = [{"name": "sampler"}] if "sampling" in self.can else []
                return [reply(message["id"], {"tools": [{"name": "common"}, *extra]})]
            return super().receive(message)

    apps = {"extensions": {"io.modelcontextprotocol/ui": {}}}
    async with open_transport("http", upstream=Choosy, upstream_stateless=False) as opened:
        async with (
            opened.host(stateless=False, capabilities={**apps, "sampling": {}}) as more,
            opened.host(stateless=False, capabilities=apps) as less,
        ):
            await more.connect()
            await less.connect()
            for _ in range(2):
                assert "sampler" in json.dumps(await more.result("tools/list"))
                assert "sampler" not in json.dumps(await less.result("tools/list"))
            assert (await more.result("resources/read", {"uri": "ui://sampler"}))["contents"]
        assert not opened.event_log.named("tools_refreshed")


async def test_a_view_is_read_before_any_listing(open_transport):
    async with open_transport("http") as opened, opened.host(stateless=True) as host:
        assert (await host.result("resources/read", {"uri": "ui://echo"}))["contents"]
        await anyio.lowlevel.checkpoint()


class WithoutResources(ScriptedUpstream):
    """An upstream that offers only tools."""

    def receive(self, message):
        if message.get("method", "").startswith("resources/"):
            return [error_reply(message["id"], {"code": -32601, "message": "Method not found"})]
        acts = super().receive(message)
        for act in acts:
            capabilities = act.message.get("result", {}).get("capabilities")
            if capabilities:
                act.message["result"]["capabilities"] = {"tools": capabilities["tools"]}
        return acts


@pytest.mark.parametrize("upstream", [ScriptedUpstream, WithoutResources])
@EVERY_UPSTREAM
@EVERY_HOST
@EVERY_TRANSPORT
async def test_an_unknown_view_is_not_found_where_the_upstream_reads_no_resources(
    open_transport, transport, stateless, upstream_stateless, upstream
):
    async with open_transport(transport, upstream=upstream, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            error = (await host.request("resources/read", {"uri": "ui://nothing?v=1"}))["error"]
            assert error["code"] == (-32602 if stateless else -32001)
            assert error["message"] == "Resource not found: ui://nothing"
            assert (error["data"]["uri"], error["data"]["toolName"]) == ("ui://nothing", "nothing")
            assert error["data"]["requestId"]


@EVERY_TRANSPORT
async def test_an_unknown_view_cannot_be_subscribed_to_where_the_upstream_has_no_resources(
    open_transport, transport
):
    async with open_transport(transport, upstream=WithoutResources) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            error = (await host.request("resources/subscribe", {"uri": "ui://nothing"}))["error"]
            assert (error["code"], error["message"]) == (-32001, "Resource not found: ui://nothing")


class Cacheable(ScriptedUpstream):
    """An upstream whose list of tools has two pages and the hint that all may cache it for an hour."""

    def receive(self, message):
        if message.get("method") != "tools/list":
            return super().receive(message)
        hints = {"resultType": "complete", "ttlMs": 3600000, "cacheScope": "public"}
        if message.get("params", {}).get("cursor"):
            return [reply(message["id"], {"tools": [{"name": "second"}], **hints})]
        return [reply(message["id"], {"tools": [{"name": "first"}], "nextCursor": "2", **hints})]


@EVERY_TRANSPORT
async def test_a_stateless_list_of_tools_with_addresses_is_private_and_stale_at_once(
    open_transport, transport
):
    async with open_transport(transport, upstream=Cacheable) as opened:
        async with opened.host(stateless=True) as host:
            for page in ({}, {"cursor": "2"}):
                listed = await host.result("tools/list", page)
                assert "_meta" in listed["tools"][0]
                assert (listed["ttlMs"], listed["cacheScope"]) == (0, "private")


@EVERY_TRANSPORT
async def test_a_stateless_list_of_tools_without_additions_keeps_the_upstreams_cache_hints(
    open_transport, transport
):
    settings = Settings(enabled_tools=frozenset())
    async with open_transport(transport, upstream=Cacheable, settings=settings) as opened:
        async with opened.host(stateless=True) as host:
            listed = await host.result("tools/list")
            assert listed["tools"] == [{"name": "first"}]
            assert (listed["ttlMs"], listed["cacheScope"]) == (3600000, "public")
