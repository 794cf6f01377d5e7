"""The wrapper lists the upstream's tools on demand, after changes, and periodically (requirements W10 and W11)."""

import json

import pytest

from genui_core.domain.settings.settings import ToolRefresh

LISTS_CHANGED = ["notifications/tools/list_changed", "notifications/resources/list_changed"]


def told(wire):
    return [each["method"] for each in wire.host_got() if "method" in each]


def refresh(wire, *names):
    """Call `_ui_refresh_tools`, answer as the upstream, and return the messages that the host got."""
    asked = wire.ask("tools/call", {"name": "_ui_refresh_tools", "arguments": {}})
    wire.answer_listing(*names)
    got = wire.host_got()
    (answer,) = [each for each in got if each.get("id") == asked]
    return answer["result"], [each["method"] for each in got if "method" in each]


def test_a_refresh_returns_the_changes_and_notifies_the_host(wire):
    wire = wire().connect()
    wire.list_tools("kept", "gone")
    result, methods = refresh(wire, "kept", "new")
    assert result["structuredContent"] == {
        "added": ["new"],
        "removed": ["gone"],
        "changed": [],
        "unchanged": ["kept"],
    }
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert result["isError"] is False
    assert methods == LISTS_CHANGED


def test_a_refresh_without_a_change_sends_no_notification(wire):
    wire = wire().connect()
    wire.list_tools("a")
    result, methods = refresh(wire, "a")
    assert result["structuredContent"]["unchanged"] == ["a"]
    assert methods == []


def test_a_refresh_that_fails_says_why(wire):
    wire = wire().connect()
    wire.list_tools("a")
    wire.ask("tools/call", {"name": "_ui_refresh_tools"})
    (asked,) = wire.upstream_got()
    wire.answer(asked["id"], error={"code": -32603, "message": "database down"})
    (answer,) = wire.host_got()
    assert answer["result"]["isError"]
    assert "database down" in answer["result"]["content"][0]["text"]


def test_an_error_of_a_listing_reaches_its_callers_and_the_next_refresh_lists_again(wire):
    wire = wire().connect()
    wire.list_tools("a")
    faults = [OSError("the disk is full")]

    def watch(_pages, _tool, _view):
        if faults:
            raise faults.pop()

    wire.wrapper.watch_views(watch)
    result, _ = refresh(wire, "a", "b")
    assert result["isError"]
    assert "the disk is full" in result["content"][0]["text"]
    assert refresh(wire, "a", "c")[0]["structuredContent"]["added"] == ["c"]


def test_a_refresh_while_another_listing_is_under_way_lists_once_more(wire):
    wire = wire().connect()
    wire.list_tools("a")
    for _ in range(2):
        wire.ask("tools/call", {"name": "_ui_refresh_tools"})
    wire.answer_listing("a", "b")
    wire.answer_listing("a", "b", "c")
    results = [each["result"]["structuredContent"]["added"] for each in wire.host_got() if "id" in each]
    assert results == [["b"], ["c"]]


def test_the_definition_is_listed_with_schema_and_hints(wire):
    (answer,) = wire().connect().list_tools("a")
    (tool,) = [each for each in answer["result"]["tools"] if each["name"] == "_ui_refresh_tools"]
    assert list(tool["outputSchema"]["properties"])[:4] == ["added", "removed", "changed", "unchanged"]
    assert tool["annotations"]["idempotentHint"]


# --- when the upstream says so ----------------------------------------------------------


def test_the_wrapper_lists_changed_tools_if_the_host_does_not(wire):
    wire = wire().connect()
    wire.list_tools("a")
    wire.upstream_says({"method": "notifications/tools/list_changed"})
    assert told(wire) == ["notifications/tools/list_changed"]
    assert wire.upstream_got() == []
    wire.pass_time(1)
    wire.answer_listing("a", "b")
    assert "notifications/resources/list_changed" in told(wire)
    assert list(wire.views.tools.active_tools) == ["a", "b"]


def test_the_wrapper_does_not_list_changed_tools_if_the_host_does(wire):
    wire = wire().connect()
    wire.list_tools("a")
    wire.upstream_says({"method": "notifications/tools/list_changed"})
    wire.list_tools("a", "b")
    wire.pass_time(5)
    assert wire.upstream_got() == []


def test_a_listing_that_began_before_the_change_does_not_count(wire):
    wire = wire().connect()
    wire.list_tools("a")
    asked = wire.ask("tools/list")
    wire.upstream_got()
    wire.upstream_says({"method": "notifications/tools/list_changed"})
    wire.answer(asked, {"tools": [{"name": "a"}]})
    wire.pass_time(1)
    wire.answer_listing("a", "b")
    assert list(wire.views.tools.active_tools) == ["a", "b"]


def test_the_same_bytes_after_a_change_count_as_seen(wire):
    wire = wire().connect()
    for _ in range(2):
        wire.list_tools("a")
        wire.upstream_says({"method": "notifications/tools/list_changed"})
    wire.list_tools("a")
    wire.list_tools("a")
    wire.pass_time(5)
    assert wire.upstream_got() == []


