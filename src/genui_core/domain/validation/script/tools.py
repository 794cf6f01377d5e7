"""Which tools a script calls."""

from collections.abc import Iterator
from typing import Final

from genui_core.domain.validation.addresses import HOLE
from genui_core.domain.validation.script.flow import Flow
from genui_core.domain.validation.script.properties import KIT
from genui_core.domain.validation.script.reach import Sight
from genui_core.domain.validation.script.tree import Node
from genui_core.domain.validation.script.values import OWN_TOOL, Path, Value, any_of

_HANDED_THROUGH: Final = {"call": 1, "bind": 1}
"""How many arguments come before those that are passed on."""
_LIST_AT: Final = 2


def tool_rules(flow: Flow, callable_tools: frozenset[str]) -> Iterator[Sight]:
    """Yield the calls of tools that are not the view's to call, or whose names are not written out."""
    for node in flow.tree.of("call_expression"):
        if _handed_away(flow, node):
            yield "tool.computed", node
        name = _name_of_called_tool(flow, node)
        if name is None:
            continue
        if name.exact - callable_tools:
            yield "tool.foreign", node
        elif ((OWN_TOOL,) not in name.paths and not name.exact) or any(HOLE in each for each in name.texts):
            yield "tool.computed", node


def _name_of_called_tool(flow: Flow, node: Node) -> Value | None:
    callee = node.fields.get("function")
    if callee is None:
        return None
    given, paths = flow.given(node), flow.value(callee).paths
    if ("Reflect", "apply") in paths and len(given) > _LIST_AT:
        paths, given = given[0].paths, list(given[_LIST_AT].elements)
    for each in paths:
        through = len(each) > 1 and (each[:-1] in _BY_NAME or each[-2:-1] == (_WITH_APP,))
        handed = _handed(each[-1], given) if through else given
        place = _BY_NAME.get(each[:-1] if through else each, len(handed))
        if place < len(handed):
            return _tool_in(handed[place], place)
        if handed and _WITH_APP in each[-2:]:
            return any_of(value for key, value in handed[0].members or () if key == "name")
    place = min((_PLACES[key] for key in _kit_members(flow, callee)), default=len(given))
    return _tool_in(given[place], place) if place < len(given) else None


def _tool_in(given: Value, place: int) -> Value | None:
    """Return what names a tool; None for the function that a button may run in its place."""
    is_function = given.functions or any(each[:1] == (KIT,) for each in given.paths)
    return None if place == _PLACES["action"] and is_function and not given.exact else given


def _handed_away(flow: Flow, node: Node) -> bool:
    """Tell whether the way to call tools is given to something that cannot be followed."""
    callee = node.fields.get("function")
    if callee is None or flow.value(callee).functions or ("Reflect", "apply") in flow.value(callee).paths:
        return False
    return any(not _BY_NAME.keys().isdisjoint(each.paths) for each in flow.given(node))


def _handed(through: str, given: list[Value]) -> list[Value]:
    """Return what ``f.call(x, …)``, ``f.apply(x, […])`` and ``f.bind(x, …)`` hand to ``f``."""
    if through == "apply":
        return list(given[1].elements) if len(given) > 1 else []
    return given[_HANDED_THROUGH.get(through, 0) :]


_PLACES: Final = {"call": 0, "more": 0, "action": 1}
"""The members of the kit that take the name of a tool, and at which place. ``action`` takes a function as well."""
_BY_NAME: Final[dict[Path, int]] = {(KIT, name): place for name, place in _PLACES.items()}
_WITH_APP: Final = "callServerTool"
"""What takes it in an object."""


def _kit_members(flow: Flow, callee: Node) -> frozenset[str]:
    """Return the members of ``ui`` that are called and take the name of a tool."""
    subject = callee.fields.get("object")
    if subject is None or subject.kind != "identifier" or flow.tree.text(subject) != "ui":
        return frozenset()
    return flow.key(callee) & _PLACES.keys()
