"""Writes exported views into a folder, so that at any moment every file in it is whole."""

import contextlib
import os
import secrets
from pathlib import Path

from attrs import define, field

from genui_adapters.bundle.folder import UnfitFolder, manifest_in
from genui_core.application.exported_page import ExportedPage
from genui_core.domain.export_manifest import MANIFEST, manifest_text
from genui_core.domain.exported_views import Manifest

_NEW_PREFIX = ".new-"


@define
class BundleWriter:
    """Writes one folder. Views come one by one; the manifest tells of them after `save`.

    Attributes:
        folder: The folder.
        manifest: What lies in it after the next `save`.
    """

    folder: Path
    manifest: Manifest = field(factory=Manifest)
    _written_before: frozenset[str] = frozenset()

    @classmethod
    def into(cls, folder: Path, *, keep: bool, force: bool = False) -> "BundleWriter":
        """Return what writes a folder, which is made where there is none.

        Args:
            folder: Empty, or an export of this program.
            keep: Whether the other views in the folder stay.
            force: Whether it may be any other folder too. What is in it is left alone, as far as its names
                are not ours.

        Raises:
            UnfitFolder: It is something else.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            names = [each.name for each in folder.iterdir()]
        except OSError as error:
            raise UnfitFolder(f"{folder}: {error.strerror or error}") from error
        before = Manifest()
        try:
            before = manifest_in(folder) if names else before
        except UnfitFolder:
            if not force:
                raise UnfitFolder(f"{folder} is neither empty nor an export of mcp-gen-ui") from None
        return cls(folder, before if keep else Manifest(), before.files)

    def write(self, view: ExportedPage) -> None:
        """Write a view's files.

        Raises:
            OSError: They could not be written.
        """
        replace_whole(self.folder / view.entry.file, view.page)
        if view.entry.source is not None:
            replace_whole(self.folder / view.entry.source.file, view.source)
        self.manifest = self.manifest.with_view(view.entry)

    def save(self) -> None:
        """Write the manifest; delete the files that only the older manifest lists.

        Raises:
            OSError: It could not be written.
        """
        replace_whole(self.folder / MANIFEST, manifest_text(self.manifest).encode())
        for name in self._written_before - self.manifest.files:
            with contextlib.suppress(OSError):
                (self.folder / name).unlink()
        self._written_before = self.manifest.files


def replace_whole(path: Path, content: bytes) -> None:
    """Write a file that anybody may read, so that at any moment the old or the new content is there, whole.

    Raises:
        OSError: It could not be written; the old content is still there.
    """
    new = path.with_name(f"{_NEW_PREFIX}{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(new, flags, 0o666), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
