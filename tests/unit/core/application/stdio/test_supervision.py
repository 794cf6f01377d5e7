"""Deaths and restarts of an upstream, with a clock that the test sets."""

import pytest

from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import UpstreamTimeout


def kinds(messages):
    return [each["error"]["data"]["errorType"] for each in messages if "error" in each]


def die(wire, code=1):
    wire.supervision.ended()
    wire.supervision.gone(code)


def revive(wire):
    """Start the upstream as the driver, and answer the handshake as the upstream."""
    wire.supervision.started()
    (handshake,) = [each for each in wire.upstream_got() if each["method"] == "initialize"]
    wire.answer(handshake["id"], {"capabilities": {"tools": {}}})


def test_a_death_fails_pending_requests_and_the_upstream_is_restarted_soon(wire):
    wire = wire().connect()
    call = wire.ask("tools/call", {"name": "add"})
    wire.supervision.ended()
    (error,) = wire.host_got()
    assert error["id"] == call
    assert error["error"]["code"] == -32000
    data = error["error"]["data"]
    assert data.pop("requestId") == wire.event_log.named("request_failed")[0].metadata["request_id"]
    assert data == {
        "toolName": "add",
        "errorType": "UPSTREAM_DIED",
        "fallbackUsed": None,
        "retryable": True,
    }
    assert wire.done == ["stop"]
    wire.supervision.gone(9)
    wire.pass_time(1)
    assert wire.done == ["stop", "start"]


def test_the_delays_grow_while_the_upstream_dies_young_and_start_again_after_a_stable_life(wire):
    wire = wire().connect()

    def next_start():
        """Return the seconds until the driver gets the command to start the upstream."""
        die(wire)
        began, count = wire.now, len(wire.started_at)
        while len(wire.started_at) == count:
            wire.pass_time(1)
        return wire.started_at[-1] - began

    waits = []
    for _ in range(8):
        waits.append(next_start())
        revive(wire)
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]
    wire.pass_time(29)
    assert next_start() == 30
    revive(wire)
    wire.pass_time(30)
    assert next_start() == 0


def test_the_handshake_is_repeated_and_its_answer_swallowed(wire):
    wire = wire().connect()
    wire.ask("logging/setLevel", {"level": "info"})
    wire.ask("resources/subscribe", {"uri": "demo://1"})
    die(wire)
    wire.host_got(), wire.upstream_got()
    wire.supervision.started()
    (handshake,) = wire.upstream_got()
    assert handshake["params"]["protocolVersion"] == "2025-11-25"
    assert str(handshake["id"]).startswith("mcp-gen-ui:")
    wire.answer(handshake["id"], {"capabilities": {"tools": {}}})
    assert [each["method"] for each in wire.upstream_got()] == [
        "notifications/initialized",
        "logging/setLevel",
        "resources/subscribe",
    ]
    assert wire.host_got() == []
    restarted = wire.event_log.named("upstream_restarted")[0].metadata
    assert restarted == {"upstream": "fake", "exit_code": 1, "count": 1}


def test_nothing_of_the_host_reaches_an_upstream_before_the_handshake_is_repeated(wire):
    wire = wire().connect()
    die(wire)
    wire.supervision.started()
    wire.ask("prompts/list", request_id="waits")
    wire.ask("tools/call", {"name": "add"}, request_id="refused")
    assert [each["id"] for each in wire.host_got()] == ["refused"]
    (handshake,) = wire.upstream_got()
    wire.answer(handshake["id"], {"capabilities": {}})
    assert [each.get("id") for each in wire.upstream_got()] == [None, "waits"]


def test_the_wrapper_does_not_confirm_the_handshake_before_the_host(wire):
    wire = wire()
    asked = wire.ask("initialize", {"capabilities": {}})
    wire.answer(asked, {"capabilities": {}})
    die(wire)
    wire.upstream_got()
    revive(wire)
    assert wire.upstream_got() == []
    wire.host_says({"method": "notifications/initialized"})
    assert [each["method"] for each in wire.upstream_got()] == ["notifications/initialized"]


