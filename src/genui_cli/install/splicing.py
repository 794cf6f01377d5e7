"""Pieces of a text that are put in the place of others; what stands around them stays."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from genui_cli.install.text_tree import Part


class Edit(NamedTuple):
    """What stands from `start` to `end` becomes `new`."""

    start: int
    end: int
    new: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with changes that do not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def out_of_brackets(inside: Sequence[tuple[Part, Part]], first: int, after: int) -> Edit:
    """Return the change that takes things out of brackets, with one comma for each."""
    if after < len(inside):
        return Edit(inside[first][0].start, inside[after][0].start, "")
    start = inside[first - 1][1].end if first else inside[0][0].start
    return Edit(start, inside[-1][1].end, "")


def into_brackets(part: Part, inside: Sequence[tuple[Part, Part]], new: str, first: int = 0) -> Edit:
    """Return the change that puts a text in place of the first few things in brackets.

    Args:
        part: The brackets with all in them.
        inside: What is in them, each by where it begins and where it ends.
        new: The text, without a comma after it.
        first: How many give way to it.
    """
    if not inside:
        return Edit(part.start + 1, part.start + 1, new)
    start = inside[0][0].start
    if first == len(inside):
        return Edit(start, inside[-1][1].end, new)
    return Edit(start, inside[first][0].start, f"{new}, " if new else "")
