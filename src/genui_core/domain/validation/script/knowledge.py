"""The known values of a script's names, nodes and functions, and the nodes to visit when they change."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from attrs import evolve

from genui_core.domain.validation.addresses import holds_data
from genui_core.domain.validation.script.scopes import Binding, NodeValues, Place, Scopes
from genui_core.domain.validation.script.tree import FUNCTIONS, Node, owner
from genui_core.domain.validation.script.values import NOTHING, UNKNOWN_TEXT, Value

_STEPS: Final = 150_000
_STEPS_A_BYTE: Final = 60
EARLY_ROUNDS: Final = 4
_ROUNDS_OF_RECURSIONS: Final = 2
"""For how many rounds values may still shrink after recursive calls counted as empty texts."""
_DEEPEST_HELD: Final = 2
"""How many levels of members a value in an object may have; of deeper values the members are unknown."""
_DECLARED: Final = frozenset({"const", "let", "var", "function", "parameter"})
_MENTIONS: Final = frozenset({"identifier", "shorthand_property_identifier"})
_SEEN_WITHIN: Final = 16
"""How many nodes around a node depend on its value; a bound, so that depth costs no more than length."""
_EMPTY: Final = Value.text("")
_MOST_LEVELS: Final = 3
"""How many levels of calls are followed for a function that calls itself."""
_ENDS: Final = FUNCTIONS | {"statement_block", "program"}
"""Nodes whose value does not depend on the nodes in them, except through results of functions."""


class Knowledge(NodeValues):
    """The known values of a script, and its stale nodes: those that depend on a changed value.

    Attributes:
        called_on: For each function, the objects of the page that it may be called on as ``this``.
        given_to: For each function, the list of its arguments in the known calls.
        has_escaper: Whether the script replaces the ``<`` of texts.
        steps_left: How many steps remain of a number set by the length; below 0, values are missing.
    """

    def __init__(self, scopes: Scopes) -> None:
        super().__init__(scopes)
        self.steps_left = _STEPS + _STEPS_A_BYTE * self.tree.root.end
        self.has_escaper = False
        self._targets: dict[Node, Value] = {}
        self._returns: dict[Node, Place] = {}
        self.called_on: Final[dict[Node, Place]] = {}
        self.given_to: Final[dict[Node, Place]] = {}
        self._thrown = Place()
        self._held: dict[Node, dict[tuple[Node, int], tuple[str, Value]]] = {}
        self._readers: dict[Node, set[Node]] = {}
        self._mentions: dict[Binding, list[Node]] = {}
        self._stale: set[Node] = set()
        self._visited = self.tree.root
        self._changed = True
        self._waits = False
        self._recurs = False
        self._recursive: dict[tuple[Node, Node], bool] = {}
        self._levels: dict[Node, list[Value]] = {}
        self._rounds = 0
        self._early_rounds = EARLY_ROUNDS
        self._settled = False
        self._count_mentions()

    def _count_mentions(self) -> None:
        for node in self.tree.nodes:
            binding = self.scopes.binding(node) if node.kind in _MENTIONS else None
            if binding is None:
                continue
            self._meanings[node] = binding
            self._mentions.setdefault(binding, []).append(node)
            if binding.node is node:
                continue
            binding.mentions += 1
            binding.calls += node.fills("function", "call_expression")

    def waits_for(self, node: Node) -> bool:
        """Tell whether a part of a text may still get a value, because it depends on unknown values."""
        if self._is_late:
            return False
        callee = node.fields.get("function") if node.kind == "call_expression" else None
        begins: Node | None = callee or node
        while begins is not None and "object" in begins.fields:
            begins = begins.fields["object"]
        binding = self.binding(begins)
        named = binding is not None and binding.kind in _DECLARED
        early = named or "join" in self.key(callee)
        return (early and self._look_again()) or self.waits_for_call(node)

    def waits_for_call(self, node: Node) -> bool:
        """Tell whether a node may still get a value, because the result of a call in it is unknown."""
        if self._is_late:
            return False
        calls = (each for each in islice(_parts_within(node), _SEEN_WITHIN) if self.value(each).is_nothing)
        return any(map(self._calls_script, calls)) and self._look_again()

    def _calls_script(self, node: Node) -> bool:
        """Tell whether a node calls a function of the script, or joins a list that one may have made."""
        callee = node.fields.get("function")
        return "join" in self.key(callee) or bool(self.value(callee).functions)

    def returned_by(self, function: Node) -> Value:
        """Return the possible results of a function of the script."""
        value = self.read(self._returns, function)
        if self._recurs and self.is_recursive(function):
            return self._recursive_result(function, value)
        return value

    def is_recursive(self, function: Node) -> bool:
        """Tell whether a function's result depends on the current node, so the function waits for itself."""
        call = self._visited, function
        if call not in self._recursive:
            self._recursive[call] = self._flows_into_result(*call)
        return self._recursive[call]

    def _recursive_result(self, function: Node, value: Value) -> Value:
        """Return the result of a recursive function: "" for the innermost call, then a few levels."""
        if value.is_nothing:
            return UNKNOWN_TEXT if self._settled else _EMPTY
        levels = self._levels.setdefault(function, [])
        if len(levels) < _MOST_LEVELS and value not in levels:
            levels.append(value)
        seen = Value.any_of(levels)
        return seen | UNKNOWN_TEXT if any(map(holds_data, value.texts)) else seen

    def _flows_into_result(self, node: Node, function: Node) -> bool:
        """Tell whether a function's result depends on a node, directly or through functions that it calls."""
        seen: set[Node] = set()
        waiting = [node]
        while waiting:
            for around in waiting.pop().ancestors():
                if around is function:
                    return True
                if around.kind in FUNCTIONS and around not in seen:
                    seen.add(around)
                    waiting.extend(self._readers.get(around, ()))
            self.steps_left -= 1
        return False

    def _begin_recursions(self) -> None:
        """Count the calls of functions that wait for themselves as empty texts, as the innermost call is.

        The other results of such a function then become known; unknown parts of them count as usual.
        """
        self._recurs = True
        if waiting := self._recursive_calls():
            self._stale |= waiting
            self._early_rounds = max(EARLY_ROUNDS, self._rounds + _ROUNDS_OF_RECURSIONS)

    def _recursive_calls(self) -> set[Node]:
        """Return the nodes that call functions that wait for themselves."""
        unseen = (each for each in self._readers if not self._has_returned(each))
        calls = ((each, function) for function in unseen for each in self._readers[function])
        return {each for each, function in calls if self._flows_into_result(each, function)}

    def _has_returned(self, function: Node) -> bool:
        return function in self._returns and not self._returns[function].value.is_nothing

    def with_held(self, node: Node, members: Iterable[tuple[str, Value]]) -> Value:
        """Return the object that a node makes, with the members that the script adds later."""
        return evolve(
            Value.written_out([*members, *self._held.get(node, {}).values()]), made=frozenset({node})
        )

    def _add(self, known: dict[Node, Place], function: Node, value: Value) -> None:
        place = known.setdefault(function, Place())
        if self._store(place, self._visited, value):
            self._stale |= self._readers.get(function, set())

    def _store(self, place: Place, source: object, value: Value) -> bool:
        """Put a value into a place; tell whether that changes the place."""
        changed = place.put(source, value, grows=self._is_late)
        changed |= self._settled and place.settle()
        self._changed |= changed
        return changed

    @property
    def _is_late(self) -> bool:
        """Whether values may only grow from this round on, so that the rounds come to an end."""
        return self._rounds > self._early_rounds

    def _settle(self) -> None:
        """Count unknown values in places that hold texts as any text: they stay unknown."""
        self._settled = True
        if waiting := self._recursive_calls():
            self._stale |= waiting
            self._changed = True
        self._changed |= self._thrown.settle()
        for binding, mentions in self._mentions.items():
            if binding.settle():
                self._stale.update(mentions)
                self._changed = True
        for function, place in self._returns.items():
            if place.settle():
                self._stale |= self._readers.get(function, set())
                self._changed = True

    def read(self, known: dict[Node, Place], function: Node) -> Value:
        """Return the known value of a function, and mark the current node as dependent on it."""
        readers = self._readers.setdefault(function, set())
        if self._visited not in readers:
            readers.add(self._visited)
            self._recursive.clear()
        return known[function].value if function in known else NOTHING

    def _look_again(self) -> bool:
        """Mark the current node as stale for the next round, even if nothing changes; return True."""
        self._waits = True
        self._stale.add(self._visited)
        return True

    def _stale_around(self, node: Node) -> None:
        around, stale = node.parent, self._stale
        for _ in range(_SEEN_WITHIN):
            if around is None:
                return
            stale.add(around)
            if around.kind in _ENDS:
                return
            around = around.parent

    def _learn(self, node: Node, value: Value) -> None:
        known = self._values.get(node, NOTHING)
        new = value | self._targets[node] if node in self._targets else value
        if self._is_late:
            new = known | new
        if not (new is known or new == known):
            self._values[node] = new
            if self._rounds > 1:  # the first round visits the nodes around a node after it
                self._stale_around(node)

    def _learn_target(self, node: Node, value: Value) -> None:
        """Add a value that the script assigns to a node; the value stays when the node is visited again."""
        if value.is_nothing:
            return
        self._targets[node] = self._targets.get(node, NOTHING) | value
        known = self._values.get(node, NOTHING)
        new = known | value
        if not (new is known or new == known):
            self._values[node] = new
            self._stale_around(node)

    def _put(self, node: Node | None, value: Value) -> None:
        if node is None:
            return
        binding = self.binding(node) if node.kind == "identifier" else self.scopes.binding(node)
        if binding is None:
            return
        if self._store(binding, (self._visited, node), value):
            self._stale.update(self._mentions.get(binding, ()))

    def _assign(self, pattern: Node | None, value: Value) -> None:
        """Assign a value to the names and members of a pattern."""
        waiting: list[tuple[Node | None, Value]] = [(pattern, value)]
        while waiting:
            target, given = waiting.pop()
            if target is None:
                continue
            self._learn_target(target, given)
            if target.kind in ("identifier", "shorthand_property_identifier_pattern"):
                self._put(target, given)
            elif "object" in target.fields:
                self._add_members(target.fields["object"], [(key, given) for key in self.key(target)])
            else:
                waiting.extend(self.parts_of(target, given))

    def _add_members(self, holder: Node | None, members: Sequence[tuple[str, Value]]) -> None:
        """Add members to an object or a list that the script makes."""
        if holder is not None:
            own = owner(holder) if holder.kind == "this" else None
            self._add_members_to(self.value(holder).made if own is None else {own}, members)

    def _add_members_to(self, made: Iterable[Node], members: Sequence[tuple[str, Value]]) -> None:
        for maker in made:
            held = self._held.setdefault(maker, {})
            for at, (key, value) in enumerate(members):
                kept = value if value.depth < _DEEPEST_HELD else evolve(value, members=None, depth=0)
                if held.get((self._visited, at)) != (key, kept):
                    held[self._visited, at] = key, kept
                    self._stale.add(maker)
                    self._changed = True


def _parts_within(node: Node) -> Iterator[Node]:
    """Yield the parts of a composed text or of a choice that are not composed themselves."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.kind in _COMPOSED:
            waiting.extend(part.children)
        else:
            yield part


_COMPOSED: Final = frozenset(
    {
        "parenthesized_expression", "ternary_expression", "binary_expression", "template_string",
        "template_substitution",
    }
)  # fmt: skip
