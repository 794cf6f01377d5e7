"""Learns the shapes of results from calls, for models that write views (ARCHITECTURE 10)."""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING
from weakref import finalize

from attrs import Factory, define, evolve, frozen

from genui_core.domain.mcp.jsonrpc import PARSE_DEPTH_ERRORS, json_text
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

if TYPE_CHECKING:
    from genui_core.domain.prompting.prompts import Facts
    from genui_core.ports.clock import Clock


Seen = str | bytes | Mapping[str, object]
"""A result as JSON text or as data, or (as bytes) the line of the answer that contains it."""
Report = Callable[[str], None]
Run = Callable[[Callable[[object, Report], Awaitable[object]], Callable[[object], None], Report], object]
"""Runs work in the generation worker, and passes its result to the second argument."""

_ENOUGH = 3
"""How many results of one tool are examined: the first few show nearly everything."""
_MAX_CHARACTERS = 1_000_000
_MAX_HELD_CHARACTERS = 4_000_000
"""How many characters of results are held in all while no one may ever need their shapes."""
_MAX_WAIT_MS = 300
"""How long a generation waits for the result of a call that is under way when it starts."""
_LOOK_EVERY_S = 0.01


@frozen
class Lesson:
    """What was learned from one result.

    Attributes:
        shape: Its names, types, formats and lengths.
        data: Its values, if they may be kept.
    """

    shape: object
    data: object = None


@define
class ShapeLearning:
    """The shapes and values learned so far, by the name of the tool.

    Args:
        keeps_values: Whether the values of results may be kept and shown to the model
            (``generation.shareResultValues``).
        when_first_shape: Called with the name of each tool whose first shape is learned, or whose shape has
            something to draw for the first time.
        is_deferred: Whether results are examined only when a shape is needed.
    """

    _keeps_values: bool
    _when_first_shape: Callable[[str], None] = lambda _tool_name: None
    _is_deferred: bool = False
    _lessons: dict[str, Lesson] = Factory(dict)
    _seen: "Counter[str]" = Factory(Counter)
    _held: dict[str, list[str | bytes]] = Factory(dict)
    _held_characters: int = 0
    _under_way: "Counter[str]" = Factory(Counter)

    def call_begins(self, tool_name: str) -> Callable[[], None]:
        """Count a call as under way; return a function that ends this, which may be called twice."""
        open_calls = [tool_name]
        self._under_way[tool_name] += 1

        def end() -> None:
            if open_calls:
                self._under_way[open_calls.pop()] -= 1

        return end

    def is_under_way(self, tool_name: str) -> bool:
        """Whether a call of this tool is under way, or its result is being examined."""
        return self._under_way[tool_name] > 0

    def latest(self, facts: "Facts") -> "Facts":
        """Return the facts with the shape of results, if one was learned since they were gathered."""
        lesson = self._lessons.get(facts.tool.name) if facts.learned_shape is None else None
        if lesson is None:
            return facts
        return facts.with_shape(lesson.shape, () if lesson.data is None else (lesson.data,))

    def complete(self, facts: "Facts") -> "Facts":
        """Examine the results that were held until a shape is needed, and return the latest facts."""
        name = facts.tool.name
        for result in self._held.pop(name, ()):
            self._held_characters -= len(result)
            if (held := _lesson(result, keeps_values=self._keeps_values)) is not None:
                self._take(name, held)
        return self.latest(facts)

    async def wait_for_shape(self, facts: "Facts", clock: "Clock", most_ms: int) -> "tuple[Facts, int]":
        """Wait for the result of a call under way; return the latest facts and the milliseconds waited."""
        import anyio  # noqa: PLC0415 -- only models need it

        name, waited_ms, facts = facts.tool.name, 0, self.latest(facts)
        if not self.is_under_way(name):
            return facts, waited_ms
        began_ms, most_ms = clock.monotonic_ms(), min(_MAX_WAIT_MS, most_ms)
        while facts.learned_shape is None and self.is_under_way(name) and waited_ms < most_ms:
            await anyio.sleep(_LOOK_EVERY_S)
            facts, waited_ms = self.latest(facts), clock.monotonic_ms() - began_ms
        return facts, waited_ms

    def wants(self, tool_name: str) -> bool:
        """Whether another result of a tool is worth examining."""
        return self._seen[tool_name] < _ENOUGH

    def forget(self, tool_name: str) -> None:
        """Forget a tool that was removed or changed."""
        self._lessons.pop(tool_name, None)
        self._held_characters -= sum(map(len, self._held.pop(tool_name, ())))
        del self._seen[tool_name]

    def see(self, tool_name: str, result: Seen, run: Run) -> None:
        """Examine a result in the generation worker, without blocking; one that is too long only counts."""
        self._seen[tool_name] += 1
        if self._is_deferred and isinstance(result, Mapping):
            try:
                result = json_text(dict(result))
            except (TypeError, *PARSE_DEPTH_ERRORS):
                return
        if isinstance(result, str | bytes) and len(result) > _MAX_CHARACTERS:
            return
        if self._is_deferred and isinstance(result, str | bytes):
            self._hold(tool_name, result)
            return
        end = self.call_begins(tool_name)

        def take(lesson: object) -> None:
            if isinstance(lesson, Lesson):
                self._take(tool_name, lesson)
            end()

        async def look(_parts: object, _report: Report) -> Lesson | None:
            return _lesson(result, keeps_values=self._keeps_values)

        run(look, take, lambda _words: None)

    def watcher(self, tool_name: str, run: Run) -> Callable[[bytes], None]:
        """Return a function that examines the line of a call's answer; it gets b"" for a too long line.

        The call counts as under way until the function is called, or until the function is deleted because no
        answer will come.
        """

        def see(line: bytes) -> None:
            if line and not _is_error(line):
                self.see(tool_name, line, run)
            end()

        end = finalize(see, self.call_begins(tool_name))
        end.atexit = False
        return see

    def _hold(self, tool_name: str, result: str | bytes) -> None:
        """Hold a result until a prompt is needed: without a model that is rare, and may never happen."""
        if self._held_characters + len(result) <= _MAX_HELD_CHARACTERS:
            self._held.setdefault(tool_name, []).append(result)
            self._held_characters += len(result)

    def _take(self, tool_name: str, lesson: Lesson) -> None:
        from genui_core.domain.prompting.learned_shape import merged_shapes  # noqa: PLC0415 -- only models need it

        known = self._lessons.get(tool_name)
        shape = lesson.shape if known is None else merged_shapes(known.shape, lesson.shape)
        self._lessons[tool_name] = Lesson(shape, lesson.data)
        if _worth(shape) > _worth(known and known.shape):
            self._when_first_shape(tool_name)


