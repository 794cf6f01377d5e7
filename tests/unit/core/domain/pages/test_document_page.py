"""The pages of whole documents."""

import re
from base64 import b64encode
from hashlib import sha256

import html5lib
import pytest
from attrs import evolve

from genui_core.domain.pages.generated_page import document_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.document_plan import DocumentPlan, PlannedScript
from genui_core.domain.validation.document_planning import document_plan, misplaced_scripts
from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.markup.source import read_markup
from genui_core.domain.validation.validate import validate

DATA = page_data(Tool({"name": "tool"}), Settings(default_theme="system"))
APP = "@modelcontextprotocol/ext-apps"
KIT = "@mcp-gen-ui/kit"


class Kit:
    style = "body{color:red}"
    script = "globalThis.McpGenUi={kit}"
    document_script = "globalThis.McpGenUi={}"


def document(script, head="<title>a</title>", html="<html lang=de>", before=""):
    return f"<!DOCTYPE html>{before}{html}<head>{head}</head><body><p>Text</p><script type=module>{script}</script></body></html>"


def page(source, runtime="inline"):
    """Build a page without and with a prepared plan, check that they are equal, and return it."""
    made = document_page(DATA, Kit, source, runtime)
    assert document_page(DATA, Kit, source, runtime, document_plan(source)) == made
    return made


def script_of(html):
    script = html.rpartition("<script type=module>")[2].partition("</script>")[0]
    _, wrapped, body = script.partition("return async function () {")
    return body.rpartition("\n}();")[0] if wrapped else script


def head_of(html):
    return html5lib.parse(html, namespaceHTMLElements=False).find("head")


@pytest.mark.parametrize(
    ("written", "bound"),
    [
        (f'import {{ App }} from "{APP}";', "const { App } = globalThis.McpGenUi; "),
        (f"import{{App as A,applyHostFonts}}from'{APP}'\n", "const { App: A, applyHostFonts } = globalThis.McpGenUi; \n"),
        (f'import * as apps from "{APP}"', "const apps = globalThis.McpGenUi; "),
        (f'import App from "{APP}"', "const { App: App } = globalThis.McpGenUi; "),
        (f'import ui, * as kit from "{KIT}"', "const { ui: ui } = globalThis.McpGenUi; const kit = globalThis.McpGenUi; "),
        (f'import {{ default as ui, }} from "{KIT}"', "const { ui: ui } = globalThis.McpGenUi; "),
        (f'import {{ "App" as A }} from "{APP}"', 'const { "App": A } = globalThis.McpGenUi; '),
        (f'import "{APP}"', ""),
        (f'import {{}} from "{APP}"', ""),
        (f'export * from "{APP}"', ""),
        ('import { App } from "\\x40modelcontextprotocol/ext-apps"', "const { App } = globalThis.McpGenUi; "),
        (f'import {{\n  App, // the host\n}} from "{APP}"', "const { App } = globalThis.McpGenUi; \n\n"),
        (f'new App();\nimport {{ App }} from "{APP}"', "const { App } = globalThis.McpGenUi; new App();\n"),
        (f'const é = 1; import {{ App }} from "{APP}"; é;', "const { App } = globalThis.McpGenUi; const é = 1;  é;"),
        (f'f("import {{ App }} from \'{APP}\'")', f'f("import {{ App }} from \'{APP}\'")'),
    ],
)  # fmt: skip
def test_imports_are_read_from_the_global(written, bound):
    assert script_of(page(document(written))) == bound


def test_every_module_has_its_imports_and_scripts_that_are_none_are_left_alone():
    more = f'<script type="module">import {{ ui }} from "{KIT}"; f(ui)</script><script>const x = "import";</script>'
    html = page(document(f'import {{ App }} from "{APP}"; g(App)', head=more))
    assert "const { ui } = globalThis.McpGenUi;  f(ui)" in html
    assert "const { App } = globalThis.McpGenUi;  g(App)" in html
    assert 'return function () {const x = "import";\n}();' in html


def test_the_hosts_own_import_is_left_where_the_host_resolves_it():
    source = document(f'import {{ App }} from "{APP}"; import {{ ui }} from "{KIT}"; f')
    assert (
        script_of(page(source, "host"))
        == f'const {{ ui }} = globalThis.McpGenUi; import {{ App }} from "{APP}";  f'
    )
    assert "prepareDocument" not in page(source, "host")
    assert "McpGenUi" not in page(document(f'import {{ App }} from "{APP}"'), "host")


def test_the_kits_style_stands_beneath_that_of_a_document_that_imports_it():
    with_kit = page(document(f'import {{ ui }} from "{KIT}"'))
    assert "<style>@layer mcp-gen-ui{body{color:red}}</style>" in with_kit
    assert Kit.script in with_kit
    without = page(document(f'import {{ App }} from "{APP}"'))
    assert "@layer" not in without
    assert Kit.document_script in without
    assert Kit.script not in without


