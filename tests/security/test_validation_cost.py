"""The cost of a validation as a count of function calls, which is the same on every machine."""

import sys

import pytest
from large_pages import large_document, large_fragment

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.markup.source import markup_in_script, read_markup
from genui_core.domain.validation.style_rules import style_rules
from genui_core.domain.validation.validate import validate

CONTEXT = {
    mode: ValidationContext(mode=mode, callable_tools=frozenset({"list"}), nonce="4f1c9a77")
    for mode in ("fragment", "document")
}
FRAGMENT = (
    "<style>{style}</style>\n<template>\n<p></p>\n</template>\n<script>\n{script}\n</script>\n<!--end-->\n"
)
DOCUMENT = (
    '<!DOCTYPE html><html lang="en"><head><title>View</title><style>{style}</style></head><body><p></p>'
    '<script type="module">{script}</script></body></html>'
)
RULES = "\n".join(
    f".a{each} > .b:hover {{ color: var(--c{each}); margin: {each}px auto }}" for each in range(60)
)
RENDER = "function render(data, ui) {{ const x = document.querySelector('p'); {} }}"
CHOICES = "".join(f"${{data.a{each} ? '<b class=\"a\">z</b>' : '<i id=\"b\">y</i>'}}" for each in range(6))


@pytest.mark.parametrize(
    ("mode", "page", "most"), [("document", large_document(), 18.6), ("fragment", large_fragment(), 15.5)]
)
def test_each_character_of_a_large_page_takes_few_calls(mode, page, most):
    assert _calls_of_validation(page, mode) < most * len(page)


@pytest.mark.parametrize("mode", ["document", "fragment"])
def test_a_style_is_read_once_however_often_its_page_is_read(mode):
    page = DOCUMENT if mode == "document" else FRAGMENT
    script = "const app = new App(); location.hash = 'a';" + RENDER.format("")
    without = _calls_of_validation(page.format(style="", script=script), mode)
    style_rules.cache_clear()
    alone = _calls_of(lambda: style_rules(RULES))
    assert _calls_of_validation(page.format(style=RULES, script=script), mode) < without + 1.5 * alone


def test_plain_markup_with_many_choices_costs_no_parser():
    one = _calls_of_validation(FRAGMENT.format(style="", script=RENDER.format("x.innerHTML = `<b>z</b>`")))
    many = FRAGMENT.format(style="", script=RENDER.format(f"x.innerHTML = `<div>{CHOICES}</div>`"))
    markup_in_script.cache_clear()
    parsed = _calls_of(lambda: read_markup("<div>" + '<b class="a">z</b>' * 6 + "</div>"))
    assert _calls_of_validation(many) < one + 20 * parsed


def _calls_of_validation(page, mode="fragment"):
    style_rules.cache_clear()
    markup_in_script.cache_clear()
    return _calls_of(lambda: validate(page, CONTEXT[mode]))


def _calls_of(work):
    """Return how many functions are called, those of the library too."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls
