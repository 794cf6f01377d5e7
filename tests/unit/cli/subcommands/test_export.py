"""``mcp-gen-ui export``, ``--export-dir`` and ``--frozen``: what is wrong ends in one line."""

import json
import sys
from pathlib import Path

import pytest

from genui_cli.configuration.loading import typed_from
from genui_cli.upstream_options import UpstreamOptions, passed_on

SERVER = """
import json, sys
TOOLS = [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {"type": "object"}}]
for line in sys.stdin:
    message = json.loads(line)
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    if message["method"] == "tools/call":
        raise SystemExit("a tool was called")
    if message["method"] == "tools/list":
        result = {"tools": TOOLS}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.fixture
def export(command):
    Path("server.py").write_text(SERVER)
    return lambda *words: command("export", "--llm", "none", *words, "--", sys.executable, "server.py")


def files(folder):
    return {each["tool"] for each in json.loads(Path(folder, "manifest.json").read_text())["views"]}


def test_all_tools_or_one_more(export):
    code, out, err = export()
    assert (code, files("exported-views")) == (0, {"a", "b"})
    assert [line.split()[0] for line in out.splitlines()] == ["tool", "a", "b"]
    assert "--frozen exported-views" in err
    code, out, _ = export("-o", "some", "--tool", "b", "--json")
    assert (code, files("some")) == (0, {"b"})
    assert [each["tool"] for each in json.loads(out)["views"]] == ["b"]
    assert export("--export-dir", "some", "--tool", "a")[0] == 0
    assert files("some") == {"a", "b"}
    assert export("-o", "exported-views", "--frozen", "exported-views")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--tool", "c"), 2, "no tool named 'c'"),
        (("-o", "full"), 2, "full is neither empty nor an export of mcp-gen-ui"),
        (("-o", "server.py"), 2, "server.py: File exists"),
        (("-o", "server.py/under", "--force"), 2, "server.py/under: Not a directory"),
        (("--frozen", "full"), 2, "full holds no export"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line_and_nothing_is_written(export, words, code, said):
    Path("full").mkdir()
    Path("full", "notes.txt").write_text("mine")
    ended, out, err = export(*words)
    assert (ended, out) == (code, "")
    assert said in err.splitlines()[0]
    assert len(err.splitlines()) <= 2
    assert [each.name for each in Path("full").iterdir()] == ["notes.txt"]


def test_a_folder_of_ones_own_is_written_into_where_that_is_forced(export):
    Path("full").mkdir()
    Path("full", "notes.txt").write_text("mine")
    assert export("-o", "full", "--force")[0] == 0
    assert files("full") == {"a", "b"}
    assert Path("full", "notes.txt").read_text() == "mine"


def test_a_server_that_is_not_there_has_the_exit_code_of_that(command):
    code, out, err = command("export", "--llm", "none", "--", "no-such-program")
    assert (code, out) == (4, "")
    assert err.startswith("mcp-gen-ui: ")


def test_frozen_views_and_a_model_do_not_go_together(command):
    code, _, err = command("--frozen", "views", "--llm", "anthropic", "--", "server")
    assert code == 2
    assert "--frozen serves views without a model" in err
    assert typed_from({"frozen": "views", "llm": "none"}).frozen == "views"


def test_the_preview_hands_frozen_views_on():
    assert passed_on(UpstreamOptions(argv=("x",)), {"frozen": "v"}) == ("--frozen", "v", "--", "x")
