"""A call from the page: its arguments, its progress, the question before it, and its result (requirement S4)."""

import json

import pytest
from accessibility import AXE, RUN_AXE
from playwright.sync_api import expect


def arguments(page):
    return json.loads(page.locator("#arguments").input_value())


def test_a_tool_without_a_view_has_a_form_that_the_pane_mirrors_as_json(page, choose):
    choose("plain", state="none")
    form = page.get_by_role("form", name="Arguments")
    form.get_by_label("name").fill("Grace")
    form.get_by_label("name").blur()
    assert arguments(page) == {"name": "Grace"}
    page.locator("#arguments").fill('{"name": "Edsger"}')
    expect(form.get_by_label("name")).to_have_value("Edsger")
    form.get_by_role("button", name="Call tool").click()
    expect(page.locator("#result .json")).to_contain_text("Hello, Edsger!")


def test_a_tool_whose_view_has_a_form_has_no_second_one_and_the_pane_mirrors_the_views_arguments(
    page, choose
):
    view = choose("greet")
    expect(page.locator("#argument-form")).to_be_hidden()
    view.locator("#call").click()
    expect(view.locator("#own")).to_have_text("Hello, Ada!")
    assert arguments(page) == {"name": "Ada"}


def test_a_running_call_shows_the_progress_that_the_server_reports_and_can_be_cancelled(page, choose):
    view = choose("wait")
    page.locator("#call").click()
    expect(page.locator("#run-text")).to_have_text("Halfway")
    expect(page.locator("#run-clock")).to_have_text("1 s")
    assert page.locator("#run-progress").evaluate("meter => meter.value / meter.max") == 0.4
    expect(page.locator("#result")).to_contain_text("Running")
    page.locator("#cancel").click()
    expect(page.locator("#run")).to_be_hidden()
    expect(page.locator("#result")).to_contain_text("Cancelled")
    expect(view.locator("#result")).to_contain_text("cancelled")


def test_a_destructive_tool_is_called_only_after_the_person_agrees(page, choose):
    view = choose("erase")
    page.locator("#arguments").fill('{"name": "everything"}')
    page.locator("#call").click()
    dialog = page.get_by_role("dialog", name="Call erase?")
    expect(dialog).to_contain_text("everything")
    expect(dialog.get_by_role("button", name="Do not call")).to_be_focused()
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(RUN_AXE) == []
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#result")).to_contain_text("Call the tool to see")
    expect(view.locator("#result")).to_have_text("none")
    page.locator("#arguments").press("Control+Enter")
    dialog.get_by_role("button", name="Call tool").click()
    expect(view.locator("#result")).to_have_text("Hello, everything!")


def test_a_tool_that_is_not_destructive_is_called_at_once(page, choose):
    view = choose("greet")
    page.locator("#call").click()
    expect(view.locator("#result")).to_have_text("Hello, !")


@pytest.mark.parametrize("kind", ["structured", "text"])
def test_a_result_shows_its_data_first_and_the_whole_of_it_on_request(page, choose, kind):
    choose("data", state="none")
    page.locator("#arguments").fill(json.dumps({"name": kind}))
    page.locator("#call").click()
    data = page.get_by_role("region", name="Data of the result")
    expect(data).to_contain_text('"a": 1.0')
    expect(data).not_to_contain_text("content")
    page.locator("#result summary").click()
    expect(page.get_by_role("region", name="Whole result")).to_contain_text('"content"')


def test_the_skip_link_is_the_first_stop_and_leads_to_the_view(page):
    page.locator("#card[data-state=live]").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the view")).to_be_focused()
    before = page.url
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="View", exact=True)).to_be_focused()
    assert page.url == before


def test_a_narrow_page_shows_one_part_at_a_time_as_tabs(page, choose):
    choose("greet")
    shown = {"tools": "#tool-pane", "view": "#view", "call": "#call-pane"}
    expect(page.locator("#panes")).to_be_hidden()
    page.set_viewport_size({"width": 999, "height": 800})
    for name, place in shown.items():
        page.locator(f"#pane-{name}").click()
        for other in shown.values():
            expect(page.locator(other)).to_be_visible(visible=other == place)
    page.locator("#pane-call").press("ArrowRight")
    expect(page.locator("#pane-tools")).to_be_focused()
    page.locator("#tools a[data-tool=erase]").click()
    expect(page.locator("#view")).to_be_visible()
    page.set_viewport_size({"width": 1000, "height": 800})
    for place in shown.values():
        expect(page.locator(place)).to_be_visible()


def test_on_a_narrow_page_a_call_leads_to_where_its_result_is(page, choose):
    choose("greet")
    page.set_viewport_size({"width": 600, "height": 800})
    page.locator("#pane-call").click()
    page.locator("#call").click()
    expect(page.locator("#view")).to_be_visible()
    page.locator("#pane-tools").click()
    page.locator("#tools a[data-tool=data]").click()
    page.get_by_role("form", name="Arguments").get_by_role("button", name="Call tool").click()
    expect(page.locator("#result .json")).to_be_visible()


def test_without_a_model_the_box_for_changes_is_disabled_and_says_what_to_do(start_preview, new_page):
    page = new_page()
    page.goto(start_preview(has_model=False).address)
    page.locator("#tools a[data-tool=greet]").click()
    expect(page.locator("#refine-status")).to_contain_text("No model: connect one")
    expect(page.locator("#feedback")).to_be_disabled()
    expect(page.locator("#refine-button")).to_be_disabled()
