"""The preview's connection to its server: starts the server, does the handshake, restarts on request."""

import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import anyio
from anyio import to_thread
from attrs import frozen

from genui_adapters.io.loop_upstream import UpstreamLog
from genui_adapters.io.nursery import nursery
from genui_adapters.io.process import CannotStart, UpstreamCommand, UpstreamProcess
from genui_adapters.upstream.connection import Connection as UpstreamConnection
from genui_adapters.upstream.link import NotTaken
from genui_adapters.upstream.pending import Notices
from genui_adapters.upstream.stdio_link import MessageLines, process_link
from genui_cli.preview.happenings import Event, Events
from genui_cli.preview.page_api import ServerEnded
from genui_core.application.services import SilentEventLog
from genui_core.domain.mcp.envelope import LATEST_HANDSHAKE, SHOWS_APPS
from genui_core.domain.mcp.jsonrpc import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    Params,
    Result,
    notification_message,
)
from genui_core.errors import HostRefused, InvalidArguments, UpstreamDied, UpstreamFailed
from genui_core.ports.tool_source import HostChannel, HostFacts, Notice

LEAVE_BY_ITSELF_S, LEAVE_WHEN_TOLD_S = 3.0, 2.0
"""The wrapper's time to exit by itself, and then on a signal; it must end its upstream in that time."""
# The wrapper gives its upstream 120 s to start; the page must not give up before the wrapper does.
START_TIMEOUT_S = 130.0
LONGEST_LINE_BYTES = 128 * 1024 * 1024
_OUTPUT_CLOSED = "The server closed its output."
_TAIL_LINES = 20
_NOT_YET = frozenset({"sampling/createMessage", "elicitation/create"})


class ErrorOutput(UpstreamLog):
    """Copies the server's standard error to our standard error, and keeps the last lines."""

    def __init__(self, name: str) -> None:
        super().__init__(name, SilentEventLog())
        self.end = ""

    def stderr_sent(self, data: bytes) -> None:
        """Copy bytes from the server's standard error."""
        text = data.decode(errors="replace")
        sys.stderr.write(text)
        sys.stderr.flush()
        # The bytes may end in the middle of a line.
        self.end = "".join((self.end + text).splitlines(keepends=True)[-_TAIL_LINES:])


@frozen
class _PreviewChannel(HostChannel):
    """The preview as the server's host: forwards all notifications, and answers few requests."""

    _forward: Notice

    async def ask(self, method: str, params: Params) -> Result:  # noqa: ARG002 -- no answer depends on them
        """Return an empty list of roots; refuse every other request."""
        if method == "roots/list":
            return {"roots": []}
        refusal = f"Method not found: {method}"
        if method in _NOT_YET:
            refusal = f"The preview does not support {method} yet."
        raise HostRefused({"code": METHOD_NOT_FOUND, "message": refusal})

    async def tell(self, method: str, params: Params) -> None:
        """Forward a notification that belongs to a request."""
        await self._forward(method, params)


