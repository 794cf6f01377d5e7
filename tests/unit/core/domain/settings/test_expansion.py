"""Variables in configured texts are replaced; an error names a missing variable and its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.settings.configuration import expanded
from genui_core.errors import UnsetVariable

SET = {"TOKEN": "s3cret", "EMPTY": "", "ODD": "${TOKEN} $& \\1"}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Bearer ${TOKEN}", "Bearer s3cret"),
        ("${env:TOKEN}${TOKEN}", "s3crets3cret"),
        ("${NONE:-a default}", "a default"),
        ("${NONE:-}", ""),
        ("${env:NONE:-x}", "x"),
        ("${TOKEN:-unused}", "s3cret"),
        ("${EMPTY}", ""),
        ("${EMPTY:-instead}", "instead"),
        ("${ODD}", "${TOKEN} $& \\1"),
        ("$TOKEN ${} ${1} ${A-B} $${", "$TOKEN ${} ${1} ${A-B} $${"),
        ("", ""),
    ],
)
def test_variables_are_replaced_once_and_nothing_else_is(text, result):
    assert expanded(text, SET, "here") == result


@pytest.mark.parametrize("text", ["${NONE}", "x ${env:NONE} y", "${TOKEN}${NONE}"])
def test_a_variable_that_is_not_set_is_named_with_its_place(text):
    with pytest.raises(UnsetVariable) as unset:
        expanded(text, SET, "upstream.headers.X-Key")
    assert (unset.value.name, unset.value.place) == ("NONE", "upstream.headers.X-Key")
    assert str(unset.value) == "upstream.headers.X-Key: the environment variable NONE is not set"
    assert "s3cret" not in str(unset.value)


@given(st.text().filter(lambda text: "${" not in text))
def test_a_text_without_variables_stays_as_it_is(text):
    assert expanded(text, {}, "here") == text
