"""Views that are whole documents get their imports, the host's result and its theme (requirement U5)."""

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


@pytest.mark.matrix(quick=2)
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


@pytest.mark.matrix(quick=2)
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
def test_documents_have_no_barriers_wide_and_narrow(show_document, name, data):
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


NOTE = "Prices are fifteen minutes late, and no advice."
DRAWS = """<!DOCTYPE html><html lang="en"><head><title>a</title></head><body><main id="root"></main><script type="module">
import {{ App }} from "@modelcontextprotocol/ext-apps";
{kit}
const app = new App({{ name: "a", version: "1" }});
app.ontoolresult = async ({{ content, structuredContent: data }}) => {{
  const root = document.getElementById("root");
  {draw}
}};
await app.connect();
</script></body></html>"""
DRAW_DATA = "root.textContent = data ? `Price: ${data.price}` : 'Nothing';"
WITH_KIT = 'import { ui } from "@mcp-gen-ui/kit"; void ui;'


def drawing(draw=DRAW_DATA, kit=""):
    return DRAWS.format(draw=draw, kit=kit)


def missing_texts(view):
    return view.frame.locator("html > section")


@pytest.mark.matrix(quick=2)
@pytest.mark.parametrize("kit", ["", WITH_KIT], ids=["without the kit", "with the kit"])
@pytest.mark.parametrize("profile", PROFILES)
def test_the_page_shows_the_texts_that_a_document_does_not(show_document, text, profile, kit):
    view = show_document(drawing(kit=kit), profile=profile)
    view.send_result({"content": [text(NOTE)], "structuredContent": {"price": 12}})
    expect(view.frame.locator("#root")).to_have_text("Price: 12")
    expect(missing_texts(view)).to_have_text(NOTE)
    view.send_result({"content": [text('{"price": 13}')], "structuredContent": {"price": 13}})
    expect(missing_texts(view)).to_have_count(0)


@pytest.mark.parametrize(
    ("content", "structured", "is_error", "shown"),
    [
        ([NOTE, '{"price": 12}'], None, False, NOTE),
        ([NOTE, "Second of all"], None, False, "Second of all"),
        (["It failed altogether"], None, True, "It failed altogether"),
        (["\u2705"], {"price": 12}, False, "\u2705"),
        (["a", "No go"], None, False, "No go"),
    ],
    ids=["beside JSON", "second text", "error", "sign", "short words"],
)
def test_a_text_that_is_not_the_data_of_a_document_is_shown(
    show_document, text, content, structured, is_error, shown
):
    view = show_document(drawing())
    result = {"content": [text(each) for each in content], "isError": is_error}
    view.send_result(result | ({"structuredContent": structured} if structured else {}))
    expect(missing_texts(view)).to_have_text(shown)


@pytest.mark.parametrize(
    ("content", "structured", "draw"),
    [
        (["price: 1,250.50"], {"price": 1250.5}, "root.textContent = data.price;"),
        (["The price is 12"], {"price": 12}, "root.textContent = data.price;"),
        (['{"price": 12, "more": "All else"}'], {"price": 12}, "root.textContent = data.price;"),
        (["day,price\nMonday,12"], None, "root.textContent = 'A chart of all';"),
        (
            [f"**Note:** {NOTE} [More](https://example.com/elsewhere)"],
            {"price": 12},
            f"root.innerHTML = '<b>Note</b>: {NOTE} <u>More</u>';",
        ),
        ([NOTE], {"price": 12}, "setTimeout(() => { root.textContent = content[0].text; }, 600);"),
        (
            [NOTE],
            {"price": 12},
            "root.append(Object.assign(document.createElement('textarea'), { value: content[0].text }));",
        ),
        (
            [NOTE],
            {"price": 12},
            "root.attachShadow({ mode: 'closed' }).append(content[0].text);",
        ),
    ],
    ids=[
        "in words",
        "sentence",
        "as JSON",
        "only text",
        "formatted",
        "drawn late",
        "in a control",
        "in a root",
    ],
)
def test_a_text_that_a_document_shows_or_was_given_as_data_is_not_shown_again(
    show_document, text, content, structured, draw
):
    view = show_document(drawing(draw))
    result = {"content": [text(each) for each in content]}
    view.send_result(result | ({"structuredContent": structured} if structured else {}))
    view.frame.evaluate("new Promise((done) => setTimeout(done, 1200))")
    expect(missing_texts(view)).to_have_count(0)


def test_an_error_that_a_document_shows_is_not_shown_again_below_it(show_document, text):
    draw = "root.textContent = `Sorry: ${content[0].text}`;"
    view = show_document(drawing(draw))
    view.send_result({"content": [text("The file a.txt does not exist")], "isError": True})
    expect(view.frame.locator("#root")).to_have_text("Sorry: The file a.txt does not exist")
    view.frame.evaluate("new Promise((done) => setTimeout(done, 1200))")
    expect(missing_texts(view)).to_have_count(0)


def test_the_texts_of_a_documents_own_call_are_shown_in_place_of_those_before(show_document, text):
    draw = DRAW_DATA + "root.onclick = () => app.callServerTool({ name: 'tool', arguments: {} });"
    view = show_document(
        drawing(draw),
        call=lambda *_: {"content": [text("Closed on Sundays")], "structuredContent": {"price": 14}},
    )
    view.send_result({"content": [text(NOTE)], "structuredContent": {"price": 12}})
    expect(missing_texts(view)).to_have_text(NOTE)
    view.frame.locator("#root").click()
    expect(missing_texts(view)).to_have_text("Closed on Sundays")


@pytest.mark.matrix(quick=2)
@pytest.mark.parametrize("profile", PROFILES)
def test_hostile_texts_that_a_document_does_not_show_stay_text(show_document, text, profile):
    hostile = "<img src=x onerror='document.title=1'><script>document.title = 2</script><a href='javascript:alert(1)'>Press</a>"
    view = show_document(drawing(), profile=profile)
    view.send_result({"content": [text(hostile)], "structuredContent": {"price": 12}})
    expect(missing_texts(view)).to_have_text(hostile)
    assert missing_texts(view).locator("*").count() == 0
    assert view.frame.title() == "a"


def test_the_texts_below_a_document_count_for_the_height_that_it_reports(show_document, text):
    view = show_document(drawing())
    view.send_result({"content": [], "structuredContent": {"price": 12}})
    view.page.wait_for_function("host.sizes.length > 0")
    before = view.sizes[-1]["height"]
    view.send_result({"content": [text("Line of text\n" * 40)], "structuredContent": {"price": 12}})
    expect(missing_texts(view)).to_have_count(1)
    view.page.wait_for_function("before => host.sizes.at(-1).height > before + 300", arg=before)
