"""A stateless host subscribes to changes: one stream with notifications of the upstream and the wrapper."""

import json

import pytest

KEY = "io.modelcontextprotocol/subscriptionId"
ALL = {
    "toolsListChanged": True,
    "resourcesListChanged": True,
    "promptsListChanged": True,
    "resourceSubscriptions": ["ui://add?v=1", "demo://1", "ui://other"],
}


@pytest.fixture
def listening(wire, stateless):
    """A host that has listed the tools and subscribed; the upstream has got the subscription."""

    def listen(wanted=ALL):
        made = wire()
        made.list_tools("add", meta=stateless)
        made.ask("subscriptions/listen", {"notifications": wanted, "_meta": stateless}, request_id="listen-1")
        return made

    return listen


def acknowledge(wire, honoured):
    params = {"notifications": honoured, "_meta": {KEY: "listen-1"}}
    wire.upstream_says({"method": "notifications/subscriptions/acknowledged", "params": params})
    (told,) = wire.host_got()
    return told


def change(wire, stateless, *names):
    """Refresh the wrapper's list of tools; return the notifications that the host got."""
    wire.ask("tools/call", {"name": "_ui_refresh_tools", "_meta": stateless}, request_id="refresh")
    wire.answer_listing(*names)
    return [each for each in wire.host_got() if "method" in each]


def test_the_upstream_gets_a_subscription_without_the_wrappers_addresses(listening):
    (asked,) = listening().upstream_got()
    assert asked["params"]["notifications"] == {
        **ALL,
        "resourceSubscriptions": ["demo://1", "ui://other"],
    }
    assert asked["id"] == "listen-1"


def test_a_subscription_without_addresses_of_the_wrapper_is_forwarded_as_the_same_bytes(wire, stateless):
    wire = wire()
    wire.list_tools("add", meta=stateless)
    params = {"notifications": {"toolsListChanged": True}, "_meta": stateless}
    line = json.dumps(
        {"id": 1, "jsonrpc": "2.0", "method": "subscriptions/listen", "params": params}, indent=None
    )
    wire.relay.host_sent(f"  {line}  \n".encode())
    assert b"".join(wire.relay.to_upstream) == f"  {line}  \n".encode()


def test_the_acknowledgement_gains_the_wrappers_notifications(listening):
    wire = listening()
    told = acknowledge(wire, {"promptsListChanged": True, "resourceSubscriptions": ["demo://1"], "x": 1})
    assert told["params"]["notifications"] == {
        "promptsListChanged": True,
        "resourceSubscriptions": ["ui://add?v=1", "demo://1"],
        "x": 1,
        "toolsListChanged": True,
        "resourcesListChanged": True,
    }
    assert told["params"]["_meta"] == {KEY: "listen-1"}


def test_changes_of_the_wrapper_are_sent_on_the_stream(listening, stateless):
    wire = listening()
    wire.upstream_got()
    acknowledge(wire, {})
    told = change(wire, stateless, "new")
    assert [(each["method"], each["params"]) for each in told] == [
        ("notifications/tools/list_changed", {"_meta": {KEY: "listen-1"}}),
        ("notifications/resources/list_changed", {"_meta": {KEY: "listen-1"}}),
        ("notifications/resources/updated", {"uri": "ui://add?v=1", "_meta": {KEY: "listen-1"}}),
    ]


def test_no_notification_is_sent_without_a_subscription_or_before_the_acknowledgement(listening, stateless):
    wire = listening({"resourcesListChanged": True})
    wire.upstream_got()
    assert change(wire, stateless, "one") == []
    acknowledge(wire, {})
    assert [each["method"] for each in change(wire, stateless, "two")] == [
        "notifications/resources/list_changed"
    ]


def test_a_host_that_lists_the_tools_itself_is_notified_only_of_views(listening, stateless):
    wire = listening()
    wire.upstream_got()
    acknowledge(wire, {})
    asked = wire.ask("tools/list", {"_meta": stateless})
    wire.answer(asked, {"tools": []})
    methods = [each.get("method") for each in wire.host_got()]
    assert methods == [None, "notifications/resources/list_changed", "notifications/resources/updated"]


def test_the_wrapper_serves_the_stream_if_the_upstream_has_none(listening, stateless):
    wire = listening()
    wire.upstream_got()
    wire.answer("listen-1", error={"code": -32601, "message": "Method not found"})
    (told,) = wire.host_got()
    assert told["method"] == "notifications/subscriptions/acknowledged"
    assert told["params"]["notifications"] == {
        "toolsListChanged": True,
        "resourcesListChanged": True,
        "resourceSubscriptions": ["ui://add?v=1"],
    }
    assert len(change(wire, stateless, "new")) == 3
    # It outlives the upstream, and ends when the host says so; the upstream never hears of it.
    wire.supervision.ended()
    wire.supervision.gone(1)
    wire.supervision.started()
    wire.answer_listing("new")
    wire.host_got()
    wire.host_says({"method": "notifications/cancelled", "params": {"requestId": "listen-1"}})
    assert wire.upstream_got() == []
    assert change(wire, stateless, "newer") == []


def test_another_error_of_the_upstream_is_forwarded(listening, stateless):
    wire = listening()
    wire.upstream_got()
    wire.answer("listen-1", error={"code": -32603, "message": "Subscription limit reached"})
    (told,) = wire.host_got()
    assert told["error"]["message"] == "Subscription limit reached"
    assert change(wire, stateless, "new") == []


@pytest.mark.parametrize("end", ["host", "upstream", "in peace"])
def test_an_ended_stream_gets_no_more_notifications(listening, stateless, end):
    wire = listening()
    wire.upstream_got()
    acknowledge(wire, {})
    cancelled = {"method": "notifications/cancelled", "params": {"requestId": "listen-1"}}
    if end == "host":
        wire.host_says(cancelled)
        assert [each["method"] for each in wire.upstream_got()] == ["notifications/cancelled"]
    elif end == "upstream":
        wire.upstream_says(cancelled)
    else:
        wire.answer("listen-1", {"resultType": "complete", "_meta": {KEY: "listen-1"}})
    wire.host_got()
    assert change(wire, stateless, "new") == []
    wire.supervision.ended()
    assert [each for each in wire.host_got() if each.get("id") == "listen-1"] == []


def test_when_the_upstream_dies_the_stream_fails_and_the_host_may_listen_again(listening, stateless):
    wire = listening()
    acknowledge(wire, {})
    wire.supervision.ended()
    (error,) = wire.host_got()
    assert (error["id"], error["error"]["data"]["errorType"]) == ("listen-1", "UPSTREAM_DIED")
    wire.supervision.gone(1)
    wire.ask("subscriptions/listen", {"notifications": ALL, "_meta": stateless}, request_id="listen-2")
    assert wire.host_got() == []
    wire.upstream_got()
    wire.supervision.started()
    assert "listen-2" in [each["id"] for each in wire.upstream_got()]


def test_a_host_without_apps_gets_only_the_upstreams_notifications(wire):
    wire = wire()
    wire.ask("subscriptions/listen", {"notifications": ALL})
    (asked,) = wire.upstream_got()
    assert asked["params"]["notifications"] == ALL
