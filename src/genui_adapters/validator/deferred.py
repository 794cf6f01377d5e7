"""A validator in a process of its own, which loads its modules with the first text."""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genui_core.domain.finding import Verdict
    from genui_core.ports.view_judge import JudgeBrief, ViewJudge


class DeferredJudge:
    """Validates in a worker process: a `ViewJudge` that costs nothing at start."""

    async def prepare(self) -> None:
        """Start the worker process."""
        await self._worker.prepare()

    async def judge(self, text: str, brief: "JudgeBrief") -> "Verdict":
        """Return the verdict, or a refusal where there is none in time."""
        return await self._worker.judge(text, brief)

    @cached_property
    def _worker(self) -> "ViewJudge":
        from genui_adapters.validator.worker_process import WorkerProcessJudge  # noqa: PLC0415 -- see above

        return WorkerProcessJudge()
