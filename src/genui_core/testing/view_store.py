"""A view store for tests, and the contract suite of all view stores."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection

from attrs import Factory, define

from genui_core.domain.views.stored_view import CACHE_VERSION, StoredView, StoreStats
from genui_core.ports.view_store import ViewStore


@define
class DictStore(ViewStore):
    """A store in memory without bounds.

    Attributes:
        views: The stored views by key, the most recently used last.
        takes: Whether the store accepts a view; a test may refuse it.
    """

    views: dict[str, StoredView] = Factory(dict)
    takes: Callable[[StoredView], bool] = lambda _view: True
    _hits: int = 0
    _misses: int = 0

    async def get(self, key: str) -> StoredView | None:
        """Return the view under the key, or None."""
        view = self.views.pop(key, None)
        if view is None:
            self._misses += 1
            return None
        self._hits += 1
        self.views[key] = view
        return view

    async def set(self, view: StoredView) -> bool:
        """Store the view if `takes` accepts it."""
        if not self.takes(view):
            return False
        self.views.pop(view.key, None)
        self.views[view.key] = view
        return True

    async def invalidate(self, tool_name: str) -> int:
        """Delete the views of a tool."""
        return await self.discard([key for key, view in self.views.items() if view.tool_name == tool_name])

    async def discard(self, keys: Collection[str]) -> int:
        """Delete the views under these keys."""
        return sum(self.views.pop(key, None) is not None for key in keys)

    async def clear(self) -> int:
        """Delete all views."""
        return await self.discard([*self.views])

    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views."""
        return tuple(self.views.values())

    async def stats(self) -> StoreStats:
        """Return the counts."""
        return StoreStats(
            entries=len(self.views),
            hits=self._hits,
            misses=self._misses,
            total_size_bytes=sum(view.size_bytes for view in self.views.values()),
        )

    async def close(self) -> None:
        """Do nothing."""


def a_view(
    key: str = "a" * 64,
    *,
    tool_name: str = "read_rows",
    html: str = "<script>function render() {}</script>",
    expires_at: str | None = None,
    cache_version: int = CACHE_VERSION,
) -> StoredView:
    """Return a view to store; pass only the values that matter to the test."""
    return StoredView(
        key=key,
        tool_name=tool_name,
        html=html,
        generated_at="2026-01-01T00:00:00.000+00:00",
        generation_duration_ms=1200,
        prompt_version="1",
        template_version="1",
        request_id="00000000-0000-0000-0000-000000000001",
        llm_model="model-x",
        context={
            "mode": "fragment",
            "words": "\u00e9 \u4e2d \U0001f600",
            "none": None,
            "list": [1, 2.5, True],
        },
        findings=({"rule": "label.missing", "line": 3},),
        expires_at=expires_at,
        cache_version=cache_version,
    )


class ViewStoreContract(ABC):
    """The contract suite of stores: inherit it, mark it for anyio and implement `make`."""

    @abstractmethod
    async def make(self) -> ViewStore:
        """Return the store under test, empty and with the default bounds."""

    async def test_what_was_kept_is_found_as_it_was(self) -> None:
        """With every field, of every type."""
        store = await self.make()
        assert await store.set(a_view())
        assert await store.get("a" * 64) == a_view()

    async def test_what_was_not_kept_is_not_found(self) -> None:
        """A miss is no error; any text may be a key."""
        store = await self.make()
        await store.set(a_view())
        for key in ("b" * 64, "", "../../etc/passwd", "\x00", "a" * 5000):
            assert await store.get(key) is None

    async def test_the_later_view_takes_the_place_of_the_earlier(self) -> None:
        """A key has one view."""
        store = await self.make()
        await store.set(a_view())
        await store.set(a_view(html="other"))
        found = await store.get("a" * 64)
        assert found is not None
        assert found.html == "other"
        assert (await store.stats()).entries == 1

    async def test_a_tools_views_are_forgotten_together(self) -> None:
        """The views of other tools stay."""
        store = await self.make()
        for key, name in (("a", "one"), ("b", "one"), ("c", "two")):
            await store.set(a_view(key * 64, tool_name=name))
        assert await store.invalidate("one") == 2
        assert [view.tool_name for view in await store.entries()] == ["two"]
        assert await store.invalidate("../two") == 0

    async def test_it_tells_which_keys_it_holds_and_they_do_not_count_as_used(self) -> None:
        """Malformed keys have no view; an expired view may still count."""
        store = await self.make()
        for key in "abc":
            await store.set(a_view(key * 64))
        await store.set(a_view("d" * 64, expires_at="2026-01-01T00:00:00.000+00:00"))
        asked = ["a" * 64, "c" * 64, "d" * 64, "e" * 64, "", "../../etc/passwd", "\x00"]
        assert await store.stored_among(asked) >= {"a" * 64, "c" * 64}
        assert await store.stored_among(asked) <= {"a" * 64, "c" * 64, "d" * 64}
        assert await store.stored_among([]) == frozenset()
        assert [view.key[0] for view in await store.entries()][:3] == ["a", "b", "c"]
        stats = await store.stats()
        assert (stats.hits, stats.misses) == (0, 0)

    async def test_single_views_are_forgotten(self) -> None:
        """Other views stay; the number returned excludes unknown keys."""
        store = await self.make()
        for key in "abc":
            await store.set(a_view(key * 64))
        assert await store.discard(["a" * 64, "c" * 64, "e" * 64, "../b"]) == 2
        assert [view.key[0] for view in await store.entries()] == ["b"]
        assert await store.get("a" * 64) is None

    async def test_everything_is_forgotten_when_it_is_cleared(self) -> None:
        """A cleared store still works."""
        store = await self.make()
        await store.set(a_view())
        assert await store.clear() == 1
        assert await store.get("a" * 64) is None
        assert await store.set(a_view())

    async def test_the_last_used_comes_last(self) -> None:
        """Reading a view counts as use."""
        store = await self.make()
        for key in "abc":
            await store.set(a_view(key * 64))
        await store.get("a" * 64)
        assert [view.key[0] for view in await store.entries()] == ["b", "c", "a"]

    async def test_a_view_that_is_too_large_is_not_kept(self) -> None:
        """`set` returns False."""
        store = await self.make()
        assert await store.set(a_view(html="x" * 512_000))
        assert not await store.set(a_view("b" * 64, html="x" * 512_001))
        assert await store.get("b" * 64) is None

    async def test_those_used_longest_ago_make_room(self) -> None:
        """The default bound is 100 views."""
        store = await self.make()
        for number in range(103):
            assert await store.set(a_view(f"{number:064x}"))
            if number == 50:
                await store.get(f"{0:064x}")
        kept = {int(view.key, 16) for view in await store.entries()}
        assert len(kept) == 100
        assert kept == {0, *range(4, 103)}

    async def test_hits_and_misses_are_counted(self) -> None:
        """So are the views and their bytes."""
        store = await self.make()
        await store.set(a_view())
        await store.get("a" * 64)
        await store.get("b" * 64)
        stats = await store.stats()
        assert (stats.entries, stats.hits, stats.misses, stats.hit_rate) == (1, 1, 1, 0.5)
        assert stats.total_size_bytes > 0

    async def test_a_view_that_is_past_is_not_found(self) -> None:
        """The view expired before it was read."""
        store = await self.make()
        await store.set(a_view(expires_at="2026-01-01T00:00:00.000+00:00"))
        assert await store.get("a" * 64) is None

    async def test_it_may_be_closed_twice(self) -> None:
        """Clean-up code need not check whether the store is closed."""
        store = await self.make()
        await store.close()
        await store.close()
