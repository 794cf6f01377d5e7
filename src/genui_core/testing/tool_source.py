"""What every source of answers promises, whatever its connection is made of.

The upstream behind the source under test is a `genui_core.testing.scripted_upstream`: serve one
over your transport, inherit, say how to open the source, and let pytest run the rest. A source
that can be asked by its upstream inherits `AskedSourceContract` of `tool_source_questions` too.
"""

from collections.abc import Awaitable
from json import loads
from typing import TypeVar

import anyio
from anyio.abc import TaskGroup

from genui_core.errors import GenUiError, InvalidArguments, UpstreamDied, UpstreamFailed
from genui_core.ports.tool_source import Params, Result
from genui_core.testing.hostile_answers import ERRORS, RESULTS
from genui_core.testing.recording_host import RecordingLine, RecordingNotice
from genui_core.testing.scripted_tools import NEWS
from genui_core.testing.scripted_upstream import CAPABILITIES, INFO, INSTRUCTIONS
from genui_core.testing.source_suite import LIMIT_S, Scene, Seen, SourceSuite, called, methods, same

_Error = TypeVar("_Error", bound=GenUiError)

_MANY = 100
_BIG_BYTES = 11_000_000
_TOKENS = ("a host's", "a host's", 7, "7")
"""Progress tokens of calls at the same time; hosts that share a connection use the same ones."""
_ODD: Params = {"z": 1, "a": [1.0, None, {"\U0001f600": "\u2028\x00"}], "_meta": {"vendor": True}}


