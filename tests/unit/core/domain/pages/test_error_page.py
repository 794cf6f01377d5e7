"""Shows requirement G7."""

import html

import html5lib
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.pages.minimal_view import error_page
from genui_core.domain.pages.page_frame import ESCAPES

HOSTILE = "</title></pre><script>alert(1)</script><img src=x onerror=alert(1)>"


def parsed(page):
    return html5lib.parse(page.encode(), namespaceHTMLElements=False, transport_encoding="utf-8")


PARTS = [each.tag for each in parsed(error_page("a", "b", {})).iter()]


def test_the_error_page_has_name_reason_and_data():
    tree = parsed(error_page(HOSTILE, f"It broke: {HOSTILE}", {"description": HOSTILE}))
    assert tree.find(".//h1").text == HOSTILE
    assert HOSTILE in tree.find(".//p").text
    assert HOSTILE in tree.find(".//pre").text
    assert [each.tag for each in tree.iter()] == PARTS


@given(st.text(), st.text(), st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_no_text_adds_an_element(name, reason, raw):
    assert [each.tag for each in parsed(error_page(name, reason, raw)).iter()] == PARTS


def test_data_that_are_no_json_or_endless_are_still_shown():
    endless = []
    endless.append(endless)
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert "too deep" in error_page("a", "b", deep)
    assert "[[...]]" in error_page("a", "b", endless)
    assert "object at" in error_page("a", "b", object())
    assert len(error_page("a" * 10**6, "b" * 10**6, "<" * 10**6)) < 300_000


@given(st.text())
def test_a_text_is_escaped_as_the_standard_library_escapes_it(text):
    assert text.translate(ESCAPES) == html.escape(text)
