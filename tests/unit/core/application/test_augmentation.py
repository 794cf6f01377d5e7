"""`augment_with_ui` adds a view to a tool's result, or leaves the result unchanged (requirement P3)."""

import copy
import json
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core import augment_with_ui
from genui_core.domain.tools.tool import tool_name_of
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog

DATA_KEY = "mcpui.dev/ui-initial-render-data"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city"],
}
PAGE = "<!DOCTYPE html><p>Weather"
REGISTRY = {"weather": (SCHEMA, PAGE), "map": (SCHEMA, "https://example.org/map?zoom=3&layer=a%20b#here")}
RESULT = {"content": [{"type": "text", "text": "mild"}], "structuredContent": {"t": 1.0}, "_meta": {"x": 1}}

texts = st.text(st.characters(codec="utf-8"), max_size=10)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def augmented(result=RESULT, tool="weather", data=None, registry=REGISTRY, event_log=None):
    event_log = event_log or RecordingEventLog()
    data = {"city": "Oslo"} if data is None else data
    made = augment_with_ui(
        result, tool_name=tool, render_data=data, registry=registry, event_log=event_log, clock=HandClock()
    )
    return made, event_log.events


def test_a_page_is_appended_with_the_data_that_it_shows():
    made, events = augmented(data={"city": "Oslo", "days": 2})
    assert made["content"][0] == RESULT["content"][0]
    assert {key: made[key] for key in ("structuredContent", "_meta")} == {
        key: RESULT[key] for key in ("structuredContent", "_meta")
    }
    at_ms = int(HandClock().now().timestamp() * 1000)
    assert made["content"][1:] == [
        {
            "type": "resource",
            "resource": {
                "uri": f"ui://weather/{at_ms}",
                "mimeType": "text/html",
                "text": PAGE,
                "_meta": {DATA_KEY: {"city": "Oslo", "days": 2}},
            },
        }
    ]
    assert events == []


def test_an_address_says_that_its_page_waits_for_the_data():
    made, _ = augmented(tool="map")
    resource = made["content"][-1]["resource"]
    assert resource["mimeType"] == "text/uri-list"
    assert resource["text"] == "https://example.org/map?zoom=3&layer=a+b&waitForRenderData=true#here"


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("http://x.example", "http://x.example?waitForRenderData=true"),
        ("https://x.example/?waitForRenderData=false", "https://x.example/?waitForRenderData=true"),
        ("https://x.example/?a=&a=2", "https://x.example/?a=&a=2&waitForRenderData=true"),
    ],
)
def test_the_rest_of_an_address_stays(url, written):
    made, _ = augmented(registry={"weather": (True, url)})
    assert made["content"][-1]["resource"]["text"] == written


def test_a_tool_without_an_entry_is_no_failure():
    for made, events in (augmented(tool="other"), augmented(registry=None), augmented(registry={})):
        assert made is RESULT
        assert events == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"data": {"days": 1}}, "'city' is a required property"),
        ({"data": {"city": "Oslo", "days": 0}}, "$.days"),
        ({"data": {"city": float("nan")}}, "not JSON"),
        ({"data": {"city": object()}}, "not JSON"),
        ({"registry": {"weather": ({"type": "nonsense"}, PAGE)}}, "nonsense"),
        ({"registry": {"weather": ({"$ref": "https://example.org/schema.json"}, PAGE)}}, "Unresolvable"),
        ({"registry": {"weather": ({"$ref": "#/$defs/none"}, PAGE)}}, "none"),
        ({"registry": {"weather": (True, "javascript:alert(1)")}}, "http"),
        ({"registry": {"weather": (True, "")}}, "http"),
        ({"registry": {"weather": (True, "https:///no-host")}}, "http"),
        ({"registry": {"weather": "no pair"}}, "unpack"),
        ({"registry": {"weather": (True, 5)}}, "TypeError"),
        ({"registry": [("weather", PAGE)]}, "AttributeError"),
        ({"result": {"content": "text"}}, "not a list"),
        ({"result": None}, "AttributeError"),
    ],
)
def test_any_failure_leaves_the_result_unchanged_and_is_logged(wrong, words, monkeypatch):
    def refuse(*_):
        raise AssertionError("something was fetched")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    made, (event,) = augmented(**wrong)
    assert made is wrong.get("result", RESULT)
    assert (event.event, event.metadata["tool_name"]) == ("ui_not_added", "weather")
    assert words in event.metadata["reason"]


def test_data_that_are_too_deep_raise_no_error():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    made, (event,) = augmented(data={"city": "Oslo", "more": deep})
    assert made is RESULT
    assert "Recursion" in event.metadata["reason"]


def test_schemas_of_an_older_draft_are_read_as_such():
    tuple_of_old = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}]}
    made, _ = augmented(data=["text"], registry={"weather": (tuple_of_old, PAGE)})
    assert made is RESULT
    made, _ = augmented(data=[1, "text"], registry={"weather": (tuple_of_old, PAGE)})
    assert made is not RESULT


@given(
    result=st.dictionaries(texts, json_values, max_size=3),
    content=st.none() | st.lists(json_values, max_size=3),
    name=texts.filter(bool),
    data=json_values,
)
def test_the_result_keeps_all_its_parts_and_the_data_are_a_copy(result, content, name, data):
    given_result = {key: value for key, value in result.items() if key != "content"}
    if content is not None:
        given_result["content"] = content
    before = copy.deepcopy((given_result, data))
    made, events = augmented(given_result, name, [data], {name: (True, PAGE)})
    assert (given_result, data) == before
    assert events == []
    item = made["content"][-1]
    assert made == {**given_result, "content": [*given_result.get("content", []), item]}
    resource = item["resource"]
    assert tool_name_of(resource["uri"].rpartition("/")[0]) == name
    assert resource["_meta"][DATA_KEY] == [data]
    assert json.loads(json.dumps(made)) == made
    made["content"].append("mine")
    if isinstance(data, list):
        data.append("later")
    assert resource["_meta"][DATA_KEY] == [before[1]]
    assert "mine" not in given_result.get("content", [])


@given(data=json_values)
def test_data_that_do_not_fit_the_schema_are_never_added(data):
    made, events = augmented(data=data, registry={"weather": ({"type": "string"}, PAGE)})
    assert (made is RESULT) == (not isinstance(data, str)) == bool(events)
