"""Every transport forwards progress, logs, requests to the host, cancellation, notifications and unknown
methods (requirement W5).
"""

import anyio
import pytest
from every_transport import EVERY_HOST, EVERY_PROXY, EVERY_TRANSPORT, EVERY_UPSTREAM

from genui_core.testing.scripted_upstream import CAPABILITIES, INFO, INSTRUCTIONS

pytestmark = [pytest.mark.anyio, pytest.mark.matrix]

ASKABLE = {"sampling": {}, "elicitation": {}, "roots": {"listChanged": True}}
QUESTION = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "hi", "vendor": 1}}],
    "f": 1.0,
    "n": None,
}


@EVERY_UPSTREAM
@EVERY_HOST
@EVERY_PROXY
async def test_a_host_learns_who_the_upstream_is(open_transport, transport, stateless, upstream_stateless):
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=stateless, capabilities={}) as host:
            said = await host.connect()
    assert said["capabilities"] == CAPABILITIES
    assert said["instructions"] == INSTRUCTIONS
    if stateless:
        assert said["supportedVersions"] == ["2026-07-28"]
        assert said["_meta"]["io.modelcontextprotocol/serverInfo"] == INFO
        assert (said["resultType"], said["ttlMs"], said["cacheScope"]) == ("complete", 0, "private")
    else:
        assert said["protocolVersion"] == "2025-11-25"
        assert said["serverInfo"] == INFO


@EVERY_UPSTREAM
@EVERY_HOST
@EVERY_TRANSPORT
async def test_progress_comes_under_the_hosts_own_token_and_before_the_answer(
    open_transport, transport, stateless, upstream_stateless
):
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            await host.call("progress", meta={"progressToken": "mine"}, count=3)
            told = [params for method, params in host.told if method == "notifications/progress"]
    assert told == [{"progressToken": "mine", "progress": step, "vendor": 1.0} for step in range(3)]


@EVERY_HOST
@EVERY_TRANSPORT
async def test_unknown_methods_are_forwarded(open_transport, transport, stateless):
    async with open_transport(transport) as opened, opened.host(stateless=stateless) as host:
        await host.connect()
        result = await host.result("vendor/thing", {"z": 1.0, "a": None})
        answer = await host.request("vendor/other")
    assert list(result) == ["vendor", "one", "one too"]
    assert (result["vendor"]["z"], result["vendor"]["a"]) == (1.0, None)
    assert answer["error"] == {"code": -32601, "message": "Method not found"}


@pytest.mark.parametrize("params", [None, []], ids=["null", "an empty list"])
@EVERY_PROXY
async def test_empty_params_of_any_form_are_no_params(open_transport, transport, params):
    async with open_transport(transport) as opened, opened.host(stateless=False) as host:
        await host.connect()
        await host.send({"jsonrpc": "2.0", "id": 90, "method": "tools/list", "params": params})
        assert "result" in await host.answered(90)


async def test_a_notification_that_cannot_be_forwarded_is_dropped(open_transport):
    async with open_transport("stdio to url") as opened, opened.host(stateless=False) as host:
        await host.connect()
        await host.tell("notifications/vendor", {"half of a pair": "\ud800"})
        await host.tell("notifications/vendor", {"whole": True})
        await host.result("ping")
    (_, said) = opened.upstreams[-1].memory.notifications
    assert said["params"] == {"whole": True}


async def test_a_request_that_is_not_well_formed_is_refused_under_its_own_id(open_transport):
    async with open_transport("stdio to url") as opened, opened.host(stateless=False) as host:
        await host.connect()
        await host.send({"jsonrpc": "2.0", "id": 90, "method": "prompts/list", "params": ["a"]})
        assert (await host.answered(90))["error"]["code"] == -32600
        await host.send({"id": 91, "result": {}})
        assert (await host.answered(None))["error"]["code"] == -32600


@EVERY_UPSTREAM
@EVERY_PROXY
async def test_stateless_hosts_may_not_call_methods_of_sessions(
    open_transport, transport, upstream_stateless
):
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=True) as host:
            for method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"):
                answer = await host.request(method, {"uri": "ui://echo", "level": "info"})
                assert answer["error"]["code"] == -32601, method


