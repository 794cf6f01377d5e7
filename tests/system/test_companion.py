"""A terminal agent without views opens a page, on which a person sees and uses them (requirement T5)."""

import json
import re
import sys
import time
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest

FORM = """<style></style><template><div class="view"></div></template>
<script>
function render(data, ui) {
  ui.root.querySelector(".view").append(ui.action(`Take ${data.choice}`, () => ui.tellModel(`I take ${data.choice}`)));
}
</script>"""
SLOW_S = 10
"""A generous timeout, because the test machine may be busy."""


class Agent:
    """An agent in a terminal, which calls tools and reads their texts."""

    def __init__(self, host):
        self.host = host
        host.connect({})

    def tools(self):
        return self.host.request("tools/list")["result"]["tools"]

    def call(self, name, /, **arguments):
        return self.host.request("tools/call", {"name": name, "arguments": arguments})["result"]

    def told(self, name, /, **arguments):
        """Return the structured result of a wrapper tool; its text must hold the same JSON."""
        result = self.call(name, **arguments)
        structured = result["structuredContent"]
        if not result["isError"]:
            assert json.loads(result["content"][0]["text"]) == structured
        return structured


@pytest.fixture
def weather(repository):
    """The command line of a real server that refuses unknown tools and names the city in a forecast."""
    return (repository / "examples" / "weather-server" / "weather_server.py",)


@pytest.fixture
def start_agent(open_host, repository, monkeypatch):
    """Start the wrapper with flags in front of a recorded server; it does not open a browser."""
    monkeypatch.setenv("BROWSER", "none")
    corpus = repository / "tests" / "corpus"
    recorded = corpus / "recorded_upstream.py", corpus / "sample" / "weather"

    def start(*flags, server=recorded):
        words = ("-P", "-m", "genui_cli", *flags, "--", sys.executable, *server)
        return Agent(open_host(sys.executable, *words))

    return start


@pytest.fixture
def person(browser):
    """A browser context that stands for a person's browser."""
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


class Browser:
    """A browser, or another program on the machine, that sends requests to the server of a page."""

    def __init__(self, opened):
        self.entrance = opened["address"]
        self.origin, self.code = re.fullmatch(
            r"(http://127\.0\.0\.1:\d+)/open\?code=([\w-]{20,})", self.entrance
        ).groups()
        self.client = httpx.Client(base_url=self.origin)

    def enter(self):
        """Exchange the code for the cookie; return its name and value."""
        answer = self.client.get(self.entrance)
        assert answer.status_code == 200
        words = answer.headers["set-cookie"].lower()
        assert "httponly" in words
        assert "samesite=strict" in words
        ((name, token),) = self.client.cookies.items()
        assert token not in answer.text
        assert token not in self.entrance
        assert "location" not in answer.headers
        return name, token

    def status(self, path, **headers):
        return self.client.get(path, headers=headers).status_code

    def does(self, what, **headers):
        told = {"origin": self.origin, "x-preview-token": "cookie", **headers}
        return self.client.post("/api/happened", json={"kind": what}, headers=told).status_code

    def waits(self):
        answer = self.client.get("/wait", params={"timeout": 0})
        return [each["kind"] for each in answer.json()] if answer.content else []


@pytest.fixture
def browser_of():
    """Return a function that makes a browser with the page address of an agent."""
    with ExitStack() as clients:

        def come(agent):
            browser = Browser(agent.told("_ui_open"))
            clients.enter_context(browser.client)
            return browser

        yield come


