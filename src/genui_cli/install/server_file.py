"""A host's file with its list of servers, whatever it is written in."""

import re
from collections.abc import Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Protocol

_CONTEXT = 3
_HUNK = re.compile(r"@@ -(\d+)(\S*) \+(\d+)")


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
            CliError: That cannot be written without harm to the rest.
        """
        ...

    def text(self) -> str | None:
        """Return the text of the file; None if there is no file, or none is left."""
        ...


def difference(before: ServerFile, after: ServerFile) -> str:
    """Return what is changed, as a patch."""
    old, new = ((each.text() or "").splitlines(keepends=True) for each in (before, after))
    first = max(0, _common(old, new) - _CONTEXT)
    last = max(0, _common(old[first:][::-1], new[first:][::-1]) - _CONTEXT)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    patch = unified_diff(old, new, str(before.path), str(before.path), n=_CONTEXT)
    return "".join(_moved(line, first) for line in patch)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines two texts have in common at their beginning."""
    differs = (number for number, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return next(differs, min(len(one), len(other)))


def _moved(line: str, by: int) -> str:
    """Return a line of a patch; in the head of a hunk, with the line numbers of the whole text."""
    found = _HUNK.match(line)
    if found is None:
        return line
    return f"@@ -{int(found[1]) + by}{found[2]} +{int(found[3]) + by}{line[found.end(3) :]}"
