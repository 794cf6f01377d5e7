"""The companion page: shows one session's calls as views in the browser. Served on loopback.

The address for the agent contains a code that works once. The browser exchanges it for a cookie; the token in
the cookie is never in an address.
"""

import asyncio
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from functools import partial
from itertools import count

import anyio

from genui_adapters.host.http.exchange import Exchange, Refused
from genui_adapters.host.listening_socket import CannotListen, bound_socket
from genui_cli.preview.guard import ENTRANCE
from genui_cli.preview.happenings import Event, Events, Happening, Happenings
from genui_cli.preview.page_api import PageApi, decode, query_of
from genui_cli.preview.server import LOOPBACK, port_of, serve_page
from genui_core.application.stdio.companion import PageHost, Pushed, SeenCall
from genui_core.domain.mcp.jsonrpc import APPLICATION_ERROR
from genui_core.errors import GenUiError, UpstreamFailed

Step = Callable[[], None]

_MOST_CODES = 32
_MOST_SHOWN = 50
_MOST_SHOWN_BYTES = 16 << 20
_LARGEST_HAPPENING_BYTES = 32 << 10
_CLOSE_WITHIN_S = 2.0
_OPENING_PAGE = '<!DOCTYPE html><title>Opening</title><meta http-equiv="refresh" content="0;url=/"><a href="/">Open the page</a>'


class PageEntries:
    """The entries of the page, oldest first; the oldest are dropped if they are too many or too large."""

    def __init__(self) -> None:
        self._entries: deque[tuple[int, Event]] = deque(maxlen=_MOST_SHOWN)
        self._numbers = count(1)

    def add(self, entry: Event) -> Event:
        """Add an entry; return its event for the page."""
        event: Event = {"type": "entry", "entry": {"number": next(self._numbers), **entry}}
        self._entries.append((len(json.dumps(event)), event))
        while len(self._entries) > 1 and sum(size for size, _ in self._entries) > _MOST_SHOWN_BYTES:
            self._entries.popleft()
        return event

    def __iter__(self) -> Iterator[Event]:
        """Yield the events of all entries."""
        return (event for _, event in tuple(self._entries))