@EVERY_UPSTREAM
@EVERY_PROXY
async def test_hosts_with_a_session_may_not_call_methods_of_the_modern_era(
    open_transport, transport, upstream_stateless
):
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            for method in ("server/discover", "subscriptions/listen"):
                answer = await host.request(method, {"notifications": {}})
                assert answer["error"]["code"] == -32601, method
            assert await host.result("ping") == {}


@EVERY_TRANSPORT
async def test_a_request_of_the_upstream_reaches_a_host_with_a_session_and_its_answer_returns(
    open_transport, transport
):
    async with (
        open_transport(transport) as opened,
        opened.host(stateless=False, capabilities=ASKABLE) as host,
    ):
        await host.connect()
        for untied in (False, True):
            said = await host.call("ask", method="sampling/createMessage", params=QUESTION, untied=untied)
            assert said["structuredContent"] == {"result": {"agreed": QUESTION}}
        assert host.asked == [("sampling/createMessage", QUESTION)] * 2


@EVERY_TRANSPORT
async def test_a_hosts_refusal_reaches_the_upstream_as_it_is(open_transport, transport):
    refusal = {"error": {"code": -1, "message": "no", "data": {"why": None}}}
    async with (
        open_transport(transport) as opened,
        opened.host(stateless=False, capabilities=ASKABLE, answer=lambda _method, _params: refusal) as host,
    ):
        await host.connect()
        said = await host.call("ask", method="elicitation/create", params={})
    assert said["structuredContent"] == refusal


@EVERY_PROXY
async def test_a_host_without_the_capability_gets_no_request_of_the_upstream(open_transport, transport):
    async with open_transport(transport) as opened, opened.host(stateless=False, capabilities={}) as host:
        await host.connect()
        said = await host.call("ask", method="sampling/createMessage", untied=True)
    assert "error" in said["structuredContent"]
    assert host.asked == []


@EVERY_PROXY
async def test_a_question_becomes_a_round_of_input_for_a_stateless_host(open_transport, transport):
    async with open_transport(transport, upstream_stateless=False) as opened:
        async with opened.host(stateless=True, capabilities=ASKABLE) as host:
            arguments = {"method": "sampling/createMessage", "params": QUESTION}
            call = {"name": "ask", "arguments": arguments}
            first = await host.result("tools/call", call)
            assert first["resultType"] == "input_required"
            ((key, question),) = first["inputRequests"].items()
            assert question == {"method": "sampling/createMessage", "params": QUESTION}
            given = {"inputResponses": {key: {"role": "assistant"}}, "requestState": first["requestState"]}
            last = await host.result("tools/call", {**call, **given})
            assert last["structuredContent"] == {"result": {"role": "assistant"}}
            assert last["resultType"] == "complete"
            again = await host.request("tools/call", {**call, **given})
            assert again["error"]["code"] == -32602


async def test_input_that_is_missing_is_required_again(open_transport):
    async with open_transport("http", upstream_stateless=False) as opened:
        async with opened.host(stateless=True, capabilities=ASKABLE) as host:
            call = {"name": "ask", "arguments": {"method": "roots/list"}}
            first = await host.result("tools/call", call)
            second = await host.result("tools/call", {**call, "requestState": first["requestState"]})
            assert second["inputRequests"] == first["inputRequests"]
            assert second["requestState"] != first["requestState"]


async def test_a_round_belongs_to_its_request_and_its_host(open_transport):
    async with open_transport("http", upstream_stateless=False) as opened:
        async with (
            opened.host(stateless=True, capabilities=ASKABLE) as host,
            opened.host(stateless=True, capabilities={"elicitation": {}}) as other,
        ):
            call = {"name": "ask", "arguments": {"method": "elicitation/create"}}
            first = await host.result("tools/call", call)
            state = {"requestState": first["requestState"]}
            for who, asked in ((other, call), (host, {"name": "echo", "arguments": {}})):
                answer = await who.request("tools/call", {**asked, **state})
                assert answer["error"]["code"] == -32602
            assert (await host.result("tools/call", {**call, **state}))["resultType"] == "input_required"


async def test_a_round_of_input_is_aborted_if_its_host_does_not_come_back(open_transport, monkeypatch):
    monkeypatch.setattr("genui_adapters.host.sessions.suspended_calls.SUSPENDED_S", 0.05)
    async with open_transport("http", upstream_stateless=False) as opened:
        async with opened.host(stateless=True, capabilities=ASKABLE) as host:
            call = {"name": "ask", "arguments": {"method": "elicitation/create"}}
            first = await host.result("tools/call", call)
            (upstream,) = opened.upstreams
            with anyio.fail_after(10):
                while upstream.memory.cancelled != ["ask"]:
                    await anyio.sleep(0.01)
            answer = await host.request("tools/call", {**call, "requestState": first["requestState"]})
            assert answer["error"]["code"] == -32602


