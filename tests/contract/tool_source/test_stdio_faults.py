"""Faults of an upstream that is a child process, and how the wrapper handles them."""

import sys
from pathlib import Path

import pytest

from genui_adapters.io.process import UpstreamCommand
from genui_core.errors import UpstreamDied, UpstreamFailed, UpstreamTimeout, UpstreamUnreachable
from genui_core.ports.event_log import Level
from genui_core.testing.source_suite import methods

SCRIPTED = Path(__file__).parent.parent / "scripted_upstream.py"


async def echoes(scene):
    return await scene.structured("echo", text="é")


def test_output_that_is_no_message_is_skipped_and_logged(upstreams, play):
    play(upstreams.opener(upstreams.stdio("--noise")), echoes)
    noise = [each.metadata["text"] for each in upstreams.event_log.named("not_a_message")]
    assert noise[0] == "Starting..."
    assert len(noise) == 8


def test_a_flood_on_standard_error_is_survived_and_logged_under_the_upstreams_name(upstreams, play):
    command = upstreams.stdio("--flood", 20_000)
    play(upstreams.opener(command), echoes)
    logged = upstreams.event_log.named("upstream_stderr")
    left_out = sum(each.metadata["lines"] for each in upstreams.event_log.named("upstream_stderr_left_out"))
    assert len(logged) >= 2000
    assert len(logged) + left_out == 20_000
    assert {each.metadata["upstream"] for each in logged} == {command.name}


def test_a_death_in_the_middle_of_a_line_is_noticed_at_once(upstreams, play):
    async def scenario(scene):
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        return await echoes(scene)

    assert play(upstreams.opener(upstreams.stdio("--half-a-line")), scenario)
    assert [each.level for each in upstreams.event_log.named("upstream_died")] == [Level.ERROR]
    assert len(upstreams.event_log.named("upstream_restarted")) == 1


def test_a_list_is_requested_again_after_a_death_and_a_call_never_is(upstreams, play, tmp_path):
    calls, died = tmp_path / "calls", tmp_path / "died"

    async def scenario(scene):
        assert (await scene.source.request("tools/list", {}))["tools"]
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        await echoes(scene)

    command = upstreams.stdio("--die-of", "tools/list", "--once", died, "--calls", calls)
    play(upstreams.opener(command), scenario)
    assert died.exists()
    assert calls.read_text().split() == ["die", "echo"]


def test_a_list_that_kills_the_upstream_is_requested_only_twice(upstreams, play):
    async def scenario(scene):
        with pytest.raises(UpstreamDied):
            await scene.source.request("tools/list", {})
        return await echoes(scene)

    assert play(upstreams.opener(upstreams.stdio("--die-of", "tools/list")), scenario)
    assert len(upstreams.event_log.named("upstream_died")) == 2


def test_a_restart_restores_the_state_of_the_connection_and_notifies_the_host(upstreams, play):
    async def scenario(scene):
        for uri in ("x://a", "x://b"):
            await scene.source.request("resources/subscribe", {"uri": uri})
        await scene.source.request("resources/unsubscribe", {"uri": "x://a"})
        await scene.source.request("logging/setLevel", {"level": "debug"})
        with pytest.raises(UpstreamDied):
            await scene.call("die")
        seen = await scene.until(lambda seen: "logging/setLevel" in methods(seen["requests"]))
        assert [each["params"] for each in seen["requests"] if each["method"] == "resources/subscribe"] == [
            {"uri": "x://b"}
        ]
        await scene.notice.until(2)
        return scene.notice.said

    said = play(upstreams.opener(upstreams.stdio()), scenario)
    assert said == [("notifications/tools/list_changed", {}), ("notifications/resources/list_changed", {})]


def test_a_missing_program_is_reported_at_once(upstreams, play):
    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="no such program"):
            await scene.source.facts()

    play(upstreams.opener(UpstreamCommand(("/nowhere/server",), {})), scenario)


def test_an_upstream_that_exits_at_once_is_reported_and_restarted(upstreams, play, soon):
    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="it stopped"):
            await scene.source.facts()
        await soon(lambda: len(upstreams.event_log.named("upstream_unreachable")) >= 3)

    play(upstreams.opener(UpstreamCommand((sys.executable, "-c", ""), {})), scenario)


def test_a_slow_upstream_is_waited_for_up_to_the_limit(upstreams, play):
    assert play(upstreams.opener(upstreams.stdio("--slow", 0.5)), echoes)

    async def scenario(scene):
        with pytest.raises(UpstreamUnreachable, match="not ready within 100 ms"):
            await scene.source.facts()

    play(upstreams.opener(upstreams.stdio("--hang-on", "initialize"), start_timeout_ms=100), scenario)


def test_requests_fail_at_once_while_the_upstream_cannot_be_started(upstreams, play):
    async def scenario(scene):
        for _ in range(3):
            with pytest.raises(UpstreamUnreachable):
                await scene.source.request("tools/list", {})
        await scene.source.notify("notifications/vendor", {})

    backoff = {"reconnect_delay_ms": 600_000, "max_reconnect_delay_ms": 600_000}
    play(upstreams.opener(UpstreamCommand(("/nowhere/server",), {}), backoff=backoff), scenario)


def test_a_call_that_is_not_answered_in_time_fails_and_is_cancelled(upstreams, play):
    async def scenario(scene):
        with pytest.raises(UpstreamTimeout, match="tools/call within 200 ms"):
            await scene.call("hang")
        await scene.until(lambda seen: "hang" in seen["cancelled"])

    play(upstreams.opener(upstreams.stdio(), call_timeout_ms=200), scenario)


def test_an_upstream_that_does_not_read_blocks_no_one(upstreams, play):
    async def scenario(scene):
        for _ in range(3):
            with pytest.raises(UpstreamTimeout):
                await scene.source.request("vendor/thing", {"big": "x" * 5_000_000})

    command = upstreams.stdio("--deaf-after", "notifications/initialized")
    play(upstreams.opener(command, call_timeout_ms=100), scenario)


def test_an_answer_that_is_too_long_fails_its_call_alone(upstreams, play):
    async def scenario(scene):
        with pytest.raises(UpstreamFailed, match="longer than 1000000 bytes"):
            await scene.call("big", bytes=3_000_000)
        return await echoes(scene)

    assert play(upstreams.opener(upstreams.stdio(), max_line_bytes=1_000_000), scenario)


@pytest.mark.parametrize("flags", [(), ("--ignore-end",), ("--ignore-end", "--ignore-sigterm")])
def test_a_closed_upstream_leaves_nothing_behind(upstreams, play, alive, tmp_path, flags):
    pid = tmp_path / "pid"

    async def scenario(scene):
        await scene.source.facts()
        assert alive(int(pid.read_text()))

    command = UpstreamCommand((sys.executable, str(SCRIPTED), "--pid-file", str(pid), *flags), {})
    play(upstreams.opener(command), scenario)
    assert not alive(int(pid.read_text()))
