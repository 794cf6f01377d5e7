"""The syntax tree of a script, copied from the parser once because reads of the copy are faster.

Names and strings are read without their escapes.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

import tree_sitter
import tree_sitter_javascript

_LANGUAGE = tree_sitter.Language(tree_sitter_javascript.language())
_KINDS: Final = [
    (_LANGUAGE.node_kind_for_id(each) or "", _LANGUAGE.node_kind_is_named(each))
    for each in range(_LANGUAGE.node_kind_count)
]
"""The name of each kind of node, and whether the grammar names it; a lookup by number is faster."""
_FIELDS: Final = [_LANGUAGE.field_name_for_id(each) or "" for each in range(_LANGUAGE.field_count + 1)]
"""The name of each field, by its number; number 0 is no field."""

FUNCTIONS: Final = frozenset(
    {
        "function_declaration", "function_expression", "generator_function",
        "generator_function_declaration", "arrow_function", "method_definition",
    }
)  # fmt: skip
"""The kinds of nodes that are functions."""

_ESCAPE = re.compile(
    r"\\(u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[0-7]{1,3}|\r\n|.)", re.DOTALL | re.IGNORECASE
)
_SHORT: Final = dict(
    zip("ntrbfv\n\r\u2028\u2029", ["\n", "\t", "\r", "\b", "\f", "\v", "", "", "", ""], strict=True)
)
_LAST_CHARACTER: Final = 0x10FFFF


class Node:
    """A named node of the tree.

    Attributes:
        children: The named nodes in it, without comments.
        fields: Its parts with a field name, tokens too.
        tokens: The kinds of its unnamed parts.
        name: Its text without escapes, which ``name_of`` caches; None before the first call.
        broken: Whether the parser found a syntax error here.
    """

    __slots__ = ("broken", "children", "end", "fields", "kind", "name", "parent", "start", "tokens")

    def __init__(self, kind: str, start: int, end: int, parent: "Node | None", *, broken: bool) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.parent = parent
        self.children = _NO_CHILDREN
        self.fields = _NO_FIELDS
        self.tokens = _NO_TOKENS
        self.name: str | None = None
        self.broken = broken

    @property
    def arguments(self) -> list["Node"]:
        """The arguments of a call or ``new``; a tagged template is the single argument of its tag."""
        given = self.fields.get("arguments")
        if given is None:
            return []
        return [given] if given.kind == "template_string" else given.children

    def ancestors(self) -> Iterator["Node"]:
        """Yield the nodes around this one, innermost first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def user(self) -> "Node | None":
        """Return the innermost node around this one that is no pair of parentheses."""
        return next((each for each in self.ancestors() if each.kind != "parenthesized_expression"), None)

    def fills(self, field: str, *kinds: str) -> bool:
        """Tell whether this is a field of its parent, and the parent is of one of some kinds, or of any."""
        around = self.parent
        return around is not None and around.fields.get(field) is self and (not kinds or around.kind in kinds)

    def function(self) -> "Node | None":
        """Return the innermost function around this node."""
        return next((each for each in self.ancestors() if each.kind in FUNCTIONS), None)


_NO_CHILDREN: Final[list[Node]] = []
_NO_FIELDS: Final[dict[str, Node]] = {}
_NO_TOKENS: Final[list[str]] = []
"""Shared empty values: most nodes are names and literals, without parts."""


def owner(node: Node) -> Node | None:
    """Return the object or class that ``this`` means in a node, if a method of it contains the node."""
    inner = node
    for around in node.ancestors():
        if around.kind in ("object", "class", "class_declaration"):
            return around
        if inner.kind in _WITH_OWN_THIS and around.kind != "pair":
            return None
        inner = around
    return None


_WITH_OWN_THIS: Final = FUNCTIONS - {"arrow_function", "method_definition"}


class ScriptTree:
    """A parsed script.

    Attributes:
        nodes: All nodes, each before its children.
    """

    def __init__(self, source: str) -> None:
        self.source: Final = source
        self._bytes = source.encode("utf-8", "replace")
        self._ascii = source if len(self._bytes) == len(source) else ""
        tree = tree_sitter.Parser(_LANGUAGE).parse(self._bytes)
        self.has_error: Final = tree.root_node.has_error
        self.nodes: Final = _copied(tree.walk(), broken=self.has_error)
        self.root: Final = self.nodes[0]
        self._by_kind: dict[str, list[Node]] = {}
        for node in self.nodes:
            self._by_kind.setdefault(node.kind, []).append(node)

    def of(self, *kinds: str) -> list[Node]:
        """Return the nodes of some kinds, in the order of the text."""
        if len(kinds) == 1:
            return self._by_kind.get(kinds[0], [])
        found = chain.from_iterable(self._by_kind.get(kind, ()) for kind in kinds)
        return sorted(found, key=lambda node: (node.start, -node.end))

    def text(self, node: Node) -> str:
        """Return the source text of a node."""
        if self._ascii:
            return self._ascii[node.start : node.end]
        return self._bytes[node.start : node.end].decode("utf-8", "replace")

    def name_of(self, node: Node) -> str:
        """Return the text of a node without escapes: the name of an identifier or a property."""
        if node.name is None:
            node.name = unescaped(self.text(node))
        return node.name

    def offset(self, byte: int) -> int:
        """Return the offset in characters for an offset in bytes."""
        return byte if self._ascii else len(self._bytes[:byte].decode("utf-8", "replace"))


def _copied(cursor: tree_sitter.TreeCursor, *, broken: bool) -> list[Node]:
    """Return all nodes in the order of the text; without recursion, because scripts may be deep."""
    nodes: list[Node] = []
    around: Node | None = None
    while True:
        node = _copy(cursor, around, nodes, broken=broken)
        if node is not None and cursor.goto_first_child():
            node.children, node.fields, node.tokens = [], {}, []
            around = node
            continue
        while not cursor.goto_next_sibling():
            if around is None or not cursor.goto_parent():
                return nodes
            around = around.parent


def _copy(
    cursor: tree_sitter.TreeCursor, parent: Node | None, nodes: list[Node], *, broken: bool
) -> Node | None:
    """Copy a node; of an unnamed token without a field, only the kind, unless the script has errors."""
    seen, field = cursor.node, cursor.field_id
    assert seen is not None  # noqa: S101 -- a cursor always stands on a node
    number = seen.kind_id
    kind, named = _KINDS[number] if number < len(_KINDS) else ("ERROR", True)
    if parent is not None and not named:
        parent.tokens.append(kind)
        if not broken and field is None:
            return None
    stumbled = broken and (seen.is_error or seen.is_missing)
    node = Node(kind, seen.start_byte, seen.end_byte, parent, broken=stumbled)
    if parent is not None:
        if field is not None:
            parent.fields.setdefault(_FIELDS[field], node)
        if named and kind not in ("comment", "html_comment"):
            parent.children.append(node)
    if named or stumbled or parent is None:
        nodes.append(node)
    return node


def unescaped(text: str) -> str:
    """Return the text of a string literal, a template or a name without its escapes."""
    return _ESCAPE.sub(_meaning, text) if "\\" in text else text


def _meaning(escape: re.Match[str]) -> str:
    what = escape[1]
    if what[0] in "xu" and len(what) > 1:
        code = int(what[1:].strip("{}"), 16)
        return chr(code) if code <= _LAST_CHARACTER else "\ufffd"
    if what[0] in "01234567":
        return chr(int(what, 8))
    return _SHORT.get(what, "" if what == "\r\n" else what)
