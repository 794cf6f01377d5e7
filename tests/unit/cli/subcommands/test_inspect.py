"""``mcp-gen-ui inspect``."""

import json
import os
import sys
from pathlib import Path

import anyio
import pytest
from attrs import evolve

from genui_adapters.compose import store_from
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_store import a_view

SERVER = """
import json, sys
TOOLS = [
    {"name": "list\\x1b[31m", "description": "Lists", "inputSchema": {"type": "object"},
     "outputSchema": {"type": "object", "properties": {"rows": {"type": "array"}}}},
    {"name": "wipe", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": True},
     "outputSchema": {"type": "object", "properties": {"gone": {"type": "boolean"}}}},
    {"name": "left", "inputSchema": {"type": "object"}},
    {"name": "said", "inputSchema": {"type": "object"}},
    {"name": "own", "inputSchema": {"type": "object"}, "_meta": {"ui": {"resourceUri": "ui://own/x"}}},
]
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    if message["method"] == "tools/call":
        raise SystemExit("a tool was called")
    if message["method"] == "tools/list":
        second = message.get("params", {}).get("cursor") == "2"
        result = {"tools": TOOLS[2:]} if second else {"tools": TOOLS[:2], "nextCursor": "2"}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def inspect(command):
    Path("server.py").write_text(SERVER)
    Path("mcp-gen-ui.json").write_text(
        json.dumps(
            {
                "upstream": {"command": sys.executable, "args": ["server.py"]},
                "generation": {
                    "enabledTools": ["list\x1b[31m", "wipe", "said", "own"],
                    "uiType": {"said": "minimal"},
                },
            }
        )
    )
    return lambda *words: command("inspect", *words)


def test_every_tool_is_listed_with_its_kind_of_view(inspect):
    code, out, _ = inspect("--json")
    kinds = {each["name"]: each["uiType"] for each in json.loads(out)}
    assert code == 0
    assert kinds == {
        "list\x1b[31m": "rich",
        "wipe": "minimal",
        "left": "none",
        "said": "minimal",
        "own": "own",
    }


def test_terminal_escapes_of_an_upstream_are_not_printed(inspect):
    code, out, err = inspect()
    assert code == 0
    assert "\x1b" not in out
    assert "5 tools" in err


def test_one_tool_is_shown_with_its_schemas(inspect):
    code, out, _ = inspect("--tool", "wipe")
    assert code == 0
    assert "wipe: minimal" in out
    assert "inputSchema:" in out
    assert inspect("--tool", "nothing")[0] == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--", "no-such-program-here"), 4),
        (("--", sys.executable, "-c", ""), 4),
        (("--upstream", "http://127.0.0.1:9/mcp"), 4),
    ],
)
def test_a_missing_upstream_is_an_error(inspect, words, expected):
    code, out, err = inspect(*words)
    assert (code, out) == (expected, "")
    assert "Traceback" not in err


def test_inspect_without_an_upstream_is_an_error(command):
    code, _, err = command("inspect")
    assert code == 2
    assert "no upstream MCP server was given" in err


@pytest.mark.parametrize(
    ("words", "variables", "said"),
    [
        (("--llm", "none"), {}, "every tool gets the minimal view, without a model (it was named)"),
        (("--llm", "anthropic:m"), {"ANTHROPIC_API_KEY": "k" * 20}, "anthropic m (it was named) would write"),
        (("--llm", "openai"), {}, "OPENAI_API_KEY"),
        (("--model", "m"), {"OPENAI_API_KEY": "k" * 20}, "openai m (OPENAI_API_KEY is set)"),
    ],
)
def test_inspect_names_the_model_that_would_write_the_views(inspect, monkeypatch, words, variables, said):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code, out, err = inspect(*words)
    assert code == 0
    assert said in err
    assert said not in out
    assert said not in inspect("-q", *words)[2]


def test_the_provider_of_inspect_is_the_one_typed_and_not_the_one_configured(inspect, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k" * 20)
    file = json.loads(Path("mcp-gen-ui.json").read_text())
    Path("mcp-gen-ui.json").write_text(json.dumps(file | {"llm": {"provider": "anthropic", "model": "m"}}))
    assert "anthropic m (" in inspect()[2]
    assert "without a model (it was named)" in inspect("--llm", "none")[2]
    assert "anthropic other (it was named)" in inspect("--llm", "anthropic:other")[2]


def test_inspect_refuses_a_provider_that_there_is_not(inspect):
    code, out, err = inspect("--llm", "antropic")
    assert (code, out) == (2, "")
    assert "Did you mean 'anthropic'?" in err


LONG_NAME = "n" * 5_000


def test_a_long_name_is_cut_in_what_a_person_reads_and_whole_in_json(inspect):
    Path("server.py").write_text(SERVER.replace("left", LONG_NAME))
    for words in ((), ("--tool", LONG_NAME)):
        code, out, err = inspect(*words)
        assert code == 0
        assert "nnn…" in out
        assert max(map(len, (out + err).splitlines())) < 400
    assert LONG_NAME in {each["name"] for each in json.loads(inspect("--json")[1])}


def test_an_error_that_quotes_a_long_name_is_short(inspect):
    code, _, err = inspect("--tool", LONG_NAME)
    assert code == 2
    assert "nnn…" in err
    assert max(map(len, err.splitlines())) < 1_000


def test_stored_views_are_counted_if_they_were_made_for_the_definition(inspect):
    configured = json.loads(Path("mcp-gen-ui.json").read_text())
    cache = {"type": "filesystem", "directory": "views"}
    Path("mcp-gen-ui.json").write_text(json.dumps({**configured, "cache": cache}))
    wipe = next(each for each in json.loads(inspect("--json")[1]) if each["name"] == "wipe")
    store = store_from(Settings(cache=CacheSettings(type="filesystem", directory="views")), os.environ)
    for key, tool in (("a" * 64, Tool(wipe["definition"])), ("b" * 64, Tool({"name": "wipe"}))):
        anyio.run(store.set, evolve(a_view(key=key, tool_name="wipe"), context={"toolHash": tool.hash}))
    counted = {each["name"]: each["cachedViews"] for each in json.loads(inspect("--json")[1])}
    assert {name for name, count in counted.items() if count} == {"wipe"}
    assert counted["wipe"] == 1


def test_a_tool_whose_definition_has_no_hash_has_no_stored_views(inspect):
    configured = json.loads(Path("mcp-gen-ui.json").read_text())
    cache = {"type": "filesystem", "directory": "views"}
    Path("mcp-gen-ui.json").write_text(json.dumps({**configured, "cache": cache}))
    nested = "DEEP = {}\nfor _ in range(400):\n    DEEP = {'properties': {'a': DEEP}}\n"
    Path("server.py").write_text(
        nested + SERVER.replace('"said", "inputSchema": {', '"said", "inputSchema": {**DEEP, ')
    )
    store = store_from(Settings(cache=CacheSettings(type="filesystem", directory="views")), os.environ)
    anyio.run(store.set, a_view(key="a" * 64, tool_name="said"))
    code, out, err = inspect("--json")
    assert code == 0, err
    assert {each["cachedViews"] for each in json.loads(out)} == {0}