def _worth(shape: object) -> int:
    """Return 2 for a shape with something to draw, 1 for another with more than lines of text, else 0."""
    from genui_core.domain.tools.classification import is_drawable  # noqa: PLC0415 -- only models need it

    has_parts = isinstance(shape, dict) and (shape.get("type") != "string" or "format" in shape)
    return 2 if is_drawable(shape) else 1 if has_parts else 0


def _lesson(result: Seen, *, keeps_values: bool) -> Lesson | None:
    """Return what a result shows; None for an error, and for a result without data or text."""
    from genui_core.domain.prompting.learned_shape import data_of, shape_of, text_of  # noqa: PLC0415
    from genui_core.domain.prompting.text_structure import text_shape  # noqa: PLC0415

    try:
        read = json.loads(result) if isinstance(result, str | bytes) else result
        if isinstance(result, bytes):
            read = read.get("result") if isinstance(read, Mapping) else None
        data = data_of(read)
    except PARSE_DEPTH_ERRORS:
        return None
    value = text_of(read) if data is None else data
    if isinstance(value, str) and not value.strip():
        return None
    shape = shape_of(value)
    if isinstance(value, str) and "format" not in shape:
        shape = text_shape(value, shape_of)
    return Lesson(shape, value if keeps_values else None)


def facts_of(tool: Tool, tools: Iterable[Tool], settings: Settings, learning: ShapeLearning) -> "Facts":
    """Return the facts about a tool for a prompt, without its refinements."""
    from genui_core.domain.prompting.prompts import Facts  # noqa: PLC0415 -- only models need it
    from genui_core.domain.settings.setting import Hints  # noqa: PLC0415

    hints = settings.hints.get(tool.name, Hints())
    facts = Facts(
        tool=tool,
        hints=evolve(hints, theme=hints.theme or settings.default_theme),
        examples=settings.examples.get(tool.name, ()),
        others=tuple(each for each in tools if each.reads_for_views),
    )
    return learning.complete(facts)


def _is_error(line: bytes) -> bool:
    """Whether an answer has no result; only lines that contain ``"error"`` are parsed."""
    if b'"error"' not in line:
        return False
    try:
        message = json.loads(line)
    except PARSE_DEPTH_ERRORS:
        return True
    return not isinstance(message, Mapping) or "result" not in message
