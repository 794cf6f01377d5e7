"""A view follows the host's theme and width, reports its size and ignores bad messages (requirement M4)."""

import pytest
from playwright.sync_api import expect

LIGHT, DARK = "rgb(253, 253, 253)", "rgb(16, 16, 20)"
TOOL = {
    "name": "look_up",
    "description": "Looks something up. " * 30,
    "inputSchema": {
        "type": "object",
        "properties": {
            "averyLongPropertyNameWithoutAnySpaces" * 4: {"type": "string"},
            "moment": {"type": "string", "format": "date-time"},
            "pairs": {"type": "object", "additionalProperties": {"type": "string"}},
            "people": {
                "type": "array",
                "items": {"type": "object", "properties": {"name": {"type": "string"}}},
            },
        },
        "required": ["moment"],
    },
}
WIDE = {
    "rows": [{f"column{number}": "x" * number for number in range(30)}],
    "one word": "w" * 500,
    "deep": {"a": {"b": {"c": [[1], [2]]}}},
}
FRAMES = """count => new Promise(done => {
  const next = left => (left ? requestAnimationFrame(() => next(left - 1)) : done());
  next(count);
})"""
NO_MESSAGES = (
    None,
    "words",
    42,
    [],
    {},
    {"jsonrpc": "1.0", "method": "ui/notifications/tool-result", "params": {"content": []}},
    {"method": "ui/notifications/tool-result", "params": {"content": []}},
    {"jsonrpc": "2.0"},
    {"jsonrpc": "2.0", "id": 999, "result": {}},
    {"jsonrpc": "2.0", "id": None, "error": None},
    {"jsonrpc": "2.0", "id": 998, "error": {"code": "x"}},
    {"jsonrpc": "2.0", "method": 7},
    {"jsonrpc": "2.0", "method": "constructor"},
    {"jsonrpc": "2.0", "method": "ui/notifications/unheard-of", "params": {}},
    {"jsonrpc": "2.0", "method": "ui/notifications/tool-input"},
    {"jsonrpc": "2.0", "method": "ui/notifications/tool-input", "params": None},
    {"jsonrpc": "2.0", "method": "ui/notifications/tool-input", "params": {"arguments": [1]}},
    {"jsonrpc": "2.0", "method": "ui/notifications/tool-input-partial", "params": "x"},
    {"jsonrpc": "2.0", "method": "ui/notifications/host-context-changed", "params": None},
    {
        "jsonrpc": "2.0",
        "method": "ui/notifications/host-context-changed",
        "params": {"theme": 7, "styles": "x"},
    },
    {
        "jsonrpc": "2.0",
        "method": "ui/notifications/host-context-changed",
        "params": {"styles": {"variables": 3}},
    },
    {"jsonrpc": "2.0", "method": "ui/notifications/host-context-changed", "params": {"toolInfo": "x"}},
)
NO_RESULTS = (
    None,
    "words",
    {"content": "words"},
    {"content": [None, 7, "words", [], {}]},
    {"content": [{"type": "text"}, {"type": "image"}, {"type": "audio"}, {"type": "resource"}]},
    {"content": [{"type": "resource", "resource": {}}, {"type": "resource_link"}]},
    {"content": [{"type": "text", "text": {"a": 1}}]},
    {"structuredContent": "words"},
    {"structuredContent": [1, 2]},
    {"isError": True, "content": None},
)


def background(screen):
    return screen.frame.evaluate("getComputedStyle(document.querySelector('.menu')).backgroundColor")


@pytest.mark.parametrize(("theme", "other"), [("light", "dark"), ("dark", "light")])
def test_the_view_has_the_theme_of_the_host_and_changes_with_it(show, theme, other):
    colours = {"light": LIGHT, "dark": DARK}
    screen = show(TOOL, theme=theme)
    assert background(screen) == colours[theme]
    screen.host.context(theme=other)
    screen.host.ask("ping")
    assert background(screen) == colours[other]


