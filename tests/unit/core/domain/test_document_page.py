"""The pages of whole documents."""

import json

import html5lib
import pytest

from genui_core.domain.document_page import document_page
from genui_core.domain.document_plan import plan_from
from genui_core.domain.judging.brief import JudgeBrief
from genui_core.domain.judging.document_planning import document_plan
from genui_core.domain.judging.judge import judge
from genui_core.domain.minimal_view import page_data
from genui_core.domain.settings import Limits
from genui_core.domain.tool import Tool

DATA = page_data(Tool({"name": "tool"}), Limits(), "system")
APP = "@modelcontextprotocol/ext-apps"
KIT = "@mcp-gen-ui/kit"


class Kit:
    style = "body{color:red}"
    script = "globalThis.McpGenUi={kit}"
    document_script = "globalThis.McpGenUi={}"


def document(script, head="<title>a</title>", html="<html lang=de>", before=""):
    return f"<!DOCTYPE html>{before}{html}<head>{head}</head><body><p>Text</p><script type=module>{script}</script></body></html>"


def page(source, runtime="inline"):
    """Make a page without a plan and with one that was stored; they are the same."""
    made = document_page(DATA, Kit, source, runtime)
    stored = json.loads(json.dumps(document_plan(source).as_data()))
    assert document_page(DATA, Kit, source, runtime, plan_from(stored)) == made
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


def test_the_judge_plans_what_may_be_served():
    app = f'import {{ App }} from "{APP}"; const app = new App({{ name: "a", version: "1" }});'
    source = document(f"{app} app.ontoolresult = () => {{}}; app.connect();")
    brief = JudgeBrief(mode="document", callable_tools=frozenset(), nonce="4f1c9a77")
    verdict = judge(source, brief)
    assert verdict.plan == document_plan(verdict.source)
    assert judge(source.replace(app, "parent.x"), brief).plan is None


@pytest.mark.parametrize(
    "broken", [None, [], {}, {"begin": "x"}, {"edits": 7}, {"edits": {"inline": [[1, 2]], "host": []}}]
)
def test_what_is_no_plan_is_none(broken):
    plan = document_plan(document("f")).as_data()
    assert plan_from({**plan, **broken} if isinstance(broken, dict) and broken else broken) is None


@pytest.mark.parametrize(
    ("written", "served"),
    [
        ("export const a = 1;", "const a = 1;"),
        ("const a = 1; export { a };", "const a = 1; ;;"),
        ("export { a as default,\n b }", ";"),
        ("export default a;", "const default_of_the_module = a;"),
        ("export default async () => {}", "const default_of_the_module = async () => {}"),
        ("export default function () {}\n/a/.test(b)", "function  default_of_the_module () {}\n/a/.test(b)"),
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
