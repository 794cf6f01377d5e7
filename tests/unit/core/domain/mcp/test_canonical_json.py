import json
import math

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.mcp.json_text import canonical_bytes, canonical_json
from genui_core.errors import NotCanonical

text = st.text(st.characters(exclude_categories=["Cs"]))
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text
)
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(text, inner), max_leaves=20)


@given(values)
def test_canonical_json_agrees_with_an_independent_implementation(value):
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_the_order_of_keys_does_not_matter_at_any_level(value):
    turned = dict(reversed(value.items()))
    assert canonical_json({"outer": value}) == canonical_json({"outer": turned})


@given(values)
def test_canonical_json_has_the_same_value(value):
    assert json.loads(canonical_json(value), parse_int=float) == json.loads(
        json.dumps(value), parse_int=float
    )


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (1e21, "1e+21"),
        (123456789012345670000.0, "123456789012345670000"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (-0.0, "0"),
        (4.50, "4.5"),
        (0.000002, "0.000002"),
        (333333333.33333329, "333333333.3333333"),
        (2**60 + 1, "1152921504606846977"),
    ],
)
def test_canonical_json_writes_numbers_as_ecmascript_and_keeps_the_digits_of_large_integers(number, written):
    assert canonical_json(number) == written


def test_canonical_json_keeps_a_lone_surrogate_as_an_escape():
    assert canonical_bytes("a\ud800") == b'"a\\ud800"'


def test_canonical_json_sorts_keys_by_utf_16_code_units():
    assert canonical_json({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, {1: 2}, {"a": object()}, b"bytes"])
def test_canonical_json_refuses_a_value_that_json_cannot_hold(value):
    with pytest.raises(NotCanonical):
        canonical_json(value)
