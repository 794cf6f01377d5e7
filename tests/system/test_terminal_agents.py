"""The commands and the session in docs/how-to/terminal-agents.md work as written."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from genui_core.domain.tools.wrapper_tools import NAMES

from .executed_page import Shell, Step
from .test_companion import Agent, view_in

SPOKEN = re.compile(r"^(agent|answer|person) +(.*(?:\n {10}.*)*)", re.MULTILINE)
ASKED = re.compile(r"(opens the address)|(sees|presses) \"([^\"]+)\"")


@pytest.fixture(scope="module")
def text(repository):
    return (repository / "docs" / "how-to" / "terminal-agents.md").read_text(encoding="utf-8")


def blocks(text, mark):
    """Return the blocks of a page under a mark."""
    return re.findall(rf"<!-- {mark} -->\n```\w+\n(.*?)```", text, re.DOTALL)


def added_by_claude(text):
    """Return the command line after ``claude mcp add NAME --``, with which Claude Code starts the server."""
    ((words),) = re.findall(r"^claude mcp add \S+ -- (.+)$", text, re.MULTILINE)
    return shlex.split(words)


@pytest.fixture
def place(repository, tmp_path, environment):
    """A folder with the weather server, and the environment of a person who has the command."""
    shutil.copy(repository / "examples" / "weather-server" / "weather_server.py", tmp_path)
    path = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    return {"cwd": tmp_path, "env": {**environment, "PATH": path, "HOME": str(tmp_path), "BROWSER": "none"}}


@pytest.fixture
def tab(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


class Session:
    """Performs the session of the page line by line: an agent's calls, their answers, a person's actions."""

    def __init__(self, agent, tab):
        self.agent, self.tab = agent, tab
        self.shown, self.result = 0, None

    def hold(self, block):
        for who, words in SPOKEN.findall(block):
            getattr(self, f"_{who}")(re.sub(r"\n +", " ", words))

    def _agent(self, words):
        name, _, arguments = words.partition(" ")
        self.result = self.agent.call(name, **json.loads(arguments))
        assert not self.result.get("isError"), self.result
        self.shown += name not in {"_ui_open", "_ui_wait"}

    def _answer(self, words):
        told = self.result["structuredContent"]
        assert holds(told, json.loads(words)), told

    def _person(self, words):
        assert ASKED.sub("", words).strip(" ,") == "", words
        for opens, verb, what in ASKED.findall(words):
            if opens:
                self.tab.goto(self.result["structuredContent"]["address"])
                continue
            self.tab.wait_for_url(f"**/#call={self.shown}")
            view = view_in(self.tab)
            if verb == "sees":
                view.get_by_text(what).first.wait_for()
            else:
                view.get_by_role("button", name=what, exact=True).first.click()


def holds(told, shown):
    """Return whether an answer has the parts that a page shows; ``…`` in a text stands for anything."""
    if isinstance(shown, dict):
        return all(key in told and holds(told[key], value) for key, value in shown.items())
    if isinstance(shown, list):
        return len(told) == len(shown) and all(map(holds, told, shown))
    if isinstance(shown, str):
        return re.fullmatch(".+".join(map(re.escape, shown.split("…"))), told) is not None
    return told == shown


def test_the_session_of_the_page_runs_as_written_and_a_script_waits_for_events(text, open_host, place, tab):
    agent = Agent(open_host(*added_by_claude(text), **place))
    listed = [each["name"] for each in agent.tools()]
    assert listed[-3:] == re.findall(r"^\| `(_ui_\w+)` \|", text, re.MULTILINE)
    session = Session(agent, tab)
    for block in blocks(text, "session"):
        session.hold(block)
    assert json.loads(*re.findall(r"the answer is `(\{.*?\})`", text)) == agent.told(
        "_ui_wait", timeoutSeconds=0
    )
    view_in(tab).get_by_role("button", name="Run again").first.click()
    tab.wait_for_function("async () => (await (await fetch('/state')).json()).waiting === 1")
    (script,) = blocks(text, "script")
    addressed = {**place["env"], "ADDRESS": agent.told("_ui_open")["address"]}
    printed = subprocess.run(
        ["sh", "-e", "-c", script], capture_output=True, check=True, cwd=place["cwd"], env=addressed
    ).stdout
    (event,) = json.loads(printed)
    assert (event["kind"], event["arguments"]["city"]) == ("called", "Oslo")
    again = re.sub(r"timeout=\d+\" #", 'timeout=0" -w "%{http_code}" #', script.splitlines()[1])
    asked = subprocess.run(
        ["sh", "-c", again], capture_output=True, check=True, cwd=place["cwd"], env=addressed
    )
    assert asked.stdout.decode() in text
    assert asked.stdout == b"204"


def test_the_installation_on_the_page_starts_the_server_and_teaches_the_agent(text, open_host, place):
    shell = Shell(place["cwd"], place["env"])
    (command,) = blocks(text, "run")
    shell.do(Step("run", command))
    (entry,) = json.loads((place["cwd"] / ".mcp.json").read_text())["mcpServers"].values()
    agent = Agent(open_host(entry["command"], *entry["args"], **place))
    names = [each["name"] for each in agent.tools()]
    (skill,) = place["cwd"].glob(".claude/skills/*/SKILL.md")
    assert {*re.findall(r"`(_ui_\w+)`", skill.read_text())} == {*names[-3:]}
    undone = re.sub(r" -- .*", " --undo", command)
    shell.do(Step("run", undone))
    assert not skill.exists()


CALLS = (
    ("get_current_weather", {"city": "Oslo"}),
    ("get_current_weather", {"city": "Atlantis"}),
    ("get_forecast", {"city": "Lima"}),
)


@pytest.fixture
def opened(open_host, text, place):
    """Start the page's server, direct or with a ``companion.mode``, for a host with or without MCP Apps."""
    (words,) = re.findall(r"^claude mcp add .* mcp-gen-ui -- (.+)$", text, re.MULTILINE)

    def start(mode=None, capabilities=None):
        settings = place["cwd"] / f"{mode}.json"
        settings.write_text(json.dumps({"companion": {"mode": mode}}))
        wrapper = ("mcp-gen-ui", "--config", settings, "--") if mode else ()
        host = open_host(*wrapper, *shlex.split(words), **place)
        host.connect(capabilities)
        return host

    return start


