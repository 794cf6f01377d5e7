"""Strings that attack parsers of markup, addresses and scripts stay harmless as data of a view.

Each run tries a handful; with ``GENUI_ATTACK_CORPUS`` set, it tries the whole corpus. An
error on the console, a broken policy, a dialog, a window or a request fails the test by itself.
"""

import json
import os
import sys

import pytest
from attack.sources import NotFetchedError

SAMPLE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<svg/onload=alert(1)",
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " \x01javascript:alert(1)", "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>", "data:image/svg+xml,<svg onload=alert(1)>", "vbscript:msgbox(1)",
    "//a.example/x.png", "https://a.example/x.js", "\\\\a.example\\x", "blob:https://a.example/x", "file:///etc/passwd",
    "[x](javascript:alert(1))", "![x](https://a.example/x.png)", "[x](https://a.example 'onclick=alert(1)')",
    "[x]: javascript:alert(1)\n[x]", "<javascript:alert(1)>", "`<b onclick=alert(1)>`", "| a | <b onclick=alert(1)> |\n|-|-|",
    "```html\n</code><script>alert(1)</script>\n```", "# <img src=x onerror=alert(1)>", "> <iframe src=//a.example>",
    "'\"></title></style></textarea></script><script>alert(1)</script>", "<!--><script>alert(1)</script>-->",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>", "<base href=//a.example>", "<object data=x>",
    "<meta http-equiv=refresh content='0;url=//a.example'>", "<link rel=stylesheet href=//a.example>", "<math><a href=x>",
    "<table><base href=//a.example><tr><td>x</td></tr></table>", "<table><BASE/href=//a.example><tr><td>x</table>",
    "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'></svg>",
    "<style>@import '//a.example';</style>", "x' style='background:url(//a.example)", "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}", "#{alert(1)}", "<%= alert(1) %>", "__proto__", "constructor", "toString", "hasOwnProperty", "valueOf",
    "=cmd|'/c calc'!A1", "\u202e\u2066x\u2069", "\x00\x1b[2J", "a\u2028b\u2029c", "\ud800", "</template><b onclick=alert(1)>",
    "var(--x);background:url(//a.example)", "url(//a.example)", "expression(alert(1))", "2024-01-01T00:00:00<b>", "1e999",
]  # fmt: skip
BATCH = 400
NAMES = 40
LONGEST_NAME = 120
BETWEEN = "\n\n"
SHORT = 1_900
"""The length of a title or a description that a view shows in full, however large the rest is."""


def attack_strings():
    """Return all available strings and ""; None and the reason if the corpus cannot be fetched."""
    strings = list(SAMPLE)
    if os.environ.get("GENUI_ATTACK_CORPUS"):
        from attack.harvest import addresses, markup_strings, scripts  # noqa: PLC0415 -- fetches

        try:
            strings += [*addresses(), *markup_strings(), *scripts()]
        except NotFetchedError as reason:
            return None, str(reason)
    return strings, ""


def batches(most, longest=sys.maxsize):
    """Return all strings in batches of at most ``most`` strings and ``longest`` characters, one per view."""
    strings, reason = attack_strings()
    if strings is None:
        return [pytest.param([], marks=pytest.mark.skip(reason=reason))]
    found, length = [[]], 0
    for each in strings:
        length += len(each) + len(BETWEEN)
        if found[-1] and (len(found[-1]) == most or length > longest):
            found.append([])
            length = len(each)
        found[-1].append(each)
    return found


def in_batches(*bounds):
    return pytest.mark.parametrize(
        "strings", batches(*bounds), ids=lambda strings: f"{len(strings)} from {strings[:1]!a:.20}"
    )


MANY = in_batches(BATCH)
FEW = in_batches(NAMES, SHORT)