class Connection:
    """The server's process and the connection to it; only `run` starts and ends them."""

    def __init__(
        self, argv: Sequence[str], events: Events, announce: Callable[[str], None], version: str
    ) -> None:
        self._argv = tuple(argv)
        self._events = events
        self._announce = announce
        self._host = HostFacts({"name": "mcp-gen-ui-preview", "version": version}, SHOWS_APPS)
        self._channel = _PreviewChannel(self._publish)
        self._server: UpstreamConnection | None = None
        self._restart_requested = anyio.Event()
        self.state: Event = {"type": "state", "state": "starting"}
        self.exit_code: int | None = None  # of the last server that ended; below 0 for a signal

    async def run(self) -> None:
        """Keep a server running until cancelled; after it ends, wait for `restart`."""
        while True:
            self._restart_requested = anyio.Event()
            self._publish_state({"state": "starting"})
            await self._run_server()
            await self._restart_requested.wait()

    def restart(self) -> None:
        """End the server if it runs, and start it again; `run` does it."""
        self._restart_requested.set()

    async def request(self, method: str, params: dict[str, object]) -> dict[str, object]:
        """Forward a request to the server, without a timeout. Cancelling the caller notifies the server.

        Raises:
            UpstreamFailed: The server answered with an error, or the params cannot be written as JSON.
            ServerEnded: There is no server, or it ended before it answered.
        """
        if self._server is None:
            raise ServerEnded(self.state.get("reason") or "The server is still starting.")
        return await self._ask(self._server, method, params)

    async def _run_server(self) -> None:
        graces_s = LEAVE_BY_ITSELF_S, LEAVE_WHEN_TOLD_S
        try:
            process = UpstreamProcess(UpstreamCommand(self._argv, os.environ), graces_s)
        except CannotStart as cannot:
            why: Any = cannot.__cause__
            self._publish_end(f"Cannot start {self._argv[0]}: {why.strerror or why}", [])
            return
        said, log = ErrorOutput(process.name), SilentEventLog()
        async with nursery() as tasks:
            notices = Notices(self._publish, log)
            server = UpstreamConnection(self._host, tasks, notices, self._channel, log)
            lines = MessageLines(server, log, process.name, LONGEST_LINE_BYTES)
            async with process_link(process, said, lines) as server.link:
                tasks.start_soon(notices.run)
                reason = await self._run_session(server)
                self._server = None
                lines.ended()  # fails all pending requests
                if reason is not None:
                    self.exit_code = await to_thread.run_sync(process.exit_code, LEAVE_WHEN_TOLD_S)
        if reason is not None:  # at the end of the link, all of standard error is read
            self._publish_end(f"{reason} {_exit_sentence(self.exit_code)}".lstrip(), said.end.splitlines())

    async def _run_session(self, server: UpstreamConnection) -> str | None:
        """Return why the session ended: empty if the server's output ended, None for a restart."""
        reason: str | None = None
        async with anyio.create_task_group() as tasks:

            async def end_with(wait: Callable[[], Awaitable[object]], why: str | None) -> None:
                nonlocal reason
                await wait()
                reason = why
                tasks.cancel_scope.cancel()

            tasks.start_soon(end_with, server.lost, "")
            tasks.start_soon(end_with, self._restart_requested.wait, None)
            reason = await self._initialize(server)
            if reason is not None:
                tasks.cancel_scope.cancel()
        return reason

    async def _initialize(self, server: UpstreamConnection) -> str | None:
        """Do the handshake as a host that shows MCP Apps; return as `_run_session` why it failed, or None."""
        host = self._host
        hello = {
            "protocolVersion": LATEST_HANDSHAKE,
            "capabilities": host.capabilities,
            "clientInfo": host.info,
        }
        try:
            with anyio.fail_after(START_TIMEOUT_S):
                answer = await self._ask(server, "initialize", hello)
        except TimeoutError:
            return f"The server did not answer the handshake within {START_TIMEOUT_S:.0f} s."
        except ServerEnded:
            return ""
        except UpstreamFailed as refused:
            return f"The handshake failed: {refused.error.get('message')}"
        await server.notify("notifications/initialized", None)
        self._server = server
        self._publish_state({"state": "ready", "server": answer})
        return None

    async def _ask(self, server: UpstreamConnection, method: str, params: Params) -> dict[str, object]:
        try:
            return dict(await server.request(method, params, self._channel))
        except InvalidArguments as cannot:
            raise UpstreamFailed({"code": INVALID_PARAMS, "message": str(cannot)}) from cannot
        except (NotTaken, UpstreamDied) as lost:
            raise ServerEnded(_OUTPUT_CLOSED) from lost

    async def _publish(self, method: str, params: Params) -> None:
        self._events.publish({"type": "notification", "message": notification_message(method, params)})

    def _publish_end(self, reason: str, tail: list[str]) -> None:
        self._announce(reason)
        self._publish_state({"state": "ended", "reason": reason, "errorOutput": tail})

    def _publish_state(self, state: Event) -> None:
        self.state = {"type": "state", **state}
        self._events.publish(self.state)


def _exit_sentence(code: int | None) -> str:
    """Return a sentence about how the server ended; without an exit code it still runs."""
    if code is None:
        return "The server closed its output but is still running."
    if code >= 0:
        return f"The server ended with exit code {code}."
    named = {each.value: each.name for each in signal.Signals}
    return f"The server was ended by {named.get(-code, f'signal {-code}')}."