@EVERY_PROXY
async def test_input_that_a_stateless_upstream_requires_is_asked_of_a_host_with_a_session(
    open_transport, transport, needy_upstream
):
    async with open_transport(transport, upstream=needy_upstream, upstream_stateless=True) as opened:
        async with opened.host(stateless=False, capabilities=ASKABLE) as host:
            await host.connect()
            said = await host.call("needy")
    assert said["structuredContent"] == {
        "first": {"agreed": {"q": 1.0}},
        "second": {"agreed": None},
        "state": "kept",
    }
    assert "resultType" not in said
    assert sorted(method for method, _ in host.asked) == ["elicitation/create", "roots/list"]


async def test_a_hosts_refusal_of_input_becomes_the_error_of_its_call(open_transport, needy_upstream):
    refusal = {"error": {"code": -1, "message": "no", "data": {"why": None}}}
    async with open_transport("http", upstream=needy_upstream, upstream_stateless=True) as opened:
        async with opened.host(stateless=False, capabilities=ASKABLE, answer=lambda *_: refusal) as host:
            await host.connect()
            answer = await host.request("tools/call", {"name": "needy"})
    assert answer["error"] == refusal["error"]


@EVERY_TRANSPORT
async def test_a_cancelled_request_is_cancelled_at_the_upstream(open_transport, transport):
    async with open_transport(transport) as opened, opened.host(stateless=False) as host:
        await host.connect()
        request_id = await host.start("tools/call", {"name": "hang"})
        memory = opened.upstreams[-1].memory
        await until(lambda: memory.names)
        await host.tell("notifications/cancelled", {"requestId": request_id})
        await until(lambda: memory.cancelled == ["hang"])


async def test_a_stateless_host_that_leaves_cancels_its_request(open_transport):
    async with open_transport("http") as opened, opened.host(stateless=True) as host:
        request_id = await host.start("tools/call", {"name": "hang"})
        await until(lambda: opened.upstreams and opened.upstreams[-1].memory.names)
        await host.leave(request_id)
        await until(lambda: opened.upstreams[-1].memory.cancelled == ["hang"])


@EVERY_UPSTREAM
@EVERY_TRANSPORT
async def test_a_host_with_a_session_gets_notifications(open_transport, transport, upstream_stateless):
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=False) as host:
            await host.connect()
            await host.result("resources/subscribe", {"uri": "x://y"})
            await host.call("news")
            await host.wait_for(lambda: len(host.told) == 2)
    assert host.told == [
        ("notifications/tools/list_changed", None),
        ("notifications/resources/updated", {"uri": "x://y", "vendor": 1.0}),
    ]


@EVERY_UPSTREAM
@EVERY_HOST
@pytest.mark.parametrize("transport", ["sse", "stdio to url"])
async def test_notifications_for_all_hosts_come_before_the_answer_that_the_upstream_sent_after_them(
    open_transport, transport, stateless, upstream_stateless
):
    news = ["notifications/tools/list_changed", "notifications/resources/updated"]
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=stateless) as host:
            await host.connect()
            if stateless:
                wanted = {"toolsListChanged": True, "resourceSubscriptions": ["x://y"]}
                await host.start("subscriptions/listen", {"notifications": wanted})
                await host.wait_for(lambda: host.told)
            else:
                await host.result("resources/subscribe", {"uri": "x://y"})
            for _ in range(3):
                request_id = await host.start("tools/call", {"name": "news", "arguments": {}})
                await host.answered(request_id)
                assert host.arrivals[host.arrivals.index(request_id) - 2 :][:3] == [*news, request_id]


