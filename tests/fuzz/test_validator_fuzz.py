"""The validator finishes every random view, and finds an attack in any code around it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Ruling, Severity
from genui_core.domain.validation.validate import validate

CONTEXTS = {
    mode: ValidationContext(mode=mode, callable_tools=frozenset({"list"}), nonce="4f1c9a77")
    for mode in ("fragment", "document")
}
NAMES = st.sampled_from(["a", "b", "data", "ui", "window", "document", "x", "this", "self", "e", "app"])
METHODS = st.sampled_from(
    [
        "replace", "replaceAll", "split", "join", "slice", "substring", "substr", "repeat", "concat", "at", "charAt",
        "toString", "reverse", "map", "forEach", "filter", "find", "get", "set", "call", "apply", "bind", "from", "raw",
        "fromCharCode", "fromCodePoint", "atob", "decodeURIComponent", "normalize", "trim", "toLowerCase", "pop", "flat",
        "composedPath", "getRootNode", "valueOf", "querySelector", "createElement", "createElementNS", "el", "entries",
        "setAttribute", "setAttributeNS", "insertAdjacentHTML", "addEventListener", "assign", "constructor", "sort",
        "callServerTool", "ontoolresult", "connect", "innerHTML", "style", "href", "src", "attributes", "onclick",
    ]
)  # fmt: skip
LITERALS = st.one_of(
    st.integers(-3, 10**25).map(str),
    st.sampled_from(
        ["0x1f", "1e400", "08", "1_0n", "`a${b}c`", "/a/g", "null", "undefined", "[]", "{}", "''", "NaN"]
    ),
    st.text(st.sampled_from("<>\\'\"`${}ax0onclick= /:;\u2028\x00é"), max_size=12).map(
        lambda text: "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\u2028", "") + "'"
    ),
)


def _deeper(inner):
    several = st.lists(inner, max_size=4).map(", ".join)
    return st.one_of(
        st.builds("{}.{}({})".format, inner, METHODS, several),
        st.builds("({}).{}".format, inner, METHODS),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "||", "??", "=", "+=", ",", "=="]), inner),
        st.builds("[{}]".format, several),
        st.builds("({{ {}: {}, ...{}, [{}]: 1, {}() {{ return this; }} }})".format, METHODS, inner, inner, inner, METHODS),
        st.builds("(({}, ...b) => {})({})".format, st.sampled_from(["a", "{ a }", "[a = 1]", "a = window"]), inner, several),
        st.builds("new {}({})".format, st.sampled_from(["Map", "Set", "Image", "A", "App", "Function"]), several),
        st.builds("{}`{}`".format, METHODS, st.sampled_from(["", "x", "${a}"])),
        st.builds("(function f({}) {{ return {}; }})".format, st.sampled_from(["", "a", "...a", "{ b: [c] }"]), inner),
        st.builds("class A {{ static {} = {}; #p = 1; }}".format, METHODS, inner).map("({})".format),
        st.builds("({}{})".format, st.sampled_from(["!", "+", "typeof ", "void ", "-", "await "]), inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
    )  # fmt: skip


EXPRESSIONS = st.recursive(NAMES | LITERALS, _deeper, max_leaves=12)
STATEMENTS = st.one_of(
    EXPRESSIONS.map("{};".format),
    st.builds("{} {} = {};".format, st.sampled_from(["const", "let", "var"]), NAMES, EXPRESSIONS),
    st.builds("for (const {} of {}) {{ {}; }}".format, NAMES, EXPRESSIONS, EXPRESSIONS),
    st.builds("x.{} = {};".format, METHODS, EXPRESSIONS),
)
TAGS = st.sampled_from(
    [
        "<b>", "</b>", "<svg>", "</svg>", "<math>", "<mi>", "<template>", "</template>", "<select>", "<table>", "<tr>",
        "<td>", "<style>", "</style>", "<title>", "<textarea>", "<!--", "-->", "<![CDATA[", "]]>", "<a href=", "'#a'",
        '"', ">", "<input name=a", " onclick=a()", " type=", "<foreignObject>", "<desc>", "<p>", "<form>", "<button>",
        "<noscript>", "<annotation-xml encoding=text/html>", "<script>", "</script>", "text", "&lt;", "\x00", "<body>",
    ]
)  # fmt: skip


def fragment(template="<p></p>", script=""):
    return (
        f"<style>\n</style>\n<template>\n{template}\n</template>\n"
        f"<script>\nfunction render(data, ui) {{}}\n{script}\n</script>\n<!--end-->"
    )


def assert_validated(text, mode="fragment"):
    """Check that the validator does not crash, and accepts its own repairs."""
    report = validate(text, CONTEXTS[mode])
    assert "view.unjudged" not in {each.rule for each in report.findings}
    if report.ruling is Ruling.REPAIRED:
        again = validate(report.source, CONTEXTS[mode])
        assert (again.ruling, again.source) == (Ruling.ACCEPTED, report.source)


@given(st.lists(STATEMENTS, max_size=4).map("\n".join))
def test_the_validator_finishes_any_script(script):
    assert_validated(fragment(script=script))


@given(st.lists(TAGS, max_size=14).map("".join))
@example("<template><a href=</template>")
def test_the_validator_finishes_any_template(template):
    assert_validated(fragment(template))


@given(st.lists(TAGS | STATEMENTS, max_size=14).map("".join))
def test_the_validator_finishes_any_document(content):
    assert_validated(f"<!DOCTYPE html><html><head></head><body>{content}</body></html>", "document")


ATTACKS = [
    "window['par' + 'ent'].x", "top.postMessage(1)", "const { parent: p } = window", "location.href = data.x",
    "const w = window; w.opener.x", "fetch('/x')", "eval('1')", "new Function('1')", "setTimeout('x()')",
    "x.innerHTML = '<b onclick=a()>'", "x.setAttribute('onclick', 'a()')", "document.createElement('iframe')",
    "new Worker('https://a.example')", "navigator.sendBeacon('/x')", "open('https://a.example')",
    "[].map.constructor('1')()", "x.srcdoc = '<p>'", "new WebSocket('wss://a.example')", "import('/x')",
    "document.defaultView.top.x", "const a = document.createElement('a'); a.click()", "document.write('x')",
]  # fmt: skip
WRAPPERS = [
    "{}", "if (data) {{ {} }}", "() => {{ {} }}", "async () => {{ await 0; {} }}", "function f() {{ {} }}",
    "class A {{ m() {{ {} }} }}", "class A {{ static {{ {} }} }}", "({{ get a() {{ {} }} }})",
    "try {{ {} }} catch {{ }}", "label: for (;;) {{ {}; break label; }}", "switch (1) {{ case 1: {{ {} }} }}",
    "x.addEventListener('click', () => {{ {} }})", "Promise.resolve().then(function () {{ {} }})",
    "/* a */ {{ {} // b\n }}", "do {{ {} }} while (0)", "export default function () {{ {} }}", "`${{(() => {{ {} }})()}}`",
    "function* g() {{ yield 1; {} }}", "const f = (a = () => {{ {} }}) => a", "[1].forEach((n) => {{ {} }})",
]  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
@given(wrappers=st.lists(st.sampled_from(WRAPPERS), min_size=1, max_size=4))
def test_an_attack_is_found_in_any_code_around_it(attack, wrappers):
    """A repair may remove the attack with its `export`, because a fragment has no exports."""
    script = attack
    for each in wrappers:
        script = each.format(script)
    report = validate(fragment(script=script), CONTEXTS["fragment"])
    errors = [each for each in report.findings if each.severity is Severity.ERROR]
    assert errors or (report.ruling is Ruling.REPAIRED and attack not in report.source)
