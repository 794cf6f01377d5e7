import pytest

from genui_core.domain.mcp.envelope import is_wanted, most_talkative
from genui_core.domain.mcp.methods import (
    CHANGES,
    RESOURCE_UPDATED,
    TOOLS_CHANGED,
    granted,
    is_subscribed,
    subscribed,
    together,
    wanted_by,
    wanted_uris,
)


@pytest.mark.parametrize("params", [{}, {"notifications": None}, {"notifications": []}, {"notifications": 1}])
def test_malformed_subscriptions_count_as_empty(params):
    assert wanted_by(params) == {}


def test_odd_addresses_are_left_out():
    assert wanted_uris({"resourceSubscriptions": ["a", 1, None, "b"]}) == ["a", "b"]
    assert wanted_uris({"resourceSubscriptions": "a"}) == []


def test_only_wanted_and_supported_notifications_are_granted():
    wanted = {"toolsListChanged": True, "promptsListChanged": False, "resourceSubscriptions": ["a", "b"]}
    assert granted(wanted, kinds=CHANGES, uris=["b", "c"]) == {
        "toolsListChanged": True,
        "resourceSubscriptions": ["b"],
    }
    assert granted(wanted, kinds=(), uris=()) == {}


def test_granted_parts_add_up_in_the_order_of_the_subscription():
    wanted = {"resourceSubscriptions": ["a", "b", "c"]}
    promises = {"vendor": 1, "resourceSubscriptions": ["c"]}, {"resourceSubscriptions": ["a"]}
    assert together(wanted, *promises) == {"vendor": 1, "resourceSubscriptions": ["a", "c"]}


def test_an_address_that_is_promised_in_other_words_is_kept():
    wanted = {"resourceSubscriptions": ["a", "b"]}
    assert together(wanted, {"resourceSubscriptions": ["A", "b"]}) == {"resourceSubscriptions": ["b", "A"]}


def test_unwanted_notifications_are_not_sent():
    wanted = {"toolsListChanged": True, "resourceSubscriptions": ["a"]}
    assert is_subscribed(wanted, TOOLS_CHANGED, {})
    assert is_subscribed(wanted, RESOURCE_UPDATED, {"uri": "a"})
    assert not is_subscribed(wanted, RESOURCE_UPDATED, {"uri": "b"})
    assert not is_subscribed(wanted, "notifications/message", {})


def test_the_mark_of_a_subscription_leaves_other_marks_alone():
    marked = subscribed({"uri": "a", "_meta": {"k": None}}, 7)
    assert marked == {"uri": "a", "_meta": {"k": None, "io.modelcontextprotocol/subscriptionId": 7}}


@pytest.mark.parametrize(
    ("level", "wanted", "expected"),
    [
        ("error", "info", True),
        ("info", "info", True),
        ("debug", "info", False),
        ("loud", "info", False),
        ("info", None, False),
    ],
)
def test_a_log_level_is_wanted_from_there_upwards(level, wanted, expected):
    assert is_wanted(level, wanted) is expected


def test_everybody_gets_what_they_want_at_the_most_talkative_level():
    assert most_talkative(["error", "debug", None, "info"]) == "debug"
    assert most_talkative([None, "loud"]) is None
