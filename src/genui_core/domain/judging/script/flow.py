"""Where values go in a script: through names, patterns, parameters and what functions return."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from genui_core.domain.judging.addresses import HOLE
from genui_core.domain.judging.script.expressions import TRANSFER, key_texts
from genui_core.domain.judging.script.folding import called_function, called_method, collection, texts_in
from genui_core.domain.judging.script.names import name_of
from genui_core.domain.judging.script.properties import (
    DOCUMENTS_EVENT,
    EVENT,
    KIT,
    MESSAGE,
    OWN_EVENT,
    PATH_OF_EVENT,
    property_value,
)
from genui_core.domain.judging.script.scopes import Binding, Scopes
from genui_core.domain.judging.script.tree import Node, ScriptTree
from genui_core.domain.judging.script.values import (
    NOTHING,
    UNKNOWN_TEXT,
    Value,
    any_of,
    array,
    concatenated,
    path,
    text,
    written_out,
)

_MOST_ROUNDS: Final = 5
_FOR_EACH = {"forEach", "map", "filter", "flatMap", "some", "every", "find"}
_MAKERS = {"createElement", "createElementNS", "el"}
_FINDERS = {"querySelector", "closest"}
_TIMERS = {"setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback", "setImmediate"}
_HANDS_BACK = {
    "appendChild", "insertBefore", "importNode", "adoptNode", "freeze", "seal", "createTextNode", "getPrototypeOf",
    "resolve", "structuredClone",
}  # fmt: skip
"""What comes to the first thing it is given."""
_JOINS = {"assign", "createPolicy"}
"""What comes to all that it is given."""
_STAYS = {"bind", "cloneNode", "valueOf"}
"""What comes to the thing it is called on."""
THROUGH: Final = frozenset({"call", "apply", "bind"})
"""Methods of functions that say what ``this`` is to be."""
_MESSAGES = {"message", "messageerror"}
_KIT_PARAMETER: Final = 1
"""Where ``render(data, ui)`` takes the kit."""
_FORM = re.compile(r"(?:.*[\s>+~])?form(?:[.#:\[].*)?", re.IGNORECASE | re.DOTALL)


class Flow:
    """What every expression of a script can be.

    It goes over the script until nothing new is learned, a few times at most.

    Attributes:
        tree: The script.
    """

    def __init__(self, tree: ScriptTree, scopes: Scopes) -> None:
        self.tree: Final = tree
        self._scopes = scopes
        self._values: dict[Node, Value] = {}
        self._returns: dict[Node, Value] = {}
        self._called_on: dict[Node, Value] = {}
        self._changed = True
        self._count_mentions()
        self._open_parameters()
        rounds = 0
        while self._changed and rounds < _MOST_ROUNDS:
            self._changed = False
            rounds += 1
            for node in reversed(tree.nodes):
                self._visit(node)

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
        for index, parameter in enumerate(parameters(function)):
            if parameter.kind == "rest_pattern":
                self._assign(parameter, array(arguments[index:]))
            else:
                self._assign(parameter, arguments[index] if index < len(arguments) else UNKNOWN_TEXT)

    def returned_by(self, function: Node) -> Value:
        """Return what a function of the script can return."""
        return self._returns.get(function, NOTHING)

    def called_on(self, function: Node) -> Value:
        """Return what of the page a function may be called on."""
        return self._called_on.get(function, NOTHING)

    def _calls_on(self, subject: Value, called: Value) -> None:
        for each in called.functions:
            known = self.called_on(each)
            self._changed |= known | subject != known
            self._called_on[each] = known | subject

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
        found = _known_result(name, subject, arguments)
        if found != NOTHING:
            return found
        if name == "set" and len(arguments) > 1:
            self._hold(callee.fields.get("object"), [(key, arguments[1]) for key in arguments[0].exact])
        if name == "addEventListener" and len(arguments) > 1:
            to_messages = not arguments[0].exact.isdisjoint(_MESSAGES)
            self._listens(arguments[1], self._listened_to(callee), to_messages=to_messages)
        if name in _TIMERS or (name in _FOR_EACH and len(arguments) == 1):
            self._calls_on(path(), any_of(arguments[:1]))
        if name == "then":
            for function in any_of(arguments[:1]).functions:
                self._assign(next(iter(parameters(function)), None), subject)
        if name in _FOR_EACH and arguments:
            for function in arguments[0].functions:
                self._assign(next(iter(parameters(function)), None), any_of(subject.elements))
        return called_function(name, arguments) | called_method(name, subject, arguments)

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

    def _visit(self, node: Node) -> None:
        transfer = TRANSFER.get(node.kind)
        if transfer is not None:
            self._learn(node, transfer(self, node))
        move = _MOVES.get(node.kind)
        if move is not None:
            move(self, node)

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
                waiting.extend(self._parts(target, given))

    def _parts(self, pattern: Node, value: Value) -> list[tuple[Node | None, Value]]:
        if pattern.kind in ("assignment_pattern", "object_assignment_pattern"):
            default = self.value(pattern.fields.get("right"))
            left = pattern.fields.get("left")
            if left is not None and left.kind == "shorthand_property_identifier_pattern":
                value = property_value(value, frozenset({name_of(self.tree, left)}))
            return [(left, value | default)]
        if pattern.kind == "object_pattern":
            return [self._part(each, value) for each in pattern.children]
        if pattern.kind == "array_pattern":
            return [
                (
                    each,
                    value if each.kind == "rest_pattern" else property_value(value, frozenset({str(index)})),
                )
                for index, each in enumerate(pattern.children)
            ]
        if pattern.kind in ("rest_pattern", "parenthesized_expression"):
            return [(each, value) for each in pattern.children]
        return []

    def _part(self, pattern: Node, value: Value) -> tuple[Node | None, Value]:
        if pattern.kind == "pair_pattern":
            found = property_value(value, key_texts(self, pattern.fields["key"]))
            self._learn(pattern, found)
            return pattern.fields.get("value"), found
        if pattern.kind == "shorthand_property_identifier_pattern":
            return pattern, property_value(value, frozenset({name_of(self.tree, pattern)}))
        return pattern, value

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
        if operator is not None and operator.kind == "+=" and value.holds_text:
            known = Value(texts=self.value(node.fields.get("left")).exact)
            value = concatenated(UNKNOWN_TEXT, value) | concatenated(known, value)
        self._learn(node, value)
        self._assign(node.fields.get("left"), value | UNKNOWN_TEXT)

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
            self._returns_value(function, self.value(node.children[0]))

    def arrow(self, node: Node) -> None:
        """Take in ``() => value``."""
        body = node.fields.get("body")
        if body is not None and body.kind != "statement_block":
            self._returns_value(node, self.value(body))

    def named_class(self, node: Node) -> None:
        """Take in ``class Name { … }``."""
        self._assign(node.fields.get("name"), self.value(node))

    def _returns_value(self, function: Node, value: Value) -> None:
        known = self._returns.get(function, NOTHING)
        if known | value != known:
            self._returns[function] = known | value
            self._changed = True


def _known_result(name: str, subject: Value, arguments: Sequence[Value]) -> Value:
    """Return what a function of the page's comes to, where that is an object that must be followed."""
    if name in _STAYS:
        return subject if subject.paths else NOTHING
    if name in _ALWAYS or not arguments:
        return _ALWAYS.get(name, NOTHING)
    if name in _MAKERS:
        tags = arguments[1 if name == "createElementNS" and len(arguments) > 1 else 0].exact
        return any_of(path(made_element(tag)) for tag in tags)
    if name in _FINDERS and any(map(_FORM.fullmatch, arguments[0].exact)):
        return path(made_element("form"))
    if name in _HANDS_BACK:
        return arguments[0]
    return any_of(arguments) if name in _JOINS else NOTHING


_ALWAYS: Final[Mapping[str, Value]] = {"getRootNode": path("document"), "composedPath": PATH_OF_EVENT}


def parameters(function: Node) -> list[Node]:
    """Return the patterns of a function's parameters; nothing for other nodes."""
    single = function.fields.get("parameter") if function.kind == "arrow_function" else None
    several = function.fields.get("parameters")
    return [single] if single is not None else several.children if several is not None else []


def made_element(tag: str) -> str:
    """Return the path of an element that a script makes."""
    name = tag.lower().strip().rpartition(":")[2]
    return "<" + name.partition(".")[0]


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
    "arrow_function": Flow.arrow,
    "class_declaration": Flow.named_class,
}
