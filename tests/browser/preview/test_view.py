"""Shows requirement S4."""

import json
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect


def test_a_view_mounts_on_another_origin_and_reaches_initialized(page, choose):
    view = choose("greet")
    expect(view.locator("#revision")).not_to_be_empty()
    outer = page.frames[1]
    assert urlsplit(outer.url).netloc != urlsplit(page.url).netloc
    assert outer.evaluate("origin") == page.frames[2].evaluate("origin")
    assert (
        page.frames[2].evaluate("try { parent.parent.document; 'reached' } catch { 'refused' }") == "refused"
    )


def test_the_frame_is_as_tall_as_the_view_says(page, choose):
    view = choose("greet")
    height = view.locator("body").evaluate("body => body.offsetHeight")
    page.wait_for_function(
        "height => document.querySelector('.view-frame').clientHeight === height", arg=height
    )


def test_calling_the_tool_gives_the_view_input_and_result_and_shows_the_result_as_written(page, choose):
    view = choose("greet")
    page.locator("#arguments").fill('{"name": "Grace"}')
    page.locator("#call").click()
    expect(view.locator("#input")).to_have_text('{"name":"Grace"}')
    expect(view.locator("#result")).to_have_text("Hello, Grace!")
    expect(page.locator("#result .json")).to_contain_text('"unknown": 1.0')
    expect(page.locator("#result .facts")).to_contain_text("called by the model")


def test_arguments_begin_with_what_is_required(page, choose):
    choose("greet")
    assert page.locator("#arguments").input_value() == '{\n  "name": ""\n}'


def test_arguments_that_are_no_json_object_are_not_sent(page, choose):
    choose("greet")
    for wrong in ("{", "[1]"):
        page.locator("#arguments").fill(wrong)
        page.locator("#call").click()
        expect(page.locator("#arguments-error")).to_contain_text("JSON")
    expect(page.locator("#result .json")).to_have_count(0)


def test_a_second_call_is_a_new_view(page, choose):
    view = choose("greet")
    for name in ("Grace", "Edsger"):
        page.locator("#arguments").fill(f'{{"name": "{name}"}}')
        page.locator("#call").click()
        expect(view.locator("#result")).to_have_text(f"Hello, {name}!")
    page.locator("#tab-messages").click()
    expect(page.locator("#messages .method", has_text="ui/resource-teardown").first).to_be_visible()


def test_a_view_may_call_a_tool_itself(page, choose):
    view = choose("greet")
    view.locator("#call").click()
    expect(view.locator("#own")).to_have_text("Hello, Ada!")
    expect(page.locator("#result .facts")).to_contain_text("called by the view")
    expect(view.locator("#result")).to_have_text("none")


def test_a_call_can_be_cancelled_and_the_view_is_notified(page, choose):
    view = choose("wait")
    page.locator("#call").click()
    expect(view.locator("#input")).to_have_text("{}")
    page.locator("#cancel").click()
    expect(view.locator("#result")).to_have_text("cancelled: Cancelled in the preview")
    expect(page.locator("#call")).to_be_enabled()


def test_an_error_of_the_server_is_shown_with_its_code_and_data(page, choose):
    choose("refuse", state="none")
    page.locator("#call").click()
    expect(page.locator("#result .badge")).to_have_text("error -32001")
    expect(page.locator("#result .json")).to_contain_text('"a": 1')


def test_the_theme_switch_reaches_page_and_view(page, choose):
    view = choose("greet")
    for theme in ("dark", "light"):
        page.locator(f"#theme input[value={theme}]").check()
        expect(view.locator("#theme")).to_have_text(theme)
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == theme


def test_the_width_switch_is_exact_and_reaches_the_view(page, choose):
    view = choose("greet")
    for width in ("320", "720"):
        page.locator(f"#width input[value='{width}']").check()
        expect(view.locator("#width")).to_have_text(width)
        assert view.locator("body").evaluate("() => innerWidth") == int(width)


def test_a_link_is_opened_only_after_the_person_saw_it(page, choose):
    view = choose("greet")
    view.locator("#link").click()
    expect(page.locator("#link-address")).to_have_text("https://example.com/a?b=c")
    page.keyboard.press("Escape")
    expect(view.locator("#own")).to_have_text('{"isError":true}')
    page.context.route("https://example.com/**", lambda route: route.fulfill(body="elsewhere"))
    view.locator("#link").click()
    with page.context.expect_page() as opened:
        page.locator("#link-open").click()
    assert opened.value.url == "https://example.com/a?b=c"
    assert opened.value.evaluate("opener") is None
    expect(view.locator("#own")).to_have_text("{}")


def test_a_views_messages_to_the_chat_are_shown_and_sent_to_subscribers(page, choose, preview):
    view = choose("greet")
    preview.follow("/wait?timeout=0")
    view.locator("#say").click()
    expect(page.locator("#said")).to_contain_text("Hello, chat")
    (told,) = preview.follow("/wait?timeout=10")
    assert (told["kind"], told["role"], told["content"][0]["text"]) == ("message", "user", "Hello, chat")


