"""What a wrapper has its studio do without anybody waiting for it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from genui_core.domain.tool import Tool

if TYPE_CHECKING:  # the generation worker's modules are loaded with the first generation
    from genui_core.application.generation.view_studio import StudioLine, ViewStudio
    from genui_core.domain.prompting.facts import Facts


def forget(studio: "StudioLine", tools: tuple[Tool, ...]) -> None:
    """Have the views of tools forgotten that are gone."""

    async def work(studio: "ViewStudio", _report: Callable[[str], None]) -> None:
        for tool in tools:
            if studio.warming is not None:
                studio.warming.let_go(tool.name)
            await studio.service.forget(tool)

    studio.run(work, _ignore, _ignore)


def warm(studio: "StudioLine", tools: tuple[Tool, ...], facts_of: "Callable[[Tool], Facts]") -> None:
    """Make the views that no host has read yet, in this order.

    Args:
        studio: Where they are made.
        tools: Whose.
        facts_of: Tells what a model may know of a tool; called in the studio.
    """

    async def work(studio: "ViewStudio", _report: Callable[[str], None]) -> None:
        if studio.warming is not None:
            studio.warming.warm(tools, facts_of)

    studio.run(work, _ignore, _ignore)


def decide_again(studio: "StudioLine", facts: "Facts", request_id: str) -> None:
    """Have the kind of a tool's minimal view decided again, by the shape that its facts now hold."""

    async def work(studio: "ViewStudio", _report: Callable[[str], None]) -> None:
        studio.service.decide_again(facts, request_id)

    studio.run(work, _ignore, _ignore)


def _ignore(_what: object) -> None:
    """Ignore the result: no request waits for it."""
