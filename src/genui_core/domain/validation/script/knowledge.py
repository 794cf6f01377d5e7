"""What is known of a script's names, values and functions, and what must be looked at again when that changes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from attrs import evolve

from genui_core.domain.validation.addresses import brings_data
from genui_core.domain.validation.script.scopes import Binding, Known, Place, Scopes
from genui_core.domain.validation.script.tree import FUNCTIONS, Node, owner
from genui_core.domain.validation.script.values import NOTHING, UNKNOWN_TEXT, Value

_STEPS: Final = 150_000
_STEPS_A_BYTE: Final = 60
EARLY_ROUNDS: Final = 4
_ROUNDS_OF_RECURSIONS: Final = 2
"""For how many rounds values may still shrink after calls were taken for empty."""
_DEEPEST_HELD: Final = 2
"""How many levels of members a value may have that is put into an object; of others the members are unknown."""
_DECLARED: Final = frozenset({"const", "let", "var", "function", "parameter"})
_MENTIONS: Final = frozenset({"identifier", "shorthand_property_identifier"})
_SEEN_WITHIN: Final = 16
"""How far around a node its value is read; a bound, so that depth costs no more than length."""
_EMPTY: Final = Value.text("")
_MOST_LEVELS: Final = 3
"""How many levels of calls are looked at of a function that calls itself."""
_ENDS: Final = FUNCTIONS | {"statement_block", "program"}
"""Nodes around which nothing is made of what stands in them, but by what functions return."""


class Knowledge(Known):
    """What is known of a script so far, and which of its nodes are stale: what they are made of has changed.

    Attributes:
        called_on: What of the page each function may be called on.
        given_to: The list of what each function may be given, as far as its calls are known.
        has_escaper: Whether it replaces the ``<`` of texts.
        steps_left: How many more it may take, as its length allows; below 0, what is known is incomplete.
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
        """Tell whether it is too early to say what a part of a text can be: what it is made of is not seen yet."""
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
        """Tell whether it is too early to say what a node is: a call in it has not returned yet."""
        if self._is_late:
            return False
        calls = (each for each in islice(_parts_within(node), _SEEN_WITHIN) if self.value(each).is_nothing)
        return any(map(self._calls_script, calls)) and self._look_again()

    def _calls_script(self, node: Node) -> bool:
        """Tell whether a node calls a function of the script, or joins what one may have made."""
        callee = node.fields.get("function")
        return "join" in self.key(callee) or bool(self.value(callee).functions)

    def returned_by(self, function: Node) -> Value:
        """Return what a function of the script can return."""
        value = self.read(self._returns, function)
        if self._recurs and self.is_recursive(function):
            return self._returned_again(function, value)
        return value

    def is_recursive(self, function: Node) -> bool:
        """Tell whether what is looked at goes into what a function returns, so that it waits for itself."""
        call = self._visited, function
        if call not in self._recursive:
            self._recursive[call] = self._goes_into_result(*call)
        return self._recursive[call]

    def _returned_again(self, function: Node, value: Value) -> Value:
        """Return what a function comes to that calls itself: the innermost call is empty, then a few levels."""
        if value.is_nothing:
            return UNKNOWN_TEXT if self._settled else _EMPTY
        levels = self._levels.setdefault(function, [])
        if len(levels) < _MOST_LEVELS and value not in levels:
            levels.append(value)
        seen = Value.any_of(levels)
        return seen | UNKNOWN_TEXT if any(map(brings_data, value.texts)) else seen

    def _goes_into_result(self, node: Node, function: Node) -> bool:
        """Tell whether a function returns what a node is part of, itself or through the functions it calls."""
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
        """Take calls of functions that wait for themselves for empty: so the innermost call comes out.

        What such a function returns besides is then known, and what is unknown in that counts as ever.
        """
        self._recurs = True
        if waiting := self._recursive_calls():
            self._stale |= waiting
            self._early_rounds = max(EARLY_ROUNDS, self._rounds + _ROUNDS_OF_RECURSIONS)

    def _recursive_calls(self) -> set[Node]:
        """Return the calls of functions that wait for themselves."""
        unseen = (each for each in self._readers if not self._has_returned(each))
        calls = ((each, function) for function in unseen for each in self._readers[function])
        return {each for each, function in calls if self._goes_into_result(each, function)}

    def _has_returned(self, function: Node) -> bool:
        return function in self._returns and not self._returns[function].value.is_nothing

    def with_held(self, node: Node, members: Iterable[tuple[str, Value]]) -> Value:
        """Return an object that a node makes, with what is put into it later."""
        return evolve(
            Value.written_out([*members, *self._held.get(node, {}).values()]), made=frozenset({node})
        )

    def _add(self, known: dict[Node, Place], function: Node, value: Value) -> None:
        place = known.setdefault(function, Place())
        if self._goes_into(place, self._visited, value):
            self._stale |= self._readers.get(function, set())

    def _goes_into(self, place: Place, source: object, value: Value) -> bool:
        """Put a value into a place; tell whether the place changes by that."""
        changed = place.put(source, value, grows=self._is_late)
        changed |= self._settled and place.settle()
        self._changed |= changed
        return changed

    @property
    def _is_late(self) -> bool:
        """Whether values may only grow from now on, so that the rounds come to an end."""
        return self._rounds > self._early_rounds

    def _settle(self) -> None:
        """Count as any text what is unknown in all places that hold texts, too: it is not known later either."""
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
        """Return what is known of a function; what is looked at now depends on its calls."""
        readers = self._readers.setdefault(function, set())
        if self._visited not in readers:
            readers.add(self._visited)
            self._recursive.clear()
        return known[function].value if function in known else NOTHING

    def _look_again(self) -> bool:
        """Look at what is looked at now once more in the next round, whatever has changed by then."""
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
            if self._rounds > 1:  # in the first round, the nodes around a node come after it
                self._stale_around(node)

    def _learn_target(self, node: Node, value: Value) -> None:
        """Learn what is put into the place that a node names, whatever is found there otherwise."""
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
        if self._goes_into(binding, (self._visited, node), value):
            self._stale.update(self._mentions.get(binding, ()))

    def _assign(self, pattern: Node | None, value: Value) -> None:
        """Put a value where a pattern says."""
        waiting: list[tuple[Node | None, Value]] = [(pattern, value)]
        while waiting:
            target, given = waiting.pop()
            if target is None:
                continue
            self._learn_target(target, given)
            if target.kind in ("identifier", "shorthand_property_identifier_pattern"):
                self._put(target, given)
            elif "object" in target.fields:
                self._hold(target.fields["object"], [(key, given) for key in self.key(target)])
            else:
                waiting.extend(self.parts_of(target, given))

    def _hold(self, holder: Node | None, members: Sequence[tuple[str, Value]]) -> None:
        """Put something into an object or a list that the script makes."""
        if holder is not None:
            own = owner(holder) if holder.kind == "this" else None
            self._hold_in(self.value(holder).made if own is None else {own}, members)

    def _hold_in(self, made: Iterable[Node], members: Sequence[tuple[str, Value]]) -> None:
        for maker in made:
            held = self._held.setdefault(maker, {})
            for at, (key, value) in enumerate(members):
                kept = value if value.depth < _DEEPEST_HELD else evolve(value, members=None, depth=0)
                if held.get((self._visited, at)) != (key, kept):
                    held[self._visited, at] = key, kept
                    self._stale.add(maker)
                    self._changed = True


def _parts_within(node: Node) -> Iterator[Node]:
    """Yield the parts of a text or of a choice that are neither themselves."""
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
