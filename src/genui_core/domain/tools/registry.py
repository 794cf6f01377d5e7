"""The upstream's tools as last listed, and what changed between two listings (SPEC W10, W11)."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from attrs import Factory, define

from genui_core.domain.tools.tool import Tool, is_tool


class ToolDiff(NamedTuple):
    """What a listing changed, as tool names in the order of the listing."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the tools are the same as before."""
        return not (self.added or self.removed or self.changed)


@define
class Registry:
    """The tools of one upstream, by name.

    A removed tool stays known as removed, so that its old address can be answered for
    what it is. A name listed twice keeps its first definition.

    An upstream may offer other tools to another kind of host. Each such audience has listings
    of its own, and a tool is removed when none of them holds it any more.

    Attributes:
        completed: How many listings have come to their end.
    """

    _active: dict[str, Tool] = Factory(dict)
    _listed: dict[str, Mapping[str, Tool]] = Factory(dict)
    _removed: dict[str, Tool] = Factory(dict)
    _brought: dict[str, str] = Factory(dict)
    completed: int = 0

    @property
    def active(self) -> Mapping[str, Tool]:
        """The tools that the upstream offers now, in its order."""
        return self._active

    @property
    def is_complete(self) -> bool:
        """Whether the tools were ever listed to the end."""
        return self.completed > 0

    def find(self, name: str) -> Tool | None:
        """Return the active tool of that name."""
        return self._active.get(name)

    def find_removed(self, name: str) -> Tool | None:
        """Return the tool of that name that the upstream once offered and no longer does."""
        return self._removed.get(name)

    def brings(self, address: str) -> bool:
        """Whether the upstream ties an active tool of its own to that address."""
        return address in self._brought.values()

    def is_complete_for(self, audience: str) -> bool:
        """Whether the tools that the upstream offers to an audience were ever listed to the end."""
        return audience in self._listed

    def begin_listing(self, audience: str = "") -> "Listing":
        """Return a listing to be filled page by page; several may be under way at once."""
        return Listing(self, audience)

    def _seen(self, tool: Tool) -> Tool:
        """Add a tool of a page; if an equal tool is known, return that one, whose hash may be computed."""
        known = self._active.get(tool.name)
        kept = known if known is not None and known.is_same_as(tool) else tool
        self._active[tool.name] = kept
        self._note_own_ui(kept)
        return kept

    def _note_own_ui(self, tool: Tool) -> None:
        """Few tools bring a UI: they are kept apart, so that a read of a view need not look at all tools."""
        own = tool.own_ui
        if own is None:
            self._brought.pop(tool.name, None)
        else:
            self._brought[tool.name] = own

    def forget(self, audience: str) -> None:
        """Take an audience's tools for removed where no other is offered them: it is there no more."""
        self._offer(self._listed.pop(audience, {}))

    def _replace(self, audience: str, now: dict[str, Tool]) -> ToolDiff:
        before = self._listed.pop(audience, {})
        self._listed[audience] = now
        self._offer(before, now)
        self.completed += 1
        return _diff(before, now)

    def _offer(self, before: Mapping[str, Tool], now: Mapping[str, Tool] | None = None) -> None:
        """Make active what is listed for anybody, what was listed last first."""
        offered = dict(now or {})
        for listed in self._listed.values():
            offered.update((name, self._active[name]) for name in listed if name not in offered)
        gone = self._removed | dict(before)
        self._active = offered
        self._removed = {name: tool for name, tool in gone.items() if name not in offered}
        self._brought = {name: own for name, own in self._brought.items() if name in offered}


@define
class Listing:
    """One walk through the pages of ``tools/list``.

    Attributes:
        audience: To whom these tools are offered.
        is_whole: Whether it began at the first page; only then does its end tell what was removed.
    """

    _registry: Registry
    audience: str = ""
    _tools: dict[str, Tool] = Factory(dict)
    is_whole: bool = True

    def add_page(self, definitions: Iterable[object]) -> None:
        """Take in a page; its tools are known from now on. What is no tool definition is passed over."""
        for definition in definitions:
            if isinstance(definition, Mapping) and is_tool(definition):
                tool = Tool(definition)
                if tool.name not in self._tools:
                    self._tools[tool.name] = self._registry._seen(tool)  # noqa: SLF001 -- two parts of one thing

    def finish(self) -> ToolDiff:
        """Make this the present listing, and say how it differs from the one before."""
        return self._registry._replace(self.audience, self._tools)


def _diff(before: Mapping[str, Tool], now: Mapping[str, Tool]) -> ToolDiff:
    shared = [name for name in now if name in before]
    changed = [name for name in shared if _differ(before[name], now[name])]
    return ToolDiff(
        added=tuple(name for name in now if name not in before),
        removed=tuple(name for name in before if name not in now),
        changed=tuple(changed),
        unchanged=tuple(name for name in shared if name not in changed),
    )


def _differ(before: Tool, now: Tool) -> bool:
    if before is now:
        return False
    try:
        return before.hash != now.hash
    except RecursionError:
        return before.definition != now.definition