def answer_lines(host, *calls, round_=1):
    """Make calls one after the other and return the bytes of each answer; each round uses new ids."""
    lines = []
    for number, (name, arguments) in enumerate(calls):
        host.send("tools/call", {"name": name, "arguments": arguments}, id=f"{round_}.{number}")
        lines.append(host.answer_line(f"{round_}.{number}"))
    return lines


def names_of_tools(host):
    return [each["name"] for each in host.request("tools/list")["result"]["tools"]]


def called(host, name, **arguments):
    return host.request("tools/call", {"name": name, "arguments": arguments})["result"]["structuredContent"]


def test_the_mode_always_gives_a_host_with_apps_the_page_and_the_same_bytes(opened, tab):
    direct, host = opened(), opened("always")
    upstream, both = names_of_tools(direct), names_of_tools(host)
    assert both[: len(upstream)] == upstream
    assert both[-3:] == ["_ui_open", "_ui_wait", "_ui_push"]
    assert {"_ui_refine", "_ui_view"} < {*both}
    assert answer_lines(host, *CALLS[:2]) == answer_lines(direct, *CALLS[:2])
    tab.goto(called(host, "_ui_open")["address"])
    tab.wait_for_url("**/#call=2")
    tab.locator("#calls .badge", has_text="failed").wait_for()
    assert answer_lines(host, *CALLS, round_=2) == answer_lines(direct, *CALLS, round_=2)
    tab.wait_for_url("**/#call=5")
    shown = view_in(tab)
    shown.get_by_text("Lima").first.wait_for()
    shown.get_by_role("button", name="Run again").first.click()
    (event,) = called(host, "_ui_wait")["events"]
    assert (event["tool"], event["arguments"]["city"]) == ("get_forecast", "Lima")
    (content,) = host.request("resources/read", {"uri": "ui://get_forecast"})["result"]["contents"]
    assert content["mimeType"] == "text/html;profile=mcp-app"
    assert called(host, "_ui_inspect", toolName="get_forecast")["uiType"] == "minimal"


def test_the_mode_never_gives_no_host_the_page(opened):
    shows_apps, terminal, direct = opened("never"), opened("never", {}), opened(capabilities={})
    assert [name for name in names_of_tools(shows_apps) if name.startswith("_ui_")] == list(NAMES)
    for host in (terminal, direct):
        host.send("tools/list", {}, id="tools")
    assert terminal.answer_line("tools") == direct.answer_line("tools")
    asked = (*CALLS, ("_ui_open", {}))
    assert answer_lines(terminal, *asked) == answer_lines(shows_apps, *asked) == answer_lines(direct, *asked)
