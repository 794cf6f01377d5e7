"""Bounds for what a host sends over HTTP: how long it may take, how long it may be, and how many do it at once."""

import asyncio
from typing import Any

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

HEAD_S = 10.0
"""How long the head of a request may take, from the connection or the request's first byte."""
BODY_S = 60.0
"""How long the body of a request may take after its head."""
MOST_HALF_OPEN = 128
"""How many connections may be in the middle of a request, or before their first; beyond that, the oldest ends."""
MOST_HEAD_BYTES = 64 * 1024

_TIMEOUT = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol on httptools, which alone bounds only how long a connection stays idle."""

    _half_open: dict["BoundedProtocol", None]
    _deadline: asyncio.TimerHandle | None = None
    _in_request = True
    """Whether a request is incomplete; before its first byte, a connection counts as one."""
    _in_head = True
    _head_bytes = 0

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        shared = server_state.__dict__
        self._half_open = shared.setdefault("half_open", {})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait(HEAD_S)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; refuse a head that is too long."""
        if self._in_head:
            self._head_bytes += len(data)
        super().data_received(data)
        if self._in_head and self._head_bytes > MOST_HEAD_BYTES:
            self._refuse(_TOO_LONG)
        elif self._in_request and self._deadline is None and not self.transport.is_closing():
            self._wait(HEAD_S if self._in_head else BODY_S)
        elif not self._in_request:
            self._stop_waiting()

    def on_message_begin(self) -> None:
        """Note that a request begins."""
        self._in_request = self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note that the head is complete; the body has a time of its own."""
        self._in_head = False
        self._head_bytes = 0
        self._stop_waiting()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Note that the request is complete."""
        self._in_request = False
        super().on_message_complete()

    def _wait(self, limit_s: float) -> None:
        self._deadline = self.loop.call_later(limit_s, self._refuse, _TIMEOUT)
        self._half_open[self] = None
        if len(self._half_open) > MOST_HALF_OPEN:
            next(iter(self._half_open))._refuse(_TIMEOUT)  # noqa: SLF001 -- another of this class

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self._half_open.pop(self, None)

    def _refuse(self, response: bytes) -> None:
        self._stop_waiting()
        if self.transport.is_closing():
            return
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or not cycle.response_started:
            self.transport.write(response)
        self.transport.close()
