"""Scripts that close the function which the page puts around them, to run code outside of it.

The tests run each page, whatever the validator found: outside of the function, `window` is an object.
"""

import re
import subprocess

import pytest

from genui_core.domain.pages.generated_page import document_page, view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import Fragment, ValidationContext
from genui_core.domain.validation.finding import Severity
from genui_core.domain.validation.validate import validate

OUT = 'if (typeof window === "object") console.log("out");'
TRIAL = """globalThis.window = {};
const run = (names, code) => code.apply(undefined, names.map(() => "stand-in"));
const McpGenUi = { run, fragment: (names, code) => run(names, code)?.({}, {}) };
"""
AGAIN = "McpGenUi.run([], function () { return async function () {"
ENDS = {
    "ends both": f"}}(); }}); {OUT} {AGAIN}",
    "ends both, with render": f"function render() {{}} return render; }}(); }}); {OUT} McpGenUi.run([], function () {{ return function () {{ function render() {{}}",
    "ends one": f"}}(); {OUT} (function () {{",
    "ends a call": f"}}); {OUT} (function () {{",
    "ends too much": f"}}}}}}}}); {OUT} ((() => {{{{{{",
    "hides the rest in a line": f"}}(); }}); {OUT} //",
    "hides the rest": f"}}(); }}); {OUT} /*",
    "hides the rest in a text": f"}}(); }}); {OUT} `",
    "hides the rest in a pattern": f"}}(); }}); {OUT} /[",
    "begins with a line for the shell": f"#!}}(); }}); {OUT} {AGAIN}",
    "comment of HTML": f"<!-- a\n}}(); }}); {OUT} {AGAIN}",
    "end of a comment of HTML": f"const it = 1\n--> {{\n}}(); }}); {OUT} {AGAIN}",
    "end of a comment of HTML behind a comment": f"const it = 1 /*\n*/ --> {{\n}}(); }}); {OUT} {AGAIN}",
    "comment that ends at a line separator": f"// a\u2028}}(); }}); {OUT} {AGAIN}",
    "comment that ends at a paragraph separator": f"// a\u2029}}(); }}); {OUT} {AGAIN}",
    "comment that ends at a carriage return": f"// a\r}}(); }}); {OUT} {AGAIN}",
    "end of the element in a comment": f"// </script>\n}}(); }}); {OUT} {AGAIN}",
    "end of the element in a comparison": f"a</script/;\n}}(); }}); {OUT} {AGAIN}",
    "text that goes on": f'const it = "\\\n"; }}(); }}); {OUT} {AGAIN}',
    "NUL": f"// \0\n}}(); }}); {OUT} {AGAIN}",
}
HIDDEN_BY_EXPORTS = {
    "name that is a text": f'const a = 1; export {{ a as "}}; }}(); }}); {OUT} {AGAIN} if (1) {{ //" }}',
    "comment within": f"const a = 1; export {{ a /* }}; }}(); }}); {OUT} {AGAIN} if (1) {{ /* */ }}",
    "line comment within": f"const a = 1; export {{ a // }}\n}}; const b = `}}(); }}); {OUT} {AGAIN} //`;",
    "text behind": f"const a = `\nexport {{ `, b = '}} `; }}(); }}); {OUT} {AGAIN} //';",
    "pattern behind a list": f"const a = 1, b = {{}}\nexport {{ a }}\n/ 1; }}(); }}); {OUT} {AGAIN} // /g;",
    **{
        f"pattern behind {what}": f"export default {what}\n/ 1; }}(); }}); {OUT} {AGAIN} // /g;"
        for what in (
            "function () {}",
            "function* () {}",
            "function $a() {}",
            "function /**/ () {}",
            "function\n() {}",
            "function \u00e5() {}",
            "async function () {}",
            "async function* a() {}",
            "async /**/ function () {}",
            "/**/ function () {}",
            "\ufefffunction () {}",
            "class {}",
            "class A {}",
            "class extends Object {}",
            "class /**/ {}",
            "() => {}",
            "async () => {}",
            "async a => {}",
        )
    },
}
SCRIPTS = ENDS | HIDDEN_BY_EXPORTS
DATA = page_data(Tool({"name": "tool"}), Settings(default_theme="system"))
DOCUMENT = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>a</title></head><body><p>a</p>
<script {kind}>{script}</script></body></html>"""


class Kit:
    style = script = document_script = ""


def fragment(script):
    return f"<style></style>\n<template><p></p></template>\n<script>\n{script}\n</script>\n<!--end-->\n"


def document(script, kind="type=module"):
    return DOCUMENT.format(script=script, kind=kind)


def is_refused(source, mode):
    context = ValidationContext(mode=mode, callable_tools=frozenset(), nonce="4f1c9a77")
    return any(each.severity is Severity.ERROR for each in validate(source, context).findings)


@pytest.fixture
def output_of(tmp_path):
    """Run the script of a page as the browser reads it; return its output, or "" if it does not parse."""

    def output_of(page):
        script = re.findall(r"<script[^>]*>(McpGenUi[.](?:run|fragment)\(.*?)</script", page, re.DOTALL)[0]
        path = tmp_path / "script.cjs"
        path.write_bytes((TRIAL + script.replace("\r", "\n").replace("\0", "\ufffd")).encode())
        return subprocess.run(["node", path], capture_output=True, encoding="utf-8", check=False).stdout

    return output_of


@pytest.mark.parametrize("way", ENDS)
def test_a_fragment_that_ends_early_is_refused_or_does_nothing(way, output_of):
    source = fragment(ENDS[way])
    page = view_page(Tool({"name": "tool"}), DATA, Kit, Fragment(script=ENDS[way]).text, "fragment")
    assert is_refused(source, "fragment") or output_of(page) == ""


@pytest.mark.parametrize("kind", ["type=module", ""])
@pytest.mark.parametrize("way", ENDS)
def test_a_document_that_ends_early_is_refused_or_does_nothing(way, kind, output_of):
    source = document(ENDS[way], kind)
    assert is_refused(source, "document") or output_of(document_page(DATA, Kit, source)) == ""


@pytest.mark.parametrize("way", ["ends both", "ends one", "ends a call", "ends too much", "hides the rest"])
def test_a_script_that_ends_early_is_refused_because_it_does_not_parse_by_itself(way, errors):
    assert "script.parses" in errors(script=ENDS[way])


def test_the_test_page_reports_code_that_runs_outside(output_of):
    assert output_of(document_page(DATA, Kit, document(ENDS["ends both"]))) == "out\n"
    assert output_of(document_page(DATA, Kit, document(OUT))) == ""


@pytest.mark.parametrize("way", HIDDEN_BY_EXPORTS)
def test_to_take_out_an_export_makes_no_code_of_a_text_a_comment_or_a_pattern(way, output_of):
    assert output_of(document_page(DATA, Kit, document(HIDDEN_BY_EXPORTS[way]))) == ""