class CompanionServer:
    """Serves the page of one session, in a separate thread with its own event loop."""

    def __init__(self, host: PageHost) -> None:
        self._host = host
        self._token = secrets.token_urlsafe(24)
        self._cookie = f"mcp-gen-ui-{secrets.token_hex(4)}"
        self._codes: deque[str] = deque(maxlen=_MOST_CODES)
        self._events = Events()
        self._happenings = Happenings(_LARGEST_HAPPENING_BYTES)
        self._entries = PageEntries()
        self._sockets: tuple[socket.socket, socket.socket] | None = None
        self._thread: threading.Thread | None = None
        self._loop = asyncio.new_event_loop()  # calls that are posted early run when it starts
        self._end = asyncio.Event()

    # --- called in the transport's thread -----------------------------------------------

    def address(self) -> str:
        """Start the server if needed, and return an address that opens the page once."""
        self._start()
        code = secrets.token_urlsafe(16)
        self._codes.append(code)
        assert self._sockets is not None  # noqa: S101 -- `_start` opens them
        return f"http://{LOOPBACK}:{port_of(self._sockets[0])}{ENTRANCE}?code={code}"

    def bring_up(self, address: str) -> str:
        """Focus an open tab, or open one if there is a display; return what was done."""
        if self._events.has_subscribers:
            self._call_on_loop(lambda: self._events.publish({"type": "focus"}))
            return "open"
        if not _has_display(os.environ):
            return "not opened"
        threading.Thread(target=_open_browser, args=(address,), daemon=True, name="open-browser").start()
        return "opening"

    def show(self, shown: SeenCall | Pushed) -> None:
        """Add an entry to the page."""
        self._call_on_loop(lambda: self._events.publish(self._entries.add(_entry(shown))))

    def wait(self, timeout_s: float, then: Callable[[list[Happening]], None]) -> Step:
        """Call ``then`` with the next page events, in the transport's thread; return a cancel function."""
        self._start()
        begun: list[asyncio.Task[None]] = []

        async def take() -> None:
            taken = await self._happenings.take(timeout_s)
            self._host.post(lambda: then(taken))

        def end() -> None:
            for each in begun:
                each.cancel()

        self._call_on_loop(lambda: begun.append(self._loop.create_task(take())))
        return lambda: self._call_on_loop(end)

    def put_back(self, happened: list[Happening]) -> None:
        """Put back page events that did not reach the agent."""
        if happened:
            self._call_on_loop(lambda: self._happenings.put_back(happened))

    def close(self) -> None:
        """End the server."""
        self._call_on_loop(self._end.set)
        if self._thread is None:
            self._loop.close()
        else:
            self._thread.join(_CLOSE_WITHIN_S)

    def _start(self) -> None:
        if self._thread is not None:
            return
        try:
            self._sockets = bound_socket(LOOPBACK, 0), bound_socket(LOOPBACK, 0)
        except CannotListen as error:
            raise GenUiError(f"The page cannot be served: {error}") from error
        on_loop = partial(anyio.run, self._serve, backend_options={"loop_factory": lambda: self._loop})
        self._thread = threading.Thread(target=on_loop, daemon=True, name="companion")
        self._thread.start()

    def _call_on_loop(self, step: Step) -> None:
        """Call a function in the page's thread, once its loop runs."""
        with suppress(RuntimeError):  # it may have ended
            self._loop.call_soon_threadsafe(step)

    # --- in the page's thread -----------------------------------------------------------

    async def _serve(self) -> None:
        assert self._sockets is not None  # noqa: S101 -- see above
        api = PageApi(
            ask=self._ask,
            start_again=lambda: None,  # the wrapper restarts its upstream by itself
            events=self._events,
            happenings=self._happenings,
            title=self._host.title,
            has_model=self._host.has_model,
            sandbox_port=port_of(self._sockets[1]),
            server_state=lambda: {"type": "state", "state": "ready"},
            greeting=self._greet,
        )
        serve = partial(serve_page, cookie=self._cookie, index="companion.html", enter=self._exchange_code)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(serve, api, self._sockets, self._token)
            await self._end.wait()
            tasks.cancel_scope.cancel()

    async def _ask(self, method: str, params: dict[str, object]) -> dict[str, object]:
        """Return the wrapper's result. Raises UpstreamFailed if the wrapper or the upstream has an error."""
        answered = Future[Mapping[str, object]]()

        def then(message: Mapping[str, object]) -> None:
            with suppress(InvalidStateError):  # the page may be gone
                answered.set_result(message)

        self._host.ask(method, params, then)
        message = await asyncio.wrap_future(answered)
        result, error = message.get("result"), message.get("error")
        if isinstance(result, dict):
            return result
        text = "The server answered with neither a result nor an error."
        raise UpstreamFailed(
            error if isinstance(error, dict) else {"code": APPLICATION_ERROR, "message": text}
        )

    def _greet(self) -> Iterator[Event]:
        """Return the events for a new page, with all entries; tell an older page that a new one took over."""
        self._events.publish({"type": "moved"})
        return iter(self._entries)

    async def _exchange_code(self, exchange: Exchange) -> None:
        """Exchange a code for the cookie.

        The answer is a page that opens `/`: redirected from another site, a browser sends no strict cookie.
        """
        try:
            self._codes.remove(query_of(exchange).get("code", ""))
        except ValueError:
            words = "This address was used before, or is too old. Ask the agent for a new one (_ui_open)."
            raise Refused(403, words) from None
        cookie = f"{self._cookie}={self._token}; HttpOnly; Path=/; SameSite=strict"
        headers = ((b"set-cookie", cookie.encode()),)
        exchange.respond(200, _OPENING_PAGE.encode(), "text/html; charset=utf-8", headers)


def _entry(shown: SeenCall | Pushed) -> Event:
    if isinstance(shown, Pushed):
        data = shown.data
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        structured = {"structuredContent": data} if isinstance(data, dict) else {}
        result = {"content": [{"type": "text", "text": text}], **structured}
        return {"kind": "pushed", "title": shown.title, "html": shown.page, "result": result}
    why = "cannot be read" if shown.line else "is too large for this page; the agent has it"
    answer = decode(shown.line) or {"error": {"message": f"The answer {why}."}}
    response: Event = {key: answer[key] for key in answer if key in ("result", "error")}
    arguments = shown.params.get("arguments")
    return {"kind": "call", "tool": shown.params.get("name"), "arguments": arguments or {}, **response}


def _has_display(environment: Mapping[str, str]) -> bool:
    if environment.get("BROWSER") == "none":
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return any(environment.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"))


def _open_browser(address: str) -> None:
    """Open a tab from another process, since our standard output carries the protocol."""
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-m", "webbrowser", "-t", address]
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(command, stdin=nothing, stdout=nothing, stderr=nothing, timeout=30, check=False)
