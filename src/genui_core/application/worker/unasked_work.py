"""What a wrapper has its generation worker do without anybody waiting for it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from genui_core.domain.tools.tool import Tool

if TYPE_CHECKING:  # the generation worker's modules are loaded with the first generation
    from genui_core.application.worker.generation_worker import GenerationWorker, WorkerParts
    from genui_core.domain.prompting.prompts import Facts


def forget(worker: "GenerationWorker", tools: tuple[Tool, ...]) -> None:
    """Have the views of tools forgotten that are gone."""

    async def work(parts: "WorkerParts", _report: Callable[[str], None]) -> None:
        for tool in tools:
            if parts.warming is not None:
                parts.warming.let_go(tool.name)
            await parts.service.forget(tool)

    worker.run(work, _ignore, _ignore)


def warm(worker: "GenerationWorker", tools: tuple[Tool, ...], facts_of: "Callable[[Tool], Facts]") -> None:
    """Make the views that no host has read yet, in this order.

    Args:
        worker: Where they are made.
        tools: Whose.
        facts_of: Tells what a model may know of a tool; called in the generation worker.
    """

    async def work(parts: "WorkerParts", _report: Callable[[str], None]) -> None:
        if parts.warming is not None:
            parts.warming.warm(tools, facts_of)

    worker.run(work, _ignore, _ignore)


def decide_again(worker: "GenerationWorker", facts: "Facts", request_id: str) -> None:
    """Have the kind of a tool's minimal view decided again, by the shape that its facts now hold."""

    async def work(parts: "WorkerParts", _report: Callable[[str], None]) -> None:
        parts.service.decide_again(facts, request_id)

    worker.run(work, _ignore, _ignore)


def _ignore(_what: object) -> None:
    """Ignore the result: no request waits for it."""
