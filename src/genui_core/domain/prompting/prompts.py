"""Renders the prompt templates with the facts about a tool, within the token limit (requirement G3)."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

from attrs import Factory, evolve, field, frozen

from genui_core.domain.logging.redaction import without_secrets
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.prompting.cut_json import compact, cut_json, without_noise, without_words
from genui_core.domain.prompting.learned_shape import sketch
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.prompting.text_structure import safe_shape
from genui_core.domain.settings.setting import Hints
from genui_core.domain.tools.tool import Tool, cut, told_name
from genui_core.domain.validation.finding import Finding, ValidationReport

MOST_RELATED = 5
_DEPTH = 6


def related_tools(tool: Tool, others: Iterable[Tool], learned_shape: object = None) -> tuple[Tool, ...]:
    """Return at most five related tools that only read, sorted by name.

    A tool is related if it requires an argument that is named like a field of this tool's result, or
    if the two share the stem of their names: ``list_orders``, ``get_order``.
    """
    fields = _field_names(tool.definition.get("outputSchema")) | _field_names(learned_shape)
    stem = _stem(tool.name)
    fitting = (
        other
        for other in others
        if other.name != tool.name
        and other.reads_for_views
        and (
            not fields.isdisjoint(_required(other.definition.get("inputSchema")))
            or (stem and _stem(other.name) == stem)
        )
    )
    return tuple(sorted(fitting, key=lambda each: each.name)[:MOST_RELATED])


def _required(schema: object) -> list[str]:
    required = as_object(schema).get("required")
    return [each for each in required if isinstance(each, str)] if isinstance(required, list) else []


def _field_names(schema: object, depth: int = _DEPTH) -> set[str]:
    if depth == 0 or not isinstance(schema, Mapping | list):
        return set()
    if isinstance(schema, list):
        return set().union(*(_field_names(each, depth - 1) for each in schema))
    members = as_object(schema.get("properties"))
    inner = [*members.values(), *(schema.get(key) for key in ("items", "anyOf", "oneOf", "allOf", "$defs"))]
    return set(members).union(*(_field_names(each, depth - 1) for each in inner))


def _stem(name: str) -> str:
    """Return the last word of a name in the singular: ``list_orders`` and ``getOrder`` give ``order``."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", name)
    last = words[-1].lower() if len(words) > 1 else ""
    return last.removesuffix("s")


MAX_DESCRIPTION_CHARACTERS = 2_000
MAX_SCHEMA_CHARACTERS = 5_000
_MAX_SKETCH_CHARACTERS = 3_000
_MAX_RELATED_CHARACTERS = 1_600
_MAX_PURPOSE_CHARACTERS = 120
_MAX_EXAMPLES_CHARACTERS = 2_000


