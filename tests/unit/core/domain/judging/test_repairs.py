"""What is mended without asking, and that it is mended once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.finding import Block, Ruling
from genui_core.domain.judging.brief import JudgeBrief
from genui_core.domain.judging.judge import judge
from genui_core.domain.judging.markup.source import read_markup
from genui_core.domain.judging.repairs.markup_repairs import MARKUP_REPAIRS

BRIEF = JudgeBrief(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77")


@pytest.mark.parametrize(
    ("template", "repair", "expected"),
    [
        ('<input name="city_name">', "controls_labelled", '<input aria-label="City name" name="city_name">'),
        (
            "<p>x<select id=a-b></select>",
            "controls_labelled",
            '<p>x<select aria-label="A b" id=a-b></select>',
        ),
        (
            "<textarea placeholder='\"Words\" &amp; more'></textarea>",
            "controls_labelled",
            '<textarea aria-label="&quot;Words&quot; &amp; more" placeholder=\'"Words" &amp; more\'></textarea>',
        ),
        ('<a href="https://a.example" target=_top class=b>x</a>', "links_closed", "<a class=b>x</a>"),
        ("<svg><a xlink:href='//a.example'/></svg>", "links_closed", "<svg><a/></svg>"),
        ('<a href="data:image/svg+xml,x" class=b>x</a>', "links_closed", "<a class=b>x</a>"),
        ('<a class=b href="javascript:void(0)">x</a>', "empty_code_dropped", "<a class=b>x</a>"),
        ("<a href='java&#10;script:;'>x</a>", "empty_code_dropped", None),
        ('<link rel=preconnect href="https://a.example"><p>x</p>', "hints_dropped", "<p>x</p>"),
        ('<img src="#" alt="">', "own_address_dropped", '<img alt="">'),
        ("<img alt='' srcset='# 1x, #x 2x'>", "own_address_dropped", "<img alt=''>"),
        ('<img src=" About:blank" alt=x>', "own_address_dropped", "<img alt=x>"),
        ("<video poster='#'></video>", "own_address_dropped", "<video></video>"),
        ('<svg><image xlink:href="#a"/></svg>', "own_address_dropped", "<svg><image/></svg>"),
        (
            '<form action="#" id=f><button>x</button></form>',
            "own_address_dropped",
            "<form id=f><button>x</button></form>",
        ),
        ('<button formtarget="_top" id=b>x</button>', "links_closed", "<button id=b>x</button>"),
        ('<a href="about:blank" class=b>x</a>', "links_closed", "<a class=b>x</a>"),
        ('<img src="#" srcset="https://a.example 2x" alt="">', "own_address_dropped", None),
        ('<meta http-equiv="Content-Security-Policy" content="x"><p>x</p>', "policies_dropped", "<p>x</p>"),
    ],
)
def test_markup(judged, template, repair, expected):
    verdict = judged(template=template)
    if expected is None:
        assert verdict.ruling is Ruling.REFUSED
        return
    assert (verdict.ruling, verdict.repairs, verdict.findings) == (Ruling.REPAIRED, (repair,), ())
    assert f"\n{expected}\n" in verdict.source


@pytest.mark.parametrize(
    "script",
    [
        'import { App } from "@modelcontextprotocol/ext-apps";\nfunction render() {}',
        'import { ui } from "@mcp-gen-ui/kit";\nexport function render() {}',
        "export const render = () => {};",
    ],
)
def test_imports_and_exports_of_a_fragment(judged, script):
    verdict = judged(render=script)
    assert (verdict.ruling, verdict.repairs) == (Ruling.REPAIRED, ("imports_dropped",))
    assert "import" not in verdict.source
    assert "export" not in verdict.source


def test_a_template_that_breaks_off_is_closed_and_the_script_asked_for(brief):
    verdict = judge("<template><div class=view><p>x</p>", brief)
    assert (verdict.ruling, verdict.broken, verdict.repairs) == (
        Ruling.FIXABLE,
        Block.SCRIPT,
        ("template_closed",),
    )


def test_a_control_without_any_name_is_only_noted(judged):
    verdict = judged(template="<input>")
    assert (verdict.ruling, verdict.findings[0].rule) == (Ruling.ACCEPTED, "label.unclear")


PIECES = st.sampled_from(
    [
        "<input name=a>", "<a href='https://a.example' target=_top>", "<a href=javascript:void(0)>", "</a>", "<p>",
        "<link rel=preconnect href=//a>", "<select id='x y'>", "</select>", "<b onclick=a()>", "<!--", "-->", "<svg>",
        "<table>", "<input name=\"<a href='//b'>\">", "x", '"', "'", "<", ">", "<template>", "</template>", "ä",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_repair_changes_nothing_the_second_time(source):
    for _, repair in MARKUP_REPAIRS.values():
        once = repair(source, read_markup(source))
        assert repair(once, read_markup(once)) == once


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_repaired_view_is_accepted_as_it_is(source):
    from genui_core.domain.judging.brief import JudgeBrief  # noqa: PLC0415

    brief = JudgeBrief(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77")
    first = judge(f"<template>{source}</template><script>function render() {{}}</script>", brief)
    if first.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED):
        second = judge(first.source, brief)
        assert (second.ruling, second.source, second.repairs) == (Ruling.ACCEPTED, first.source, ())


def test_an_attribute_that_ends_the_template_is_not_taken_out_of_it():
    """Without it, the script that follows would be a part of the template."""
    answer = (
        "<style>\n</style>\n<template>\n<template><a href=</template>\n</template>\n"
        "<script>\nfunction render(data, ui) {}\n</script>\n<!--end-->"
    )
    verdict = judge(answer, BRIEF)
    assert verdict.ruling is Ruling.REFUSED
    assert "link.direct" in [each.rule for each in verdict.findings]


def test_exports_are_dropped_and_leave_nothing_behind(judged):
    verdict = judged(script="export { a as default, b };\n")
    assert (verdict.ruling, verdict.repairs) == (Ruling.REPAIRED, ("imports_dropped",))
    assert judge(verdict.source, BRIEF).source == verdict.source


@pytest.mark.parametrize(
    ("handler", "listener"),
    [
        ("load('a', 1)", "(event) => load('a', 1)"),
        ("load(this, 'this', event);", "(event) => load(event.currentTarget, 'this', event)"),
        ("return false", "(event) => event.preventDefault()"),
        (" event.preventDefault(); ", "(event) => event.preventDefault()"),
        ("load(&quot;a b&quot;, -1.5, null, true)", '(event) => load("a b", -1.5, null, true)'),
    ],
)
def test_a_handler_keeps_its_meaning_where_all_of_it_is_written_out(handler, listener):
    verdict = judge(fragment(f'<button onclick="{handler}">Load</button>'), BRIEF)
    assert (verdict.ruling, verdict.repairs) == (Ruling.REPAIRED, ("listeners_added",))
    assert f'addEventListener("click", {listener});' in verdict.source


@pytest.mark.parametrize("handler", ["load()", "'load();'", '" load() ; "'])
def test_a_handler_that_is_a_plain_call_becomes_a_listener_in_a_fragment_too(handler):
    text = fragment(f"<button onclick={handler}>Load</button><i onfocus=load()>x</i>")
    verdict = judge(text, BRIEF)
    assert (verdict.ruling, verdict.repairs) == (Ruling.REPAIRED, ("listeners_added",))
    assert "<button data-listener-1>Load</button><i data-listener-2>x</i>" in verdict.source
    for number, event in ((1, "click"), (2, "focus")):
        listening = (
            f'document.querySelector("[data-listener-{number}]").addEventListener("{event}", () => load());'
        )
        assert listening in verdict.source
    again = judge(verdict.source, BRIEF)
    assert (again.ruling, again.source) == (Ruling.ACCEPTED, verdict.source)


@pytest.mark.parametrize("handler", [
        "load(x)", "load(this.value)", "load('a' + 'b')", "load(`a`)", "load('\\'')", "load('<b>')", "load(1", "return true", "return false; x()", "load(,)",
        "load('a'); other()", "load();other()", "missing()", "missing('a')", "eval('a')", "this.x()", "load(eval('a'))",
    ],
)  # fmt: skip
def test_other_handlers_of_a_fragment_are_refused(handler):
    verdict = judge(fragment(f'<b onclick="{handler}">x</b>'), BRIEF)
    assert (verdict.ruling, verdict.repairs) == (Ruling.REFUSED, ())
    assert "handler.inline" in {each.rule for each in verdict.findings}


def fragment(template):
    script = "function load() {} function render(data, ui) { ui.root.append(String(data)); }"
    return f"<style></style><template>{template}</template><script>{script}</script><!--end-->"
