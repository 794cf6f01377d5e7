"""A validator in a process of its own, which loads its modules with the first text."""

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from genui_core.domain.validation.finding import ValidationReport
    from genui_core.ports.view_validator import ValidationContext, ViewValidator


class DeferredValidator:
    """Validates in a worker process: a `ViewValidator` that costs nothing at start."""

    async def prepare(self) -> None:
        """Start the worker process."""
        await self._worker.prepare()

    async def validate(self, text: str, context: "ValidationContext") -> "ValidationReport":
        """Return the report, or a refusal where there is none in time."""
        return await self._worker.validate(text, context)

    @cached_property
    def _worker(self) -> "ViewValidator":
        from genui_adapters.validator.worker_process import WorkerProcessValidator  # noqa: PLC0415 -- see above

        return WorkerProcessValidator()
