"""How a value is written in YAML."""

import json
import re
from collections.abc import Mapping

_PLAIN = re.compile(r"[A-Za-z_/][\w./@+-]*", re.ASCII)
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_INDICATORS = frozenset(",[]{}")


def flow(value: object) -> str:
    """Return a value on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{flow(str(key))}: {flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def block(values: Mapping[str, object], column: int, newline: str) -> str:
    """Return a mapping's lines, each a key; mappings in it have lines of their own."""
    lines = ""
    for key, value in values.items():
        start = f"{' ' * column}{flow(key)}:"
        if isinstance(value, Mapping) and value:
            lines += f"{start}{newline}{block(value, column + 2, newline)}"
        else:
            lines += f"{start} {flow(value)}{newline}"
    return lines


def respelled(value: str, before: str) -> str:
    """Return a text in the quotes of the text that it replaces, if it can stand in them."""
    if before[:1] in ("'", '"') and _is_plain(value):
        return f"{before[0]}{value}{before[0]}"
    return flow(value)


def fits_anywhere(spelled: str) -> bool:
    """Whether a text as it is spelled in one place is spelled so in every other."""
    if not spelled or "\n" in spelled or spelled[0] in "|>":
        return False
    return spelled[0] in "'\"" or not _INDICATORS.intersection(spelled)


def _text(value: str) -> str:
    if _is_plain(value):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in quoted)


def _is_plain(value: str) -> bool:
    return _PLAIN.fullmatch(value) is not None and value.lower() not in _WORDS
