"""Views, histories and locks on a Redis or Valkey server that several wrappers share (requirement C3)."""

import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from attrs import Factory, field, frozen

from genui_adapters.view_store.private_files import hashed
from genui_adapters.view_store.redis_server import RedisServer
from genui_adapters.view_store.sealed_entry import (
    MOST_HISTORY_BYTES,
    NotOurs,
    SealedHistories,
    history_name,
    most_bytes,
    seal,
    unseal,
)
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.views.stored_view import StoredView, StoreStats, fits
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.generation_lock import GenerationLock
from genui_core.ports.view_store import ViewStore

_AT_ONCE = 16
"""How many views one command fetches."""


@frozen(kw_only=True)
class RedisStore(ViewStore):
    """Stores one sealed value per view; the server gets only hashes of keys and tools' names.

    While the server is down or slow, reads miss and writes fail.

    Args:
        settings: The bounds; the least recently used views of all wrappers make room.
    """

    server: RedisServer
    settings: CacheSettings
    _reads: Counter[bool] = field(factory=Counter, init=False)

    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key unless it has expired; it counts as used now."""
        name, most = hashed(key), most_bytes(self.settings)
        data = await self.server.ask("get", lambda: self._run("find", name, most), None)
        view = None if data is None else self._unseal(data, name)
        if data is not None and view is None:
            await self._forget(name)
        self._reads[view is not None] += 1
        return view

    async def set(self, view: StoredView) -> bool:
        """Store a view until it expires, makes room for others, or the server loses it."""
        bounds = self.settings
        if not fits(view, bounds):
            return False
        facts = f"{view.size_bytes} {hashed(view.tool_name)}"
        data = seal(view, self.server.place.secret)
        kept = await self.server.ask(
            "set",
            lambda: self._run(
                "keep", hashed(view.key), data, self._milliseconds_left(view), facts,
                bounds.max_entries, bounds.max_total_size_bytes,
            ),
            None,
        )  # fmt: skip
        return kept == 1

    async def invalidate(self, tool_name: str) -> int:
        """Delete a tool's views."""
        return await self._forget(hashed(tool_name))

    async def stored_among(self, keys: Collection[str]) -> frozenset[str]:
        """Return those of the keys with a view that has not expired."""
        none: tuple[StoredView, ...] = ()
        views = await self.server.ask("kept", lambda: self._views([*map(hashed, keys)]), none)
        return frozenset(view.key for view in views)

    async def discard(self, keys: Collection[str]) -> int:
        """Delete the views under these keys."""
        return sum([await self._forget(hashed(key)) for key in keys])

    async def clear(self) -> int:
        """Delete all views."""
        return await self._forget("")

    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views that have not expired."""
        return await self.server.ask("entries", self._entries, (), is_bulky=True)

    async def stats(self) -> StoreStats:
        """Return the counts: views of all wrappers, reads of this process; sizes are those of the sources."""
        answer = await self.server.ask("stats", lambda: self._run("sizes"), None)
        count, size = answer if isinstance(answer, list) else (0, 0)
        hits, misses = self._reads[True], self._reads[False]
        return StoreStats(entries=int(count), hits=hits, misses=misses, total_size_bytes=int(size))

    async def check(self) -> str:
        """Write a test value, and return the server's version and address.

        Raises StoreUnreachable if the server does not answer, or refuses the write.
        """

        async def write_and_ask() -> object:
            await self.server.command("SET", self._name("check"), "1", "PX", 1000)
            return await self.server.command("INFO", "server")

        told = await self.server.insist(write_and_ask)
        facts = told if isinstance(told, Mapping) else {}
        return f"Redis {facts.get('redis_version', '')} at {self.server.place.name}".replace("  ", " ")

    async def close(self) -> None:
        """Close the connections."""
        await self.server.close()

    async def _forget(self, which: str) -> int:
        count = await self.server.ask("forget", lambda: self._run("forget", which), None)
        return count if isinstance(count, int) else 0

    async def _entries(self) -> tuple[StoredView, ...]:
        listed = await self.server.command("ZRANGE", self._name("used"), 0, -1)
        names = [bytes(each).decode(errors="replace") for each in listed] if isinstance(listed, list) else []
        return await self._views(names)

    async def _views(self, names: Sequence[str]) -> tuple[StoredView, ...]:
        views: list[StoredView] = []
        for start in range(0, len(names), _AT_ONCE):
            some = names[start : start + _AT_ONCE]
            found = await self.server.command("MGET", *(self._name(f"view:{name}") for name in some))
            pairs = zip(some, found if isinstance(found, list) else (), strict=False)
            opened = (self._unseal(data, name) for name, data in pairs if data is not None)
            views.extend(view for view in opened if view is not None)
        return tuple(views)

    def _unseal(self, data: object, name: str) -> StoredView | None:
        """Return the view in a value unless it has expired; log a value without a view."""
        try:
            view = unseal(_value(data), self.server.place.secret, name)
        except (NotOurs, ValueError) as error:
            self.server.event_log.record(Level.WARN, "cache", "set_aside", entry=name, reason=str(error))
            return None
        return None if view.is_past(self.server.clock.now(), self.settings.ttl) else view

    def _milliseconds_left(self, view: StoredView) -> int | str:
        """Return the milliseconds until a view expires; "" if it never does."""
        now, ttl, ends = self.server.clock.now(), self.settings.ttl, list[datetime]()
        if ttl is not None:
            ends.append(datetime.fromisoformat(view.generated_at) + ttl)
        if view.expires_at is not None:
            ends.append(datetime.fromisoformat(view.expires_at))
        return max(1, (min(ends) - now) // timedelta(milliseconds=1)) if ends else ""

    async def _run(self, script: str, *arguments: str | bytes | int) -> object:
        keys = (self._name("used"), self._name("facts"), self._name("count"))
        return await self.server.script(f"views {script}", keys, self._name("view:"), *arguments)

    def _name(self, of: str) -> str:
        return f"{self.server.place.namespace}{of}"


@frozen
class RedisLock(GenerationLock):
    """Takes locks that expire unless their holder renews them: a holder that died loses its locks."""

    server: RedisServer
    lease_ms: int = 6_000
    holder: str = Factory(lambda: secrets.token_hex(16))

    async def take(self, key: str) -> bool:
        """Take the lock of a view; if the server is down, every wrapper gets it."""
        name = self._name(key)

        async def set_lock() -> bool:
            return await self.server.command("SET", name, self.holder, "NX", "PX", self.lease_ms) is not None

        return await self.server.ask("lock", set_lock, otherwise=True)

    async def prolong(self, key: str) -> None:
        """Let a lock last `lease_ms` from now, if this wrapper still holds it."""
        name = self._name(key)
        await self.server.ask(
            "prolong", lambda: self.server.script("prolong", [name], self.holder, self.lease_ms), None
        )

    async def release(self, key: str) -> None:
        """Release a lock, if this wrapper holds it."""
        name = self._name(key)
        await self.server.ask("unlock", lambda: self.server.script("release", [name], self.holder), None)

    def _name(self, key: str) -> str:
        return f"{self.server.place.namespace}lock:{hashed(key)}"


@frozen
class RedisHistories(SealedHistories):
    """Stores one sealed value per tool, and a random mark that every change replaces."""

    is_shared = True

    server: RedisServer
    event_log: EventLog = Factory(lambda self: self.server.event_log, takes_self=True)
    secret: bytes = field(default=Factory(lambda self: self.server.place.secret, takes_self=True), repr=False)

    async def mark(self, tool_name: str, upstream_name: str = "") -> str | None:
        """Return the mark of the last change by any wrapper."""
        name = self._place("mark", history_name(tool_name, upstream_name))
        mark = await self.server.ask("mark", lambda: self.server.command("GET", name), None)
        return mark.decode(errors="replace") if isinstance(mark, bytes) else None

    async def _read(self, operation: str, name: str) -> bytes | None:
        place = self._place("history", name)
        data = await self.server.ask(
            operation, lambda: self.server.script("read", [place], MOST_HISTORY_BYTES), None, is_bulky=True
        )
        return None if data is None else _value(data)

    async def _write(self, name: str, data: bytes) -> str:
        return "" if await self._change("save", name, "SET", data) else "the store takes it not"

    async def _remove(self, operation: str, name: str) -> bool:
        return await self._change(operation, name, "DEL")

    async def _names(self) -> list[str]:
        start, none = self._place("history", ""), frozenset[str]()
        found = await self.server.ask("clear", lambda: self.server.names(start), none, is_bulky=True)
        return sorted(each.removeprefix(start) for each in found)

    async def _change(self, operation: str, name: str, verb: str, *data: bytes) -> bool:
        """Change a value and its mark, so that other wrappers notice the change."""
        command: tuple[str | bytes, ...] = (verb, self._place("history", name), *data)
        mark = ("SET", self._place("mark", name), secrets.token_hex(8))

        async def change() -> bool:
            await self.server.together(command, mark)
            return True

        return await self.server.ask(operation, change, otherwise=False, is_bulky=True)

    def _place(self, kind: str, name: str) -> str:
        return f"{self.server.place.namespace}{kind}:{name}"


def _value(data: object) -> bytes:
    if not isinstance(data, bytes):
        raise NotOurs("it is too large, or no text")
    return data
