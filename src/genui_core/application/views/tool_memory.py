"""The state of each tool: the refinements of its view, every view that it had, and a person's decisions."""

from collections import Counter
from collections.abc import Callable

import anyio
from attrs import Factory, evolve, frozen

from genui_core.application.generation.generator import ShapeSource
from genui_core.application.generation.present_view import (
    PresentView,
    Version,
    history_of,
    present_view,
    versions_of,
)
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.stored_view import Refinements
from genui_core.errors import ToolChanged
from genui_core.ports.view_histories import ViewHistories


@frozen
class KnownTools:
    """What a transport knows about the upstream's tools. The generation worker asks in its own thread.

    Attributes:
        upstream_name: Returns the upstream's name; one store may hold the histories of several upstreams.
        shapes: The shapes of results so far, and the calls whose results will show one.
        is_replaced: Whether the upstream offers a tool by another definition now.
    """

    upstream_name: Callable[[], str] = str
    shapes: ShapeSource | None = None
    is_replaced: Callable[[Tool], bool] = lambda _tool: False


@frozen(kw_only=True)
class ToolStanding:
    """Knows whether a tool changed or went while a view was made for it. Used from one event loop.

    Args:
        is_replaced: Whether the upstream offers a tool by another definition now.
    """

    is_replaced: Callable[[Tool], bool] = lambda _tool: False
    _removals: Counter[str] = Factory(Counter)

    def removals(self, tool: Tool) -> int:
        """Return how often a tool of that name has been removed so far."""
        return self._removals[tool.name]

    def remove(self, tool: Tool) -> None:
        """Record that a tool was removed; a later tool of the same name is a different tool."""
        self._removals[tool.name] += 1

    def require(self, tool: Tool, removals: int) -> None:
        """Raise `ToolChanged` unless a tool is still what it was when something was begun for it."""
        if self._removals[tool.name] != removals or self.is_replaced(tool):
            raise ToolChanged(tool.name)


MOST_VERSIONS = 50
"""How many views of one tool are remembered for the way back."""


@frozen
class ToolMemory:
    """Refinements and versions, by the name of the tool. Used from one event loop.

    Args:
        histories: Stores them beyond the process; None keeps them for the process alone.
        most_refinements: ``limits.maxRefinementHistory``: how many of the newest refinements count.
        upstream_name: Returns the upstream's name; one store may hold the histories of several upstreams.
    """

    histories: ViewHistories | None
    most_refinements: int
    upstream_name: Callable[[], str] = str
    _refinements: dict[str, Refinements] = Factory(dict)
    _versions: dict[str, list[Version]] = Factory(dict)
    _marks: dict[str, str | None] = Factory(dict)
    _recalling: anyio.Lock = Factory(anyio.Lock)

    def refinements(self, tool_name: str) -> Refinements:
        """Return the refinements of a tool's view so far."""
        return self._refinements.get(tool_name, Refinements(most=self.most_refinements))

    def set_refinements(self, tool_name: str, refinements: Refinements) -> None:
        """Replace the refinements of a tool's view."""
        self._refinements[tool_name] = refinements

    def versions(self, tool_name: str) -> tuple[Version, ...]:
        """Return every view a tool has had, as far as they are remembered, oldest first."""
        return tuple(self._versions.get(tool_name, ()))

    def number_of(self, tool_name: str, view: PresentView | None) -> int | None:
        """Return the number of a view with the present refinements; None if it has no number."""
        refinements = self.refinements(tool_name)
        known = [each.number for each in self.versions(tool_name) if view and each.is_of(view, refinements)]
        return known[-1] if known else None

    def remember(self, tool_name: str, view: PresentView, occasion: str) -> None:
        """Number a view that the tool has not had with these refinements before; a fallback gets no number.

        A view that it had with the same refinements is stored under the key by which it is served now.
        """
        versions = self._versions.setdefault(tool_name, [])
        if view.state is ViewState.FALLBACK:
            return
        refinements = self.refinements(tool_name)
        known = [at for at, each in enumerate(versions) if each.is_of(view, refinements)]
        if known:
            versions[known[-1]] = evolve(versions[known[-1]], view=view)
            return
        number = versions[-1].number + 1 if versions else 1
        versions.append(Version(number=number, view=view, refinements=refinements, occasion=occasion))
        del versions[:-MOST_VERSIONS]

    async def recall(self, tool_name: str) -> PresentView | None:
        """Take up what is known of a tool from before a restart, or from other wrappers since.

        Returns:
            The view that it had or has there, where there is news.
        """
        if self.histories is None:
            return None
        async with self._recalling:
            upstream = self.upstream_name()
            mark = await self.histories.mark(tool_name, upstream)
            if tool_name in self._marks and mark in (None, self._marks[tool_name]):
                return None
            self._marks[tool_name] = mark
            history = await self.histories.load(tool_name, upstream)
        if history is None:
            return None
        self._refinements[tool_name] = Refinements(history.refinements, self.most_refinements)
        self._versions[tool_name] = list(versions_of(history, self.most_refinements))
        shown = next((each.view for each in history.views if each.number == history.present), None)
        return None if shown is None else present_view(shown)

    async def save(self, tool_name: str, present: PresentView | None) -> None:
        """Have what is known of a tool outlive the process, where that is wanted."""
        if self.histories is not None:
            refinements, versions = self.refinements(tool_name), self.versions(tool_name)
            history = history_of(tool_name, self.upstream_name(), refinements, versions, present)
            await self.histories.save(history)

    async def forget(self, tool: Tool) -> None:
        """Forget a tool that is gone; what was made for another definition by its name may be another's."""
        self._refinements.pop(tool.name, None)
        self._versions.pop(tool.name, None)
        if self.histories is None:
            return
        upstream = self.upstream_name()
        history = await self.histories.load(tool.name, upstream)
        if history is not None and all(each.view.is_made_for(tool.hash) for each in history.views):
            await self.histories.drop(tool.name, upstream)
