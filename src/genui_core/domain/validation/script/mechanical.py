"""What a script does to its own page in a way that a repair can replace: downloads and changes of the page's address."""

from collections.abc import Iterator

from genui_core.domain.validation.script.flow import Flow
from genui_core.domain.validation.script.patterns import key_texts
from genui_core.domain.validation.script.tree import Node
from genui_core.domain.validation.script.values import Path

_LOCATIONS = {("location",), ("document", "location")}
_CLICKS = {("<a", "click"), ("<a", "dispatchEvent")}
_ASSIGNMENTS = {"assignment_expression", "augmented_assignment_expression"}


def is_location(flow: Flow, node: Node) -> bool:
    """Tell whether a node can be nothing but the location of the page."""
    paths: frozenset[Path] = flow.value(node).paths
    return bool(paths) and paths <= _LOCATIONS


def own_navigation(flow: Flow, location: Node) -> Node | None:
    """Return the expression that only changes the fragment of the page's address, or loads the page again.

    Args:
        flow: The script.
        location: A mention of the page's location.
    """
    around = location.parent
    if around is None or around.fields.get("object") is not location or not is_location(flow, location):
        return None
    use, key = around.parent, flow.key(around)
    if use is None:
        return None
    if key == {"hash"} and use.kind in _ASSIGNMENTS and use.fields.get("left") is around:
        return use
    return use if key == {"reload"} and use.fields.get("function") is around else None


def own_navigations(flow: Flow) -> Iterator[Node]:
    """Yield the expressions of a script that `own_navigation` finds."""
    for node in flow.tree.nodes:
        if flow.binding(node) is None and (found := own_navigation(flow, node)) is not None:
            yield found


def clicked_download(flow: Flow, method: Node) -> Node | None:
    """Return the call that clicks a link which the script made to save a file.

    Args:
        flow: The script.
        method: A mention of a method of a link.
    """
    call = method.parent
    if call is None or call.fields.get("function") is not method or "object" not in method.fields:
        return None
    clicks = not flow.value(method).paths.isdisjoint(_CLICKS) and flow.key(method) <= {
        "click",
        "dispatchEvent",
    }
    return call if clicks and any(_names_file(flow, each) for each in flow.tree.nodes) else None


def clicked_downloads(flow: Flow) -> Iterator[Node]:
    """Yield the calls of a script that `clicked_download` finds."""
    for node in flow.tree.nodes:
        if node.kind == "member_expression" and (found := clicked_download(flow, node)) is not None:
            yield found


def _names_file(flow: Flow, node: Node) -> bool:
    """Tell whether a node gives something a ``download``."""
    if node.kind == "pair":
        return "download" in key_texts(flow, node.fields["key"])
    if node.kind == "assignment_expression":
        return "download" in flow.key(node.fields["left"])
    callee = node.fields.get("function")
    named = callee is not None and "setAttribute" in flow.key(callee) and bool(node.arguments)
    return named and "download" in flow.value(node.arguments[0]).exact
