"""The validator gives a report for any text, in a time that grows only with its length."""

import gc
import sys
import time

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Block, Ruling, ValidationReport
from genui_core.domain.validation.script_analysis import read_script
from genui_core.domain.validation.validate import validate

CONTEXT = ValidationContext(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77")
TEXTS = st.text(st.characters() | st.sampled_from("<>\"'`\\/={}()[];:&#!-$\n\ud800\x00"), max_size=200)
WORDS = st.sampled_from(
    [
        "const", "let", "{", "}", "(", ")", "[", "]", "=>", "=", ",", ";", "a", "b", "window", "parent", "'x'", "`", "${",
        "function", "async", "await", "class", "...", ".", "?.", "import", "export", "from", "for", "of", "new", "#x",
        "return", "\n", "/*", "//", "0", ":", "\\u0061", "\\u{110000}", "'\\xzz'", "static", "get", "this", "<b>", "/a/",
        "+", "?", "yield", "*", "in", "try", "catch", "switch", "case", "label:", "break", "ui.call", "setTimeout",
    ]
)  # fmt: skip


def fragment(script="", template="", style=""):
    return (
        f"<style>{style}</style><template>{template}</template>"
        f"<script>function render() {{}}\n{script}</script><!--end-->"
    )


@given(TEXTS, st.sampled_from(["fragment", "document"]))
def test_any_answer_gets_a_report(text, mode):
    assert isinstance(validate(text, evolve(CONTEXT, mode=mode)), ValidationReport)


@given(TEXTS, TEXTS, TEXTS)
def test_any_blocks_get_a_report(script, template, style):
    assert isinstance(validate(fragment(script, template, style), CONTEXT), ValidationReport)


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_any_words_in_a_script_get_a_report(script):
    assert isinstance(validate(fragment(script), CONTEXT), ValidationReport)


@given(TEXTS, st.sampled_from(list(Block)))
def test_any_answer_to_a_retry_gets_a_report(text, block):
    repairing = ValidationReport(ruling=Ruling.FIXABLE, source=fragment("x("), broken=block)
    for mode in ("fragment", "document"):
        assert isinstance(validate(text, evolve(CONTEXT, mode=mode, repairing=repairing)), ValidationReport)


GROWING = {
    "calls": lambda n: fragment("a[b].c(d), " * n + "1"),
    "open brackets": lambda n: fragment("[" * n),
    "parentheses": lambda n: fragment("(" * n + "1" + ")" * n),
    "blocks": lambda n: fragment("{" * n + "}" * n),
    "chain": lambda n: fragment("a" + ".b" * n),
    "sum": lambda n: fragment("x = 'a'" + " + 'a'" * n),
    "broken functions": lambda n: fragment("function ( {" * n),
    "doubling": lambda n: fragment("const a0 = 'ab';" + "".join(f"const a{i + 1} = a{i} + a{i};" for i in range(n // 20))),
    "alternatives": lambda n: fragment("let a = 'x';" + "".join(f"a = a + '{i}';" for i in range(n // 20))),
    "angles": lambda n: fragment(template="<" * n),
    "tags": lambda n: fragment(template="<b>" * n),
    "comments": lambda n: fragment(template="<!--" * n),
    "quotes": lambda n: fragment(template="<a " + "x='" * n),
    "open tags": lambda n: fragment(template="<a " * n),
    "style blocks": lambda n: fragment(style="{" * n),
    "style functions": lambda n: fragment(style="a{b:" + "f(" * n),
    "at rules": lambda n: fragment(style="@a " * n),
    "blocks of the answer": lambda n: "<template>" * n + "<script>" * n,
    "thoughts": lambda n: "<think>" * n,
}  # fmt: skip


@pytest.mark.parametrize("name", GROWING)
def test_the_time_of_a_validation_grows_with_the_length(name):
    text, longer = (GROWING[name](n) for n in (2_000, 8_000))
    measured = ((_seconds(text), _seconds(longer)) for _attempt in range(2))
    assert any(longer_s < max(0.3, 12 * text_s) for text_s, longer_s in measured), (
        "four times as much takes more than twelve times as long, twice"
    )


def _seconds(text):
    gc.disable()  # the collector must not walk the objects of other tests during the measurement
    try:
        started = time.process_time()
        validate(text, CONTEXT)
        return time.process_time() - started
    finally:
        gc.enable()


@pytest.mark.matrix(quick=6)  # each grows to nearly half of that in the test above
@pytest.mark.parametrize("name", GROWING)
def test_deep_nesting_gets_a_report(name):
    assert isinstance(validate(GROWING[name](20_000), CONTEXT), ValidationReport)


def _chain(start, step, times):
    """Return a script of declarations, each with the value of the one before."""
    return f"const a0 = {start};" + "".join(
        f"const a{at + 1} = {step.format(f'a{at}')};" for at in range(times)
    )


COMMAS = '",".repeat(19000)'
MANY = f'{COMMAS}.split(",")'
COSTLY = {
    "split and join": _chain(COMMAS, '{0}.split(",").join(",")', 45),
    "split and join of one name": f"let a = {COMMAS};" + 'a = a.split(",").join(",");' * 45,
    "a long chain of list methods": _chain(
        '"x".repeat(19000)', '{0}.split("x").map(y => y).slice(1).reverse().join("q")', 12
    ),
    "joining alternatives": 'let a = q ? "a" : "b";'
    "const p = [" + "a," * 800 + 'a].join("");' + 'p.split("").join("");' * 40,
    "concat of lists": _chain(MANY, "{0}.concat({0})", 20),
    "spreading lists": _chain(MANY, "[...{0}, ...{0}]", 20),
    "spreading into calls": f"const a = {MANY}; function f(...r) {{ return r }}" + "f(...a, ...a);" * 40,
    "nested lists": _chain("[1, 2, 3]", "[{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}]", 40),
    "callbacks over lists": f"const a = {MANY};" + "a.forEach(x => x.y);" * 60,
    "loops over lists": f"const a = {MANY};" + "for (const x of a) {}" * 60,
    "JSON": 'const t = "[" + "[1],".repeat(4800) + "1]";' + "JSON.parse(t);" * 60,
    "repeat": _chain('"x".repeat(20000)', "{0}.repeat(3).slice(0, 19999)", 45),
    "replaceAll": _chain('"x".repeat(9000)', '{0}.replaceAll("x", "xx").slice(0, 9000)', 35),
    "patterns": 'const t = "a".repeat(19000);' + 't.replace(/[a-z]/g, "bb");' * 60,
    "padStart": _chain('"x"', "{0}.padStart(19999)", 60),
    "template literals": _chain('"x".repeat(9000)', "`${{{0}}}${{{0}}}`.slice(0, 9000)", 50),
    "markup of many alternatives": 'let t = "";'
    + 't = y ? t + "<b>" : "<i>".repeat(4000) + "1";' * 20
    + "z.innerHTML = t;" * 20,
    "long markup": 'const t = "<b>x</b>".repeat(2400);' + "z.innerHTML = t;" * 60,
    "long styles": 'const t = "url(data:x)".repeat(1600);' + "z.style.background = t;" * 60,
    "long sets of addresses": 'const t = "data:, 1x,".repeat(1900);' + "z.srcset = t;" * 60,
}


@pytest.mark.parametrize("name", COSTLY)
def test_a_small_script_costs_few_steps(name):
    script = COSTLY[name]
    assert len(script) < 3_000
    assert _calls_of(lambda: validate(fragment(script=script), CONTEXT)) < 2_000_000


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


@settings(max_examples=12)
@given(st.lists(st.sampled_from([*COSTLY.values(), "let z = [`a`, 'b'];"]), max_size=3))
def test_the_steps_of_a_validation_are_bounded_by_the_length(scripts):
    report = read_script("\n".join(f"{{{each}}}" for each in scripts), frozenset())
    assert report.flow.steps_left > -2_000_000
    is_refused = any(each.rule == "script.too_complex" for each in report.rule_matches)
    assert (report.flow.steps_left < 0) == is_refused
