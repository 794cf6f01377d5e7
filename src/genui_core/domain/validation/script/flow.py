"""The flow of values through the names, patterns, parameters and results of a script."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from genui_core.domain.validation.script.calls import Calls
from genui_core.domain.validation.script.expressions import TRANSFER
from genui_core.domain.validation.script.folding import texts_in
from genui_core.domain.validation.script.knowledge import EARLY_ROUNDS
from genui_core.domain.validation.script.properties import KIT
from genui_core.domain.validation.script.scopes import Scopes, parameters
from genui_core.domain.validation.script.tree import FUNCTIONS, Node
from genui_core.domain.validation.script.values import NO_MARKUP, NOTHING, UNKNOWN_TEXT, Value

_MOST_ROUNDS: Final = 8
_KIT_PARAMETER: Final = 1
"""The index of the parameter of ``render(data, ui)`` that receives the view kit."""
_EVERY_ROUND: Final = frozenset({"this", "augmented_assignment_expression"})
"""Nodes that are visited in each round, because they depend on more than their parts and names."""


class Flow(Calls):
    """The possible values of each expression of a script.

    The analysis visits the nodes in rounds until nothing changes, with a bound on the rounds; after the
    first round, it visits only stale nodes.
    """

    def __init__(self, scopes: Scopes) -> None:
        super().__init__(scopes)
        tree = self.tree
        self._catches = tree.of("catch_clause")
        self._bind_functions()
        backwards = [each for each in reversed(tree.nodes) if each.kind in _VISITS]
        forwards = sorted(backwards, key=attrgetter("end"))
        self._unsettled = [each for each in backwards if each.kind in _EVERY_ROUND]
        self._stale.update(backwards)
        self._run_rounds(_MOST_ROUNDS, forwards, backwards)
        self._settle()
        self._stale.update(self._catches)
        self._run_rounds(2 * _MOST_ROUNDS, forwards, backwards)

    def _run_rounds(self, rounds: int, *orders: Sequence[Node]) -> None:
        """Visit the nodes in each of some orders by turns, until nothing changes or the rounds are over."""
        while (self._changed or self._waits) and self._rounds < rounds and self.steps_left >= 0:
            if not self._recurs and (not self._changed or self._rounds >= EARLY_ROUNDS):
                self._begin_recursions()
            elif not self._changed:  # no more values come for waiting nodes
                self._rounds = max(self._rounds, self._early_rounds)
            self._changed = self._waits = False
            self._rounds += 1
            self._visit_stale(orders[(self._rounds - 1) % len(orders)])

    def _visit_stale(self, nodes: Sequence[Node]) -> None:
        """Visit the stale nodes in an order, also those that become stale before their turn."""
        stale = self._stale
        stale.update(self._unsettled)
        for node in filter(stale.__contains__, nodes):
            stale.discard(node)
            self._visited = node
            transfer, move = _VISITS[node.kind]
            if transfer is not None:
                value = transfer(self, node)
                if value is not NOTHING:
                    self.steps_left -= value.size
                    self._learn(node, value)
            if move is not None:
                move(self, node)
            if self.steps_left < 0:
                return

    def _bind_functions(self) -> None:
        """Bind functions to their names, and unknown values to parameters that code outside may set."""
        for node in self.tree.of("function_declaration", "generator_function_declaration"):
            self._put(node.fields.get("name"), Value(functions=frozenset({node})))
        for node in self.tree.of(*FUNCTIONS):
            taken = parameters(node)
            for each in taken:
                if not self._is_called_by_name_only(node):
                    self._assign(each, UNKNOWN_TEXT)
            if len(taken) > _KIT_PARAMETER and self._is_render(node):
                self._assign(taken[_KIT_PARAMETER], Value.path(KIT))

    def _is_render(self, function: Node) -> bool:
        named = function if "name" in function.fields else function.parent
        name = None if named is None else named.fields.get("name") or named.fields.get("left")
        return name is not None and self.tree.text(name) == "render"

    def _is_called_by_name_only(self, function: Node) -> bool:
        name = function.fields.get("name")
        if function.kind != "function_declaration":
            around = function.user()
            if around is not None and around.kind in ("call_expression", "arguments"):
                return True
            declared = around is not None and around.kind == "variable_declarator"
            name = around.fields.get("name") if declared and around is not None else None
        binding = self.binding(name)
        return binding is not None and binding.calls == binding.mentions > 0

    def visit_declaration(self, node: Node) -> None:
        """Visit ``const name = value`` and ``(name = value) => …``."""
        value = node.fields.get("value") or node.fields.get("right")
        if value is not None:
            self._assign(node.fields.get("name") or node.fields.get("left"), self.value(value))

    def visit_assignment(self, node: Node) -> None:
        """Visit ``name = value``."""
        value = self.value(node.fields.get("right"))
        self._learn(node, value)
        left = node.fields.get("left")
        if left is not None:
            own = left.kind == "identifier" and self.binding(left) is None
            names = frozenset({self.tree.name_of(left)}) if own else self.key(left)
            self._set_handler(names, value, self._event_target(left))
        self._assign(left, value)

    def visit_pair(self, node: Node) -> None:
        """Visit ``{ onclick: listener }``."""
        self._set_handler(self.key_texts(node.fields["key"]), self.value(node.fields.get("value")), NOTHING)

    def visit_augmentation(self, node: Node) -> None:
        """Visit ``name += value``; the values before and after it count as values of the same name."""
        value = self.value(node.fields.get("right"))
        operator = node.fields.get("operator")
        if value.is_number:
            self._assign(node.fields.get("left"), value)
            return
        if value.texts and not any(each.strip("0123456789.") for each in value.texts):
            self._assign(node.fields.get("left"), NO_MARKUP)
            return
        if operator is not None and operator.kind == "+=" and value.holds_text:
            known = self._texts_before(node)
            value = (NO_MARKUP + value) | (known + value)
        elif operator is None or operator.kind != "+=" or not self._is_early_text(node.fields.get("right")):
            value |= UNKNOWN_TEXT
        self._learn(node, value)
        self._assign(node.fields.get("left"), value)

    def _texts_before(self, node: Node) -> Value:
        """Return the exact texts of a name before ``name += value``, without those that a loop adds later."""
        left = node.fields.get("left")
        binding = self.binding(left)
        if binding is None:
            return Value(texts=self.value(left).exact)
        earlier = (
            value
            for source, value in binding.sources.items()  # a source that is no assignment counts as offset 0
            if (source[0].start if isinstance(source, tuple) else 0) < node.start
        )
        return Value(texts=Value.any_of(earlier).exact)

    def _is_early_text(self, node: Node | None) -> bool:
        if node is None or self._is_late:
            return False
        return node.kind in {"template_string", "binary_expression"} or (
            self.value(node).is_nothing and self.waits_for(node)
        )

    def visit_loop(self, node: Node) -> None:
        """Visit ``for (const name of values)`` and ``for (const key in object)``."""
        over = self.value(node.fields.get("right"))
        if "of" in node.tokens:
            values = Value.either_of(over.elements) if over.elements else UNKNOWN_TEXT
        else:
            values = UNKNOWN_TEXT | Value.text(*(key for key, _ in texts_in(over)))
        self._assign(node.fields.get("left"), values)

    def visit_return(self, node: Node) -> None:
        """Visit ``return value``, ``yield value`` and ``yield* values``: a generator counts as a list."""
        function = node.function()
        if function is not None and node.children:
            value = self.value(node.children[0])
            is_one_of_list = node.kind == "yield_expression" and "*" not in node.tokens
            self._add(self._returns, function, Value.array([value]) if is_one_of_list else value)

    def visit_throw(self, node: Node) -> None:
        """Visit ``throw value``."""
        value = self.value(node.children[0]) if node.children else NOTHING
        if self._store(self._thrown, node, value):
            self._stale.update(self._catches)

    def visit_catch(self, node: Node) -> None:
        """Visit ``catch (error)``, which may receive any value that the script throws."""
        self._assign(node.fields.get("parameter"), self._thrown.value)

    def visit_arrow(self, node: Node) -> None:
        """Visit ``() => value``."""
        body = node.fields.get("body")
        if body is not None and body.kind != "statement_block":
            self._add(self._returns, node, self.value(body))

    def visit_class(self, node: Node) -> None:
        """Visit ``class Name { … }``."""
        self._assign(node.fields.get("name"), self.value(node))


_MOVES: Final[Mapping[str, Callable[[Flow, Node], None]]] = {
    "variable_declarator": Flow.visit_declaration,
    "assignment_expression": Flow.visit_assignment,
    "augmented_assignment_expression": Flow.visit_augmentation,
    "for_in_statement": Flow.visit_loop,
    "pair": Flow.visit_pair,
    "assignment_pattern": Flow.visit_declaration,
    "object_assignment_pattern": Flow.visit_declaration,
    "return_statement": Flow.visit_return,
    "yield_expression": Flow.visit_return,
    "throw_statement": Flow.visit_throw,
    "catch_clause": Flow.visit_catch,
    "arrow_function": Flow.visit_arrow,
    "class_declaration": Flow.visit_class,
}
_VALUES: Final = {**TRANSFER, "call_expression": Flow.call, "new_expression": Flow.call}
_VISITS: Final = {kind: (_VALUES.get(kind), _MOVES.get(kind)) for kind in _VALUES.keys() | _MOVES}
"""For each kind of node, the function for its values, and the function that moves values, or None."""
