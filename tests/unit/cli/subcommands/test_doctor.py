"""``mcp-gen-ui doctor``."""

import json
import sys
from pathlib import Path

import pytest

from .test_inspect import SERVER

PARTS = ["configuration", "model", "prompts", "checks of views", "cache", "upstream"]


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
