"""What commands print: results on standard output, as text or as JSON."""

import sys
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genui_adapters.telemetry.configured_event_log import LogFormat
    from genui_core.ports.event_log import Level

_WIDEST_CELL = 80
"""The name of a tool may be of any length; a table shows its beginning."""


def say(text: str = "") -> None:
    """Print a result, with nothing in it that draws on a terminal but its own lines."""
    lines = "\n".join(_plain(line) for line in text.split("\n"))
    sys.stdout.write(f"{lines}\n")


def say_raw(text: str) -> None:
    """Print a text of our own as it is."""
    sys.stdout.write(text)


def say_json(value: object) -> None:
    """Print a result for a program."""
    import json  # noqa: PLC0415 -- not for --help

    sys.stdout.write(f"{json.dumps(value, indent=2)}\n")


def say_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows with their columns below each other, the first row as their names; long cells are cut."""
    plain = [[cut(_plain(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    for row in plain:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def cut(text: str, most: int = _WIDEST_CELL) -> str:
    """Return a text of at most so many characters; where some are left out, it ends in an ellipsis."""
    if len(text) <= most:
        return text
    ellipsis = _plain("…")
    return f"{text[: most - 1]}{ellipsis if len(ellipsis) == 1 else '~'}"


def short_words(text: str, most: int = 4 * _WIDEST_CELL) -> str:
    """Return a text whose words are cut where they are longer than any path: names of tools may be."""
    if len(text) <= most:
        return text
    words = ("".join(group) for _, group in groupby(text, str.isspace))  # and what is between them
    return "".join(each if each.isspace() else cut(each, most) for each in words)


def tell(text: str, log_format: "LogFormat", level: "Level", event: str, /, **metadata: object) -> None:
    """Write a line about the run to standard error: for a person, or as an event where the log is JSON."""
    if log_format == "text":
        print(text, file=sys.stderr, flush=True)  # noqa: T201 -- a word to the person
        return
    from genui_adapters.telemetry.configured_event_log import StreamEventLog  # noqa: PLC0415 -- where programs read

    StreamEventLog(format=log_format).record(level, "wrapper", event, **metadata)


def note(text: str) -> None:
    """Tell the person something that is no result."""
    print(f"mcp-gen-ui: {short_words(_plain(text))}", file=sys.stderr)  # noqa: T201 -- a word to the person


def printable(text: str) -> str:
    """Return a text with characters that draw on a terminal escaped."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def _plain(text: str) -> str:
    line = printable(text.replace("\t", "    "))
    encoding = sys.stdout.encoding or "utf-8"
    return line.encode(encoding, "backslashreplace").decode(encoding)