class ToolSourceContract(SourceSuite):
    """What holds in both generations."""

    def test_says_who_the_upstream_is(self) -> None:
        """Its own words, unknown ones included."""

        async def scenario(scene: Scene) -> None:
            facts = await scene.source.facts()
            assert facts.stateless == self.stateless
            assert facts.protocol_version == self.host().protocol_version
            assert same([facts.info, facts.capabilities], [INFO, CAPABILITIES])
            assert facts.instructions == INSTRUCTIONS

        self.play(scenario)

    def test_results_come_as_they_are(self) -> None:
        """Order of keys, kinds of numbers, nulls, unknown fields, every letter."""

        async def scenario(scene: Scene) -> None:
            for name, text in RESULTS.items():
                assert same(await scene.call("answer", name=name), loads(text)), name

        self.play(scenario)

    def test_errors_come_as_they_are(self) -> None:
        """With code, message, data and all, and never taken for a lost connection."""

        async def scenario(scene: Scene) -> None:
            for name, text in ERRORS.items():
                failed = await _failure(UpstreamFailed, scene.call("answer", name=name))
                assert same(failed.error, loads(text)), name

        self.play(scenario)

    def test_any_method_goes_through_with_its_params(self) -> None:
        """What was not invented yet included."""

        async def scenario(scene: Scene) -> None:
            assert same((await scene.source.request("vendor/thing", _ODD))["vendor"], _ODD)
            call: Params = {"arguments": {"deep": _ODD}, "name": "echo"}
            assert same((await scene.source.request("tools/call", call))["structuredContent"], call)

        self.play(scenario)

    def test_a_request_without_params_is_one(self) -> None:
        """Lists are often asked for without any."""

        async def scenario(scene: Scene) -> None:
            listed = await scene.source.request("tools/list", None)
            assert isinstance(listed["tools"], list)

        self.play(scenario)

    def test_a_big_result_comes_whole(self) -> None:
        """More than ten million bytes."""

        async def scenario(scene: Scene) -> None:
            result = await scene.call("big", bytes=_BIG_BYTES)
            assert same(result, {"content": [{"type": "text", "text": "x" * _BIG_BYTES}]})

        self.play(scenario)

    def test_what_json_cannot_hold_is_refused_and_harms_nobody(self) -> None:
        """Sent on, it would end somebody's connection."""

        async def scenario(scene: Scene) -> None:
            for bad in ("\ud800", b"x", float("nan"), float("inf"), {1, 2}):
                await _failure(InvalidArguments, scene.call("echo", bad=bad))
            assert await scene.structured("echo")

        self.play(scenario)

    def test_many_requests_at_once_get_their_own_answers(self) -> None:
        """In whatever order they are answered."""

        async def scenario(scene: Scene) -> None:
            places = set()

            async def meet() -> None:
                places.add((await scene.structured("meet", count=_MANY))["call"])

            async with anyio.create_task_group() as tasks:
                for _ in range(_MANY):
                    tasks.start_soon(meet)
            assert places == set(range(_MANY))

        self.play(scenario)

    def test_progress_is_told_in_order_before_the_result_under_the_hosts_own_token(self) -> None:
        """Each to the host whose request it belongs to."""

        async def scenario(scene: Scene) -> None:
            async def call(token: object) -> None:
                line = RecordingLine()
                params = {"name": "progress", "arguments": {"count": 5}, "_meta": {"progressToken": token}}
                await scene.source.request("tools/call", params, line)
                steps = [{"progressToken": token, "progress": step, "vendor": 1.0} for step in range(5)]
                assert same(line.told, [("notifications/progress", step) for step in steps])

            async with anyio.create_task_group() as tasks:
                for token in _TOKENS:
                    tasks.start_soon(call, token)

        self.play(scenario)

    def test_log_lines_of_a_request_are_told_in_order_before_its_result(self) -> None:
        """Afterwards the stream they would go to may be closed."""

        async def scenario(scene: Scene) -> None:
            line = RecordingLine()
            await scene.call("log", line, count=3)
            data = [{"level": "info", "data": {"line": number, "f": 1.0}} for number in range(3)]
            assert same(line.told, [("notifications/message", each) for each in data])

        self.play(scenario)

    def test_news_belong_to_no_request(self) -> None:
        """Whoever is asked at the time."""

        async def scenario(scene: Scene) -> None:
            await scene.until(self._listens)
            line = RecordingLine()
            await scene.call("news", line)
            assert same(await scene.notice.until(len(NEWS)), NEWS)
            assert line.told == []

        self.play(scenario)

    def test_a_cancelled_request_is_cancelled_at_the_upstream(self) -> None:
        """And whatever else runs goes on."""

        async def scenario(scene: Scene) -> None:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(scene.call, "hang")
                await scene.until(lambda seen: "hang" in called(seen))
                tasks.cancel_scope.cancel()
            await scene.until(lambda seen: "hang" in seen["cancelled"])

        self.play(scenario)

    def test_a_death_fails_what_is_unanswered_and_nothing_later(self) -> None:
        """A call is not sent again; who asks next is answered."""

        async def scenario(scene: Scene) -> None:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_failure, UpstreamDied, scene.call("hang"))
                await scene.until(lambda seen: "hang" in called(seen))
                await _failure(UpstreamDied, scene.call("die"))
            after = await scene.until(lambda _seen: True)
            assert {"hang", "die"}.isdisjoint(called(after))

        self.play(scenario)

    def test_who_waits_for_an_answer_when_the_source_is_closed_is_told(self) -> None:
        """Nobody is left waiting for what will not come."""

        async def scenario() -> None:
            with anyio.fail_after(LIMIT_S):
                async with anyio.create_task_group() as tasks:
                    await wait_and_leave(tasks)

        async def wait_and_leave(tasks: TaskGroup) -> None:
            async with self.open(self.host(), RecordingNotice(), None) as source:
                scene = Scene(source)
                tasks.start_soon(_failure, GenUiError, scene.call("hang"))
                await scene.until(lambda seen: "hang" in called(seen))

        anyio.run(scenario)

    def _listens(self, seen: Seen) -> bool:
        """Whether the upstream knows that somebody listens to its news."""
        if self.stateless:
            return "subscriptions/listen" in methods(seen["requests"])
        return "notifications/initialized" in methods(seen["notifications"])


async def _failure(kind: type[_Error], request: Awaitable[Result]) -> _Error:
    """Return the error of that kind that a request fails with."""
    try:
        result = await request
    except kind as error:
        return error
    raise AssertionError(f"answered: {str(result)[:200]}")
