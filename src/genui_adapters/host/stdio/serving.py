"""The stdio transport: a stdio host in front of a stdio upstream."""

import os
import select
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from genui_adapters.host.stdio.connection import StdioConnection
from genui_adapters.host.worker_thread import WorkerThread
from genui_adapters.io.process import UpstreamProcess
from genui_core.application.stdio.router import StdioRouter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.tools.tool import Tool
from genui_core.ports.event_log import Level

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView

Driver = Literal["loop", "threads"]


def serve_stdio(
    wrapper: Wrapper,
    upstream: UpstreamProcess,
    *,
    host_in: int = 0,
    host_out: int = 1,
    driver: Driver | None = None,
) -> bool:
    """Relay between the host on our standard streams and an upstream, until the host leaves.

    An upstream that dies is started again, unless it has never answered anything. Blocks. Must
    be called from the main thread, since it answers SIGTERM and SIGINT.

    Args:
        wrapper: Gives the upstream's tools their UIs.
        upstream: Is ended when this returns, and so is every one that took its place.
        host_in: Where the host writes.
        host_out: Where the host reads.
        driver: How the bytes are moved; what suits the descriptors where none is named.

    Returns:
        Whether the host went first; False means that the upstream stopped before it ever worked.

    Raises:
        UpstreamTimeout: The upstream runs, but did not answer within its time to start.
    """
    wrapper.event_log.record(Level.DEBUG, "wrapper", "startup", upstream=upstream.name, pid=upstream.pid)
    if driver is None:
        driver = "loop" if _can_be_watched(host_in) and _can_be_watched(host_out) else "threads"
    router = _router(wrapper)
    supervision = router.supervision
    connection = _driver_class(driver)(
        router.relay, supervision, wrapper.event_log, upstream, host_in, host_out
    )
    try:
        connection.serve()
    finally:
        router.views.worker.close()
    if supervision.failure is not None:
        raise supervision.failure
    return connection.host_left


def _router(wrapper: Wrapper) -> StdioRouter:
    """Return the wrapper's part of the connection, with a generation worker in a thread of its own."""

    def post(step: Callable[[], None]) -> None:
        router.relay.post(step)

    def changed(tool: Tool, view: "PresentView") -> None:
        if router.views.view_changed(tool, view):
            router.views_changed((tool.name,))

    router = StdioRouter(wrapper.open(lambda views: WorkerThread(views, post, changed)))
    return router


def _driver_class(driver: Driver) -> type[StdioConnection[Any]]:
    """Return the driver of that name; the other one's modules are not loaded."""
    if driver == "loop":
        from genui_adapters.host.stdio.loop import LoopDriver  # noqa: PLC0415 -- see above

        return LoopDriver
    from genui_adapters.host.stdio.threads import ThreadDriver  # noqa: PLC0415 -- see above

    return ThreadDriver


def _can_be_watched(fd: int) -> bool:
    """Whether an event loop can watch a descriptor: pipes, sockets and terminals, but no files, nor any on Windows."""
    if not hasattr(select, "poll"):
        return False
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd)
