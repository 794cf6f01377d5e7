"""The preview's server over time: starting, ready, ended, and started again when asked."""

import signal
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import anyio
import attrs
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from starlette.requests import Request

from genui_adapters.io.process import KILL, signal_group
from genui_adapters.upstream.message import Message
from genui_cli.preview.happenings import Event, Events
from genui_cli.preview.wire import PreviewError, ServerEnded
from genui_cli.preview.wrapped_server import OUTPUT_CLOSED, WrappedServer

LEAVE_BY_ITSELF_S = 3.0
LEAVE_WHEN_TOLD_S = 2.0
_TAIL_LINES = 20


@attrs.frozen(kw_only=True)
class ChildProcess:
    """A running child with its two pipes and the end of what it wrote to standard error."""

    process: Process
    output: ByteReceiveStream
    to_child: ByteSendStream
    tail: deque[str] = attrs.field(factory=lambda: deque(maxlen=_TAIL_LINES))

    async def farewell(self) -> str:
        """Wait a moment for the child to end; return how it ended, in one sentence."""
        with anyio.move_on_after(LEAVE_WHEN_TOLD_S):
            await self.process.wait()
        code = self.process.returncode
        if code is None:
            return "The server closed its output but is still running."
        if code >= 0:
            return f"The server ended with exit code {code}."
        named = {each.value: each.name for each in signal.Signals}
        return f"The server was ended by {named.get(-code, f'signal {-code}')}."


@asynccontextmanager
async def child_process(argv: Sequence[str]) -> AsyncIterator[ChildProcess]:
    """Run `argv`; on leaving, close its input, then wait, terminate and kill as needed.

    Its standard error is copied to ours.

    Raises ServerEnded if the command cannot be started.
    """
    try:
        process = await anyio.open_process(argv, start_new_session=True)
    except OSError as cannot:
        raise ServerEnded(f"Cannot start {argv[0]}: {cannot.strerror or cannot}") from cannot
    assert process.stdout is not None  # noqa: S101 - open_process gives pipes; this tells the type checker
    assert process.stdin is not None  # noqa: S101
    child = ChildProcess(process=process, output=process.stdout, to_child=process.stdin)
    async with anyio.create_task_group() as copying:
        copying.start_soon(_copy_errors, child)
        try:
            yield child
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process)
            copying.cancel_scope.cancel()


async def _copy_errors(child: ChildProcess) -> None:
    assert child.process.stderr is not None  # noqa: S101 - see above
    try:
        async for chunk in child.process.stderr:
            text = chunk.decode(errors="replace")
            sys.stderr.write(text)
            sys.stderr.flush()
            child.tail.extend(text.splitlines())
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return


async def _end(process: Process) -> None:
    assert process.stdin is not None  # noqa: S101 - see above
    with suppress(OSError, anyio.BrokenResourceError):
        await process.stdin.aclose()
    with anyio.move_on_after(LEAVE_BY_ITSELF_S):
        await process.wait()
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        with anyio.move_on_after(LEAVE_WHEN_TOLD_S):
            await process.wait()
    signal_group(process, KILL)
    # Bounded: before Python 3.13 the wait also waits for other processes that hold the pipes.
    with anyio.move_on_after(LEAVE_WHEN_TOLD_S):
        await process.wait()
        await process.aclose()


# The wrapper gives its upstream 120 s to start; the page must not give up before the wrapper does.
START_TIMEOUT_S = 130.0


class Connection:
    """Owns the child process and the client that talks to it; only `run` starts or ends either."""

    def __init__(
        self, argv: Sequence[str], events: Events, announce: Callable[[str], None], version: str
    ) -> None:
        self._argv = argv
        self._events = events
        self._announce = announce
        self._version = version
        self._server: WrappedServer | None = None
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
        """Pass a request to the server.

        Raises:
            RequestFailed: The server answered with an error.
            ServerEnded: There is no server, or it ended before it answered.
        """
        if self._server is None:
            raise ServerEnded(self.state.get("reason") or "The server is still starting.")
        return await self._server.request(method, params)

    async def _one_life(self) -> None:
        try:
            async with child_process(self._argv) as child:
                reason = await self._talk(child)
                if reason is None:
                    return
                ending = await child.farewell()
                self._ended(ending if reason == OUTPUT_CLOSED else f"{reason} {ending}", list(child.tail))
        except ServerEnded as never_started:
            self._ended(str(never_started), [])

    async def _talk(self, child: ChildProcess) -> str | None:
        """Return why the conversation ended; None when a restart was asked for."""
        server = WrappedServer(child.output, child.to_child, self._publish)
        reason: str | None = None
        async with anyio.create_task_group() as tasks:

            async def follow() -> None:
                nonlocal reason
                reason = await server.run()
                tasks.cancel_scope.cancel()

            async def restart_when_asked() -> None:
                await self._asked_to_restart.wait()
                tasks.cancel_scope.cancel()

            async def greet() -> None:
                nonlocal reason
                try:
                    with anyio.fail_after(START_TIMEOUT_S):
                        answer = await server.initialize(self._version)
                except TimeoutError:
                    reason = f"The server did not answer the handshake within {START_TIMEOUT_S:.0f} s."
                except PreviewError as refused:
                    reason = f"The handshake failed: {refused}"
                else:
                    self._server = server
                    self._now({"state": "ready", "server": answer})
                    return
                tasks.cancel_scope.cancel()

            for task in (follow, restart_when_asked, greet):
                tasks.start_soon(task)
        self._server = None
        return reason

    def _publish(self, message: Message) -> None:
        self._events.publish({"type": "notification", "message": message})

    def _ended(self, reason: str, tail: list[str]) -> None:
        self._announce(reason)
        self._now({"state": "ended", "reason": reason, "errorOutput": tail})

    def _now(self, state: Event) -> None:
        self.state = {"type": "state", **state}
        self._events.publish(self.state)


Found = TypeVar("Found")


async def unless_abandoned(request: Request, work: Callable[[], Awaitable[Found]]) -> Found | None:
    """Return the result of `work`; if the client disconnects first, cancel the work and return None.

    The body of the request must have been read.
    """
    found: Found | None = None
    async with anyio.create_task_group() as tasks:

        async def cancel_when_they_leave() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(cancel_when_they_leave)
        found = await work()
        tasks.cancel_scope.cancel()
    return found
