"""Where in a file a finding is: a validator counts lines within a block."""

import re
from collections.abc import Iterator

from genui_core.domain.validation.finding import Block, Finding

_AROUND = (0, 1, -1)
"""A block may begin on the line of its tag or on the next; what was repaired may have moved by one."""


def place_in(text: str, finding: Finding) -> tuple[int, int] | None:
    """Return line and column in the whole file, from 1; None where the place is not to be found again.

    Args:
        text: The file.
        finding: A finding of the validator in it.
    """
    excerpt = finding.excerpt.partition("\n")[0].rstrip("…")
    if not excerpt:
        return None
    lines = text.splitlines()
    for first in _beginnings(text, finding.block):
        for shift in _AROUND:
            number = first + finding.line - 1 + shift
            if 0 < number <= len(lines) and excerpt in lines[number - 1]:
                return number, lines[number - 1].index(excerpt) + 1
    return None


def _beginnings(text: str, block: Block) -> Iterator[int]:
    """Yield the lines on which blocks of that kind begin."""
    if block is Block.DOCUMENT:
        yield 1
    for tag in re.finditer(rf"<{block}\b", text, re.IGNORECASE):
        yield text.count("\n", 0, tag.start()) + 1
