"""Validates a model's answer: extracts the view, repairs it, and returns the report."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from attrs import evolve, frozen

from genui_core.domain.validation.document_planning import (
    InlineScript,
    document_plan,
    inline_scripts,
    misplaced_scripts,
)
from genui_core.domain.validation.extraction import (
    Fragment,
    ValidationContext,
    block_in,
    document_in,
    fragment_of,
    round_trips,
)
from genui_core.domain.validation.finding import MAX_BYTES, Block, Finding, Ruling, ValidationReport
from genui_core.domain.validation.markup.source import MarkupReport, read_markup
from genui_core.domain.validation.markup_repairs import FRAME_REPAIRS, MARKUP_REPAIRS, frame_rules
from genui_core.domain.validation.rule_match import (
    RuleMatch,
    SourceText,
    first_repair,
    hijack_rules,
    leaks,
    removed_findings,
    report_on,
    report_without_view,
    unfinished,
)
from genui_core.domain.validation.script.early_errors import top_level_awaits
from genui_core.domain.validation.script_analysis import ScriptReport, read_script
from genui_core.domain.validation.script_repairs import (
    HANDLER_RULES,
    MECHANICAL_REPAIRS,
    MODULE_REPAIRS,
    Names,
    with_listeners,
    with_listeners_in,
    without_imports,
)
from genui_core.domain.validation.style_rules import DECORATIVE, style_rules, without_outside

_DOCUMENT_END = re.compile(r"</html\s*>", re.IGNORECASE)


def document_of(answer: str, repairing: ValidationReport | None) -> str | None:
    """Return the document in an answer; if the answer repairs a script, the earlier one with it."""
    found = document_in(answer)
    if repairing is None or repairing.broken is not Block.SCRIPT or found is not None:
        return found
    block, whole = block_in(answer, "script"), repairing.source
    modules = [each for each in inline_scripts(read_markup(whole, document=True), whole) if each.is_module]
    return None if block is None or len(modules) != 1 else modules[0].replaced(whole, f"\n{block}\n")


@frozen
class DocumentReport:
    """A document, its parsed markup and scripts, and its findings."""

    source: str
    markup: MarkupReport
    scripts: tuple[tuple[InlineScript, ScriptReport], ...]
    context: ValidationContext

    @classmethod
    def of(
        cls, source: str, context: ValidationContext, before: "DocumentReport | None" = None
    ) -> "DocumentReport":
        """Parse a document; scripts that are the same in the report ``before`` are not analyzed again."""
        markup = read_markup(source, document=True)
        known = {each.text: report for each, report in (before.scripts if before is not None else ())}
        found = inline_scripts(markup, source)
        read = (known.get(each.text) or read_script(each.text, context.callable_tools) for each in found)
        return cls(source, markup, tuple(zip(found, read, strict=True)), context)

    @property
    def module(self) -> tuple[InlineScript, ScriptReport] | None:
        """The module that makes the app, or else the first module."""
        modules = [each for each in self.scripts if each[0].is_module]
        return next((each for each in modules if each[1].app.makes), modules[0] if modules else None)

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings; with a single script, its lines and columns count within it."""
        module = self.module
        alone = module is not None and len(self.scripts) == 1
        outside = [*self._frame(), *self.markup.rule_matches, *hijack_rules(self.source, self.context.nonce)]
        inside = list(self._app_matches(module[1])) if module is not None else []
        for script, report in self.scripts:
            seen = report.rule_matches
            if alone:
                inside.extend(seen)
            else:
                outside.extend(each.moved(script.start) for each in seen)
        strict, policy = self.context.strict, self.context.page_policy
        return (
            *SourceText(self.source, Block.DOCUMENT).findings(outside, strict=strict, page_policy=policy),
            *SourceText(self._script, Block.SCRIPT).findings(inside, strict=strict, page_policy=policy),
        )

    @property
    def _script(self) -> str:
        """The text of the module."""
        return self.module[0].text if self.module is not None else ""

    def report(self, repairs: list[str], dropped: list[Finding]) -> ValidationReport:
        """Return the report on the document after some repairs, which removed some findings."""
        return report_on(self.source, self.findings(), {Block.SCRIPT: self._script}, repairs, dropped)

    def next_repair(self, done: list[str]) -> tuple[str, str]:
        """Return the document after its next repair, and the repair's name; "" if none is left."""
        met = {each.rule for each in (*self._frame(), *self.markup.rule_matches)}
        source, name = first_repair(self.source, self.markup, {**FRAME_REPAIRS, **MARKUP_REPAIRS}, met, done)
        if name:
            return source, name
        if not met.isdisjoint(HANDLER_RULES) and "listeners_added" not in done:
            module = self.module[0] if self.module is not None else None
            names = Names.of(*(report for _, report in self.scripts))
            return with_listeners(self.source, self.markup, module, names), "listeners_added"
        return self._next_script_repair(done)

    def _next_script_repair(self, done: list[str]) -> tuple[str, str]:
        if self.module is not None:
            script, report = self.module
            met = {each.rule for each in (*report.rule_matches, *self._app_matches(report))}
            changed, name = first_repair(script.text, report, MODULE_REPAIRS, met, done)
            if name:
                return script.replaced(self.source, changed), name
        for script, report in self.scripts:
            met = {each.rule for each in report.rule_matches}
            changed, name = first_repair(script.text, report, MECHANICAL_REPAIRS, met)
            if name:
                return script.replaced(self.source, changed), name
        return self.source, ""

    def _frame(self) -> Iterator[RuleMatch]:
        if any(each.rule == "markup.too_complex" for each in self.markup.rule_matches):
            return  # its content was not parsed
        yield from (RuleMatch(rule) for rule in frame_rules(self.source, self.markup))
        for start in misplaced_scripts(self.markup, self.source):
            yield RuleMatch("markup.too_complex", start, start + 1)
        last = self.source.lower().rpartition("</script")[2]
        if self.module is None or ("<script" in last and _DOCUMENT_END.search(self.source) is None):
            yield RuleMatch("script.missing")

    def _app_matches(self, report: ScriptReport) -> Iterator[RuleMatch]:
        if not report.parses:
            return
        if not report.app.makes:
            yield RuleMatch("app.missing")
            return
        if not report.imports.app:
            yield RuleMatch("import.missing")
        if not report.app.connects:
            yield RuleMatch("connect.missing")
        if not report.app.handles_results:
            yield RuleMatch("result.unhandled")