def test_a_host_with_a_new_handshake_during_a_restart_is_served_by_the_next_life(wire):
    wire = wire().connect()
    die(wire)
    again = wire.ask("initialize", {"capabilities": {}, "protocolVersion": "2025-06-18"})
    wire.supervision.started()
    (handshake,) = wire.upstream_got()
    assert handshake["id"] == again
    wire.answer(again, {"capabilities": {}})
    assert [each["id"] for each in wire.host_got()] == [again]


@pytest.mark.parametrize("error", [{"code": -32600, "message": "not now"}, None])
def test_a_life_that_refuses_the_handshake_or_is_silent_is_ended_and_followed_by_another(wire, error):
    wire = wire().connect()
    die(wire)
    wire.pass_time(1)
    wire.done.clear()
    wire.supervision.started()
    (handshake,) = wire.upstream_got()
    if error is None:
        wire.pass_time(121)
    else:
        wire.answer(handshake["id"], error=error)
    assert wire.done == ["stop"]
    assert wire.event_log.named("upstream_not_ready")
    wire.supervision.gone(-15)
    wire.pass_time(2)
    assert wire.done == ["stop", "start"]


def test_a_start_that_fails_is_tried_again_later(wire):
    wire = wire().connect()
    die(wire)
    wire.pass_time(1)
    wire.done.clear()
    wire.supervision.cannot_start("no such program")
    wire.ask("tools/call", {"name": "add"})
    (refused,) = wire.host_got()
    assert "no such program; it is started again in 2 s" in refused["error"]["message"]
    wire.pass_time(1.9)
    assert wire.done == []
    wire.pass_time(0.1)
    assert wire.done == ["start"]


def test_waiting_requests_are_refused_if_the_next_start_is_far_away(wire):
    wire = wire().connect()
    for _ in range(5):
        die(wire)
        wire.pass_time(0)
        wire.supervision.started()
        wire.upstream_got()
    die(wire)
    wire.ask("prompts/list")
    assert kinds(wire.host_got()) == ["UPSTREAM_UNREACHABLE"]


def test_an_upstream_that_never_answered_is_not_started_again(wire):
    wire = wire()
    wire.ask("initialize", {"capabilities": {}})
    wire.supervision.ended()
    assert kinds(wire.host_got()) == ["UPSTREAM_DIED"]
    assert wire.done == ["finish"]
    assert wire.supervision.failure is None


def test_an_upstream_that_dies_of_the_stateless_probe_is_started_again(wire, stateless):
    wire = wire()
    wire.ask("server/discover", {"_meta": stateless})
    die(wire)
    wire.pass_time(0)
    assert wire.done == ["stop", "start"]
    wire.supervision.started()
    wire.ask("initialize", {"capabilities": {}})
    wire.supervision.ended()
    assert wire.done[-1] == "finish"


@pytest.mark.parametrize("method", ["initialize", "server/discover", "tools/list"])
def test_an_upstream_that_says_nothing_within_its_start_limit_is_given_up(wire, method):
    wire = wire(upstream=UpstreamSettings(start_timeout_ms=5000))
    wire.ask(method)
    wire.pass_time(4.9)
    assert wire.host_got() == []
    wire.pass_time(0.2)
    (error,) = wire.host_got()
    assert error["error"]["data"]["errorType"] == "UPSTREAM_TIMEOUT"
    assert f"{method} within 5000 ms" in error["error"]["message"]
    assert wire.done == ["stop" if method == "server/discover" else "finish"]
    assert isinstance(wire.supervision.failure, UpstreamTimeout) == (wire.done == ["finish"])


