"""The contract suites of all tool sources, over any transport.

The upstream behind the source under test is a `ScriptedUpstream`: serve one over your transport, inherit from
`ToolSourceContract` and implement `open`. Inherit from `AskedSourceContract` too if the upstream can send
requests to the host.
"""

from functools import partial
from json import loads

import anyio
from anyio.abc import TaskGroup

from genui_core.domain.mcp.jsonrpc import Params, Result
from genui_core.errors import GenUiError, HostRefused, InvalidArguments, UpstreamDied, UpstreamFailed
from genui_core.testing.scripted_upstream import CAPABILITIES, ERRORS, INFO, INSTRUCTIONS, NEWS, RESULTS
from genui_core.testing.source_suite import (
    LIMIT_S,
    RecordingChannel,
    RecordingNotice,
    Scene,
    Seen,
    SourceSuite,
    as_test,
    called_tools,
    failure,
    methods,
    same_json,
)

_MANY = 100
_TOKENS = ("a host's", "a host's", 7, "7")
"""The progress tokens of simultaneous calls; hosts that share a connection may use the same token."""


_BIG_BYTES = 11_000_000
_ODD: Params = {"z": 1, "a": [1.0, None, {"\U0001f600": "\u2028\x00"}], "_meta": {"vendor": True}}


class ToolSourceContract(SourceSuite):
    """The contract suite of tool sources, for upstreams of both protocol eras."""

    # --- traffic ------------------------------------------------------------------------

    @as_test
    async def test_many_requests_at_once_get_their_own_answers(self, scene: Scene) -> None:
        """The upstream may answer in any order."""
        places = set()

        async def meet() -> None:
            places.add((await scene.structured("meet", count=_MANY))["call"])

        async with anyio.create_task_group() as tasks:
            for _ in range(_MANY):
                tasks.start_soon(meet)
        assert places == set(range(_MANY))

    @as_test
    async def test_progress_is_told_in_order_before_the_result_under_the_hosts_own_token(
        self, scene: Scene
    ) -> None:
        """Each host gets the progress of its own requests."""

        async def call(token: object) -> None:
            channel = RecordingChannel()
            params = {"name": "progress", "arguments": {"count": 5}, "_meta": {"progressToken": token}}
            await scene.source.request("tools/call", params, channel)
            steps = [{"progressToken": token, "progress": step, "vendor": 1.0} for step in range(5)]
            assert same_json(channel.told, [("notifications/progress", step) for step in steps])

        async with anyio.create_task_group() as tasks:
            for token in _TOKENS:
                tasks.start_soon(call, token)

    @as_test
    async def test_log_lines_of_a_request_are_told_in_order_before_its_result(self, scene: Scene) -> None:
        """After the result, the stream of the request may be closed."""
        channel = RecordingChannel()
        await scene.call("log", channel, count=3)
        data = [{"level": "info", "data": {"line": number, "f": 1.0}} for number in range(3)]
        assert same_json(channel.told, [("notifications/message", each) for each in data])

    @as_test
    async def test_news_belong_to_no_request(self, scene: Scene) -> None:
        """Also if the notifications arrive while a request is pending."""
        await scene.until(self._listens)
        channel = RecordingChannel()
        await scene.call("news", channel)
        assert same_json(await scene.notice.until(len(NEWS)), NEWS)
        assert channel.told == []

    @as_test
    async def test_a_cancelled_request_is_cancelled_at_the_upstream(self, scene: Scene) -> None:
        """Cancelling the caller's task cancels the request."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(scene.call, "hang")
            await scene.until(lambda seen: "hang" in called_tools(seen))
            tasks.cancel_scope.cancel()
        await scene.until(lambda seen: "hang" in seen["cancelled"])

    @as_test
    async def test_a_death_fails_what_is_unanswered_and_nothing_later(self, scene: Scene) -> None:
        """Calls are not sent again, and the next request gets an answer."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(failure, UpstreamDied, scene.call("hang"))
            await scene.until(lambda seen: "hang" in called_tools(seen))
            await failure(UpstreamDied, scene.call("die"))
        after = await scene.until(lambda _seen: True)
        assert {"hang", "die"}.isdisjoint(called_tools(after))

    def test_who_waits_for_an_answer_when_the_source_is_closed_is_told(self) -> None:
        """A pending request fails when the source is closed."""

        async def scenario() -> None:
            with anyio.fail_after(LIMIT_S):
                async with anyio.create_task_group() as tasks:
                    await wait_and_leave(tasks)

        async def wait_and_leave(tasks: TaskGroup) -> None:
            async with self.open(self.host(), RecordingNotice(), None) as source:
                scene = Scene(source)
                tasks.start_soon(failure, GenUiError, scene.call("hang"))
                await scene.until(lambda seen: "hang" in called_tools(seen))

        anyio.run(scenario)

    def _listens(self, seen: Seen) -> bool:
        """Whether the upstream has a listener for its notifications."""
        if self.stateless:
            return "subscriptions/listen" in methods(seen["requests"])
        return "notifications/initialized" in methods(seen["notifications"])

    # --- answers ------------------------------------------------------------------------

    @as_test
    async def test_says_who_the_upstream_is(self, scene: Scene) -> None:
        """The facts are unchanged, with unknown fields."""
        facts = await scene.source.facts()
        assert facts.stateless == self.stateless
        assert facts.protocol_version == self.host().protocol_version
        assert same_json([facts.info, facts.capabilities], [INFO, CAPABILITIES])
        assert facts.instructions == INSTRUCTIONS

    @as_test
    async def test_results_come_as_they_are(self, scene: Scene) -> None:
        """With the order of keys, types of numbers, nulls, unknown fields and all characters."""
        for name, text in RESULTS.items():
            assert same_json(dict(await scene.call("answer", name=name)), loads(text)), name

    @as_test
    async def test_errors_come_as_they_are(self, scene: Scene) -> None:
        """With code, message, data and unknown fields; no error counts as a lost connection."""
        for name, text in ERRORS.items():
            failed = await failure(UpstreamFailed, scene.call("answer", name=name))
            assert same_json(failed.error, loads(text)), name

    @as_test
    async def test_any_method_goes_through_with_its_params(self, scene: Scene) -> None:
        """Also a method that this version does not know."""
        assert same_json((await scene.source.request("vendor/thing", _ODD))["vendor"], _ODD)
        call: Params = {"arguments": {"deep": _ODD}, "name": "echo"}
        assert same_json((await scene.source.request("tools/call", call))["structuredContent"], call)

    @as_test
    async def test_a_request_without_params_is_one(self, scene: Scene) -> None:
        """Hosts often request lists without params."""
        listed = await scene.source.request("tools/list", None)
        assert isinstance(listed["tools"], list)

    @as_test
    async def test_a_big_result_comes_whole(self, scene: Scene) -> None:
        """More than ten million bytes."""
        result = dict(await scene.call("big", bytes=_BIG_BYTES))
        assert same_json(result, {"content": [{"type": "text", "text": "x" * _BIG_BYTES}]})

    @as_test
    async def test_what_json_cannot_hold_is_refused_and_harms_no_one(self, scene: Scene) -> None:
        """Forwarded, such a value would end the connection for all its hosts."""
        for bad in ("\ud800", b"x", float("nan"), float("inf"), {1, 2}):
            await failure(InvalidArguments, scene.call("echo", bad=bad))
        assert await scene.structured("echo")


