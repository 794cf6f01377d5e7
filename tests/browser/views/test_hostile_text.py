"""A view shows a server's text as text: it runs nothing, loads nothing and adds no element (requirement M5)."""

import pytest
from playwright.sync_api import expect

PLANT = (
    '"\'`><img id="planted" src=x onerror="globalThis.canary=1">'
    "</script><script>globalThis.canary=1</script></style></title></textarea>"
    "<!--<svg onload=canary=1> {{{braces}}} ${canary=1} %s &lt;b&gt; javascript:canary=1"
)
HOSTILE = {
    "markup": PLANT,
    "lines": f"first\r\n\t{PLANT}\nlast\u2028\u2029",
    "right to left": "\u202e\u0634\u0627\u0647\u062f \u2066\u0627\u0644\u0646\u0635\u2069 עברית " + PLANT,
    "NUL": f"a\u0000b\u0007{PLANT}",
    "lone surrogate": f"a\ud800b{PLANT}\udfff",
    "100 KB": PLANT + "x" * 100_000 + PLANT,
}

LONGEST_IN_A_SCHEMA = 4_000

pytestmark = [pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE), pytest.mark.matrix(quick=3)]


def assert_harmless(screen):
    """Check that no script ran and no element was added; a network request fails the test by itself."""
    assert screen.frame.evaluate("globalThis.canary") is None
    assert screen.host.page.evaluate("globalThis.canary") is None
    assert (
        screen.frame.locator("#planted, svg:not(.icon), main style, main script, iframe, object").count() == 0
    )


def seen(screen):
    """Return all text of the view, with the values of its controls."""
    controls = "[...document.querySelectorAll('input, textarea')].map(one => one.value)"
    return screen.frame.locator("main").text_content() + "\n".join(screen.frame.evaluate(controls))


def test_hostile_text_in_a_tools_definition_stays_text(show, words):
    definition = {
        "name": words,
        "title": words,
        "description": words,
        "annotations": {"title": words, "destructiveHint": True},
        "inputSchema": {"type": "object", "description": words, "title": words},
    }
    screen = show(definition)
    assert seen(screen).count("onerror") >= 2
    screen.run_button.click()
    screen.frame.get_by_role("button", name="now").click()
    assert screen.host.wait_for_calls()[0]["name"] == words
    assert_harmless(screen)


def test_hostile_text_in_a_form_stays_text(show, words):
    words = words[:LONGEST_IN_A_SCHEMA]
    definition = {
        "name": "tool",
        "inputSchema": {
            "type": "object",
            "properties": {
                words: {"type": "string", "default": words, "description": words},
                "pick": {"enum": [words, "b"], "title": words, "examples": [words]},
                "many": {"type": "array", "items": {"enum": [words]}},
                "fixed": {"const": words},
                "group": {"type": "object", "title": words, "properties": {words: {"type": "integer"}}},
                "either": {"oneOf": [{"title": words, "type": "string"}, {"const": words}]},
                "checked": {"type": "string", "pattern": words, "format": words},
            },
            "required": [words, "fixed"],
        },
    }
    screen = show(definition)
    assert "onerror" in seen(screen)
    screen.frame.locator("select[data-field=pick]").select_option(index=1)
    sent = screen.submit()
    assert sent["pick"] == words
    assert sent["fixed"] == words
    assert sent[words].count("onerror") == words.count("onerror")
    assert_harmless(screen)


def test_hostile_text_in_tool_input_stays_text(show_form, words):
    properties = {"words": {"type": "string", "maxLength": 999_999}, "keys": {"type": "object"}}
    given = {"words": words, "keys": {words: words}, words: words}
    screen = show_form(properties, tool_input=given)
    expect(screen.control("Words")).not_to_have_value("")
    assert screen.submit() == given
    assert_harmless(screen)


def test_hostile_text_in_results_stays_text(show_result, text, words):
    screen = show_result(
        text(words),
        {"type": "resource", "resource": {"uri": words, "mimeType": words, "text": words}},
        {"type": "resource_link", "uri": words, "name": words, "description": words, "mimeType": words},
        {"type": "image", "data": words, "mimeType": words},
        {"type": "audio", "data": "AAAA", "mimeType": words[:50]},
        {"type": words, "text": words},
        structured={
            words: words,
            "rows": [{words: words}, {words: [words]}],
            "deep": {words: {words: [[words]]}},
        },
        profile="opaque",
    )
    expect(screen.state).to_have_text("Done")
    for folded in screen.result.locator("summary").all():
        folded.click()
    assert seen(screen).count("onerror") >= 8
    assert_harmless(screen)
    screen.button("Raw JSON").click()
    assert_harmless(screen)


def test_hostile_text_in_failures_and_in_the_hosts_context_stays_text(show_result, words, text):
    screen = show_result(text(words), is_error=True, structured={"message": words})
    expect(screen.result.get_by_role("alert")).to_contain_text("javascript:canary=1")
    screen.host.cancel(words)
    expect(screen.state).to_have_text("Cancelled")
    expect(screen.result).to_contain_text("javascript:canary=1")
    variables = {"--color-background-primary": words, "--x": words, words: words}
    screen.host.context(locale=words, theme=words, styles={"variables": variables})
    assert screen.host.ask("ping")["result"] == {}
    assert_harmless(screen)