@EVERY_UPSTREAM
@EVERY_TRANSPORT
async def test_a_stateless_host_gets_the_notifications_that_it_subscribed_to(
    open_transport, transport, upstream_stateless
):
    wishes = {"toolsListChanged": True, "resourceSubscriptions": ["x://y", "x://z"]}
    async with open_transport(transport, upstream_stateless=upstream_stateless) as opened:
        async with opened.host(stateless=True) as host:
            listening = await host.start("subscriptions/listen", {"notifications": wishes})
            await host.wait_for(lambda: host.told)
            await host.call("news")
            await host.wait_for(lambda: len(host.told) == 3)
    mark = {"io.modelcontextprotocol/subscriptionId": listening}
    assert host.told == [
        ("notifications/subscriptions/acknowledged", {"notifications": wishes, "_meta": mark}),
        ("notifications/tools/list_changed", {"_meta": mark}),
        ("notifications/resources/updated", {"uri": "x://y", "vendor": 1.0, "_meta": mark}),
    ]


async def test_a_stateless_host_gets_no_other_notifications(open_transport):
    async with open_transport("http") as opened, opened.host(stateless=True) as host:
        await host.start("subscriptions/listen", {"notifications": {"promptsListChanged": True}})
        await host.wait_for(lambda: host.told)
        await host.call("news")
        await host.call("echo")
    assert host.methods_told() == ["notifications/subscriptions/acknowledged"]


async def test_hosts_that_share_a_connection_are_notified_of_their_own_resources_only(open_transport):
    async with open_transport("http") as opened:
        async with opened.host(stateless=False) as one, opened.host(stateless=False) as other:
            await one.connect()
            await other.connect()
            assert len(opened.upstreams) == 1
            await one.result("resources/subscribe", {"uri": "x://y"})
            await other.result("resources/subscribe", {"uri": "x://z"})
            await other.call("news")
            await one.wait_for(lambda: len(one.told) == 2)
            await other.wait_for(lambda: other.told)
    assert other.methods_told() == ["notifications/tools/list_changed"]


async def test_hosts_that_share_a_connection_get_log_messages_of_their_own_level_only(open_transport):
    async with open_transport("http") as opened:
        async with opened.host(stateless=False) as one, opened.host(stateless=False) as other:
            await one.connect()
            await other.connect()
            for host, level in [(one, "error"), (other, "debug"), (one, "warning")]:
                await host.result("logging/setLevel", {"level": level})
            for host in (one, other):
                await host.call("log", count=1)
            await other.result("logging/setLevel", {"level": "loud"})
    (upstream,) = opened.upstreams
    asked = [each["params"] for each in upstream.memory.requests if each["method"] == "logging/setLevel"]
    assert [each["level"] for each in asked] == ["error", "debug", "debug", "loud"]
    assert (len(one.told), len(other.told)) == (0, 1)


@EVERY_PROXY
async def test_a_stateless_host_gets_log_messages_of_the_level_that_it_asked_for(open_transport, transport):
    async with (
        open_transport(transport, upstream_stateless=False) as opened,
        opened.host(stateless=True) as host,
    ):
        await host.call("log", count=2)
        assert host.told == []
        await host.call("log", meta={"io.modelcontextprotocol/logLevel": "error"}, count=2)
        assert host.told == []
        await host.call("log", meta={"io.modelcontextprotocol/logLevel": "debug"}, count=2)
    assert [params["data"] for _, params in host.told] == [{"line": line, "f": 1.0} for line in range(2)]


@EVERY_PROXY
async def test_the_log_level_of_a_session_is_sent_with_each_request_to_a_stateless_upstream(
    open_transport, transport
):
    async with (
        open_transport(transport, upstream_stateless=True) as opened,
        opened.host(stateless=False) as host,
    ):
        await host.connect()
        assert await host.result("logging/setLevel", {"level": "debug"}) == {}
        await host.call("echo")
    (echoed,) = [
        each["params"] for each in opened.upstreams[-1].memory.requests if each["method"] == "tools/call"
    ]
    assert echoed["_meta"] == {"io.modelcontextprotocol/logLevel": "debug"}


@EVERY_HOST
@EVERY_PROXY
async def test_an_upstream_that_dies_fails_pending_requests_and_serves_later_ones(
    open_transport, transport, stateless
):
    async with open_transport(transport) as opened, opened.host(stateless=stateless) as host:
        await host.connect()
        answer = await host.request("tools/call", {"name": "die"})
        assert answer["error"]["code"] == -32000
        assert answer["error"]["data"]["errorType"] == "UPSTREAM_DIED"
        assert answer["error"]["data"]["toolName"] == "die"
        assert "structuredContent" in await host.call("echo")


async def until(look, within_s=20):
    with anyio.fail_after(within_s):
        while not look():
            await anyio.sleep(0.01)
