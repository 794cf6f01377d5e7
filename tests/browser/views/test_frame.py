"""The page around a result: the line above it, the menu, the form over it, and the state of a call."""

import json
import re

import pytest
from accessibility import barriers
from playwright.sync_api import expect
from recordings import SAMPLE, calls_of, folders
from view_host import adaptive_page, written_page

from genui_core.domain.pages.minimal_view import fallback_notice, provisional_notice
from genui_core.domain.pages.tool_look import OUTLINES

FIRST_PIXEL, FIRST_WORD = 64, 88
USERS = {
    "name": "list_users",
    "title": "List users",
    "description": "Lists **users** of a team, newest first. Use this tool whenever names are asked for.\n\n    Args:\n        team: which",
    "inputSchema": {
        "type": "object",
        "properties": {
            "team": {"type": "string"},
            "days": {"type": "integer"},
            "api_key": {"type": "string"},
        },
        "required": ["team"],
    },
}
ROWS = {"content": [], "structuredContent": {"users": [{"name": "Ada"}, {"name": "Bob"}, {"name": "Eve"}]}}
STARTS = """() => {
  const body = document.querySelector(".result-body");
  const boxes = [...body.children].map(one => one.getBoundingClientRect()).filter(({ height }) => height);
  const inner = [...body.querySelectorAll("*")].filter(one => one.matches("svg, canvas, img, input")
    || [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())).filter(one => one.checkVisibility());
  const tops = inner.map(one => one.getBoundingClientRect()).filter(({ height }) => height > 1);
  return [boxes, tops].map(all => Math.min(...all.map(({ top }) => top + scrollY)));
}"""


@pytest.mark.matrix(quick=3)
@pytest.mark.parametrize("folder", folders(SAMPLE), ids=lambda each: each.name)
def test_a_result_begins_within_64_pixels_of_the_top(mount, folder):
    for call in calls_of(folder):
        view = mount(adaptive_page(call.tool.definition), tool=call.tool.definition, width=760)
        view.send_input(call.arguments)
        view.send_result(call.result)
        expect(view.frame.locator(".result[data-state]:not([data-state=waiting])")).to_be_visible()
        box, word = view.frame.evaluate(STARTS)
        assert box <= FIRST_PIXEL, call.tool.name
        assert word <= FIRST_WORD, call.tool.name


@pytest.fixture
def users(show):
    """Show a tool that lists users, with the arguments and the result of a call of the host."""

    def users(arguments=None, result=ROWS, **options):
        screen = show(USERS, **options)
        screen.host.send_input({"team": "core", "days": 5} if arguments is None else arguments)
        screen.host.send_result(result)
        expect(screen.result).to_have_attribute("data-state", re.compile("."))
        return screen

    return users


def test_the_line_above_a_result_is_40_pixels_high_and_says_title_count_and_arguments(users):
    screen = users({"team": "core", "days": 5, "api_key": "s3cret"})
    header = screen.frame.locator("header")
    assert header.bounding_box()["height"] == 40
    words = ["List users", "3 users", "Arguments:", "Team core Days 5 API key •••", "Done", "Edit"]
    assert header.inner_text().split("\n") == words
    expect(screen.frame.get_by_role("heading", name="List users")).to_have_count(1)
    for hidden in ("list_users", "newest first"):
        assert hidden not in screen.frame.get_by_role("main").inner_text()


@pytest.mark.parametrize(
    ("data", "summary"),
    [
        ({"users": [{"a": 1}]}, "1 user"),
        ([{"a": 1}, {"a": 2}], "2 users"),
        ({"items": ["x", "y"], "name": "Ada"}, ""),
        ({"results": [{"a": 1}] * 4, "total": 9}, "4 results"),
        ({"results": [{"a": 1}] * 9}, "9 results"),
        ({"found": [{"a": 1}] * 9}, "9 rows"),
        ({"repositories": [{"a": 1}] * 2}, "2 repositories"),
        ({"title": "list users"}, ""),
        ({"title": "x" * 60}, ""),
        ({"a": 1}, ""),
        ({"one": [{"a": 1}], "two": [{"a": 1}]}, ""),
    ],
)
def test_the_summary_is_what_the_data_says_and_never_the_title(users, data, summary):
    screen = users(result={"content": [{"type": "text", "text": json.dumps(data)}]})
    expect(screen.frame.locator(".summary")).to_have_text(summary)


