"""The store on a Redis server keeps its promises, also when the server fails (requirement C3)."""

import time

import anyio
import pytest
from redis.asyncio import Redis
from redis_process import RedisProcess

from genui_adapters.view_store.factories import STORES
from genui_adapters.view_store.private_files import hashed
from genui_adapters.view_store.redis_server import RedisServer, StoreUnreachable, redis_place
from genui_adapters.view_store.redis_store import RedisHistories, RedisLock, RedisStore
from genui_adapters.view_store.sealed_entry import history_name
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.generation_lock import GenerationLockContract
from genui_core.testing.view_histories import ViewHistoriesContract
from genui_core.testing.view_store import ViewStoreContract, a_view

pytestmark = pytest.mark.anyio
KEY = "a" * 64


class Shared:
    """Connections of several wrappers to one server, as separate processes have them; they close with the test."""

    def __init__(self, process):
        self.process, self.servers = process, []

    def server(self, url=None, **more):
        place = redis_place(url or self.process.url)
        made = RedisServer(place=place, clock=HandClock(), event_log=RecordingEventLog(), **more)
        self.servers.append(made)
        return made

    def store(self, server=None, **bounds):
        return RedisStore(server=server or self.server(), settings=CacheSettings(**bounds))

    async def raw(self, *words):
        async with Redis(unix_socket_path=str(self.process.socket), password=self.process.password) as raw:
            return await raw.execute_command(*words)

    def name(self, of):
        return redis_place(self.process.url).namespace + of

    async def close(self):
        for each in self.servers:
            await each.close()


@pytest.fixture
async def shared(redis_process):
    ends = Shared(redis_process)
    await ends.raw("FLUSHALL")
    yield ends
    await ends.close()


class TestRedisStore(ViewStoreContract):
    @pytest.fixture(autouse=True)
    def _ends(self, shared):
        self.shared = shared

    async def make(self):
        return self.shared.store()


class TestRedisHistories(ViewHistoriesContract):
    @pytest.fixture(autouse=True)
    def _ends(self, shared):
        self.shared = shared

    def make(self):
        return RedisHistories(self.shared.server())

    async def test_every_wrapper_notices_the_change_of_another(self):
        one, other = self.make(), self.make()
        assert await other.mark("../read rows") is None
        await self.test_what_was_saved_is_there_after_a_restart()
        first = await other.mark("../read rows")
        await one.drop("../read rows")
        assert None not in (first, await other.mark("../read rows"))
        assert first != await other.mark("../read rows")

    async def test_a_history_that_another_program_wrote_counts_as_missing(self):
        histories = self.make()
        for value in (b"x", b"mcp-gen-ui history " + b"0" * 64 + b"\n{}"):
            await self.shared.raw("SET", self.shared.name(f"history:{history_name('t', '')}"), value)
            assert await histories.load("t") is None
        assert len(histories.server.event_log.named("history_not_read")) == 2


async def test_another_wrapper_finds_a_stored_view_and_the_server_does_not_show_its_tool(shared):
    await shared.store().set(a_view(tool_name="secret_tool"))
    assert await shared.store().get(KEY) == a_view(tool_name="secret_tool")
    names = await shared.raw("KEYS", "*")
    assert all(name.startswith(b"mcp-gen-ui:") for name in names)
    assert not any(b"secret_tool" in name or KEY.encode() in name for name in names)
    facts = await shared.raw("HGETALL", shared.name("facts"))
    assert not any(b"secret_tool" in each for each in facts)


@pytest.mark.parametrize(
    "value", [b"", b"garbage", b"mcp-gen-ui view " + b"0" * 64 + b"\n{}", b"\xff" * 5000, b"x" * 8_000_000]
)
async def test_a_foreign_value_is_a_miss_and_is_removed(shared, value):
    store = shared.store()
    await store.set(a_view())
    await shared.raw("SET", shared.name(f"view:{hashed(KEY)}"), value)
    assert await store.get(KEY) is None
    assert store.server.event_log.named("set_aside")
    assert await store.entries() == ()
    assert await store.set(a_view())
    assert await store.get(KEY) == a_view()


async def test_a_value_of_another_kind_is_a_miss(shared):
    store = shared.store()
    await shared.raw("RPUSH", shared.name(f"view:{hashed(KEY)}"), "x")
    assert await store.get(KEY) is None
    assert await store.entries() == ()
    assert await store.set(a_view())
    assert await store.get(KEY) == a_view()


async def test_a_swapped_or_changed_value_is_a_miss(shared):
    store = shared.store()
    await store.set(a_view())
    mine = await shared.raw("GET", shared.name(f"view:{hashed(KEY)}"))
    await shared.raw("SET", shared.name(f"view:{hashed('b' * 64)}"), mine)
    assert await store.get("b" * 64) is None
    for place in range(0, len(mine), 41):
        changed = mine[:place] + bytes([mine[place] ^ 1]) + mine[place + 1 :]
        await shared.raw("SET", shared.name(f"view:{hashed(KEY)}"), changed)
        assert await store.get(KEY) is None, place


