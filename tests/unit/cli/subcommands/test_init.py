"""``mcp-gen-ui init``: real servers in Python and for Node.js are found, tried and stopped."""

import json
import shutil
import sys
from pathlib import Path

import pytest

PYTHON = """

import json, sys
def main():
    for line in sys.stdin:
        message = json.loads(line)
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
        if message["method"] == "tools/list":
            result = {"tools": [{"name": "one", "inputSchema": {"type": "object"}}]}
        if "id" in message:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
if __name__ == "__main__":
    main()
"""
NODE = """
require("readline").createInterface({input: process.stdin}).on("line", line => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  const result = message.method === "tools/list"
    ? {tools: [{name: "a", inputSchema: {type: "object"}}, {name: "b", inputSchema: {type: "object"}}]}
    : {protocolVersion: "2025-06-18", capabilities: {tools: {}}, serverInfo: {name: "n", version: "1"}};
  console.log(JSON.stringify({jsonrpc: "2.0", id: message.id, result}));
});
"""


@pytest.fixture
def found(command):
    """Write files, run init for a program, and return its output."""

    def run(**files):
        for name, content in files.items():
            lay(name, content)
        code, out, err = command("init", "--yes", "--json", "--timeout", "60")
        assert code == 0, err
        return json.loads(out)["candidates"]

    return run


def lay(name, content):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))


def test_a_script_of_pyproject_is_found_and_runs_from_its_sources(found):
    script = '[project]\nname = "x"\n[project.scripts]\nserve-x = "books.server:main"\n'
    (one,) = found(**{"pyproject.toml": script, "src/books/server.py": PYTHON})
    assert (one["source"], one["tools"]) == ("pyproject.toml, scripts.serve-x", ["one"])
    assert " --name serve-x --cwd . -- " in one["next"]["install"]


def test_a_python_file_that_starts_a_server_of_the_sdk_is_found(found, monkeypatch):
    text = "from mcp.server import MCPServer\nserver = MCPServer('b')\n@server.tool()\ndef a() -> str:\n    return ''\nserver.run()\n"
    monkeypatch.setattr(shutil, "which", lambda *_words, **_named: None)
    (one,) = found(**{"books.py": text, "test_books.py": text, "tests/other.py": text})
    assert (one["source"], one["tools"]) == ("books.py", ["a"])


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_a_program_of_package_json_is_found_once(found):
    package = {"name": "@me/clock", "bin": {"n": "s.js"}, "main": "s.js"}
    (one,) = found(**{"package.json": package, "s.js": NODE})
    assert (one["source"], one["tools"]) == ("package.json, bin.n", ["a", "b"])
    assert one["next"]["preview"] == "mcp-gen-ui preview -- node s.js"
    assert one["next"]["install"].endswith(" --name clock --cwd . -- node s.js")


@pytest.mark.parametrize(
    ("file", "key", "host"),
    [
        (".mcp.json", "mcpServers", "claude-code"),
        (".cursor/mcp.json", "mcpServers", "cursor"),
        (".vscode/mcp.json", "servers", "vscode"),
    ],
)
def test_a_server_that_a_host_lists_is_wrapped_in_place(found, file, key, host):
    entry = {"command": sys.executable, "args": ["server.py"], "env": {"A": "b"}}
    (one,) = found(**{file: {key: {"mine": entry}}, "server.py": PYTHON})
    assert one["tools"] == ["one"]
    assert one["next"]["install"] == f"mcp-gen-ui install {host} --wrap mine"


def test_a_step_that_would_hide_a_secret_is_left_to_init(found):
    entry = {"command": sys.executable, "args": ["server.py"], "env": {"API_KEY": "sk-123456"}}
    (one,) = found(**{".mcp.json": {"mcpServers": {"mine": entry}}, "server.py": PYTHON})
    assert one["next"] == {
        "preview": "mcp-gen-ui init --preview",
        "install": "mcp-gen-ui install claude-code --wrap mine",
    }


