"""All that there is to say about one script."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from attrs import frozen

from genui_core.domain.validation.rule_match import RuleMatch
from genui_core.domain.validation.script.app_use import AppUse
from genui_core.domain.validation.script.early_errors import early_errors
from genui_core.domain.validation.script.flow import Flow
from genui_core.domain.validation.script.handed import XML_TYPES
from genui_core.domain.validation.script.imports import Imports
from genui_core.domain.validation.script.reach import (
    Sight,
    constructors,
    forbidden_paths,
    punctuation,
    unknown_calls,
)
from genui_core.domain.validation.script.scopes import Scopes
from genui_core.domain.validation.script.sinks import sink_rules
from genui_core.domain.validation.script.tools import tool_rules
from genui_core.domain.validation.script.tree import Node, ScriptTree

_EXCERPT_END: Final = 200


@frozen(kw_only=True)
class ScriptReport:
    """What was seen in a script.

    Attributes:
        rule_matches: What the rules met.
        imports: What it imports.
        flow: What its expressions can be.
        names: What it declares at its top.
        held_by_page: The names that it gives to properties of the global object.
        app: What it does with ``App``.
        parses: Whether it is a script at all; nothing else is said about one that is not, as
            whatever seems to be in it may be something else.
    """

    rule_matches: tuple[RuleMatch, ...]
    imports: Imports
    flow: Flow
    names: frozenset[str]
    held_by_page: frozenset[str]
    app: AppUse
    parses: bool


def read_script(source: str, callable_tools: frozenset[str]) -> ScriptReport:
    """Return the report on a script, for any text."""
    tree = ScriptTree(source)
    scopes = Scopes(tree)
    flow = Flow(tree, scopes)
    errors = [("script.parses", node) for node in early_errors(tree, scopes)]
    imports = Imports.of(tree)
    sights = errors if tree.has_error else [*errors, *_seen(flow, callable_tools), *imports.sights]
    return ScriptReport(
        rule_matches=tuple(_rule_match(tree, rule, node) for rule, node in sights),
        imports=imports,
        flow=flow,
        names=frozenset(scopes.top.names),
        held_by_page=frozenset(_held_by_page(flow)),
        app=AppUse.of(flow, imports.app),
        parses=not tree.has_error,
    )


def _seen(flow: Flow, callable_tools: frozenset[str]) -> list[Sight]:
    """Return what the rules met; nothing but that where the script takes more steps than it may."""
    sights = [*map(partial(_graded, flow), _reached(flow)), *tool_rules(flow, callable_tools)]
    return [("script.too_complex", flow.tree.root)] if flow.work.is_over else sights


def _graded(flow: Flow, sight: Sight) -> Sight:
    """Return what a rule met; markup of unknown making is data, unless a script that escapes texts made it."""
    rule, node = sight
    if rule != "markup.from_call":
        return sight
    made = [*node.arguments, *(each for name, each in node.fields.items() if name == "right")]
    calls = [each for each in made if each.kind == "call_expression"]
    inert = any(each.exact and each.exact <= XML_TYPES for each in flow.given(node)[1:2])
    return ("markup.from_call" if inert or (calls and flow.has_escaper) else "markup.from_data"), node


def _reached(flow: Flow) -> Iterator[Sight]:
    yield from forbidden_paths(flow)
    yield from constructors(flow)
    yield from punctuation(flow)
    yield from unknown_calls(flow)
    yield from sink_rules(flow)


def _held_by_page(flow: Flow) -> Iterator[str]:
    """Yield the names of ``window.name = value``."""
    for node in flow.tree.of("assignment_expression"):
        left = node.fields.get("left")
        if left is not None and flow.value(left.fields.get("object")).is_global:
            yield from flow.key(left)


def _rule_match(tree: ScriptTree, rule: str, node: Node) -> RuleMatch:
    start = tree.offset(node.start)
    return RuleMatch(rule, start, start + min(len(tree.text(node)), _EXCERPT_END))
