"""What commands print: results on standard output, as text or as JSON."""

import json
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
    line = text.replace("\t", "    ")
    safe = line if line.isprintable() else json.dumps(line, ensure_ascii=False)[1:-1].replace('\\"', '"')
    if not safe.isprintable():
        safe = json.dumps(line)[1:-1]
    return safe.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(
        sys.stdout.encoding or "utf-8"
    )
