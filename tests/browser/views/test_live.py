"""Open pages replace the minimal view by a newly written one, in the same frame."""

import pytest
from playwright.sync_api import expect
from view_host import live_page, part_answer

from genui_core.domain.pages.minimal_view import view_version

BRIDGES, PROFILES = ("v2", "v1"), ("spec", "opaque", "noforms", "vscode", "url", "bare")
TOOL = {
    "name": "count_rows",
    "inputSchema": {
        "type": "object",
        "properties": {
            "kind": {"type": "string", "title": "Kind"},
            "note": {"type": "string", "title": "Note"},
        },
    },
}
RESULT = {
    "content": [],
    "structuredContent": {"rows": [{"name": "a", "value": 3}, {"name": "b", "value": 1200}]},
}
STALE = {"content": [{"type": "text", "text": "No such tool"}], "isError": True}


def view(words, script="ui.root.append(ui.el('b', {}, `${data.rows.length} rows`));"):
    return (
        f"<style>.mine {{ color: rgb(1, 2, 3) }}</style><template><p class='mine'>{words}</p></template>"
        f"<script>function render(data, ui) {{ {script} }}</script><!--end-->"
    )


@pytest.fixture
def open_live(mount):
    """Show a live page whose calls of `_ui_view` wait until the test answers them."""

    def open_live(call=lambda _name, _given: None, source="", *, pending=True, **options):
        def told(name, given):
            return None if name == "_ui_view" else call(name, given)

        return mount(live_page(TOOL, source, pending=pending), tool=TOOL, call=told, **options)

    return open_live


def asked(host):
    """Return the arguments of the page's calls of `_ui_view` so far."""
    return [each["arguments"] for each in host.calls if each["name"].endswith("_ui_view")]


@pytest.mark.matrix
@pytest.mark.parametrize("bridge", BRIDGES)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_written_view_takes_the_place_of_the_minimal_one_in_the_same_frame(open_live, profile, bridge):
    host = open_live(profile=profile, bridge=bridge, tool_input={"kind": "new"})
    host.send_result(RESULT)
    expect(host.frame.get_by_text("Designing this view…")).to_be_visible()
    expect(host.frame.locator("section.result")).to_contain_text("1,200")
    host.frame.evaluate("document.title = 'the same frame'")
    assert host.wait_for_calls(1) == [
        {"name": "_ui_view", "arguments": {"toolName": "count_rows", "have": "e3b0c442", "waitMs": 20_000}}
    ]
    host.answer(part_answer(TOOL, view("Written")))
    expect(host.frame.locator("p.mine")).to_have_text("Written")
    expect(host.frame.locator("p.mine")).to_have_css("color", "rgb(1, 2, 3)")
    expect(host.frame.locator(".written b")).to_have_text("2 rows")
    expect(host.frame.get_by_text("Designing this view…")).to_have_count(0)
    expect(host.frame.get_by_role("button", name="Arguments")).to_contain_text("new")
    assert host.frame.evaluate("document.title") == "the same frame"
    assert len(asked(host)) == 1
    assert host.violations == []


def test_a_part_that_comes_before_the_result_draws_the_result(open_live):
    host = open_live()
    host.wait_for_calls(1)
    host.answer(part_answer(TOOL, view("Written")))
    host.send_result(RESULT)
    expect(host.frame.locator("p.mine")).to_have_text("Written")


@pytest.mark.parametrize(
    "script",
    ["throw new Error('no');", "return;", "return Promise.reject(new Error('late'));", "}{"],
    ids=["throws", "draws nothing", "throws later", "does not parse"],
)
def test_a_part_that_draws_nothing_leaves_the_old_view_as_it_stands(open_live, script):
    host = open_live()
    host.expected = ("uncaught: Unexpected token",)
    host.send_result(RESULT)
    host.frame.locator("section.result").evaluate(
        "all => all.querySelector('.result-body').firstChild.id = 'old'"
    )
    host.wait_for_calls(1)
    source = view("Broken", script).replace("<p class='mine'>Broken</p>", "")
    host.answer(part_answer(TOOL, source, state="pending"))
    host.page.wait_for_timeout(300)
    expect(host.frame.locator("#old")).to_be_visible()
    expect(host.frame.get_by_text("could not show this result")).to_have_count(0)
    assert host.wait_for_calls(2)[1]["arguments"]["have"] != "e3b0c442"
    host.answer(part_answer(TOOL, view("Sound")), 1)
    expect(host.frame.locator("p.mine")).to_have_text("Sound")


