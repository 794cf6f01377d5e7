"""Which tools a script calls."""

from collections.abc import Iterator

from genui_core.domain.judging.addresses import HOLE
from genui_core.domain.judging.script.expressions import OWN_TOOL
from genui_core.domain.judging.script.flow import Flow
from genui_core.domain.judging.script.reach import Sight
from genui_core.domain.judging.script.tree import Node
from genui_core.domain.judging.script.values import Value, any_of


def tool_rules(flow: Flow, callable_tools: frozenset[str]) -> Iterator[Sight]:
    """Yield the calls of tools that are not the view's to call, or whose names are not written out."""
    for node in flow.tree.nodes:
        name = _name_of_called_tool(flow, node)
        if name is None:
            continue
        if name.exact - callable_tools:
            yield "tool.foreign", node
        elif ((OWN_TOOL,) not in name.paths and not name.exact) or any(HOLE in each for each in name.texts):
            yield "tool.computed", node


def _name_of_called_tool(flow: Flow, node: Node) -> Value | None:
    callee = node.fields.get("function")
    if callee is None or not node.arguments:
        return None
    first, keys = flow.value(node.arguments[0]), flow.key(callee)
    if "callServerTool" in keys:
        return any_of(value for key, value in first.members or () if key == "name")
    return first if _is_kit_call(flow, callee) else None


def _is_kit_call(flow: Flow, callee: Node) -> bool:
    subject = callee.fields.get("object")
    if subject is None or "call" not in flow.key(callee) or subject.kind != "identifier":
        return False
    return flow.tree.text(subject) == "ui"
