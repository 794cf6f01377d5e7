"""The results of calls, and the functions that receive their arguments."""

from collections.abc import Iterable, Sequence
from typing import Final

from genui_core.domain.validation.addresses import HOLE, holds_data
from genui_core.domain.validation.script.folding import (
    REDUCING,
    added_members,
    collection,
    function_result,
    method_result,
)
from genui_core.domain.validation.script.knowledge import Knowledge
from genui_core.domain.validation.script.properties import (
    DOCUMENTS_EVENT,
    EVENT,
    MESSAGE,
    OWN_EVENT,
    REPLACING,
    escaped,
    known_result,
    number,
    property_value,
)
from genui_core.domain.validation.script.scopes import parameters
from genui_core.domain.validation.script.tree import Node, ScriptTree
from genui_core.domain.validation.script.values import BLANK, NO_MARKUP, NOTHING, UNKNOWN_TEXT, Value

_FOR_EACH = {"forEach", "map", "filter", "flatMap", "some", "every", "find"}
_MAPS = {"map", "flatMap"}
_TIMERS = {"setTimeout", "setInterval", "requestAnimationFrame", "requestIdleCallback", "setImmediate"}
THROUGH: Final = frozenset({"call", "apply", "bind"})
"""Methods of functions that set ``this``."""
_TIMERS_GIVE_FROM: Final = 2
"""The index of the first argument that a timer passes to its function."""
_GROUPS_GIVEN: Final = 9
"""How many arguments ``replace`` passes to its function at most: the match and its groups."""
_CALLING_BACK: Final = _TIMERS | _FOR_EACH | REDUCING | REPLACING | {"then"}
_MESSAGES = {"message", "messageerror"}
_PLAIN_CALLEES = {"identifier", "parenthesized_expression"}


