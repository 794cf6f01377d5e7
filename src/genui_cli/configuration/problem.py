"""What is wrong with a configuration: where, what was found, what was expected."""

import json

from genui_core.records import frozen

_SEE_SCHEMA = "mcp-gen-ui config schema prints every key and what it takes"
_MOST_CHARACTERS = 60


@frozen(kw_only=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        source: Where it was found: a file, a variable, a flag.
        path: Of the key, ``generation.timeoutMs``; "" for the whole of a file.
        text: What is wrong, without the place.
    """

    source: str
    path: str
    text: str
    _hint: str = ""

    @property
    def hint(self) -> str:
        """What to do about it."""
        return self._hint or _SEE_SCHEMA

    def __str__(self) -> str:
        """Return it as one line."""
        return ": ".join(part for part in (self.source, f"{self.path} {self.text}".strip()) if part)


class Unfit(Exception):
    """A value is not what its key takes.

    Args:
        value: What was found.
        expected: What the key takes: "a whole number of at least 1000".
        within: Where in the value, for one that has parts: ``[2]`` or ``.city``.
        hint: What to do about it.
    """

    def __init__(self, value: object, expected: str, within: str = "", hint: str = "") -> None:
        super().__init__(f"expected {expected}")
        self.value = value
        self.expected = expected
        self.within = within
        self.hint = hint

    def inside(self, part: str) -> "Unfit":
        """Return the same, found in a part of a larger value."""
        return Unfit(self.value, self.expected, part + self.within, self.hint)

    def problem(self, source: str, path: str, *, is_secret: bool = False) -> Problem:
        """Return what to tell a person; a value that is secret is not shown."""
        found = "" if is_secret else f"is {shown(self.value)}, "
        return Problem(
            source=source,
            path=printable(path + self.within),
            text=f"{found}expected {self.expected}",
            hint=self.hint,
        )


def shown(value: object) -> str:
    """Return a value as a person may have written it, on one line, cut, with nothing that draws."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"something of the type {type(value).__name__}"
    text = printable(text)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def printable(name: str) -> str:
    """Return a name with whatever would draw on a terminal escaped."""
    return name if name.isprintable() else json.dumps(name)[1:-1]
