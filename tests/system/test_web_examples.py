"""The examples in JavaScript: a server in TypeScript, and two web pages that show views."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

PATIENCE_MS = 60_000
COPIED = ("http-server", "agent", "tutorial", "typescript-server")
BUILT = {"http-server/host.js": "http-server", "agent/chat.js": "agent"}


@pytest.fixture(scope="module")
def examples(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built examples, copied and built as their READMEs say, with packages that the tests installed."""
    modules = repository / "tests" / "browser" / "host" / "node_modules"
    if shutil.which("node") is None or not modules.is_dir():
        pytest.skip("Node.js, or what the examples import, is not installed")
    folder = tmp_path_factory.mktemp("examples")
    for name in COPIED:
        shutil.copytree(repository / "examples" / name, folder / name)
    (folder / "node_modules").symlink_to(modules.resolve(), target_is_directory=True)
    build = [modules / ".bin" / "esbuild", "--format=esm", "--log-level=error"]
    for entry, place in BUILT.items():
        subprocess.run([*build, entry, "--bundle", f"--outdir={place}/built"], cwd=folder, check=True)
    server = ["typescript-server/server.ts", "--outfile=typescript-server/server.mjs"]
    subprocess.run(
        [*build, *server], cwd=folder, check=True
    )  # newer versions of Node.js run the source itself
    return folder


def free_ports(count: int) -> list[str]:
    """Return ports that no process uses."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [str(each.getsockname()[1]) for each in sockets]
    for each in sockets:
        each.close()
    return ports


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open an empty page; an error of a script fails the test."""
    context = browser.new_context()
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


def test_the_tools_of_a_server_in_typescript_get_views(open_host, proxy, examples: Path) -> None:
    host = open_host(*proxy, "node", "server.mjs", cwd=examples / "typescript-server")
    host.connect()
    tools = {each["name"]: each for each in host.request("tools/list")["result"]["tools"]}
    uri = tools["list_departures"]["_meta"]["ui"]["resourceUri"]
    (contents,) = host.request("resources/read", {"uri": uri})["result"]["contents"]
    assert "Departures" in contents["text"]
    delay = {"name": "announce_delay", "arguments": {"line": "IC 4", "minutes": 9}}
    assert "9 minutes" in host.request("tools/call", delay)["result"]["content"][0]["text"]
    call = host.request("tools/call", {"name": "list_departures", "arguments": {"to": "Bergen"}})["result"]
    assert [each["delayMinutes"] for each in call["structuredContent"]["departures"]] == [9, 0]


@pytest.fixture
def web_host(open_host, examples: Path) -> Iterator[str]:
    """Run the server, the wrapper and the page as the README does, and return the address of the page."""
    started = open_host(sys.executable, "run.py", *free_ports(3), cwd=examples / "http-server")
    try:
        yield started.wait_for(lambda: next(iter(started.lines), None)).decode().strip()
    finally:
        started.child.send_signal(signal.SIGINT)
        assert started.child.wait(30) == 0


def test_a_web_page_shows_the_views_of_a_wrapped_http_server(web_host: str, page: Page) -> None:
    page.goto(web_host)
    view = page.frame_locator('iframe[title="Stock"]')
    view.get_by_role("textbox", name="At Most").fill("100")
    view.get_by_role("button", name="Run").click()
    expect(view.get_by_text("Wood glue")).to_be_visible()
    expect(view.get_by_text("Bolts M6")).to_have_count(0)


@pytest.mark.matrix(quick=0)  # it installs the framework
def test_a_chat_shows_the_views_of_the_tools_that_an_agent_called(
    open_host, agent_python: Path, examples: Path, page: Page
) -> None:
    (port,) = free_ports(1)
    command = Path(sys.executable).with_name("mcp-gen-ui")
    environment = os.environ | {"MODEL": "test", "MCP_GEN_UI": str(command), "SERVER_PYTHON": sys.executable}
    agent = open_host(agent_python, "agent.py", port, cwd=examples / "agent", env=environment)
    agent.wait_for(lambda: any(b"Uvicorn running" in line for line in agent.log))
    page.goto(f"http://127.0.0.1:{port}/")
    page.get_by_label("Question").fill("How much bread was sold?")
    page.get_by_role("button", name="Ask").click()
    view = page.frame_locator("iframe")
    expect(view.get_by_role("cell", name="rye").first).to_be_visible()
    view.get_by_role("button", name="Edit").click()
    view.get_by_role("textbox", name="Bread").fill("white")
    view.get_by_role("button", name="Run").click()
    agent.wait_for(lambda: any(b"POST /call" in line and b" 200" in line for line in agent.lines + agent.log))
    expect(view.get_by_role("cell", name="rye")).to_have_count(0)
    expect(view.locator("body")).to_contain_text("54")  # white bread that was sold on the second day
