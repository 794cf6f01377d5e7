import pytest

from genui_core.domain.mcp.envelope import is_wanted
from genui_core.domain.mcp.methods import (
    CHANGES,
    RESOURCE_UPDATED,
    TOOLS_CHANGED,
    Subscription,
    granted,
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


def promise_for(wanted, theirs, ours):
    """Return the promise to a host that wants these addresses."""
    terms = Subscription(7, {"resourceSubscriptions": [*wanted]}, {"resourceSubscriptions": [*ours]})
    return terms.acknowledged({"notifications": theirs})["notifications"]


def test_granted_parts_add_up_in_the_order_of_the_subscription():
    theirs = {"vendor": 1, "resourceSubscriptions": ["c"]}
    assert promise_for("abc", theirs, "a") == {"vendor": 1, "resourceSubscriptions": ["a", "c"]}


def test_an_address_that_is_promised_in_other_words_is_kept():
    assert promise_for("ab", {"resourceSubscriptions": ["A"]}, "b") == {"resourceSubscriptions": ["b", "A"]}


def test_unwanted_notifications_are_not_sent():
    told = Subscription(7, {}, {"toolsListChanged": True, "resourceSubscriptions": ["a"]})
    assert told.covers(TOOLS_CHANGED, {})
    assert told.covers(RESOURCE_UPDATED, {"uri": "a"})
    assert not told.covers(RESOURCE_UPDATED, {"uri": "b"})
    assert not told.covers("notifications/message", {})


def test_the_mark_of_a_subscription_leaves_other_marks_alone():
    marked = Subscription(7, {}, {}).marked({"uri": "a", "_meta": {"k": None}})
    assert marked == {"uri": "a", "_meta": {"k": None, "io.modelcontextprotocol/subscriptionId": 7}}


@pytest.mark.parametrize(
    ("level", "wanted", "expected"),
    [
        ("error", "info", True),
        ("info", "info", True),
        ("debug", "info", False),
        ("loud", "info", False),
        ("info", None, False),
        ("loud", "loud", False),
    ],
)
def test_a_log_level_is_wanted_from_there_upwards(level, wanted, expected):
    assert is_wanted(level, wanted) is expected
