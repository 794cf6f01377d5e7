"""Which tools a view may call, and which calls a person must confirm; without the validator (requirement M3)."""

import json

import pytest
from playwright.sync_api import expect
from view_host import written_page

DESTRUCTIVE = {"name": "delete_all", "annotations": {"destructiveHint": True}}
ANY_RESULT = {"content": [{"type": "text", "text": "x"}]}
BUTTON = """<template><button type="button" id="go">Go</button><p id="said"></p></template>
<script>function render(data, ui) {{
  const say = (text) => {{ ui.root.querySelector("#said").textContent = text; }};
  ui.root.querySelector("#go").addEventListener("click", () => {call}.then(() => say("done"), (error) => say(error.message)));
}}</script>"""
DOCUMENT = """<!DOCTYPE html><html lang="en"><head><title>a</title></head><body><button type="button" id="go">Go</button><p id="said"></p>
<script type="module">
import {{ App, PostMessageTransport }} from "@modelcontextprotocol/ext-apps";
const app = new App({{ name: "a", version: "1" }});
const say = (text) => {{ document.getElementById("said").textContent = text; }};
document.getElementById("go").addEventListener("click", () => {call}.then(() => say("done"), (error) => say(error.message)));
await app.connect();
</script></body></html>"""


def answer(name, _arguments):
    return {"content": [{"type": "text", "text": f"{name} ran"}]}


@pytest.fixture
def show_button(show_fragment, show_document):
    """Show a view with one button, as a fragment or a document; returns the host's side."""

    def show_button(mode, call, definition=None, **options):
        if mode == "document":
            return show_document(DOCUMENT.format(call=call), definition, related=(), call=answer, **options)
        screen = show_fragment(BUTTON.format(call=call), definition, related=(), call=answer, **options)
        screen.host.send_result(ANY_RESULT)
        return screen.host

    return show_button


def said(view):
    return view.frame.locator("#said")


FOREIGN = {
    "fragment": ["ui.call('delete_all', {})"],
    "document": [
        "app.callServerTool({ name: 'delete_all', arguments: {} })",
        "app.request({ method: 'tools/call', params: { name: 'delete_all' } })",
        "new PostMessageTransport().send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'delete_all' } })",
        "new App({ name: 'b', version: '1' }, {}, { toolName: 'delete_all' }).connect().then(() => app.callServerTool({ name: 'delete_all' }))",
    ],
}


@pytest.mark.parametrize(
    ("mode", "call"), [(mode, call) for mode, calls in FOREIGN.items() for call in calls]
)
def test_a_view_calls_no_tool_that_is_not_its_own(show_button, mode, call):
    view = show_button(mode, call)
    view.frame.get_by_role("button", name="Go").click()
    expect(said(view)).to_contain_text("may not call")
    assert view.calls == []


def test_a_name_that_changes_between_two_reads_is_the_checked_one(show_button):
    changing = (
        "(() => { let looks = 0; return { get name() { return looks++ ? 'delete_all' : 'tool'; } }; })()"
    )
    view = show_button("document", f"app.callServerTool({changing})")
    view.frame.get_by_role("button", name="Go").click()
    expect(said(view)).not_to_have_text("")
    assert [each for each in view.calls if each["name"] != "tool"] == []


def test_a_batch_of_messages_does_not_bypass_the_check(show_button):
    message = "{ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'delete_all' } }"
    view = show_button("document", f"new PostMessageTransport().send([{message}])")
    view.frame.get_by_role("button", name="Go").click()
    expect(said(view)).to_have_text("This is no message of a view")


@pytest.mark.parametrize("mode", ["fragment", "document"])
def test_a_related_tool_is_called_without_a_question(mount, mode):
    call = "ui.call('list_more', {})" if mode == "fragment" else "app.callServerTool({ name: 'list_more' })"
    source = (BUTTON if mode == "fragment" else DOCUMENT).format(call=call)
    definition = {"name": "tool", "inputSchema": {"type": "object"}}
    view = mount(written_page(definition, source, mode, related=["list_more"]), tool=definition, call=answer)
    view.send_result(ANY_RESULT)
    view.frame.get_by_role("button", name="Go").click()
    expect(said(view)).to_have_text("done")
    assert [each["name"] for each in view.calls] == ["list_more"]


CALLS = {
    "fragment": "ui.call('delete_all', {})",
    "document": "app.callServerTool({ name: 'delete_all', arguments: {} })",
}


@pytest.mark.parametrize("mode", CALLS)
def test_a_destructive_tool_runs_when_a_person_says_so(show_button, mode):
    view = show_button(mode, CALLS[mode], DESTRUCTIVE)
    view.frame.get_by_role("button", name="Go").click()
    question = view.frame.get_by_role("dialog", name="Confirm")
    expect(question).to_contain_text("delete_all can change or delete things")
    assert view.calls == []
    question.get_by_role("button", name="Run delete_all").click()
    expect(said(view)).to_have_text("done")
    assert [each["name"] for each in view.calls] == ["delete_all"]


@pytest.mark.parametrize("mode", CALLS)
def test_a_destructive_tool_does_not_run_when_a_person_says_no(show_button, mode):
    view = show_button(mode, CALLS[mode], DESTRUCTIVE)
    view.frame.get_by_role("button", name="Go").click()
    view.frame.get_by_role("button", name="Cancel").press("Enter")
    expect(said(view)).to_have_text("delete_all was not confirmed")
    view.frame.get_by_role("button", name="Go").click()
    view.frame.get_by_role("button", name="Cancel").press("Escape")
    expect(said(view)).to_have_text("delete_all was not confirmed")
    assert view.calls == []