@pytest.mark.parametrize(
    ("files", "hint"),
    [
        ({"pyproject.toml": '[project.scripts]\ns = "s:main"\n', "s.py": "import not_installed"}, "uv sync"),
        pytest.param(
            {"package.json": {"main": "s.js"}, "s.js": "require('./dist/index.js')"},
            "npm run build",
            marks=pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed"),
        ),
        pytest.param(
            {"package.json": {"scripts": {"start": "not-installed s.ts"}}},
            "npm install",
            marks=pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not installed"),
        ),
    ],
)
def test_init_has_a_hint_for_a_project_that_is_not_installed_or_built(command, files, hint):
    for name, content in files.items():
        lay(name, content)
    code, _, err = command("init", "--yes")
    assert code == 4
    assert "hint: install what the server needs" in err
    assert hint in err


def test_a_command_that_fails_is_listed_beside_one_that_works(found):
    servers = {
        "bad": {"command": sys.executable, "args": ["missing.py"]},
        "good": {"command": sys.executable, "args": ["server.py"]},
    }
    bad, good = found(**{".mcp.json": {"mcpServers": servers}, "server.py": PYTHON})
    assert bad["tools"] is None
    assert "exit code 2" in bad["error"]
    assert good["tools"] == ["one"]


def test_an_empty_folder_is_an_error_that_names_it_and_what_was_looked_for(command):
    code, _, err = command("init", "--yes")
    assert code == 2
    assert str(Path.cwd()) in err
    assert all(name in err for name in ("pyproject.toml", "package.json", ".mcp.json"))


def test_nothing_starts_without_a_terminal_and_without_yes(command):
    lay(".mcp.json", {"mcpServers": {"mine": {"command": sys.executable, "args": ["server.py"]}}})
    lay("server.py", "open('started', 'w')")
    code, _, err = command("init")
    assert code == 2
    assert "--yes" in err
    assert not Path("started").exists()


@pytest.mark.parametrize(("typed", "expected"), [("n\n", 130), ("", 130), ("y\n", 0), ("\n", 0)])
def test_a_person_is_asked_before_a_command_starts(command, typed, expected):
    lay(".mcp.json", {"mcpServers": {"mine": {"command": sys.executable, "args": ["server.py"]}}})
    lay("server.py", f"open('started', 'w')\n{PYTHON}")
    code, _, err = command("init", typed=typed)
    assert code == expected, err
    assert "found .mcp.json" in err
    assert Path("started").exists() == (expected == 0)


@pytest.mark.parametrize(("typed", "expected"), [("y\nn\n", 130), ("y\ny\n", 0)])
def test_a_person_is_asked_before_the_list_of_a_host_changes(command, tmp_path, typed, expected):
    lay(".mcp.json", {"mcpServers": {"mine": {"command": sys.executable, "args": ["server.py"]}}})
    lay("server.py", PYTHON)
    assert command("init", "--install", "cursor", typed=typed)[0] == expected
    assert (tmp_path / "home" / ".cursor" / "mcp.json").exists() == (expected == 0)


def test_commands_that_all_fail_are_an_error_with_the_last_words_of_the_first(command):
    lay(".mcp.json", {"mcpServers": {"mine": {"command": sys.executable, "args": ["server.py"]}}})
    lay("server.py", "raise SystemExit('no database')")
    code, _, err = command("init", "--yes")
    assert code == 4
    assert str(Path.cwd()) in err
    assert "no database" in err


def test_a_file_that_is_not_json_is_an_error_that_names_it(command):
    lay("package.json", "{")
    code, _, err = command("init", "--yes")
    assert code == 2
    assert "package.json cannot be read" in err


def test_install_goes_on_to_the_hosts_list_and_no_other_file_changes(command, tmp_path):
    lay(".mcp.json", {"mcpServers": {"mine": {"command": sys.executable, "args": ["server.py"]}}})
    lay("server.py", PYTHON)
    before = {path: path.read_text() for path in Path().rglob("*") if path.is_file()}
    code, _, err = command("init", "--yes", "--install", "cursor")
    assert code == 0
    assert "this changes the list of servers of cursor" in err
    listed = json.loads((tmp_path / "home" / ".cursor" / "mcp.json").read_text())
    assert [*listed["mcpServers"]] == ["mine"]
    assert {path: path.read_text() for path in Path().rglob("*") if path.is_file()} == before
