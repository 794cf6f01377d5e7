"""The tree of a script, copied once from the parser so that every question to it is quick."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import tree_sitter
import tree_sitter_javascript

if TYPE_CHECKING:
    from genui_core.domain.judging.script.scopes import Scope

_LANGUAGE = tree_sitter.Language(tree_sitter_javascript.language())

FUNCTIONS: Final = frozenset(
    {
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "arrow_function",
        "method_definition",
    }
)
"""The kinds of nodes that are functions."""


class Node:
    """A named node of the tree.

    Attributes:
        kind: What the grammar calls it.
        start: Where it begins, in bytes.
        end: Where it ends, in bytes.
        parent: The node around it.
        children: The named nodes in it, comments left out.
        fields: Those among its parts that have a name, tokens too.
        tokens: The kinds of its unnamed parts.
        scope: Where its names are looked up; set by the scopes.
        broken: Whether the parser stumbled here.
    """

    __slots__ = ("broken", "children", "end", "fields", "kind", "parent", "scope", "start", "tokens")

    scope: "Scope"

    def __init__(self, kind: str, start: int, end: int, parent: "Node | None", *, broken: bool) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.parent = parent
        self.children: list[Node] = []
        self.fields: dict[str, Node] = {}
        self.tokens: list[str] = []
        self.broken = broken

    @property
    def arguments(self) -> list["Node"]:
        """What a call or a new expression is given; a template that is tagged is given as one text."""
        given = self.fields.get("arguments")
        if given is None:
            return []
        return [given] if given.kind == "template_string" else given.children

    def ancestors(self) -> Iterator["Node"]:
        """Yield the nodes around it, from the inside."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def function(self) -> "Node | None":
        """Return the function it stands in."""
        return next((each for each in self.ancestors() if each.kind in FUNCTIONS), None)


class ScriptTree:
    """A parsed script.

    Attributes:
        root: The whole.
        nodes: All nodes, each before its children.
    """

    def __init__(self, source: str) -> None:
        self._bytes = source.encode("utf-8", "replace")
        self._ascii = len(self._bytes) == len(source)
        tree = tree_sitter.Parser(_LANGUAGE).parse(self._bytes)
        self.has_error: Final = tree.root_node.has_error
        self.nodes: Final = _copied(tree.walk())
        self.root: Final = self.nodes[0]

    def text(self, node: Node) -> str:
        """Return a node as it is written."""
        return self._bytes[node.start : node.end].decode("utf-8", "replace")

    def offset(self, byte: int) -> int:
        """Return the character that a byte belongs to."""
        return byte if self._ascii else len(self._bytes[:byte].decode("utf-8", "replace"))


def _copied(cursor: tree_sitter.TreeCursor) -> list[Node]:
    """Return all nodes in the order of the text. No recursion: scripts may be deep."""
    nodes: list[Node] = []
    around: list[Node] = []
    while True:
        node = _copy(cursor, around[-1] if around else None, nodes)
        if cursor.goto_first_child():
            around.append(node)
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return nodes
            around.pop()


def _copy(cursor: tree_sitter.TreeCursor, parent: Node | None, nodes: list[Node]) -> Node:
    seen = cursor.node
    assert seen is not None  # noqa: S101 -- a cursor always stands on a node
    broken = seen.is_error or seen.is_missing
    node = Node(seen.type, seen.start_byte, seen.end_byte, parent, broken=broken)
    if parent is not None:
        if (name := cursor.field_name) is not None:
            parent.fields.setdefault(name, node)
        if not seen.is_named:
            parent.tokens.append(node.kind)
        elif node.kind not in ("comment", "html_comment"):
            parent.children.append(node)
    if seen.is_named or broken or parent is None:
        nodes.append(node)
    return node