def test_a_broken_second_part_leaves_the_first_one_with_its_style_and_its_state(open_live):
    host = open_live()
    host.send_result(RESULT)
    host.wait_for_calls(1)
    host.answer(
        part_answer(
            TOOL, view("First", "ui.root.append(ui.el('input', {'aria-label': 'Filter'}));"), state="pending"
        )
    )
    host.frame.get_by_label("Filter").fill("abc")
    host.frame.get_by_label("Filter").blur()
    host.wait_for_calls(2)
    host.answer(part_answer(TOOL, view("Second", "throw new Error('no')").replace("1, 2, 3", "9, 9, 9")), 1)
    host.page.wait_for_timeout(300)
    expect(host.frame.locator("p.mine")).to_have_text("First")
    expect(host.frame.locator("p.mine")).to_have_css("color", "rgb(1, 2, 3)")
    expect(host.frame.get_by_label("Filter")).to_have_value("abc")
    host.send_result(RESULT)
    expect(host.frame.locator("p.mine")).to_have_text("First")


def test_the_draft_in_the_form_stays_and_a_call_of_a_person_takes_the_question_back(open_live):
    host = open_live(call=lambda _name, given: {"content": [], "structuredContent": {"rows": [given]}})
    host.send_result(RESULT)
    host.wait_for_calls(1)
    host.frame.get_by_role("button", name="Edit", exact=True).click()
    host.frame.get_by_label("Kind").fill("a draft")
    host.frame.locator("form button[type=submit]").click()
    host.frame.get_by_role("button", name="Arguments").click()
    host.frame.get_by_label("Note").fill("not run")
    assert [each["name"] for each in host.wait_for_calls(3)] == ["_ui_view", "count_rows", "_ui_view"]
    cancelled = [
        one["message"] for one in host.messages if one["message"].get("method") == "notifications/cancelled"
    ]
    assert len(cancelled) == 1
    host.answer(part_answer(TOOL, view("Written", "ui.root.append(data.rows[0].kind);")), 2)
    expect(host.frame.locator(".written")).to_contain_text("a draft")
    expect(host.frame.get_by_label("Note")).to_have_value("not run")


@pytest.mark.parametrize("answer", [STALE, {"content": []}], ids=["refusal", "another answer"])
def test_a_refusal_ends_the_questions_for_good(open_live, answer):
    host = open_live()
    host.send_result(RESULT)
    host.wait_for_calls(1)
    host.answer(answer)
    expect(host.frame.get_by_text("Designing this view…")).to_have_count(0)
    host.frame.evaluate("performance.now = () => 1e9; dispatchEvent(new Event('focus'))")
    host.page.wait_for_timeout(2_500)
    assert len(asked(host)) == 1
    expect(host.frame.locator("section.result")).to_contain_text("1,200")


def test_a_settled_page_asks_on_focus_only_and_once_a_minute(open_live):
    host = open_live()
    host.send_result(RESULT)
    host.wait_for_calls(1)
    host.answer(part_answer(TOOL, state="minimal"))
    expect(host.frame.get_by_text("Designing this view…")).to_have_count(0)
    host.frame.evaluate("dispatchEvent(new Event('focus'))")
    host.page.wait_for_timeout(2_500)
    assert len(asked(host)) == 1
    host.frame.evaluate("const then = performance.now(); performance.now = () => then + 60001")
    for _ in range(3):
        host.frame.evaluate("dispatchEvent(new Event('focus'))")
    assert len(asked(host)) == 1, "what a person came to press goes first"
    host.wait_for_calls(2)
    host.page.wait_for_timeout(1_000)
    assert [each["waitMs"] for each in asked(host)] == [20_000, 0]
    host.answer(part_answer(TOOL, view("Handed in")), 1)
    expect(host.frame.locator("p.mine")).to_have_text("Handed in")


