"""What a source promises whose upstream may ask: those with a handshake."""

from genui_core.errors import HostRefused
from genui_core.ports.tool_source import Params, Result
from genui_core.testing.upstreams.recording_host import RecordingChannel
from genui_core.testing.upstreams.source_suite import Scene, SourceSuite, methods, same

_QUESTION: Params = {"messages": [{"role": "user", "vendor": 1.0}], "maxTokens": 10, "vendor": None}
_REFUSAL = {"code": -1, "message": "User said no", "data": {"n": None}}


class AskedSourceContract(SourceSuite):
    """What holds where an upstream may put requests to a host."""

    def test_a_question_goes_to_the_host_whose_request_it_belongs_to(self) -> None:
        """As it is, and its answer goes back as it is."""

        async def scenario(scene: Scene) -> None:
            channel = RecordingChannel()
            heard = await scene.structured("ask", channel, method="sampling/createMessage", params=_QUESTION)
            assert same(channel.asked, [("sampling/createMessage", _QUESTION)])
            assert same(heard, {"result": {"agreed": _QUESTION}})
            assert scene.owner.asked == []

        self.play(scenario)

    def test_a_refusal_of_the_hosts_goes_back_as_it_is(self) -> None:
        """Code, message and data."""

        def refuse(_method: str, _params: Params) -> Result:
            raise HostRefused(_REFUSAL)

        async def scenario(scene: Scene) -> None:
            heard = await scene.structured("ask", RecordingChannel(refuse), method="elicitation/create")
            assert same(heard, {"error": _REFUSAL})

        self.play(scenario)

    def test_an_answer_that_json_cannot_hold_becomes_an_error(self) -> None:
        """And the connection goes on."""

        async def scenario(scene: Scene) -> None:
            channel = RecordingChannel(lambda _method, _params: {"text": "\ud800"})
            heard = await scene.structured("ask", channel, method="sampling/createMessage")
            assert "error" in heard
            assert await scene.structured("echo")

        self.play(scenario)

    def test_a_question_that_belongs_to_no_one_goes_to_the_owner(self) -> None:
        """Of a connection that has one."""

        async def scenario(scene: Scene) -> None:
            heard = await scene.structured("ask", None, method="roots/list", untied=True)
            assert same(scene.owner.asked, [("roots/list", {})])
            assert same(heard, {"result": {"agreed": {}}})

        self.play(scenario)

    def test_a_question_for_which_there_is_no_one_is_refused(self) -> None:
        """With an error, not with silence."""

        async def scenario(scene: Scene) -> None:
            heard = await scene.structured("ask", None, method="roots/list", untied=True)
            assert "error" in heard
            assert scene.owner.asked == []

        self.play(scenario, owned=False)

    def test_a_ping_is_answered_without_the_host(self) -> None:
        """It asks whether the connection stands."""

        async def scenario(scene: Scene) -> None:
            channel = RecordingChannel()
            assert same(await scene.structured("ask", channel, method="ping"), {"result": {}})
            assert channel.asked == []

        self.play(scenario)

    def test_what_the_host_says_unasked_goes_to_the_upstream(self) -> None:
        """Except notifications about a connection or a request that the upstream does not know."""

        async def scenario(scene: Scene) -> None:
            await scene.source.facts()
            for method in ("notifications/initialized", "notifications/cancelled", "notifications/vendor"):
                await scene.source.notify(method, {"requestId": 1, "f": 1.0})
            seen = await scene.until(lambda seen: "notifications/vendor" in methods(seen["notifications"]))
            assert same(seen["notifications"][-1]["params"], {"requestId": 1, "f": 1.0})
            assert methods(seen["notifications"]).count("notifications/initialized") <= 1
            assert seen["cancelled"] == []

        self.play(scenario)
