"""While the upstream is down, hosts at once get every answer that needs no upstream (requirement E1)."""

import anyio
import pytest
from every_transport import EVERY_HOST, EVERY_PROXY, EVERY_UPSTREAM

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

LISTS = ("tools/list", "resources/list", "resources/templates/list")
AT_ONCE_S = 2.0
"""A limit below the time that a request waits for an upstream."""


async def killed(host):
    answer = await host.request("tools/call", {"name": "die"})
    assert answer["error"]["data"]["errorType"] == "UPSTREAM_DIED"


@EVERY_UPSTREAM
@EVERY_HOST
@EVERY_PROXY
async def test_cached_views_wrapper_tools_and_known_lists_are_served(
    open_transport, transport, stateless, upstream_stateless
):
    down = []
    async with open_transport(
        transport, upstream_stateless=upstream_stateless, is_down=lambda: down
    ) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            lists = {method: await host.result(method) for method in LISTS}
            view = {"uri": lists["tools/list"]["tools"][0]["_meta"]["ui"]["resourceUri"]}
            page = await host.result("resources/read", view)
            down.append(True)
            await killed(host)
            with anyio.fail_after(AT_ONCE_S):
                assert {method: await host.result(method) for method in LISTS} == lists
                assert await host.result("resources/read", view) == page
                inspected = await host.call("_ui_inspect", toolName=lists["tools/list"]["tools"][0]["name"])
    assert inspected["isError"] is False


@EVERY_HOST
async def test_a_host_like_an_earlier_one_can_begin(open_transport, stateless):
    down = []
    async with open_transport("http", is_down=lambda: down) as opened:
        async with opened.host(stateless=stateless) as host:
            said = await host.connect()
            tools = await host.result("tools/list")
            down.append(True)
            await killed(host)
        async with opened.host(stateless=stateless) as other:
            with anyio.fail_after(AT_ONCE_S):
                assert await other.connect() == said
                assert await other.result("tools/list") == tools


async def test_each_call_that_fails_has_an_id_of_its_own_and_the_log_has_the_same(open_transport):
    down = []
    async with open_transport("http", is_down=lambda: down) as opened, opened.host(stateless=False) as host:
        await host.connect()
        hanging = [await host.start("tools/call", {"name": "hang"}) for _ in range(5)]
        with anyio.fail_after(20):
            while list(opened.upstreams[-1].memory.names.values()).count("hang") < len(hanging):
                await anyio.sleep(0.01)
        down.append(True)
        await killed(host)
        answers = [await host.answered(each) for each in hanging]
        logged = {each.metadata["request_id"] for each in opened.event_log.named("request_failed")}
    ids = {each["error"]["data"]["requestId"] for each in answers}
    assert len(ids) == len(hanging)
    assert ids < logged


async def test_hosts_are_notified_to_list_again_when_the_upstream_is_back(open_transport):
    down = []
    async with open_transport("http", is_down=lambda: down) as opened, opened.host(stateless=False) as host:
        await host.connect()
        await host.result("tools/list")
        down.append(True)
        await killed(host)
        down.clear()
        await host.wait_for(lambda: "notifications/tools/list_changed" in host.methods_told())
        assert "tools" in await host.result("tools/list")
