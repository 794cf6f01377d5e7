"""The command with configuration files, run as a process."""

import json
import subprocess
import sys

import pytest

SERVER = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    tools = [{"name": "echo", "inputSchema": {"type": "object"}}, {"name": "plain", "inputSchema": {"type": "object"}}]
    facts = {"cwd": os.getcwd(), "argv": sys.argv[1:], "given": os.environ.get("GIVEN")}
    result = {"tools": tools} if message["method"] == "tools/list" else {"capabilities": {}, "facts": facts}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""
COMMAND = (sys.executable, "-P", "-m", "genui_cli")


@pytest.fixture
def folder(tmp_path, environment):
    """A folder with a server and its configuration, and variables without any other configuration."""
    (tmp_path / "server.py").write_text(SERVER)
    (tmp_path / "data").mkdir()
    content = {
        "upstream": {
            "command": sys.executable,
            "args": [str(tmp_path / "server.py"), "${ARGUMENT}"],
            "env": {"GIVEN": "${NOT_SET:-by default}"},
            "cwd": "data",
        },
        "generation": {"enabledTools": ["echo"]},
        "host": {"apps": "always"},
    }
    (tmp_path / "mcp-gen-ui.json").write_text(json.dumps(content))
    for name in [name for name in environment if name.startswith(("MCP_GEN_UI_", "XDG_"))]:
        del environment[name]
    environment.update(
        HOME=str(tmp_path / "home"), LOCALAPPDATA=str(tmp_path / "home"), ARGUMENT="from outside"
    )
    return tmp_path


@pytest.mark.parametrize("named", [True, False])
def test_a_file_is_all_that_a_host_needs(folder, environment, open_host, named):
    place = folder / "elsewhere" if named else folder
    place.mkdir(exist_ok=True)
    words = ("--config", folder / "mcp-gen-ui.json") if named else ()
    host = open_host(*COMMAND, *words, cwd=place, env=environment)
    facts = host.connect(capabilities={})["result"]["facts"]
    assert facts == {"cwd": str(folder / "data"), "argv": ["from outside"], "given": "by default"}
    tools = host.request("tools/list")["result"]["tools"]
    with_ui = [
        tool["name"] for tool in tools if "ui" in tool.get("_meta", {}) and not tool["name"].startswith("_ui")
    ]
    assert with_ui == ["echo"]
    assert host.close() == 0


def test_a_typed_upstream_is_configured_like_others(folder, environment, open_host):
    server = (sys.executable, folder / "server.py", "typed")
    host = open_host(
        *COMMAND, "--", *server, cwd=folder, env={**environment, "MCP_GEN_UI_LOGGING_FORMAT": "json"}
    )
    facts = host.connect(capabilities={})["result"]["facts"]
    assert facts == {"cwd": str(folder), "argv": ["typed"], "given": None}
    assert len([tool for tool in host.request("tools/list")["result"]["tools"] if "_meta" in tool]) >= 1
    host.close()
    assert json.loads(host.log_text().splitlines()[1])["level"] == "info"


def test_the_log_goes_to_its_configured_destination(folder, environment, open_host):
    variables = {"MCP_GEN_UI_LOGGING_DESTINATION": "file", "MCP_GEN_UI_LOGGING_FILE": str(folder / "log.txt")}
    host = open_host(*COMMAND, cwd=folder, env={**environment, **variables})
    host.connect()
    host.request("tools/list")
    host.close()
    assert host.log_text() == f"mcp-gen-ui: configured by {folder / 'mcp-gen-ui.json'}\n"
    assert "tools_listed" in (folder / "log.txt").read_text()


def test_a_wrong_file_ends_before_anything_is_started(folder, environment):
    (folder / "mcp-gen-ui.json").write_text('{"host": {"apps": "sometimes"}}')
    started = [sys.executable, "-c", "open('started', 'w')"]
    done = subprocess.run(
        [*COMMAND, "--", *started],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 2
    assert 'host.apps is "sometimes", expected one of auto, always, never' in done.stderr
    assert not (folder / "started").exists()