async def test_wrappers_with_different_seals_do_not_share_views(shared):
    sealed = f"{shared.process.url}?seal=of-ours-alone"
    await shared.store().set(a_view())
    other = shared.store(shared.server(sealed))
    assert await other.get(KEY) is None
    await other.set(a_view(html="other"))
    assert await shared.store().get(KEY) == a_view()
    assert await other.clear() == 1
    assert await shared.store().get(KEY) == a_view()


async def test_views_end_with_their_time_on_the_server_as_well(shared):
    store = shared.store(ttl_ms=60_000)
    now = store.server.clock.now().isoformat(timespec="milliseconds")
    await store.set(a_view(expires_at=None))
    left = await shared.raw("PTTL", shared.name(f"view:{hashed(KEY)}"))
    assert 0 < left <= 60_000, now
    await shared.raw("PEXPIRE", shared.name(f"view:{hashed(KEY)}"), 1)
    await anyio.sleep(0.01)
    assert await store.get(KEY) is None
    assert (await store.stats()).entries == 0
    store.server.clock.advance(60_000)
    await store.set(a_view())
    assert await store.get(KEY) is None


async def test_the_bounds_hold_over_all_wrappers(shared):
    one, other = shared.store(max_entries=3), shared.store(max_entries=3)
    for number in range(4):
        await (one if number % 2 else other).set(a_view(f"{number:064x}"))
    assert [int(view.key, 16) for view in await one.entries()] == [1, 2, 3]
    small = shared.store(max_total_size_bytes=2500)
    for number in range(3):
        await small.set(a_view(f"{number:064x}", html="x" * 1000))
    stats = await small.stats()
    assert (stats.entries, stats.total_size_bytes) == (2, 2000)
    assert not await small.set(a_view(html="x" * 2501))


# --- one lock over all wrappers -------------------------------------------------------------


class TestRedisLock(GenerationLockContract):
    @pytest.fixture(autouse=True)
    def _ends(self, shared):
        self.shared = shared

    async def make(self, lease_ms=60_000):
        return RedisLock(self.shared.server(), lease_ms=lease_ms)


# --- a server that is gone or slow ----------------------------------------------------------


@pytest.fixture
def frail(redis_process):
    """A server of its own for the test, which may kill or suspend it."""
    assert redis_process.answers()
    with RedisProcess() as server:
        yield server


async def use_all_without_server(ends):
    """Call a store, a lock and histories whose server is down; return the time it took in seconds."""
    store, lock, histories = ends
    began = time.monotonic()
    assert await store.get(KEY) is None
    assert not await store.set(a_view())
    assert await store.entries() == ()
    assert await store.invalidate("x") == await store.clear() == 0
    assert (await store.stats()).entries == 0
    assert await lock.take(KEY)
    await lock.prolong(KEY)
    await lock.release(KEY)
    assert await histories.mark("x") is None
    assert await histories.load("x") is None
    await histories.drop("x")
    return time.monotonic() - began


@pytest.mark.parametrize("how", ["end", "stop"])
async def test_a_server_that_is_gone_or_silent_costs_one_short_wait_and_one_log_line(frail, how):
    shared = Shared(frail)
    server = shared.server(within_s=0.3)
    ends = RedisStore(server=server, settings=CacheSettings()), RedisLock(server), RedisHistories(server)
    assert await ends[0].set(a_view())
    getattr(frail, how)()
    assert await use_all_without_server(ends) < 2.5
    assert len(server.event_log.named("store_failed")) == 1
    assert frail.password not in repr(server.event_log.events)
    with pytest.raises(StoreUnreachable, match="cannot be reached"):
        await server.insist(lambda: server.command("PING"))
    frail.start() if how == "end" else frail.go_on()
    server.clock.advance(5_000)
    assert await ends[0].set(a_view())
    assert await ends[0].get(KEY) == a_view()
    assert len(server.event_log.named("store_back")) == 1
    await shared.close()


async def test_a_restart_of_the_server_between_two_requests_has_no_effect(frail):
    shared = Shared(frail)
    store = shared.store()
    await store.set(a_view())
    frail.end()
    frail.start()
    assert await store.get(KEY) is None
    assert await store.set(a_view())
    assert store.server.event_log.named("store_failed") == []
    await shared.close()


async def test_a_wrong_password_is_reported_without_the_password(shared, redis_process):
    server = shared.server(f"unix://:wrong-word@{redis_process.socket}")
    assert not await shared.store(server).set(a_view())
    (told,) = server.event_log.named("store_failed")
    assert "invalid" in told.metadata["reason"].lower() or "WRONGPASS" in told.metadata["reason"]
    assert "wrong-word" not in repr(told)


async def test_a_full_server_stores_nothing_and_the_log_says_so(shared):
    store = shared.store()
    await shared.raw("CONFIG", "SET", "maxmemory", "1", "maxmemory-policy", "noeviction")
    try:
        assert not await store.set(a_view())
        assert "refused" in store.server.event_log.named("store_failed")[0].metadata["reason"]
    finally:
        await shared.raw("CONFIG", "SET", "maxmemory", "0")
    assert await store.set(a_view())


async def test_the_store_is_found_by_its_name(shared, redis_process):
    made = STORES.find("redis")(CacheSettings(type="redis", url=redis_process.url), {}, RecordingEventLog())
    assert await made.set(a_view())
    assert await shared.store().get(KEY) == a_view()
    await made.close()
    await made.close()