def test_before_a_result_there_is_one_sentence_and_one_button(show):
    screen = show(USERS)
    expect(screen.frame.locator(".lead")).to_have_text("Lists users of a team, newest first. More")
    expect(screen.frame.locator("button.primary")).to_have_text(["Run"])
    assert "No data" not in screen.frame.get_by_role("main").inner_text()
    screen.button("More about this tool").click()
    about = screen.frame.get_by_role("region", name="About this tool")
    expect(about).to_contain_text("whenever names are asked for")
    expect(about).to_contain_text("list_users")
    expect(about).to_be_focused()
    assert barriers(screen.host) == []
    about.press("Escape")
    expect(about).to_be_hidden()


def test_the_form_opens_over_the_result_and_closes_with_escape_and_by_running(users):
    screen = users(call=lambda *_: ROWS)
    expect(screen.form).to_be_hidden()
    screen.arguments.click()
    expect(screen.arguments).to_have_attribute("aria-expanded", "true")
    expect(screen.control("Team")).to_be_focused()
    expect(screen.result).to_contain_text("Eve")
    assert barriers(screen.host) == []
    screen.control("Team").press("Escape")
    expect(screen.form).to_be_hidden()
    expect(screen.arguments).to_be_focused()
    screen.arguments.press("Enter")
    screen.control("Days").fill("7")
    screen.control("Days").press("Enter")
    expect(screen.form).to_be_hidden()
    expect(screen.arguments).to_contain_text("Days 7")
    assert screen.host.wait_for_calls()[0]["arguments"] == {"team": "core", "days": 7}


def test_the_menu_is_worked_with_the_keyboard(users):
    screen = users()
    more = screen.button("More")
    more.press("ArrowDown")
    items = screen.frame.locator("[role^=menuitem]")
    texts = ["Copy result", "Raw JSON", "About this tool"]
    assert [each for each in items.all_inner_texts() if each != "Download"] == texts
    expect(items.first).to_be_focused()
    assert barriers(screen.host) == []
    items.first.press("ArrowUp")
    expect(items.last).to_be_focused()
    items.last.press("Home")
    expect(items.first).to_be_focused()
    items.first.press("Escape")
    expect(more).to_be_focused()
    expect(items.first).to_be_hidden()
    more.click()
    screen.frame.locator("h1").click()
    expect(items.first).to_be_hidden()


def test_the_result_is_copied_as_its_data(users):
    screen = users()
    screen.frame.evaluate(
        "document.addEventListener('copy', () => { globalThis.copied = document.activeElement.value })"
    )
    screen.choose("Copy result")
    assert json.loads(screen.frame.evaluate("globalThis.copied")) == ROWS["structuredContent"]


def test_full_screen_is_offered_by_hosts_that_have_it(users):
    screen = users()
    screen.host.context(availableDisplayModes=["inline", "fullscreen"], displayMode="inline")
    screen.choose("Full screen")
    screen.host.page.wait_for_function(
        "host.messages.some(({ message }) => message.method === 'ui/request-display-mode')"
    )
    sent = [each["message"] for each in screen.host.messages if each["from"] == "view"]
    asked = [each["params"] for each in sent if each.get("method") == "ui/request-display-mode"]
    assert asked == [{"mode": "fullscreen"}]


def test_a_call_of_the_host_is_seen_to_run_before_its_result_comes(show):
    screen = show(USERS)
    screen.host.send_input({"team": "core"})
    expect(screen.state).to_have_text("Running…")
    expect(screen.result.locator(".bones")).to_be_visible()
    expect(screen.form).to_be_hidden()
    expect(screen.button("Cancel")).to_be_hidden()
    assert "No data" not in screen.frame.get_by_role("main").inner_text()
    progress = {"progressToken": 1, "progress": 3, "total": 5, "message": "Step 3"}
    screen.host.post({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress})
    expect(screen.result.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "60")
    expect(screen.frame.locator(".summary")).to_have_text("Step 3")
    assert barriers(screen.host) == []
    screen.host.send_result(ROWS)
    expect(screen.frame.locator(".summary")).to_have_text("3 users")


