"""Errors that a browser finds before it runs a script, also those that the grammar accepts."""

import re
from collections.abc import Callable, Iterator

from genui_core.domain.validation.script.scopes import Scopes, names_in
from genui_core.domain.validation.script.tree import FUNCTIONS, Node, ScriptTree

_JSX = {"jsx_element", "jsx_self_closing_element", "jsx_fragment"}
_ASSIGNMENTS = ("assignment_expression", "augmented_assignment_expression", "update_expression")
_NAMES = ("identifier", "shorthand_property_identifier")
_LOOPS = {"for_statement", "for_in_statement", "while_statement", "do_statement"}
_ASSIGNABLE = {
    "identifier", "member_expression", "subscript_expression", "object_pattern", "array_pattern",
    "parenthesized_expression", "undefined",
}  # fmt: skip
_RESERVED = frozenset(
    {
        "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "enum",
        "export", "extends", "false", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "null",
        "return", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with",
        "implements", "interface", "package", "private", "protected", "public",
    }
)  # fmt: skip


def early_errors(scopes: Scopes) -> Iterator[Node]:
    """Yield the places for which a browser refuses the whole script; of syntax errors only the first."""
    tree = scopes.tree
    stumbled = next((node for node in tree.nodes if node.broken), None)
    if stumbled is not None:
        yield stumbled
    elif tree.has_error:
        yield tree.root
    yield from scopes.redeclared
    for node in tree.nodes:
        check = _CHECKS.get(node.kind)
        if check is not None and check(scopes, node):
            yield node


def top_level_awaits(tree: ScriptTree) -> Iterator[Node]:
    """Yield each ``await`` outside all functions: a module may have it, a fragment's script may not."""
    for node in tree.of("await_expression", "for_in_statement"):
        if "await" in node.tokens and node.function() is None:
            yield node


def _awaits_outside(_scopes: Scopes, node: Node) -> bool:
    bodies = FUNCTIONS | {"class_static_block"}
    around = next((each for each in node.ancestors() if each.kind in bodies), None)
    return around is not None and "async" not in around.tokens


def _is_generator(function: Node | None) -> bool:
    return function is not None and ("generator" in function.kind or "*" in function.tokens)


def _lacks_value(_scopes: Scopes, node: Node) -> bool:
    around = node.parent
    if around is None or "value" in node.fields:
        return False
    pattern = node.fields["name"].kind in ("object_pattern", "array_pattern")
    return pattern or (around.kind == "lexical_declaration" and around.tokens[:1] == ["const"])


def _breaks_nothing(scopes: Scopes, node: Node) -> bool:
    targets = _LOOPS if node.kind == "continue_statement" else _LOOPS | {"switch_statement"}
    label = node.fields.get("label")
    for each in node.ancestors():
        if each.kind in FUNCTIONS or each.kind == "class_static_block":
            return True
        if label is None and each.kind in targets:
            return False
        if label is not None and each.kind == "labeled_statement":
            own = each.fields.get("label")
            if own is not None and scopes.tree.name_of(own) == scopes.tree.name_of(label):
                return False
    return True


def _assigns_wrongly(scopes: Scopes, node: Node) -> bool:
    """Tell whether an assignment is invalid or, as one to a constant, certain to throw."""
    left = node.fields.get("left") or node.fields.get("argument")
    if left is None:
        return True
    binding = scopes.binding(left) if left.kind == "identifier" else None
    if left.kind == "parenthesized_expression" and left.children:
        left = left.children[0]
    if _is_optional_chain(left) or (binding is not None and binding.kind in ("const", "import")):
        return True
    simple = node.kind != "assignment_expression"
    return left.kind not in _ASSIGNABLE or (simple and left.kind.endswith("_pattern"))


def _is_optional_chain(node: Node) -> bool:
    while node.kind in ("member_expression", "subscript_expression", "call_expression"):
        if "optional_chain" in node.fields:
            return True
        inner = node.fields.get("object") or node.fields.get("function")
        if inner is None:
            return False
        node = inner
    return False


