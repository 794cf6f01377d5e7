"""How a script uses ``App``: whether it makes one, connects it and listens to it."""

from typing import Final

from attrs import frozen

from genui_core.domain.validation.script.flow import Flow
from genui_core.domain.validation.script.names import name_of
from genui_core.domain.validation.script.tree import Node


@frozen
class AppUse:
    """What a script does with its app.

    Attributes:
        name: What it calls it; "" for none.
        made: The statement at the top of the script that makes it.
        makes: Whether one is made at all, under whatever name.
        connects: Whether something is connected.
        handles_results: Whether there is a handler for results.
    """

    name: str = ""
    made: Node | None = None
    makes: bool = False
    connects: bool = False
    handles_results: bool = False

    @classmethod
    def of(cls, flow: Flow, app_class: str) -> "AppUse":
        """Return what is done with instances of a class."""
        made = [each for each in flow.tree.of("new_expression") if _makes(flow, each, app_class or "App")]
        named = next((each.parent for each in made if _is_named_at_top(each)), None)
        name = "" if named is None else name_of(flow.tree, named.fields["name"])
        return cls(
            name=name,
            made=None if named is None else named.parent,
            makes=bool(made),
            connects=any(_connects(flow, each) for each in flow.tree.of("call_expression")),
            handles_results=any(_handles_results(flow, each) for each in flow.tree.of(*_HANDING_OVER)),
        )


def _makes(flow: Flow, node: Node, app_class: str) -> bool:
    maker = node.fields.get("constructor")
    return maker is not None and flow.tree.text(maker) == app_class


def _is_named_at_top(node: Node) -> bool:
    around = node.parent
    if around is None or around.kind != "variable_declarator" or around.fields["name"].kind != "identifier":
        return False
    declaration = around.parent
    return declaration is not None and declaration.parent is not None and declaration.parent.kind == "program"


_HANDING_OVER: Final = ("assignment_expression", "call_expression")


def _connects(flow: Flow, node: Node) -> bool:
    called = node.fields.get("function")
    return called is not None and "connect" in flow.key(called)


def _handles_results(flow: Flow, node: Node) -> bool:
    if node.kind == "assignment_expression":
        return "ontoolresult" in flow.key(node.fields["left"])
    called = node.fields.get("function")
    if called is None or "addEventListener" not in flow.key(called) or not node.arguments:
        return False
    return "toolresult" in flow.value(node.arguments[0]).texts
