"""The validation of whole documents: repairs, findings for the model, and refusals."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.validation.extraction import ValidationContext
from genui_core.domain.validation.finding import Block, Ruling
from genui_core.domain.validation.validate import validate

CONTEXT = ValidationContext(mode="document", callable_tools=frozenset({"list"}), nonce="4f1c9a77")
IMPORT = 'import { App } from "@modelcontextprotocol/ext-apps";'
MAKE = 'const app = new App({ name: "view", version: "1.0.0" });'
HANDLE = "app.ontoolresult = (result) => { document.body.textContent = JSON.stringify(result); };"
CONNECT = "await app.connect();"
HEAD = '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>List</title>'


def document(
    *statements, head=HEAD, body="<main></main>", before='<!DOCTYPE html>\n<html lang="en">', kind="module"
):
    script = "\n".join(statements or (IMPORT, MAKE, HANDLE, CONNECT))
    return (
        f"{before}\n<head>\n{head}\n</head>\n<body>\n{body}\n"
        f'<script type="{kind}">\n{script}\n</script>\n</body>\n</html>'
    )


def rules(report):
    return {each.rule for each in report.findings}


@pytest.mark.parametrize(
    "text",
    [
        document(),
        f"Here it is:\n```html\n{document()}\n```",
        document(IMPORT.replace("App }", "App as Host }"), MAKE.replace("App(", "Host("), HANDLE, CONNECT),
        document(IMPORT, 'import { ui } from "@mcp-gen-ui/kit";', MAKE, HANDLE, CONNECT),
        document(IMPORT, MAKE, "app.addEventListener('toolresult', () => {});", CONNECT),
        document(IMPORT, MAKE, HANDLE, "async function start() { await app.connect(); }", "start();"),
        document(IMPORT, MAKE, HANDLE, CONNECT, "await app.callServerTool({ name: 'list', arguments: {} });"),
        document(
            IMPORT,
            MAKE,
            HANDLE,
            CONNECT,
            "const name = app.getHostContext()?.toolInfo?.tool?.name ?? 'list';",
            "app.callServerTool({ name });",
        ),
        document(head=HEAD + '<style>main { color: red }</style><link rel="icon" href="data:,">'),
        document(head=HEAD + '<link rel="canonical" href="https://a.example"><link rel="license" href="x">'),
        document(body='<script type="application/json">{"src": "https://a.example"}</script>'),
    ],
)
def test_a_sound_document_is_accepted(text):
    report = validate(text, CONTEXT)
    assert (report.ruling, report.findings) == (Ruling.ACCEPTED, ())


@pytest.mark.parametrize(
    ("text", "repairs", "held"),
    [
        (document(before="<html lang=de>"), ("doctype_added",), "<!DOCTYPE html>\n<html lang=de>"),
        (document(before="<!DOCTYPE html>"), ("html_added",), '<html lang="en">'),
        (document(before="<!DOCTYPE html><html>"), ("lang_added",), '<html lang="en">'),
        (document(head=HEAD.partition("\n")[2]), ("charset_added",), '<meta charset="utf-8">'),
        (document(head=HEAD.replace("viewport", "x")), ("viewport_added",), 'name="viewport"'),
        (document(head=HEAD.replace("title>", "b>")), ("title_added",), "<title>View</title>"),
        (document(MAKE, HANDLE, CONNECT), ("app_imported",), IMPORT),
        (document(IMPORT.replace("@model", "https://esm.sh/@model"), MAKE, HANDLE, CONNECT),
         ("imports_corrected",), IMPORT),
        (document(IMPORT, 'import x from "https://a.example";', MAKE, HANDLE, CONNECT), ("imports_corrected",), IMPORT),
        (document(IMPORT, MAKE, HANDLE), ("connect_added",), f"{HANDLE}\nawait app.connect();"),
        (document(IMPORT, MAKE, CONNECT), ("result_handler_added",), "app.ontoolresult ="),
        (document(body='<input name="x">'), ("controls_labelled",), 'aria-label="X"'),
        (document(head=HEAD + '<link rel="preconnect" href="https://a.example">'), ("hints_dropped",), "<head>"),
        (document(body='<a href="https://a.example">x</a>'), ("links_closed",), "<a>x</a>"),
    ],
)  # fmt: skip
def test_missing_parts_of_a_document_are_added_and_stay(text, repairs, held):
    report = validate(text, CONTEXT)
    assert (report.ruling, report.repairs, report.findings) == (Ruling.REPAIRED, repairs, ())
    assert held in report.source
    again = validate(report.source, CONTEXT)
    assert (again.ruling, again.source) == (Ruling.ACCEPTED, report.source)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (document(IMPORT, MAKE, HANDLE, CONNECT, "parent.x;"), "frame.access"),
        (document(IMPORT, MAKE, HANDLE, CONNECT, "app.callServerTool({ name: 'other' });"), "tool.foreign"),
        (
            document(IMPORT, 'import x from "https://a.example";', MAKE, HANDLE, CONNECT, "x();"),
            "import.foreign",
        ),
        (document(IMPORT, MAKE, HANDLE, CONNECT, "export * from 'https://a.example';"), "import.foreign"),
        (document(body="<b onclick='a(1)'>x</b>"), "handler.inline"),
        (document(body="<script src='https://a.example'></script>"), "resource.external"),
        (document(body="<script>fetch('x')</script>"), "network.call"),
        (document(body='<script type="importmap">{}</script>'), "import.dynamic"),
        (document(body="<iframe></iframe>"), "resource.element"),
        (document(head=HEAD + '<base href="https://a.example">'), "resource.element"),
        (document(head=HEAD + '<meta http-equiv="refresh" content="0;url=x">'), "navigation"),
        (document().replace("<body>", "<body onload=a(1)>"), "handler.inline"),
    ],
)
def test_a_document_that_reaches_out_is_refused(text, rule):
    report = validate(text, CONTEXT)
    assert (report.ruling, report.source) == (Ruling.REFUSED, "")
    assert rule in rules(report)


@pytest.mark.parametrize(
    ("text", "rule", "broken"),
    [
        (document(IMPORT, MAKE + ")", HANDLE), "script.parses", Block.SCRIPT),
        (document(IMPORT, MAKE, HANDLE, CONNECT, "eval('1');"), "code.from_text", Block.SCRIPT),
        (document(IMPORT, CONNECT), "app.missing", Block.SCRIPT),
        (document(kind="text/plain"), "script.missing", Block.DOCUMENT),
        (document().partition("JSON.str")[0], "script.missing", Block.DOCUMENT),
    ],
)
def test_a_broken_document_is_a_finding_for_the_model(text, rule, broken):
    report = validate(text, CONTEXT)
    assert (report.ruling, report.broken) == (Ruling.FIXABLE, broken)
    assert rule in rules(report)
    assert report.excerpt in report.source


@pytest.mark.parametrize("handler", ['"load()"', "load()", "' load() '"])
def test_a_handler_that_is_a_plain_call_becomes_a_listener(handler):
    load = "function load() {}"
    text = document(IMPORT, MAKE, HANDLE, CONNECT, load, body=f"<button onclick={handler}>Load</button>")
    report = validate(text, CONTEXT)
    assert "onclick" not in report.source
    assert (report.ruling, report.repairs) == (Ruling.REPAIRED, ("listeners_added",))
    assert "<button data-listener-1>Load</button>" in report.source
    assert (
        'document.querySelector("[data-listener-1]")?.addEventListener("click", function (event) { load() });'
        in report.source
    )
    assert validate(report.source, CONTEXT).ruling is Ruling.ACCEPTED


@pytest.mark.parametrize("handler", ["load(x)", "load();other()", "missing()", "alert(1)"])
def test_other_handlers_are_refused(handler):
    text = document(IMPORT, MAKE, HANDLE, CONNECT, "function load() {}", body=f'<b onclick="{handler}">x</b>')
    assert validate(text, CONTEXT).ruling is Ruling.REFUSED


def test_a_corrected_script_is_put_back_into_the_document():
    broken = validate(document(IMPORT, MAKE + ")", HANDLE), CONTEXT)
    answer = f'<script type="module">\n{IMPORT}\n{MAKE}\n{HANDLE}\n{CONNECT}\n</script>'
    report = validate(answer, evolve(CONTEXT, repairing=broken))
    assert (report.ruling, report.source) == (Ruling.ACCEPTED, document())


def test_a_corrected_document_replaces_the_old_one():
    broken = validate(document(kind="text/plain"), CONTEXT)
    assert validate(document(), evolve(CONTEXT, repairing=broken)).ruling is Ruling.ACCEPTED


def test_a_text_that_is_no_document_is_refused():
    assert rules(validate("I cannot.", CONTEXT)) == {"view.missing"}


def test_places_of_several_scripts_are_those_of_the_document():
    finding = validate(document(body="<script>\n  fetch('x')</script>"), CONTEXT).findings[0]
    assert (finding.block, finding.line, finding.column) == (Block.DOCUMENT, 10, 3)


PARTS = st.sampled_from(
    [
        "<!doctype html>", "<html>", "<html lang=''>", "<head>", "</head>", "<body>", "<title>", "</title>", "<script>",
        '<script type="module">', "</script>", IMPORT, MAKE, HANDLE, CONNECT, "</body>", "</html>", "<!--", "-->", "ä",
        "<frameset>", "<meta charset=x>", "<template>", "import 'x';", "export default 1;", "</template>", "<p>",
    ]
)  # fmt: skip


@given(st.lists(PARTS, max_size=14).map("\n".join))
def test_a_repaired_document_is_accepted_as_it_is(source):
    first = validate(f"<html>{source}", CONTEXT)
    if first.ruling in (Ruling.ACCEPTED, Ruling.REPAIRED):
        second = validate(first.source, CONTEXT)
        assert (second.ruling, second.source, second.repairs) == (Ruling.ACCEPTED, first.source, ())


def test_a_repaired_document_in_which_another_seems_to_begin_stays_whole():
    """A random test found this: text that the repairs insert moved the second beginning to the cut of the document."""
    module = '<script type="module">\nconst app = new App({ name: "view", version: "1.0.0" });\n</script>'
    first = validate(
        f"<html><!doctype html>\nsome words that stand before it\n<!doctype html>\n{module}", CONTEXT
    )
    assert first.ruling is Ruling.REPAIRED
    assert first.repairs[-1] == "end_added"
    second = validate(first.source, CONTEXT)
    assert (second.ruling, second.source) == (Ruling.ACCEPTED, first.source)


def test_an_unreadable_document_has_no_other_findings():
    report = validate(document(body="<p>" * 5_000), CONTEXT)
    assert report.ruling is Ruling.REFUSED
    assert rules(report) == {"markup.too_complex"}


@pytest.mark.parametrize(
    "text",
    [
        document(head=HEAD + "<style>@import 'https://a.example';\nb { color: red }</style>"),
        document(head=HEAD + '<link rel=stylesheet href="https://a.example"><style>b { color: red }</style>'),
        document(head=HEAD + "<style>b { color: red; background: url(https://a.example) }</style>"),
        document().replace("<body>", "<body background='https://a.example'>"),
        document(
            body="<img alt=x src='https://a.example/x.png'><p style='background:url(//a.example)'>x</p>"
        ),
    ],
)
def test_resources_outside_the_page_are_removed_with_a_warning(text):
    report = validate(text, CONTEXT)
    assert report.ruling is Ruling.REPAIRED
    assert {each.rule for each in report.findings} <= {"resource.decorative", "link.external"}
    assert report.findings
    assert "a.example" not in report.source
    assert validate(report.source, CONTEXT).ruling is Ruling.ACCEPTED


def test_a_part_removed_from_several_scripts_is_one_warning():
    script = "<script>\nlocation.hash = 'a';\n</script>"
    text = document(body=f"{script}\n{script}<a href='https://a.example'>x</a><img alt=x src='//a.example'>")
    report = validate(text, CONTEXT)
    assert report.ruling is Ruling.REPAIRED
    noted = sorted(each.rule for each in report.findings)
    assert noted == ["navigation.own", "navigation.own", "resource.decorative"]


def test_a_document_with_plain_scripts_alone_is_repaired_as_far_as_that_goes():
    text = (
        "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><meta name=viewport content=x><title>x</title></head>"
        "<body onload='start()'><button onclick='go(1); go(2)'>x</button>"
        "<script>function go() {} function start() { location.hash = 'a'; }</script></body></html>"
    )
    report = validate(text, CONTEXT)
    assert report.ruling is Ruling.FIXABLE
    assert {"script.missing"} == {each.rule for each in report.findings if each.severity == "error"}
    assert report.repairs == ("listeners_added", "own_navigation_dropped")
    assert "onclick" not in report.source
    assert 'addEventListener("click", function (event) { go(1); go(2) });' in report.source
    assert '.call(document.querySelector("[data-listener-1]"), new Event("load"))' in report.source


def test_a_document_that_breaks_off_behind_its_scripts_keeps_its_listeners():
    source = f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{HEAD}\n</head>\n<body>\n<b onclick="go()">a</b>\n'
    report = validate(f"{source}<script>function go() {{}}</script>", CONTEXT)
    assert (rules(report), report.repairs) == ({"script.missing"}, ("listeners_added",))
    assert '?.addEventListener("click", function (event) { go() });\n</script>' in report.source
