"""The features of a view that must work in every host, with both versions of the bridge (requirement U4)."""

import pytest
from playwright.sync_api import expect

PROFILES = ("spec", "opaque", "noforms", "vscode", "url")
TOOL = {
    "name": "echo_twice",
    "inputSchema": {
        "type": "object",
        "properties": {"words": {"type": "string"}, "count": {"type": "integer"}},
        "required": ["words"],
    },
}

pytestmark = [pytest.mark.parametrize("profile", PROFILES), pytest.mark.matrix]
both_bridges = pytest.mark.parametrize("bridge", ["v1", "v2"])


def said_by_view(screen):
    return [one["message"] for one in screen.host.messages if one["from"] == "view"]


@both_bridges
def test_the_view_says_hello_then_that_it_is_ready_then_its_size(show, profile, bridge):
    screen = show(TOOL, profile=profile, bridge=bridge)
    screen.host.page.wait_for_function("host.sizes.length > 0")
    messages = [one for one in said_by_view(screen) if "sandbox" not in one["method"]]
    methods = [one["method"] for one in messages]
    assert methods[:2] == ["ui/initialize", "ui/notifications/initialized"]
    assert set(methods[2:]) == {"ui/notifications/size-changed"}
    assert messages[0]["params"] == {
        "appInfo": {"name": "echo_twice-ui", "version": "1.0.0"},
        "appCapabilities": {},
        "protocolVersion": "2026-01-26",
    }


@both_bridges
def test_input_is_filled_in_and_enter_and_click_call_the_tool(show, text, profile, bridge):
    screen = show(
        TOOL,
        profile=profile,
        bridge=bridge,
        tool_input={"words": "hello", "count": 2},
        call=lambda name, given: {"content": [text(f"{name}: {given['words'] * given['count']}")]},
    )
    expect(screen.control("Words")).to_have_value("hello")
    screen.control("Count").press("Enter")
    expect(screen.result).to_contain_text("echo_twice: hellohello")
    screen.open_form()
    screen.control("Count").fill("3")
    screen.run_button.click()
    expect(screen.result).to_contain_text("echo_twice: hellohellohello")
    assert screen.host.calls == [
        {"name": "echo_twice", "arguments": {"words": "hello", "count": 2}},
        {"name": "echo_twice", "arguments": {"words": "hello", "count": 3}},
    ]


def test_a_result_with_a_picture_is_really_painted(show_result, red_png, painted, text, profile):
    picture = {"type": "image", "data": red_png, "mimeType": "image/png"}
    screen = show_result(text("A red square"), picture, profile=profile)
    expect(screen.result).to_contain_text("A red square")
    shown = screen.result.get_by_role("img")
    expect(shown).to_be_visible()
    assert painted(screen, shown) == [255, 0, 0]
    assert screen.host.violations == []


def test_the_host_may_ping_ask_too_much_and_end_the_view(show, profile):
    screen = show(TOOL, profile=profile)
    assert screen.host.ask("ping")["result"] == {}
    assert screen.host.ask("tools/unheard-of")["error"]["code"] == -32601
    assert screen.host.ask("__proto__")["error"]["code"] == -32601
    assert screen.host.teardown() == {}
