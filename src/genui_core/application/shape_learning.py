"""Learns what results look like from those that pass by, for the models that write views (ARCHITECTURE 10)."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import Factory, define, frozen

from genui_core.domain.jsonrpc import PARSE_DEPTH_ERRORS
from genui_core.domain.relay_answers import AnswerEditor, Edited

if TYPE_CHECKING:  # the studio is loaded when there is something to learn
    from collections.abc import Callable

    from genui_core.application.generation.view_studio import StudioLine, ViewStudio, Work

_ENOUGH = 3
"""How many results of one tool are looked at: the first tell nearly all."""
_MAX_CHARACTERS = 1_000_000


@frozen
class Lesson:
    """What one result tells.

    Attributes:
        shape: Its names, types, formats and lengths.
        data: Its values, where they may be kept.
    """

    shape: object
    data: object = None


@define
class ShapeLearning:
    """What was learned so far, by the name of the tool.

    Args:
        keeps_values: Whether the values of results may be kept and shown to the model
            (``generation.shareResultValues``).
    """

    _keeps_values: bool
    _lessons: dict[str, Lesson] = Factory(dict)
    _seen: "Counter[str]" = Factory(Counter)

    def wants(self, tool_name: str) -> bool:
        """Whether another result of a tool would tell something."""
        return self._seen[tool_name] < _ENOUGH

    def shape(self, tool_name: str) -> object:
        """Return what a tool's results look like, or None where none was seen."""
        lesson = self._lessons.get(tool_name)
        return lesson.shape if lesson is not None else None

    def values(self, tool_name: str) -> tuple[object, ...]:
        """Return the data of the last result that was seen, where it may be kept."""
        lesson = self._lessons.get(tool_name)
        return (lesson.data,) if lesson is not None and lesson.data is not None else ()

    def forget(self, tool_name: str) -> None:
        """Forget a tool that is gone, or another now."""
        self._lessons.pop(tool_name, None)
        del self._seen[tool_name]

    def see(self, tool_name: str, result: "str | Mapping[str, object]", studio: "StudioLine") -> None:
        """Have the studio look at a result, as JSON text or as data; it holds nobody up here."""
        if isinstance(result, str) and len(result) > _MAX_CHARACTERS:
            return
        self._seen[tool_name] += 1

        def take(lesson: object) -> None:
            if isinstance(lesson, Lesson):
                self._take(tool_name, lesson)

        studio.run(_looking_at(result, keeps_values=self._keeps_values), take, lambda _words: None)

    def _take(self, tool_name: str, lesson: Lesson) -> None:
        from genui_core.domain.prompting.learned_shape import merged_shapes  # noqa: PLC0415 -- see above

        known = self._lessons.get(tool_name)
        shape = lesson.shape if known is None else merged_shapes(known.shape, lesson.shape)
        self._lessons[tool_name] = Lesson(shape, lesson.data)


def _looking_at(result: "str | Mapping[str, object]", *, keeps_values: bool) -> "Work[Lesson | None]":
    async def work(_studio: "ViewStudio", _report: "Callable[[str], None]") -> Lesson | None:
        from genui_core.domain.prompting.learned_shape import shape_of  # noqa: PLC0415 -- see above
        from genui_core.domain.prompting.result_data import data_of  # noqa: PLC0415

        try:
            data = data_of(json.loads(result) if isinstance(result, str) else result)
        except PARSE_DEPTH_ERRORS:
            return None
        return None if data is None else Lesson(shape_of(data), data if keeps_values else None)

    return work


@frozen
class ResultWatcher:
    """Lets a result pass as it came, and has it looked at; another editor may edit it on the way."""

    _tool_name: str
    _learning: ShapeLearning
    _studio: "StudioLine"
    _inner: AnswerEditor | None = None
    memo_key: None = None

    def edit_result(self, result: str) -> Edited:
        """Have it looked at."""
        self._learning.see(self._tool_name, result, self._studio)
        return Edited(result) if self._inner is None else self._inner.edit_result(result)

    def replace_error(self, error: Mapping[str, object]) -> str | Mapping[str, object] | None:
        """Errors tell nothing."""
        return None if self._inner is None else self._inner.replace_error(error)
