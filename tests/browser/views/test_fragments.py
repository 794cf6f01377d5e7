"""Views that are fragments, in the page of the kit."""

import json
import re

import pytest
from accessibility import barriers
from playwright.sync_api import expect
from view_host import written_page

LINES = [
    {
        "at": f"2026-03-01T10:{n // 60 % 60:02d}:{n % 60:02d}Z",
        "level": "error" if n % 7 else "info",
        "message": f"Line {n}",
    }
    for n in range(10_000)
]
ISSUES = [
    {
        "number": 1041,
        "title": "It does not start",
        "state": "open",
        "comments": 12_345,
        "updated_at": "2026-02-03T22:30:00Z",
    },
    {"number": 1042, "title": "It does not stop", "state": "closed", "comments": None, "updated_at": None},
]
RESULTS = {
    "weather": {
        "temperature": 21.25,
        "condition": "storm",
        "observed_at": "2026-03-01T23:30:00Z",
        "hourly": [{"at": f"2026-03-01T{hour:02d}:00:00Z", "celsius": hour * 1.5} for hour in range(24)],
        "daily": [
            {"day": f"2026-03-{day:02d}", "low_celsius": day, "high_celsius": day + 9, "words": "fair"}
            for day in range(1, 8)
        ],
        "wind_kph": 12,
        "station": {"name": "Harbour", "metres": 4},
    },
    "issues": {"issues": ISSUES, "total": 2},
    "files": {
        "files": [{"name": "report.txt", "size_bytes": 2048, "modified": "2026-03-01"}, {"name": "old.txt"}]
    },
    "sales": {
        "regions": [
            {"region": "North", "revenue": 120_000, "costs": 90_000},
            {"region": "South", "revenue": 80_000, "costs": 70_000},
        ]
    },
    "words": "Some <b>words</b> that a tool said",
    "log": {"lines": LINES[:300]},
}
MONTHS = [{"month": f"2026-{month:02d}-01", "revenue": month * 1000} for month in range(1, 13)]


def result_of(data):
    if isinstance(data, str):
        return {"content": [{"type": "text", "text": data}]}
    return {"content": [{"type": "text", "text": json.dumps(data)}], "structuredContent": data}


def tool_answer(name, given):
    """Return the answer of a tool that a written fragment calls."""
    match name:
        case "sales_by_month":
            return {"content": [{"type": "text", "text": json.dumps(MONTHS)}]}
        case "get_issue":
            return result_of(
                {
                    "title": f"Issue {given['number']}",
                    "body": "All of it",
                    "author": "ada",
                    "url": "https://example.com/1041",
                }
            )
        case "list_issues":
            return result_of({"issues": [], "total": 0})
    return {"content": [{"type": "text", "text": f"{given['name']} is locked"}], "isError": True}


@pytest.fixture
def drawn(show_fragment):
    """Show one of the written fragments with its result."""

    def drawn(name, **options):
        screen = show_fragment(name, call=tool_answer, **options)
        screen.host.send_input({"city": "Oslo"})
        screen.host.send_result(result_of(RESULTS[name]))
        expect(screen.result.locator(".view")).to_be_visible()
        return screen

    return drawn


@pytest.mark.matrix(quick=2)
@pytest.mark.parametrize("name", RESULTS)
def test_every_fragment_has_no_barriers_wide_and_narrow(drawn, name):
    screen = drawn(name, width=800)
    assert barriers(screen.host) == []
    screen.host.resize(320)
    assert barriers(screen.host) == []
    assert screen.frame.evaluate("document.documentElement.scrollWidth") <= 320
    assert not screen.result.get_by_role("note").count()


@pytest.mark.matrix
@pytest.mark.parametrize("profile", ["spec", "opaque", "noforms", "vscode", "url"])
@pytest.mark.parametrize("name", ["sales", "weather"])
def test_fragments_work_in_every_host(drawn, name, profile):
    screen = drawn(name, profile=profile)
    if name == "sales":
        screen.result.get_by_role("combobox").select_option("South")
        screen.result.get_by_role("button", name="Show", exact=True).click()
        assert screen.host.wait_for_calls(2)[-1] == {
            "name": "sales_by_month",
            "arguments": {"region": "South"},
        }
        expect(screen.result).to_contain_text("Months of South")
    assert screen.host.violations == []


