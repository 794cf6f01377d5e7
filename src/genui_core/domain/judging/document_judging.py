"""Validates whole documents."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from attrs import evolve, frozen

from genui_core.domain.finding import Block, Finding, Ruling, Verdict
from genui_core.domain.judging.brief import JudgeBrief
from genui_core.domain.judging.document_planning import document_plan
from genui_core.domain.judging.extraction import block_in, document_in
from genui_core.domain.judging.hijack import hijack_rules
from genui_core.domain.judging.markup.document_parts import InlineScript, inline_scripts, misplaced_scripts
from genui_core.domain.judging.markup.source import MarkupReport, read_markup
from genui_core.domain.judging.repairs.document_repairs import FRAME_REPAIRS, frame_rules
from genui_core.domain.judging.repairs.handler_repair import HANDLER_RULES, Names, with_listeners
from genui_core.domain.judging.repairs.markup_repairs import MARKUP_REPAIRS
from genui_core.domain.judging.repairs.script_repairs import (
    MECHANICAL_REPAIRS,
    mechanically_repaired,
    with_app_import,
    with_connect,
    with_own_imports,
    with_result_handler,
)
from genui_core.domain.judging.rules import NOTED
from genui_core.domain.judging.ruling import Examined, verdict
from genui_core.domain.judging.script.analysis import ScriptReport, read_script
from genui_core.domain.judging.sighting import Sighting, SourceText

_DOCUMENT_END = re.compile(r"</html\s*>", re.IGNORECASE)
_MODULE_REPAIRS: Final[tuple[tuple[str, str, Callable[[str, ScriptReport], str]], ...]] = (
    ("import.foreign", "imports_corrected", with_own_imports),
    ("import.missing", "app_imported", with_app_import),
    ("result.unhandled", "result_handler_added", with_result_handler),
    ("connect.missing", "connect_added", with_connect),
)


def document_of(answer: str, repairing: Verdict | None) -> str | None:
    """Return the document in an answer; if the answer repairs a script, the whole with that script."""
    found = document_in(answer)
    if repairing is None or repairing.broken is not Block.SCRIPT or found is not None:
        return found
    block, scripts = (
        block_in(answer, "script"),
        inline_scripts(read_markup(repairing.source, document=True), repairing.source),
    )
    modules = [each for each in scripts if each.is_module]
    return (
        None if block is None or len(modules) != 1 else modules[0].replaced(repairing.source, f"\n{block}\n")
    )


@frozen
class DocumentReport:
    """A document and what was seen in it."""

    source: str
    markup: MarkupReport
    scripts: tuple[tuple[InlineScript, ScriptReport], ...]
    brief: JudgeBrief

    @classmethod
    def of(cls, source: str, brief: JudgeBrief, before: "DocumentReport | None" = None) -> "DocumentReport":
        """Look at a document; scripts that were read in it before are not read again."""
        markup = read_markup(source, document=True)
        known = {each.text: report for each, report in (before.scripts if before is not None else ())}
        found = inline_scripts(markup, source)
        scripts = (
            (each, known.get(each.text) or read_script(each.text, brief.callable_tools)) for each in found
        )
        return cls(source, markup, tuple(scripts), brief)

    @property
    def module(self) -> tuple[InlineScript, ScriptReport] | None:
        """The script that makes the app, or else the first module."""
        modules = [each for each in self.scripts if each[0].is_module]
        return next((each for each in modules if each[1].app.makes), modules[0] if modules else None)

    def examined(self) -> Examined:
        """Return what was found, the only script's lines and columns counted within it."""
        module = self.module
        alone = module is not None and len(self.scripts) == 1
        outside = [*self._frame(), *self.markup.sightings, *hijack_rules(self.source, self.brief.nonce)]
        inside: list[Sighting] = list(self._use(module[1])) if module is not None else []
        for script, report in self.scripts:
            seen = report.sightings
            if alone:
                inside.extend(seen)
            else:
                outside.extend(each.moved(script.start) for each in seen)
        text = module[0].text if module is not None else ""
        strict, policy = self.brief.strict, self.brief.page_policy
        findings = (
            *SourceText(self.source, Block.DOCUMENT).findings(outside, strict=strict, page_policy=policy),
            *SourceText(text, Block.SCRIPT).findings(inside, strict=strict, page_policy=policy),
        )
        return Examined(
            source=self.source, findings=findings, excerpts={Block.SCRIPT: text, Block.DOCUMENT: self.source}
        )

    def repaired(self, done: list[str]) -> tuple[str, str]:
        """Return the document after the first repair that is left to make, and its name; "" for none."""
        frame = {each.rule for each in self._frame()}
        for rule, (name, mend) in FRAME_REPAIRS.items():
            if rule in frame and name not in done:
                return mend(self.source, self.markup), name
        met = {each.rule for each in self.markup.sightings}
        for rule, (name, repair) in MARKUP_REPAIRS.items():
            if rule in met and name not in done:
                return repair(self.source, self.markup), name
        if not met.isdisjoint(HANDLER_RULES) and "listeners_added" not in done:
            return self._listening(), "listeners_added"
        return self._script_repaired(done)

    def _listening(self) -> str:
        """Return the document with listeners in the place of handlers."""
        names = frozenset[str]().union(*(report.names for _, report in self.scripts))
        held = frozenset[str]().union(*(report.held_by_page for _, report in self.scripts))
        module = self.module[0] if self.module is not None else None
        return with_listeners(self.source, self.markup, module, Names(names, held - names))

    def _script_repaired(self, done: list[str]) -> tuple[str, str]:
        if self.module is not None:
            script, report = self.module
            met = {each.rule for each in (*report.sightings, *self._use(report))}
            for rule, name, repair in _MODULE_REPAIRS:
                if (
                    rule in met
                    and name not in done
                    and (changed := repair(script.text, report)) != script.text
                ):
                    return script.replaced(self.source, changed), name
        for script, report in self.scripts:
            changed, name = mechanically_repaired(script.text, report)
            if name:
                return script.replaced(self.source, changed), name
        return self.source, ""

    def _frame(self) -> Iterator[Sighting]:
        if any(each.rule == "markup.too_complex" for each in self.markup.sightings):
            return  # its content was not parsed
        yield from (Sighting(rule) for rule in frame_rules(self.source, self.markup))
        for start in misplaced_scripts(self.markup, self.source):
            yield Sighting("markup.too_complex", start, start + 1)
        cut = (
            _DOCUMENT_END.search(self.source) is None
            and "<script" in self.source.lower().rpartition("</script")[2]
        )
        if self.module is None or cut:
            yield Sighting("script.missing")

    def _use(self, report: ScriptReport) -> Iterator[Sighting]:
        if not report.parses:
            return
        if not report.app.makes:
            yield Sighting("app.missing")
            return
        if not report.imports.app:
            yield Sighting("import.missing")
        if not report.app.connects:
            yield Sighting("connect.missing")
        if not report.app.handles_results:
            yield Sighting("result.unhandled")


