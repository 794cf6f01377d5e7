"""A message is sent as JSON in UTF-8, or refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import InvalidArguments

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda values: st.lists(values) | st.dictionaries(TEXTS, values),
)


@given(VALUES)
def test_a_json_value_is_written_on_one_line_and_read_back_unchanged(value):
    sent = outbound(value)
    assert b"\n" not in sent
    assert json.dumps(json.loads(sent)) == json.dumps(value)


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return value


BAD = {
    "half a letter": "\ud800",
    "half a letter in a key": {"\udfff": 1},
    "bytes": b"x",
    "no number": float("nan"),
    "endless": float("-inf"),
    "a set": {1},
    "an object": object(),
    "a key that is no text": {(1, 2): 3},
    "too deep": deep(100_000),
}


@pytest.mark.parametrize("name", BAD)
def test_a_value_that_json_cannot_hold_is_refused(name):
    with pytest.raises(InvalidArguments, match="cannot be sent as JSON"):
        outbound({"params": [BAD[name]]})


def test_a_value_that_contains_itself_is_refused():
    value = []
    value.append(value)
    with pytest.raises(InvalidArguments):
        outbound(value)
