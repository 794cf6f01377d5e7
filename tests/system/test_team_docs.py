"""The configuration in docs/team.md works as written, and its requests get the answers on the page."""

import json
import re
import shlex

import pytest

from genui_adapters.telemetry.tally import DURATION, IN_FLIGHT, MEASURES

from .made_views import HERE
from .test_serve import SERVE, Served

UPSTREAM = HERE.parent / "contract" / "scripted_upstream.py"


@pytest.fixture(scope="module")
def page(repository):
    return (repository / "docs" / "team.md").read_text(encoding="utf-8")


def blocks(page, mark):
    return re.findall(rf"<!-- {re.escape(mark)} -->\n```\w+\n(.*?)```", page, re.DOTALL)


@pytest.fixture
def served(open_host, tmp_path, environment, redis_process, page):
    """A wrapper with the configuration of the page, but with a free port and the store of the tests."""
    file = tmp_path / "team.json"
    file.write_text(blocks(page, "file: team.json")[0])
    told = {**environment, "MCP_GEN_UI_TOKEN": "a-long-random-word", "ANTHROPIC_API_KEY": "sk-ant-none"}
    words = (*SERVE, "--config", file, "--", SERVE[0], UPSTREAM)
    return Served(open_host(*words, env={**told, "VIEWS_AT": redis_process.url}, cwd=tmp_path))


def answers(served, block):
    for line in block.strip().splitlines():
        _, *words = shlex.split(line)
        headers = dict(word.split(": ", 1) for word in words if ": " in word)
        yield served.ask("GET", re.sub(r"^http://[^/]*", "", words[-1]), headers)


def test_the_configuration_of_the_page_is_served_and_answers_as_the_page_says(served, page):
    served.until_ready_as({"host": "mcp.example.org"})
    questions, numbers = blocks(page, "asked")
    assert [text for _, _, text in answers(served, questions)] == blocks(page, "answered")[0].split()
    ((status, _, text),) = answers(served, numbers)
    assert status == 200
    named = {*re.findall(r"`(mcp_gen_ui_\w+)`", page)}
    assert named == {DURATION, IN_FLIGHT, *(f"{each.name}_total" for each in MEASURES)}
    assert all(f"\n# HELP {name} " in f"\n{text}" for name in named)
    assert served.ask("GET", "/metrics", {"host": "mcp.example.org"})[0] == 401
    assert served.ask("GET", "/healthz")[0] == 421
    served.process.child.terminate()
    served.process.wait()
    assert "a-long-random-word" not in served.process.log_text()
    assert all(json.loads(line) for line in served.process.log if line.startswith(b"{"))


def test_the_program_of_the_page_runs(page):
    (program,) = blocks(page, "run")
    names = {}
    exec(program, names)  # noqa: S102 -- it is ours
    assert names["wrapper"].event_log
