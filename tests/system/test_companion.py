"""A terminal agent over stdio, whose host shows no views, and a person at the page that it opened."""

import json
import sys
import time

import pytest

FORM = """<style></style><template><div class="view"></div></template>
<script>
function render(data, ui) {
  ui.root.querySelector(".view").append(ui.action(`Take ${data.choice}`, () => ui.tellModel(`I take ${data.choice}`)));
}
</script>"""
SLOW_S = 10
"""A guard and not a bar: the machine of the tests may be busy."""


class Agent:
    """What an agent does in its terminal: calls tools, and reads their texts."""

    def __init__(self, host):
        self.host = host
        host.connect({})

    def tools(self):
        return self.host.request("tools/list")["result"]["tools"]

    def call(self, name, /, **arguments):
        return self.host.request("tools/call", {"name": name, "arguments": arguments})["result"]

    def told(self, name, /, **arguments):
        """Return what one of the wrapper's tools answers, which its text has too."""
        result = self.call(name, **arguments)
        structured = result["structuredContent"]
        if not result["isError"]:
            assert json.loads(result["content"][0]["text"]) == structured
        return structured


@pytest.fixture
def start_agent(open_host, repository, monkeypatch):
    """Start the wrapper in front of the weather server, with flags; nothing opens a browser by itself."""
    monkeypatch.setenv("BROWSER", "none")
    server = repository / "examples" / "weather-server" / "weather_server.py"

    def start(*flags):
        return Agent(open_host(sys.executable, "-P", "-m", "genui_cli", *flags, "--", sys.executable, server))

    return start


@pytest.fixture
def person(browser):
    """A person with a browser of their own."""
    context = browser.new_context()
    yield context
    context.close()


def view_in(page):
    """Return the frame with the view, once it is live."""
    page.wait_for_selector("#view-state[data-state=live]")
    return page.frame_locator("#card iframe").frame_locator("iframe")


def test_an_agent_shows_its_calls_and_learns_what_the_person_does(start_agent, person):
    agent = start_agent("--llm", "none")
    assert [each["name"] for each in agent.tools()][-3:] == ["_ui_open", "_ui_wait", "_ui_push"]
    agent.call("get_forecast", city="Lisbon")
    opened = agent.told("_ui_open")
    assert opened["tab"] == "not opened"

    page = person.new_page()
    page.goto(opened["address"])
    page.wait_for_url("**/#call=1")
    assert view_in(page).get_by_text("Lisbon").first.is_visible()
    assert agent.told("_ui_open")["tab"] == "open"
    page.wait_for_function("document.title.includes('weather')")

    began = time.monotonic()
    agent.call("get_current_weather", city="Oslo")
    page.wait_for_url("**/#call=2")
    view_in(page).get_by_text("Oslo").first.wait_for()
    shown_s = time.monotonic() - began

    view_in(page).get_by_role("button", name="Run again").first.click()
    began = time.monotonic()
    events = agent.told("_ui_wait", timeoutSeconds=SLOW_S)["events"]
    told_s = time.monotonic() - began
    (event,) = events
    assert (event["kind"], event["tool"], event["arguments"]["city"]) == (
        "called",
        "get_current_weather",
        "Oslo",
    )
    assert shown_s < SLOW_S
    assert told_s < SLOW_S

    pushed = agent.told("_ui_push", title="Which one?", html=FORM, data={"choice": "Oslo"})
    assert pushed["status"] == "done", pushed
    page.wait_for_url("**/#call=3")
    view_in(page).get_by_role("button", name="Take Oslo").click()
    (event,) = agent.told("_ui_wait", timeoutSeconds=SLOW_S)["events"]
    assert event["kind"] == "model_context"
    assert event["content"] == [{"type": "text", "text": "I take Oslo"}]
    assert agent.told("_ui_wait", timeoutSeconds=0) == {"events": []}

    second = person.new_page()
    second.goto(agent.told("_ui_open")["address"])
    second.wait_for_url("**/#call=3")
    assert [each.inner_text() for each in second.locator("#calls .tool-name").all()] == [
        "Which one?",
        "get_current_weather",
        "get_forecast",
    ]
    page.get_by_text("This session is open in another tab.").wait_for()
