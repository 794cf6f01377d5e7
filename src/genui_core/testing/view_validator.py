"""A validator for tests, and the contract suite of all validators."""

from abc import ABC, abstractmethod

import anyio
from attrs import Factory, evolve, frozen

from genui_core.domain.validation.finding import Block, Finding, Ruling, Severity, ValidationReport
from genui_core.ports.view_validator import ValidationContext, ViewValidator


@frozen
class FirstWordValidator(ViewValidator):
    """Finds ``broken …`` fixable, refuses ``evil …``, repairs ``sloppy …`` and accepts all other texts."""

    contexts: list[ValidationContext] = Factory(list)

    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return a report that depends on the first word."""
        self.contexts.append(context)
        first = text.split(maxsplit=1)[0] if text.split() else ""
        if first == "broken":
            return ValidationReport(
                ruling=Ruling.FIXABLE,
                source=text,
                findings=(_finding(text),),
                broken=Block.SCRIPT,
                excerpt=text,
            )
        if first == "evil":
            return ValidationReport(ruling=Ruling.REFUSED, source="", findings=(_finding(text),))
        if first == "sloppy":
            return ValidationReport(ruling=Ruling.REPAIRED, source=text, repairs=("tidied",))
        return ValidationReport(ruling=Ruling.ACCEPTED, source=text)


def _finding(text: str) -> Finding:
    return Finding(
        rule="test.first_word",
        severity=Severity.ERROR,
        message=f"It begins with {text.split(maxsplit=1)[0]}.",
        block=Block.SCRIPT,
        line=1,
        column=1,
        excerpt=text[:40],
    )


_VIEW = """<style>
.view { color: red }
</style>
<template>
<div class="view"><p></p></div>
</template>
<script>
function render(data, ui) {
  ui.root.querySelector("p").textContent = data.title;
}
</script>
<!--end-->
"""
_CONTEXT = ValidationContext(mode="fragment", callable_tools=frozenset({"list"}), nonce="4f1c9a77")


class ViewValidatorContract(ABC):
    """The contract suite of validators: inherit it and implement `make`."""

    @abstractmethod
    def make(self) -> ViewValidator:
        """Return the validator under test."""

    def report(self, text: str, context: ValidationContext = _CONTEXT) -> ValidationReport:
        """Return the validator's report on a text."""
        return anyio.run(self.make().validate, text, context)

    def test_a_good_view_is_accepted(self) -> None:
        """The view stays as the model wrote it."""
        report = self.report(f"Here it is:\n```html\n{_VIEW}```")
        assert report == ValidationReport(ruling=Ruling.ACCEPTED, source=_VIEW)

    def test_what_is_mechanical_is_repaired(self) -> None:
        """A second validation accepts the repaired view; each repair has a name."""
        report = self.report(_VIEW.replace("<p></p>", '<p></p><input name="city">'))
        assert report.ruling is Ruling.REPAIRED
        assert report.repairs
        again = self.report(report.source)
        assert (again.ruling, again.source) == (Ruling.ACCEPTED, report.source)

    def test_a_broken_script_may_be_mended_once_and_is_put_back(self) -> None:
        """The answer to a repair prompt holds only the repaired block."""
        broken = self.report(_VIEW.replace("data.title;", "data.title"[:4] + "("))
        assert (broken.ruling, broken.broken) == (Ruling.FIXABLE, Block.SCRIPT)
        assert broken.excerpt in broken.source
        script = _VIEW[_VIEW.index("<script>") :]
        repaired = self.report(script, evolve(_CONTEXT, repairing=broken))
        assert repaired == ValidationReport(ruling=Ruling.ACCEPTED, source=_VIEW)

    def test_what_reaches_out_of_its_frame_is_refused(self) -> None:
        """The report holds no source, so nothing is served."""
        report = self.report(_VIEW.replace("data.title", "window['par' + 'ent'].name"))
        assert (report.ruling, report.source) == (Ruling.REFUSED, "")
        assert report.findings[0].rule == "frame.access"
        assert (report.findings[0].block, report.findings[0].line) == (Block.SCRIPT, 2)

    def test_a_leaked_code_is_refused(self) -> None:
        """Only a hijacked model repeats the nonce of the prompt."""
        assert self.report(_VIEW.replace("red", "red; /* 4F1C9A77 */")).ruling is Ruling.REFUSED

    def test_several_texts_may_be_validated_at_once(self) -> None:
        """Each gets its own report."""
        texts = [_VIEW, "no view", _VIEW.replace("data.title", "window['par' + 'ent'].name")]
        reports: dict[int, ValidationReport] = {}

        async def validate_all() -> None:
            validator_of_all = self.make()

            async def one(index: int) -> None:
                reports[index] = await validator_of_all.validate(texts[index], _CONTEXT)

            async with anyio.create_task_group() as group:
                for index in range(len(texts)):
                    group.start_soon(one, index)

        anyio.run(validate_all)
        assert [reports[index].ruling for index in range(3)] == [
            Ruling.ACCEPTED,
            Ruling.FIXABLE,
            Ruling.REFUSED,
        ]

    def test_an_answer_without_a_view_may_be_asked_for_once_more(self) -> None:
        """The report names no block to repair and holds no source."""
        report = self.report("I would need to know more about the tool.")
        assert (report.ruling, report.broken, report.source) == (Ruling.FIXABLE, None, "")
        assert [each.rule for each in report.findings] == ["view.missing"]
