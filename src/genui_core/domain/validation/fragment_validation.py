"""Validates fragments: a style, a template and a script."""

from collections.abc import Iterator
from typing import Final

from attrs import evolve, frozen

from genui_core.domain.validation.extraction import Fragment, ValidationContext, block_in, fragment_in
from genui_core.domain.validation.finding import Block, Finding, ValidationReport
from genui_core.domain.validation.markup.source import MarkupReport, read_markup
from genui_core.domain.validation.markup_repairs import MARKUP_REPAIRS, without_outside
from genui_core.domain.validation.rule_match import (
    Examined,
    RuleMatch,
    SourceText,
    first_repair,
    hijack_rules,
    offset_of,
    report_on,
)
from genui_core.domain.validation.script.early_errors import awaits_at_top
from genui_core.domain.validation.script_analysis import ScriptReport, read_script
from genui_core.domain.validation.script_repairs import (
    HANDLER_RULES,
    MECHANICAL_REPAIRS,
    Names,
    with_listeners_in,
    without_imports,
)
from genui_core.domain.validation.style_rules import DECORATIVE, style_rules

_NOT_IN_TEMPLATES: Final = {"script", "style"}


def fragment_of(answer: str, repairing: ValidationReport | None) -> Fragment | None:
    """Return the fragment in an answer; if the answer repairs a block, the whole with that block."""
    found = fragment_in(answer)
    if repairing is None or repairing.broken is None:
        return found
    whole, name = fragment_in(repairing.source), repairing.broken.value
    block = block_in(answer, name)
    if block is None or whole is None:
        return None
    if found is not None and not found.missing:
        return found
    cut = f"</{name}" not in answer.lower()
    missing = {each for each in whole.missing if each != name} | ({name} if cut else set())
    return evolve(whole, missing=tuple(missing), **{name: block})


@frozen
class FragmentReport:
    """A fragment and what was seen in it."""

    fragment: Fragment
    markup: MarkupReport
    script: ScriptReport
    context: ValidationContext

    @classmethod
    def of(
        cls, fragment: Fragment, context: ValidationContext, before: "FragmentReport | None" = None
    ) -> "FragmentReport":
        """Look at a fragment; a block that is the same as before is not read again."""
        template, script = fragment.template, fragment.script
        markup = before.markup if before and before.fragment.template == template else read_markup(template)
        read = before.script if before and before.fragment.script == script else None
        return cls(fragment, markup, read or read_script(script, context.callable_tools), context)

    def examined(self) -> Examined:
        """Return what was found, with lines and columns in each block."""
        fragment = self.fragment
        findings = (
            *self._findings(Block.STYLE, fragment.style, self._style()),
            *self._findings(Block.TEMPLATE, fragment.template, self._template()),
            *self._findings(Block.SCRIPT, fragment.script, self._script()),
        )
        excerpts = {Block.TEMPLATE: fragment.template, Block.SCRIPT: fragment.script}
        return Examined(source=fragment.text, findings=findings, excerpts=excerpts)

    def repaired(self) -> tuple[Fragment, str]:
        """Return the fragment after the first repair that changes something, and its name; "" for none."""
        template, script = self.fragment.template, self.fragment.script
        met = {each.rule for each in self._template()}
        if "template" in self.fragment.missing and template:
            rest = tuple(each for each in self.fragment.missing if each != "template")
            return evolve(self.fragment, missing=rest), "template_closed"
        imports = self.script.parses and self.script.imports.statements
        if imports and (rest_of_script := without_imports(script, self.script)):
            return evolve(self.fragment, script=rest_of_script.strip("\n")), "imports_dropped"
        template, name = first_repair(template, self.markup, MARKUP_REPAIRS, met)
        return (evolve(self.fragment, template=template), name) if name else self._reworked(met)

    def _reworked(self, met: set[str]) -> tuple[Fragment, str]:
        """Return the fragment after the first repair of its style, its script or its handlers."""
        fragment = self.fragment
        if any(each.rule == DECORATIVE for each in self._style()):
            style = without_outside(fragment.style)
            return evolve(fragment, style=style), "" if style == fragment.style else "outside_styles_dropped"
        script_met = {each.rule for each in self.script.rule_matches}
        script, name = first_repair(fragment.script, self.script, MECHANICAL_REPAIRS, script_met)
        if name:
            return evolve(fragment, script=script), name
        if self.script.parses and not met.isdisjoint(HANDLER_RULES):
            names = Names.of(self.script)
            template, script = with_listeners_in(fragment.template, self.markup, fragment.script, names)
            if template != fragment.template:
                return evolve(fragment, template=template, script=script), "listeners_added"
        return fragment, ""

    def _findings(self, block: Block, text: str, seen: Iterator[RuleMatch]) -> tuple[Finding, ...]:
        rule_matches = (*seen, *hijack_rules(text, self.context.nonce))
        strict, policy = self.context.strict, self.context.page_policy
        return SourceText(text, block).findings(rule_matches, strict=strict, page_policy=policy)

    def _style(self) -> Iterator[RuleMatch]:
        for rule, line, column in style_rules(self.fragment.style):
            start = offset_of(self.fragment.style, line, column)
            yield RuleMatch(rule, start, start + 1)

    def _template(self) -> Iterator[RuleMatch]:
        yield from self.markup.rule_matches
        if "template" in self.fragment.missing:
            yield RuleMatch("template.cut" if self.fragment.template else "template.missing")
        unwanted = [each for each in self.markup.elements if each.name in _NOT_IN_TEMPLATES]
        placed = [each for each in unwanted if each.start is not None]
        for each in placed or unwanted[:1]:
            start = each.start or 0
            yield RuleMatch("resource.element", start, start + len(f"<{each.name}"))

    def _script(self) -> Iterator[RuleMatch]:
        if "script" in self.fragment.missing:
            yield RuleMatch("script.missing")
        elif self.script.parses and "render" not in self.script.names:
            yield RuleMatch("render.missing")
        yield from self.script.rule_matches
        tree = self.script.flow.tree
        for waiting in awaits_at_top(tree) if self.script.parses else ():  # served inside a function
            start = tree.offset(waiting.start)
            yield RuleMatch("script.parses", start, start)
        for each in self.script.imports.statements if self.script.parses else ():
            start = tree.offset(each.start)
            yield RuleMatch("import.foreign", start, start)


def validate_fragment(fragment: Fragment, context: ValidationContext) -> ValidationReport:
    """Return the report on a fragment after mechanical repairs and a second validation."""
    repairs: list[str] = []
    dropped: list[Finding] = []
    report = FragmentReport.of(fragment, context)
    examined = report.examined()
    while True:
        changed, name = report.repaired()
        if not name or name in repairs or not _reads_back(changed):
            return report_on(examined, repairs, dropped)
        repairs.append(name)
        report = FragmentReport.of(changed, context, report)
        before, examined = examined.findings, report.examined()
        dropped.extend(each for each in before if each not in examined.findings)


def _reads_back(fragment: Fragment) -> bool:
    """Whether a fragment is found in its own text as it is: what a repair took out may have ended a block."""
    found = fragment_in(fragment.text)
    return found is not None and _parts_of(found) == _parts_of(fragment)


def _parts_of(fragment: Fragment) -> tuple[str, ...]:
    return (fragment.style.strip(), fragment.template.strip(), fragment.script.strip())
