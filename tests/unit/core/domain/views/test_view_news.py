"""Shows requirement U6."""

from genui_core.domain.mcp.methods import RESOURCE_UPDATED, RESOURCES_CHANGED, TOOLS_CHANGED
from genui_core.domain.tools.tool import FollowedAddresses, view_news


def test_lists_come_first_and_then_every_address_of_these_views_that_is_held():
    held = ["ui://a", "ui://b", "ui://a?v=1", "x://a", "ui://a%20b"]
    assert view_news(["a", "a b"], held) == [
        (TOOLS_CHANGED, {}),
        (RESOURCES_CHANGED, {}),
        (RESOURCE_UPDATED, {"uri": "ui://a"}),
        (RESOURCE_UPDATED, {"uri": "ui://a?v=1"}),
        (RESOURCE_UPDATED, {"uri": "ui://a%20b"}),
    ]


def test_a_host_that_has_just_got_the_tools_is_not_notified_of_them():
    assert view_news([], ["ui://a"], knows_tools=True) == [(RESOURCES_CHANGED, {})]


def test_the_newest_thousand_addresses_are_followed_once_each():
    followed = FollowedAddresses()
    for number in [0, *range(1001), 1000]:
        followed.follow(f"ui://{number}")
    assert list(followed) == [f"ui://{number}" for number in range(1, 1001)]
