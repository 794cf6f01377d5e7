"""The parts of `live.py`: the installed wrapper, a model server with a set time, hosts and open pages."""

import contextlib
import http.client
import itertools
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "browser"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "system"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "contract" / "llm"))

from model_server import serving  # type: ignore[import-not-found]
from open_page import OpenPage  # type: ignore[import-not-found]
from view_host import ViewHost, open_browser, serve_host  # type: ignore[import-not-found]
from wire_server import Reply, chat_events  # type: ignore[import-not-found]

REPOSITORY = Path(__file__).resolve().parent.parent
SERVER = (sys.executable, REPOSITORY / "examples" / "weather-server" / "weather_server.py")
COMMAND = (sys.executable, "-P", "-m", "genui_cli")
TOOL, ARGUMENTS = "get_forecast", {"city": "Oslo", "days": 10}
OTHER_TOOL = "get_current_weather"
MINIMAL = "e3b0c442"
"""The version that a page with the minimal view states."""
FIRST, SECOND = "in the first view", "in the second view"
FRAGMENT = f"""<style>
.view {{ display: grid; gap: 8px }}
</style>
<template><div class="view"><p class="said"></p><div class="rows"></div></div></template>
<script>
function render(data, ui) {{
  const days = Array.isArray(data?.days) ? data.days : [];
  ui.root.querySelector(".said").textContent = `${{ui.number(days.length)}} days {FIRST}`;
  ui.root.querySelector(".rows").append(days.length ? ui.table(days, {{ caption: "Days" }}) : ui.keyValue(data));
}}
</script>
<!--end-->
"""
REFINED = f"<<<<<<< SEARCH\ndays {FIRST}\n=======\ndays {SECOND}\n>>>>>>> REPLACE\n"
PIECES = 100
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
LIMIT_S = 60.0
SPARE_S = 30.0
AHEAD = -15
BLANK = """<!DOCTYPE html><html><head></head><body><script>
const tell = (words) => parent.postMessage({ jsonrpc: "2.0", ...words }, "*");
addEventListener("message", ({ data }) => { if (data.id === 1) tell({ method: "ui/notifications/initialized", params: {} }); });
tell({ id: 1, method: "ui/initialize", params: { appInfo: { name: "blank", version: "1" }, appCapabilities: {}, protocolVersion: "2026-01-26" } });
</script></body></html>"""
"""A page that starts and draws nothing; a window that has shown it is as warm as that of a host in use."""
PROBE = """(() => {
  const probe = globalThis.liveProbe = { picture: 0, said: {} };
  const [next, clock] = [requestAnimationFrame.bind(window), performance.now.bind(performance)];
  const painted = (mark) => next(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => mark(performance.timeOrigin + clock());
    port2.postMessage(0);
  });
  new MutationObserver(() => {
    if (!probe.picture && document.querySelector("section.result[data-state=done] .result-body > *")) painted((at) => { probe.picture ||= at; });
    const words = document.querySelector(".written .said")?.textContent;
    if (words && !(words in probe.said)) painted((at) => { probe.said[words] ??= at; });
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["data-state"] });
})();"""
"""Records when a frame first painted the result and each text of a written view, in ms since the epoch."""
MINUTE_LATER = """(() => {
  const [clock, from] = [performance.now.bind(performance), performance.now()];
  performance.now = () => clock() + 60_001;
  dispatchEvent(new Event("focus"));
  return performance.timeOrigin + from;
})()"""
"""Gives the page the focus, a minute after its last request by its clock; returns when, in ms since the epoch."""
CLICKS = """addEventListener("click", ({ timeStamp }) => { liveProbe.clicked = performance.timeOrigin + timeStamp; }, true)"""
"""Records when the frame was clicked; a document that is written into a frame keeps the listeners."""


def now_ms() -> float:
    """Return the time in ms since the epoch, as in browsers."""
    return time.time() * 1000


