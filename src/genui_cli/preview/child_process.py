"""The server's process: started with pipes, ended gently, never left behind."""

import os
import signal
import sys
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import anyio
import attrs
from anyio.abc import ByteReceiveStream, ByteSendStream, Process

from genui_cli.preview.errors import ServerEnded

LEAVE_BY_ITSELF_S = 3.0
LEAVE_WHEN_TOLD_S = 2.0
_TAIL_LINES = 20


@attrs.define(kw_only=True)
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
        return _ending(self.process.returncode)


@asynccontextmanager
async def child_process(argv: Sequence[str]) -> AsyncIterator[ChildProcess]:
    """Run `argv`; on leaving, close its input, then wait, terminate and kill as needed.

    Its standard error is copied to ours.

    Raises:
        ServerEnded: The command cannot be started.
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
    _kill_whole_group(process)
    # Bounded: before Python 3.13 the wait also waits for other processes that hold the pipes.
    with anyio.move_on_after(LEAVE_WHEN_TOLD_S):
        await process.wait()
        await process.aclose()


def _kill_whole_group(process: Process) -> None:
    """Kill the child and its remaining children: they have a process group of their own."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _ending(code: int | None) -> str:
    if code is None:
        return "The server closed its output but is still running."
    if code >= 0:
        return f"The server ended with exit code {code}."
    try:
        return f"The server was ended by {signal.Signals(-code).name}."
    except ValueError:
        return f"The server was ended by signal {-code}."
