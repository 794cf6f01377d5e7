"""A host's file with its list of servers, whatever it is written in."""

from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path
from typing import Protocol


class ServerFile(Protocol):
    """The file of one host, read; changes make another, and nothing is written."""

    @property
    def path(self) -> Path:
        """Where the file is, or would be."""
        ...

    @property
    def servers(self) -> Mapping[str, object]:
        """The servers by name, each as most hosts list them: ``command``, ``args``, ``env``, ``url``."""
        ...

    def with_server(self, name: str, entry: Mapping[str, object] | None) -> "ServerFile":
        """Return the file with one server more, or another, or without it; the order of the others stays.

        Raises:
            Complaint: That cannot be written without harm to the rest.
        """
        ...

    def text(self) -> str | None:
        """Return the text of the file; None if there is no file, or none is left."""
        ...


def difference(before: ServerFile, after: ServerFile) -> str:
    """Return what is changed, as a patch."""
    old, new = ((each.text() or "").splitlines(keepends=True) for each in (before, after))
    return "".join(unified_diff(old, new, str(before.path), str(before.path)))
