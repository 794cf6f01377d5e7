import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.framing.lines import Outline

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


def outline_of(text, step):
    outline = Outline()
    for at in range(0, len(text), step):
        outline.add(text[at : at + step])
    return outline.text


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=6), st.integers(1, 9), st.booleans())
def test_members_keep_their_place_and_nested_values_are_null(value, step, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only).encode(errors="surrogatepass")
    expected = {key: None if isinstance(each, list | dict) else each for key, each in value.items()}
    assert json.loads(outline_of(text, step)) == expected


def test_an_outline_that_is_long_itself_is_no_json():
    text = json.dumps({"a": "x" * 100_000, "id": 1}).encode()
    with pytest.raises(ValueError, match="Unterminated"):
        json.loads(outline_of(text, 4096))