def validate_document(source: str, context: ValidationContext) -> ValidationReport:
    """Repair a document, validate it after each repair, and return the report."""
    repairs: list[str] = []
    tried: list[str] = []
    dropped: list[Finding] = []
    report = DocumentReport.of(source, context)
    while True:
        changed, name = report.next_repair(tried)
        if not name:
            found, report = _with_end(report.report(repairs, dropped), report, context, dropped)
            trees = {script.text: read.flow.tree for script, read in report.scripts}
            plan = document_plan(found.source, report.markup, trees) if found.is_valid else None
            return evolve(found, plan=plan)
        tried.append(name)
        if changed != report.source:
            repairs.extend({name} - set(repairs))
            before, report = report, DocumentReport.of(changed, context, report)
            dropped.extend(removed_findings(before.findings(), report.findings()))


def _with_end(
    found: ValidationReport, report: DocumentReport, context: ValidationContext, dropped: list[Finding]
) -> tuple[ValidationReport, DocumentReport]:
    """Add a missing ``</html>`` to a repaired document, so that extraction does not cut it short."""
    if found.ruling is not Ruling.REPAIRED or _DOCUMENT_END.search(found.source) is not None:
        return found, report
    ended = DocumentReport.of(f"{found.source}\n</html>", context, report)
    return ended.report([*found.repairs, "end_added"], dropped), ended


_NOT_IN_TEMPLATES: Final = {"script", "style"}