def test_a_page_serves_only_its_own_session(start_agent, browser_of):
    agent, other_agent = start_agent("--llm", "none"), start_agent("--llm", "none")
    browser, other = browser_of(agent), browser_of(other_agent)
    paths = ("/", "/assets/companion.js", "/api/session", "/api/events", "/wait", "/state")
    assert {browser.status(path) for path in paths} == {403}
    assert {browser.status(browser.entrance, host=host) for host in ("evil.example", "127.0.0.1:1")} == {403}

    name, token = browser.enter()
    assert browser.status(browser.entrance) == 403, "a code works once"
    assert browser.status(f"/open?code={token}") == 403
    other_name, other_token = other.enter()
    assert name != other_name
    assert token != other_token
    for cookie in (
        f"{other_name}={other_token}",
        f"{name}={other_token}",
        f"{other_name}={token}",
        f"{name}=",
    ):
        assert httpx.get(browser.origin, headers={"cookie": cookie}).status_code == 403

    assert browser.status("/") == 200
    assert browser.status("/", host="evil.example") == 403
    assert {browser.status("/wait", **{"sec-fetch-site": site}) for site in ("same-site", "cross-site")} == {
        403
    }
    assert browser.does("forged", origin="http://evil.example") == 403
    assert browser.does("forged", origin=other.origin) == 403
    assert browser.does("forged", **{"content-type": "text/plain"}) == 403
    for kind in ("first", "second"):
        assert browser.does(kind) == 200
    assert other.waits() == other_agent.told("_ui_wait", timeoutSeconds=0)["events"] == []
    events = agent.told("_ui_wait", timeoutSeconds=SLOW_S)["events"]
    assert [each["kind"] for each in events] == ["first", "second"]
    assert browser.does("third") == 200
    assert (browser.waits(), browser.waits()) == (["third"], [])
    assert agent.told("_ui_wait", timeoutSeconds=0) == {"events": []}


def test_the_mode_never_gives_the_agent_only_the_upstream(start_agent, weather):
    agent = start_agent("--llm", "none", "--companion", "never", server=weather)
    assert not [each["name"] for each in agent.tools() if each["name"].startswith("_ui_")]
    assert (
        "error" in agent.host.request("tools/call", {"name": "_ui_open", "arguments": {}})
        or agent.call("_ui_open")["isError"]
    )


def test_results_name_the_page_if_the_setting_says_so(start_agent, monkeypatch):
    monkeypatch.setenv("MCP_GEN_UI_COMPANION_LINK_IN_RESULTS", "true")
    plain, linked = start_agent("--companion", "never"), start_agent()
    *content, link = linked.call("get_current_weather", city="Oslo")["content"]
    assert content == plain.call("get_current_weather", city="Oslo")["content"]
    address = re.fullmatch(r"As an interactive view: (http://127\.0\.0\.1:\d+/open\?code=\S+)", link["text"])[
        1
    ]
    assert httpx.get(address).status_code == 200


def forecast_page(agent, context, place):
    """Call a tool about a place and open the page in a new tab; return the tab and the requests that it sends."""
    agent.call("get_forecast", city=place)
    page = context.new_page()
    answers = []
    page.on("request", lambda request: answers.append(f"{request.url} {request.post_data}"))
    page.goto(agent.told("_ui_open")["address"])
    page.wait_for_url("**/#call=1")
    view_in(page).get_by_text(place).first.wait_for()
    return page, answers


def answers_to_program(page, context):
    """Return all answers of a page's server to a program with every cookie of the browser."""
    origin = page.url.partition("/#")[0]
    jar = "; ".join(f"{each['name']}={each['value']}" for each in context.cookies())
    with httpx.Client(base_url=origin, headers={"cookie": jar, "x-preview-token": "cookie"}) as client:
        told = [client.get(path).text for path in ("/", "/api/session", "/state", "/assets/companion.js")]
        with client.stream("GET", "/api/events") as stream:  # the greeting has all that was shown before
            lines = (line for line in stream.iter_lines() if line.startswith("data: "))
            told += [next(lines) for _ in range(2)]
    return "\n".join(told)