def test_colours_of_the_host_are_taken_over_live(show):
    screen = show(TOOL)
    screen.host.context(styles={"variables": {"--color-background-primary": "rgb(1, 2, 3)"}})
    screen.host.ask("ping")
    assert background(screen) == "rgb(1, 2, 3)"


@pytest.mark.parametrize("width", [320, 900])
def test_no_part_of_a_view_scrolls_sideways(show, width):
    screen = show(TOOL, width=width, tool_input={"people": [{"name": "Ada"}], "pairs": {"k" * 80: "v" * 80}})
    overflow = "document.documentElement.scrollWidth - innerWidth"
    expect(screen.frame.get_by_label("Name", exact=True)).to_have_value("Ada")
    assert screen.frame.evaluate(overflow) <= 0
    screen.host.send_result({"content": [], "structuredContent": WIDE})
    expect(screen.state).to_have_text("Done")
    assert screen.frame.evaluate(overflow) <= 0


def test_the_frame_is_as_tall_as_the_view_and_comes_to_rest(show):
    screen = show(TOOL)
    screen.host.send_result({"content": [], "structuredContent": WIDE})
    expect(screen.state).to_have_text("Done")
    screen.frame.evaluate(FRAMES, 30)
    settled = screen.host.sizes
    screen.frame.evaluate(FRAMES, 30)
    assert screen.host.sizes == settled
    assert len(settled) <= 6
    assert settled[-1]["height"] == screen.frame.evaluate("document.documentElement.scrollHeight")
    assert screen.frame.evaluate("innerHeight") == settled[-1]["height"]


def test_a_shorter_result_makes_the_frame_shorter(show_result, text):
    screen = show_result(text("many\n" * 200))
    screen.host.page.wait_for_function("host.sizes.at(-1)?.height > 2000")
    screen.host.send_result({"content": [text("few")]})
    screen.host.page.wait_for_function("host.sizes.at(-1)?.height < 600")


def test_a_change_of_width_comes_to_rest_too(show):
    screen = show(TOOL)
    for width in (320, 900, 500):
        screen.host.resize(width)
        screen.host.page.wait_for_function("width => host.sizes.at(-1)?.width === width", arg=width)
    screen.frame.evaluate(FRAMES, 30)
    settled = len(screen.host.sizes)
    screen.frame.evaluate(FRAMES, 30)
    assert len(screen.host.sizes) == settled <= 16


@pytest.mark.parametrize("profile", ["spec", "vscode"])
def test_malformed_messages_change_nothing(show, text, profile):
    screen = show(TOOL, profile=profile)
    before = screen.frame.locator("main").inner_text()
    for message in NO_MESSAGES:
        screen.host.post(message)
    assert screen.host.ask("ping")["result"] == {}
    assert screen.frame.locator("main").inner_text() == before
    screen.host.send_result({"content": [text("a real result")]})
    expect(screen.result).to_contain_text("a real result")


def test_malformed_results_do_not_end_the_view(show, text):
    screen = show(TOOL)
    for result in NO_RESULTS:
        screen.host.post({"jsonrpc": "2.0", "method": "ui/notifications/tool-result", "params": result})
        assert screen.host.ask("ping")["result"] == {}
        assert "Something went wrong" not in screen.result.inner_text(), result
    screen.host.send_result({"content": [text("a real result")]})
    expect(screen.result).to_contain_text("a real result")


@pytest.mark.parametrize("profile", ["spec", "opaque", "vscode"])
def test_messages_from_other_windows_are_ignored(show, text, profile):
    screen = show(TOOL, profile=profile)
    forged = {
        "jsonrpc": "2.0",
        "method": "ui/notifications/tool-result",
        "params": {"content": [text("forged")]},
    }
    screen.host.ask_host("host.postPastSandbox(given)", forged)
    screen.frame.evaluate("message => window.postMessage(message, '*')", forged)
    screen.frame.evaluate(FRAMES, 3)
    assert screen.host.ask("ping")["result"] == {}
    expect(screen.result).not_to_contain_text("forged")
