"""``mcp-gen-ui doctor``."""

import json
import os
import sys
from pathlib import Path

import pytest

from genui_cli.subcommands.doctor_checks import CHECKED_ON, VIEW_SUPPORT, host_findings

from .test_inspect import SERVER

SANDBOX = "views in a strict sandbox"
HOSTS = [f"host {title}" for title in VIEW_SUPPORT]
PARTS = ["configuration", "model", "prompts", "checks of views", "cache", "upstream", SANDBOX, *HOSTS]


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
    """Skip the check in a browser, which tests/system tests."""
    monkeypatch.setattr("genui_cli.subcommands.doctor_checks.find_browser", lambda _environment: None)


def findings(result):
    return {each["part"]: each for each in json.loads(result[1])["checks"]}


def test_doctor_reports_every_part_that_works(command):
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
        (("--llm", "replay:nowhere"), {}, "model", "nowhere cannot be replayed: there is no such folder"),
        (
            (),
            {"llm": {"provider": "ollama", "model": "x", "baseUrl": "http://me:hunter22@127.0.0.1:9"}},
            "model",
            "Ollama at 127.0.0.1:9 does not answer",
        ),
        (("--llm", "none"), {"generation": {"timeoutMs": 1}}, "configuration", "timeoutMs is 1"),
        (("--llm", "none"), {"generation": {"promptsDirectory": "nowhere"}}, "prompts", "no such folder"),
        (
            ("--llm", "none"),
            {"cache": {"type": "filesystem", "directory": "/proc/no"}},
            "cache",
            "/proc/no cannot be written",
        ),
    ],
)
def test_doctor_reports_what_does_not_work_at_its_part(command, words, content, part, said):
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


@pytest.mark.skipif(sys.platform == "win32", reason="a file has no such mode there")
def test_a_secret_that_others_can_read_is_named_by_every_command(command, tmp_path):
    secret = tmp_path / "home" / ".local" / "share" / "mcp-gen-ui" / "view-secret"
    if sys.platform == "darwin":
        secret = tmp_path / "home" / "Library" / "Application Support" / "mcp-gen-ui" / "view-secret"
    secret.parent.mkdir(parents=True)
    secret.write_bytes(b"s" * 32)
    secret.chmod(0o644)
    Path("mcp-gen-ui.json").write_text('{"cache": {"type": "filesystem"}}')
    said = f"{secret} cannot be used: others can read it; remove it to have a new one made"
    assert said == findings(command("doctor", "--json", "--llm", "none", "--no-browser"))["cache"]["message"]
    assert command("cache", "list")[2].splitlines()[0] == f"mcp-gen-ui: {said}"


def test_doctor_without_an_upstream_reports_no_fault(command):
    code, out, _ = command("doctor", "--llm", "none")
    assert code == 0
    assert "ok  upstream: none is named" in out
    assert "ok  model: none (it was named)" in out
    assert f"ok  {SANDBOX}: not shown: no browser was found" in out


def of_hosts():
    return {each.part: each for each in host_findings(os.environ)}


def test_doctor_prints_the_features_of_each_known_host_with_the_day_of_the_check(command):
    told = [each.result for each in of_hosts().values()]
    assert [each.count(f"(as of {CHECKED_ON})") for each in told] == [1] * len(VIEW_SUPPORT)


def cursor(servers):
    file = Path("../home/.cursor/mcp.json")
    file.parent.mkdir(parents=True)
    file.write_text(servers if isinstance(servers, str) else json.dumps({"mcpServers": servers}))


@pytest.mark.parametrize("host", ["Cursor", "Goose"])
def test_doctor_counts_wrapped_servers_in_a_hosts_file(command, host):
    command("install", host.lower(), "--name", "mine", "--", sys.executable, "server.py")
    found = of_hosts()[f"host {host}"]
    assert found.error is None
    assert "lists 1 server, mine through mcp-gen-ui" in found.result


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
def test_doctor_reports_why_a_host_cannot_start_the_wrapper(command, servers, said):
    cursor(servers)
    found = of_hosts()["host Cursor"]
    assert found.error is not None
    assert said in str(found.result)


def test_doctor_does_not_check_servers_without_the_wrapper(command):
    cursor({"a": {"command": "no-such-program"}, "b": {"url": "https://example.org/mcp"}, "c": 1})
    found = of_hosts()["host Cursor"]
    assert found.error is None
    assert "none through mcp-gen-ui" in found.result


CRASHING = """
import sys
print("loading \\x1b[31mred", file=sys.stderr)
print("no key: sk-abcdefghijklmnopqrstuvwx", file=sys.stderr)
raise SystemExit(3)
"""


def test_the_doctor_tells_the_last_words_of_an_upstream_and_what_to_do(command):
    Path("server.py").write_text(CRASHING)
    words = ("doctor", "--llm", "none", "--no-browser", "--", sys.executable, "server.py")
    code, out, err = command(*words)
    lines = out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("BAD upstream: "))
    assert code == 1
    assert lines[at].endswith("it ended with exit code 3 before it answered")
    assert lines[at + 1 : at + 4] == [
        "    its last words:",
        "      loading \\x1b[31mred",
        "      no key: [hidden]",
    ]
    assert lines[at + 4].startswith(f"    hint: run it by itself: {sys.executable} server.py;")
    assert err == ""
    found = findings(command("--json", *words))
    assert found["upstream"]["lastWords"][1] == "no key: [hidden]"


@pytest.mark.parametrize(
    ("words", "content"),
    [
        (("--llm", "none", "--", "no-such-program-here"), {}),
        (("--llm", "openai"), {}),
        (("--llm", "antropic"), {}),
        (("--llm", "replay"), {}),
        (("--llm", "none"), {"generation": {"timeoutMs": 1}}),
        (("--llm", "none"), {"generation": {"promptsDirectory": "nowhere"}}),
        (("--llm", "none"), {"cache": {"type": "redis", "url": "redis://127.0.0.1:9/0"}}),
        (("--llm", "none"), {"cache": {"type": "redis", "url": "mcp-gen-ui.json"}}),
        (("--llm", "none"), {"cache": {"type": "filesystem", "directory": "mcp-gen-ui.json/x"}}),
    ],
)
def test_the_doctor_has_a_hint_for_everything_that_does_not_work(command, monkeypatch, words, content):
    async def sound(_checks):
        return "a sound view is accepted"

    monkeypatch.setattr(
        "genui_cli.subcommands.doctor_checks.Checks._validate", sound
    )  # a process for each case takes long
    cursor("{")
    Path("mcp-gen-ui.json").write_text(json.dumps(content))
    found = findings(command("doctor", "--json", "--no-browser", *words))
    bad = [each for each in found.values() if not each["ok"]]
    assert len(bad) > 1
    assert [each["part"] for each in bad if not each["hint"] or "there is none" in each["hint"]] == []