def judge_document(source: str, brief: JudgeBrief) -> Verdict:
    """Return the report on a document after mechanical repairs and a second validation."""
    repairs: list[str] = []
    tried: list[str] = []
    dropped: list[Finding] = []
    report = DocumentReport.of(source, brief)
    while True:
        changed, name = report.repaired(tried)
        if not name:
            found, report = _ended(verdict(report.examined(), repairs, dropped), report, brief, dropped)
            return _planned(found, report)
        tried.append(name)
        if changed != report.source:
            repairs.extend({name} - set(repairs))
            dropped.extend(_dropped_by(name, report))
            report = DocumentReport.of(changed, brief, report)


def _dropped_by(repair: str, report: DocumentReport) -> Iterator[Finding]:
    """Yield the findings in what a repair takes out of a document."""
    rules = {rule for rule, (name, _) in MARKUP_REPAIRS.items() if name == repair}
    rules |= {rule for rule, (name, _) in MECHANICAL_REPAIRS.items() if name == repair}
    return (each for each in report.examined().findings if each.rule in rules & NOTED)


def _ended(
    found: Verdict, report: DocumentReport, brief: JudgeBrief, dropped: list[Finding]
) -> tuple[Verdict, DocumentReport]:
    """Give a repaired document an end, so that it is not cut where another one seems to begin in it."""
    if found.ruling is not Ruling.REPAIRED or _DOCUMENT_END.search(found.source) is not None:
        return found, report
    ended = DocumentReport.of(f"{found.source}\n</html>", brief)
    return verdict(ended.examined(), [*found.repairs, "end_added"], dropped), ended


def _planned(found: Verdict, report: DocumentReport) -> Verdict:
    """Work out how a document that may be served goes into its page: it is parsed already."""
    if found.ruling not in (Ruling.ACCEPTED, Ruling.REPAIRED):
        return found
    return evolve(found, plan=document_plan(found.source, report.markup))
