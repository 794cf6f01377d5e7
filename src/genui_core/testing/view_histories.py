"""Histories for tests, and the contract suite of all view histories."""

from abc import ABC, abstractmethod

from attrs import Factory, define, evolve

from genui_core.domain.views.stored_view import Refinement, RememberedView, StoredView, ViewHistory
from genui_core.ports.view_histories import ViewHistories


@define
class DictHistories(ViewHistories):
    """View histories in memory."""

    histories: dict[tuple[str, str], ViewHistory] = Factory(dict)

    async def load(self, tool_name: str, upstream_name: str = "") -> ViewHistory | None:
        """Return the history of a tool, or None."""
        return self.histories.get((upstream_name, tool_name))

    async def save(self, history: ViewHistory) -> bool:
        """Store a history; always True."""
        self.histories[history.upstream_name, history.tool_name] = history
        return True

    async def drop(self, tool_name: str, upstream_name: str = "") -> None:
        """Delete the history of a tool."""
        self.histories.pop((upstream_name, tool_name), None)

    async def clear(self, tool_name: str | None = None) -> int:
        """Delete all histories, or those of a tool name."""
        found = [each for each in self.histories if tool_name in (None, each[1])]
        for each in found:
            del self.histories[each]
        return len(found)


_WISH = Refinement(
    timestamp="2026-01-01T00:00:00.000+00:00", feedback="blue \ud800 “x”", generation_hash_before="0" * 64
)
_VIEW = StoredView(
    key="a" * 64,
    tool_name="../read rows",
    html="<p>one</p>",
    generated_at="2026-01-01T00:00:00.000+00:00",
    generation_duration_ms=1,
    prompt_version="1",
    template_version="1",
    request_id="r",
    context={"mode": "fragment"},
)
_HISTORY = ViewHistory(
    tool_name="../read rows",
    refinements=(_WISH,),
    views=(RememberedView(number=1, view=_VIEW, refinements=(_WISH,), occasion="first use"),),
    present=1,
)


class ViewHistoriesContract(ABC):
    """The contract suite of histories: inherit it, mark it for anyio and implement `make`."""

    @abstractmethod
    def make(self) -> ViewHistories:
        """Return the histories under test; a second call stands for a restarted process."""

    async def test_what_was_saved_is_there_after_a_restart(self) -> None:
        """Also with a tool name that is no file name, and with any text."""
        assert await self.make().save(_HISTORY)
        assert await self.make().load("../read rows") == _HISTORY

    async def test_the_later_one_stays(self) -> None:
        """A tool has one history."""
        histories = self.make()
        await histories.save(_HISTORY)
        later = evolve(_HISTORY, refinements=(_WISH, _WISH))
        await histories.save(later)
        assert await histories.load("../read rows") == later

    async def test_an_unknown_tool_has_none(self) -> None:
        """Reading it is no error."""
        assert await self.make().load("unknown") is None

    async def test_what_was_dropped_is_gone(self) -> None:
        """Other tools keep their histories; dropping twice is no error."""
        histories = self.make()
        await histories.save(_HISTORY)
        await histories.save(evolve(_HISTORY, tool_name="other"))
        await histories.drop("../read rows")
        await histories.drop("../read rows")
        assert await histories.load("../read rows") is None
        assert await histories.load("other") is not None

    async def test_all_are_cleared(self) -> None:
        """The histories of every upstream; clearing nothing is no error."""
        histories = self.make()
        for tool, upstream in (("one", "files"), ("one", "mail"), ("two", "")):
            await histories.save(evolve(_HISTORY, tool_name=tool, upstream_name=upstream))
        assert await self.make().clear() == 3
        assert await histories.load("one", "files") is None
        assert await histories.clear() == 0
        assert await histories.save(_HISTORY)

    async def test_those_of_one_tool_are_cleared(self) -> None:
        """The tool's histories at every upstream, and no others."""
        histories = self.make()
        for tool, upstream in (("one", "files"), ("one", "mail"), ("two", "files")):
            await histories.save(evolve(_HISTORY, tool_name=tool, upstream_name=upstream))
        assert await histories.clear("one") == 2
        assert await histories.load("one", "mail") is None
        assert await histories.load("two", "files") is not None

    async def test_tools_of_one_name_at_two_upstreams_are_two(self) -> None:
        """No two pairs of upstream name and tool name collide."""
        histories = self.make()
        owners = [("files", "search"), ("mail", "search"), ("mail search", ""), ("", "mail search")]
        kept = [evolve(_HISTORY, upstream_name=upstream, tool_name=tool) for upstream, tool in owners]
        for each in kept:
            assert await histories.save(each)
        await histories.drop("search", "files")
        loaded = [await self.make().load(tool, upstream) for upstream, tool in owners]
        assert loaded == [None, *kept[1:]]
        assert await histories.load("search") is None