FOCUS = "dispatchEvent(new Event('focus'))"
MINUTE_LATER = f"{{ const then = performance.now(); performance.now = () => then + 60001; {FOCUS} }}"
UNDO = {"undo": {"tool": "_ui_rollback", "version": 1}}
TABLE = "ui.root.append(ui.table(data.rows));"
ROWS = {
    "content": [],
    "structuredContent": {"rows": [{"name": f"row {n}", "team": f"team {n % 3}"} for n in range(12)]},
}


def sorted_and_filtered(host):
    host.frame.get_by_role("searchbox").fill("row 1")
    host.frame.get_by_role("searchbox").blur()
    host.frame.get_by_role("button", name="Team").click()
    return host.frame.locator("tbody tr").all_inner_texts()


@pytest.mark.parametrize("start", ["written", "minimal"])
def test_a_finished_page_shows_the_next_view_and_undo_gives_the_old_one_back(open_live, start):
    first, second = view("First", TABLE) if start == "written" else "", view("Second", TABLE)
    host = open_live(lambda _name, _given: {"content": []}, first, pending=False)
    host.send_result(ROWS)
    expect(host.frame.locator("tbody tr").first).to_be_visible()
    assert asked(host) == []
    rows = sorted_and_filtered(host)
    host.frame.get_by_role("button", name="Arguments").or_(
        host.frame.get_by_role("button", name="Edit")
    ).first.click()
    host.frame.get_by_label("Note").fill("not run")
    host.frame.get_by_label("Note").blur()
    host.wait_for_calls(1)  # the page got the focus
    host.answer(part_answer(TOOL, second, **UNDO))
    expect(host.frame.locator("p.mine")).to_have_text("Second")
    assert host.frame.locator("tbody tr").all_inner_texts() == rows
    expect(host.frame.get_by_role("searchbox")).to_have_value("row 1")
    expect(host.frame.get_by_label("Note")).to_have_value("not run")
    expect(host.frame.locator("header .news")).to_contain_text("Updated")
    host.frame.get_by_role("button", name="Undo").click()
    calls = host.wait_for_calls(3)
    assert calls[1] == {"name": "_ui_rollback", "arguments": {"toolName": "count_rows", "version": 1}}
    assert calls[2]["arguments"]["waitMs"] == 0
    host.answer(part_answer(TOOL, first, state="written" if first else "minimal"), 2)
    if first:
        expect(host.frame.locator("p.mine")).to_have_text("First")
    else:
        expect(host.frame.locator("p.mine")).to_have_count(0)
    assert host.frame.locator("tbody tr").all_inner_texts() == rows
    expect(host.frame.locator("header .news")).to_have_count(0)
    assert host.violations == []


def test_the_offer_to_undo_leaves_the_title_its_line_and_goes_after_ten_seconds(open_live):
    host = open_live(pending=False, width=340)
    host.send_result(ROWS)
    host.frame.evaluate(MINUTE_LATER)
    host.wait_for_calls(1)
    host.answer(part_answer(TOOL, view("Second"), **UNDO))
    expect(host.frame.locator("header .news")).to_have_count(1)
    assert host.frame.locator("h1").evaluate("(title) => title.scrollWidth <= title.clientWidth")
    expect(host.frame.locator("header .news")).to_have_count(0, timeout=15_000)


def test_of_two_variants_a_page_shows_one_and_the_other_on_the_same_data(open_live):
    host = open_live(lambda _name, _given: {"content": []}, view("First", TABLE), pending=False)
    host.send_result(ROWS)
    expect(host.frame.locator("tbody tr").first).to_be_visible()
    rows = sorted_and_filtered(host)
    host.frame.evaluate(MINUTE_LATER)
    host.wait_for_calls(1)
    left, right = view("Left", TABLE), view("Right", TABLE)
    choice = {"tool": "_ui_rollback", "version": 2, "shown": 2}
    host.answer(part_answer(TOOL, right, choice=choice))
    news = host.frame.locator("header .news")
    expect(news).to_contain_text("Variant 2/2")
    news.get_by_role("button", name="Show the other").click()
    calls = host.wait_for_calls(3)
    assert calls[1] == {"name": "_ui_rollback", "arguments": {"toolName": "count_rows", "version": 2}}
    host.answer(part_answer(TOOL, left, choice=choice | {"version": 3, "shown": 1}), 2)
    expect(host.frame.locator("p.mine")).to_have_text("Left")
    assert host.frame.locator("tbody tr").all_inner_texts() == rows
    expect(news).to_contain_text("Variant 1/2")
    host.page.wait_for_timeout(10_500)
    expect(news).to_have_count(1)  # a choice stays open, unlike the offer to undo
    assert host.violations == []


