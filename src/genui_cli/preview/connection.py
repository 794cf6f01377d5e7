"""The preview's server over time: starting, ready, ended, and started again when asked."""

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
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, notification_message
from genui_core.errors import HostRefused, InvalidArguments, UpstreamDied, UpstreamFailed
from genui_core.ports.tool_source import HostChannel, HostFacts, Notice, Params, Result

LEAVE_BY_ITSELF_S, LEAVE_WHEN_TOLD_S = 3.0, 2.0
"""How long the wrapper may take to end; it ends its own upstream first."""
# The wrapper gives its upstream 120 s to start; the page must not give up before the wrapper does.
START_TIMEOUT_S = 130.0
LONGEST_LINE_BYTES = 128 * 1024 * 1024
_OUTPUT_CLOSED = "The server closed its output."
_TAIL_LINES = 20
_NOT_YET = frozenset({"sampling/createMessage", "elicitation/create"})


class ErrorOutput(UpstreamLog):
    """Copies the server's standard error to ours, and keeps its end."""

    def __init__(self, name: str) -> None:
        super().__init__(name, SilentEventLog())
        self.end = ""

    def stderr_sent(self, data: bytes) -> None:
        """Take bytes from its standard error."""
        text = data.decode(errors="replace")
        sys.stderr.write(text)
        sys.stderr.flush()
        # One piece may end in the middle of a line.
        self.end = "".join((self.end + text).splitlines(keepends=True)[-_TAIL_LINES:])


@frozen
class _Person(HostChannel):
    """Stands for the person at the page: hears everything, and can be asked little."""

    _hear: Notice

    async def ask(self, method: str, params: Params) -> Result:  # noqa: ARG002 -- nothing depends on them
        """Return the roots, of which there are none; refuse everything else."""
        if method == "roots/list":
            return {"roots": []}
        refusal = f"Method not found: {method}"
        if method in _NOT_YET:
            refusal = f"The preview does not support {method} yet."
        raise HostRefused({"code": METHOD_NOT_FOUND, "message": refusal})

    async def tell(self, method: str, params: Params) -> None:
        """Pass on a notification that belongs to a request."""
        await self._hear(method, params)


class Connection:
    """Owns the server's process and the connection to it; only `run` starts or ends either."""

    def __init__(
        self, argv: Sequence[str], events: Events, announce: Callable[[str], None], version: str
    ) -> None:
        self._argv = tuple(argv)
        self._events = events
        self._announce = announce
        self._host = HostFacts({"name": "mcp-gen-ui-preview", "version": version}, SHOWS_APPS)
        self._person = _Person(self._publish)
        self._server: UpstreamConnection | None = None
        self._asked_to_restart = anyio.Event()
        self.state: Event = {"type": "state", "state": "starting"}

    async def run(self) -> None:
        """Keep a server running until cancelled; after it ends, wait for `restart`."""
        while True:
            self._asked_to_restart = anyio.Event()
            self._now({"state": "starting"})
            await self._one_life()
            await self._asked_to_restart.wait()

    def restart(self) -> None:
        """End the server if it runs, and start it again."""
        self._asked_to_restart.set()

    async def request(self, method: str, params: dict[str, object]) -> dict[str, object]:
        """Pass a request to the server. Cancelling the caller tells the server so; there is no time limit.

        Raises:
            UpstreamFailed: The server answered with an error, or the params cannot be written as JSON.
            ServerEnded: There is no server, or it ended before it answered.
        """
        if self._server is None:
            raise ServerEnded(self.state.get("reason") or "The server is still starting.")
        return await self._ask(self._server, method, params)

    async def _one_life(self) -> None:
        graces_s = LEAVE_BY_ITSELF_S, LEAVE_WHEN_TOLD_S
        try:
            process = UpstreamProcess(UpstreamCommand(self._argv, os.environ), graces_s)
        except CannotStart as cannot:
            why: Any = cannot.__cause__
            self._ended(f"Cannot start {self._argv[0]}: {why.strerror or why}", [])
            return
        said, log, ending = ErrorOutput(process.name), SilentEventLog(), ""
        async with nursery() as tasks:
            notices = Notices(self._publish, log)
            server = UpstreamConnection(self._host, tasks, notices, self._person, log)
            lines = MessageLines(server, log, process.name, LONGEST_LINE_BYTES)
            async with process_link(process, said, lines) as server.link:
                tasks.start_soon(notices.run)
                reason = await self._talk(server)
                self._server = None
                lines.ended()  # fails all pending requests
                if reason is not None:
                    ending = await to_thread.run_sync(_farewell, process)
        if reason is not None:  # leaving the link has read the server's last words
            self._ended(f"{reason} {ending}".lstrip(), said.end.splitlines())

    async def _talk(self, server: UpstreamConnection) -> str | None:
        """Return why the conversation ended, empty if its output ended; None when a restart was asked for."""
        reason: str | None = None
        async with anyio.create_task_group() as tasks:

            async def end_with(wait: Callable[[], Awaitable[object]], why: str | None) -> None:
                nonlocal reason
                await wait()
                reason = why
                tasks.cancel_scope.cancel()

            tasks.start_soon(end_with, server.lost, "")
            tasks.start_soon(end_with, self._asked_to_restart.wait, None)
            reason = await self._greet(server)
            if reason is not None:
                tasks.cancel_scope.cancel()
        return reason

    async def _greet(self, server: UpstreamConnection) -> str | None:
        """Shake hands as a host that shows MCP Apps; return as `_talk` why that failed, or None."""
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
        self._now({"state": "ready", "server": answer})
        return None

    async def _ask(self, server: UpstreamConnection, method: str, params: Params) -> dict[str, object]:
        try:
            return dict(await server.request(method, params, self._person))
        except InvalidArguments as cannot:
            raise UpstreamFailed({"code": INVALID_PARAMS, "message": str(cannot)}) from cannot
        except (NotTaken, UpstreamDied) as lost:
            raise ServerEnded(_OUTPUT_CLOSED) from lost

    async def _publish(self, method: str, params: Params) -> None:
        self._events.publish({"type": "notification", "message": notification_message(method, params)})

    def _ended(self, reason: str, tail: list[str]) -> None:
        self._announce(reason)
        self._now({"state": "ended", "reason": reason, "errorOutput": tail})

    def _now(self, state: Event) -> None:
        self.state = {"type": "state", **state}
        self._events.publish(self.state)


def _farewell(process: UpstreamProcess) -> str:
    """Wait a moment for the server to end; return how it ended, in one sentence."""
    code = process.exit_code(LEAVE_WHEN_TOLD_S)
    if code is None:
        return "The server closed its output but is still running."
    if code >= 0:
        return f"The server ended with exit code {code}."
    named = {each.value: each.name for each in signal.Signals}
    return f"The server was ended by {named.get(-code, f'signal {-code}')}."
