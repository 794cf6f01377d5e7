"""Reads exported views back, to be served without a model (``--frozen``)."""

from hashlib import sha256
from pathlib import Path

from genui_adapters.bundle.folder import manifest_in, read_plain
from genui_core.domain.exported_views import ExportedView
from genui_core.domain.frozen_views import FrozenView, FrozenViews
from genui_core.ports.event_log import EventLog, Level, SilentEventLog

_MOST_FILE_BYTES = 4 * 1024 * 1024


def frozen_views_in(folder: str | Path, event_log: EventLog | None = None) -> FrozenViews:
    """Return the views of a folder that `mcp-gen-ui export` wrote.

    A view of which a file is missing, or is not what was written, is left out and the event log told: its tool
    gets the minimal UI.

    Args:
        folder: The folder.
        event_log: Logs the views that are left out.

    Raises:
        UnfitFolder: It is no such folder.
    """
    place = Path(folder).expanduser()
    found = {}
    for entry in manifest_in(place).views:
        try:
            found[entry.tool] = _read(place, entry)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            (event_log or SilentEventLog()).record(
                Level.WARN, "wrapper", "frozen_view_damaged", tool_name=entry.tool, reason=reason
            )
    return FrozenViews(found)


def _read(folder: Path, entry: ExportedView) -> FrozenView:
    _content(folder / entry.file, entry.sha256)
    written = entry.source
    if written is None:
        return FrozenView(entry=entry)
    return FrozenView(entry=entry, source=_content(folder / written.file, written.sha256).decode())


def _content(path: Path, wanted: str) -> bytes:
    try:
        content = read_plain(path, _MOST_FILE_BYTES)
    except FileNotFoundError as error:
        raise ValueError(f"{path.name} is missing") from error
    if sha256(content).hexdigest() != wanted:
        raise ValueError(f"{path.name} is not what was exported")
    return content
