"""The tools of the wrapper's own: what they cost a model, and how they make way for the upstream's."""

import json

from genui_core.domain.tools.wrapper_tools import companion_tools, published

MOST_TOKENS = 1200
"""What the definitions of all of them together may cost a model that gets them with each request."""


def test_a_model_reads_all_definitions_at_a_bounded_price() -> None:
    tools = {**published(()), **companion_tools(())}.values()
    read = "".join(
        f"{tool['name']}{tool['description']}{json.dumps(tool['inputSchema'], separators=(',', ':'))}"
        for tool in tools
    )
    assert len(tools) == 13
    assert len(read) / 4 <= MOST_TOKENS


def test_the_tools_of_the_page_make_way_for_the_upstreams() -> None:
    assert list(companion_tools(["_ui_open"])) == ["_ui_open_of_wrapper", "_ui_wait", "_ui_push"]
