"""The arguments of wrapper tools are checked (requirement T3)."""

import math

import pytest

from genui_core.application.own_tools.calls import _tool_functions
from genui_core.application.own_tools.tool_answers import Arguments
from genui_core.domain.tools.wrapper_tools import NAMES, REFRESH_TOOLS
from genui_core.errors import InvalidArguments


def test_every_tool_has_a_function_besides_the_one_that_lists_the_upstreams_tools_again():
    assert _tool_functions().keys() == {*NAMES} - {REFRESH_TOOLS}


@pytest.mark.parametrize("value", [0, 1, 1.0, 10**30])
def test_a_whole_number_is_one_however_it_is_written(value):
    assert Arguments({"version": value}).number("version", "a number") == value


@pytest.mark.parametrize("value", [None, True, False, "1", 1.5, -3, math.inf, -math.inf, math.nan, [1]])
def test_any_other_argument_is_refused_with_its_name(value):
    with pytest.raises(InvalidArguments, match="version must be a number"):
        Arguments({"version": value}).number("version", "a number")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "seconds must be a number of seconds from 0 to 50, and is missing."),
        ({"seconds": None}, "seconds must be a number of seconds from 0 to 50, not null."),
        ({"seconds": 51}, "seconds must be a number of seconds from 0 to 50, not 51."),
        ({"seconds": "x" * 200}, f'seconds must be a number of seconds from 0 to 50, not "{"x" * 78}….'),
    ],
)
def test_the_error_says_what_the_argument_must_be_and_what_it_is(given, said):
    with pytest.raises(InvalidArguments) as error:
        Arguments(given).number("seconds", "a number of seconds", most=50)
    assert str(error.value) == said