def test_a_broken_view_leaves_the_one_that_the_page_began_with_and_is_reported_once(open_live):
    host = open_live(source=view("First", TABLE), pending=False)
    host.send_result(ROWS)
    expect(host.frame.locator("p.mine")).to_have_text("First")
    host.frame.evaluate(MINUTE_LATER)
    host.wait_for_calls(1)
    broken = view("Broken", "throw new Error('no');")
    host.answer(part_answer(TOOL, broken, **UNDO))
    report = host.wait_for_calls(2)[1]["arguments"]
    assert report == {"toolName": "count_rows", "have": view_version(broken), "waitMs": 0, "broken": True}
    host.answer(part_answer(TOOL, broken), 1)
    host.page.wait_for_timeout(200)
    expect(host.frame.locator("p.mine")).to_have_text("First")
    expect(host.frame.locator("header .news")).to_have_count(0)
    assert len(asked(host)) == 2


def test_a_document_is_offered_and_a_click_asks_the_chat_for_it(open_live):
    host = open_live(source=view("First"), pending=False)
    host.send_result(ROWS)
    host.frame.evaluate(MINUTE_LATER)
    host.wait_for_calls(1)
    host.answer(part_answer(TOOL, version="another", document=True))
    host.frame.get_by_role("button", name="Show the new view").click()
    host.until(lambda: host.said("ui/message"))
    assert "count_rows" in host.said("ui/message")[0]["content"][0]["text"]
    expect(host.frame.locator("p.mine")).to_have_text("First")


def test_a_teardown_takes_the_question_back(open_live):
    host = open_live()
    host.wait_for_calls(1)
    host.teardown()
    told = [one["message"] for one in host.messages if one["from"] == "view"]
    assert "notifications/cancelled" in [each.get("method") for each in told]


def test_a_written_view_finds_no_nonce_and_may_not_ask_the_wrapper(open_live):
    host = open_live()
    host.send_result(RESULT)
    host.wait_for_calls(1)
    script = """
      const all = document.documentElement.outerHTML + [...document.querySelectorAll("script,style,meta")].map(one => one.nonce + one.content).join();
      ui.root.append(/0123456789abcdef/.test(all) ? "a nonce" : "no nonce");
      ui.call("_ui_view", {}).catch((error) => ui.root.append(error.message));
    """
    host.answer(part_answer(TOOL, view("Written", script)))
    expect(host.frame.locator(".written")).to_contain_text("no nonce")
    expect(host.frame.locator(".written")).to_contain_text("may not call the tool _ui_view")
    assert len(asked(host)) == 1


def test_a_view_that_the_page_began_with_has_the_pieces_of_the_kit_that_few_views_use(open_live):
    host = open_live(source=view("First", "ui.root.append(ui.rating(4));"), pending=False)
    host.send_result(RESULT)
    expect(host.frame.locator(".written")).to_contain_text("★★★★★")
    host.frame.evaluate(MINUTE_LATER)
    host.wait_for_calls(1)
    host.answer(part_answer(TOOL, view("Second", "ui.root.append(ui.mark(1));")))
    expect(host.frame.locator("p.mine")).to_have_text("Second")
    assert host.violations == []


def test_a_part_brings_the_pieces_of_the_kit_that_few_views_use(open_live):
    host = open_live()
    host.send_result(RESULT)
    host.wait_for_calls(1)
    host.answer(part_answer(TOOL, view("Written", "ui.root.append(ui.rating(4));")))
    expect(host.frame.locator(".written")).to_contain_text("★★★★★")
    assert host.violations == []
