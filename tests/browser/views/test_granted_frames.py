"""A view may frame pages of the origins in `security.frameDomains`, and no others (requirement U3)."""

import pytest
from playwright.sync_api import expect
from spellings import SPELLINGS
from view_host import ViewHost

from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import view_page
from genui_core.domain.pages.minimal_view import page_data
from genui_core.domain.pages.page_frame import PagePolicy
from genui_core.domain.settings.settings import GrantedDomains, Settings
from genui_core.domain.tools.tool import Tool

TOOL = {"name": "tool", "inputSchema": {"type": "object"}}
GRANTED, OTHER = "http://granted.test", "http://other.test"
CALLED = {"content": [{"type": "text", "text": "x"}]}
FRAME = """<template><p>Here</p></template>
<script>function render(data, ui) {
  const frame = document.createElement("iframe");
  %s
  ui.root.append(frame);
  ui.root.dataset.done = frame.localName;
}</script>"""
RUNS = "<script>parent.document.documentElement.dataset.ran = 1</script><p>Own</p>"
DOCUMENTS = {
    "property": "frame.srcdoc = TEXT",
    "attribute": "frame.setAttribute('srcDoc', TEXT)",
    "attribute of a late name": "let n = 0; frame.setAttribute({ toString: () => n++ ? 'srcdoc' : 'title' }, TEXT)",
    "attribute of a namespace": "frame.setAttributeNS(null, 'srcdoc', TEXT)",
    "node": "const a = document.createAttribute('srcdoc'); a.value = TEXT; frame.setAttributeNode(a)",
    "node of a namespace": "const a = document.createAttributeNS(null, 'srcdoc'); a.value = TEXT; frame.setAttributeNodeNS(a)",
    "named item": "const a = document.createAttribute('srcdoc'); a.value = TEXT; frame.attributes.setNamedItem(a)",
    "named item of a namespace": "const a = document.createAttribute('srcdoc'); a.value = TEXT; frame.attributes.setNamedItemNS(a)",
    "node of markup": "const p = document.createElement('p'); p.innerHTML = '<b srcdoc></b>'; const a = p.firstChild.attributes[0]; a.ownerElement.removeAttributeNode(a); a.value = TEXT; frame.setAttributeNode(a)",
    "toggled": "frame.toggleAttribute('srcdoc', true); frame.attributes.srcdoc.value = TEXT",
}


@pytest.fixture
def show_frame(browser, host_origins):
    """Show a view that makes a frame, in a host that allows all frames; return the view."""
    host = ViewHost(browser, host_origins)
    host.context.route(
        f"{GRANTED}/**", lambda route: route.fulfill(body="<p>Granted</p>", content_type="text/html")
    )

    def show_frame(script, *granted):
        tool, grants = Tool(TOOL), GrantedDomains(frame=granted)
        data = page_data(tool, Settings(default_theme="system", granted=grants))
        page = view_page(tool, data, BuiltViewKit(), FRAME % script, "fragment", policy=PagePolicy(grants))
        view = host.mount(page, profile="frames", tool=TOOL, call=lambda *_: CALLED)
        view.frame.evaluate("window.realMark = 'real'")
        view.send_result(CALLED)
        view.frame.locator("[data-done]").wait_for(state="attached")
        return view

    yield show_frame
    host.close()


def test_a_page_of_a_granted_origin_is_shown_in_a_frame(show_frame):
    view = show_frame(f"frame.src = '{GRANTED}/a'", GRANTED)
    expect(view.frame.frame_locator("iframe").locator("p")).to_have_text("Granted")


def test_a_page_of_another_origin_is_not_requested(show_frame):
    view = show_frame(f"frame.src = '{OTHER}/a'", GRANTED)
    view.page.wait_for_function("host.messages.length > 0")
    view.frame.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert (view.requests, len(view.violations)) == ([], 1)


def test_a_view_makes_no_frame_without_a_granted_origin(show_frame):
    view = show_frame(f"frame.src = '{GRANTED}/a'")
    assert view.frame.locator("[data-done]").get_attribute("data-done") == "x-held"
    assert view.frame.child_frames == []


def test_no_frame_has_a_document_of_the_views_own(show_frame):
    attempts = "".join(
        f"""{{ const frame = document.createElement("iframe");
        try {{ {script} }} catch {{ /* refused */ }}
        frame.dataset.way = {way!r}; ui.root.append(frame); }}\n"""
        for way, script in DOCUMENTS.items()
    )
    text = repr(RUNS).replace("</script>", "<\\/script>")
    view = show_frame(attempts.replace("TEXT", text), GRANTED)
    found = view.frame.locator("iframe[data-way]").evaluate_all(
        "all => all.map((one) => [one.dataset.way, one.getAttribute('srcdoc') || ''])"
    )
    assert dict(found) == dict.fromkeys(DOCUMENTS, "")
    assert [each.locator("p").count() for each in view.frame.child_frames] == [0] * (len(DOCUMENTS) + 1)


def test_no_frame_hands_a_script_a_window_where_frames_are_granted(show_frame):
    bodies = [f"async (give) => {{ {body} }}" for name, body in SPELLINGS.items() if name.startswith("frame")]
    script = f"""for (const attempt of [{", ".join(bodies)}]) {{
      attempt((value) => {{ if (value?.realMark === "real") ui.root.dataset.got = "1"; }}).catch(() => {{}});
    }}"""
    view = show_frame(script, GRANTED)
    view.frame.evaluate("new Promise((done) => setTimeout(done, 200))")
    assert view.frame.locator("[data-got]").count() == 0
