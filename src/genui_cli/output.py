"""What commands print: results on standard output, as text or as JSON."""

import sys
from collections.abc import Sequence


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
    """Print rows with their columns below each other, the first row as their names."""
    plain = [[_plain(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    for row in plain:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def note(text: str) -> None:
    """Tell the person something that is no result."""
    print(f"mcp-gen-ui: {_plain(text)}", file=sys.stderr)  # noqa: T201 -- a word to the person


def _plain(text: str) -> str:
    line = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text.replace("\t", "    "))
    encoding = sys.stdout.encoding or "utf-8"
    return line.encode(encoding, "backslashreplace").decode(encoding)
