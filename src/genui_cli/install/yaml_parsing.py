"""From a YAML text to its tree."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from genui_cli.install.text_tree import Items, Pairs, Part, Text

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node


def parsed(text: str) -> Part | None:
    """Return the tree of a text; None where it says nothing.

    Raises:
        ValueError: It is no YAML, or more than one document, or a key is written twice; on one line.
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
    """Return a node's part.

    Args:
        node: What the parser found.
        text: All that it read.
        seen: The nodes that were met; one that comes again is what an alias stands for.
        empty_at: Where the node is when nothing is written for it; the parser names a later place.
    """
    from ruamel.yaml.nodes import MappingNode  # noqa: PLC0415 -- only for hosts that keep YAML

    start, stop = node.start_mark.index, node.end_mark.index
    if id(node) in seen:
        return Part(start, stop, shared=True)
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
        return Pairs(start, end, is_flow, pairs, shared=shared)
    items = tuple(_part(each, text, seen, start) for each in node.value)
    return Items(start, _end(items, stop, is_flow=is_flow), is_flow, items, shared=shared)


def _pairs(node: "Node", text: str, seen: set[int]) -> Iterator[tuple[Part, Part]]:
    names = set()
    for key_node, value_node in node.value:
        key = _part(key_node, text, seen)
        name = str(key.plain())
        if name in names:
            raise ValueError(f"line {key_node.start_mark.line + 1}: {name!r} is written twice")
        names.add(name)
        yield key, _part(value_node, text, seen, key.end)


def _end(values: Sequence[Part], stop: int, *, is_flow: bool) -> int:
    """Return where a collection ends: the parser lets one without brackets reach to what comes after it."""
    return stop if is_flow or not values else values[-1].end
