"""Door (a): a stdio host in front of a stdio upstream."""

import os
import stat
import sys
from collections.abc import Callable
from typing import Literal

from genui_adapters.host.stdio_events import UpstreamLog
from genui_adapters.upstream.process import UpstreamProcess
from genui_core.application.interception import StdioInterception
from genui_core.application.wrapper import Wrapper
from genui_core.domain.relay import Relay
from genui_core.ports.journal import Level

Driver = Literal["loop", "threads"]


def serve_stdio(
    wrapper: Wrapper,
    upstream: UpstreamProcess,
    *,
    host_in: int = 0,
    host_out: int = 1,
    driver: Driver | None = None,
) -> bool:
    """Relay between the host on our standard streams and an upstream, until one of them ends.

    Blocks. Must be called from the main thread, since it answers SIGTERM and SIGINT.

    Args:
        wrapper: Gives the upstream's tools their UIs.
        upstream: Is ended when this returns.
        host_in: Where the host writes.
        host_out: Where the host reads.
        driver: How the bytes are moved; what suits the descriptors where none is named.

    Returns:
        Whether the host went first; False means that the upstream stopped by itself.
    """
    log = UpstreamLog(upstream.name, wrapper.journal, wrapper.identity)
    wrapper.journal.record(Level.DEBUG, "wrapper", "startup", upstream=upstream.name, pid=upstream.pid)
    if driver is None:
        driver = "loop" if _can_be_watched(host_in) and _can_be_watched(host_out) else "threads"
    relay = StdioInterception(wrapper).relay
    try:
        return _DRIVERS[driver](relay, upstream, log, host_in, host_out)
    finally:
        code = upstream.end()
        log.drain(upstream.stderr_fd)
        upstream.close()
        wrapper.journal.record(Level.DEBUG, "relay", "upstream_ended", upstream=upstream.name, exit_code=code)


def _on_a_loop(
    relay: Relay, upstream: UpstreamProcess, log: UpstreamLog, host_in: int, host_out: int
) -> bool:
    import asyncio  # noqa: PLC0415 -- the other driver does without

    from genui_adapters.host.stdio_loop import LoopDriver  # noqa: PLC0415

    driver = LoopDriver(relay, upstream, log, host_in, host_out)
    asyncio.run(driver.run())
    return driver.host_left


def _on_threads(
    relay: Relay, upstream: UpstreamProcess, log: UpstreamLog, host_in: int, host_out: int
) -> bool:
    from genui_adapters.host.stdio_threads import ThreadDriver  # noqa: PLC0415 -- the other driver does without

    driver = ThreadDriver(relay, upstream, log, host_in, host_out)
    driver.run()
    return driver.host_left


_DRIVERS: dict[Driver, Callable[[Relay, UpstreamProcess, UpstreamLog, int, int], bool]] = {
    "loop": _on_a_loop,
    "threads": _on_threads,
}


def _can_be_watched(fd: int) -> bool:
    """Whether an event loop can watch a descriptor: pipes, sockets and terminals, but no files, nor any on Windows."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd)