def test_the_kit_draws_every_part_of_a_view(drawn):
    screen = drawn("weather")
    view = screen.result.locator(".view")
    expect(view.locator(".temperature")).to_have_text("21.3°C")
    expect(view.locator(".badge.bad")).to_have_text("storm")
    expect(view.locator(".asked")).to_have_text("Oslo, observed Mar 1, 2026, 11:30 PM")
    expect(view.get_by_role("figure").get_by_text("Next hours")).to_be_visible()
    expect(view.get_by_role("table", name="Next days").get_by_role("row").nth(1)).to_have_text(
        "Mar 1, 20261°C10°Cfair"
    )
    expect(view.get_by_role("heading", name="Other fields")).to_be_visible()
    expect(view.locator("dt")).to_have_text(["Wind in km/h", "Station"])


def test_columns_look_like_numbers_and_dates_elsewhere_and_follow_the_hosts_language(drawn):
    screen = drawn("issues")
    rows = screen.result.get_by_role("table", name="Issues").get_by_role("row")
    expect(rows.nth(1)).to_have_text("1041It does not startopen12,345Feb 3, 2026, 10:30 PM")
    expect(rows.nth(2)).to_have_text("1042It does not stopclosed\u2013\u2013")
    screen.host.context(locale="de-DE", timeZone="Asia/Tokyo")
    expect(rows.nth(1)).to_have_text("1041It does not startopen12.34504.02.2026, 07:30")


def test_a_view_calls_tools_opens_links_and_tells_the_model(drawn):
    screen = drawn("issues")
    screen.result.get_by_role("button", name="It does not start").click()
    expect(screen.result).to_contain_text("All of it")
    assert screen.host.calls == [{"name": "get_issue", "arguments": {"number": 1041}}]
    screen.result.get_by_role("button", name="Open in the browser").click()
    screen.host.page.wait_for_function("host.links.length > 0")
    assert screen.host.links == ["https://example.com/1041"]
    screen.result.get_by_role("button", name="Choose this one").click()
    screen.host.page.wait_for_function(
        "host.messages.some(one => one.message.method === 'ui/update-model-context')"
    )
    told = [
        one["message"]["params"]
        for one in screen.host.messages
        if one["message"].get("method") == "ui/update-model-context"
    ]
    assert told == [{"content": [{"type": "text", "text": "The person chose issue 1041"}]}]
    screen.result.get_by_role("button", name="Refresh").click()
    expect(screen.result).to_contain_text("No issue matches")
    assert screen.host.calls[-1] == {"name": "list_issues", "arguments": {"city": "Oslo"}}


def test_a_result_that_is_an_error_rejects_with_its_words(drawn):
    screen = drawn("files")
    screen.result.get_by_role("button", name="Delete").first.click()
    assert screen.host.calls == []
    screen.result.get_by_role("button", name="Delete report.txt").click()
    expect(screen.result.locator(".said")).to_have_text("report.txt is still there: report.txt is locked")


def test_links_of_a_view_leave_through_the_host(drawn):
    screen = drawn("words")
    screen.result.get_by_role("link", name="Up").click()
    screen.result.get_by_role("link", name="Source").click()
    screen.host.page.wait_for_function("host.links.length > 0")
    assert screen.host.links == ["https://example.com/source"]
    expect(screen.result.locator("blockquote")).to_have_text(RESULTS["words"])


def test_a_huge_result_stays_small_in_the_page_and_whole_in_the_raw_json(show_fragment):
    screen = show_fragment("log")
    screen.host.send_result({"content": [], "structuredContent": {"lines": LINES}})
    expect(screen.result).to_contain_text("10,000 rows")
    assert screen.frame.evaluate("document.querySelectorAll('*').length") < 2000
    screen.button("Raw JSON").click()
    expect(screen.result.locator("pre").first).to_contain_text("Line 3")


