"""The states of a call in a view: running, failed, refused, cancelled, confirmed."""

import pytest
from playwright.sync_api import expect

NOTHING = {"name": "tool", "inputSchema": {"type": "object"}}
DESTRUCTIVE = {
    "name": "delete_all",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    "annotations": {"destructiveHint": True},
}


def test_while_a_call_runs_the_old_result_stays_and_the_button_rests(show_result, text):
    screen = show_result(text("The old result"))
    expect(screen.result).to_contain_text("The old result")
    screen.button("Run again").click()
    expect(screen.state).to_contain_text("Running")
    expect(screen.result).to_have_attribute("aria-busy", "true")
    expect(screen.result).to_contain_text("The old result")
    expect(screen.result.get_by_role("progressbar", name="The call runs")).to_be_visible()
    expect(screen.button("More")).to_be_hidden()
    screen.host.answer({"content": [text("The new result")]})
    expect(screen.result).to_contain_text("The new result")
    expect(screen.result).not_to_contain_text("The old result")
    expect(screen.result).to_have_attribute("aria-busy", "false")
    expect(screen.state).to_have_text("Done")
    expect(screen.result.get_by_role("progressbar")).to_be_hidden()
    expect(screen.button("More")).to_be_visible()
    assert len(screen.host.calls) == 1


def test_focus_moves_to_the_line_above_the_result_when_the_form_closes(show, text):
    screen = show(NOTHING, call=lambda *_: {"content": [text("here")]})
    screen.run_button.focus()
    screen.run_button.press("Enter")
    expect(screen.result).to_contain_text("here")
    expect(screen.button("Run again")).to_be_focused()


def test_a_failed_call_says_why_and_can_be_tried_again_with_the_same_arguments(show_form, text):
    answers = iter(
        [
            {"isError": True, "content": [text("The disk is full")]},
            {"content": [text("Now it worked")]},
        ]
    )
    screen = show_form({"path": {"type": "string"}}, call=lambda *_: next(answers))
    screen.control("Path").fill("/home/ada")
    screen.run_button.click()
    expect(screen.result.get_by_role("alert")).to_contain_text("The disk is full")
    screen.button("Run again").click()
    expect(screen.result).to_contain_text("Now it worked")
    expect(screen.result.get_by_role("alert")).to_have_count(0)
    assert [call["arguments"] for call in screen.host.calls] == [{"path": "/home/ada"}] * 2


def test_a_failed_result_of_the_host_is_an_error_too(show_result, text):
    screen = show_result(text("The disk is full"), is_error=True)
    expect(screen.result.get_by_role("alert")).to_contain_text("The disk is full")
    expect(screen.state).to_have_text("Failed")


def test_an_error_without_words_is_still_an_error(show_result):
    expect(show_result(is_error=True).result.get_by_role("alert")).to_contain_text("without a message")


def test_a_success_that_says_it_failed_is_not_shown_as_done(show_result, text):
    screen = show_result(text("Error: no such table"))
    expect(screen.result).to_contain_text("No such table")
    expect(screen.state).not_to_have_text("Done")


@pytest.mark.parametrize("bridge", ["v1", "v2"])
def test_an_error_of_the_host_is_shown_and_the_call_can_be_repeated(show, text, bridge):
    gone = {"error": {"code": -32000, "message": "The server has gone away"}}
    answers = iter([gone, {"content": [text("back again")]}])
    screen = show(NOTHING, bridge=bridge, call=lambda *_: next(answers))
    screen.run_button.click()
    expect(screen.result.get_by_role("alert")).to_contain_text("The server has gone away")
    screen.button("Run again").click()
    expect(screen.result).to_contain_text("back again")


def test_a_cancelled_call_says_so_and_why(show):
    screen = show(NOTHING, tool_input={})
    screen.host.cancel("The person stopped it")
    expect(screen.result).to_contain_text("The person stopped it")
    expect(screen.state).to_have_text("Cancelled")
    expect(screen.button("Run again")).to_be_enabled()


def test_a_cancelled_call_needs_no_reason(show):
    screen = show(NOTHING, tool_input={})
    screen.host.cancel()
    expect(screen.result).to_contain_text("cancelled")


def test_a_result_after_a_cancelled_call_is_shown(show, text):
    screen = show(NOTHING)
    screen.host.cancel()
    screen.host.send_result({"content": [text("late but here")]})
    expect(screen.result).to_contain_text("late but here")


def test_a_destructive_tool_asks_before_it_runs(show):
    screen = show(DESTRUCTIVE, tool_input={"path": "/"})
    expect(screen.control("Path")).to_have_value("/")
    screen.run_button.click()
    expect(screen.frame.get_by_role("alert")).to_contain_text("can change or delete")
    assert screen.host.calls == []
    screen.frame.get_by_role("button", name="Run Delete all now").click()
    assert screen.host.wait_for_calls() == [{"name": "delete_all", "arguments": {"path": "/"}}]


def test_a_changed_argument_makes_a_destructive_tool_ask_again(show):
    screen = show(DESTRUCTIVE, tool_input={"path": "/home/ada"})
    expect(screen.control("Path")).to_have_value("/home/ada")
    screen.run_button.click()
    screen.control("Path").fill("/home")
    expect(screen.frame.get_by_role("alert")).to_have_count(0)
    screen.control("Path").press("Enter")
    expect(screen.frame.get_by_role("alert")).to_be_visible()
    assert screen.host.calls == []


