"""The accent of a server is readable on any ground, and icons are chosen by rule."""

import base64
import re
from collections import Counter

import pytest

from genui_core.domain.pages.tool_look import (
    ACCENTS,
    HUES,
    OUTLINES,
    ServerLook,
    accent,
    hue_of,
    outline_of,
    picture_of,
)
from genui_core.domain.tools.tool import Tool

LIGHT_GROUNDS = ("#ffffff", "#faf9f5")
DARK_GROUNDS = ("#16171a", "#262624")
READABLE, VISIBLE = 4.5, 3.0
PNG = "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n rest").decode()


def channels(colour):
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def luminance(colour):
    parts = [each / 255 for each in channels(colour)]
    linear = [each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
    return sum(each * weight for each, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(colour, share, ground):
    parts = zip(channels(colour), channels(ground), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in parts)


@pytest.mark.parametrize("hue", HUES)
def test_every_hue_is_readable_as_text_and_visible_as_a_shape_in_both_themes(hue):
    text_light, text_dark, fill_light, fill_dark = HUES[hue]
    for text, fill, grounds, share in (
        (text_light, fill_light, LIGHT_GROUNDS, 0.09),
        (text_dark, fill_dark, DARK_GROUNDS, 0.14),
    ):
        for ground in grounds:
            assert contrast(text, ground) >= READABLE
            assert contrast(text, mixed(fill, share, ground)) >= READABLE, "text on the tint"
            assert contrast(fill, ground) >= VISIBLE
    assert contrast(text_light, "#ffffff") >= READABLE, "words on a button"
    assert contrast(text_dark, "#101114") >= READABLE, "words on a button"


def test_a_server_has_the_same_hue_always_and_all_hues_are_used_alike():
    assert [hue_of(name) for name in ("git", "weather", "")] == [
        hue_of(name) for name in ("git", "weather", "")
    ]
    counts = Counter(hue_of(f"server-{number}") for number in range(8000))
    assert set(counts) == set(ACCENTS)
    assert max(counts.values()) < 1.2 * min(counts.values())


def test_the_hash_of_a_server_name_does_not_change_between_versions():
    assert [hue_of(name) for name in ("git", "weather", "filesystem", "Łódź 🌧", "\ud800")] == PINNED


PINNED = ["pink", "green", "teal", "blue", "green"]


@pytest.mark.parametrize("hue", HUES)
def test_the_series_of_a_chart_differ_from_the_accent_and_from_each_other(hue):
    properties = accent(hue)
    shapes = [properties[name] for name in ("--fill", "--s1", "--s2", "--s3", "--s4")]
    assert len(set(shapes)) == len(shapes)


@pytest.mark.parametrize(
    ("definition", "outline"),
    [
        ({"name": "git_log"}, "commit"),
        ({"name": "getForecast"}, "sun"),
        ({"name": "list_users"}, "people"),
        ({"name": "search"}, "search"),
        ({"name": "list_allowed_directories"}, "folder"),
        ({"name": "x1", "title": "Delete everything"}, "bin"),
        ({"name": "x1"}, "box"),
        ({"name": "x1", "annotations": {"readOnlyHint": False}}, "bolt"),
        ({"name": "x1", "annotations": "none"}, "box"),
        ({"name": "\u202e</svg>" * 1000}, "box"),
    ],
)
def test_a_tool_has_the_outline_that_its_name_or_its_hints_choose(definition, outline):
    assert outline_of(Tool(definition)) == OUTLINES[outline]


def test_outlines_are_paths_and_nothing_else():
    assert [
        each for each in OUTLINES.values() if not re.fullmatch(r"[MmLlHhVvCcSsQqAaZz0-9 .,-]+", each)
    ] == []


@pytest.mark.parametrize(
    "icons",
    [
        None,
        "x",
        {"src": PNG},
        [{"src": "https://example.com/icon.png"}],
        [{"src": "data:image/svg+xml;base64,PHN2Zy8+"}],
        [{"src": "data:text/html;base64,PHN2Zy8+"}],
        [{"src": PNG + '" onerror="alert(1)'}],
        [{"src": "data:image/png;base64,===="}],
        [{"src": PNG + "A" * 20_000}],
        [7, None, {"src": 7}],
    ],
)
def test_an_icon_that_is_no_small_picture_in_a_data_uri_is_left_out(icons):
    assert picture_of(icons) == ""


def test_a_picture_of_the_tool_s_own_is_taken():
    assert picture_of([{"src": "https://example.com/icon.png"}, {"src": PNG, "sizes": ["48x48"]}]) == PNG


@pytest.mark.parametrize("info", [None, "weather", {}, {"name": ""}, {"name": 7, "icons": [{"src": PNG}]}])
def test_a_server_that_does_not_name_itself_changes_no_look(info):
    look = ServerLook("git")
    assert look.told(info) is look


def test_a_tool_s_own_icon_stands_before_that_of_its_server():
    look = ServerLook().told({"name": "git", "icons": [{"src": PNG}]})
    own = PNG.replace("png", "gif")
    assert look.icon_of(Tool({"name": "log"})) == {"picture": PNG}
    assert look.icon_of(Tool({"name": "log", "icons": [{"src": own}]})) == {"picture": own}