PRESSES = {
    "click": "yes.click()",
    "made event": "yes.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))",
    "pointer event": "yes.dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'mouse' }))",
    "label": "const label = document.createElement('label'); yes.id = 'yes'; label.htmlFor = 'yes'; dialog.append(label); label.click()",
    "label around": "const label = document.createElement('label'); dialog.append(label); label.append(yes); label.click()",
    "event of a label": "const label = document.createElement('label'); yes.id = 'yes'; label.htmlFor = 'yes'; dialog.append(label); label.dispatchEvent(new MouseEvent('click', { bubbles: true }))",
    "key": "yes.focus(); for (const type of ['keydown', 'keypress', 'keyup']) yes.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true }))",
    "form": "const form = document.createElement('form'); dialog.append(form); form.append(yes); yes.type = 'submit'; form.requestSubmit(yes)",
    "other words": "dialog.firstChild.textContent = 'Read on?'; yes.textContent = 'Next'; dialog.dataset.ready = 1",
}


@pytest.mark.parametrize("press", PRESSES)
def test_no_press_of_a_script_confirms(show_button, press):
    then = f"const dialog = document.querySelector('dialog'), yes = dialog.querySelectorAll('button')[1]; {PRESSES[press]};"
    call = f"((made) => {{ {then} return made; }})(ui.call('delete_all', {{}}))"
    view = show_button("fragment", call, DESTRUCTIVE)
    view.frame.get_by_role("button", name="Go").click()
    if press == "other words":
        view.frame.get_by_role("button", name="Next").click()
    view.frame.evaluate("new Promise((done) => setTimeout(done, 100))")
    assert view.calls == []


def test_the_form_asks_once_and_takes_no_press_of_a_script(show):
    screen = show({**DESTRUCTIVE, "inputSchema": {"type": "object"}}, call=answer)
    press = "document.querySelector('button.primary').click()"
    screen.frame.evaluate(f"{press}; {press}; {press}")
    screen.frame.evaluate("document.querySelector('form').requestSubmit()")
    assert screen.host.calls == []
    screen.run_button.click()
    expect(screen.result).to_contain_text("delete_all ran")
    assert len(screen.host.calls) == 1


LONG = f"{'é' * 60}{'long_' * 20}"
CUT = f"{LONG[:99]}…"
CALLS_OF = {
    "fragment": lambda name: f"ui.call({json.dumps(name)}, {{}})",
    "document": lambda name: f"app.callServerTool({{ name: {json.dumps(name)}, arguments: {{}} }})",
}


@pytest.fixture
def call_by_name(mount):
    """Show a view that calls a tool by a name, press its button, and return the names that the host was sent."""

    def call_by_name(mode, called, own, related=()):
        source = (BUTTON if mode == "fragment" else DOCUMENT).format(call=CALLS_OF[mode](called))
        definition = {"name": own, "inputSchema": {"type": "object"}}
        view = mount(written_page(definition, source, mode, related=[*related]), tool=definition, call=answer)
        view.send_result(ANY_RESULT)
        view.frame.get_by_role("button", name="Go").click()
        expect(said(view)).to_have_text("done")
        return [each["name"] for each in view.calls]

    return call_by_name


@pytest.mark.matrix
@pytest.mark.parametrize("called", [CUT, f"{LONG}name"], ids=["cut", "whole"])
@pytest.mark.parametrize("mode", CALLS)
def test_a_call_by_the_cut_or_the_whole_name_is_sent_with_the_whole_name(call_by_name, mode, called):
    assert call_by_name(mode, called, f"{LONG}name") == [f"{LONG}name"]
    assert call_by_name(mode, called, "tool", [f"{LONG}name"]) == [f"{LONG}name"]


@pytest.mark.matrix
@pytest.mark.parametrize("mode", CALLS)
@pytest.mark.parametrize("others", [[f"{LONG}other"], [CUT], [CUT, f"{LONG}other"]])
def test_a_cut_name_that_two_tools_share_calls_the_views_own_tool(call_by_name, mode, others):
    assert call_by_name(mode, CUT, f"{LONG}name", others) == [f"{LONG}name"]
    assert call_by_name(mode, f"{LONG}other", f"{LONG}name", [*others, f"{LONG}other"]) == [f"{LONG}other"]


@pytest.mark.matrix
@pytest.mark.parametrize("mode", CALLS)
@pytest.mark.parametrize("related", [[CUT, f"{LONG}other"], [f"{LONG}other", CUT]])
def test_a_whole_name_goes_before_another_tools_cut_name(call_by_name, mode, related):
    assert call_by_name(mode, CUT, "tool", related) == [CUT]


def test_a_gateways_name_stays_the_name_of_the_call(show_button):
    definition = {"name": "tool", "inputSchema": {"type": "object"}}
    view = show_button("document", "app.callServerTool({ name: 'tool' })", definition)
    view.frame.get_by_role("button", name="Go").click()
    expect(said(view)).to_have_text("done")
    view.context(toolInfo={"tool": {"name": "gate__tool", "inputSchema": {"type": "object"}}})
    view.frame.evaluate("new Promise((done) => setTimeout(done, 100))")
    view.frame.get_by_role("button", name="Go").click()
    view.wait_for_calls(2)
    assert [each["name"] for each in view.calls] == ["tool", "gate__tool"]
