"""Door (a): a stdio host in front of a stdio upstream."""

import os
import stat
import sys

from genui_adapters.host.stdio_events import UpstreamLog
from genui_adapters.upstream.process import UpstreamProcess
from genui_core.application.interception import StdioInterception
from genui_core.application.wrapper import Wrapper
from genui_core.domain.relay import Relay
from genui_core.ports.journal import Level


def serve_stdio(wrapper: Wrapper, upstream: UpstreamProcess, *, host_in: int = 0, host_out: int = 1) -> bool:
    """Relay between the host on our standard streams and an upstream, until one of them ends.

    Blocks. Must be called from the main thread, since it answers SIGTERM and SIGINT.

    Returns:
        Whether the host went first; False means that the upstream stopped by itself.
    """
    log = UpstreamLog(upstream.name, wrapper.journal)
    wrapper.journal.record(Level.DEBUG, "wrapper", "startup", upstream=upstream.name, pid=upstream.pid)
    try:
        return _relay(StdioInterception(wrapper).relay, upstream, log, host_in, host_out)
    finally:
        code = upstream.end()
        log.drain(upstream.stderr_fd)
        wrapper.journal.record(Level.DEBUG, "relay", "upstream_ended", upstream=upstream.name, exit_code=code)


def _relay(relay: Relay, upstream: UpstreamProcess, log: UpstreamLog, host_in: int, host_out: int) -> bool:
    if _can_be_watched(host_in) and _can_be_watched(host_out):
        import asyncio  # noqa: PLC0415 -- the other driver does without

        from genui_adapters.host.stdio_loop import LoopDriver  # noqa: PLC0415

        loop_driver = LoopDriver(relay, upstream, log, host_in, host_out)
        asyncio.run(loop_driver.run())
        return loop_driver.host_left
    from genui_adapters.host.stdio_threads import ThreadDriver  # noqa: PLC0415

    thread_driver = ThreadDriver(relay, upstream, log, host_in, host_out)
    thread_driver.run()
    return thread_driver.host_left


def _can_be_watched(fd: int) -> bool:
    """Whether an event loop can watch a descriptor: pipes, sockets and terminals, but no files, nor any on Windows."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd)