_QUESTION: Params = {"messages": [{"role": "user", "vendor": 1.0}], "maxTokens": 10, "vendor": None}
_REFUSAL = {"code": -1, "message": "User said no", "data": {"n": None}}


class AskedSourceContract(SourceSuite):
    """The contract suite of tool sources whose upstream may send requests to a host."""

    @as_test
    async def test_a_question_goes_to_the_host_whose_request_it_belongs_to(self, scene: Scene) -> None:
        """The request and its answer arrive unchanged."""
        channel = RecordingChannel()
        heard = await scene.structured("ask", channel, method="sampling/createMessage", params=_QUESTION)
        assert same_json(channel.asked, [("sampling/createMessage", _QUESTION)])
        assert same_json(heard, {"result": {"agreed": _QUESTION}})
        assert scene.owner.asked == []

    @as_test
    async def test_a_refusal_of_the_hosts_goes_back_as_it_is(self, scene: Scene) -> None:
        """With code, message and data."""

        def refuse(_method: str, _params: Params) -> Result:
            raise HostRefused(_REFUSAL)

        heard = await scene.structured("ask", RecordingChannel(refuse), method="elicitation/create")
        assert same_json(heard, {"error": _REFUSAL})

    @as_test
    async def test_an_answer_that_json_cannot_hold_becomes_an_error(self, scene: Scene) -> None:
        """The connection stays open."""
        channel = RecordingChannel(lambda _method, _params: {"text": "\ud800"})
        heard = await scene.structured("ask", channel, method="sampling/createMessage")
        assert "error" in heard
        assert await scene.structured("echo")

    @as_test
    async def test_a_question_that_belongs_to_no_one_goes_to_the_owner(self, scene: Scene) -> None:
        """If the connection has an owner."""
        heard = await scene.structured("ask", None, method="roots/list", untied=True)
        assert same_json(scene.owner.asked, [("roots/list", {})])
        assert same_json(heard, {"result": {"agreed": {}}})

    @partial(as_test, owned=False)
    async def test_a_question_for_which_there_is_no_one_is_refused(self, scene: Scene) -> None:
        """The upstream gets an error as the answer."""
        heard = await scene.structured("ask", None, method="roots/list", untied=True)
        assert "error" in heard
        assert scene.owner.asked == []

    @as_test
    async def test_a_ping_is_answered_without_the_host(self, scene: Scene) -> None:
        """A ping checks the connection only."""
        channel = RecordingChannel()
        assert same_json(await scene.structured("ask", channel, method="ping"), {"result": {}})
        assert channel.asked == []

    @as_test
    async def test_what_the_host_says_unasked_goes_to_the_upstream(self, scene: Scene) -> None:
        """Except notifications about a connection or a request that only the wrapper has."""
        await scene.source.facts()
        for method in ("notifications/initialized", "notifications/cancelled", "notifications/vendor"):
            await scene.source.notify(method, {"requestId": 1, "f": 1.0})
        seen = await scene.until(lambda seen: "notifications/vendor" in methods(seen["notifications"]))
        assert same_json(seen["notifications"][-1]["params"], {"requestId": 1, "f": 1.0})
        assert methods(seen["notifications"]).count("notifications/initialized") <= 1
        assert seen["cancelled"] == []
