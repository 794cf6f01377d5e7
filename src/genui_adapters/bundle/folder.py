"""A folder of exported views: whether it is one, and what its manifest says."""

import os
import stat
from pathlib import Path

from genui_core.domain.export_manifest import MANIFEST, NotAnExport, manifest_from
from genui_core.domain.exported_views import Manifest
from genui_core.errors import GenUiError

_MOST_MANIFEST_BYTES = 64 * 1024 * 1024


class UnfitFolder(GenUiError):
    """A folder cannot be used for exported views; the text names it and says why."""


def manifest_in(folder: Path) -> Manifest:
    """Return what the manifest of a folder says.

    Raises:
        UnfitFolder: The folder or its manifest is missing, or another program wrote the manifest.
    """
    try:
        text = read_plain(folder / MANIFEST, _MOST_MANIFEST_BYTES).decode()
        return manifest_from(text)
    except FileNotFoundError as error:
        raise UnfitFolder(f"{folder} holds no export: there is no {MANIFEST} in it") from error
    except (OSError, UnicodeDecodeError, NotAnExport) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnfitFolder(f"{folder} holds no export that can be used: {MANIFEST}: {reason}") from error


def read_plain(path: Path, most_bytes: int) -> bytes:
    """Return the content of a plain file; links are not followed.

    Raises:
        OSError: There is none, it is something else, or larger.
    """
    flags = (
        os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    # Given a descriptor, it would leave that open where it turns out to be a folder's.
    with open(path, "rb", opener=lambda name, _flags: os.open(name, flags)) as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > most_bytes:
            raise OSError(f"{path.name} is no plain file of a fitting size")
        return file.read(most_bytes)
