"""The tables of the reference page, written from the description of the keys."""

import json
from collections.abc import Iterator

from genui_cli.configuration.keys import Key, all_keys
from genui_cli.configuration.kinds import as_json

_BEGIN, _END = "<!-- keys: written by `mcp-gen-ui config reference` -->", "<!-- end of keys -->"


def reference() -> str:
    """Return a table a section, in Markdown."""
    return "\n".join(_lines()) + "\n"


def with_reference(page: str) -> str:
    """Return a page with the tables between its two marks as they are now.

    Raises:
        ValueError: The page has no such marks.
    """
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError(f"the page lacks {_BEGIN} and {_END}")
    return f"{before}{begin}\n{reference()}{end}{after}"


def _lines() -> Iterator[str]:
    section = ""
    for key in all_keys().values():
        if key.path.partition(".")[0] != section:
            section = key.path.partition(".")[0]
            yield from ("", f"### `{section}`", "", "| key | takes | default | |", "|---|---|---|---|")
        yield f"| `{key.path.partition('.')[2]}` | {_takes(key)} |{_default(key)}| {key.note.about} |"
    yield ""


def _takes(key: Key) -> str:
    return ", ".join(f"`{each}`" for each in key.note.known) or key.kind.expected


def _default(key: Key) -> str:
    if key.note.fallback:
        return f" {key.note.fallback} "
    value = as_json(key.default)
    if value in (None, [], {}):
        return " "
    return f" `{value if isinstance(value, str) else json.dumps(value)}` "