@define
class Model:
    """A model server that takes a set time for each answer."""

    server: Any

    def answers(self, seconds: float, *texts: str) -> None:
        """Set the answers, to be given in order, each after that many seconds."""
        self.server.requests.clear()
        self.server.coming[:] = [self._reply(text, seconds) for text in texts]

    @staticmethod
    def _reply(text: str, seconds: float) -> Any:
        whole = Reply(text=text, step=-(-len(text) // PIECES))
        return Reply(text=text, step=whole.step, pause_s=seconds / len([*chat_events(whole)]))

    @property
    def calls(self) -> int:
        """The number of requests."""
        return len(self.server.requests)

    @property
    def landed_ms(self) -> float:
        """The end of the last answer, in ms since the epoch."""
        ended: float = self.server.requests[-1].ended
        return now_ms() - (time.monotonic() - ended) * 1000


class Host:
    """A host with a session over Streamable HTTP; it may make several calls at a time."""

    def __init__(self, port: int, name: str) -> None:
        """Complete the handshake and list the tools."""
        self._port, self._ids = port, itertools.count(1)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        info = {"name": name, "version": "1"}
        self.result("initialize", {"protocolVersion": "2025-11-25", "capabilities": APPS, "clientInfo": info})
        self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools = {each["name"]: each for each in self.result("tools/list", {})["tools"]}

    def result(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request."""
        number = next(self._ids)
        text = self._post({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        events = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
        answers = [json.loads(each) for each in ([text] if text.startswith("{") else events)]
        result: dict[str, Any] = next(each["result"] for each in answers if each.get("id") == number)
        return result

    def call(self, name: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the result of a tool."""
        return self.result("tools/call", {"name": name, "arguments": arguments})

    def read(self, tool: str = TOOL) -> str:
        """Return the page of a tool."""
        text: str = self.result("resources/read", {"uri": f"ui://{tool}"})["contents"][0]["text"]
        return text

    def _post(self, message: dict[str, Any]) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=LIMIT_S)
        with contextlib.closing(connection):
            connection.request("POST", "/mcp", json.dumps(message), self._headers)
            response = connection.getresponse()
            text = response.read().decode()
        session = response.headers.get("mcp-session-id")
        if session:
            self._headers["mcp-session-id"] = session
        return text


@define
class Wrapper:
    """The command as it is installed, in front of the weather server."""

    child: "subprocess.Popen[bytes]"
    log: Path

    def records(self, event: str) -> list[dict[str, Any]]:
        """Return the log's records of an event so far."""
        lines = self.log.read_text().splitlines()
        records = [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]
        return [each for each in records if each.get("event") == event]

    @property
    def port(self) -> int:
        """The port of the wrapper, once it serves."""
        deadline = time.monotonic() + LIMIT_S
        while not (serving_at := self.records("serving")):
            if time.monotonic() > deadline or self.child.poll() is not None:
                raise SystemExit(self.log.read_text())
            time.sleep(0.02)
        return int(re.findall(r":(\d+)", serving_at[0]["metadata"]["address"])[0])


@frozen
class Bench:
    """The servers and the browser for the measurements."""

    browser: Any
    origins: dict[str, Any]
    model: Model
    model_s: float
    folder: Path
    _numbers: Iterator[int] = field(factory=itertools.count)

    def words(self, *flags: str) -> list[str]:
        """Return the command line of the wrapper, with an empty store and this model."""
        folder = self.folder / f"{next(self._numbers)}"
        folder.mkdir()
        llm = {"provider": "openai", "model": "model-x", "baseUrl": f"{self.model.server.origin}/v1"}
        cache = {"type": "filesystem", "directory": str(folder / "views")}
        config = {"llm": llm, "cache": cache, "logging": {"level": "info", "format": "json"}}
        (folder / "config.json").write_text(json.dumps(config))
        return [str(each) for each in (*COMMAND, *flags, "--config", folder / "config.json", "--", *SERVER)]

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the wrapper, with a key for the model."""
        return {**os.environ, "OPENAI_API_KEY": "none-needed"}

    @contextlib.contextmanager
    def wrapper(self) -> Iterator[Wrapper]:
        """Run the wrapper over HTTP."""
        words = self.words("--transport", "http", "--port", "0")
        log = self.folder / f"{next(self._numbers)}.log"
        with log.open("wb") as stderr:
            child = subprocess.Popen(words, stderr=stderr, env=self.environment)
        try:
            yield Wrapper(child, log)
        finally:
            child.terminate()
            child.wait(LIMIT_S)

    def written(self, host: Host, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and wait until its first view is written; return the result of the call."""
        self.model.answers(0.1, FRAGMENT)
        result = host.call(tool, **arguments)
        asked = {"toolName": tool, "have": MINIMAL, "waitMs": 20_000}
        while host.call("_ui_view", **asked)["structuredContent"]["state"] != "written":
            time.sleep(0.1)
        return result

    def live_host(self, wrapper: Wrapper, name: str) -> Host:
        """Return a host with an open page of another tool, so that its reads are answered at once."""
        host = Host(wrapper.port, name)
        self.written(host, OTHER_TOOL, city="Oslo")
        return host

    @contextlib.contextmanager
    def windows(self) -> Iterator[Callable[[], Any]]:
        """Yield a function that opens a browser window, which is a host with the official bridge."""
        with contextlib.ExitStack() as opened:

            def window() -> Any:
                view_host = ViewHost(self.browser, self.origins)
                opened.callback(view_host.close)
                view_host.context.add_init_script(PROBE)
                view_host.mount(BLANK)
                return view_host

            yield window


@contextlib.contextmanager
def open_bench(model_s: float, folder: Path, *, is_shielded: bool) -> Iterator[Bench]:
    """Start the model server, the servers of the host page, and Chromium, with high priority if shielded."""
    if is_shielded:
        os.nice(AHEAD)
    with serve_host() as origins, open_browser() as browser, serving() as server:
        yield Bench(browser, origins, Model(server), model_s, folder)


def open_page(window: Any, host: Host, text: str, result: dict[str, Any], **options: Any) -> Any:
    """Show a page in a window whose calls go through a host, and send it the result of the call that the host made."""
    return OpenPage(window, host, text, tool=host.tools[TOOL], result=result, tool_input=ARGUMENTS, **options)


def probe(page: Any, expression: str) -> Any:
    """Return the records of the probe in the frame of the view."""
    return page.view.frame.evaluate(f"liveProbe.{expression}")


def shown_at(page: Any, words: str) -> float:
    """Return when the page painted a written view with these words."""
    said: dict[str, float] = probe(page, "said")
    return next(at for each, at in said.items() if words in each)
