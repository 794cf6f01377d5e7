"""Which other tools a view may call."""

from genui_core.domain.prompting.prompts import related_tools
from genui_core.domain.tools.tool import Tool


def tool(name, required=(), *, reads=True, output=None):
    definition = {
        "name": name,
        "inputSchema": {"type": "object", "required": list(required)},
        "annotations": {"readOnlyHint": reads},
    }
    return Tool(definition if output is None else {**definition, "outputSchema": output})


ORDERS = tool(
    "search",
    output={
        "type": "object",
        "properties": {"rows": {"type": "array", "items": {"properties": {"order_id": {"type": "string"}}}}},
    },
)


def names(tools):
    return [each.name for each in tools]


def test_a_tool_that_asks_for_what_a_row_holds_is_related():
    others = [tool("order_details", ["order_id"]), tool("weather", ["city"]), ORDERS]
    assert names(related_tools(ORDERS, others)) == ["order_details"]


def test_a_field_seen_in_results_counts_too():
    seen = {"type": "array", "items": {"type": "object", "properties": {"city": {"type": "string"}}}}
    assert names(related_tools(tool("search"), [tool("weather", ["city"])], seen)) == ["weather"]


def test_tools_about_the_same_thing_are_related():
    others = [tool("getOrder"), tool("delete-order", reads=False), tool("list_orders"), tool("list_users")]
    assert names(related_tools(tool("list_orders"), others)) == ["getOrder"]


def test_a_tool_that_does_more_than_read_is_never_related():
    assert related_tools(ORDERS, [tool("cancel", ["order_id"], reads=False)]) == ()


def test_a_tool_has_at_most_five_related_tools_in_a_fixed_order():
    others = [tool(f"t{number}", ["order_id"]) for number in (7, 3, 9, 1, 8, 2)]
    assert names(related_tools(ORDERS, others)) == ["t1", "t2", "t3", "t7", "t8"]
    assert names(related_tools(ORDERS, reversed(others))) == ["t1", "t2", "t3", "t7", "t8"]