def test_a_call_of_the_view_is_cancelled_and_its_late_answer_is_not_shown(show):
    screen = show(USERS)
    screen.control("Team").fill("core")
    screen.run_button.click()
    screen.host.wait_for_calls()
    expect(screen.frame.locator(".seconds")).to_have_text("1 s")
    screen.button("Cancel").click()
    expect(screen.state).to_have_text("Cancelled")
    expect(screen.arguments).to_be_focused()
    sent = [each["message"] for each in screen.host.messages if each["from"] == "view"]
    call = next(each for each in sent if each.get("method") == "tools/call")
    ended = [each["params"] for each in sent if each.get("method") == "notifications/cancelled"]
    assert ended == [{"requestId": call["id"], "reason": "cancelled"}]
    screen.host.answer(ROWS)
    screen.host.ask("ping")
    expect(screen.result).not_to_contain_text("Eve")


def test_an_error_says_its_first_sentence_without_the_words_of_programs(users, text):
    words = "Error executing tool list_users: ValueError: There is no such group. Name one of a, b."
    screen = users(result={"isError": True, "content": [text(words)]})
    panel = screen.result.get_by_role("alert")
    expect(panel.locator(".failure")).to_have_text("There is no such group.")
    expect(panel.locator(".rest")).to_have_text("Name one of a, b.")
    expect(screen.state).to_have_text("Failed")
    screen.result.get_by_role("button", name="Edit").click()
    expect(screen.control("Team")).to_be_focused()


@pytest.mark.parametrize("width", [320, 760])
def test_while_a_view_is_being_written_the_minimal_one_works_under_a_word_about_it(mount, width):
    view = mount(written_page(USERS, "", "fragment", notice=provisional_notice()), tool=USERS, width=width)
    view.send_result(ROWS)
    expect(view.frame.get_by_role("note")).to_have_accessible_description(provisional_notice().text)
    expect(view.frame.locator(".result")).to_contain_text("Eve")
    assert view.frame.evaluate(STARTS)[0] <= FIRST_PIXEL
    assert view.frame.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_reason_for_a_missing_written_view_stands_below_the_result(mount):
    notice = fallback_notice("It took too long")
    view = mount(written_page(USERS, "", "fragment", notice=notice), tool=USERS, width=760)
    view.send_result(ROWS)
    expect(view.frame.get_by_role("note")).to_have_text(notice.text)
    assert view.frame.evaluate(STARTS)[0] <= FIRST_PIXEL


def test_a_tool_that_changes_data_says_so_and_its_button_names_what_it_does(show):
    tool = {
        "name": "delete_team",
        "inputSchema": {"type": "object"},
        "annotations": {"destructiveHint": True},
    }
    screen = show(tool, call=lambda *_: ROWS)
    expect(screen.frame.locator("header")).to_contain_text("Changes data")
    expect(screen.run_button).to_have_text("Delete team…")
    screen.run_button.click()
    screen.run_button.click()
    screen.host.wait_for_calls()
    expect(screen.frame.get_by_text("Changes data")).to_be_hidden()


def test_a_tool_s_own_picture_is_its_icon_and_else_an_outline_by_its_name(show, red_png):
    own = {"name": "x", "icons": [{"src": f"data:image/png;base64,{red_png}"}]}
    expect(show(own).frame.locator(".tile").locator("canvas, img")).to_be_visible()
    path = show({"name": "git_log"}).frame.locator(".tile path")
    expect(path).to_have_attribute("d", OUTLINES["commit"])


def test_a_long_title_has_two_lines_on_a_narrow_page_where_no_arguments_need_the_second(show):
    tool = {**USERS, "title": "Print Environment Tool", "inputSchema": {"type": "object"}}
    screen = show(tool, width=320)
    screen.host.send_input({})
    screen.host.send_result({"content": [{"type": "text", "text": "Nothing is set here."}]})
    expect(screen.result).to_have_attribute("data-state", re.compile("."))
    fits = "one => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth"
    assert screen.frame.locator("h1").evaluate(fits)
    assert screen.frame.locator("header").bounding_box()["height"] == pytest.approx(40)
