"""Keeps a folder of exported views up to date with the views that a wrapper makes (``--export-dir``)."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from genui_adapters.bundle.writing import BundleWriter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.tool import Tool
from genui_core.ports.event_log import Level

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView


@define(eq=False)
class Mirror:
    """Writes in a thread of its own, view by view. What is left to write is written when the process ends."""

    _wrapper: Wrapper
    _writer: BundleWriter
    _thread: ThreadPoolExecutor = field(factory=partial(ThreadPoolExecutor, 1, "mirror"), init=False)

    def shown(self, tool: Tool, view: "PresentView | None") -> None:
        """Have a tool's view written soon."""
        self._thread.submit(self._write, tool, view)

    def _write(self, tool: Tool, view: "PresentView | None") -> None:
        try:
            self._writer.write(self._wrapper.views.exported(tool, view))
            self._writer.save()
        except Exception as error:  # noqa: BLE001 -- no request waits for the export, and serving continues
            self._wrapper.event_log.record(
                Level.WARN, "wrapper", "export_failed", tool_name=tool.name, reason=str(error)
            )


def mirror_views(wrapper: Wrapper, folder: str | Path) -> None:
    """Have every view of a wrapper's written into a folder as it is made, now and later.

    Args:
        wrapper: The wrapper that makes the views.
        folder: Empty, missing, or an export of this program; its other views stay.

    Raises:
        UnfitFolder: It is something else.
    """
    writer = BundleWriter.into(Path(folder).expanduser(), keep=True)
    wrapper.watch_views(Mirror(wrapper, writer).shown)
