"""The program as a stranger gets it: built into a wheel, installed beside the locked packages, and started."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

MIME_TYPE = "text/html;profile=mcp-app"
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": [MIME_TYPE]}}}
WEATHER_TOOLS = {"get_current_weather", "get_forecast", "set_units"}
WEATHER_SERVER = ("-m", "genui_cli.examples.weather_server")
DEVELOPERS_ONLY = {"tests", "test", "node_modules", "build.py", "build.mjs", "dev.py", "__pycache__"}
GIVE_UP_AFTER_S = 90


@pytest.fixture(scope="module")
def wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the repository."""
    folder = tmp_path_factory.mktemp("wheel")
    if find_spec("uv"):
        must(sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", folder, repository)
    else:
        must(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, repository)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(repository: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment that holds the wheel and what it needs, no more."""
    folder = tmp_path_factory.mktemp("installed")
    must(sys.executable, "-m", "venv", *(["--without-pip"] if find_spec("uv") else []), folder)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    if find_spec("uv"):
        install = (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", programs / "python")
    else:
        install = (programs / "python", "-m", "pip", "install", "--quiet")
    must(*install, "--require-hashes", "-r", repository / "requirements-run.lock")
    must(*install, "--no-deps", wheel)
    return programs


def test_the_wheel_carries_prompts_kit_example_and_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert names >= {
        "genui_core/built/prompts.py",
        "genui_core/built/view_kit.py",
        "genui_core/py.typed",
        "genui_cli/examples/weather_server.py",
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
    program = "import json; from genui_core.built.prompts import TEMPLATES; print(json.dumps(TEMPLATES))"
    templates = json.loads(must(installed / "python", "-c", program))
    sources = (repository / "prompts").glob("*.mustache")
    assert templates == {path.stem: path.read_text(encoding="utf-8") for path in sources}


def test_the_command_says_its_version(installed: Path, wheel: Path) -> None:
    assert wheel.name.split("-")[1] in must(installed / "mcp-gen-ui", "--version")


def test_every_tool_of_a_wrapped_server_carries_a_ui_that_can_be_read(installed: Path) -> None:
    with wrapped_weather_server(installed) as host:
        host.greet()
        tools = {tool["name"]: tool for tool in host.ask("tools/list")["tools"]}
        assert tools.keys() >= WEATHER_TOOLS
        for name in WEATHER_TOOLS:
            address = tools[name]["_meta"]["ui"]["resourceUri"]
            (page,) = host.ask("resources/read", uri=address)["contents"]
            assert (page["uri"], page["mimeType"]) == (address, MIME_TYPE)
            assert page["text"].startswith("<!DOCTYPE html>")


def test_a_wrapped_tool_answers_as_the_tool_itself_does(installed: Path) -> None:
    with wrapped_weather_server(installed) as host:
        host.greet()
        wrapped = host.ask("tools/call", name="get_forecast", arguments={"city": "Oslo", "days": 2})
    with started(installed / "python", *WEATHER_SERVER) as host:
        host.greet()
        plain = host.ask("tools/call", name="get_forecast", arguments={"city": "Oslo", "days": 2})
    assert json.dumps(wrapped) == json.dumps(plain)
    assert len(wrapped["structuredContent"]["days"]) == 2


def test_a_host_that_shows_no_apps_gets_the_server_as_it_is(installed: Path) -> None:
    with wrapped_weather_server(installed) as host:
        host.greet(capabilities={})
        tools = host.ask("tools/list")["tools"]
    assert {tool["name"] for tool in tools} == WEATHER_TOOLS
    assert not any("_meta" in tool for tool in tools)


class Host:
    """A chat client that speaks line by line with a server's standard streams."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._asked = 0

    def greet(self, capabilities: dict[str, Any] = APPS) -> None:
        """Shake hands."""
        client = {"name": "test-host", "version": "1"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities=capabilities, clientInfo=client)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request, pass over notifications, and return the result."""
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        answer: dict[str, Any] = {}
        while answer.get("id") != self._asked:
            line = self._process.stdout.readline()
            assert line, f"the server ended while it was asked for {method}"
            answer = json.loads(line)
        result: dict[str, Any] = answer["result"]
        return result

    def _send(self, message: dict[str, Any]) -> None:
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()


def wrapped_weather_server(installed: Path) -> Any:
    """Start the installed proxy in front of the weather server that came with it."""
    return started(installed / "mcp-gen-ui", "--", installed / "python", *WEATHER_SERVER)


@contextmanager
def started(*command: object) -> Iterator[Host]:
    """Start a server, lend a host that talks to it, and see it end well when the host goes away."""
    words = [str(word) for word in command]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        alarm = Timer(GIVE_UP_AFTER_S, process.kill)
        alarm.start()
        try:
            yield Host(process)
            rest, _ = process.communicate()
            assert (rest, process.returncode) == ("", 0)
        finally:
            alarm.cancel()
            process.kill()


def must(*command: object) -> str:
    """Run a command that must end well, and return what it prints."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
