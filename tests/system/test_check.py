"""``mcp-gen-ui check`` with a real browser: planted faults are found; examples and third-party servers pass."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from planted_faults import FAULTS
from recordings import CORPUS, calls_of, tools_of

from genui_adapters.chromium import find_browser
from genui_cli.check.stage import RULES

PLANTED = Path(__file__).with_name("planted_faults.py")
STORIES = {
    "many": {"result": {"content": [{"type": "text", "text": "Rain, then 21 degrees"}]}},
    "refused": {"result": {"isError": True, "content": [{"type": "text", "text": "No such city: Atlantis"}]}},
}
EXAMPLES = {
    "attached-server/library_server.py": {"find_books"},
    "database-server/database_server.py": {
        "delete_product",
        "describe_table",
        "list_tables",
        "query",
        "save_product",
    },
    "tutorial/bakery_server.py": {"bread_sold"},
    "typescript-server/server.ts": {"announce_delay", "list_departures"},
    "weather-server/weather_server.py": {"get_current_weather", "get_forecast", "set_units"},
}
"""The example servers over stdio whose dependencies the tests have installed, with their tools."""
RECORDED = (
    "everything",
    "excel-go",
    "fetch",
    "filesystem",
    "git",
    "howtocook",
    "icon",
    "memory",
    "sequential-thinking",
    "sqlite",
    "symath",
    "time",
)
"""Third-party servers to check if they have recordings, because each corpus lacks a few."""
AXE = Path(__file__).parents[1] / "browser" / "host" / "node_modules" / "axe-core" / "axe.min.js"
if find_browser(os.environ) is None:
    pytest.skip("there is no browser of the Chromium family", allow_module_level=True)


def check(*words, cwd=None):
    """Run the command in a folder; return its exit code and its JSON."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "genui_cli",
        "check",
        "--llm",
        "none",
        "--no-cache",
        "--json",
        *words,
    ]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600, cwd=cwd)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def rules(tool):
    """Return the rules that a tool's view breaks."""
    return {fault["rule"] for story in tool["stories"] for fault in story["faults"]}


def test_each_planted_fault_is_found_and_no_other(tmp_path):
    report = tmp_path / "report.html"
    code, found = check("--report", str(report), "--", sys.executable, str(PLANTED))
    assert {tool["tool"]: rules(tool) for tool in found["tools"]} == FAULTS
    assert code == 1
    assert len(set().union(*FAULTS.values())) >= 10
    assert {*RULES} - set().union(*FAULTS.values()) == {"refused", "fallback", "story", "axe"}
    page = report.read_text()
    assert "planted in the console" in page
    for theme in ("light", "dark"):
        assert page.count(f'<img class="{theme}" src="data:image/webp;base64,') == len(FAULTS) - 1
    assert "http" not in page.replace("https://example.org/a.png", "").replace("http-equiv", "")


@pytest.mark.parametrize("text", ["These are notes.", "globalThis.other = 1", ""])
def test_a_file_that_is_not_axe_is_named_before_a_view_is_checked(tmp_path, text):
    (tmp_path / "notes.js").write_text(text)
    command = [sys.executable, "-P", "-m", "genui_cli", "check", "--llm", "none", "--axe", "notes.js"]
    words = [*command, "--", sys.executable, str(PLANTED)]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "notes.js is not axe-core" in done.stderr


def test_an_example_passes_with_stories_and_writes_what_a_build_server_reads(repository, tmp_path):
    for name, story in STORIES.items():
        text = json.dumps({"tool": "set_units", "arguments": {"units": "metric"}, **story})
        (tmp_path / f"{name}.json").write_text(text)
    junit = tmp_path / "report.xml"
    server = repository / "examples" / "weather-server" / "weather_server.py"
    words = ("--tool", "set_units", "--stories", str(tmp_path), "--junit", str(junit))
    code, found = check(*words, "--", sys.executable, str(server))
    (tool,) = found["tools"]
    assert (code, rules(tool), tool["view"]) == (0, set(), "minimal")
    assert [each["story"] for each in tool["stories"]] == ["view", "form", *STORIES]
    (suite,) = ET.parse(junit).getroot()  # noqa: S314 -- our own
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("set_units", "4", "0")


