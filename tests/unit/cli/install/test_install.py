"""``mcp-gen-ui install`` and ``--undo`` change hosts' files and restore them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from genui_cli.configuration.loading import load
from genui_cli.install.hosts import HOSTS

US = [sys.executable, "-P", "-m", "genui_cli"]
GIT = {"command": "uvx", "args": ["mcp-server-git"], "env": {"TOKEN": "canary"}, "disabled": False}
WEB = {"type": "http", "url": "https://x/mcp", "headers": {"A": "b: c"}}


@pytest.fixture
def cursor(command, tmp_path):
    """A function that runs the command on a host's file with two servers."""
    path = tmp_path / "home" / ".cursor" / "mcp.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"theme": "ä", "mcpServers": {"git": GIT, "web": WEB}}))
    path.chmod(0o600)

    def running(*words):
        code, out, err = command("install", "cursor", *words)
        return code, out, err, json.loads(path.read_text())

    running.path = path
    return running


def test_a_new_server_is_added_and_taken_out_again(cursor):
    before = cursor.path.read_text()
    code, out, err, content = cursor("--name", "ui", "--llm", "none", "--", "npx", "-y", "server")
    assert (code, Path(out.strip())) == (0, cursor.path)
    assert content["mcpServers"]["ui"] == {
        "command": US[0],
        "args": [*US[1:], "--llm", "none", "--", "npx", "-y", "server"],
    }
    assert (content["theme"], content["mcpServers"]["git"]) == ("ä", GIT)
    (backup,) = cursor.path.parent.glob("*.backup")
    assert backup.read_text() == before
    assert str(backup) in err
    assert cursor.path.stat().st_mode & 0o777 == 0o600
    assert cursor("--name", "ui", "--undo")[3] == json.loads(before)


@pytest.mark.parametrize("name", ["git", "web"])
def test_a_server_is_wrapped_once_and_unwrapped_to_what_it_was(cursor, name):
    before = json.loads(cursor.path.read_text())
    first = cursor("--wrap", name)[3]
    assert first["mcpServers"][name]["args"][: len(US) - 1] == US[1:]
    assert "already" in cursor("--wrap", name)[2]
    again = cursor("--wrap", name, "--llm", "none")[3]
    assert again["mcpServers"][name]["args"].count("genui_cli") == 1
    assert cursor("--wrap", name, "--undo")[3] == before


def test_a_wrapped_server_gets_the_variables_it_got(cursor):
    entry = cursor("--wrap", "git")[3]["mcpServers"]["git"]
    assert entry["args"][len(US) - 1 :] == ["-e", "TOKEN", "--", "uvx", "mcp-server-git"]
    assert (entry["env"], entry["disabled"]) == (GIT["env"], False)


def test_headers_for_a_url_are_not_in_the_command_line_of_a_process(cursor):
    entry = cursor("--wrap", "web")[3]["mcpServers"]["web"]
    assert "b: c" not in " ".join(entry["args"])
    upstream = load({}, entry["env"]).configuration.upstream
    assert (upstream.url, dict(upstream.headers), upstream.transport) == (WEB["url"], WEB["headers"], "http")


@pytest.mark.parametrize(
    "entry",
    [
        {"url": "https://x"},
        {"type": "sse", "url": "https://x", "env": {"A": "b"}},
        {"command": "a", "args": []},
    ],
)
def test_every_entry_comes_back_as_it_was(cursor, entry):
    cursor.path.write_text(json.dumps({"mcpServers": {"one": entry}}))
    cursor("--wrap", "one")
    assert cursor("--wrap", "one", "--undo")[3]["mcpServers"]["one"] == entry