def test_trying_a_destructive_call_again_asks_again(show, text):
    failed = {"isError": True, "content": [text("The disk is full")]}
    screen = show(DESTRUCTIVE, tool_input={"path": "/"})
    screen.host.send_result(failed)
    screen.button("Run again").click()
    screen.host.ask("ping")
    assert screen.host.calls == []
    expect(screen.frame.get_by_text("can change or delete")).to_be_visible()


def test_the_buttons_above_a_result_open_the_form_and_run_the_tool_again(show, show_form, text):
    screen = show(NOTHING, call=lambda *_: {"content": [text("again")]})
    screen.host.send_result({"content": [text("The first result")]})
    screen.button("Run again").click()
    expect(screen.result).to_contain_text("again")
    screen = show_form({"city": {"type": "string"}}, call=lambda *_: {"content": [text("here")]})
    screen.host.send_input({"city": "Oslo"})
    screen.host.send_result({"content": [text("The first result")]})
    screen.button("Edit").click()
    expect(screen.control("City")).to_be_focused()
    expect(screen.button("Run again")).to_have_count(1)
    screen.button("Edit").click()
    screen.button("Run again").click()
    expect(screen.result).to_contain_text("here")
    assert screen.host.calls[-1]["arguments"] == {"city": "Oslo"}


def test_a_failure_offers_to_edit_the_arguments_first_unless_a_connection_or_a_limit_is_in_the_way(
    show_form, text
):
    screen = show_form({"city": {"type": "string"}})
    edited = (
        "'x' is not one of ['a']",
        "No such table: x",
        "File x does not exist",
        "Could not parse '((('",
    )
    again = ("fetch failed", "connection refused", "Too many requests", "Unauthorized")
    firsts = {"Edit": edited, "Run again": again}
    for words, first in ((words, first) for first, all_words in firsts.items() for words in all_words):
        screen.host.send_result({"isError": True, "content": [text(words)]})
        alert = screen.result.get_by_role("alert")
        expect(alert).to_contain_text(words)
        expect(screen.result.get_by_role("button").first).to_have_text(first)


def test_an_argument_that_an_error_names_is_marked_at_its_control(show_form, text):
    screen = show_form({"city": {"type": "string"}, "data": {"type": "string"}})
    words = "Invalid arguments for tool x: Expected array, received string at data"
    screen.host.send_result({"isError": True, "content": [text(words)]})
    expect(screen.control("Data")).to_have_accessible_description("Missing")
    expect(screen.control("City")).to_be_hidden()
    screen.control("Data").fill("b")
    expect(screen.control("Data")).not_to_have_attribute("aria-invalid", "true")
    screen.button("Close").click()
    screen.result.get_by_role("button", name="Edit").click()
    expect(screen.control("City")).to_be_visible()


def test_an_argument_whose_value_an_error_names_is_tried_again_beneath_the_error(show_form, text):
    answers = iter(
        [{"isError": True, "content": [text("Ref 'nope' not found")]}, {"content": [text("Found")]}]
    )
    screen = show_form(
        {"city": {"type": "string"}, "revision": {"type": "string"}}, call=lambda *_: next(answers)
    )
    screen.control("City").fill("Oslo")
    screen.control("Revision").fill("nope")
    screen.run_button.click()
    expect(screen.result.get_by_role("alert")).to_contain_text("Ref 'nope' not found")
    expect(screen.result.get_by_role("button")).to_have_count(0)
    expect(screen.control("City")).to_be_hidden()
    panel = screen.result.get_by_role("alert").bounding_box()
    assert screen.control("Revision").bounding_box()["y"] > panel["y"] + panel["height"]
    screen.control("Revision").fill("HEAD")
    screen.control("Revision").press("Enter")
    expect(screen.result).to_contain_text("Found")
    assert screen.host.calls[-1]["arguments"] == {"city": "Oslo", "revision": "HEAD"}
    expect(screen.form).to_be_hidden()


def test_a_word_that_was_mistyped_is_one_button_away_from_what_was_meant(show_form, text):
    refused = {"isError": True, "content": [text('Parser Error: syntax error at or near "SELEC"')]}
    answers = iter([refused, {"content": [text("One row")]}])
    screen = show_form({"query": {"type": "string"}}, call=lambda *_: next(answers))
    screen.control("Query").fill("SELEC 1")
    screen.run_button.click()
    expect(screen.result).to_contain_text("Did you mean")
    screen.button("SELECT").click()
    expect(screen.result).to_contain_text("One row")
    assert screen.host.calls[-1]["arguments"] == {"query": "SELECT 1"}


def test_an_error_of_a_tool_without_arguments_offers_no_form(show, text):
    screen = show(NOTHING)
    screen.host.send_result({"isError": True, "content": [text("fetch failed")]})
    alert = screen.result.get_by_role("alert")
    expect(alert).to_contain_text("The service cannot be reached")
    expect(screen.result.get_by_role("button")).to_have_text(["Run again"])


def test_a_value_that_the_server_takes_runs_the_tool_with_it(show_form, text):
    refused = {"content": [text("'stone' is not one of ['g', 'kg']")], "isError": True}
    answers = iter([refused, {"content": [text("That is a lot")]}])
    screen = show_form(
        {"value": {"type": "number"}, "unit": {"type": "string"}}, call=lambda *_: next(answers)
    )
    screen.control("Value").fill("1")
    screen.control("Unit").fill("stone")
    screen.run_button.click()
    expect(screen.result.get_by_text("'stone' is not one of these")).to_be_visible()
    screen.button("kg").click()
    expect(screen.result).to_contain_text("That is a lot")
    assert screen.host.calls[-1]["arguments"] == {"value": 1, "unit": "kg"}
