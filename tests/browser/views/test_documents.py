"""Documents that somebody wrote, with what they import put in."""

import pytest
from accessibility import barriers
from playwright.sync_api import expect

PROFILES = ["spec", "opaque", "noforms", "vscode", "url"]
FORECAST = {"days": [{"day": "Monday", "high": 12}, {"day": "Tuesday", "high": 14}]}
STOCK = {
    "items": [
        {"name": "Screws", "amount": 12_000, "page": "https://example.com/screws", "state": "fine"},
        {"name": "Nails", "amount": 3, "page": "https://example.com/nails", "state": "low"},
    ],
    "updated": "2026-03-01T23:30:00Z",
    "site": "Hall 3",
}


def structured(data):
    return {"content": [], "structuredContent": data}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_document_shows_the_hosts_result_and_that_of_its_own_call(show_document, profile):
    view = show_document(
        "forecast",
        profile=profile,
        tool_input={"city": "Oslo", "days": 2},
        call=lambda *_: structured({"days": FORECAST["days"][:1]}),
    )
    expect(view.frame.locator("#city")).to_have_value("Oslo")
    view.send_result(structured(FORECAST))
    expect(view.frame.get_by_role("listitem")).to_have_text(["Monday: 12 degrees", "Tuesday: 14 degrees"])
    view.frame.get_by_text("Arguments").click()
    view.frame.get_by_role("button", name="Run").click()
    expect(view.frame.get_by_role("listitem")).to_have_text(["Monday: 12 degrees"])
    assert view.calls == [{"name": "forecast", "arguments": {"city": "Oslo", "days": 2}}]
    assert view.violations == []


@pytest.mark.parametrize("profile", PROFILES)
def test_a_document_in_the_classic_style_works(show_document, text, profile):
    view = show_document(
        "classic",
        {"name": "echo"},
        profile=profile,
        call=lambda _, given: {"content": [text(given["words"])]},
    )
    view.send_result({"content": [text("before anybody listened")]})
    expect(view.frame.locator("#answer")).to_have_text("before anybody listened")
    view.frame.get_by_label("Words").fill("hello")
    view.frame.get_by_label("Words").press("Enter")
    expect(view.frame.locator("#answer")).to_have_text("hello")
    view.frame.get_by_label("Words").fill("again")
    view.frame.get_by_role("button", name="Send").click()
    expect(view.frame.locator("#answer")).to_have_text("again")
    assert len(view.calls) == 2
    view.frame.get_by_role("link", name="Help").click()
    view.page.wait_for_function("host.links.length > 0")
    assert view.links == ["https://example.com/help"]


def test_a_document_draws_with_the_kit_and_keeps_its_own_style(show_document):
    view = show_document("stock")
    view.send_result(structured(STOCK))
    frame = view.frame
    expect(frame.locator("#status")).to_have_text("2 items, Mar 1, 2026, 11:30 PM")
    expect(frame.get_by_role("figure").get_by_text("In stock")).to_be_visible()
    expect(frame.get_by_role("table").get_by_role("row").nth(1)).to_have_text(
        "Screws12,000https://example.com/screwsfine"
    )
    expect(frame.locator(".badge.bad")).to_have_text("low")
    expect(frame.locator("dt")).to_have_text(["Place"])
    styles = "[getComputedStyle(document.querySelector('h1')).fontSize, getComputedStyle(document.querySelector('p.row')).display]"
    assert frame.evaluate(styles) == ["21px", "block"]
    frame.get_by_role("link", name="https://example.com/screws").click()
    view.page.wait_for_function("host.links.length > 0")
    assert view.links == ["https://example.com/screws"]


def test_a_document_follows_the_hosts_theme_style_and_language(show_document):
    view = show_document("stock", theme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert view.frame.evaluate(ground) == "rgb(16, 16, 20)"
    view.context(theme="light", locale="de-DE", timeZone="Asia/Tokyo")
    view.send_result(structured(STOCK))
    expect(view.frame.locator("#status")).to_have_text("2 items, 02.03.2026, 08:30")
    assert view.frame.evaluate(ground) == "rgb(253, 253, 253)"


@pytest.mark.parametrize(("name", "data"), [("forecast", FORECAST), ("stock", STOCK)])
def test_documents_are_without_barriers_wide_and_narrow(show_document, name, data):
    view = show_document(name, width=800)
    view.send_result(structured(data))
    expect(view.frame.get_by_text("2 days" if name == "forecast" else "2 items")).to_be_visible()
    assert barriers(view) == []
    view.resize(320)
    assert barriers(view) == []
    assert view.frame.evaluate("document.documentElement.scrollWidth") <= 320


LONE = """<!DOCTYPE html><html lang="en"><head><title>a</title></head><body>
<form id="form"><label>Words <input></label></form>
<script type="module">
import { App } from "@modelcontextprotocol/ext-apps";
const app = new App({ name: "a", version: "1.0.0" });
app.ontoolresult = () => {};
document.getElementById("form").addEventListener("submit", () => { document.body.append("sent"); });
await app.connect();
</script></body></html>"""


@pytest.mark.parametrize("profile", ["spec", "opaque", "url"])
def test_a_form_that_forgets_to_stay_does_not_take_the_document_away(show_document, profile):
    view = show_document(LONE, profile=profile)
    view.frame.get_by_label("Words").fill("hello")
    view.frame.get_by_label("Words").press("Enter")
    expect(view.frame.get_by_text("sent")).to_be_visible()
    view.ask("ping")
    expect(view.frame.get_by_label("Words")).to_have_value("hello")


CALLING = """<!DOCTYPE html><html lang="en"><head><title>a</title></head><body><p></p>
<script type="module">
import * as kit from "@mcp-gen-ui/kit";
import { App } from "@modelcontextprotocol/ext-apps";
const say = (words) => document.body.append(kit.ui.el("p", words));
await kit.ui.call("tool", {}).catch((error) => say(error.message));
const app = new App({ name: "a", version: "1.0.0" });
await app.connect();
say(JSON.stringify(await kit.ui.call("tool", { a: 1 })));
await kit.ui.call("tool", {}).catch((error) => say(error.message));
</script></body></html>"""


def test_the_kit_calls_tools_for_a_document_through_its_app(show_document, text):
    answers = iter([structured({"b": 2}), {"content": [text("no more")], "isError": True}])
    view = show_document(CALLING, call=lambda *_: next(answers))
    expect(view.frame.get_by_text("No App is connected yet")).to_be_visible()
    expect(
        view.frame.get_by_text('{"data":{"b":2},"meta":{"isError":false,"content":[],"args":{"a":1}}}')
    ).to_be_visible()
    expect(view.frame.get_by_text("no more")).to_be_visible()