def test_a_slow_first_call_is_no_slow_start_and_a_word_stops_the_clock(wire):
    wire = wire(upstream=UpstreamSettings(start_timeout_ms=5000))
    wire.ask("tools/call", {"name": "add"})
    wire.pass_time(100)
    wire.ask("initialize", {"capabilities": {}})
    wire.upstream_says({"method": "notifications/message", "params": {}})
    wire.pass_time(100)
    assert wire.done == []


def test_calls_time_out_if_a_limit_is_set_and_late_answers_are_dropped(wire):
    wire = wire(upstream=UpstreamSettings(call_timeout_ms=8000)).connect()
    slow = wire.ask("tools/call", {"name": "slow"})
    wire.pass_time(7)
    quick = wire.ask("tools/call", {"name": "quick"})
    wire.pass_time(2)
    (error,) = wire.host_got()
    assert (error["id"], error["error"]["data"]["errorType"]) == (slow, "UPSTREAM_TIMEOUT")
    assert error["error"]["data"]["toolName"] == "slow"
    cancelled = [each for each in wire.upstream_got() if each["method"] == "notifications/cancelled"]
    assert [each["params"]["requestId"] for each in cancelled] == [slow]
    wire.answer(slow)
    wire.answer(quick)
    assert [each["id"] for each in wire.host_got()] == [quick]


def test_the_upstream_is_not_restarted_after_the_host_left(wire):
    wire = wire().connect()
    wire.ask("tools/call", {"name": "add"})
    wire.supervision.ended(host_left=True)
    assert kinds(wire.host_got()) == ["UPSTREAM_DIED"]
    assert wire.done == ["finish"]
    assert wire.event_log.named("upstream_died") == []


def test_a_host_without_apps_has_its_upstream_supervised_too(wire):
    wire = wire().connect(capabilities={})
    die(wire)
    revive(wire)
    assert [each["method"] for each in wire.upstream_got()] == ["notifications/initialized"]


def test_an_unknown_view_is_searched_when_the_upstream_is_back(wire):
    wire = wire().connect()
    die(wire)
    read = wire.ask("resources/read", {"uri": "ui://add"})
    wire.pass_time(0)
    revive(wire)
    wire.answer_listing("add")
    (answer,) = wire.host_got()
    assert answer["id"] == read
    assert answer["result"]["contents"]


def test_each_of_many_requests_that_fail_at_once_has_an_id_of_its_own_in_its_error_and_in_the_log(wire):
    wire = wire().connect()
    calls = [wire.ask("tools/call", {"name": f"tool_{number}"}) for number in range(20)]
    wire.ask("prompts/get", {"name": "a prompt"})
    wire.supervision.ended()
    failed = wire.host_got()
    ids = [each["error"]["data"]["requestId"] for each in failed]
    assert [each["id"] for each in failed][:20] == calls
    assert len(set(ids)) == 21
    logged = {each.metadata["request_id"]: each.metadata for each in wire.event_log.named("request_failed")}
    assert set(logged) == set(ids)
    assert [logged[each]["tool_name"] for each in ids] == [f"tool_{number}" for number in range(20)] + [None]
    assert [logged[each]["method"] for each in ids] == ["tools/call"] * 20 + ["prompts/get"]
    assert {each["error"]["code"] for each in logged.values()} == {"UPSTREAM_DIED"}


def test_each_request_that_comes_while_there_is_no_upstream_has_an_id_of_its_own(wire):
    wire = wire().connect()
    wire.supervision.ended()
    wire.host_got()
    for _ in range(3):
        wire.ask("tools/call", {"name": "add"})
    data = [each["error"]["data"] for each in wire.host_got()]
    assert len({each["requestId"] for each in data}) == 3
    assert {(each["toolName"], each["errorType"]) for each in data} == {("add", "UPSTREAM_UNREACHABLE")}
    logged = {each.metadata["request_id"] for each in wire.event_log.named("request_failed")}
    assert {each["requestId"] for each in data} <= logged
