"""What models wrote, kept in a folder for a person to look at (``--debug``)."""

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from anyio.to_thread import run_sync
from attrs import define, field

from genui_adapters.view_store.private_files import replace_private
from genui_core.domain.views.stored_view import StoredView
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_store import Answer, AroundStore, ViewStore

_PREFIX = "mcp-gen-ui-debug-"


@define
class RecordingStore(AroundStore):
    """Writes every view that comes by into a file of its own, and leaves the rest to another store.

    The folder is made with the first of them; only this user can look into it. No file is named
    after a tool: the log says which is whose.

    Args:
        inner: The other store.
        event_log: Logs the folder, once, and each file.
    """

    inner: ViewStore
    event_log: EventLog
    _folder: Path | None = field(default=None, init=False)
    _number: int = field(default=0, init=False)

    async def set(self, view: StoredView) -> bool:
        """Write the view down and hand it on."""
        if view.html:
            await self._write(view)
        return await self.inner.set(view)

    async def _ask(
        self, operation: str, ask: Callable[[ViewStore], Awaitable[Answer]], otherwise: Answer
    ) -> Answer:
        """Ask the other store; what was written down stays, whatever that forgets."""
        del operation, otherwise
        return await ask(self.inner)

    async def _write(self, view: StoredView) -> None:
        self._number += 1
        name = f"{self._number:03}-{view.key[:8]}.html"
        try:
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
                self.event_log.record(Level.INFO, "wrapper", "debug_folder", folder=str(self._folder))
            content = view.html.encode(errors="replace")
            await run_sync(replace_private, self._folder / name, content)
        except OSError as error:
            self.event_log.record(Level.WARN, "wrapper", "html_not_kept", reason=str(error))
            return
        self.event_log.record(
            Level.DEBUG,
            "wrapper",
            "html_kept",
            tool_name=view.tool_name,
            request_id=view.request_id,
            file=name,
        )