def test_two_sessions_in_one_browser_know_nothing_of_each_other(start_agent, person, weather):
    places = "Canary-one-5b1e", "Canary-two-90cd"
    agents = [start_agent("--llm", "none", server=weather) for _ in places]
    shown = [forecast_page(agent, person, place) for agent, place in zip(agents, places, strict=True)]
    assert len({each["name"] for each in person.cookies()}) == 2, "cookies ignore ports"
    assert {(each["httpOnly"], each["sameSite"]) for each in person.cookies()} == {(True, "Strict")}
    first, _ = shown[0]
    first.reload()
    view_in(first).get_by_text(places[0]).first.wait_for()
    view_in(first).get_by_role("button", name="Run again").first.click()
    (event,) = agents[0].told("_ui_wait", timeoutSeconds=SLOW_S)["events"]
    assert event["arguments"]["city"] == places[0]
    assert agents[1].told("_ui_wait", timeoutSeconds=0) == {"events": []}
    tokens = [each["value"] for each in person.cookies()]
    for (page, requests), own, strange in zip(shown, places, reversed(places), strict=True):
        frames = "\n".join(frame.content() for frame in page.frames)
        told = answers_to_program(page, person)
        assert own in frames
        assert own in told
        for text in (frames, told, "\n".join(requests)):
            assert strange not in text
            assert not [token for token in tokens if token in text]
    for agent, strange in zip(agents, reversed(places), strict=True):
        assert strange not in agent.host.log_text() + str(list(agent.host.lines))


ATTACK = """<!DOCTYPE html><title>waiting</title>
<form method=post enctype=text/plain target=frame><input name='{"kind":"forged","x":"' value='"}'></form>
<iframe name=frame></iframe><script>
const at = "TARGET", told = JSON.stringify({ kind: "forged" });
const send = (path, more) => fetch(at + path, { credentials: "include", ...more }).then((answer) => answer.type, () => "refused");
const post = { method: "POST", body: told };
const loaded = (made, path) => new Promise((done) => {
  made.onload = made.onerror = done;
  made.src = at + path;
  document.body.append(made);
});
(async () => {
  document.forms[0].action = at + "/api/happened";
  const sent = new Promise((done) => { document.querySelector("iframe").onload = done; });
  document.forms[0].submit();
  const answers = await Promise.all([
    send("/api/happened", { ...post, mode: "no-cors" }),
    send("/api/happened", { ...post, headers: { "content-type": "application/json", "x-preview-token": "cookie" } }),
    send("/wait?timeout=0"), send("/api/session"),
    loaded(document.createElement("script"), "/wait?timeout=0"),
    loaded(new Image(), "/wait?timeout=0"),
    loaded(document.createElement("iframe"), "/"),
  ]);
  await sent;
  document.title = answers.slice(0, 4).join();
})();
</script>"""


@pytest.fixture
def evil_server():
    """Serve a page that attacks an address on a port of its own; yield the port."""

    class Evil(BaseHTTPRequestHandler):
        def do_GET(self):
            page = ATTACK.replace("TARGET", self.path.partition("?at=")[2]).encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Evil) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"], ids=["same site", "cross site"])
def test_a_page_of_another_server_neither_forges_nor_takes_an_event(start_agent, person, evil_server, name):
    agent = start_agent("--llm", "none")
    page, _ = forecast_page(agent, person, "Oslo")
    origin = page.url.partition("/#")[0]
    view_in(page).get_by_role("button", name="Run again").first.click()
    page.wait_for_function("async () => (await (await fetch('/state')).json()).waiting === 1")
    evil = person.new_page()
    refused = []
    evil.on("response", lambda response: response.url.startswith(origin) and refused.append(response.status))
    evil.goto(f"http://{name}:{evil_server}/?at={origin}")
    evil.wait_for_function("document.title !== 'waiting'")
    assert evil.title() == "refused,refused,refused,refused"
    assert set(refused) == {403}
    events = agent.told("_ui_wait", timeoutSeconds=0)["events"]
    assert [each["kind"] for each in events] == ["called"]