def start_of(example, repository, folder):
    """Return the command that starts an example; compile an example in TypeScript into the folder first."""
    source = repository / "examples" / example
    if source.suffix == ".py":
        return [sys.executable, str(source)]
    modules = repository / "tests" / "browser" / "host" / "node_modules"
    if shutil.which("node") is None or not modules.is_dir():
        pytest.skip("Node.js, or what the example imports, is not installed")
    (folder / "node_modules").symlink_to(modules.resolve(), target_is_directory=True)
    built = folder / "server.mjs"
    build = [modules / ".bin" / "esbuild", source, "--format=esm", "--log-level=error", f"--outfile={built}"]
    subprocess.run(build, check=True)
    return ["node", str(built)]


@pytest.mark.matrix(quick=1)  # another test checks one tool of an example in each run
@pytest.mark.parametrize("example", EXAMPLES)
def test_every_tool_of_an_example_passes(example, repository, tmp_path):
    code, found = check("--", *start_of(example, repository, tmp_path))
    assert {tool["tool"]: rules(tool) for tool in found["tools"]} == {
        each: set() for each in EXAMPLES[example]
    }
    assert code == 0
    assert all({"view", "form"} <= {each["story"] for each in tool["stories"]} for tool in found["tools"])


@pytest.mark.matrix(quick=0)
def test_every_tool_of_the_example_over_http_passes(repository):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = repository / "examples" / "http-server" / "stock_server.py"
    process = subprocess.Popen([sys.executable, str(server), str(port)], stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        code, found = check("--upstream", f"http://127.0.0.1:{port}/mcp")
    finally:
        process.terminate()
        process.wait(30)
    assert {tool["tool"]: rules(tool) for tool in found["tools"] if rules(tool)} == {}
    assert (code, bool(found["tools"])) == (0, True)


def wait_for_port(port):
    """Wait until a server listens."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    pytest.fail("the server does not listen")


@pytest.mark.matrix(quick=0)  # it installs the package
def test_every_tool_of_the_example_with_fastmcp_passes(repository, fastmcp_python):
    server = repository / "examples" / "fastmcp-server" / "library_server.py"
    path = f"PYTHONPATH={repository / 'src'}"
    code, found = check("-e", path, "--", str(fastmcp_python), str(server))
    assert {tool["tool"]: rules(tool) for tool in found["tools"]} == {"find_books": set(), "learn": set()}
    assert code == 0


def with_axe():
    """The flags that run axe-core in each view, if it is installed."""
    return ("--axe", str(AXE)) if AXE.is_file() else ()


@pytest.mark.matrix(quick=1)  # the forms and results of all recordings have tests of their own
@pytest.mark.parametrize("server", [each for each in RECORDED if (CORPUS / each).is_dir()])
def test_every_tool_of_a_recorded_server_passes_with_its_real_results(server, repository, tmp_path):
    folder = CORPUS / server
    tools = {each.name for each in tools_of(folder)}
    calls = [call for call in calls_of(folder) if call.tool.name in tools and call.response]
    for call in calls:
        story = {"tool": call.tool.name, "name": f"call {call.number}", "arguments": call.arguments}
        outcome = {key: each for key, each in call.response.items() if key in {"result", "error"}}
        (tmp_path / f"{call.number:03}.json").write_text(json.dumps({**story, **outcome}))
    program = (sys.executable, str(repository / "tests" / "corpus" / "recorded_upstream.py"), str(folder))
    code, found = check("--stories", str(tmp_path), *with_axe(), "--", *program)
    assert {tool["tool"]: rules(tool) for tool in found["tools"]} == {each: set() for each in tools}
    assert code == 0
    shown = [each["story"] for tool in found["tools"] for each in tool["stories"]]
    assert {each for each in shown if each.startswith("call ")} == {f"call {each.number}" for each in calls}


@pytest.mark.matrix(quick=0)
def test_every_tool_of_an_installed_third_party_server_passes(upstream):
    server = upstream()
    code, found = check(*with_axe(), "--", *server.argv, cwd=server.cwd)
    assert {tool["tool"]: rules(tool) for tool in found["tools"] if rules(tool)} == {}
    assert (code, len(found["tools"]) > 2) == (0, True)
