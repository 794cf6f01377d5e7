"""``mcp-gen-ui doctor``."""

import json
import os
import sys
from pathlib import Path

import pytest

from genui_cli.checkups.host_facts import CHECKED_ON, HOST_FACTS
from genui_cli.checkups.host_files import host_findings

from .test_inspect import SERVER

SANDBOX = "views in a strict sandbox"
HOSTS = [f"host {facts.title}" for facts in HOST_FACTS.values()]
PARTS = ["configuration", "model", "prompts", "checks of views", "cache", "upstream", SANDBOX, *HOSTS]


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    """What is shown in a browser is tried in tests/system."""
    monkeypatch.setattr("genui_cli.checkup.find_browser", lambda _environment: None)


def findings(result):
    return {each["part"]: each for each in json.loads(result[1])["checks"]}


def test_where_all_is_well_that_is_said_of_every_part(command):
    Path("server.py").write_text(SERVER)
    result = command("doctor", "--json", "--llm", "none", "--", sys.executable, "server.py")
    found = findings(result)
    assert [*found] == PARTS
    assert all(each["ok"] for each in found.values())
    assert result[0] == 0
    assert found["upstream"]["message"] == "it answers, and has 5 tools"
    assert json.loads(result[1])["versions"]["python"]


@pytest.mark.parametrize(
    ("words", "content", "part", "said"),
    [
        (("--llm", "none", "--", "no-such-program-here"), {}, "upstream", "no-such-program-here"),
        (("--llm", "openai"), {}, "model", "OPENAI_API_KEY"),
        (("--llm", "none"), {"generation": {"timeoutMs": 1}}, "configuration", "timeoutMs is 1"),
        (("--llm", "none"), {"generation": {"promptsDirectory": "nowhere"}}, "prompts", "no such folder"),
        (("--llm", "none"), {"cache": {"type": "filesystem", "directory": "/proc/no"}}, "cache", "/proc"),
    ],
)
def test_what_does_not_work_is_said_of_its_part(command, words, content, part, said):
    if part == "cache" and sys.platform != "linux":
        pytest.skip("there is no /proc")
    Path("mcp-gen-ui.json").write_text(json.dumps(content))
    at = words.index("--") if "--" in words else len(words)
    result = command("doctor", "--json", *words[:at], *words[at:])
    found = findings(result)
    assert result[0] == 1
    assert not found[part]["ok"]
    assert said in found[part]["message"]
    code, out, _ = command("doctor", *words)
    assert code == 1
    assert f"BAD {part}: " in out


def test_without_a_server_that_is_no_fault(command):
    code, out, _ = command("doctor", "--llm", "none")
    assert code == 0
    assert "ok  upstream: none was named" in out
    assert "ok  model: none (it was named)" in out
    assert f"ok  {SANDBOX}: not shown: no browser was found" in out


def of_hosts():
    return {each.part: each for each in host_findings(os.environ)}


def test_what_each_known_host_shows_is_told_with_the_day_it_was_looked_at(command):
    told = [each.told for each in of_hosts().values()]
    assert [each.count(f"(as of {CHECKED_ON})") for each in told] == [1] * len(HOST_FACTS)


def cursor(servers):
    file = Path("../home/.cursor/mcp.json")
    file.parent.mkdir(parents=True)
    file.write_text(servers if isinstance(servers, str) else json.dumps({"mcpServers": servers}))


@pytest.mark.parametrize("host", ["Cursor", "Goose"])
def test_a_hosts_file_with_us_in_it_is_counted(command, host):
    command("install", host.lower(), "--name", "mine", "--", sys.executable, "server.py")
    found = of_hosts()[f"host {host}"]
    assert found.works
    assert "lists 1 servers, mine through us" in found.told


@pytest.mark.parametrize(
    ("servers", "said"),
    [
        ({"a": {"command": "/no/mcp-gen-ui", "args": ["--", sys.executable]}}, "'/no/mcp-gen-ui'"),
        (
            {"a": {"command": sys.executable, "args": ["-m", "genui_cli", "--", "no-such-server"]}},
            "'no-such-server'",
        ),
        ("{", "mcp.json"),
        ("[]", "not a JSON object"),
    ],
)
def test_what_keeps_a_host_from_starting_us_is_said(command, servers, said):
    cursor(servers)
    found = of_hosts()["host Cursor"]
    assert not found.works
    assert said in found.told


def test_servers_that_do_not_go_through_us_are_not_ours_to_judge(command):
    cursor({"a": {"command": "no-such-program"}, "b": {"url": "https://example.org/mcp"}, "c": 1})
    found = of_hosts()["host Cursor"]
    assert found.works
    assert "none of them through us" in found.told
