"""The view in a model's answer is found, whatever text is around it (requirement V1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.validation.extraction import Fragment, block_in, document_in, fragment_in

STYLE, TEMPLATE = ".view { color: red }", '<div class="view"><template><p></p></template></div>'
SCRIPT = 'function render(data, ui) { ui.root.append("<p>") }'
PLAIN = f"<style>\n{STYLE}\n</style>\n<template>\n{TEMPLATE}\n</template>\n<script>\n{SCRIPT}\n</script>\n<!--end-->"
FRAGMENT = Fragment(style=STYLE, template=TEMPLATE, script=SCRIPT)


@pytest.mark.parametrize(
    "answer",
    [
        PLAIN,
        f"Here is the view you asked for:\n\n```html\n{PLAIN}\n```\nI hope it helps. Use <style> tags with care.",
        f"<think>First a draft: <script>no</script> …</think>\n{PLAIN}",
        f"{PLAIN}\n\nAnd another:\n{PLAIN.replace('red', 'blue')}",
        PLAIN.replace("<style>", '<STYLE type="text/css">').replace("</style>", "</Style >"),
        PLAIN.removesuffix("<!--end-->"),
    ],
)
def test_a_fragment_is_found_in_an_answer(answer):
    assert fragment_in(answer) == FRAGMENT


def test_a_fragment_is_written_as_it_is_read():
    assert fragment_in(FRAGMENT.text) == FRAGMENT


def test_a_style_may_be_left_out_and_the_order_does_not_matter():
    answer = f"<script>{SCRIPT}</script><template>{TEMPLATE}</template>"
    assert fragment_in(answer) == Fragment(template=TEMPLATE, script=SCRIPT)


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        (PLAIN[: PLAIN.index("append")], ("script",)),
        (PLAIN[: PLAIN.index("</div>")], ("template", "script")),
        (f"<script>{SCRIPT}</script>", ("template",)),
    ],
)
def test_a_missing_or_truncated_block_is_named(answer, missing):
    found = fragment_in(answer)
    assert set(found.missing) == set(missing)


@pytest.mark.parametrize(
    "answer", ["", "I cannot do that.", "<style>.a{}</style>", "```html\n```", "<html></html>"]
)
def test_an_answer_without_a_fragment_has_none(answer):
    assert fragment_in(answer) is None


DOCUMENT = "<!DOCTYPE html>\n<html lang=en><body><script>x</script></body></html>"


@pytest.mark.parametrize(
    "answer",
    [
        DOCUMENT,
        f"Sure!\n```html\n{DOCUMENT}\n```\nDone.",
        f"<thinking><!DOCTYPE html><html></html></thinking>{DOCUMENT}",
        f"{DOCUMENT}\n\nA second one:\n<!DOCTYPE html><html></html>",
    ],
)
def test_a_document_is_found(answer):
    assert document_in(answer) == DOCUMENT


def test_tags_of_thoughts_are_words_in_a_view():
    script = 'function render(data, ui) { ui.show(data.text.split("<think>")[1].split("</think>")[0]) }'
    assert fragment_in(f"<think>So</think>{PLAIN.replace(SCRIPT, script)}").script == script
    document = DOCUMENT.replace(">x<", f">{script} '<thinking>'<")
    assert document_in(f"<think>So</think><reasoning>a</reasoning>{document}") == document


@pytest.mark.parametrize("script", ["const sample = '<html></html>';", "// ends with </HTML >\nx('</html>')"])
def test_the_end_tag_of_a_sample_ends_no_document(script):
    document = DOCUMENT.replace(">x<", f">{script}<")
    assert document_in(f"{document}\n\nA second one:\n{DOCUMENT}") == document


def test_a_document_whose_script_breaks_off_ends_where_it_says():
    assert document_in("<html><script>x</html>\n</html> That was it.") == "<html><script>x</html>"


def test_a_document_that_breaks_off_is_taken_to_its_end():
    assert document_in(f"```html\n{DOCUMENT[:40]}\n```") == DOCUMENT[:40]
    assert document_in("no document") is None


def test_one_block_is_found_alone():
    assert block_in("Repaired:\n```\n<script>\nlet a;\n</script>\n```", "script") == "let a;"
    assert block_in("<style>a{}</style>", "script") is None


@given(st.text(alphabet="<>/stylemprac !-ed`\n", max_size=400))
def test_any_answer_can_be_read(answer):
    for found in (fragment_in(answer), document_in(answer), block_in(answer, "script")):
        assert found is None or found


@pytest.mark.parametrize(
    "piece",
    [
        "<template>",
        "<script>",
        "<script></html>",
        "<think>",
        "<think></think>",
        "<style ",
        "```\n",
        "<!--end-->",
        "<html",
    ],
)
def test_long_nonsense_is_read_in_time(piece):
    fragment_in(piece * 20_000)
    document_in(piece * 20_000)
