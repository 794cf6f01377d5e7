"""Finds a browser of the Chromium family, and controls it through its DevTools protocol.

The WebSocket client here replaces a dependency, and is short: a browser on this machine sends plain frames.
"""

import asyncio
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio

from genui_adapters.io.process import KILL, signal_group

_NAMES: Final = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
_PLACES: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_QUIET: Final = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-features=IsolateSandboxedIframes",  # a frame in another process has another clock
)
_ONE_PROCESS: Final = "--disable-site-isolation-trials"
"""Keeps frames of all origins in the process of their page, so that one session reaches them."""
_START_S, _ANSWER_S, _END_S = 30.0, 30.0, 5.0
_SHORT, _LONG = 126, 127
"""The length fields that announce a length in the next two, or eight, bytes of a frame."""
_LARGEST_BYTES = 256 * 1024 * 1024


class BrowserFailed(Exception):
    """The browser did not start, ended, or refused a command; the text says which."""


def find_browser(environment: Mapping[str, str]) -> str | None:
    """Return the path of a browser of the Chromium family, or None."""
    found = (shutil.which(name, path=environment.get("PATH")) for name in _NAMES)
    return next(filter(None, found), None) or next(filter(os.path.exists, _PLACES), None)


def quiet_flags() -> list[str]:
    """Return the flags for a browser without a window and without network requests of its own."""
    # Where root runs a browser, as in a container, its own sandbox refuses to start.
    return [*_QUIET, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]


@asynccontextmanager
async def open_page(browser: str) -> AsyncIterator["Page"]:
    """Start the browser at this path with an empty profile, and yield its only page. Needs asyncio.

    Raises BrowserFailed if it cannot be started, or speaks no DevTools protocol.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        place = (f"--user-data-dir={profile}", "--remote-debugging-port=0", "about:blank")
        command, pipe = (browser, *quiet_flags(), _ONE_PROCESS, *place), asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.DEVNULL, stderr=pipe, start_new_session=True
            )
        except OSError as error:
            raise BrowserFailed(f"{browser} cannot be started: {error.strerror or error}") from error
        try:
            async with _connect(process) as page:
                yield page
        finally:
            signal_group(process, KILL)
            # Bounded: before Python 3.13 the wait also waits for other processes that hold the pipe.
            with anyio.move_on_after(_END_S, shield=True):
                await process.wait()


@asynccontextmanager
async def _connect(process: asyncio.subprocess.Process) -> AsyncIterator["Page"]:
    assert process.stderr is not None  # noqa: S101 - stderr is a pipe; for the type checker
    try:
        async with asyncio.timeout(_START_S):
            while b"DevTools listening on " not in (line := await process.stderr.readline()):
                if not line:
                    raise BrowserFailed("the browser ended before it could be controlled")
            host, _, path = line.decode().partition("ws://")[2].strip().partition("/")
            reader, writer = await asyncio.open_connection(*host.rsplit(":", 1), limit=_LARGEST_BYTES)
            head = f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            writer.write(
                f"{head}Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            await reader.readuntil(b"\r\n\r\n")
    except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
        raise BrowserFailed("the browser cannot be controlled through its DevTools protocol") from error
    page = Page(reader, writer)
    listening = [asyncio.ensure_future(each) for each in (page.listen(), _drain(process.stderr))]
    try:
        targets = await page.send("Target.getTargets")
        first = next(each["targetId"] for each in targets["targetInfos"] if each["type"] == "page")
        page.session = (await page.send("Target.attachToTarget", targetId=first, flatten=True))["sessionId"]
        yield page
    finally:
        for each in listening:
            each.cancel()
        writer.close()


async def _drain(stream: asyncio.StreamReader) -> None:
    """Read and drop the browser's stderr, so that a full pipe never blocks the browser."""
    while await stream.read(65536):
        pass


class Page:
    """The page of a browser. Commands may run concurrently."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.session: str | None = None
        self._reader, self._writer = reader, writer
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._count = 0

    async def send(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command and return its result.

        Raises BrowserFailed if the browser refused it, ended, or did not answer in time.
        """
        self._count += 1
        answer = self._waiting[self._count] = asyncio.get_running_loop().create_future()
        message: dict[str, object] = {"id": self._count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        payload = json.dumps(message).encode()
        size = len(payload)
        # A mask of zeros leaves the payload as it is.
        length = bytes((0x80 | size,)) if size < _SHORT else bytes((0x80 | _LONG,)) + size.to_bytes(8)
        self._writer.write(b"\x81" + length + bytes(4) + payload)
        try:
            async with asyncio.timeout(_ANSWER_S):
                answered = await answer
        except TimeoutError as error:
            raise BrowserFailed(f"the browser did not answer {method} within {_ANSWER_S:g} s") from error
        if "error" in answered:
            raise BrowserFailed(f"the browser refused {method}: {answered['error'].get('message')}")
        result: dict[str, Any] = answered["result"]
        return result

    async def run(self, expression: str, world: int | None = None) -> Any:
        """Evaluate JavaScript in a world from `world_in`, or in the page's own, and return its value.

        The value of a promise is its result. Raises BrowserFailed if the expression throws.
        """
        place = {} if world is None else {"contextId": world}
        command = {"expression": expression, "awaitPromise": True, "returnByValue": True, **place}
        answered = await self.send("Runtime.evaluate", **command)
        if "exceptionDetails" in answered:
            details = answered["exceptionDetails"]
            raise BrowserFailed(str(details.get("exception", {}).get("description") or details.get("text")))
        return answered["result"].get("value")

    async def world_in(self, depth: int) -> tuple[str, int]:
        """Return the first frame ``depth`` levels below the page, and a new isolated world in it.

        Raises BrowserFailed if there is no such frame.
        """
        tree = (await self.send("Page.getFrameTree"))["frameTree"]
        for _ in range(depth):
            if not tree.get("childFrames"):
                raise BrowserFailed("the page has no frame there")
            tree = tree["childFrames"][0]
        frame = tree["frame"]["id"]
        made = await self.send("Page.createIsolatedWorld", frameId=frame, worldName="check")
        return frame, made["executionContextId"]

    async def listen(self) -> None:
        """Read answers until the browser ends; then fail all commands that wait."""
        text = b""
        try:
            while True:
                head = await self._reader.readexactly(2)
                size = head[1] & 0x7F
                if size >= _SHORT:
                    size = int.from_bytes(await self._reader.readexactly(2 if size == _SHORT else 8))
                payload = await self._reader.readexactly(size)
                text = text + payload if head[0] & 0x0F in (0, 1) else text
                if head[0] & 0x80 and head[0] & 0x0F in (0, 1):
                    self._take(json.loads(text))
                    text = b""
        except (asyncio.IncompleteReadError, OSError):
            for each in self._waiting.values():
                if not each.done():
                    each.set_exception(BrowserFailed("the browser ended"))

    def _take(self, message: dict[str, Any]) -> None:
        waiting = self._waiting.pop(message.get("id", 0), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)
