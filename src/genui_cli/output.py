"""Functions that print results on standard output, and messages on standard error."""

import sys
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genui_adapters.telemetry.configured_event_log import LogFormat
    from genui_core.ports.event_log import Level

_WIDEST_CELL = 80
"""A tool's name may have any length; a table shows its beginning."""


def say(text: str = "") -> None:
    """Print a result; control characters are escaped, except line ends."""
    lines = "\n".join(_plain(line) for line in text.split("\n"))
    sys.stdout.write(f"{lines}\n")


def say_raw(text: str) -> None:
    """Print a text that mcp-gen-ui wrote, unchanged as far as standard output can encode it."""
    sys.stdout.write(_encodable(text))


def say_json(value: object) -> None:
    """Print a result as JSON."""
    import json  # noqa: PLC0415 -- not for --help

    sys.stdout.write(f"{json.dumps(value, indent=2)}\n")


def say_table(rows: Sequence[Sequence[str]]) -> None:
    """Print rows as a table with aligned columns; the first row is the header, and long cells are cut."""
    plain = [[cut(_plain(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    for row in plain:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def cut(text: str, most: int = _WIDEST_CELL) -> str:
    """Return a text cut to at most `most` characters; a text that was cut ends with an ellipsis."""
    if len(text) <= most:
        return text
    ellipsis = _plain("…")
    return f"{text[: most - 1]}{ellipsis if len(ellipsis) == 1 else '~'}"


def counted(number: int, what: str) -> str:
    """Return a number with the word for what it counts: "1 tool", "2 tools"."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def short_words(text: str, most: int = 4 * _WIDEST_CELL) -> str:
    """Return a text with very long words cut: a tool's name may have any length."""
    if len(text) <= most:
        return text
    words = ("".join(group) for _, group in groupby(text, str.isspace))  # and the white space between them
    return "".join(each if each.isspace() else cut(each, most) for each in words)


def emit(text: str, log_format: "LogFormat", level: "Level", event: str, /, **metadata: object) -> None:
    """Write a status line to standard error: as text, or as a log event if the log is JSON."""
    if log_format == "text":
        print(text, file=sys.stderr, flush=True)  # noqa: T201 -- a message to the person
        return
    from genui_adapters.telemetry.configured_event_log import StreamEventLog  # noqa: PLC0415 -- for JSON only

    StreamEventLog(format=log_format).record(level, "wrapper", event, **metadata)


def note(text: str) -> None:
    """Print a message that is not a result, on standard error."""
    print(f"mcp-gen-ui: {short_words(_plain(text))}", file=sys.stderr)  # noqa: T201 -- a message to the person


def printable(text: str) -> str:
    """Return a text with its unprintable characters escaped."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def _plain(text: str) -> str:
    return _encodable(printable(text.replace("\t", "    ")))


def _encodable(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
