import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.mcp.results import (
    Additions,
    ResultText,
    announced_capabilities,
    tool_meta,
    with_additions,
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


def linker(tools, address_of):
    """Return an object that adds view addresses, given by a function, to tools."""
    return Additions(
        key="tools", in_elements={at: {"_meta": tool_meta(address_of(each))} for at, each in enumerate(tools)}
    )


def edited(text, additions):
    return with_additions(ResultText(text), additions).text


@given(st.lists(definitions, max_size=4), indents, st.booleans())
def test_every_tool_gains_its_address_and_nothing_else_changes(tools, indent, ensure_ascii):
    text = json.dumps({"tools": tools, "nextCursor": "x"}, indent=indent, ensure_ascii=ensure_ascii)
    listed = json.loads(edited(text, linker(tools, lambda tool: f"ui://{tool['name']}")))
    assert listed.pop("nextCursor") == "x"
    for before, after in zip(tools, listed["tools"], strict=True):
        added = tool_meta(f"ui://{before['name']}")
        meta = after.pop("_meta")
        had = before.pop("_meta", None)
        assert after == before
        kept = had if isinstance(had, dict) else {}
        ui = kept.get("ui") if isinstance(kept.get("ui"), dict) else {}
        assert meta == {**kept, **added, "ui": {**ui, **added["ui"]}}


@given(
    st.dictionaries(st.text(), json_values),
    st.dictionaries(st.text(), json_values),
    st.lists(st.dictionaries(st.text(), json_values), max_size=3),
    st.dictionaries(st.integers(0, 3), st.dictionaries(st.text(), json_values), max_size=2),
    st.lists(definitions, max_size=2),
    indents,
)
def test_a_text_gains_what_a_plain_result_gains(result, fields, listed, in_elements, elements, indent):
    result = {**result, "tools": listed}
    fields = {key: value for key, value in fields.items() if key != "tools"}
    additions = Additions(fields, "tools", in_elements, elements)
    assert json.loads(edited(json.dumps(result, indent=indent), additions)) == json.loads(
        json.dumps(with_additions(result, additions))
    )


@given(st.lists(definitions, max_size=3), indents)
def test_a_result_that_gains_nothing_is_left_to_the_character(tools, indent):
    text = json.dumps({"tools": tools}, indent=indent)
    assert edited(text, Additions(key="tools")) == text
    plain = {"tools": tools}
    assert with_additions(plain, Additions(key="tools")) is plain


def test_the_rest_of_a_result_stays_the_same_characters():
    text = '{ "tools" :[ {"name":"a" , "x":1.0e5,"big":123456789012345678901234567890 } ] }'
    after = edited(text, linker([{}], lambda _: "ui://a"))
    assert after.startswith(
        '{ "tools" :[ {"name":"a" , "x":1.0e5,"big":123456789012345678901234567890 ,"_meta":{'
    )
    assert after.endswith("} ] }")


def test_wrapper_tools_come_last():
    added = Additions(key="tools", elements=[{"name": "_ui_list"}])
    assert json.loads(edited('{"tools":[{"name":"a"}]}', added)) == {
        "tools": [{"name": "a"}, {"name": "_ui_list"}]
    }


def test_existing_meta_is_extended_in_place():
    text = '{"tools":[{"name":"a","_meta":{"x":1,"ui":{"visibility":["app"]}}}]}'
    meta = json.loads(edited(text, linker([{}], lambda _: "ui://a")))["tools"][0]["_meta"]
    assert meta["x"] == 1
    assert meta["ui"] == {"visibility": ["app"], "resourceUri": "ui://a"}


def announced(text):
    present = json.loads(text).get("capabilities")
    return edited(text, Additions({"capabilities": announced_capabilities(present)}))


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
    assert json.loads(announced(before))["capabilities"]["resources"] == after


def test_other_capabilities_stay_as_they_are():
    text = '{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}}'
    assert announced(text) == text


def test_resource_entries_are_appended():
    added = Additions(key="resources", elements=[{"uri": "b"}])
    assert edited('{"resources":[{"uri":"a"}]}', added) == '{"resources":[{"uri":"a"},{"uri":"b"}]}'


@pytest.mark.parametrize("broken", ["[]", '{"tools":[', '{"tools":[{"name":NaN}]}'])
def test_a_text_that_is_no_object_is_refused(broken):
    with pytest.raises(ValueError, match=r"."):
        edited(broken, linker([{}], lambda _: "ui://a"))


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
    assert edited(before, Additions(HINTS, "tools", elements=[{"name": "b"}])) == after


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
    assert edited(before, Additions(key="content", elements=[{"type": "t"}])) == after