def test_the_log_has_the_messages_of_both_sides_and_opens_them(page, choose):
    choose("greet")
    page.locator("#tab-messages").click()
    expect(page.locator("#messages .method").nth(0)).to_have_text("ui/initialize")
    expect(page.locator("#messages .method").nth(1)).to_have_text("result of ui/initialize")
    page.locator("#messages summary").nth(1).click()
    expect(page.locator("#messages .json")).to_contain_text('"hostInfo"')


@pytest.mark.parametrize("profile", ["spec", "strict"])
def test_the_list_of_blocked_requests_and_console_messages_cannot_be_forged(page, choose, preview, profile):
    preview.follow("/wait?timeout=0")
    page.locator("#profile").select_option(profile)
    choose("trouble")
    page.locator("#tab-issues").click()
    expect(page.locator("#issues")).to_contain_text("img-src blocked https://example.com/pixel.png")
    expect(page.locator("#issues")).to_contain_text("view trouble")
    expect(page.locator("#issues")).not_to_contain_text("spoofed")
    told = [one for one in preview.follow("/wait?timeout=10") if one["kind"] == "issue"]
    assert told[-1]["of"] in {"policy", "console.error"}


def test_a_host_shows_a_view_in_its_display_modes_and_the_person_can_go_back(page, choose):
    view = choose("greet")
    view.locator("#mode").click()
    expect(view.locator("#own")).to_have_text("inline")
    page.locator("#profile").select_option("claude")
    expect(view.locator("#own")).to_have_text("none")
    view.locator("#mode").click()
    expect(view.locator("#own")).to_have_text("fullscreen")
    expect(view.locator("#shown")).to_have_text("fullscreen")
    assert page.locator("#card").bounding_box()["width"] > 1200
    page.locator("#inline").click()
    expect(view.locator("#shown")).to_have_text("inline")


def expect_revision(view, number):
    """Wait for the revision of a view. The frame of the view before it may vanish during a check."""
    for _ in range(3):
        try:
            return expect(view.locator("#revision")).to_have_text(str(number))
        except AssertionError as error:
            if "has been closed" not in str(error):
                raise
    return expect(view.locator("#revision")).to_have_text(str(number))


def test_a_changed_view_is_mounted_again_with_the_input_and_result_of_the_one_before(page, choose):
    view = choose("greet")
    before = int(view.locator("#revision").inner_text())
    page.locator("#call").click()
    expect(view.locator("#result")).to_have_text("Hello, !")
    page.evaluate(
        """async () => {
          const { rpc } = await import("/assets/api.js");
          await rpc("tools/call", { name: "revise", arguments: {} });
        }"""
    )
    expect_revision(view, before + 1)
    expect(view.locator("#result")).to_have_text("Hello, !")


def test_a_refinement_goes_to_the_wrapper_and_brings_the_new_view(page, choose):
    view = choose("greet")
    before = int(view.locator("#revision").inner_text())
    page.locator("#feedback").fill("make it blue")
    page.locator("#refine-button").click()
    expect(page.locator("#refine-status")).to_have_text("Heard: make it blue")
    expect_revision(view, before + 1)


def test_a_refinement_shows_its_steps_while_it_runs_and_can_be_cancelled(page, choose):
    choose("greet")
    page.locator("#feedback").fill("slowly")
    page.locator("#refine-button").click()
    expect(page.locator("#refine-steps li")).to_have_text(["Thinking", "Writing"])
    expect(page.locator("#refine-button")).to_be_hidden()
    page.locator("#refine-cancel").click()
    expect(page.locator("#refine-status")).to_have_text("Cancelled; the view stays as it was.")
    expect(page.locator("#refine-button")).to_be_visible()


def test_a_call_left_behind_does_not_show_itself_at_another_tool(page, choose):
    choose("wait")
    page.locator("#call").click()
    expect(page.locator("#result")).to_contain_text("Running")
    choose("greet")
    page.locator("#call").click()
    expect(page.locator("#result .json")).to_contain_text("Hello, !")
    choose("plain", state="none")
    expect(page.locator("#result")).to_contain_text("Call the tool to see")


def test_a_view_may_use_what_the_wrapper_is_configured_to_ask_for(start_preview, new_page, tmp_path):
    server, config = Path(__file__).with_name("sample_server.py"), tmp_path / "config.json"
    wrapper = (sys.executable, "-P", "-m", "genui_cli", "--llm", "none", "--config", str(config))
    for granted, allowed in ((["clipboardWrite", "camera"], {"camera", "clipboard-write"}), ([], set())):
        config.write_text(json.dumps({"security": {"permissions": granted}}))
        page = new_page()
        page.goto(start_preview(*wrapper, "--", sys.executable, str(server)).address)
        page.locator("#tools a[data-tool=plain]").click()
        page.locator("#about-name", has_text="plain").wait_for()
        page.locator("#card[data-state=live]").wait_for()
        view = page.frame_locator("#card iframe").frame_locator("iframe")
        view.get_by_role("heading", name="Plain").wait_for()
        features = view.locator("body").evaluate("() => document.featurePolicy.allowedFeatures()")
        assert {"camera", "clipboard-write", "geolocation", "microphone"} & {*features} == allowed