def test_a_new_drawing_keeps_only_the_persons_state_of_the_one_before(show_fragment):
    screen = show_fragment("log", call=lambda *_: {"content": [], "structuredContent": {"lines": LINES[:40]}})
    screen.host.send_result({"content": [], "structuredContent": {"lines": LINES[:20]}})
    screen.result.get_by_role("button", name="Message").click()
    expect(screen.result).to_contain_text("20 rows")
    screen.button("Run again").click()
    expect(screen.result).to_contain_text("40 rows")
    assert screen.result.locator("[data-renders]").get_attribute("data-renders") == "1"
    expect(screen.result.get_by_role("columnheader", name="Message")).to_have_attribute(
        "aria-sort", "ascending"
    )
    names = "['seen', 'render'].filter(name => name in globalThis)"
    assert screen.frame.evaluate(names) == []


def test_errors_and_empty_results_never_reach_a_fragment(show_fragment, text):
    screen = show_fragment("weather")
    screen.host.send_result({"content": [text("No such city")], "isError": True})
    expect(screen.result.get_by_role("alert")).to_contain_text("No such city")
    screen.host.send_result({"content": []})
    expect(screen.result).to_contain_text("The tool returned nothing.")
    assert not screen.result.locator(".view").count()


def fragment(script, template='<div class="view"><p class="here"></p></div>'):
    return f"<style></style><template>{template}</template><script>{script}</script><!--end-->"


FAILING = {
    "throws": "function render(data) { data.no.such.thing; }",
    "rejects": "async function render(data, ui) { await null; throw new Error('late'); }",
    "waits in vain": "async function render(data, ui) { await ui.call('other', {}); }",
    "shows nothing": "function render() {}",
    "throws no error": "function render() { throw 'words'; }",
    "leaks": "function render() { leaked = 1; }",
    "throws on loading": "const { x } = null; function render() {}",
    "has no render": "const draw = () => {};",
}


def test_a_text_where_the_tool_declares_an_object_is_not_taken_apart_letter_by_letter(show_fragment):
    screen = show_fragment("weather", {"outputSchema": {"type": "object"}})
    screen.host.send_result({"content": [{"type": "text", "text": "no station there " * 30_000}]})
    expect(screen.result.get_by_role("note").first).to_contain_text("It is not what the tool declares")
    expect(screen.result).to_contain_text("no station there no station there")
    expect(screen.state).to_have_text("Done")


@pytest.mark.parametrize("case", FAILING)
def test_a_result_that_a_fragment_cannot_draw_gets_the_minimal_view(show_fragment, case):
    refusal = {"error": {"code": -32000, "message": "not now"}}
    screen = show_fragment(fragment(FAILING[case]), call=lambda *_: refusal)
    screen.host.send_result({"content": [], "structuredContent": {"city": "Oslo", "people": 700_000}})
    expect(screen.result.get_by_role("note")).to_contain_text(
        "The view made for this tool could not show this result"
    )
    expect(screen.result).to_contain_text("700,000")
    expect(screen.state).to_have_text("Done")
    assert barriers(screen.host) == []
    logged = [
        one["message"]["params"]
        for one in screen.host.messages
        if one["message"].get("method") == "notifications/message"
    ]
    assert [one["level"] for one in logged] == ["warning"]


def test_a_script_that_does_not_parse_leaves_the_page_working(show_fragment):
    screen = show_fragment(fragment("function render(data, ui) { if ("))
    screen.host.send_result({"content": [], "structuredContent": {"city": "Oslo"}})
    expect(screen.result.get_by_role("note")).to_contain_text("cannot be read")
    expect(screen.result).to_contain_text("Oslo")
    assert len(screen.host.complaints) == 1
    assert "Unexpected token" in screen.host.complaints.pop()


