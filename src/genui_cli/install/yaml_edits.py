"""Edits of a YAML text that keep every character outside of the edits."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from genui_cli.install.text_tree import Items, Pairs, Part, Text, in_common, into_brackets, out_of_brackets
from genui_core.domain.mcp.json_text import Edit

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node


def parsed(text: str) -> Part | None:
    """Return the tree of a text; None if it is empty.

    Raises ValueError, with a message of one line, if it is not one YAML document, or has a duplicate key.
    """
    from ruamel.yaml import YAML  # noqa: PLC0415 -- only for hosts that keep YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

    try:
        node = YAML(typ="safe", pure=True).compose(text)
        return None if node is None else _part(node, text, set())
    except MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        said = ", ".join(each for each in (error.context, error.problem) if each)
        raise ValueError(f"{place}{said}") from error
    except YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def _part(node: "Node", text: str, seen: set[int], empty_at: int = 0) -> Part:
    """Return the part of a node.

    A node that was `seen` before comes from an alias. An empty node is at `empty_at`: the parser gives it a
    later position.
    """
    from ruamel.yaml.nodes import MappingNode  # noqa: PLC0415 -- only for hosts that keep YAML

    start, stop = node.start_mark.index, node.end_mark.index
    if id(node) in seen:
        return Part(start, stop, None, shared=True)
    seen.add(id(node))
    shared = node.anchor is not None
    if isinstance(node.value, str):
        if start == stop:
            return Text(empty_at, empty_at, node.value, shared=shared)
        return Text(start, start + len(text[start:stop].rstrip()), node.value, shared=shared)
    is_flow = bool(getattr(node, "flow_style", False))
    if isinstance(node, MappingNode):
        pairs = tuple(_pairs(node, text, seen))
        end = _end([value for _, value in pairs], stop, is_flow=is_flow)
        plain = {str(key.value): each.value for key, each in pairs}
        return Pairs(start, end, plain, is_flow, lambda: pairs, shared=shared)
    items = tuple(_part(each, text, seen, start) for each in node.value)
    end = _end(items, stop, is_flow=is_flow)
    return Items(start, end, [each.value for each in items], is_flow, lambda: items, shared=shared)


def _pairs(node: "Node", text: str, seen: set[int]) -> Iterator[tuple[Part, Part]]:
    names = set()
    for key_node, value_node in node.value:
        key = _part(key_node, text, seen)
        name = str(key.value)
        if name in names:
            raise ValueError(f"line {key_node.start_mark.line + 1}: {name!r} is written twice")
        names.add(name)
        yield key, _part(value_node, text, seen, key.end)


def _end(values: Sequence[Part], stop: int, *, is_flow: bool) -> int:
    """Return the end of a collection; without brackets, the parser's end includes the lines after it."""
    return stop if is_flow or not values else values[-1].end


_PLAIN = re.compile(r"[A-Za-z_/][\w./@+-]*", re.ASCII)
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_INDICATORS = frozenset(",[]{}")


