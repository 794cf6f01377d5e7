import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.mcp.json_text import list_page
from genui_core.domain.tools.decoration import (
    tool_meta,
    with_capabilities,
    with_content_item,
    with_resources,
    with_tool_addresses,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
definitions = st.builds(
    lambda name, rest: {"name": name, **rest},
    st.text(),
    st.dictionaries(st.text().filter(lambda key: key != "name"), json_values),
)
indents = st.sampled_from([None, 0, 2])


@given(st.lists(definitions, max_size=4), indents, st.booleans())
def test_every_tool_gains_its_address_and_nothing_else_changes(tools, indent, ensure_ascii):
    result = json.dumps({"tools": tools, "nextCursor": "x"}, indent=indent, ensure_ascii=ensure_ascii)
    edited = json.loads(
        with_tool_addresses(list_page(result, "tools"), lambda tool: f"ui://{tool['name']}", ())
    )
    assert edited.pop("nextCursor") == "x"
    for before, after in zip(tools, edited["tools"], strict=True):
        added = tool_meta(f"ui://{before['name']}")
        meta = after.pop("_meta")
        had = before.pop("_meta", None)
        assert after == before
        kept = had if isinstance(had, dict) else {}
        ui = kept.get("ui") if isinstance(kept.get("ui"), dict) else {}
        assert meta == {**kept, **added, "ui": {**ui, **added["ui"]}}


@given(st.lists(definitions, max_size=3), indents)
def test_tools_without_an_address_are_left_to_the_character(tools, indent):
    result = json.dumps({"tools": tools}, indent=indent)
    assert with_tool_addresses(list_page(result, "tools"), lambda _: None, ()) == result


def test_what_is_not_added_stays_the_same_characters():
    result = '{ "tools" :[ {"name":"a" , "x":1.0e5,"big":123456789012345678901234567890 } ] }'
    edited = with_tool_addresses(list_page(result, "tools"), lambda _: "ui://a", ())
    assert edited.startswith(
        '{ "tools" :[ {"name":"a" , "x":1.0e5,"big":123456789012345678901234567890 ,"_meta":{'
    )
    assert edited.endswith("} ] }")


def test_own_tools_come_last():
    assert json.loads(
        with_tool_addresses(list_page('{"tools":[]}', "tools"), lambda _: None, [{"name": "_ui_list"}])
    ) == {"tools": [{"name": "_ui_list"}]}


def test_existing_meta_is_extended_in_place():
    result = '{"tools":[{"name":"a","_meta":{"x":1,"ui":{"visibility":["app"]}}}]}'
    meta = json.loads(with_tool_addresses(list_page(result, "tools"), lambda _: "ui://a", ()))["tools"][0][
        "_meta"
    ]
    assert meta["x"] == 1
    assert meta["ui"] == {"visibility": ["app"], "resourceUri": "ui://a"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"capabilities":{}}', {"subscribe": True, "listChanged": True}),
        ('{"capabilities":{"resources":{}}}', {"subscribe": True, "listChanged": True}),
        (
            '{"capabilities":{"resources":{"subscribe":false,"x":1}}}',
            {"subscribe": True, "x": 1, "listChanged": True},
        ),
        ('{"capabilities":{"resources":null}}', {"subscribe": True, "listChanged": True}),
        ("{}", {"subscribe": True, "listChanged": True}),
    ],
)
def test_resources_are_announced_with_what_views_need(before, after):
    assert json.loads(with_capabilities(before))["capabilities"]["resources"] == after


def test_other_capabilities_stay_as_they_are():
    result = '{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}}'
    assert with_capabilities(result) == result


def test_resource_entries_are_appended():
    assert (
        with_resources(list_page('{"resources":[{"uri":"a"}]}', "resources"), [{"uri": "b"}])
        == '{"resources":[{"uri":"a"},{"uri":"b"}]}'
    )


@pytest.mark.parametrize("broken", ['{"tools":{}}', "{}", "[]", '{"tools":[', '{"tools":[{"name":NaN}]}'])
def test_a_result_that_is_no_listing_is_refused(broken):
    with pytest.raises(ValueError, match=r"."):
        with_tool_addresses(list_page(broken, "tools"), lambda _: "ui://a", ())


HINTS = {"ttlMs": 0, "cacheScope": "private"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{"ttlMs":9, "tools":[{"name":"a"}],"cacheScope" : "public"}',
            '{"ttlMs":0, "tools":[{"name":"a"},{"name":"b"}],"cacheScope" : "private"}',
        ),
        (
            '{"cacheScope":"private","tools":[]} ',
            '{"cacheScope":"private","tools":[{"name":"b"}],"ttlMs":0} ',
        ),
    ],
)
def test_a_list_with_additions_has_the_wrappers_cache_hints(before, after):
    page = list_page(before, "tools")
    assert with_tool_addresses(page, lambda _: None, [{"name": "b"}], HINTS) == after
    assert with_tool_addresses(page, lambda _: None, (), HINTS) == before


def test_a_list_of_resources_without_additions_keeps_its_cache_hints():
    text = '{"resources":[{"uri":"a"}],"ttlMs":9}'
    assert with_resources(list_page(text, "resources"), (), HINTS) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{"content":[{"type":"text","text":"a"}],"x":1}',
            '{"content":[{"type":"text","text":"a"},{"type":"t"}],"x":1}',
        ),
        ('{"content": [ ]}', '{"content": [ {"type":"t"}]}'),
        ('{"content":{}}', '{"content":{}}'),
        ('{"toolResult":[]}', '{"toolResult":[]}'),
    ],
)
def test_an_item_comes_after_the_content_and_all_else_stays_as_it_is(before: str, after: str) -> None:
    assert with_content_item(before, {"type": "t"}) == after
