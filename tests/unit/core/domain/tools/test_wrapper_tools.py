"""The definitions of the wrapper tools: their cost for a model, and which of them it sees (requirement T1)."""

from tools_page import tokens

from genui_core.domain.tools.wrapper_tools import NAMES, companion_tools, listed, published

MOST_TOKENS = 1_200


def names(definitions):
    return [each["name"] for each in definitions]


def test_all_definitions_together_cost_a_model_few_tokens():
    assert names(listed(published(()), "all")) == list(NAMES)
    cost = sum(map(tokens, [*listed(published(()), "all"), *companion_tools(()).values()]))
    advice = "shorten a description, or let only pages see the tool"
    assert cost <= MOST_TOKENS, f"the definitions cost a model {cost} tokens: {advice}"


def test_pages_have_their_tools_where_the_model_has_none():
    assert names(listed(published(()), "none")) == ["_ui_rollback", "_ui_view"]
    assert listed(published((), live=False), "none") == []


def test_a_tool_that_yielded_its_name_is_listed_by_the_longer_one():
    shown = names(listed(published({"_ui_refine", "_ui_view"}, live=False), "core"))
    assert shown == ["_ui_refine_of_wrapper", "_ui_regenerate"]


def test_the_tools_of_the_page_make_way_for_the_upstreams() -> None:
    assert list(companion_tools(["_ui_open"])) == ["_ui_open_of_wrapper", "_ui_wait", "_ui_push"]