@frozen(kw_only=True, slots=False)
class Facts:
    """The facts about one tool that a prompt may contain.

    Attributes:
        refinements: The refinements so far, oldest first.
        hints: The hints of the configuration.
        examples: The examples of the configuration, and the values of results if these are shared.
        learned_shape: The shape of the results so far; None if the wrapper has seen none.
        with_schema_words: Whether schemas keep their descriptions for people.
        others: All tools that only read and that views may call; the related tools are among them.
    """

    tool: Tool
    refinements: tuple[str, ...] = ()
    hints: Hints = Factory(Hints)
    _related: tuple[Tool, ...] | None = None
    examples: tuple[object, ...] = ()
    learned_shape: object = None
    with_schema_words: bool = True
    others: tuple[Tool, ...] = ()

    def with_shape(self, shape: object, values: Sequence[object] = ()) -> "Facts":
        """Return the facts with the shape, and possibly the values, of a result."""
        return evolve(self, learned_shape=shape, related=None, examples=(*self.examples, *values))

    @cached_property
    def related(self) -> tuple[Tool, ...]:
        """The tools that the view may call besides its own; by default, `related_tools` among the others."""
        if self._related is None:
            return related_tools(self.tool, self.others, self.learned_shape)
        return self._related

    def without_secrets(self, secrets: Collection[str]) -> "Facts":
        """Return the facts with secrets replaced, before they are cut to their limits."""
        if not secrets:
            return self
        return evolve(
            self,
            tool=Tool(without_secrets(self.tool.definition, secrets)),
            refinements=tuple(without_secrets(each, secrets) for each in self.refinements),
            related=tuple(Tool(without_secrets(each.definition, secrets)) for each in self.related),
            examples=tuple(without_secrets(each, secrets) for each in self.examples),
            learned_shape=without_secrets(self.learned_shape, secrets),
        )

    @property
    def told_names(self) -> frozenset[str]:
        """The names of the tools that a prompt lists as callable; a long name also in its cut form."""
        names = [each.name for each in (self.tool, *self.related)]
        return frozenset((*names, *map(told_name, names)))

    @property
    def callable_names(self) -> frozenset[str]:
        """The names of all tools that a view may call, also those that the prompt does not list."""
        return self.told_names.union(each.name for each in self.others)

    def variables(self) -> dict[str, object]:
        """Return the values of the template variables that describe the tool."""
        definition = self.tool.definition
        hinted = as_object(definition.get("annotations"))
        return {
            "toolJson": self._tool_json(),
            "outputSchemaJson": self._schema_json(definition.get("outputSchema")),
            "learnedShape": self._sketch(),
            "examplesJson": cut_json(list(self.examples), _MAX_EXAMPLES_CHARACTERS) if self.examples else "",
            "relatedToolsJson": _related_json(self.related),
            "wishesJson": refinements_json(self.refinements),
            "kind": self.hints.kind,
            "interactivity": self.hints.interactivity,
            "theme": self.hints.theme,
            "destructive": hinted.get("destructiveHint") is True,
            "readOnly": hinted.get("readOnlyHint") is True,
        }

    def with_less(self) -> "Facts | None":
        """Return the facts without the least important part, or None if no part can go."""
        if self.related:
            return evolve(self, related=())
        if self.examples:
            return evolve(self, examples=())
        if self.learned_shape is not None:
            return evolve(self, learned_shape=None)
        if len(self.refinements) > 1:
            return evolve(self, refinements=self.refinements[1:])
        return evolve(self, with_schema_words=False) if self.with_schema_words else None

    def _tool_json(self) -> str:
        definition = self.tool.definition
        parts = {
            "name": compact(told_name(self.tool.name)),
            "title": "" if self.tool.title == self.tool.name else compact(told_name(self.tool.title)),
            "description": compact(cut(definition.get("description"), MAX_DESCRIPTION_CHARACTERS)),
            "inputSchema": self._schema_json(definition.get("inputSchema")),
            "annotations": self._schema_json(definition.get("annotations")),
        }
        return "{" + ",".join(f'"{key}":{text}' for key, text in parts.items() if text) + "}"

    def _sketch(self) -> str:
        """Return the learned shape without names that may be values."""
        if self.learned_shape is None:
            return ""
        return sketch(safe_shape(self.learned_shape, compact(self.tool.definition)), _MAX_SKETCH_CHARACTERS)

    def _schema_json(self, schema: object) -> str:
        if not isinstance(schema, Mapping) or not schema:
            return ""
        brief = without_noise(schema)
        return cut_json(brief if self.with_schema_words else without_words(brief), MAX_SCHEMA_CHARACTERS)


def refinements_json(refinements: Sequence[str]) -> str:
    """Return refinements as a JSON list, each cut to the limit of a description; "" if there are none."""
    return compact([cut(each, MAX_DESCRIPTION_CHARACTERS) for each in refinements]) if refinements else ""


def _related_json(related: Sequence[Tool]) -> str:
    """Return name, purpose and required arguments of each related tool."""
    entries = [
        {
            "name": told_name(tool.name),
            "purpose": _first_sentence(tool.definition.get("description")),
            "required": _required_types(tool.definition.get("inputSchema")),
        }
        for tool in related
    ]
    return cut_json(entries, _MAX_RELATED_CHARACTERS) if entries else ""