def test_a_failure_long_after_drawing_is_shown_beside_the_view(show_fragment):
    script = """function render(data, ui) {
      ui.root.querySelector('p').textContent = 'Here';
      ui.root.append(ui.el('button', { type: 'button', onclick: () => ui.call('other', {}) }, 'Ask'));
    }"""
    refusal = {"error": {"code": -32000, "message": "not now"}}
    screen = show_fragment(fragment(script), call=lambda *_: refusal)
    screen.host.send_result({"content": [], "structuredContent": {"a": 1}})
    screen.result.get_by_role("button", name="Ask").click()
    expect(screen.result.get_by_role("alert")).to_have_text("Something went wrong: not now")
    expect(screen.result.locator(".here")).to_have_text("Here")


def test_a_drawing_that_ends_after_the_next_result_changes_nothing(show_fragment):
    script = """async function render(data, ui) {
      if (data.slow) { ui.root.querySelector('p').textContent = '…'; await ui.call('other', {}); throw new Error('too late'); }
      ui.root.querySelector('p').textContent = 'new';
    }"""
    screen = show_fragment(fragment(script))
    screen.host.send_result({"content": [], "structuredContent": {"slow": True}})
    screen.host.wait_for_calls()
    screen.host.send_result({"content": [], "structuredContent": {"slow": False}})
    expect(screen.result.locator(".here")).to_have_text("new")
    screen.host.answer({"content": []})
    screen.host.ask("ping")
    expect(screen.result.locator(".here")).to_have_text("new")
    assert not screen.result.get_by_role("note").count()


@pytest.mark.parametrize("profile", ["spec", "noforms"])
def test_a_form_without_any_handler_takes_the_view_nowhere(show_fragment, profile):
    template = '<form class="view"><label>Words <input name="words"></label><button>Send</button></form>'
    screen = show_fragment(fragment("function render() {}", template), profile=profile)
    screen.host.send_result({"content": [], "structuredContent": {"a": 1}})
    screen.result.get_by_label("Words").fill("hello")
    screen.result.get_by_label("Words").press("Enter")
    screen.result.get_by_role("button", name="Send").click()
    screen.host.ask("ping")
    expect(screen.result.get_by_label("Words")).to_have_value("hello")


def test_a_template_is_read_as_markup_that_runs_nothing(show_fragment):
    template = (
        '<div class="view"><p class="here"></p><script>globalThis.ran = 1</script>'
        "<noscript><img src=x onerror='globalThis.ran = 2'></noscript>"
        "</div>"
    )
    script = "function render(data, ui) { ui.root.querySelector('p').textContent = 'Here'; }"
    screen = show_fragment(fragment(script, template))
    screen.host.send_result({"content": [], "structuredContent": {"a": 1}})
    expect(screen.result.locator(".here")).to_have_text("Here")
    assert screen.frame.evaluate("globalThis.ran") is None
    screen.host.complaints.clear()  # the browser says that the policy stopped the handler


def test_pictures_beside_the_data_are_shown_above_the_view(show_fragment, red_png, painted):
    screen = show_fragment("weather")
    picture = {"type": "image", "data": red_png, "mimeType": "image/png"}
    screen.host.send_result({"content": [picture], "structuredContent": RESULTS["weather"]})
    assert painted(screen, screen.result.get_by_role("img").first) == [255, 0, 0]


@pytest.mark.parametrize(("folded", "above"), [("true", 1), ("false", 0)])
def test_a_picture_that_the_view_draws_is_shown_above_it_only_if_the_view_folds_it(
    show_fragment, red_png, folded, above
):
    script = (
        "function render(data, ui) { const { data: bytes, mimeType } = ui.meta.content[0];"
        f" ui.root.append(ui.el('details', {{ open: !{folded} }}, ui.el('summary', {{}}, 'Pixels'),"
        " ui.image({ data: bytes, mimeType, alt: 'mine' }))); }"
    )
    screen = show_fragment(fragment(script))
    screen.host.send_result({"content": [{"type": "image", "data": red_png, "mimeType": "image/png"}]})
    expect(screen.result.get_by_text("Pixels")).to_be_visible()
    expect(screen.result.locator(".result-body > figure")).to_have_count(above)


