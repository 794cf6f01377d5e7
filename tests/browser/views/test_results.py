"""How the minimal view shows each kind of result (requirement M2)."""

import base64
import io
import json
import wave

import pytest
from playwright.sync_api import expect

ROWS = [
    {"city": "Oslo", "people": 709},
    {"city": "Łódź", "people": 66},
    {"city": "Rome", "people": None},
    {"city": "Bern", "people": 1340},
]


@pytest.fixture
def sound():
    """Return a tenth of a second of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(1)
        writer.setframerate(8000)
        writer.writeframes(b"\x80" * 800)
    return {"type": "audio", "data": base64.b64encode(file.getvalue()).decode(), "mimeType": "audio/wav"}


def column(screen, number):
    return screen.result.locator(f"tbody td:nth-child({number})").all_inner_texts()


def test_text_is_shown_as_it_is(show_result, text):
    words = "One line\n    an indented one\n\n* not a list *"
    shown = show_result(text(words)).result.get_by_text("One line")
    expect(shown).to_be_visible()
    assert shown.inner_text() == words


def test_a_list_of_objects_is_a_table_that_sorts_both_ways(show_result):
    screen = show_result(structured={"cities": ROWS})
    header = screen.result.get_by_role("columnheader", name="People")
    expect(header).to_have_attribute("aria-sort", "none")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    assert column(screen, 1) == ["Łódź", "Oslo", "Bern", "Rome"]
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    assert [one for one in column(screen, 2) if one.replace(",", "").isdigit()] == ["1,340", "709", "66"]


def test_a_long_table_is_paged_and_filtered(show_result):
    screen = show_result(structured={"rows": [{"n": number} for number in range(120)]})
    expect(screen.result.locator("tbody tr")).to_have_count(50)
    screen.result.get_by_role("button", name="Next").click()
    assert column(screen, 1)[0] == "50"
    screen.result.get_by_role("searchbox").fill("119")
    expect(screen.result.locator("tbody tr")).to_have_count(1)
    expect(screen.result).to_contain_text("1 of 120 rows")


def test_json_in_text_is_recognised(show_result, text):
    screen = show_result(text(json.dumps(ROWS)))
    expect(screen.result.get_by_role("table")).to_be_visible()
    assert column(screen, 1) == ["Oslo", "Łódź", "Rome", "Bern"]


def test_numbers_too_large_for_a_browser_keep_their_digits(show_result, text):
    words = '[{"id": 12345678901234567890, "n": 0.1234567890123456789}, {"id": 9007199254740993, "n": 2}]'
    screen = show_result(text(words), structured={"result": json.loads(words)})
    assert column(screen, 1) == ["12345678901234567890", "9007199254740993"]
    assert column(screen, 2)[1] == "2"


def test_columns_and_rows_are_a_table(show_result):
    screen = show_result(structured={"columns": ["a", "b"], "rows": [[1, 2], [3, 4]]})
    expect(screen.result.get_by_role("columnheader")).to_have_text(["a", "b"])
    assert column(screen, 2) == ["2", "4"]


def test_an_object_is_names_and_values(show_result):
    screen = show_result(structured={"firstName": "Ada", "is_admin": False, "score": 0, "gone": None})
    expect(screen.result.locator("dt")).to_have_text(["Score", "First name", "Admin"])
    expect(screen.result.get_by_text("Empty: Gone")).to_be_visible()
    expect(screen.result.locator("dd").nth(2)).to_have_text("No")
    expect(screen.result.locator("dd").nth(0)).to_have_text("0")


@pytest.mark.parametrize("look", ["pairs", "stats"])
def test_a_value_stands_beneath_its_name(show_result, look):
    facts = (
        {"host": "vm", "platform": "linux"} if look == "pairs" else {"free_bytes": 25_276_514_304, "cores": 2}
    )
    screen = show_result(structured=facts)
    line = screen.result.locator(f"dl.{look} > div").first
    name, value = (line.locator(tag).bounding_box() for tag in ("dt", "dd"))
    assert value["y"] >= name["y"] + name["height"]
    assert value["x"] == name["x"]
    assert value["height"] < 2 * name["height"] + 8


def test_a_plain_value_is_shown_whatever_it_is(show_result):
    screen = show_result(structured={"first": 1})
    for number, value in enumerate([0, False, "", 12.5, [], ["a", 1, None], None]):
        screen.host.send_result({"content": [], "structuredContent": {f"value{number}": value}})
        expect(screen.result.get_by_text(f"value{number}").first).to_be_visible()
        expect(screen.state).to_have_text("Done")


def test_structured_content_comes_first_and_text_that_repeats_it_is_not_shown_twice(show_result, text):
    structured = {"city": "Oslo"}
    screen = show_result(text(json.dumps(structured)), text("A remark"), structured=structured)
    expect(screen.result.get_by_text("Oslo")).to_have_count(1)
    words = screen.result.inner_text()
    assert words.index("Oslo") < words.index("A remark")


def test_all_items_of_a_result_are_shown(show_result, text, red_png):
    screen = show_result(
        text("First words"),
        {"type": "image", "data": red_png, "mimeType": "image/png"},
        text('{"key": "from JSON"}'),
        {"type": "resource", "resource": {"uri": "file:///notes.txt", "text": "Embedded words"}},
        {"type": "resource_link", "uri": "https://example.com/report", "name": "The report"},
        text("Last words"),
    )
    for words in (
        "First words",
        "from JSON",
        "Embedded words",
        "file:///notes.txt",
        "The report",
        "Last words",
    ):
        expect(screen.result.get_by_text(words, exact=True)).to_be_visible()
    expect(screen.result.get_by_role("img")).to_be_visible()


def test_a_picture_says_its_size_and_is_handed_over_by_the_host(show_result, text, red_png):
    screen = show_result(text("How it was made"), {"type": "image", "data": red_png, "mimeType": "image/png"})
    caption = screen.result.locator("figcaption")
    expect(caption).to_contain_text("48 \u00d7 48 px \u00b7 PNG \u00b7 ")
    above = screen.result.get_by_text("How it was made").bounding_box()["y"]
    assert screen.result.get_by_role("img").bounding_box()["y"] < caption.bounding_box()["y"] < above
    caption.get_by_role("button", name="Download").click()
    screen.host.page.wait_for_function("host.files.length === 1")
    [file] = screen.host.ask_host("host.files")
    assert (file["resource"]["blob"], file["resource"]["uri"]) == (red_png, "file:///image.png")


def test_a_link_is_opened_by_the_host(show_result):
    screen = show_result({"type": "resource_link", "uri": "https://example.com/report", "name": "The report"})
    screen.result.get_by_role("link", name="The report").click()
    screen.host.page.wait_for_function("host.links.length === 1")
    assert screen.host.ask_host("host.links") == ["https://example.com/report"]


def test_an_address_that_is_no_web_page_is_no_link(show_result):
    uris = ("javascript:canary=1", "data:text/html,x", "file:///etc/passwd", " javascript:canary=1")
    links = [{"type": "resource_link", "uri": uri, "name": f"To {uri}"} for uri in uris]
    screen = show_result(*links, structured={"at": uris})
    for uri in uris:
        expect(screen.result.get_by_text(f"To {uri}").first).to_be_visible()
    expect(screen.result.get_by_role("link")).to_have_count(0)


def test_an_item_of_a_kind_no_one_knows_is_shown_as_data(show_result):
    screen = show_result({"type": "hologram", "depth": "very deep"})
    expect(screen.result.get_by_text("very deep")).to_be_visible()


def test_sound_can_be_played(show_result, sound):
    screen = show_result(sound)
    player = screen.result.locator("audio")
    expect(player).to_be_visible()
    known = "new Promise((done) => audio.addEventListener('durationchange', () => done(audio.duration > 0)))"
    assert player.evaluate(f"(audio) => audio.duration > 0 || {known}")


def test_where_sound_may_not_be_played_the_page_says_so(show_result, sound):
    screen = show_result(sound, profile="opaque")
    expect(screen.result.get_by_text("cannot be played")).to_be_visible()


def test_the_view_says_that_data_are_no_sound(show_result):
    screen = show_result({"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"})
    expect(screen.result.get_by_text("cannot be played")).to_be_visible()


def test_the_view_says_that_data_are_no_picture(show_result):
    item = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    expect(show_result(item).result.get_by_text("cannot be shown")).to_be_visible()


def test_an_empty_object_before_any_call_is_no_data_yet(show):
    screen = show({"name": "tool", "inputSchema": {"type": "object"}})
    screen.host.send_result({})
    screen.host.ask("ping")
    expect(screen.result).to_contain_text("No data yet")


def test_the_view_says_that_the_result_of_a_call_is_empty(show):
    screen = show({"name": "tool", "inputSchema": {"type": "object"}}, call=lambda *_: {"content": []})
    screen.run_button.click()
    expect(screen.result).to_contain_text("returned nothing")


def test_text_above_the_display_limit_is_cut_and_more_is_shown_on_demand(show_result, text):
    words = "".join(f"line {number}\n" for number in range(60_000))
    screen = show_result(text(words))
    block = screen.result.locator("pre").first
    assert len(block.text_content()) <= 102_400
    while screen.result.get_by_role("button", name="Show more").count():
        screen.result.get_by_role("button", name="Show more").click()
    assert block.text_content() == words


def test_raw_json_shows_the_whole_result_and_goes_away_again(show_result, text):
    screen = show_result(text("words"), structured={"a": [1, None]})
    screen.button("Raw JSON").click()
    shown = json.loads(screen.result.locator("pre:visible").inner_text())
    assert shown == {"content": [{"type": "text", "text": "words"}], "structuredContent": {"a": [1, None]}}
    toggle = screen.button("Raw JSON")
    expect(toggle).to_have_attribute("aria-pressed", "true")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "false")
    expect(screen.result.get_by_text('"structuredContent"')).not_to_be_visible()


def test_a_colour_is_seen_beside_its_digits(show_result, painted):
    screen = show_result(structured={"theme": {"accent": "#ff0000", "name": "fire"}})
    assert painted(screen, screen.result.locator(".swatch")) == [255, 0, 0]


@pytest.mark.parametrize("width", [320, 800])
def test_a_success_that_says_it_failed_says_so_in_one_line(show_result, text, width):
    screen = show_result(text("Error: the disk is full"), width=width)
    expect(screen.state).to_have_text("Failed")
    assert screen.state.bounding_box()["height"] <= 24
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_an_error_with_wide_lines_is_no_wider_than_the_page(show_result, text):
    lines = "Cannot write the object\n    --> starting at " + "x" * 200 + "\n    --- closes the circle"
    screen = show_result(text(lines), is_error=True, width=320)
    expect(screen.result.get_by_role("alert")).to_contain_text("closes the circle")
    assert screen.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("value", ["a,b\n1,2\n3,4", "x\n\n  y", "one   two"])
def test_a_short_text_keeps_its_lines_and_blanks_wherever_it_stands(show_result, value):
    rows = [{"id": 1, "csv": value}, {"id": 2, "csv": "z"}, {"id": 3, "csv": None}]
    structured = {"csv": value, "list": [value, "w"], "rows": rows}
    screen = show_result(structured=structured)
    for place in [screen.result.locator("dd .string").first, screen.result.locator("td .string").first]:
        assert place.inner_text() == value
    assert value in screen.result.locator("dd").nth(1).inner_text()


GONE = "The file a.txt does not exist"
SAID = {"type": "text", "text": GONE}
ERRORS = {
    "as data too": {"content": [SAID], "structuredContent": {"error": GONE}},
    "with a prefix": {"content": [SAID | {"text": f"Error: {GONE}"}], "structuredContent": {"error": GONE}},
    "formatted": {"content": [SAID | {"text": f"**Error:** {GONE}"}], "structuredContent": {"error": GONE}},
    "under a heading": {
        "content": [SAID | {"text": f"# Error\n\n{GONE}"}],
        "structuredContent": {"error": GONE},
    },
    "as a wrapped result": {"content": [SAID], "structuredContent": {"result": GONE}},
    "nested": {"content": [SAID], "structuredContent": {"success": False, "error": {"message": GONE}}},
    "in a list": {"content": [SAID], "structuredContent": {"status": "error", "errors": [GONE]}},
    "as data alone": {"content": [], "structuredContent": {"error": GONE}},
    "as JSON twice": {
        "content": [SAID | {"text": f'{{"error": "{GONE}"}}'}],
        "structuredContent": {"error": GONE},
    },
    "as a resource too": {
        "content": [SAID, {"type": "resource", "resource": {"uri": "file:///a.log", "text": GONE}}]
    },
    "with a name": {
        "content": [SAID | {"text": f"fetch failed: {GONE}"}],
        "structuredContent": {"error": f"fetch failed: {GONE}"},
    },
}
FRAGMENT = """<style></style><template><div class="view"></div></template>
<script>function render(data, ui) { ui.root.append(ui.keyValue(data)); }</script><!--end-->"""


@pytest.mark.matrix
@pytest.mark.parametrize("page", ["minimal", "rich"])
@pytest.mark.parametrize("spelling", ERRORS)
def test_an_error_is_never_shown_in_its_panel_and_again_below_it(show, show_fragment, page, spelling):
    tool = {"name": "tool", "inputSchema": {"type": "object"}}
    screen = show(tool) if page == "minimal" else show_fragment(FRAGMENT, tool)
    screen.host.send_result(ERRORS[spelling] | {"isError": True})
    expect(screen.result.get_by_role("alert")).to_contain_text(GONE)
    assert screen.result.locator(".result-body").first.inner_text().count(GONE) == 1


def test_an_error_keeps_beneath_its_panel_what_only_its_data_says(show_result, text):
    screen = show_result(text(f"Error: {GONE}"), structured={"error": GONE, "code": 4711}, is_error=True)
    expect(screen.result.get_by_role("alert")).to_contain_text(GONE)
    expect(screen.result.get_by_role("alert")).not_to_contain_text("4711")
    body = screen.result.locator(".result-body").first.inner_text()
    assert body.count(GONE) == 1
    assert body.count("4711") == 1


@pytest.mark.parametrize("width", [320, 760])
def test_the_switch_of_a_chart_covers_no_heading(show_result, width):
    layouts = [{"index": i, "name": f"Layout {i}", "placeholder_count": i % 4} for i in range(11)]
    screen = show_result(structured={"slide_layouts": layouts, "notes": [{"a": 1}]}, width=width)
    heads = screen.frame.locator("section > .inline").filter(has_text="Slide layouts")
    switch = screen.frame.locator(".switch").first.bounding_box()
    for part in heads.first.locator("> *").all():
        box = part.bounding_box()
        is_beside = box["x"] + box["width"] <= switch["x"]
        assert is_beside or box["y"] + box["height"] <= switch["y"], box


def test_a_long_word_has_a_row_to_itself_on_a_narrow_page(show_result):
    screen = show_result(
        structured={"kind": "node", "type": "n8n-nodes-base.httpRequest", "count": 2}, width=320
    )
    lines = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight)"
    assert screen.frame.locator("dd").filter(has_text="httpRequest").evaluate(lines) < 1.5
