"""Validators for tests, and the contract suite of all validators."""

from abc import ABC, abstractmethod

import anyio
from attrs import Factory, define, evolve

from genui_core.domain.finding import Block, Finding, Ruling, Severity, Verdict
from genui_core.ports.view_judge import JudgeBrief, ViewJudge


@define
class FirstWordJudge(ViewJudge):
    """Rules ``broken …`` fixable, ``evil …`` refused, ``sloppy …`` repaired, and accepts the rest.

    Attributes:
        briefs: The briefs that it got, in order.
    """

    briefs: list[JudgeBrief] = Factory(list)

    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Rule by the first word."""
        self.briefs.append(brief)
        first = text.split(maxsplit=1)[0] if text.split() else ""
        if first == "broken":
            return Verdict(
                ruling=Ruling.FIXABLE,
                source=text,
                findings=(_finding(text),),
                broken=Block.SCRIPT,
                excerpt=text,
            )
        if first == "evil":
            return Verdict(ruling=Ruling.REFUSED, source="", findings=(_finding(text),))
        if first == "sloppy":
            return Verdict(ruling=Ruling.REPAIRED, source=text, repairs=("tidied",))
        return Verdict(ruling=Ruling.ACCEPTED, source=text)


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
_BRIEF = JudgeBrief(mode="fragment", callable_tools=frozenset({"list"}), nonce="4f1c9a77")


class ViewJudgeContract(ABC):
    """Inherit, implement `make`, and let pytest run the rest."""

    @abstractmethod
    def make(self) -> ViewJudge:
        """Return the validator."""

    def verdict(self, text: str, brief: JudgeBrief = _BRIEF) -> Verdict:
        """Return the verdict on a text."""
        return anyio.run(self.make().judge, text, brief)

    def test_a_good_view_is_accepted(self) -> None:
        """It is served as the model wrote it."""
        verdict = self.verdict(f"Here it is:\n```html\n{_VIEW}```")
        assert verdict == Verdict(ruling=Ruling.ACCEPTED, source=_VIEW)

    def test_what_is_mechanical_is_repaired(self) -> None:
        """A repaired view is as good as accepted, and its repairs have names."""
        verdict = self.verdict(_VIEW.replace("<p></p>", '<p></p><input name="city">'))
        assert verdict.ruling is Ruling.REPAIRED
        assert verdict.repairs
        again = self.verdict(verdict.source)
        assert (again.ruling, again.source) == (Ruling.ACCEPTED, verdict.source)

    def test_a_broken_script_may_be_mended_once_and_is_put_back(self) -> None:
        """The answer to a repair prompt holds only the block."""
        broken = self.verdict(_VIEW.replace("data.title;", "data.title"[:4] + "("))
        assert (broken.ruling, broken.broken) == (Ruling.FIXABLE, Block.SCRIPT)
        assert broken.excerpt in broken.source
        script = _VIEW[_VIEW.index("<script>") :]
        mended = self.verdict(script, evolve(_BRIEF, repairing=broken))
        assert mended == Verdict(ruling=Ruling.ACCEPTED, source=_VIEW)

    def test_what_reaches_out_of_its_frame_is_refused(self) -> None:
        """Nothing of it is served."""
        verdict = self.verdict(_VIEW.replace("data.title", "window['par' + 'ent'].name"))
        assert (verdict.ruling, verdict.source) == (Ruling.REFUSED, "")
        assert verdict.findings[0].rule == "frame.access"
        assert (verdict.findings[0].block, verdict.findings[0].line) == (Block.SCRIPT, 2)

    def test_a_leaked_code_is_refused(self) -> None:
        """Only a hijacked model repeats it."""
        assert self.verdict(_VIEW.replace("red", "red; /* 4F1C9A77 */")).ruling is Ruling.REFUSED

    def test_several_texts_may_be_judged_at_once(self) -> None:
        """Each gets its own verdict."""
        texts = [_VIEW, "no view", _VIEW.replace("data.title", "window['par' + 'ent'].name")]
        verdicts: dict[int, Verdict] = {}

        async def judge_all() -> None:
            judge_of_all = self.make()

            async def one(index: int) -> None:
                verdicts[index] = await judge_of_all.judge(texts[index], _BRIEF)

            async with anyio.create_task_group() as group:
                for index in range(len(texts)):
                    group.start_soon(one, index)

        anyio.run(judge_all)
        assert [verdicts[index].ruling for index in range(3)] == [
            Ruling.ACCEPTED,
            Ruling.FIXABLE,
            Ruling.REFUSED,
        ]

    def test_an_answer_without_a_view_may_be_asked_for_once_more(self) -> None:
        """No block of it can be repaired, and nothing of it is served."""
        verdict = self.verdict("I would need to know more about the tool.")
        assert (verdict.ruling, verdict.broken, verdict.source) == (Ruling.FIXABLE, None, "")
        assert [each.rule for each in verdict.findings] == ["view.missing"]