def test_a_link_whose_address_the_view_shows_does_not_stand_beneath_it_too(show_fragment):
    script = (
        "function render(data, ui) { ui.root.append(ui.records(ui.meta.content.slice(0, 1),"
        " { title: 'name', subtitle: 'uri' })); }"
    )
    links = [{"type": "resource_link", "uri": f"demo://{each}", "name": each} for each in ("one", "two")]
    screen = show_fragment(fragment(script))
    screen.host.send_result({"content": links})
    expect(screen.result.locator(".resource")).to_have_count(1)
    expect(screen.result.locator(".resource")).to_contain_text("demo://two")
    expect(screen.result.get_by_text("demo://one")).to_have_count(1)


def test_a_resource_that_the_view_shows_does_not_stand_beneath_it_too(show_fragment):
    script = "function render(data, ui) { ui.root.append(ui.show(ui.meta.content.slice(0, 1))); }"
    resources = [
        {
            "type": "resource",
            "resource": {"uri": f"demo://{each}", "blob": "AAEC", "mimeType": "application/gzip"},
        }
        for each in ("one", "two")
    ]
    screen = show_fragment(fragment(script))
    screen.host.send_result({"content": resources})
    expect(screen.result.locator(".resource")).to_have_count(2)
    expect(screen.result.locator(".result-body > .resource")).to_contain_text("demo://two")


@pytest.mark.parametrize(
    ("said", "parts"), [("The logo", ["picture", "written"]), ("Error: no answer", ["written", "picture"])]
)
def test_a_picture_stands_above_the_view_unless_a_text_says_that_something_failed(
    show_fragment, red_png, said, parts
):
    script = "function render(data, ui) { ui.root.append(ui.el('p', {}, data)); }"
    screen = show_fragment(fragment(script))
    picture = {"type": "image", "data": red_png, "mimeType": "image/png"}
    screen.host.send_result({"content": [{"type": "text", "text": said}, picture]})
    expect(screen.result.get_by_text(said)).to_be_visible()
    shown = screen.result.locator(".result-body > :is(figure, .written)")
    expect(shown).to_have_class([re.compile(part) for part in parts])


def test_a_picture_that_a_view_draws_small_has_no_facts_beneath_it(show_fragment, red_png):
    script = (
        "function render(data, ui) { for (const width of ['40px', '400px']) ui.root.append("
        "ui.el('div', { style: { width } }, ui.image({ data: data.icon, mimeType: 'image/png' }))); }"
    )
    screen = show_fragment(fragment(script))
    screen.host.send_result({"content": [], "structuredContent": {"icon": red_png}})
    facts = screen.result.locator("figcaption .hint")
    expect(facts.nth(1)).to_be_visible()
    expect(facts.nth(0)).to_be_hidden()


WRAPPED = {
    "outputSchema": {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"type": "string"}}},
    }
}
AS_WRITTEN = (
    "function render(data, ui) { ui.root.querySelector('p').textContent = JSON.stringify([data, ui.meta]); }"
)


