"""The wheel, installed beside the locked packages and started, as a user gets it."""

import json
import os
import re
import subprocess
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from .fresh_environment import must

MIME_TYPE = "text/html;profile=mcp-app"
WEATHER_TOOLS = {"get_current_weather", "get_forecast", "set_units"}
DEVELOPERS_ONLY = {"tests", "test", "node_modules", "build.py", "build.mjs", "dev.py", "__pycache__"}


def test_the_wheel_carries_prompts_kit_example_and_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert names >= {
        "genui_core/data/kit/build.json",
        "genui_core/data/kit/plain-minimal.js",
        "genui_core/data/kit/view.css",
        "genui_core/data/docs/views.mustache",
        "genui_core/data/prompts/generate.mustache",
        "genui_core/py.typed",
        "genui_cli/examples/weather_server.py",
        "genui_cli/subcommands/strict_host.html",
        "genui_cli/subcommands/typescript_app/README.md",
        "genui_cli/subcommands/typescript_app/gitignore",
        "genui_cli/subcommands/typescript_app/package.json",
        "genui_cli/subcommands/typescript_app/src/server.ts",
        "genui_cli/subcommands/typescript_app/src/views.ts",
        "genui_cli/subcommands/typescript_app/tsconfig.json",
    }
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_wheel_carries_nothing_that_only_developers_need(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folders = {name.partition("/")[0] for name in names}
    assert {each for each in folders if not each.endswith(".dist-info")} == {
        "genui_core",
        "genui_adapters",
        "genui_cli",
    }
    assert [name for name in names if DEVELOPERS_ONLY & set(name.split("/"))] == []


def test_the_installed_prompts_are_those_of_the_repository(installed: Path, repository: Path) -> None:
    program = (
        "import json; from genui_core.application.services import built_prompts; "
        "print(json.dumps(dict(built_prompts().templates)))"
    )
    templates = json.loads(must(installed / "python", "-c", program))
    sources = (repository / "src/genui_core/data/prompts").glob("*.mustache")
    assert templates == {path.stem: path.read_text(encoding="utf-8") for path in sources}


def test_the_command_prints_its_version(installed: Path, wheel: Path) -> None:
    assert wheel.name.split("-")[1] in must(installed / "mcp-gen-ui", "--version")


def test_every_tool_of_a_wrapped_server_carries_a_ui_that_can_be_read(installed: Path, open_host) -> None:
    host = open_host(*wrapped(installed))
    host.connect()
    tools = {tool["name"]: tool for tool in host.request("tools/list")["result"]["tools"]}
    assert tools.keys() >= WEATHER_TOOLS
    for name in WEATHER_TOOLS:
        address = tools[name]["_meta"]["ui"]["resourceUri"]
        (page,) = host.request("resources/read", {"uri": address})["result"]["contents"]
        assert (page["uri"], page["mimeType"]) == (address, MIME_TYPE)
        assert page["text"].startswith("<!DOCTYPE html>")
    assert host.close() == 0


def test_a_host_that_shows_no_apps_gets_the_server_as_it_is(installed: Path, open_host) -> None:
    host = open_host(*wrapped(installed))
    host.connect(capabilities={})
    tools = host.request("tools/list")["result"]["tools"]
    assert {tool["name"] for tool in tools} == WEATHER_TOOLS | {"_ui_open", "_ui_wait", "_ui_push"}
    assert not any("_meta" in tool for tool in tools)


def test_the_demo_runs_from_the_wheel(installed: Path) -> None:
    command = [installed / "mcp-gen-ui", "demo", "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    with process, urlopen(process.stdout.read().partition("#")[0], timeout=30) as page:
        assert b"<script" in page.read()
        process.terminate()
    assert process.returncode == 0


THIRD_PARTY = {
    "books/__init__.py": "",
    "books/server.py": """
from mcp.server import MCPServer
from genui_adapters.host import attach
from genui_core import Wrapper

server = MCPServer("books")

@server.tool()
def find(text: str) -> str:
    return text

attach(Wrapper(), server)
""",
    "books/__main__.py": "from books.server import server\nserver.run()\n",
}


def test_a_third_party_package_with_the_wrapper_gives_its_tools_uis(
    installed: Path, open_host, tmp_path: Path
) -> None:
    for name, text in THIRD_PARTY.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    host = open_host(installed / "python", "-m", "books", cwd=tmp_path)
    host.connect()
    tool = host.request("tools/list")["result"]["tools"][0]
    (page,) = host.request("resources/read", {"uri": tool["_meta"]["ui"]["resourceUri"]})["result"][
        "contents"
    ]
    assert page["text"].startswith("<!DOCTYPE html>")
    called = host.request("tools/call", {"name": "find", "arguments": {"text": "x"}})["result"]
    assert called["structuredContent"] == {"result": "x"}


def test_the_wrapper_alone_loads_no_sdk(installed: Path) -> None:
    program = (
        "import sys; from genui_core import Wrapper; Wrapper(); "
        "print(sorted({'mcp', 'mcp_types', 'pydantic', 'anthropic', 'openai', 'ollama', 'httpx2'} & set(sys.modules)))"
    )
    assert must(installed / "python", "-c", program).strip() == "[]"


def test_the_installed_command_serves_over_http(installed: Path, open_host) -> None:
    words = ("--transport", "http", "--port", "0", *wrapped(installed)[1:])
    host = open_host(installed / "mcp-gen-ui", *words)
    (address,) = host.wait_for(lambda: re.findall(r"serves (http://\S+)/mcp", host.log_text()))
    with urlopen(f"{address}/healthz", timeout=30) as page:
        assert page.status == 200
    host.child.terminate()
    assert host.wait() == 0


OWN_SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    tools = [{"name": "titles", "inputSchema": {"type": "object"}}]
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "b", "version": "1"}}
    if message["method"].startswith("tools/"):
        text = open("books.txt", encoding="utf-8").read()
        result = {"tools": tools, "content": [{"type": "text", "text": text}]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@pytest.mark.parametrize("words", [("--", "python", "server.py"), ("--upstream", "python server.py")])
def test_a_host_starts_an_installed_server_of_a_project_from_another_folder(
    installed: Path, open_host, tmp_path: Path, words: tuple[str, ...]
) -> None:
    project, home = tmp_path / "project", tmp_path / "home"
    for folder in (project, home):
        folder.mkdir()
    (project / "server.py").write_text(OWN_SERVER, encoding="utf-8")
    (project / "books.txt").write_text("Middlemarch", encoding="utf-8")
    shell = {**os.environ, "PATH": f"{installed}{os.pathsep}{os.environ['PATH']}", "HOME": str(home)}
    install = [installed / "mcp-gen-ui", "install", "cursor", "--name", "books", *words]
    subprocess.run(install, cwd=project, env=shell, check=True, capture_output=True)
    listed = home / ".cursor" / "mcp.json"
    entry = json.loads(listed.read_text(encoding="utf-8"))["mcpServers"]["books"]
    host = open_host(entry["command"], *entry["args"], cwd=home, env={"PATH": os.defpath, "HOME": str(home)})
    host.connect()
    assert "titles" in {each["name"] for each in host.request("tools/list")["result"]["tools"]}
    called = host.request("tools/call", {"name": "titles", "arguments": {}})["result"]
    assert called["content"][0]["text"] == "Middlemarch"
    assert host.close() == 0
    subprocess.run([*install[:5], "--undo"], cwd=project, env=shell, check=True, capture_output=True)
    assert not listed.exists()


def wrapped(installed: Path) -> tuple[Path | str, ...]:
    """The command line of the installed command in front of the weather server from the wheel."""
    return (installed / "mcp-gen-ui", "--", installed / "python", "-m", "genui_cli.examples.weather_server")
