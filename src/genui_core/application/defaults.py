"""The default view store and validator, the states of open pages, and the guard around other stores."""

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Collection
from typing import Final, TypeVar

from attrs import field, frozen

from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.validation.finding import ValidationReport
from genui_core.domain.views.stored_view import StoredView, StoreStats, fits
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_store import ViewStore
from genui_core.ports.view_validator import ValidationContext, ViewValidator

Answer = TypeVar("Answer")


@frozen
class MemoryStore(ViewStore):
    """The default view store: the most recently used views, in memory, within a count and a size."""

    settings: CacheSettings
    clock: Clock
    _views: OrderedDict[str, StoredView] = field(factory=OrderedDict, init=False)
    _found: Counter[bool] = field(factory=Counter, init=False)

    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key unless it is too old."""
        view = self._views.get(key)
        if view is not None and self._is_past(view):
            del self._views[key]
            view = None
        self._found[view is not None] += 1
        if view is not None:
            self._views.move_to_end(key)
        return view

    async def set(self, view: StoredView) -> bool:
        """Store a view, and drop the least recently used views until the rest fit the limits."""
        self._views.pop(view.key, None)
        if not fits(view, self.settings):
            return False
        self._views[view.key] = view
        size_bytes = self._size_bytes()
        while len(self._views) > self.settings.max_entries or size_bytes > self.settings.max_total_size_bytes:
            size_bytes -= self._views.popitem(last=False)[1].size_bytes
        return view.key in self._views

    async def invalidate(self, tool_name: str) -> int:
        """Forget the views of a tool."""
        return await self.discard([key for key, view in self._views.items() if view.tool_name == tool_name])

    async def stored_among(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the keys under which a view is stored that is not too old."""
        known = ((key, self._views.get(key)) for key in keys)
        return frozenset(key for key, view in known if view is not None and not self._is_past(view))

    async def discard(self, keys: Collection[str]) -> int:
        """Forget the views under these keys."""
        return sum(self._views.pop(key, None) is not None for key in keys)

    async def clear(self) -> int:
        """Forget everything."""
        return await self.discard([*self._views])

    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views that are not too old."""
        return tuple(view for view in self._views.values() if not self._is_past(view))

    async def stats(self) -> StoreStats:
        """Return the counts of this process."""
        hits, misses = self._found[True], self._found[False]
        return StoreStats(
            entries=len(self._views), hits=hits, misses=misses, total_size_bytes=self._size_bytes()
        )

    async def close(self) -> None:
        """Do nothing: nothing is open."""

    def _size_bytes(self) -> int:
        return sum(view.size_bytes for view in self._views.values())

    def _is_past(self, view: StoredView) -> bool:
        return view.is_past(self.clock.now(), self.settings.ttl)


_MOST_STATES: Final = 200
_MOST_CHARACTERS_OF_ID: Final = 200
_STATE_LASTS_MS: Final = 24 * 3_600_000


@frozen
class PageStates:
    """The states of each session's pages as JSON text, restored when a host loads a page again.

    A host numbers its views from the beginning in each session, so no state is stored beyond the process. A
    state expires a day after it was stored.
    """

    clock: Clock
    _states: OrderedDict[tuple[int, str, str], tuple[object, str, int]] = field(
        factory=OrderedDict, init=False
    )

    def store(self, session: object, tool_name: str, view: str, state: str) -> None:
        """Store the state of a view; above 200 states, drop the oldest."""
        key = (id(session), tool_name, view[:_MOST_CHARACTERS_OF_ID])
        self._states.pop(key, None)
        # The entry holds the session itself, so that no other object gets its id.
        self._states[key] = (session, state, self.clock.monotonic_ms())
        if len(self._states) > _MOST_STATES:
            self._states.popitem(last=False)

    def load(self, session: object, tool_name: str, view: str) -> str:
        """Return the stored state of a view, or "{}" if there is none."""
        _, state, kept_ms = self._states.get(
            (id(session), tool_name, view[:_MOST_CHARACTERS_OF_ID]), (None, "{}", 0)
        )
        return state if self.clock.monotonic_ms() - kept_ms < _STATE_LASTS_MS else "{}"


async def call_or_log(
    event_log: EventLog, operation: str, ask: Callable[[], Awaitable[Answer]], otherwise: Answer
) -> Answer:
    """Return the answer of ``ask``; if it raises, log why and return ``otherwise``."""
    try:
        return await ask()
    except Exception as error:  # noqa: BLE001 -- no error of a store may reach the reader of a view
        event_log.record(Level.WARN, "cache", "store_failed", operation=operation, reason=f"{error!r}")
        return otherwise


class AroundStore(ViewStore):
    """A view store that forwards every operation to another store."""

    inner: ViewStore

    async def _ask(
        self,
        operation: str,  # noqa: ARG002 -- a subclass logs it
        ask: Callable[[ViewStore], Awaitable[Answer]],
        otherwise: Answer,  # noqa: ARG002 -- a subclass returns it
    ) -> Answer:
        """Return the other store's answer."""
        return await ask(self.inner)

    async def get(self, key: str) -> StoredView | None:
        """Return the other store's view under a key."""
        return await self._ask("get", lambda store: store.get(key), None)

    async def set(self, view: StoredView) -> bool:
        """Store a view in the other store."""
        return await self._ask("set", lambda store: store.set(view), otherwise=False)

    async def invalidate(self, tool_name: str) -> int:
        """Forget the views of a tool."""
        return await self._ask("invalidate", lambda store: store.invalidate(tool_name), 0)

    async def stored_among(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the keys under which the other store could read a view."""
        return await self._ask("kept", lambda store: store.stored_among(keys), frozenset())

    async def discard(self, keys: Collection[str]) -> int:
        """Forget the views under these keys."""
        return await self._ask("discard", lambda store: store.discard(keys), 0)

    async def clear(self) -> int:
        """Forget everything."""
        return await self._ask("clear", lambda store: store.clear(), 0)

    async def entries(self) -> tuple[StoredView, ...]:
        """Return the views of the other store."""
        return await self._ask("entries", lambda store: store.entries(), ())

    async def stats(self) -> StoreStats:
        """Return the other store's statistics."""
        nothing = StoreStats(entries=0, hits=0, misses=0, total_size_bytes=0)
        return await self._ask("stats", lambda store: store.stats(), nothing)

    async def close(self) -> None:
        """Close the other store."""
        await self._ask("close", lambda store: store.close(), None)


@frozen
class GuardedStore(AroundStore):
    """A view store that logs the errors of another package's store, and then answers as if it were empty.

    A host's read of a view must not fail because of a store.
    """

    inner: ViewStore
    event_log: EventLog

    async def stored_among(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the keys under which a view is stored, even if the store lacks this method."""
        has_method = hasattr(self.inner, "stored_among")
        return await (super().stored_among(keys) if has_method else ViewStore.stored_among(self, keys))

    async def discard(self, keys: Collection[str]) -> int:
        """Forget the views under these keys, even if the store lacks this method."""
        has_method = hasattr(self.inner, "discard")
        return await (super().discard(keys) if has_method else ViewStore.discard(self, keys))

    async def _ask(
        self, operation: str, ask: Callable[[ViewStore], Awaitable[Answer]], otherwise: Answer
    ) -> Answer:
        return await call_or_log(self.event_log, operation, lambda: ask(self.inner), otherwise)


class InProcessValidator(ViewValidator):
    """The default validator: runs in the calling thread, and so blocks the worker's event loop."""

    async def prepare(self) -> None:
        """Do nothing: this process is ready."""

    async def validate(self, text: str, context: ValidationContext) -> ValidationReport:
        """Return the report."""
        from genui_core.domain.validation.validate import validate  # noqa: PLC0415 -- its parsers load slowly

        return validate(text, context)
