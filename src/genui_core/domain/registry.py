"""The upstream's tools as last listed, and what changed between two listings (SPEC W10, W11)."""

from collections.abc import Iterable, Mapping

from attrs import Factory, define, frozen

from genui_core.domain.tool import Tool, is_tool


@frozen
class ToolDiff:
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
    """

    _active: dict[str, Tool] = Factory(dict)
    _removed: dict[str, Tool] = Factory(dict)
    is_complete: bool = False

    @property
    def active(self) -> Mapping[str, Tool]:
        """The tools that the upstream offers now, in its order."""
        return self._active

    def find(self, name: str) -> Tool | None:
        """Return the active tool of that name."""
        return self._active.get(name)

    def was_removed(self, name: str) -> bool:
        """Whether the upstream once offered a tool of that name and no longer does."""
        return name in self._removed

    def add_page(self, definitions: Iterable[object]) -> tuple[Tool, ...]:
        """Take in one page of a listing that is still going on, and return its tools.

        Elements that are no tool definitions are passed over.
        """
        page = [self._kept(each) for each in definitions if isinstance(each, Mapping) and is_tool(each)]
        for tool in page:
            self._active.setdefault(tool.name, tool)
        return tuple(page)

    def replace(self, listing: Iterable[Tool], before: Mapping[str, Tool]) -> ToolDiff:
        """Make a complete listing the present one and say how it differs from ``before``."""
        now: dict[str, Tool] = {}
        for tool in listing:
            now.setdefault(tool.name, tool)
        gone = {name: tool for name, tool in before.items() if name not in now}
        known = {name for name in self._removed if name not in now}
        self._removed = {name: self._removed[name] for name in known} | gone
        self._active = now
        self.is_complete = True
        return _diff(before, now)

    def _kept(self, definition: Mapping[str, object]) -> Tool:
        """Reuse the tool, with the hash it has worked out, when its definition is the same."""
        tool = Tool(definition)
        known = self._active.get(tool.name)
        return known if known is not None and known.definition == definition else tool


def _diff(before: Mapping[str, Tool], now: Mapping[str, Tool]) -> ToolDiff:
    shared = [name for name in now if name in before]
    changed = [
        name for name in shared if before[name] is not now[name] and before[name].hash != now[name].hash
    ]
    return ToolDiff(
        added=tuple(name for name in now if name not in before),
        removed=tuple(name for name in before if name not in now),
        changed=tuple(changed),
        unchanged=tuple(name for name in shared if name not in changed),
    )