def test_a_dry_run_shows_the_changes_and_writes_nothing(cursor):
    before = cursor.path.read_text()
    code, out, _, _ = cursor("--dry-run", "--wrap", "git")
    assert code == 0
    assert '"genui_cli"' in out
    assert cursor.path.read_text() == before
    assert list(cursor.path.parent.glob("*.backup")) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--wrap", "gti"), "did you mean git?"),
        (("--wrap", "zzz"), "there are: git, web"),
        (("--wrap", "git", "--undo"), "does not start mcp-gen-ui"),
        (("--name", "git", "--undo"), "does not start mcp-gen-ui"),
        (("--name", "git", "--", "x"), "--wrap git wraps it"),
        (("--undo",), "no MCP server named 'mcp-gen-ui' in"),
        ((), "no upstream MCP server was given"),
        (("--wrap", "git", "--", "x"), "do not name another"),
    ],
)
def test_an_impossible_installation_is_an_error_and_changes_nothing(cursor, words, said):
    before = cursor.path.read_text()
    code, out, err, _ = cursor(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert cursor.path.read_text() == before


@pytest.mark.parametrize("content", ["{", "[]", '{"mcpServers": []}', '{"a": 1, "a": 2}'])
def test_a_file_that_is_not_understood_is_left_as_it_is(command, content):
    path = Path(".mcp.json")
    path.write_text(content)
    code, out, err = command("install", "claude-code", "--", "server")
    assert (code, out) == (2, "")
    assert ".mcp.json" in err
    assert path.read_text() == content


@pytest.mark.parametrize(
    ("target", "key"),
    [("claude-code", "mcpServers"), ("vscode", "servers"), ("claude-desktop", "mcpServers")],
)
def test_each_host_has_a_file_of_its_own(command, target, key):
    code, out, _ = command("install", target, "--", "server")
    assert code == 0
    entry = json.loads(Path(out.strip()).read_text())[key]["mcp-gen-ui"]
    assert entry["args"][-2:] == ["--", "server"]
    assert ("type" in entry) == (target == "vscode")


def test_each_host_keeps_its_file_where_its_documentation_says():
    home = {"HOME": "/h", "APPDATA": "/a"}
    desktop, vscode, code = (places(each) for each in ("claude-desktop", "vscode", "claude-code"))
    assert desktop(home, "linux") == [Path("/h/.config/Claude/claude_desktop_config.json")]
    assert desktop(home, "darwin") == [
        Path("/h/Library/Application Support/Claude/claude_desktop_config.json")
    ]
    assert desktop(home, "win32") == [Path("/a/Claude/claude_desktop_config.json")]
    project = Path(".vscode/mcp.json")
    assert vscode(home, "linux") == [project, Path("/h/.config/Code/User/mcp.json")]
    assert vscode({**home, "XDG_CONFIG_HOME": "/x"}, "linux")[1] == Path("/x/Code/User/mcp.json")
    assert vscode(home, "darwin")[1] == Path("/h/Library/Application Support/Code/User/mcp.json")
    assert vscode(home, "win32")[1] == Path("/a/Code/User/mcp.json")
    assert code(home, "linux") == [Path("/h/.claude.json"), Path(".mcp.json"), Path("/h/.claude.json")]
    assert code({**home, "CLAUDE_CONFIG_DIR": "/c"}, "linux")[0] == Path("/c/.claude.json")


def places(host):
    """Return a function from variables and platform to the files of a host."""
    places = HOSTS[host].places
    return lambda environment, platform: [
        path for each in places for path in each.find(environment, platform)
    ]


@pytest.mark.parametrize("words", [("--wrap", "git"), ("--undo",), ("--undo", "--wrap", "git")])
def test_an_entry_that_is_only_printed_can_be_neither_wrapped_nor_undone(command, words):
    code, out, err = command("install", "mcp-json", *words)
    assert (code, out) == (2, "")
    assert "--wrap and --undo need a host, and mcp-json is none" in err


def test_an_entry_can_be_printed_without_a_file(command):
    code, out, _ = command("install", "mcp-json", "--name", "git", "--", "uvx", "mcp-server-git")
    assert code == 0
    assert json.loads(out)["mcpServers"]["git"]["args"][-3:] == ["--", "uvx", "mcp-server-git"]


def test_an_installed_entry_starts_the_wrapper(command):
    """The entry starts a proxy, from any folder and without any variable of mcp-gen-ui."""
    _, out, _ = command("install", "mcp-json", "--", sys.executable, "-c", "raise SystemExit('upstream ran')")
    entry = json.loads(out)["mcpServers"]["mcp-gen-ui"]
    done = subprocess.run(
        [entry["command"], *entry["args"]], stdin=subprocess.PIPE, capture_output=True, text=True, check=False
    )
    assert "upstream ran" in done.stderr