def assert_harmless(screen):
    """Check that a view holds no element, handler or address of an attack string.

    The host reports scripts that ran and requests. Pictures in the data are shown as pictures, which run nothing.
    """
    # The browser says so of handlers in markup that the kit only reads, in a document that runs nothing.
    screen.host.expected = ("Executing inline event handler violates",)
    foreign = "main script, main style, main iframe, main object, main embed, main base, main meta, main link, main form[action]"
    assert screen.frame.locator(foreign).count() == 0
    handlers = "[...document.querySelectorAll('main *')].some(one => [...one.attributes].some(each => /^on/.test(each.name)))"
    assert screen.frame.evaluate(handlers) is False
    addresses = (
        "[...document.querySelectorAll('main [href], main [src], main [srcdoc]')]"
        ".filter(one => !one.matches('img[src^=\"data:image/\"]')).map(one => one.outerHTML)"
    )
    assert screen.frame.evaluate(addresses) == []


@FEW
def test_attack_strings_are_harmless_as_names_texts_and_choices_of_a_tool(show, strings):
    names = {each[:LONGEST_NAME]: {"type": "string", "title": each, "default": each} for each in strings}
    together = BETWEEN.join(strings)
    definition = {
        "name": together,
        "title": together,
        "description": together,
        "annotations": {"title": together},
        "inputSchema": {
            "type": "object",
            "description": together,
            "properties": names
            | {
                "pick one": {"enum": strings},
                "pick many": {"type": "array", "items": {"enum": strings}},
                "either": {"oneOf": [{"title": each, "const": each} for each in strings]},
                "checked": {
                    "type": "string",
                    "format": strings[0],
                    "pattern": strings[-1][:100],
                    "examples": strings,
                },
            },
        },
    }
    screen = show(definition)
    assert screen.frame.get_by_role("main").text_content()
    assert_harmless(screen)


@FEW
def test_attack_strings_are_harmless_as_texts_links_and_pictures_of_a_result(show_result, text, strings):
    screen = show_result(
        *(text(each) for each in strings),
        *({"type": "resource_link", "uri": each, "name": each, "mimeType": each[:50]} for each in strings),
        *({"type": "image", "data": each, "mimeType": "image/svg+xml"} for each in strings),
        *({"type": "image", "data": "AAAA", "mimeType": each[:50]} for each in strings),
        *({"type": "resource", "resource": {"uri": each, "mimeType": "text/html", "text": each}} for each in strings),
    )  # fmt: skip
    unfold(screen)
    assert_harmless(screen)


@MANY
def test_attack_strings_are_harmless_as_one_text_of_markdown(show_result, text, strings):
    screen = show_result(
        text("# Title\n\n* item\n\n" + "\n\n".join(strings) + "\n\n**end** of [it](https://a.example)")
    )
    unfold(screen)
    assert_harmless(screen)


@MANY
@pytest.mark.parametrize(
    "shape",
    {
        "rows": lambda strings: {
            "rows": [{"name": each, "url": each, "image": each, "n": 1} for each in strings]
        },
        "keys": lambda strings: {each: each for each in strings},
        "series": lambda strings: {"points": [{"label": each, "value": n} for n, each in enumerate(strings)]},
        "dates": lambda strings: {"rows": [{"date": each, "price": each, "email": each} for each in strings]},
        "nested": lambda strings: {"deep": {each: {each: [[each]]} for each in strings[:NAMES]}},
        "list": lambda strings: {"items": strings},
        "error": lambda strings: {"error": {"message": "\n".join(strings)}},
    }.values(),
    ids=["rows", "keys", "series", "dates", "nested", "list", "error"],
)
def test_attack_strings_are_harmless_as_structured_data(show_result, text, strings, shape):
    structured = shape(strings)
    screen = show_result(text(json.dumps(structured)), structured=structured)
    unfold(screen)
    assert_harmless(screen)
    screen.button("Raw JSON").click()
    assert_harmless(screen)


def unfold(screen):
    """Open folded parts, up to a number."""
    for folded in screen.result.locator("summary").all()[:NAMES]:
        if folded.is_visible():
            folded.click()