def flow(value: object) -> str:
    """Return the YAML of a value on one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{flow(str(key))}: {flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def block(values: Mapping[str, object], column: int, newline: str) -> str:
    """Return the lines of a mapping, one for each key; inner mappings are indented below their keys."""
    lines = ""
    for key, value in values.items():
        start = f"{' ' * column}{flow(key)}:"
        if isinstance(value, Mapping) and value:
            lines += f"{start}{newline}{block(value, column + 2, newline)}"
        else:
            lines += f"{start} {flow(value)}{newline}"
    return lines


def respelled(value: str, before: str) -> str:
    """Return the YAML of a text, in the quotes of the text that it replaces if it fits in them."""
    if before[:1] in ("'", '"') and _is_plain(value):
        return f"{before[0]}{value}{before[0]}"
    return flow(value)


def fits_anywhere(spelled: str) -> bool:
    """Whether the YAML of a text means the same in every other place."""
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


class Editor:
    """Computes edits of one YAML text.

    Args:
        kept: Values that keep their spelling in a new place; of equal values, the first one's spelling.
    """

    def __init__(self, text: str, kept: Sequence[Part] = ()) -> None:
        self._text = text
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._spelled: dict[str, str] = {}
        for part in kept:
            spelled = text[part.start : part.end]
            if isinstance(part, Text) and fits_anywhere(spelled):
                self._spelled.setdefault(part.value, spelled)

    def appended(self, values: Mapping[str, object]) -> Edit:
        """Return the edit that adds keys at the end of the text; a missing last line end stays missing."""
        at, lines = len(self._text), block(values, 0, self._newline)
        if self._text and not self._text.endswith("\n"):
            return Edit(at, at, self._newline + lines.removesuffix(self._newline))
        return Edit(at, at, lines)

    def inserted(self, within: Pairs, key: Part, values: Mapping[str, object]) -> Edit:
        """Return the edit that adds keys at the beginning of a mapping, whose key is `key`."""
        if within.is_flow:
            return into_brackets(within, within.pairs, flow(values)[1:-1])
        at = self._line_after(key.end)
        return Edit(at, at, block(values, self._column(within.start), self._newline))

    def inserted_list(self, within: Pairs, key: Part, name: str, items: Sequence[object]) -> Edit:
        """Return the edit that adds a list at the beginning of a mapping; `is_made` recognises the list."""
        spelled = ", ".join(self._spelled.get(str(each)) or flow(each) for each in items)
        line = f"{flow(name)}: [ {spelled}]"
        if within.is_flow:
            return into_brackets(within, within.pairs, line)
        at = self._line_after(key.end)
        return Edit(at, at, f"{' ' * self._column(within.start)}{line}{self._newline}")

    def is_made(self, part: Items) -> bool:
        """Whether `inserted_list` wrote a list: a space follows its bracket."""
        return part.is_flow and self._text.startswith("[ ", part.start)

    def removed(self, within: Pairs, names: Sequence[str]) -> Iterator[Edit]:
        """Yield the edits that remove keys from a mapping."""
        if not within.is_flow:
            yield from (
                self._lines(key.start, value.end) for key, value in within.pairs if key.value in names
            )
            return
        pairs = within.pairs
        for is_gone, run in groupby(enumerate(pairs), key=lambda each: each[1][0].value in names):
            if is_gone:
                places = [at for at, _ in run]
                yield out_of_brackets(pairs, places[0], places[-1] + 1)

    def changed(self, key: Part, part: Part, value: object) -> Iterator[Edit]:
        """Yield the edits that give a key another value.

        Raises ValueError if the new value is of another type: text, list or mapping.
        """
        if isinstance(part, Text) and isinstance(value, str) and part.start < part.end:
            before = self._text[part.start : part.end]
            yield Edit(part.start, part.end, self._spelled.get(value) or respelled(value, before))
        elif isinstance(part, Items) and isinstance(value, list):
            yield self._list(key, part, value)
        elif isinstance(part, Pairs) and isinstance(value, Mapping):
            yield from self._mapping(key, part, value)
        else:
            raise ValueError(f"{key.value!r} is not written as expected")

    def _mapping(self, key: Part, part: Pairs, value: Mapping[str, object]) -> Iterator[Edit]:
        new = {name: each for name, each in value.items() if part.get(str(name)) is None}
        if new:
            yield self.inserted(part, key, new)
        yield from self.removed(part, [name for name in part.value if name not in value])
        for each, found in part.pairs:
            name = str(each.value)
            if name in value and found.value != value[name]:
                yield from self.changed(each, found, value[name])

    def _list(self, key: Part, part: Items, value: Sequence[object]) -> Edit:
        """Return the edit of a list's beginning; equal items at its end stay untouched."""
        old = part.value
        kept = in_common(old[::-1], value[::-1])
        first, words = len(old) - kept, [str(each) for each in value[: len(value) - kept]]
        spelled = [self._spelled.get(each) or flow(each) for each in words]
        if part.is_flow:
            return into_brackets(part, [(each, each) for each in part.items], ", ".join(spelled), first)
        if not value:
            return Edit(key.end, part.end, ": []")
        start = self._line(part.start)
        end = self._line(part.items[first].start) if kept else self._line_after(part.end)
        dashes = " " * self._column(part.start)
        return Edit(start, end, "".join(f"{dashes}- {each}{self._newline}" for each in spelled))

    def _lines(self, start: int, end: int) -> Edit:
        """Return the edit that removes whole lines; a missing last line end stays missing."""
        first, after = self._line(start), self._line_after(end)
        if after == len(self._text) and not self._text.endswith("\n"):
            first = len(self._text[:first].removesuffix("\n").removesuffix("\r"))
        return Edit(first, after, "")

    def _line(self, at: int) -> int:
        return self._text.rfind("\n", 0, at) + 1

    def _line_after(self, at: int) -> int:
        found = self._text.find("\n", at)
        return len(self._text) if found < 0 else found + 1

    def _column(self, at: int) -> int:
        return at - self._line(at)
