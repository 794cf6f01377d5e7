"""What every source promises of requests beside each other, and of what comes between them and their answers."""

import anyio
from anyio.abc import TaskGroup

from genui_core.errors import GenUiError, UpstreamDied
from genui_core.testing.upstreams.recording_host import RecordingChannel, RecordingNotice
from genui_core.testing.upstreams.scripted_acts import NEWS
from genui_core.testing.upstreams.source_suite import (
    LIMIT_S,
    Scene,
    Seen,
    SourceSuite,
    called,
    failure,
    methods,
    same,
)

_MANY = 100
_TOKENS = ("a host's", "a host's", 7, "7")
"""Progress tokens of calls at the same time; hosts that share a connection use the same ones."""


class TrafficContract(SourceSuite):
    """What holds of traffic in both generations."""

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
                channel = RecordingChannel()
                params = {"name": "progress", "arguments": {"count": 5}, "_meta": {"progressToken": token}}
                await scene.source.request("tools/call", params, channel)
                steps = [{"progressToken": token, "progress": step, "vendor": 1.0} for step in range(5)]
                assert same(channel.told, [("notifications/progress", step) for step in steps])

            async with anyio.create_task_group() as tasks:
                for token in _TOKENS:
                    tasks.start_soon(call, token)

        self.play(scenario)

    def test_log_lines_of_a_request_are_told_in_order_before_its_result(self) -> None:
        """Afterwards the stream they would go to may be closed."""

        async def scenario(scene: Scene) -> None:
            channel = RecordingChannel()
            await scene.call("log", channel, count=3)
            data = [{"level": "info", "data": {"line": number, "f": 1.0}} for number in range(3)]
            assert same(channel.told, [("notifications/message", each) for each in data])

        self.play(scenario)

    def test_news_belong_to_no_request(self) -> None:
        """Even if they arrive while a request is pending."""

        async def scenario(scene: Scene) -> None:
            await scene.until(self._listens)
            channel = RecordingChannel()
            await scene.call("news", channel)
            assert same(await scene.notice.until(len(NEWS)), NEWS)
            assert channel.told == []

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
                tasks.start_soon(failure, UpstreamDied, scene.call("hang"))
                await scene.until(lambda seen: "hang" in called(seen))
                await failure(UpstreamDied, scene.call("die"))
            after = await scene.until(lambda _seen: True)
            assert {"hang", "die"}.isdisjoint(called(after))

        self.play(scenario)

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
                await scene.until(lambda seen: "hang" in called(seen))

        anyio.run(scenario)

    def _listens(self, seen: Seen) -> bool:
        """Whether the upstream knows that somebody listens to its news."""
        if self.stateless:
            return "subscriptions/listen" in methods(seen["requests"])
        return "notifications/initialized" in methods(seen["notifications"])
