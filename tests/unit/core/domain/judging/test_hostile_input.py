"""Any text at all gets a verdict, in a time that grows with its length and not with its malice."""

import gc
import time

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.finding import Block, Ruling, Verdict
from genui_core.domain.judging.brief import JudgeBrief
from genui_core.domain.judging.judge import judge

BRIEF = JudgeBrief(mode="fragment", callable_tools=frozenset(), nonce="4f1c9a77")
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
def test_any_answer(text, mode):
    assert isinstance(judge(text, evolve(BRIEF, mode=mode)), Verdict)


@given(TEXTS, TEXTS, TEXTS)
def test_any_blocks(script, template, style):
    assert isinstance(judge(fragment(script, template, style), BRIEF), Verdict)


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_any_words_in_a_script(script):
    assert isinstance(judge(fragment(script), BRIEF), Verdict)


@given(TEXTS, st.sampled_from(list(Block)))
def test_any_answer_to_a_request_to_mend(text, block):
    mending = Verdict(ruling=Ruling.FIXABLE, source=fragment("x("), broken=block)
    for mode in ("fragment", "document"):
        assert isinstance(judge(text, evolve(BRIEF, mode=mode, mending=mending)), Verdict)


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
def test_time_grows_with_length(name):
    small, large = (_seconds(GROWING[name](n)) for n in (2_000, 8_000))
    assert large < 0.3 or large < small * 12, f"{small:.3f} s, then {large:.3f} s for four times as much"


def _seconds(text):
    def once():
        started = time.process_time()
        judge(text, BRIEF)
        return time.process_time() - started

    gc.disable()  # what other tests have left in memory is not to be walked through meanwhile
    try:
        return min(once(), once())
    finally:
        gc.enable()


@pytest.mark.parametrize("name", GROWING)
def test_depth_does_no_harm(name):
    assert isinstance(judge(GROWING[name](20_000), BRIEF), Verdict)