@frozen
class FragmentReport:
    """A fragment, its parsed template and script, and its findings."""

    fragment: Fragment
    markup: MarkupReport
    script: ScriptReport
    context: ValidationContext

    @classmethod
    def of(
        cls, fragment: Fragment, context: ValidationContext, before: "FragmentReport | None" = None
    ) -> "FragmentReport":
        """Parse a fragment; a block that is the same in the report ``before`` is not parsed again."""
        template, script = fragment.template, fragment.script
        markup = before.markup if before and before.fragment.template == template else read_markup(template)
        read = before.script if before and before.fragment.script == script else None
        return cls(fragment, markup, read or read_script(script, context.callable_tools), context)

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings, with lines and columns in each block."""
        fragment = self.fragment
        return (
            *self._findings(Block.STYLE, fragment.style, style_rules(fragment.style)),
            *self._findings(Block.TEMPLATE, fragment.template, self._template_matches()),
            *self._findings(Block.SCRIPT, fragment.script, self._script_matches()),
        )

    def next_repair(self, done: list[str]) -> tuple[Fragment, str]:
        """Return the fragment after its next repair, and the repair's name; "" if none is left."""
        template, script = self.fragment.template, self.fragment.script
        met = {each.rule for each in self._template_matches()}
        if "template" in self.fragment.missing and template:
            rest = tuple(each for each in self.fragment.missing if each != "template")
            return evolve(self.fragment, missing=rest), "template_closed"
        imports = self.script.parses and self.script.imports.statements
        if imports and (rest_of_script := without_imports(script, self.script)):
            return evolve(self.fragment, script=rest_of_script.strip("\n")), "imports_dropped"
        template, name = first_repair(template, self.markup, MARKUP_REPAIRS, met, done)
        return (evolve(self.fragment, template=template), name) if name else self._block_repair(met, done)

    def _block_repair(self, met: set[str], done: list[str]) -> tuple[Fragment, str]:
        """Return the fragment after the next repair of its style, script or handlers, and the name."""
        fragment = self.fragment
        if any(each.rule == DECORATIVE for each in style_rules(fragment.style)):
            style, name = without_outside(fragment.style), "outside_styles_dropped"
            return evolve(fragment, style=style), "" if style == fragment.style or name in done else name
        script_met = {each.rule for each in self.script.rule_matches}
        script, name = first_repair(fragment.script, self.script, MECHANICAL_REPAIRS, script_met)
        if name:
            return evolve(fragment, script=script), name
        if self.script.parses and not met.isdisjoint(HANDLER_RULES) and "listeners_added" not in done:
            names = Names.of(self.script)
            template, script = with_listeners_in(fragment.template, self.markup, fragment.script, names)
            if template != fragment.template:
                return evolve(fragment, template=template, script=script), "listeners_added"
        return fragment, ""

    def _findings(self, block: Block, text: str, seen: Iterable[RuleMatch]) -> tuple[Finding, ...]:
        rule_matches = (*seen, *hijack_rules(text, self.context.nonce))
        strict, policy = self.context.strict, self.context.page_policy
        return SourceText(text, block).findings(rule_matches, strict=strict, page_policy=policy)

    def _template_matches(self) -> Iterator[RuleMatch]:
        yield from self.markup.rule_matches
        if "template" in self.fragment.missing:
            yield RuleMatch("template.cut" if self.fragment.template else "template.missing")
        unwanted = [each for each in self.markup.elements if each.name in _NOT_IN_TEMPLATES]
        placed = [each for each in unwanted if each.start is not None]
        for each in placed or unwanted[:1]:
            start = each.start or 0
            yield RuleMatch("resource.element", start, start + len(f"<{each.name}"))

    def _script_matches(self) -> Iterator[RuleMatch]:
        if "script" in self.fragment.missing:
            yield RuleMatch("script.missing")
        elif self.script.parses and "render" not in self.script.names:
            yield RuleMatch("render.missing")
        yield from self.script.rule_matches
        if not self.script.parses:
            return
        tree = self.script.flow.tree
        wrong = [("script.parses", each) for each in top_level_awaits(tree)]  # the page runs it in a function
        wrong += [("import.foreign", each) for each in self.script.imports.statements]
        for rule, node in wrong:
            start = tree.offset(node.start)
            yield RuleMatch(rule, start, start)


def validate_fragment(fragment: Fragment, context: ValidationContext) -> ValidationReport:
    """Repair a fragment, validate it after each repair, and return the report."""
    repairs: list[str] = []
    dropped: list[Finding] = []
    report = FragmentReport.of(fragment, context)
    while True:
        changed, name = report.next_repair(repairs)
        if not name or not round_trips(changed):
            blocks = {Block.TEMPLATE: report.fragment.template, Block.SCRIPT: report.fragment.script}
            return report_on(report.fragment.text, report.findings(), blocks, repairs, dropped)
        repairs.extend({name} - set(repairs))
        before, report = report, FragmentReport.of(changed, context, report)
        dropped.extend(removed_findings(before.findings(), report.findings()))


def validate(text: str, context: ValidationContext) -> ValidationReport:
    """Return the report on a model's answer; no text makes it raise.

    Extracts the view from the answer, repairs and validates it. The same text in the same context gets
    the same report.
    """
    try:
        return _report(text, context)
    except Exception:  # noqa: BLE001 -- a view that crashes the validator must not be served
        return unfinished()


def _report(text: str, context: ValidationContext) -> ValidationReport:
    answer = text.encode("utf-8", "replace").decode("utf-8")
    leak = next(leaks(answer, context.nonce), None)
    if leak is not None:
        return report_without_view(leak, answer)
    too_large = report_without_view(RuleMatch("size.too_large"))
    if len(answer.encode()) > 2 * MAX_BYTES:
        return too_large
    find = document_of if context.mode == "document" else fragment_of
    view = find(answer, context.repairing)
    if view is None:
        return report_without_view(RuleMatch("view.missing"), ruling=Ruling.FIXABLE)
    if len((view if isinstance(view, str) else view.text).encode()) > MAX_BYTES:
        return too_large
    report = validate_document(view, context) if isinstance(view, str) else validate_fragment(view, context)
    return too_large if len(report.source.encode()) > MAX_BYTES else report