def test_a_read_after_a_change_sees_the_new_tools_at_once(wire):
    wire = wire().connect()
    wire.list_tools("a")
    wire.upstream_says({"method": "notifications/tools/list_changed"})
    read = wire.ask("resources/read", {"uri": "ui://b"})
    wire.answer_listing("a", "b")
    (answer,) = [each for each in wire.host_got() if each.get("id") == read]
    assert answer["result"]["contents"]


def test_a_change_before_the_first_listing_causes_no_listing(wire):
    wire = wire().connect()
    wire.upstream_says({"method": "notifications/tools/list_changed"})
    wire.pass_time(5)
    assert wire.upstream_got() == []


# --- from time to time -------------------------------------------------------------------


def test_the_tools_are_listed_periodically_if_configured(wire):
    wire = wire(tool_refresh=ToolRefresh(enabled=True)).connect()
    wire.list_tools("a")
    wire.pass_time(300)
    wire.answer_listing("a", "b")
    assert told(wire) == LISTS_CHANGED
    wire.pass_time(299)
    assert wire.upstream_got() == []
    wire.pass_time(1)
    assert [each["method"] for each in wire.upstream_got()] == ["tools/list"]


def test_failed_listings_are_retried_with_growing_delays(wire):
    wire = wire(tool_refresh=ToolRefresh(enabled=True)).connect()
    wire.list_tools("a")
    wire.pass_time(300)
    for wait in (30, 60, 120, 120):
        (asked,) = wire.upstream_got()
        wire.answer(asked["id"], error={"code": -32603, "message": "no"})
        wire.pass_time(wait - 1)
        assert wire.upstream_got() == []
        wire.pass_time(1)
    wire.answer_listing("a")
    wire.pass_time(299)
    assert wire.upstream_got() == []


def test_the_tools_are_not_listed_periodically_by_default(wire):
    wire = wire().connect()
    wire.list_tools("a")
    wire.pass_time(3000)
    assert wire.upstream_got() == []


# --- what became of a tool ----------------------------------------------------------------


@pytest.mark.parametrize(("is_stateless", "code"), [(False, -32001), (True, -32602)])
def test_a_rename_is_one_removal_and_one_addition_also_for_a_view_that_was_read(
    wire, stateless, is_stateless, code
):
    wire = wire() if is_stateless else wire().connect()
    meta = {"_meta": stateless} if is_stateless else {}
    wire.list_tools("old", meta=meta.get("_meta"))
    wire.ask("resources/read", {"uri": "ui://old", **meta})
    wire.host_got()
    wire.ask("tools/call", {"name": "_ui_refresh_tools", **meta})
    wire.answer_listing("new")
    result = wire.host_got()[-1]["result"]["structuredContent"]
    assert (result["added"], result["removed"]) == (["new"], ["old"])
    wire.ask("resources/read", {"uri": "ui://old", **meta})
    (answer,) = wire.host_got()
    error = answer["error"]
    assert (error["code"], error["message"]) == (code, "Resource not found: ui://old")
    assert error["data"].pop("requestId")
    assert error["data"] == {"uri": "ui://old", "toolName": "old"}
    wire.ask("resources/read", {"uri": "ui://new", **meta})
    assert wire.host_got()[0]["result"]["contents"]
    assert wire.views.pages._pages.keys() == {("new", next(iter(wire.views.pages._pages))[1])}


def test_a_changed_tool_is_logged_and_its_readers_are_notified(wire):
    wire = wire().connect()
    wire.list_tools("a", description="old")
    wire.ask("resources/read", {"uri": "ui://a"})
    wire.host_got()
    result, methods = refresh(wire, "a")
    assert result["structuredContent"]["changed"] == ["a"]
    assert methods == [*LISTS_CHANGED, "notifications/resources/updated"]
    assert [each.metadata["tool_name"] for each in wire.event_log.named("tool_changed")] == ["a"]


def test_changes_are_announced_where_there_are_tools(wire):
    wire = wire()
    asked = wire.ask("initialize", {"capabilities": {"extensions": {"io.modelcontextprotocol/ui": {}}}})
    wire.answer(asked, {"capabilities": {"tools": {}}})
    assert wire.host_got()[0]["result"]["capabilities"] == {
        "tools": {"listChanged": True},
        "resources": {"subscribe": True, "listChanged": True},
    }


def test_after_a_restart_the_tools_are_compared(wire):
    wire = wire().connect()
    wire.list_tools("a")
    wire.supervision.ended()
    wire.supervision.gone(1)
    wire.supervision.started()
    (handshake,) = wire.upstream_got()
    wire.answer(handshake["id"], {"capabilities": {"tools": {}}})
    wire.answer_listing("a", "b")
    assert told(wire) == LISTS_CHANGED