def _first_sentence(text: object) -> str:
    words = text.strip() if isinstance(text, str) else ""
    return cut(re.split(r"(?<=[.!?])\s|\n", words, maxsplit=1)[0], _MAX_PURPOSE_CHARACTERS)


def _required_types(schema: object) -> dict[str, object]:
    members = as_object(as_object(schema).get("properties"))
    types = {name: as_object(members.get(name)).get("type") for name in _required(schema)}
    return {told_name(name): named if isinstance(named, str) else "any" for name, named in types.items()}


BYTES_A_TOKEN = 3
"""A low estimate of the bytes in a token, safe for every script (requirement G3)."""


@frozen
class Prompt:
    """A system prompt and a user prompt."""

    system: str
    text: str


@frozen
class PromptWriter:
    """Writes the prompts of one generation.

    Args:
        prompts: The templates.
        max_tokens: ``limits.maxPromptTokens``: the limit of the user prompt without the present source.
        document: Whether views are whole documents.
        nonce: The part of the fences that no text from outside can guess, new for each generation.
        secrets: The secrets that no prompt may contain.
    """

    _prompts: PromptSet
    _max_tokens: int
    _document: bool
    _nonce: str
    _secrets: Collection[str] = field(default=(), repr=False)

    def classify(self, facts: Facts) -> Prompt:
        """Return the prompt that asks for the tool's kind of view in one word."""
        return Prompt("", self._within_limit("classify", facts, {}))

    def write(self, facts: Facts, *, after_no_view: bool = False) -> Prompt:
        """Return the prompt that asks for a view; it says so if the last answer contained none."""
        template = "document" if self._document else "generate"
        return self._with_system(self._within_limit(template, facts, {"afterNoView": after_no_view}))

    def refine(
        self,
        facts: Facts,
        source: str,
        *,
        by_patch: bool = False,
        unplaced: Sequence[Finding] = (),
        after_no_view: bool = False,
    ) -> Prompt:
        """Return the prompt that asks to change the present view by the newest refinement.

        Args:
            facts: The facts about the tool.
            source: The source of the present view.
            by_patch: Whether the answer may be search/replace blocks; else it is the whole view.
            unplaced: The findings on the blocks of the last answer that could not be applied.
            after_no_view: Whether the last answer contained neither blocks nor a view.
        """
        more = {
            "source": source,
            "patch": by_patch,
            "afterNoView": after_no_view,
            "unplacedJson": _findings_json(unplaced),
        }
        return self._with_system(self._within_limit("refine", facts, more))

    def repair(self, report: ValidationReport) -> Prompt:
        """Return the prompt that asks to correct the one block that the validator refused."""
        variables = {
            "blockName": str(report.broken),
            "findingsJson": _findings_json(each for each in report.findings if each.block is report.broken),
            "source": report.excerpt,
        }
        return self._with_system(self._rendered("repair", variables))

    def _with_system(self, text: str) -> Prompt:
        return Prompt(self._rendered("system", {}), text)

    def _within_limit(self, template: str, facts: Facts, more: Mapping[str, object]) -> str:
        facts = facts.without_secrets(self._secrets)
        while True:
            variables = facts.variables()
            if template == "refine":
                *earlier, newest = facts.refinements
                variables |= {"wishJson": compact(newest), "earlierWishesJson": refinements_json(earlier)}
            text = self._rendered(template, {**variables, **more})
            own = len(text.encode()) - len(str(more.get("source", "")).encode())
            less = facts.with_less()
            if own <= self._max_tokens * BYTES_A_TOKEN or less is None:
                return text
            facts = less

    def _rendered(self, template: str, variables: Mapping[str, object]) -> str:
        import chevron  # noqa: PLC0415 -- not before a model is asked

        data = {**without_secrets(variables, self._secrets), "nonce": self._nonce, "document": self._document}
        rendered: str = chevron.render(self._prompts.templates[template], data, partials_path=None)
        return rendered


def _findings_json(findings: Iterable[Finding]) -> str:
    """Return findings as a JSON list; "" if there are none."""
    data = [each.as_data() for each in findings]
    return compact(data) if data else ""
