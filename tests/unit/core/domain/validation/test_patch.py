"""Search/replace blocks: how they are read, what they change, and when nothing is changed (requirement V1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.validation.extraction import DIVIDER, REPLACE, SEARCH, patchable_source, patched

VIEW = """<style>
.view { color: red }
</style>
<template>
<div class="view"><p></p><p></p></div>
</template>
<script>
function render(data, ui) {
  ui.root.append(ui.table(data.rows));
  ui.root.append(ui.badge("open"));
}
</script>
"""


def block(search, replacement):
    return "\n".join([SEARCH, search, DIVIDER, *([replacement] if replacement else []), REPLACE, ""])


def rules(found):
    return [each.rule for each in found]


def test_a_block_replaces_a_part_of_a_line():
    assert patched(block("red", "blue"), VIEW) == VIEW.replace("red", "blue")


def test_blocks_apply_to_the_view_as_it_was_in_whatever_order_they_come():
    answer = block('ui.badge("open")', 'ui.badge("red")') + block("red", "open")
    assert patched(answer, VIEW) == VIEW.replace('badge("open")', 'badge("red")').replace(": red", ": open")


def test_a_block_deletes_and_another_inserts_lines():
    deleted = block('  ui.root.append(ui.badge("open"));', "")
    assert patched(deleted, VIEW) == VIEW.replace('  ui.root.append(ui.badge("open"));', "")
    inserted = block("data.rows));", "data.rows));\n  note(ui);")
    assert patched(inserted, VIEW) == VIEW.replace("data.rows));", "data.rows));\n  note(ui);")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_endings_of_the_answer_and_of_the_view_make_no_difference(end):
    answer = block("  ui.root.append(ui.table(data.rows));\n  ui.root", "  ui.root").replace("\n", end)
    source = patchable_source(VIEW.replace("\n", end), document=False)
    assert patched(answer, source) == VIEW.replace("  ui.root.append(ui.table(data.rows));\n", "")


def test_lines_end_at_line_breaks_only_and_not_at_other_separators():
    source = VIEW.replace("red", "red\u2028\x0b\x0c\x85")
    assert patched(block("red\u2028\x0b\x0c\x85", "blue"), source) == VIEW.replace("red", "blue")


@pytest.mark.parametrize(
    "around",
    [
        "I changed the colour.\n\n{}\nAnything else?",
        "```\n{}```\n<!--end-->",
        f"<think>\n{SEARCH}\nnot this\n{DIVIDER}\nnor this\n{REPLACE}\n</think>\n{{}}",
        "A heading\n=======\nI change the `<script>`:\n{}",
    ],
    ids=["prose", "a code fence", "a thought", "a heading that is underlined"],
)
def test_words_around_the_blocks_change_nothing(around):
    assert patched(around.replace("{}", block("red", "blue")), VIEW) == VIEW.replace("red", "blue")


def test_marker_lines_may_end_with_spaces():
    answer = block("red", "blue").replace(DIVIDER, f"{DIVIDER}  ").replace(SEARCH, f"{SEARCH}\t")
    assert patched(answer, VIEW) == VIEW.replace("red", "blue")


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I cannot.",
        VIEW,
        f"Here is all of it:\n{VIEW}\n{block('red', 'blue')}",
        "```html\n<!DOCTYPE html>\n<html></html>\n```\n" + block("red", "blue"),
        "x" * 1_100_000 + "\n" + block("red", "blue"),
    ],
    ids=["nothing", "prose", "a view", "a view before blocks", "a document", "too long"],
)
def test_an_answer_without_blocks_before_a_view_is_no_patch(answer):
    assert patched(answer, VIEW) is None


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (block("green", "blue"), "patch.missing"),
        (block("Red", "blue"), "patch.missing"),
        (block(".view  {", "blue"), "patch.missing"),
        (block("<p></p>", "<b></b>"), "patch.ambiguous"),
        (block("red", "blue") + block("red }", "green }"), "patch.overlapping"),
        (block("red", "blue") + block("red", "green"), "patch.overlapping"),
        (block("red", "red"), "patch.unchanged"),
        (block("", "blue"), "patch.form"),
        (block("  ", "blue"), "patch.form"),
        (block("red", "blue")[: -len(REPLACE) - 1], "patch.form"),
        (f"{SEARCH}\nred\n{REPLACE}\n", "patch.form"),
        (f"{SEARCH}\nred\n", "patch.form"),
        (block("red", f"blue\n{DIVIDER}\ngreen"), "patch.form"),
        (block("red", block("a", "b")), "patch.form"),
        (block("red", "blue") + f"{REPLACE}\n", "patch.form"),
        (block("red", "blue") + f"{SEARCH}\nopen", "patch.form"),
        (block("red", "blue") * 101, "patch.form"),
    ],
)
def test_blocks_without_a_clear_meaning_change_nothing(answer, rule):
    assert rule in rules(patched(answer, VIEW))


def test_an_overlapping_match_is_a_second_place():
    assert rules(patched(block("aa", "b"), "aaa")) == ["patch.ambiguous"]


def test_every_block_without_a_place_has_a_finding_that_quotes_it():
    findings = patched(block("green", "") + block("red", "blue") + block("<p></p>", ""), VIEW)
    assert [(each.rule, each.line, each.excerpt) for each in findings] == [
        ("patch.missing", 2, "green"),
        ("patch.ambiguous", 11, "<p></p>"),
    ]


def test_a_view_is_shown_for_a_patch_without_its_end_marker():
    assert patchable_source(f"{VIEW}<!--end-->\n", document=False) == VIEW
    document = "<!DOCTYPE html>\n<html></html>\n"
    assert patchable_source(document, document=True) == document


def test_a_view_of_the_other_kind_or_with_marker_lines_is_not_patched():
    assert patchable_source(VIEW, document=True) == ""
    assert patchable_source("\n<!doctype html><html></html>", document=False) == ""
    assert patchable_source(VIEW.replace("red", f"red\n{DIVIDER}\n"), document=False) == ""
    assert patchable_source("", document=False) == ""


LINES = st.text(alphabet="ab<>=-\n \u2028\t", max_size=30)


@given(st.lists(st.tuples(LINES, LINES), min_size=1, max_size=6), LINES)
def test_applying_blocks_gives_the_text_that_was_meant(edits, last):
    pairs = [(f"{old}#{number}", f"{new}#") for number, (old, new) in enumerate(edits)]
    source = "".join(f"|{number}|{old}" for number, (old, _) in enumerate(pairs)) + last
    wanted = "".join(f"|{number}|{new}" for number, (_, new) in enumerate(pairs)) + last
    answer = "".join(block(old, new) for old, new in reversed(pairs))
    shown = patchable_source(source, document=False)
    texts = [f"\n{text}\n" for pair in pairs for text in pair]
    if not shown or any(f"\n{DIVIDER}" in text for text in texts):
        return
    assert patched(answer, source) == wanted


@given(st.lists(st.sampled_from([SEARCH, DIVIDER, REPLACE, "red", "p", "", "<b>", "```"]), max_size=14))
def test_text_between_markers_changes_only_what_a_block_names(lines):
    found = patched("\n".join(lines), VIEW)
    assert found is None or found
    if isinstance(found, str):
        before, after = VIEW.split("red")
        assert found.startswith(before)
        assert found.endswith(after)