def _repeats_parameters(scopes: Scopes, node: Node) -> bool:
    names = [scopes.tree.name_of(each) for each in names_in(node)]
    rest = [each.kind for each in node.children[:-1]]
    return len(names) != len(set(names)) or "rest_pattern" in rest


def _not_at_top(_scopes: Scopes, node: Node) -> bool:
    return node.parent is None or node.parent.kind != "program"


def _exports_wrongly(scopes: Scopes, node: Node) -> bool:
    """Tell whether an export is not at the top, or has code after ``export default function () {}``."""
    first = node.fields.get("value")
    while first is not None and first.children and first.children[0].start == first.start:
        first = None if first.kind in _DECLARED else first.children[0]
    started = first is not None and first is not node.fields["value"] and first.kind in _DECLARED
    return _not_at_top(scopes, node) or started


_DECLARED = {"function_expression", "generator_function", "class"}


def _deletes_a_name(_scopes: Scopes, node: Node) -> bool:
    argument = node.fields.get("argument")
    return node.tokens[:1] == ["delete"] and argument is not None and argument.kind == "identifier"


def _is_no_pattern(scopes: Scopes, node: Node) -> bool:
    """Tell whether the flags of a regular expression are invalid; the grammar accepts any."""
    flags = node.fields.get("flags")
    written = "" if flags is None else scopes.tree.text(flags)
    letters = set(written)
    return len(written) != len(letters) or not letters <= set("dgimsuvy") or {"u", "v"} <= letters


def _begins_with_object(_scopes: Scopes, node: Node) -> bool:
    """Tell whether a statement is ``{"a": 1}``: an invalid block, which the grammar reads as an object."""
    held = node.children[0] if node.children else node
    pairs = [each for each in held.children if each.kind == "pair"] if held.kind == "object" else []
    labels = all(each.fields["key"].kind == "property_identifier" for each in pairs)
    return bool(pairs) and (not labels or len(held.children) > 1)


def _misses_argument(scopes: Scopes, node: Node) -> bool:
    """Tell whether an argument is missing, as in ``f(, a)`` and ``f(a,, b)``, which the grammar accepts."""
    commas, given, written = node.tokens.count(","), len(node.children), scopes.tree.text(node)
    leads = written[1:].lstrip().startswith(",")
    if commas < given and not leads:
        return False
    last = written[:-1].rstrip()
    trails = commas == given > 0 and (last.endswith(",") or "*/" in written or "//" in written)
    return commas > 0 and (not trails or leads)


_CHECKS: dict[str, Callable[[Scopes, Node], bool]] = {
    **dict.fromkeys((*_JSX, "with_statement"), lambda _scopes, _node: True),
    "await_expression": _awaits_outside,
    "yield_expression": lambda _scopes, node: not _is_generator(node.function()),
    "return_statement": lambda _scopes, node: node.function() is None,
    "variable_declarator": _lacks_value,
    "try_statement": lambda _scopes, node: node.fields.keys().isdisjoint({"handler", "finalizer"}),
    **dict.fromkeys(("break_statement", "continue_statement"), _breaks_nothing),
    **dict.fromkeys(_ASSIGNMENTS, _assigns_wrongly),
    "formal_parameters": _repeats_parameters,
    **dict.fromkeys(_NAMES, lambda scopes, node: scopes.tree.text(node) in _RESERVED),
    "import_statement": _not_at_top,
    "export_statement": _exports_wrongly,
    "unary_expression": _deletes_a_name,
    "number": lambda scopes, node: re.match(r"0\d", scopes.tree.text(node)) is not None,
    "arguments": _misses_argument,
    "expression_statement": _begins_with_object,
    "regex": _is_no_pattern,
    "super": lambda _scopes, node: (
        not any(each.kind in ("class_body", "object") for each in node.ancestors())
    ),
}
