"""The validator: turns a model's answer into a report."""

import re
from collections.abc import Iterator

from attrs import evolve, frozen

from genui_core.domain.validation.document_planning import (
    InlineScript,
    document_plan,
    inline_scripts,
    misplaced_scripts,
)
from genui_core.domain.validation.extraction import ValidationContext, block_in, document_in
from genui_core.domain.validation.finding import MAX_BYTES, NOTED, Block, Finding, Ruling, ValidationReport
from genui_core.domain.validation.fragment_validation import fragment_of, validate_fragment
from genui_core.domain.validation.markup.source import MarkupReport, read_markup
from genui_core.domain.validation.markup_repairs import FRAME_REPAIRS, MARKUP_REPAIRS, frame_rules
from genui_core.domain.validation.rule_match import (
    Examined,
    RuleMatch,
    SourceText,
    first_repair,
    hijack_rules,
    leaks,
    report_on,
    unfinished,
    without_view,
)
from genui_core.domain.validation.script_analysis import ScriptReport, read_script
from genui_core.domain.validation.script_repairs import (
    HANDLER_RULES,
    MECHANICAL_REPAIRS,
    MODULE_REPAIRS,
    Names,
    with_listeners,
)

_DOCUMENT_END = re.compile(r"</html\s*>", re.IGNORECASE)


def document_of(answer: str, repairing: ValidationReport | None) -> str | None:
    """Return the document in an answer; if the answer repairs a script, the whole with that script."""
    found = document_in(answer)
    if repairing is None or repairing.broken is not Block.SCRIPT or found is not None:
        return found
    block, whole = block_in(answer, "script"), repairing.source
    modules = [each for each in inline_scripts(read_markup(whole, document=True), whole) if each.is_module]
    return None if block is None or len(modules) != 1 else modules[0].replaced(whole, f"\n{block}\n")


@frozen
class DocumentReport:
    """A document and what was seen in it."""

    source: str
    markup: MarkupReport
    scripts: tuple[tuple[InlineScript, ScriptReport], ...]
    context: ValidationContext

    @classmethod
    def of(
        cls, source: str, context: ValidationContext, before: "DocumentReport | None" = None
    ) -> "DocumentReport":
        """Look at a document; scripts that were read in it before are not read again."""
        markup = read_markup(source, document=True)
        known = {each.text: report for each, report in (before.scripts if before is not None else ())}
        found = inline_scripts(markup, source)
        read = (known.get(each.text) or read_script(each.text, context.callable_tools) for each in found)
        return cls(source, markup, tuple(zip(found, read, strict=True)), context)

    @property
    def module(self) -> tuple[InlineScript, ScriptReport] | None:
        """The script that makes the app, or else the first module."""
        modules = [each for each in self.scripts if each[0].is_module]
        return next((each for each in modules if each[1].app.makes), modules[0] if modules else None)

    def examined(self) -> Examined:
        """Return what was found, the only script's lines and columns counted within it."""
        module = self.module
        alone = module is not None and len(self.scripts) == 1
        outside = [*self._frame(), *self.markup.rule_matches, *hijack_rules(self.source, self.context.nonce)]
        inside = list(self._use(module[1])) if module is not None else []
        for script, report in self.scripts:
            seen = report.rule_matches
            if alone:
                inside.extend(seen)
            else:
                outside.extend(each.moved(script.start) for each in seen)
        text = module[0].text if module is not None else ""
        strict, policy = self.context.strict, self.context.page_policy
        findings = (
            *SourceText(self.source, Block.DOCUMENT).findings(outside, strict=strict, page_policy=policy),
            *SourceText(text, Block.SCRIPT).findings(inside, strict=strict, page_policy=policy),
        )
        return Examined(
            source=self.source, findings=findings, excerpts={Block.SCRIPT: text, Block.DOCUMENT: self.source}
        )

    def repaired(self, done: list[str]) -> tuple[str, str]:
        """Return the document after the first repair that is left to make, and its name; "" for none."""
        met = {each.rule for each in (*self._frame(), *self.markup.rule_matches)}
        source, name = first_repair(self.source, self.markup, {**FRAME_REPAIRS, **MARKUP_REPAIRS}, met, done)
        if name:
            return source, name
        if not met.isdisjoint(HANDLER_RULES) and "listeners_added" not in done:
            return self._listening(), "listeners_added"
        return self._script_repaired(done)

    def _listening(self) -> str:
        """Return the document with listeners in the place of handlers."""
        module = self.module[0] if self.module is not None else None
        names = Names.of(*(report for _, report in self.scripts))
        return with_listeners(self.source, self.markup, module, names)

    def _script_repaired(self, done: list[str]) -> tuple[str, str]:
        if self.module is not None:
            script, report = self.module
            met = {each.rule for each in (*report.rule_matches, *self._use(report))}
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

    def _use(self, report: ScriptReport) -> Iterator[RuleMatch]:
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
    """Return the report on a document after mechanical repairs and a second validation."""
    repairs: list[str] = []
    tried: list[str] = []
    dropped: list[Finding] = []
    report = DocumentReport.of(source, context)
    while True:
        changed, name = report.repaired(tried)
        if not name:
            found, report = _ended(report_on(report.examined(), repairs, dropped), report, context, dropped)
            trees = {script.text: read.flow.tree for script, read in report.scripts}
            plan = document_plan(found.source, report.markup, trees) if found.is_valid else None
            return evolve(found, plan=plan)
        tried.append(name)
        if changed != report.source:
            repairs.extend({name} - set(repairs))
            dropped.extend(_dropped_by(name, report))
            report = DocumentReport.of(changed, context, report)


