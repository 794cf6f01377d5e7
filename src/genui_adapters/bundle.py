"""A folder of exported views: reads it, writes it, and copies a running wrapper's views into it."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from genui_adapters.view_store.private_files import read_plain, replace_whole
from genui_core.application.pages.exported_page import ExportedPage
from genui_core.application.pages.view_pages import ViewPages
from genui_core.application.services import SilentEventLog
from genui_core.application.wrapper import Wrapper
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.exported_views import (
    MANIFEST,
    ExportedView,
    FrozenView,
    FrozenViews,
    Manifest,
    NotAnExport,
    manifest_from,
    manifest_text,
)
from genui_core.errors import GenUiError
from genui_core.ports.event_log import EventLog, Level

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView


READABLE = 0o666
"""The mode of exported files: everyone may read and write them, less the bits of the umask."""
_MOST_MANIFEST_BYTES = 64 * 1024 * 1024


class UnfitFolder(GenUiError):
    """A folder cannot be used for exported views; the text names it and says why."""


def manifest_in(folder: Path) -> Manifest:
    """Return the manifest of a folder.

    Raises UnfitFolder if the folder or its manifest is missing, or another program wrote the manifest.
    """
    try:
        text = read_plain(folder / MANIFEST, _MOST_MANIFEST_BYTES).decode()
        return manifest_from(text)
    except FileNotFoundError as error:
        raise UnfitFolder(f"{folder} holds no export: there is no {MANIFEST} in it") from error
    except (OSError, UnicodeDecodeError, NotAnExport) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnfitFolder(f"{folder} holds no export that can be used: {MANIFEST}: {reason}") from error


_MOST_FILE_BYTES = 4 * 1024 * 1024


def frozen_views_in(folder: str | Path, event_log: EventLog | None = None) -> FrozenViews:
    """Return the views of a folder that `mcp-gen-ui export` wrote; raise `UnfitFolder` for other folders.

    A view with a missing or changed file is left out and logged; its tool gets the minimal view.
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


class BundleWriter:
    """Writes exported views into one folder; the manifest lists a new view after `save`."""

    def __init__(self, folder: Path, *, keep: bool, force: bool = False) -> None:
        """Prepare a folder for views, and create it if it is missing.

        Args:
            folder: A missing or empty folder, or an export of this program.
            keep: Whether the other views in the folder stay.
            force: Whether any other folder is allowed too. Its files stay, except those with the name of an
                exported file.

        Raises:
            UnfitFolder: The folder is another one, or cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            names = [each.name for each in folder.iterdir()]
        except OSError as error:
            raise UnfitFolder(f"{folder} cannot be written: {error.strerror or error}") from error
        before = Manifest()
        try:
            before = manifest_in(folder) if names else before
        except UnfitFolder:
            if not force:
                raise UnfitFolder(f"{folder} is neither empty nor an export of mcp-gen-ui") from None
        self.folder = folder
        self.manifest = before if keep else Manifest()
        self._written_before = before.files

    def write(self, view: ExportedPage) -> None:
        """Write a view's files, or raise `OSError`."""
        replace_whole(self.folder / view.entry.file, view.page, mode=READABLE)
        if view.entry.source is not None:
            replace_whole(self.folder / view.entry.source.file, view.source, mode=READABLE)
        self.manifest = self.manifest.with_view(view.entry)

    def save(self) -> None:
        """Write the manifest and delete the files that only the older one lists, or raise `OSError`."""
        replace_whole(self.folder / MANIFEST, manifest_text(self.manifest).encode(), mode=READABLE)
        for name in self._written_before - self.manifest.files:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        self._written_before = self.manifest.files


@frozen(eq=False, repr=False)
class Mirror:
    """Writes each view in a separate thread; the process finishes pending writes before it exits."""

    _event_log: EventLog
    _writer: BundleWriter
    _thread: ThreadPoolExecutor = field(factory=partial(ThreadPoolExecutor, 1, "mirror"), init=False)

    def write_soon(self, pages: ViewPages, tool: Tool, view: "PresentView | None") -> None:
        """Write a tool's view soon, in the other thread."""
        self._thread.submit(self._write, pages, tool, view)

    def _write(self, pages: ViewPages, tool: Tool, view: "PresentView | None") -> None:
        try:
            self._writer.write(ExportedPage.of(pages, tool, view))
            self._writer.save()
        except Exception as error:  # noqa: BLE001 -- no request waits for the export, and serving continues
            self._event_log.record(
                Level.WARN, "wrapper", "export_failed", tool_name=tool.name, reason=str(error)
            )


def mirror_views(wrapper: Wrapper, folder: str | Path) -> None:
    """Write every view of a wrapper into a folder as soon as it is made.

    Raises UnfitFolder unless the folder is empty, missing or an export, whose other views stay.
    """
    writer = BundleWriter(Path(folder).expanduser(), keep=True)
    wrapper.watch_views(Mirror(wrapper.event_log, writer).write_soon)
