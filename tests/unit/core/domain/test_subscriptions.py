import pytest

from genui_core.domain.log_levels import is_wanted, most_talkative
from genui_core.domain.subscriptions import (
    CHANGES,
    RESOURCE_UPDATED,
    TOOLS_CHANGED,
    granted,
    is_wished,
    subscribed,
    together,
    wished_uris,
    wishes_of,
)


@pytest.mark.parametrize("params", [{}, {"notifications": None}, {"notifications": []}, {"notifications": 1}])
def test_odd_wishes_are_none(params):
    assert wishes_of(params) == {}


def test_odd_addresses_are_left_out():
    assert wished_uris({"resourceSubscriptions": ["a", 1, None, "b"]}) == ["a", "b"]
    assert wished_uris({"resourceSubscriptions": "a"}) == []


def test_only_what_is_wished_and_told_is_granted():
    wishes = {"toolsListChanged": True, "promptsListChanged": False, "resourceSubscriptions": ["a", "b"]}
    assert granted(wishes, kinds=CHANGES, uris=["b", "c"]) == {
        "toolsListChanged": True,
        "resourceSubscriptions": ["b"],
    }
    assert granted(wishes, kinds=(), uris=()) == {}


def test_promises_add_up_in_the_order_of_the_wishes():
    wishes = {"resourceSubscriptions": ["a", "b", "c"]}
    promises = {"vendor": 1, "resourceSubscriptions": ["c"]}, {"resourceSubscriptions": ["a"]}
    assert together(wishes, *promises) == {"vendor": 1, "resourceSubscriptions": ["a", "c"]}


def test_an_address_that_is_promised_in_other_words_is_kept():
    wishes = {"resourceSubscriptions": ["a", "b"]}
    assert together(wishes, {"resourceSubscriptions": ["A", "b"]}) == {"resourceSubscriptions": ["b", "A"]}


def test_what_was_not_wished_is_not_told():
    wishes = {"toolsListChanged": True, "resourceSubscriptions": ["a"]}
    assert is_wished(wishes, TOOLS_CHANGED, {})
    assert is_wished(wishes, RESOURCE_UPDATED, {"uri": "a"})
    assert not is_wished(wishes, RESOURCE_UPDATED, {"uri": "b"})
    assert not is_wished(wishes, "notifications/message", {})


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