def _dropped_by(repair: str, report: DocumentReport) -> Iterator[Finding]:
    """Yield the findings in what a repair takes out of a document."""
    repairs = {**MARKUP_REPAIRS, **MECHANICAL_REPAIRS}
    noted = (each for each in report.examined().findings if each.rule in NOTED)
    return (each for each in noted if repairs[each.rule][0] == repair)


def _ended(
    found: ValidationReport, report: DocumentReport, context: ValidationContext, dropped: list[Finding]
) -> tuple[ValidationReport, DocumentReport]:
    """Give a repaired document an end, so that it is not cut where another one seems to begin in it."""
    if found.ruling is not Ruling.REPAIRED or _DOCUMENT_END.search(found.source) is not None:
        return found, report
    ended = DocumentReport.of(f"{found.source}\n</html>", context, report)
    return report_on(ended.examined(), [*found.repairs, "end_added"], dropped), ended


def validate(text: str, context: ValidationContext) -> ValidationReport:
    """Return the report on a model's answer, whatever its text is. It never raises.

    Extracts the view from the answer, makes mechanical repairs, and validates the result. The same
    text in the same context gets the same report.
    """
    try:
        return _report(text, context)
    except Exception:  # noqa: BLE001 -- a view that crashes the validator must not be served
        return unfinished()


def _report(text: str, context: ValidationContext) -> ValidationReport:
    answer = text.encode("utf-8", "replace").decode("utf-8")
    leak = next(leaks(answer, context.nonce), None)
    if leak is not None:
        return without_view(leak, answer)
    too_large = without_view(RuleMatch("size.too_large"))
    if len(answer.encode()) > 2 * MAX_BYTES:
        return too_large
    find = document_of if context.mode == "document" else fragment_of
    view = find(answer, context.repairing)
    if view is None:
        return without_view(RuleMatch("view.missing"), ruling=Ruling.FIXABLE)
    if len((view if isinstance(view, str) else view.text).encode()) > MAX_BYTES:
        return too_large
    report = validate_document(view, context) if isinstance(view, str) else validate_fragment(view, context)
    return too_large if len(report.source.encode()) > MAX_BYTES else report
