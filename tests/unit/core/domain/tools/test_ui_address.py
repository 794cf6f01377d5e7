"""Shows requirement U1."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from genui_core.domain.tools.tool import means_missing, tool_name_of, ui_address
from genui_core.errors import InvalidAddress


@given(st.text(min_size=1), st.none() | st.from_regex("[0-9a-f]{8}", fullmatch=True))
@example("a/b?v=1#c", "01234567")
@example("\ud800 lone", None)
@example("..", None)
def test_any_name_comes_back_from_its_address(name, version):
    address = ui_address(name, version)
    assert tool_name_of(address) == name
    assert address.isascii()
    assert address.isprintable()


def test_plain_names_stay_readable():
    assert ui_address("get_weather-2.now", "01ab23cd") == "ui://get_weather-2.now?v=01ab23cd"


def test_different_names_have_different_addresses():
    assert ui_address("a b") != ui_address("a%20b")


@pytest.mark.parametrize("other", ["https://x", "ui://", "ui:/x", "", "demo://resource/1", "ui://%ff%fe"])
def test_other_addresses_are_refused(other):
    with pytest.raises(InvalidAddress):
        tool_name_of(other)


@pytest.mark.parametrize(
    ("uri", "method", "knows", "lacks", "missing"),
    [
        ("ui://a", "resources/read", True, False, True),
        ("UI://a", "resources/read", True, False, True),
        ("ui://a", "resources/read", False, True, False),
        ("ui://a", "resources/subscribe", True, True, True),
        ("ui://a", "resources/subscribe", True, False, False),
        ("file:///a", "resources/read", True, True, False),
        (7, "resources/read", True, True, False),
    ],
)
def test_an_unknown_method_means_a_missing_view(uri, method, knows, lacks, missing):
    assert means_missing(uri, method, knows_all_tools=knows, lacks_resources=lacks) is missing
