"""Discreet lines above a view that say why this view is shown."""

from typing import Final, NamedTuple

_MAX_REASON_CHARACTERS: Final = 300


class Notice(NamedTuple):
    """A discreet line on the page. ``kind`` is ``provisional``, ``fallback`` or ``limit``."""

    kind: str
    text: str


def provisional_notice() -> Notice:
    """Return what stands on the minimal UI while a model writes a richer view."""
    return Notice("provisional", "This works already; a richer view is being made.")


def fallback_notice(reason: str) -> Notice:
    """Return what stands on the minimal UI where a richer view could not be made.

    Args:
        reason: Why, in words of any length and origin.
    """
    return Notice(
        "fallback", f"No richer view could be made, so this is the plain one. {_sentence(reason)}".strip()
    )


def limit_notice(reason: str) -> Notice:
    """Return what stands on a page that shows less than there is, for a limit's sake.

    Args:
        reason: Which limit, and what is missing, in words of any length and origin.
    """
    return Notice("limit", f"Something is left out here. {_sentence(reason)}".strip())


def _sentence(words: str) -> str:
    """Return words on one line, of a length that a person reads, with a full stop."""
    line = " ".join(
        "".join(each if each.isprintable() else " " for each in words[: 2 * _MAX_REASON_CHARACTERS]).split()
    )
    if len(line) > _MAX_REASON_CHARACTERS:
        return f"{line[:_MAX_REASON_CHARACTERS].rstrip()}…"
    return line if not line or line[-1] in ".!?…" else f"{line}."
