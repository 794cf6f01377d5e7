"""The report on one script: the rules that it breaks, its imports, and its use of ``App``."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Final

from attrs import frozen

from genui_core.domain.validation.addresses import HOLE
from genui_core.domain.validation.document_plan import APP_PACKAGE, KIT_PACKAGE
from genui_core.domain.validation.rule_match import RuleMatch
from genui_core.domain.validation.script.calls import forwarded_arguments
from genui_core.domain.validation.script.early_errors import early_errors
from genui_core.domain.validation.script.flow import Flow
from genui_core.domain.validation.script.properties import KIT
from genui_core.domain.validation.script.reach import NodeMatch, constructors, forbidden_paths, unknown_calls
from genui_core.domain.validation.script.scopes import Scopes, imported
from genui_core.domain.validation.script.sinks import sink_rules
from genui_core.domain.validation.script.tree import Node, ScriptTree, unescaped
from genui_core.domain.validation.script.value_rules import XML_TYPES
from genui_core.domain.validation.script.values import OWN_TOOL, Path, Value

_LIST_AT: Final = 2

_EXCERPT_END: Final = 200


def tool_rules(flow: Flow, callable_tools: frozenset[str]) -> Iterator[NodeMatch]:
    """Yield the calls of tools that the view may not call, or whose names are computed."""
    for node in flow.tree.of("call_expression"):
        if _passes_tool_call(flow, node):
            yield "tool.computed", node
        name = _name_of_called_tool(flow, node)
        if name is None:
            continue
        if name.exact - callable_tools:
            yield "tool.foreign", node
        elif ((OWN_TOOL,) not in name.paths and not name.exact) or any(HOLE in each for each in name.texts):
            yield "tool.computed", node


def _name_of_called_tool(flow: Flow, node: Node) -> Value | None:
    callee = node.fields.get("function")
    if callee is None:
        return None
    given, paths = flow.given(node), flow.value(callee).paths
    if ("Reflect", "apply") in paths and len(given) > _LIST_AT:
        paths, given = given[0].paths, list(given[_LIST_AT].elements)
    for each in paths:
        through = len(each) > 1 and (each[:-1] in _BY_NAME or each[-2:-1] == (_WITH_APP,))
        passed = forwarded_arguments(each[-1], given) if through else given
        place = _BY_NAME.get(each[:-1] if through else each, len(passed))
        if place < len(passed):
            return _tool_in(passed[place], place)
        if passed and _WITH_APP in each[-2:]:
            return Value.any_of(value for key, value in passed[0].members or () if key == "name")
    place = min((_PLACES[key] for key in _kit_members(flow, callee)), default=len(given))
    return _tool_in(given[place], place) if place < len(given) else None


def _tool_in(given: Value, place: int) -> Value | None:
    """Return the value that names a tool; None for a function, which a button may run instead."""
    is_function = given.functions or any(each[:1] == (KIT,) for each in given.paths)
    return None if place == _PLACES["action"] and is_function and not given.exact else given


def _passes_tool_call(flow: Flow, node: Node) -> bool:
    """Tell whether a function that calls tools is passed to an unknown function."""
    callee = node.fields.get("function")
    if callee is None or flow.value(callee).functions or ("Reflect", "apply") in flow.value(callee).paths:
        return False
    return any(not _BY_NAME.keys().isdisjoint(each.paths) for each in flow.given(node))


_PLACES: Final = {"call": 0, "more": 0, "action": 1}
"""The index of the tool name in calls of the view kit; ``action`` takes a function instead, too."""
_BY_NAME: Final[dict[Path, int]] = {(KIT, name): place for name, place in _PLACES.items()}
_WITH_APP: Final = "callServerTool"
"""The method that takes the name in an object."""


def _kit_members(flow: Flow, callee: Node) -> frozenset[str]:
    """Return the called members of ``ui`` that take the name of a tool."""
    subject = callee.fields.get("object")
    if subject is None or subject.kind != "identifier" or flow.tree.text(subject) != "ui":
        return frozenset()
    return flow.key(callee) & _PLACES.keys()


DEFAULTS: Final[Mapping[str, str]] = {APP_PACKAGE: "App", KIT_PACKAGE: "ui"}
"""The export that a default import means for each package; the packages have no default export."""


@frozen
class Imports:
    """The import statements of a script.

    Attributes:
        statements: The import statements and the export statements.
        foreign: Those whose source is neither the app package nor the view kit.
    """

    statements: tuple[Node, ...]
    foreign: tuple[Node, ...]
    app: str

    @classmethod
    def of(cls, tree: ScriptTree) -> "Imports":
        """Return the imports of a script."""
        kinds = {"import_statement", "export_statement"}
        statements = [each for each in tree.root.children if each.kind in kinds]
        sourced = (each for each in statements if "source" in each.fields)
        foreign = [each for each in sourced if source_of(tree, each) not in DEFAULTS]
        names = (_app_name(tree, each) for each in statements if source_of(tree, each) == APP_PACKAGE)
        return cls(tuple(statements), tuple(foreign), next((name for name in names if name), ""))


def source_of(tree: ScriptTree, statement: Node) -> str:
    """Return the package that a statement imports or re-exports; "" for none."""
    source = statement.fields.get("source")
    return "" if source is None else unescaped(tree.text(source)[1:-1])


def _imported(statement: Node) -> Iterator[tuple[Node | None, Node]]:
    clauses = (each for each in statement.children if each.kind == "import_clause")
    return (each for clause in clauses for each in imported(clause))


def _app_name(tree: ScriptTree, statement: Node) -> str:
    named = ((name, local) for name, local in _imported(statement) if name is not None)
    return next((tree.name_of(local) for name, local in named if tree.name_of(name) == "App"), "")


def imported_names(tree: ScriptTree, statement: Node) -> list[str]:
    """Return the names that an import statement declares."""
    return [tree.name_of(local) for _, local in _imported(statement)]


@frozen
class AppUse:
    """The use of ``App`` in a script.

    Attributes:
        made: The statement at the top of the script that makes a named app.
        makes: Whether the script makes an app anywhere.
    """

    name: str = ""
    made: Node | None = None
    makes: bool = False
    connects: bool = False
    handles_results: bool = False

    @classmethod
    def of(cls, flow: Flow, app_class: str) -> "AppUse":
        """Return how a script uses the instances of a class."""
        new = [each for each in flow.tree.of("new_expression") if "constructor" in each.fields]
        made = [each for each in new if flow.tree.text(each.fields["constructor"]) == (app_class or "App")]
        called = (each.fields.get("function") for each in flow.tree.of("call_expression"))
        taking = flow.tree.of("assignment_expression", "call_expression")
        named = next((each.parent for each in made if _is_named_at_top(each)), None)
        name = "" if named is None else flow.tree.name_of(named.fields["name"])
        return cls(
            name=name,
            made=None if named is None else named.parent,
            makes=bool(made),
            connects=any("connect" in flow.key(each) for each in called),
            handles_results=any(_handles_results(flow, each) for each in taking),
        )


def _is_named_at_top(node: Node) -> bool:
    around = node.parent
    if around is None or around.kind != "variable_declarator" or around.fields["name"].kind != "identifier":
        return False
    declaration = around.parent
    return declaration is not None and declaration.parent is not None and declaration.parent.kind == "program"


def _handles_results(flow: Flow, node: Node) -> bool:
    if node.kind == "assignment_expression":
        return "ontoolresult" in flow.key(node.fields["left"])
    listens = "addEventListener" in flow.key(node.fields.get("function"))
    return listens and "toolresult" in flow.value(next(iter(node.arguments), None)).texts


@frozen(kw_only=True)
class ScriptReport:
    """The analysis of a script, and the places that break rules.

    Attributes:
        names: The names that it declares at its top.
        global_properties: The properties that it sets on the global object.
        parses: Whether the script parses; if not, the report has only its syntax errors, because the
            rest of the tree may be wrong.
    """

    rule_matches: tuple[RuleMatch, ...]
    imports: Imports
    flow: Flow
    names: frozenset[str]
    global_properties: frozenset[str]
    app: AppUse
    parses: bool


def read_script(source: str, callable_tools: frozenset[str]) -> ScriptReport:
    """Analyze a script and return the report on it; any text is allowed."""
    tree = ScriptTree(source)
    scopes = Scopes(tree)
    flow = Flow(scopes)
    errors = [("script.parses", node) for node in early_errors(scopes)]
    imports = Imports.of(tree)
    foreign = [("import.foreign", node) for node in imports.foreign]
    matches = errors if tree.has_error else [*errors, *_matches(flow, callable_tools), *foreign]
    assigned = (each.fields["left"] for each in tree.of("assignment_expression"))
    on_page = (each for each in assigned if flow.value(each.fields.get("object")).is_global)
    return ScriptReport(
        rule_matches=tuple(_rule_match(tree, rule, node) for rule, node in matches),
        imports=imports,
        flow=flow,
        names=frozenset(scopes.top.names),
        global_properties=frozenset().union(*map(flow.key, on_page)),
        app=AppUse.of(flow, imports.app),
        parses=not tree.has_error,
    )


def _matches(flow: Flow, callable_tools: frozenset[str]) -> list[NodeMatch]:
    """Return the matches of the rules; if the script needs too many steps, only that."""
    rules = (forbidden_paths, constructors, _punctuation, unknown_calls, sink_rules)
    found = chain.from_iterable(each(flow) for each in rules)
    matches = [*map(partial(_with_final_rule, flow), found), *tool_rules(flow, callable_tools)]
    return [("script.too_complex", flow.tree.root)] if flow.steps_left < 0 else matches


def _with_final_rule(flow: Flow, match: NodeMatch) -> NodeMatch:
    """Return a match; markup from a call counts as data, unless it is XML or the script escapes texts."""
    rule, node = match
    if rule != "markup.from_call":
        return match
    made = [*node.arguments, *(each for name, each in node.fields.items() if name == "right")]
    calls = [each for each in made if each.kind == "call_expression"]
    inert = any(each.exact and each.exact <= XML_TYPES for each in flow.given(node)[1:2])
    return ("markup.from_call" if inert or (calls and flow.has_escaper) else "markup.from_data"), node


def _rule_match(tree: ScriptTree, rule: str, node: Node) -> RuleMatch:
    start = tree.offset(node.start)
    return RuleMatch(rule, start, start + min(len(tree.text(node)), _EXCERPT_END))


def _punctuation(flow: Flow) -> Iterator[NodeMatch]:
    """Yield texts that consist only of brackets and operators: ``(![]+[])[+[]]`` is an ``f``.

    Plain code has no such texts, but a hostile script can write any name like this.
    """
    for node in flow.tree.of("unary_expression", "binary_expression"):
        if node.kind == "unary_expression" and node.tokens[:1] in _SIGNS and _is_empty(node.children[:1]):
            if any(each.kind in ("subscript_expression", "binary_expression") for each in node.ancestors()):
                yield "code.from_text", node
        elif node.kind == "binary_expression" and "+" in node.tokens and _is_empty(node.children):
            yield "code.from_text", node


_SIGNS = ["!"], ["+"], ["~"], ["-"]


def _is_empty(operands: list[Node]) -> bool:
    return any(each.kind in ("array", "object") and not each.children for each in operands)