@pytest.mark.parametrize(
    "source",
    [
        document("f", before="<!-- <head> <header> -->"),
        document("f", html='<html lang="de" data-x="<head>" onclick="a()" class="<header>">'),
        document("f").replace("<head>", "<HEAD lang=en data-y='<head>'>"),
        document("f").replace("<head>", "").replace("</head>", ""),
        document("f").replace("<html lang=de>", "").replace("<head>", "").replace("</head>", ""),
        "<header>first</header><script type=module>f</script>",
        "\ufeff  <!doctype HTML>\n" + document("f"),
        "",
    ],
)  # fmt: skip
def test_the_head_is_plain_and_comes_first_with_the_kit_before_all_that_was_written(source):
    html = page(source)
    assert html.startswith("<!DOCTYPE html>\n<html ")
    start, head, rest = html.partition("<head>")
    assert head
    assert start.count("<") == 2
    assert rest.startswith('\n<meta http-equiv="Content-Security-Policy"')
    kinds = [each.tag for each in head_of(html)]
    assert kinds[:6] == ["meta", "meta", "meta", "script", "script", "script"]


def test_language_and_direction_of_a_document_are_kept_and_its_parts_stay_as_they_are():
    html = page(document("f", html='<html lang="ar" dir="rtl">'))
    assert '<html lang="ar" dir="rtl">' in html
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    assert [each.tag for each in tree.find("body")] == ["p", "script"]
    assert [each.text for each in tree.iter("title")] == ["a"]


def test_the_validator_plans_what_may_be_served():
    app = f'import {{ App }} from "{APP}"; const app = new App({{ name: "a", version: "1" }});'
    source = document(f"{app} app.ontoolresult = () => {{}}; app.connect();")
    context = ValidationContext(mode="document", callable_tools=frozenset(), nonce="4f1c9a77")
    report = validate(source, context)
    assert report.plan == document_plan(report.source)
    assert validate(source.replace(app, "parent.x"), context).plan is None


@pytest.mark.parametrize(
    ("written", "served"),
    [
        ("export const a = 1;", "const a = 1;"),
        ("const a = 1; export { a };", "const a = 1; ;"),
        ("export { a as default,\n b }", ";\n"),
        ("export default a;", "const default_of_the_module = a;"),
        ("export default async () => {}", "const default_of_the_module = async () => {}"),
        ("export default function () {}\na(/a/)", "function  default_of_the_module () {}\na(/a/)"),
        (
            "export default async function* /* a */ () {}",
            "async function* /* a */  default_of_the_module () {}",
        ),
        ("export default class {}", "class default_of_the_module  {}"),
        ("export default /* a\n */ // {\n (a)", "const default_of_the_module = \n\n(a)"),
        ("export { a as 'b } c' }; a", "; a"),
        ("const é = 1; export { é as default }; é", "const é = 1; ; é"),
        (
            f"import {{ App }} from '{APP}'; export {{ App }}; App",
            "const { App } = globalThis.McpGenUi;  ; App",
        ),
        ("export default class extends A {}", "class default_of_the_module  extends A {}"),
        ("export default function a() {}", "function a() {}"),
        ("export async function a() {}", "async function a() {}"),
        ("export class A {}", "class A {}"),
        ("f('export const a')", "f('export const a')"),
        ("const exported = 1; exported", "const exported = 1; exported"),
    ],
)
def test_a_module_that_exports_is_served_without_that(written, served):
    assert script_of(page(document(written))) == served


WRAPPED = re.compile(r"McpGenUi\.run\(.*?return (async )?function \(\) \{(.*)\n\}\(\); \}\);", re.DOTALL)


def allowed_scripts(html):
    """Return the scripts of a document that the policy allows, as the text inside their functions."""
    allowed = re.findall(r"'(sha256-[^']+)'", html.partition("script-src")[2].partition(";")[0])
    texts = [each.text or "" for each in html5lib.parse(html, namespaceHTMLElements=False).iter("script")]
    texts = [
        each for each in texts if f"sha256-{b64encode(sha256(each.encode()).digest()).decode()}" in allowed
    ]
    return [f"{found[1] or ''}{found[2]}" for each in texts if (found := WRAPPED.fullmatch(each))]


