"""Repairs of a view, which are idempotent (requirement V3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Block, Ruling, Severity
from genui_core.domain.validation.markup.source import read_markup
from genui_core.domain.validation.markup_repairs import MARKUP_REPAIRS
from genui_core.domain.validation.validate import validate

CONTEXT = ValidationContext(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77")


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
        ('<meta http-equiv="Content-Security-Policy" content="x"><p>x</p>', "policies_dropped", "<p>x</p>"),
    ],
)
def test_a_repair_of_markup_leaves_the_rest_as_it_is(validated, template, repair, expected):
    report = validated(template=template)
    assert (report.ruling, report.repairs, report.findings) == (Ruling.REPAIRED, (repair,), ())
    assert f"\n{expected}\n" in report.source


@pytest.mark.parametrize(
    "script",
    [
        'import { App } from "@modelcontextprotocol/ext-apps";\nfunction render() {}',
        'import { ui } from "@mcp-gen-ui/kit";\nexport function render() {}',
        "export const render = () => {};",
    ],
)
def test_imports_and_exports_of_a_fragment_are_dropped(validated, script):
    report = validated(render=script)
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("imports_dropped",))
    assert "import" not in report.source
    assert "export" not in report.source


def test_a_template_that_breaks_off_is_closed_and_the_script_asked_for(context):
    report = validate("<template><div class=view><p>x</p>", context)
    assert (report.ruling, report.broken, report.repairs) == (
        Ruling.FIXABLE,
        Block.SCRIPT,
        ("template_closed",),
    )


def test_a_control_without_any_name_is_only_a_warning(validated):
    report = validated(template="<input>")
    assert (report.ruling, report.findings[0].rule) == (Ruling.ACCEPTED, "label.unclear")


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
    first = validate(f"<template>{source}</template><script>function render() {{}}</script>", CONTEXT)
    if first.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED):
        second = validate(first.source, CONTEXT)
        assert (second.ruling, second.source, second.repairs) == (Ruling.ACCEPTED, first.source, ())


def test_an_attribute_that_ends_the_template_is_not_taken_out_of_it():
    """Without the attribute, the script that follows would be part of the template."""
    answer = (
        "<style>\n</style>\n<template>\n<template><a href=</template>\n</template>\n"
        "<script>\nfunction render(data, ui) {}\n</script>\n<!--end-->"
    )
    report = validate(answer, CONTEXT)
    assert report.ruling is Ruling.REFUSED
    assert "link.direct" in [each.rule for each in report.findings]


def test_exports_are_dropped_and_leave_nothing_behind(validated):
    report = validated(script="export { a as default, b };\n")
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("imports_dropped",))
    assert validate(report.source, CONTEXT).source == report.source


@pytest.mark.parametrize(
    ("handler", "body"),
    [
        ("load('a', 1)", "load('a', 1)"),
        ("load(this, 'this', event);", "load(this, 'this', event);"),
        ("return false", "if ((() => { return false })() === false) event.preventDefault();"),
        (" event.preventDefault(); ", "event.preventDefault();"),
        ("load(&quot;a b&quot;, -1.5, null, true)", 'load("a b", -1.5, null, true)'),
    ],
)
def test_a_handler_keeps_its_meaning_where_all_of_it_is_written_out(handler, body):
    report = validate(fragment(f'<button onclick="{handler}">Load</button>'), CONTEXT)
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("listeners_added",))
    assert f'addEventListener("click", function (event) {{ {body} }});' in report.source


@pytest.mark.parametrize("handler", ["load()", "'load()'", '" load() "'])
def test_a_handler_that_is_a_plain_call_becomes_a_listener_in_a_fragment_too(handler):
    text = fragment(f"<button onclick={handler}>Load</button><i onfocus=load()>x</i>")
    report = validate(text, CONTEXT)
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("listeners_added",))
    assert "<button data-listener-1>Load</button><i data-listener-2>x</i>" in report.source
    for number, event in ((1, "click"), (2, "focus")):
        listening = (
            f'document.querySelector("[data-listener-{number}]")'
            f'?.addEventListener("{event}", function (event) {{ load() }});'
        )
        assert listening in report.source
    again = validate(report.source, CONTEXT)
    assert (again.ruling, again.source) == (Ruling.ACCEPTED, report.source)


@pytest.mark.parametrize("handler", [
        "load(x)", "load(1", "return false; x()", "load(,)", "load(, 1)", "load('a'); other()", "load();other()", "missing()", "missing('a')",
        "eval('a')", "load(eval('a'))", "alert(1)", "window.load()", "top.x()", "load(); parent.x()", "}) (); (() => {", "self.x",
        "fetch('x')", "await load()", "load(`${top}`)", "({ top })", "load('</script>')", "load() <!-- x",
    ],
)  # fmt: skip
def test_other_handlers_of_a_fragment_are_refused(handler):
    report = validate(fragment(f'<b onclick="{handler}">x</b>'), CONTEXT)
    assert (report.ruling, report.repairs) == (Ruling.REFUSED, ())
    assert "handler.inline" in {each.rule for each in report.findings}


@pytest.mark.parametrize(
    ("handler", "body"),
    [
        ("load(); load(2)", "load(); load(2)"),
        ("load(this.value)", "load(this.value)"),
        ("load('a' + 'b')", "load('a' + 'b')"),
        ("event.preventDefault(); load(1);", "event.preventDefault(); load(1);"),
        ("this.nextElementSibling.hidden = !this.nextElementSibling.hidden", None),
        ("if (event.key === 'Enter') load()", None),
        ("event.key === 'Enter' &amp;&amp; load()", "event.key === 'Enter' && load()"),
        ("state.open = true; load(state)", None),
        ("const n = Number(this.value); load(n)", None),
        ("document.getElementById('a').classList.toggle('open')", None),
        ("held('a'); load()", "window.held('a'); load()"),
        ("return true", None),
        ("this.style.display='none'", None),
    ],
)
def test_a_handler_of_names_of_the_script_becomes_a_listener(handler, body):
    report = validate(fragment(f'<b onclick="{handler}">x</b>'), CONTEXT)
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("listeners_added",))
    assert f'addEventListener("click", function (event) {{ {body or handler} }});' in report.source
    again = validate(report.source, CONTEXT)
    assert (again.ruling, again.source) == (Ruling.ACCEPTED, report.source)


def test_a_handler_that_becomes_a_listener_is_repaired_like_the_script_before_it():
    text = fragment("<b onclick=\"location.hash = 'b'\">x</b>").replace(
        "</script>", "location.hash = 'a';</script>"
    )
    report = validate(text, CONTEXT)
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("own_navigation_dropped", "listeners_added"))
    assert [each.rule for each in report.findings] == ["navigation.own", "navigation.own"]
    again = validate(report.source, CONTEXT)
    assert (again.ruling, again.source) == (Ruling.ACCEPTED, report.source)


def test_a_handler_that_returns_false_prevents_the_default_action():
    report = validate(fragment('<form onsubmit="load(); return false"><button>x</button></form>'), CONTEXT)
    assert "((() => { load(); return false })() === false) event.preventDefault();" in report.source


def test_code_in_the_address_of_a_link_becomes_a_listener():
    report = validate(fragment('<a href="javascript:load(%27a%27)">x</a>'), CONTEXT)
    assert report.repairs == ("listeners_added",)
    assert "function (event) { event.preventDefault(); load('a') }" in report.source
    assert "javascript:" not in report.source


@pytest.mark.parametrize(
    ("handler", "rule"),
    [
        ("document.location = 'https://a.example'", "navigation"),
        ("this.ownerDocument.defaultView.parent.x", "frame.access"),
        ("location.href = 'https://a.example'", "navigation"),
        ("import('x')", "import.dynamic"),
        ("load(this.constructor.constructor('a')())", "code.from_text"),
    ],
)
def test_the_code_of_a_handler_is_checked_as_part_of_the_script(handler, rule):
    report = validate(fragment(f'<b onclick="{handler}">x</b>'), CONTEXT)
    assert report.ruling in (Ruling.REFUSED, Ruling.FIXABLE)
    assert rule in {each.rule for each in report.findings}


DOWNLOADS = [
    "const a = document.createElement('a'); a.href = URL.createObjectURL(blob); a.download = 'x.csv'; a.click();",
    "const a = document.createElement('a'); a.href = 'data:text/csv,x'; a.setAttribute('download', 'x'); a.click();",
    "Object.assign(document.createElement('a'), { href: url, download: 'x' }).click();",
    "const a = ui.el('a', { href: url, download: 'x' }); a.dispatchEvent(new MouseEvent('click'));",
    "const a = document.createElement('a'); a.download = 'x'; a?.click()",
]


@pytest.mark.parametrize("script", DOWNLOADS)
def test_a_click_that_saves_a_file_asks_the_page_to_save_it(validated, script):
    report = validated(render=f"function render(data, ui) {{ const url = 'data:,', blob = data; {script} }}")
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("downloads_through_kit",))
    assert 'dispatchEvent(new CustomEvent("mcp-gen-ui-download", { detail: ' in report.source
    assert ".click" not in report.source
    assert validate(report.source, CONTEXT).ruling is Ruling.ACCEPTED


@pytest.mark.parametrize(
    ("script", "left"),
    [
        ("location.hash = 'a'", "void ('a')"),
        ("f()\nwindow.location.hash += g()", "f()\nvoid (g())"),
        ("document.location.hash = a", "void (a)"),
        ("x.onclick = () => location.hash = 'a'", "x.onclick = () => ('a')"),
        ("location.reload()", "void (0)"),
        ("x.onclick = () => window.location.reload()", "x.onclick = () => (0)"),
    ],
)
def test_changes_of_the_own_address_are_dropped_and_noted(validated, script, left):
    report = validated(script=script)
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("own_navigation_dropped",))
    assert f"\n{left}\n" in report.source
    assert {(each.rule, each.severity) for each in report.findings} == {("navigation.own", Severity.WARNING)}


@pytest.mark.parametrize(
    "script", ["new URL(location)", "new URL(window.location).search", "String(location)", "`${location}`"]
)
def test_reading_the_address_is_no_navigation(validated, script):
    assert validated(script=script).findings == ()


def fragment(template):
    script = (
        "const state = {}; window.held = () => {};"
        "function load() {} function render(data, ui) { ui.root.append(String(data)); }"
    )
    return f"<style></style><template>{template}</template><script>{script}</script><!--end-->"