class Calls(Knowledge):
    """The knowledge of a script, extended by what its calls return and pass on."""

    def call(self, node: Node) -> Value:
        """Return the possible results of a call, and pass its arguments to the functions it may call."""
        callee = node.fields.get("function") or node.fields.get("constructor")
        function = self.value(callee)
        arguments = self.given(node)
        returned = self._script_result(function, node.arguments, arguments) if function.functions else NOTHING
        if node.kind == "new_expression" or callee is None:
            return returned | self._instance(node, function, arguments)
        if callee.kind in _PLAIN_CALLEES:
            self._pass_this(Value.path(), function)
        elif arguments and arguments[0].is_global and not self.key(callee).isdisjoint(THROUGH):
            self._pass_this(Value.path(), self.value(callee.fields.get("object")))
        for name in self.names(callee):
            returned |= self._built_in_result(name, callee, arguments)
        if ("Reflect", "get") in function.paths and len(arguments) > 1:
            returned |= property_value(arguments[0], arguments[1].as_texts)
        return returned

    def _script_result(self, called: Value, written: Sequence[Node], arguments: Sequence[Value]) -> Value:
        """Pass arguments to the script's functions; return the known results of these functions."""
        is_spread = any(each.kind == "spread_element" for each in written)
        given, otherwise = ((), UNKNOWN_TEXT) if is_spread else (arguments, BLANK)
        for each in called.functions:
            self._pass_arguments(each, given, otherwise=otherwise)
        returned = [(self.returned_by(each), each in self._returns) for each in called.functions]
        return Value.either_of(value for value, is_seen in returned if is_seen or not value.is_nothing)

    def given(self, call: Node) -> list[Value]:
        """Return the arguments of a call; the elements of a spread array literal count one by one."""
        given: list[Value] = []
        for each in call.arguments:
            value = self.value(each)
            spread = each.kind == "spread_element" and value.members is not None
            given.extend(value.elements if spread else (value,))
        return given

    def _pass_arguments(self, function: Node, given: Sequence[Value], *, otherwise: Value = NOTHING) -> None:
        self._add(self.given_to, function, Value.array(given))
        for index, parameter in enumerate(parameters(function)):
            if parameter.kind == "rest_pattern":
                self._assign(parameter, Value.array(given[index:]))
            else:
                self._assign(parameter, given[index] if index < len(given) else otherwise)

    def _pass_this(self, subject: Value, called: Value) -> None:
        for each in called.functions:
            self._add(self.called_on, each, subject)

    def _instance(self, node: Node, of: Value, arguments: Sequence[Value]) -> Value:
        """Return the instance that ``new`` makes; the value of a class has its instances' members, too."""
        made = Value.any_of(collection(each[-1], arguments) for each in of.paths if each)
        if made.members is not None:
            made = self.with_held(node, made.members)
        return Value(members=of.members, depth=of.depth, made=of.made) | made

    def _built_in_result(self, name: str, callee: Node, arguments: Sequence[Value]) -> Value:
        subject = self.value(callee.fields.get("object"))
        if subject.made:
            self._add_members_to(subject.made, added_members(name, arguments))
        if name == "assign" and len(arguments) > 1:
            given = Value.any_of(arguments[1:])
            self._add_members_to(arguments[0].made, given.members or [(HOLE, UNKNOWN_TEXT)])
        if name == "join" and not all(each.is_known for each in subject.elements) and self._is_early():
            return NOTHING
        found = known_result(name, subject, arguments)
        if not found.is_nothing:
            return found
        if name == "addEventListener" and len(arguments) > 1:
            to_messages = not arguments[0].exact.isdisjoint(_MESSAGES)
            self._pass_event(arguments[1], self._event_target(callee), to_messages=to_messages)
        self._pass_to_callbacks(name, subject, arguments)
        made = self._list_result(name, subject, arguments)
        if made is not None:
            return made
        folded = function_result(name, arguments) | method_result(name, subject, arguments)
        folded |= self._replacement_result(name, subject, arguments)
        if folded.is_nothing:
            folded = number(name, self.value(callee), subject)
        if not escaped(name, UNKNOWN_TEXT, arguments).is_nothing and not is_escaped_count(self.tree, callee):
            self.has_escaper = True
        return folded

    def _replacement_result(self, name: str, subject: Value, arguments: Sequence[Value]) -> Value:
        """Return a text after ``replace`` or ``replaceAll``, with a text or with a function's results."""
        if name not in REPLACING:
            return NOTHING
        by = Value.any_of(arguments[1:2])
        made = self._results_of(by)
        if by.functions and not made.is_known and self._is_early():
            return NOTHING
        return escaped(name, subject, arguments, made)

    def _is_too_early(self, functions: Iterable[Node]) -> bool:
        """Tell whether the result of one of some functions is still unknown and may become known."""
        unseen = [each for each in functions if not self._has_returned(each)]
        waits = any(
            each not in self._returns or (not self._recurs and self.is_recursive(each)) for each in unseen
        )
        return waits and self._is_early()

    def _is_early(self) -> bool:
        """Tell whether unknown values may still become known; if so, visit the current node again."""
        return not self._is_late and self._look_again()

    def _results_of(self, called: Value) -> Value:
        """Return the possible results of some functions."""
        return Value.any_of(map(self.returned_by, called.functions))

    def _mapped(self, subject: Value, by: Value) -> Value:
        """Return the list that ``map`` makes, if its elements are markup or nothing else is known of it."""
        made = self._results_of(by)
        markup = any("<" in each for each in made.texts)
        if made.is_nothing and self._is_too_early(by.functions):
            return NOTHING
        if not made.is_known and all(each in self._returns for each in by.functions):
            return Value.array([UNKNOWN_TEXT])
        return Value.array([made]) if made.texts and (subject.members is None or markup) else NOTHING

    def _list_result(self, name: str, subject: Value, arguments: Sequence[Value]) -> Value | None:
        """Return what ``map`` or ``reduce`` makes of a list; None if the list itself is more precise."""
        by = Value.any_of(arguments[:1])
        if by.functions and name in REDUCING:
            return self._reduced(name, subject, arguments)
        made = self._mapped(subject, by) if by.functions and name in _MAPS else NOTHING
        return None if made.is_nothing and not self._is_too_early(by.functions) else made

    def _reduced(self, name: str, subject: Value, arguments: Sequence[Value]) -> Value:
        """Return what ``reduce`` makes of all elements."""
        made = self._results_of(arguments[0])
        if made.is_nothing and self._is_early():
            return NOTHING
        whole = method_result(name, subject, arguments) | Value.any_of(arguments[1:2]) | made
        return whole | UNKNOWN_TEXT if made.is_nothing else whole

    def _pass_to_callbacks(self, name: str, subject: Value, arguments: Sequence[Value]) -> None:
        """Pass values to the callbacks that a built-in function calls."""
        if name not in _CALLING_BACK:
            return
        called = Value.any_of(arguments[:1])
        if name in _TIMERS or (name in _FOR_EACH and len(arguments) == 1):
            self._pass_this(Value.path(), called)
        if name in _TIMERS:
            given = arguments[_TIMERS_GIVE_FROM:]
        elif name in _FOR_EACH:
            given = [Value.either_of(subject.elements), NO_MARKUP]
        elif name in REDUCING:
            given = [_accumulator(subject, arguments), Value.either_of(subject.elements), NO_MARKUP]
        elif name == "then":
            given = [subject]
        elif name in REPLACING and subject.texts and not any(map(holds_data, subject.texts)):
            called, given = Value.any_of(arguments[1:2]), [NO_MARKUP] * _GROUPS_GIVEN
        else:
            return
        for function in called.functions:
            self._pass_arguments(function, given)

    def _event_target(self, place: Node) -> Value:
        """Return the object that a listener is added to; a plain name belongs to the global object."""
        return self.value(place.fields["object"]) if "object" in place.fields else Value.path()

    def _pass_event(self, listener: Value, subject: Value, *, to_messages: bool) -> None:
        """Pass the event to a listener: a function, or the ``handleEvent`` of an object."""
        handler = property_value(Value(members=listener.members), frozenset({"handleEvent"}))
        given = Value.path(MESSAGE if to_messages else EVENT)
        for of, to in (
            (Value.path(), Value.path(OWN_EVENT)),
            (Value.path("document"), Value.path(DOCUMENTS_EVENT)),
        ):
            if of.paths <= subject.paths:
                given |= to
                self._pass_this(of, listener)
        for function in listener.functions | handler.functions:
            self._assign(next(iter(parameters(function)), None), given)

    def _set_handler(self, names: frozenset[str], listener: Value, subject: Value) -> None:
        """Pass an event to the listener that is assigned to ``onclick`` or a similar property."""
        if any(each.startswith("on") for each in names):
            to_messages = not names.isdisjoint({f"on{each}" for each in _MESSAGES})
            self._pass_event(listener, subject, to_messages=to_messages)


