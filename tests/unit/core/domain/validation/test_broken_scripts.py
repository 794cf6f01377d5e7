"""Scripts that no browser runs."""

import pytest

from genui_core.domain.validation.finding import Block, Ruling

BROKEN = [
    "function f( {",
    "const a = [1, 2",
    "const s = 'open",
    "const s = `open ${",
    "if (a {",
    "x = {a: 1",
    "}",
    "foo(",
    "const = 1",
    "const a",
    "for (let a = 0 of []) { }",
    "const { a }",
    "let a; let a;",
    "const a = 1; var a;",
    "function f() {} let f;",
    "import x from 'y'; const x = 1; }",
    "class A { constructor( { }",
    "return 1",
    "function f() { await x; }",
    "const f = () => { await x; };",
    "function f() { yield 1; }",
    "break;",
    "f(,)",
    "f(, 1)",
    "f(1,, 2)",
    '{ "a": 1, "b": 2 }',
    '{"toString": function () { return 1 }}',
    "continue;",
    "function f() { break; }",
    "for (;;) { break nowhere; }",
    "const x = <b>hi</b>;",
    "const x = <Row key={1} />;",
    "let a: string = 'x';",
    "function f(a: number) {}",
    "interface A { b: string }",
    "const a = b as string;",
    "with (a) { b }",
    "1 = 2",
    "f() = 1",
    "a?.b = 1",
    "1++",
    "const a = 1; a = 2;",
    "const a = 1; a++;",
    "const f = (a, a) => 1;",
    "function f(...a, b) {}",
    "const enum = 1;",
    "delete x;",
    "const o = 017;",
    "/a/gg",
    "function f() { super.x; }",
    "if (a) { import b from 'c'; }",
    "x = a b",
    "let x = 1 1",
    "else {}",
    "try { }",
    "switch (a) { case 1: ",
    "@@",
    "await ui;",
    "for await (const a of []) { }",
]


@pytest.mark.parametrize("script", BROKEN)
def test_a_broken_script_is_a_finding_for_the_model_with_its_place(validated, script):
    report = validated(script=script)
    assert (report.ruling, report.broken) == (Ruling.FIXABLE, Block.SCRIPT)
    assert script in report.excerpt
    assert {each.rule for each in report.findings} == {"script.parses"}
    assert all(each.line >= 1 and each.column >= 1 for each in report.findings)


def test_places_count_lines_and_characters(validated):
    finding = validated(script="\nconst ä = '😀'; const ä = 2;").findings[0]
    assert (finding.line, finding.column, finding.excerpt) == (3, 22, "ä")


def test_a_broken_script_has_no_findings_about_its_content(validated):
    report = validated(script="function f(parent { return parent.top")
    assert {each.rule for each in report.findings} == {"script.parses"}


def test_a_script_without_render_is_a_finding_for_the_model(validated):
    report = validated(render="", script="function show() {}")
    assert (report.ruling, report.findings[0].rule) == (Ruling.FIXABLE, "render.missing")


@pytest.mark.parametrize("render", ["const render = (data, ui) => {};", "let render = function () {};"])
def test_render_may_be_defined_in_other_ways(validated, render):
    assert validated(render=render).ruling is Ruling.ACCEPTED
