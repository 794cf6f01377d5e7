"""Where values go in a script: through names, patterns, parameters and what functions return."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from genui_core.domain.judging.addresses import HOLE
from genui_core.domain.judging.script.counts import is_escaped_count
from genui_core.domain.judging.script.expressions import TRANSFER, key_texts
from genui_core.domain.judging.script.folding import (
    called_function,
    called_method,
    collection,
    escaped,
    number,
    texts_in,
)
from genui_core.domain.judging.script.names import name_of
from genui_core.domain.judging.script.page_functions import known_result
from genui_core.domain.judging.script.patterns import parameters, parts_of
from genui_core.domain.judging.script.properties import (
    DOCUMENTS_EVENT,
    EVENT,
    KIT,
    MESSAGE,
    OWN_EVENT,
    property_value,
)
from genui_core.domain.judging.script.scopes import Binding, Scopes
from genui_core.domain.judging.script.tree import Node, ScriptTree
from genui_core.domain.judging.script.values import (
    NO_MARKUP,
    NOTHING,
    UNKNOWN_TEXT,
    Value,
    Work,
    any_of,
    array,
    concatenated,
    path,
    text,
    written_out,
)

_MOST_ROUNDS: Final = 8
_STEPS: Final = 150_000
_STEPS_A_BYTE: Final = 60
_EARLY_ROUNDS: Final = 4
_DECLARED: Final = frozenset({"const", "let", "var", "function", "parameter"})
_DIGITS: Final = "0123456789."
_CONSTANT: Final = frozenset({"string", "number", "regex"})
"""What comes to the same every time."""
_TEXTS: Final = frozenset({"template_string", "binary_expression"})
_FOR_EACH = {"forEach", "map", "filter", "flatMap", "some", "every", "find"}
_MAPS = {"map", "flatMap"}
_TIMERS = {"setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback", "setImmediate"}
THROUGH: Final = frozenset({"call", "apply", "bind"})
"""Methods of functions that say what ``this`` is to be."""
_TIMERS_GIVE_FROM: Final = 2
"""From which of its arguments on a timer hands what it is given to its function."""
_MESSAGES = {"message", "messageerror"}
_KIT_PARAMETER: Final = 1
"""Where ``render(data, ui)`` takes the kit."""


class Flow:
    """What every expression of a script can be.

    It goes over the script until nothing new is learned, a few times at most.

    Attributes:
        tree: The script.
        has_escaper: Whether it replaces the ``<`` of texts.
        work: The steps that it may still take; once they are over, what is known is incomplete.
    """

    def __init__(self, tree: ScriptTree, scopes: Scopes) -> None:
        self.tree: Final = tree
        self.work: Final = Work(_STEPS + _STEPS_A_BYTE * tree.root.end)
        self._scopes = scopes
        self._values: dict[Node, Value] = {}
        self._returns: dict[Node, Value] = {}
        self._called_on: dict[Node, Value] = {}
        self._given_to: dict[Node, Value] = {}
        self._thrown = NOTHING
        self.has_escaper = False
        self._changed = True
        self._count_mentions()
        self._open_parameters()
        self._rounds = 0
        visits = [
            (each, TRANSFER.get(each.kind), _MOVES.get(each.kind))
            for each in reversed(tree.nodes)
            if each.kind in TRANSFER or each.kind in _MOVES
        ]
        while self._changed and self._rounds < _MOST_ROUNDS and not self.work.is_over:
            self._changed = False
            self._rounds += 1
            self._go_over(visits)
            visits = (
                visits if self._rounds > 1 else [each for each in visits if each[0].kind not in _CONSTANT]
            )

    def _go_over(self, visits: "Sequence[_Visit]") -> None:
        for node, transfer, move in visits:
            if transfer is not None:
                value = transfer(self, node)
                if value is not NOTHING:
                    self.work.spend(value.size)
                    self._learn(node, value)
            if move is not None:
                move(self, node)
            if self.work.is_over:
                return

    def value(self, node: Node | None) -> Value:
        """Return what a node can be."""
        return NOTHING if node is None else self._values.get(node, NOTHING)

    def key(self, node: Node) -> frozenset[str]:
        """Return the names of the property that a member expression reads; nothing for other nodes."""
        if node.kind == "member_expression":
            return frozenset({name_of(self.tree, node.fields["property"])})
        if node.kind == "subscript_expression":
            return self.value(node.fields.get("index")).as_texts
        return frozenset()

    def binding(self, node: Node | None) -> Binding | None:
        """Return what a plain name means."""
        if node is None or node.kind not in ("identifier", "shorthand_property_identifier"):
            return None
        return node.scope.lookup(name_of(self.tree, node))

    def _count_mentions(self) -> None:
        for node in self.tree.nodes:
            binding = self.binding(node)
            if binding is None or binding.node is node:
                continue
            binding.mentions += 1
            around = node.parent
            if (
                around is not None
                and around.kind == "call_expression"
                and around.fields.get("function") is node
            ):
                binding.calls += 1

    def _open_parameters(self) -> None:
        """Parameters of functions that strangers may call can be anything."""
        for node in self.tree.nodes:
            if node.kind in ("function_declaration", "generator_function_declaration"):
                self._put(node.fields.get("name"), Value(functions=frozenset({node})))
        for node in self.tree.nodes:
            taken = parameters(node)
            for each in taken:
                if not self._is_called_by_name_only(node):
                    self._assign(each, UNKNOWN_TEXT)
            if len(taken) > _KIT_PARAMETER and self._is_render(node):
                self._assign(taken[_KIT_PARAMETER], path(KIT))

    def _is_render(self, function: Node) -> bool:
        named = function if "name" in function.fields else function.parent
        name = None if named is None else named.fields.get("name") or named.fields.get("left")
        return name is not None and self.tree.text(name) == "render"

    def _is_called_by_name_only(self, function: Node) -> bool:
        name, around = function.fields.get("name"), function.parent
        if function.kind != "function_declaration":
            while around is not None and around.kind == "parenthesized_expression":
                around = around.parent
            if around is not None and around.kind in ("call_expression", "arguments"):
                return True
            declared = around is not None and around.kind == "variable_declarator"
            name = around.fields.get("name") if declared and around is not None else None
        binding = self.binding(name)
        return binding is not None and binding.calls == binding.mentions > 0

    def call(self, node: Node) -> Value:
        """Return what a call can come to, and hand its arguments on."""
        callee = node.fields.get("function") or node.fields.get("constructor")
        function = self.value(callee)
        arguments = self.given(node)
        for each in function.functions:
            self._hand_on(each, node.arguments, arguments)
        returned = any_of(self._returns.get(each, NOTHING) for each in function.functions)
        if node.kind == "new_expression" or callee is None:
            return returned | self._instance(function, arguments)
        if callee.kind in _PLAIN_CALLEES:
            self._calls_on(path(), function)
        elif arguments and arguments[0].is_global and not self.key(callee).isdisjoint(THROUGH):
            self._calls_on(path(), self.value(callee.fields.get("object")))
        for name in self.key(callee) | {each[-1] for each in function.paths if each}:
            returned |= self._built_in(name, callee, arguments)
        if ("Reflect", "get") in function.paths and len(arguments) > 1:
            returned |= property_value(arguments[0], arguments[1].as_texts)
        return returned

    def waits_for(self, node: Node) -> bool:
        """Tell whether it is too early to say what a part of a text can be: what it is made of is not seen yet."""
        if self._rounds > _EARLY_ROUNDS:
            return False
        callee = node.fields.get("function") if node.kind == "call_expression" else None
        begins: Node | None = callee or node
        while begins is not None and "object" in begins.fields:
            begins = begins.fields["object"]
        binding = self.binding(begins)
        named = binding is not None and binding.kind in _DECLARED
        early = named or (callee is not None and "join" in self.key(callee))
        self._changed = self._changed or early
        return early

    def given(self, call: Node) -> list[Value]:
        """Return what a call is given; an array that is spread and written out counts one by one."""
        given: list[Value] = []
        for each in call.arguments:
            value = self.value(each)
            spread = each.kind == "spread_element" and value.members is not None
            given.extend(value.elements if spread else (value,))
        return given

    def _hand_on(self, function: Node, written: Sequence[Node], arguments: Sequence[Value]) -> None:
        if any(each.kind == "spread_element" for each in written):
            arguments = ()
        self._give(function, arguments, otherwise=UNKNOWN_TEXT)

    def _give(self, function: Node, given: Sequence[Value], *, otherwise: Value = NOTHING) -> None:
        self._add(self._given_to, function, array(given))
        for index, parameter in enumerate(parameters(function)):
            if parameter.kind == "rest_pattern":
                self._assign(parameter, array(given[index:]))
            else:
                self._assign(parameter, given[index] if index < len(given) else otherwise)

    def returned_by(self, function: Node) -> Value:
        """Return what a function of the script can return."""
        return self._returns.get(function, NOTHING)

    def called_on(self, function: Node) -> Value:
        """Return what of the page a function may be called on."""
        return self._called_on.get(function, NOTHING)

    def _calls_on(self, subject: Value, called: Value) -> None:
        for each in called.functions:
            self._add(self._called_on, each, subject)

    def given_to(self, function: Node) -> Value:
        """Return the list of what a function may be given, as far as its calls are known."""
        return self._given_to.get(function, NOTHING)

    def _add(self, known: dict[Node, Value], function: Node, value: Value) -> None:
        before = known.get(function, NOTHING)
        if before | value != before:
            known[function] = before | value
            self._changed = True

    def _instance(self, made: Value, arguments: Sequence[Value]) -> Value:
        """A class has the members of its instances, too."""
        return any_of(
            [
                Value(members=made.members, depth=made.depth),
                *(collection(each[-1], arguments) for each in made.paths if each),
            ]
        )

    def _built_in(self, name: str, callee: Node, arguments: Sequence[Value]) -> Value:
        subject = self.value(callee.fields.get("object"))
        found = known_result(name, subject, arguments)
        if found != NOTHING:
            return found
        if name == "set" and len(arguments) > 1:
            self._hold(callee.fields.get("object"), [(key, arguments[1]) for key in arguments[0].exact])
        if name == "addEventListener" and len(arguments) > 1:
            to_messages = not arguments[0].exact.isdisjoint(_MESSAGES)
            self._listens(arguments[1], self._listened_to(callee), to_messages=to_messages)
        self._calls_back(name, subject, arguments)
        if name in _MAPS and arguments and arguments[0].functions:
            made = self._mapped(subject, arguments[0])
            if made != NOTHING or self._is_too_early(arguments[0].functions):
                return made
        folded = called_function(name, arguments) | called_method(name, subject, arguments)
        folded |= escaped(name, subject, arguments)
        if folded == NOTHING:
            folded = number(name, self.value(callee), subject)
        if escaped(name, UNKNOWN_TEXT, arguments) != NOTHING and not is_escaped_count(self.tree, callee):
            self.has_escaper = True
        return folded

    def _is_too_early(self, functions: Iterable[Node]) -> bool:
        """Tell whether it is not seen yet what any of some functions returns."""
        early = self._rounds <= _EARLY_ROUNDS and any(each not in self._returns for each in functions)
        self._changed = self._changed or early
        return early

    def _mapped(self, subject: Value, by: Value) -> Value:
        """Return the list of what a function makes of each element, where that is markup or all that is known."""
        made = any_of(self._returns.get(each, NOTHING) for each in by.functions)
        markup = any("<" in each for each in made.texts)
        return array([made]) if made.texts and (subject.members is None or markup) else NOTHING

    def _calls_back(self, name: str, subject: Value, arguments: Sequence[Value]) -> None:
        """Give the functions that a function of the page is given what it calls them with."""
        called = any_of(arguments[:1])
        if name in _TIMERS or (name in _FOR_EACH and len(arguments) == 1):
            self._calls_on(path(), called)
        if name in _TIMERS:
            given = arguments[_TIMERS_GIVE_FROM:]
        elif name in _FOR_EACH:
            given = [any_of(subject.elements), NO_MARKUP]
        elif name == "then":
            given = [subject]
        else:
            return
        for function in called.functions:
            self._give(function, given)

    def _listened_to(self, place: Node) -> Value:
        """Return what is listened to; a plain name is one of the page's."""
        return self.value(place.fields["object"]) if "object" in place.fields else path()

    def _listens(self, listener: Value, subject: Value, *, to_messages: bool) -> None:
        """Give a function, or the ``handleEvent`` of an object, its event."""
        handler = property_value(Value(members=listener.members), frozenset({"handleEvent"}))
        given = path(MESSAGE if to_messages else EVENT)
        for of, to in ((path(), path(OWN_EVENT)), (path("document"), path(DOCUMENTS_EVENT))):
            if of.paths <= subject.paths:
                given |= to
                self._calls_on(of, listener)
        for function in listener.functions | handler.functions:
            self._assign(next(iter(parameters(function)), None), given)

    def _listens_as(self, names: frozenset[str], listener: Value, subject: Value) -> None:
        """``onclick`` and its like are given an event."""
        if any(each.startswith("on") for each in names):
            to_messages = not names.isdisjoint({f"on{each}" for each in _MESSAGES})
            self._listens(listener, subject, to_messages=to_messages)

    def _learn(self, node: Node, value: Value) -> None:
        known = self._values.get(node, NOTHING)
        joined = known | value
        if joined != known:
            self._values[node] = joined

    def _put(self, node: Node | None, value: Value) -> None:
        binding = self.binding(node) if node is None or node.kind == "identifier" else self._shorthand(node)
        if binding is None:
            return
        joined = binding.value | value
        if joined != binding.value:
            binding.value = joined
            self._changed = True

    def _shorthand(self, node: Node) -> Binding | None:
        return node.scope.lookup(name_of(self.tree, node))

    def _assign(self, pattern: Node | None, value: Value) -> None:
        """Put a value where a pattern says."""
        waiting: list[tuple[Node | None, Value]] = [(pattern, value)]
        while waiting:
            target, given = waiting.pop()
            if target is None:
                continue
            self._learn(target, given)
            if target.kind in ("identifier", "shorthand_property_identifier_pattern"):
                self._put(target, given)
            else:
                waiting.extend(parts_of(self, target, given))

    def declared(self, node: Node) -> None:
        """Take in ``const name = value``."""
        value = node.fields.get("value")
        if value is not None:
            self._assign(node.fields.get("name"), self.value(value))

    def assigned(self, node: Node) -> None:
        """Take in ``name = value``."""
        value = self.value(node.fields.get("right"))
        self._learn(node, value)
        left = node.fields.get("left")
        if left is not None:
            own = left.kind == "identifier" and self.binding(left) is None
            names = frozenset({name_of(self.tree, left)}) if own else self.key(left)
            self._listens_as(names, value, self._listened_to(left))
        self._assign(left, value)
        if left is not None:
            self._hold(left.fields.get("object"), ((key, value) for key in self.key(left)))

    def _hold(self, holder: Node | None, members: Iterable[tuple[str, Value]]) -> None:
        """Put something into an object or a list that is written out under a name."""
        binding = self.binding(holder)
        if binding is not None and binding.value.members is not None:
            known = [each for each in members if HOLE not in each[0]]
            self._put(holder, written_out(known) if known else NOTHING)

    def listened(self, node: Node) -> None:
        """Take in ``{ onclick: listener }``."""
        self._listens_as(key_texts(self, node.fields["key"]), self.value(node.fields.get("value")), NOTHING)

    def defaulted(self, node: Node) -> None:
        """Take in ``(name = value) => …``."""
        self._assign(node.fields.get("left"), self.value(node.fields.get("right")))

    def augmented(self, node: Node) -> None:
        """Take in ``name += value``; what was there before is not kept apart from what comes."""
        value = self.value(node.fields.get("right"))
        operator = node.fields.get("operator")
        if value.is_number:
            self._assign(node.fields.get("left"), value)
            return
        if value.texts and not any(each.strip(_DIGITS) for each in value.exact | (value.texts - value.exact)):
            self._assign(node.fields.get("left"), NO_MARKUP)
            return
        if operator is not None and operator.kind == "+=" and value.holds_text:
            known = Value(texts=self.value(node.fields.get("left")).exact)
            value = concatenated(NO_MARKUP, value) | concatenated(known, value)
        elif operator is None or operator.kind != "+=" or not self._is_early(node.fields.get("right")):
            value |= UNKNOWN_TEXT
        self._learn(node, value)
        self._assign(node.fields.get("left"), value)

    def _is_early(self, node: Node | None) -> bool:
        return node is not None and node.kind in _TEXTS and self._rounds <= _EARLY_ROUNDS

    def looped(self, node: Node) -> None:
        """Take in ``for (const name of values)`` and ``for (const key in object)``."""
        over = self.value(node.fields.get("right"))
        if "of" in node.tokens:
            values = any_of(over.elements) if over.elements else UNKNOWN_TEXT
        else:
            values = UNKNOWN_TEXT | text(*(key for key, _ in texts_in(over)))
        self._assign(node.fields.get("left"), values)

    def returned(self, node: Node) -> None:
        """Take in ``return value``."""
        function = node.function()
        if function is not None and node.children:
            self._add(self._returns, function, self.value(node.children[0]))

    def yielded(self, node: Node) -> None:
        """Take in ``yield value`` and ``yield* values``: a generator comes to a list of them."""
        function = node.function()
        if function is not None and node.children:
            value = self.value(node.children[0])
            self._add(self._returns, function, value if "*" in node.tokens else array([value]))

    def thrown(self, node: Node) -> None:
        """Take in ``throw value``."""
        value = self.value(node.children[0]) if node.children else NOTHING
        self._changed |= self._thrown | value != self._thrown
        self._thrown |= value

    def caught(self, node: Node) -> None:
        """Take in ``catch (error)``, which may get whatever is thrown anywhere."""
        self._assign(node.fields.get("parameter"), self._thrown)

    def arrow(self, node: Node) -> None:
        """Take in ``() => value``."""
        body = node.fields.get("body")
        if body is not None and body.kind != "statement_block":
            self._add(self._returns, node, self.value(body))

    def named_class(self, node: Node) -> None:
        """Take in ``class Name { … }``."""
        self._assign(node.fields.get("name"), self.value(node))


_Visit = tuple[Node, Callable[[Flow, Node], Value] | None, Callable[[Flow, Node], None] | None]

_PLAIN_CALLEES = {"identifier", "parenthesized_expression"}

_MOVES: Final[Mapping[str, Callable[[Flow, Node], None]]] = {
    "variable_declarator": Flow.declared,
    "assignment_expression": Flow.assigned,
    "augmented_assignment_expression": Flow.augmented,
    "for_in_statement": Flow.looped,
    "pair": Flow.listened,
    "assignment_pattern": Flow.defaulted,
    "object_assignment_pattern": Flow.defaulted,
    "return_statement": Flow.returned,
    "yield_expression": Flow.yielded,
    "throw_statement": Flow.thrown,
    "catch_clause": Flow.caught,
    "arrow_function": Flow.arrow,
    "class_declaration": Flow.named_class,
}