@pytest.mark.parametrize(
    ("definition", "result", "data"),
    [
        ({}, {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"b": 2}}, {"b": 2}),
        ({}, {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {}}, {"a": 1}),
        ({}, {"content": [{"type": "text", "text": "words"}, {"type": "text", "text": "[1]"}]}, [1]),
        (
            {},
            {"content": [{"type": "text", "text": '{"a": 1}'}, {"type": "text", "text": '{"a": 2}'}]},
            [{"a": 1}, {"a": 2}],
        ),
        ({}, {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\n\nb"),
        (WRAPPED, {"content": [], "structuredContent": {"result": ["1", "b"]}}, {"result": ["1", "b"]}),
        (
            WRAPPED,
            {"content": [{"type": "text", "text": "1"}, {"type": "text", "text": "b"}]},
            {"result": ["1", "b"]},
        ),
        (WRAPPED, {"content": [{"type": "text", "text": '["1", "b"]'}]}, {"result": ["1", "b"]}),
    ],
)
def test_data_of_a_result_is_read_in_the_promised_order(show_fragment, definition, result, data):
    screen = show_fragment(fragment(AS_WRITTEN), definition)
    screen.host.send_input({"n": 1})
    screen.host.send_result(result)
    expect(screen.result.locator(".here")).not_to_be_empty()
    seen, meta = json.loads(screen.result.locator(".here").inner_text())
    assert seen == data
    assert meta == {"isError": False, "content": result["content"], "args": {"n": 1}}


def test_a_gateway_that_renames_one_tool_renames_the_others(show_fragment):
    script = "async function render(data, ui) { await ui.call('tool', {}); await ui.call('other', {}); ui.root.append('Done'); }"
    screen = show_fragment(fragment(script), call=lambda *_: {"content": []})
    screen.host.context(
        toolInfo={"id": 1, "tool": {"name": "server__tool", "inputSchema": {"type": "object"}}}
    )
    screen.host.send_result({"content": [], "structuredContent": {"a": 1}})
    assert [one["name"] for one in screen.host.wait_for_calls(2)] == ["server__tool", "server__other"]


def test_a_page_draws_what_a_result_says_and_its_view_does_not(show_fragment, text):
    script = "function render(data, ui) { ui.root.querySelector('p').textContent = data.city; }"
    city = {"city": "Oslo", "people": 709}
    note = "Figures of last year; the census goes on"
    screen = show_fragment(fragment(script))
    for content, structured in [
        ([text(note), text(json.dumps(city))], None),
        ([text(json.dumps(city)), text(note)], None),
        ([text(note)], city),
        ([text(json.dumps(city)), text(note)], city),
    ]:
        result = {"content": content} | ({"structuredContent": structured} if structured else {})
        screen.host.send_result(result)
        expect(screen.result.get_by_text(note)).to_be_visible()
        shown = screen.result.locator(".result-body").first.inner_text()
        assert shown.count("Oslo") == 1
        first = not structured and content[0] == text(note)
        assert (shown.index(note) < shown.index("Oslo")) is first
    screen.host.send_result(
        {"content": [text(json.dumps(city | {"mayor": "Ada"}))], "structuredContent": city}
    )
    expect(screen.result).to_contain_text("Ada")
    assert "709" not in screen.result.locator(".result-body").first.inner_text()


def test_a_note_to_the_model_stands_beneath_the_view(show_fragment, text):
    script = "function render(data, ui) { ui.root.querySelector('p').textContent = data.city; }"
    note = "Before anything else, you must display the full list to the user:"
    screen = show_fragment(fragment(script))
    screen.host.send_result({"content": [text(note), text('{"city": "Oslo"}')]})
    expect(screen.result.locator("summary")).to_contain_text("For the model")
    shown = screen.result.locator(".result-body").first.inner_text()
    assert shown.index("Oslo") < shown.index("For the model")


def test_data_that_a_view_draws_is_not_drawn_beside_it(show_fragment, text, red_png):
    script = """function render(data, ui) {
      ui.root.append(ui.el('b', 'Two '), ui.el('i', 'rows'), ui.meta.content[0].text);
      ui.root.append(ui.keyValue({ picture: data.picture }));
    }"""
    picture = {"type": "image", "data": red_png, "mimeType": "image/png"}
    screen = show_fragment(fragment(script))
    screen.host.send_result(
        {
            "content": [text("**Note:** as of today"), text("Two rows"), picture],
            "structuredContent": {"picture": red_png, "mayor": None},
        }
    )
    expect(screen.result.locator("i")).to_have_text("rows")
    shown = screen.result.locator(".result-body").first
    assert shown.inner_text().count("as of today") == 1
    assert shown.inner_text().count("rows") == 1
    expect(shown.locator("img")).to_have_count(1)


def test_the_frame_shows_the_call_whose_result_its_view_shows(show_fragment, text):
    script = """function render(data, ui) {
      const line = ui.root.querySelector('p');
      line.textContent = data.said;
      ui.root.append(ui.el('button', { type: 'button', onclick: async () => {
        line.textContent = (await ui.call('tool', { dryRun: false, name: 'b' })).data.said;
      } }, 'Save'));
    }"""
    definition = {
        "name": "tool",
        "inputSchema": {
            "type": "object",
            "properties": {"dryRun": {"type": "boolean"}, "name": {"type": "string"}},
        },
    }
    saved = {"content": [text("Kept for a week")], "structuredContent": {"said": "Saved"}}
    screen = show_fragment(fragment(script), definition, call=lambda *_: saved)
    screen.host.send_input({"dryRun": True, "name": "a"})
    screen.host.send_result({"content": [text("A trial")], "structuredContent": {"said": "Would save"}})
    folded = screen.frame.get_by_role("button", name=re.compile("^Arguments"))
    expect(folded).to_contain_text("Dry run true")
    expect(screen.result).to_contain_text("A trial")
    screen.result.get_by_role("button", name="Save").click()
    expect(screen.result.locator(".here")).to_have_text("Saved")
    expect(folded).to_contain_text("Dry run false")
    expect(folded).to_contain_text("Name b")
    expect(screen.result).to_contain_text("Kept for a week")
    expect(screen.result).not_to_contain_text("A trial")
    screen.host.context(locale="de-DE")
    expect(screen.result.locator(".here")).to_have_text("Saved")
    screen.button("Raw JSON").click()
    expect(screen.result.locator("pre.code")).to_contain_text("Saved")
    folded.click()
    expect(screen.control("Name")).to_have_value("b")


ROOTS = """<template></template><script>
function render(data, ui) {
  const [low, high] = JSON.parse(data.result);
  ui.root.append(ui.stats([{ label: "x₁", value: low }, { label: "x₂", value: high }]));
}
</script>"""


@pytest.mark.parametrize(
    "said",
    [
        {"structuredContent": {"result": "[-2, 2]"}, "content": [{"type": "text", "text": "[-2, 2]"}]},
        {"structuredContent": {"result": "[-2, 2]"}, "content": [{"type": "text", "text": "-2 and 2"}]},
        {
            "structuredContent": {"result": "[1446, 2.5]"},
            "content": [{"type": "text", "text": "1,446; 2.50"}],
        },
    ],
)
def test_data_that_a_view_shows_is_not_shown_again_in_another_spelling(mount, said):
    tool = {"name": "solve", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}
    view = mount(written_page(tool, ROOTS, "fragment"), tool=tool)
    view.send_result(said)
    expect(view.frame.locator(".written dl.stats")).to_be_visible()
    expect(view.frame.locator(".result-body > *")).to_have_count(1)


def test_a_text_with_another_number_than_a_view_shows_stands_below_it(mount):
    tool = {"name": "solve", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}
    view = mount(written_page(tool, ROOTS, "fragment"), tool=tool)
    view.send_result(
        {"structuredContent": {"result": "[-2, 2]"}, "content": [{"type": "text", "text": "Found 7 roots"}]}
    )
    expect(view.frame.locator(".result")).to_contain_text("Found 7 roots")


def test_a_box_that_a_view_sizes_itself_centres_what_is_in_it(mount):
    tool = {"name": "icon", "inputSchema": {"type": "object"}}
    source = """<style>.view { display: grid; place-items: center; width: 128px; height: 128px }</style>
<template></template><script>
function render(data, ui) { ui.root.append(ui.el("div", { class: "view" }, ui.el("b", {}, data.letter))); }
</script>"""
    view = mount(written_page(tool, source, "fragment"), tool=tool)
    view.send_result({"structuredContent": {"letter": "B"}, "content": []})
    letter = view.frame.locator(".view b")
    expect(letter).to_be_visible()
    middle = """one => { const inner = one.getBoundingClientRect(), outer = one.parentElement.getBoundingClientRect();
      return Math.abs(inner.top + inner.bottom - outer.top - outer.bottom) }"""
    assert letter.evaluate(middle) < 4
