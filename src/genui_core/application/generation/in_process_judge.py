"""A validator without a process of its own: the default of `Wrapper`."""

from attrs import evolve, frozen

from genui_core.domain.finding import Verdict
from genui_core.domain.page_policy import PagePolicy
from genui_core.domain.settings import Settings
from genui_core.ports.view_judge import JudgeBrief, ViewJudge


class InProcessJudge(ViewJudge):
    """Validates in the calling thread, and blocks the generation worker's event loop while it does."""

    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Return the verdict."""
        from genui_core.domain.judging.judge import judge  # noqa: PLC0415 -- parsers: not before they are needed

        return judge(text, brief)


@frozen
class PageAwareJudge(ViewJudge):
    """Tells a validator whether the page of a view will have a policy of its own.

    Attributes:
        judge_of_views: The validator.
        settings: What decides about the policy.
    """

    judge_of_views: ViewJudge
    settings: Settings

    async def prepare(self) -> None:
        """Get ready."""
        await self.judge_of_views.prepare()

    async def judge(self, text: str, brief: JudgeBrief) -> Verdict:
        """Return the verdict on a view for its page."""
        policy = PagePolicy(is_on=self.settings.page_policy)
        has_policy = policy.is_in(brief.mode, self.settings.host_runtime)
        return await self.judge_of_views.judge(text, evolve(brief, page_policy=has_policy))