@pytest.mark.parametrize(
    ("markup", "running"),
    [
        ("<!-- <script>a</script> --><script>b</script>", ["b"]),
        ("<!--> <script>a</script> -->", ["a"]),
        ("<!-- --!><script>a</script>", ["a"]),
        ("<! <script>a</script><script>b</script>", ["b"]),
        ("<svg><script>a</script></svg><script>b</script>", ["b"]),
        ("<svg><![CDATA[<script>a</script>]]></svg><script>b</script>", ["b"]),
        ("<svg><title><script>a</script></title></svg>", ["a"]),
        ("<math><mtext><script>a</script></mtext></math>", ["a"]),
        ("<noscript><script>a</script></noscript><script>b</script>", ["b"]),
        ("<textarea><script>a</script></textarea><script>b</script>", ["b"]),
        ("<title><script>a</script></title><script>b</script>", ["b"]),
        ("<style><script>a</script></style><script>b</script>", ["b"]),
        ("<xmp><script>a</script></xmp><iframe><script>a</script></iframe><script>b</script>", ["b"]),
        ("<p title='<script>a</script>'><script>b</script>", ["b"]),
        ("<p title=<script>a</script>", []),
        ("<table><script>a</script><tr><script>b</script><td><script>c</script></table>", ["a", "b", "c"]),
        ("<select><script>a</script></select>", ["a"]),
        ("<script a=b/>a</script>", ["a"]),
        ("<script/a>a</script>", ["a"]),
        ("<script/>a</script>", ["a"]),
        ('<script =">a</script>', ["a"]),
        ('<script =" b=">">a</script>', ["a"]),
        ("<script a= '>'>a</script>", ["a"]),
        ('<script\n\ta\f=\r">">a</script>', ["a"]),
        ("<script\u00a0>a</script><script>b</script>", ["b"]),
        ('<script a=\u00a0">">a</script>', ['">a']),
        ('<script a=\x0b">">a</script>', ['">a']),
        ("<SCRIPT TYPE=Text/JavaScript>a</sCRIPT>", ["a"]),
        ("<script type='\tMODULE '>a</script>", ["async a"]),
        ("<script type=modul&#101;>a</script>", ["async a"]),
        ("<script type=a type=module>a</script>", []),
        ("<script type=text/plain>a</script><script type=application/json>{}</script>", []),
        ("<script>a</script\t><script>b</script/><script>c</script\fd='>'><script>e</script\n>", ["a", "b", "c", "e"]),
        ("<script>a</scripty></script-></ script></script>", ["a\\x3c/scripty>\\x3c/script-></ script>"]),
        ("<script>a<!--<script>b</script>c--></script><script>d</script>", ["a\\x3c!--<script>b\\x3c/script>c-->", "d"]),
        ("<script>a<!--b</script><script>c</script>", ["a\\x3c!--b", "c"]),
        ("<script>a", ["a"]),
        ("<script>", [""]),
        ("<script>a\r\nb\rc</script>", ["a\nb\nc"]),
        ("<p>\r\n\r<script>a\r\nb</script><script>c</script>", ["a\nb", "c"]),
    ],
)  # fmt: skip
def test_each_script_of_a_document_runs_in_a_function(markup, running):
    html = page(f"<!DOCTYPE html><html lang=en><head><title>a</title></head><body>{markup}")
    assert allowed_scripts(html) == running


def test_a_script_that_the_plan_misses_is_not_allowed_to_run():
    source = (
        "<!DOCTYPE html><html lang=en><head><title>a</title></head><body><script>a</script><script>b</script>"
    )
    plan = document_plan(source)
    missed = document_page(DATA, Kit, source, "inline", evolve(plan, scripts=plan.scripts[:1]))
    assert allowed_scripts(missed) == ["a"]
    assert "<script>b</script>" in missed


@pytest.mark.parametrize(
    "hidden",
    ["<meta http-equiv=refresh content='0;url=//a.example'>", "<iframe src=//a.example></iframe>"],
)
def test_text_that_a_parser_reads_as_a_script_is_not_served_as_markup(hidden):
    script = f"const a = '<!--<script>'; // </script>{hidden}\n// -->"
    html = page(document("f").replace("</body>", f"<script>{script}</script></body>"))
    names = [each.tag for each in html5lib.parse(html, namespaceHTMLElements=False).iter()]
    assert "iframe" not in names
    assert names.count("meta") == html.partition("<title>")[0].count("<meta")


def test_a_document_whose_script_stands_elsewhere_than_its_tag_says_is_refused():
    """No known markup does that; the code compares the parser's position with the source anyway."""
    markup = read_markup(document("f"), document=True)
    moved = evolve(markup, elements=tuple(evolve(each, text=f"{each.text} ") for each in markup.elements))
    assert list(misplaced_scripts(markup, document("f"))) == []
    assert list(misplaced_scripts(moved, document("f"))) == [document("f").index("<script")]
    assert document_plan(document("f"), moved).scripts == ()


class CountedOffset(int):
    """An offset that counts its comparisons."""

    compared = 0

    def __lt__(self, other):
        CountedOffset.compared += 1
        return int(self) < int(other)

    def __ge__(self, other):
        return not self < other


def test_each_script_of_a_document_is_looked_up_among_the_edits_and_not_compared_with_all():
    starts = range(0, 4_000, 10)
    edits = tuple((CountedOffset(each), each + 1, "b") for each in starts)
    plan = DocumentPlan(
        attributes="",
        begin=0,
        has_head=True,
        uses_kit=False,
        edits={"inline": edits, "host": ()},
        scripts=tuple(PlannedScript(each, each + 5, False) for each in starts),
    )
    CountedOffset.compared = 0
    assert plan.rest("a" * 4_000, "inline", lambda text, _: text) == f"b{'a' * 9}" * 400
    assert CountedOffset.compared < 60 * len(starts)