def forwarded_arguments(method: str, given: list[Value]) -> list[Value]:
    """Return the arguments that ``call``, ``apply`` or ``bind`` pass to a function; all for other methods."""
    if method == "apply":
        return list(given[1].elements) if len(given) > 1 else []
    return given[1:] if method in THROUGH else given


def _accumulator(subject: Value, arguments: Sequence[Value]) -> Value:
    """Return the accumulator that ``reduce`` passes to its function: the start value, or more text.

    The added text is left out, because it is found where the function returns it.
    """
    begun = arguments[1] if len(arguments) > 1 else Value.either_of(subject.elements)
    return begun | NO_MARKUP if begun.texts else begun


def escaped_count(written: str) -> str:
    """Return an expression for the text of another expression, without the characters of markup."""
    return f"String({written}){_ESCAPE}"


def is_escaped_count(tree: ScriptTree, callee: Node) -> bool:
    """Tell whether `escaped_count` wrote a call, so the call does not show that the script escapes data."""
    call, subject = callee.parent, callee.fields.get("object")
    if call is None or subject is None or call.parent is None or call.parent.kind not in _PLACES:
        return False
    return tree.text(subject).startswith("String(") and tree.text(call).endswith(_ESCAPE)


_ESCAPE: Final = """.replace(/[<>&"']/g, "")"""
_PLACES: Final = frozenset({"template_substitution", "binary_expression", "assignment_expression"})
