"""What every source promises of answers: they come as the upstream gave them."""

from json import loads

from genui_core.errors import InvalidArguments, UpstreamFailed
from genui_core.ports.tool_source import Params
from genui_core.testing.upstreams.scripted_tools import ERRORS, RESULTS
from genui_core.testing.upstreams.scripted_upstream import CAPABILITIES, INFO, INSTRUCTIONS
from genui_core.testing.upstreams.source_suite import Scene, SourceSuite, failure, same

_BIG_BYTES = 11_000_000
_ODD: Params = {"z": 1, "a": [1.0, None, {"\U0001f600": "\u2028\x00"}], "_meta": {"vendor": True}}


class AnswersContract(SourceSuite):
    """What holds of answers in both generations."""

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
                failed = await failure(UpstreamFailed, scene.call("answer", name=name))
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

    def test_what_json_cannot_hold_is_refused_and_harms_no_one(self) -> None:
        """Sent on, it would end somebody's connection."""

        async def scenario(scene: Scene) -> None:
            for bad in ("\ud800", b"x", float("nan"), float("inf"), {1, 2}):
                await failure(InvalidArguments, scene.call("echo", bad=bad))
            assert await scene.structured("echo")

        self.play(scenario)
