"""The store keeps what every store promises, and the promises of its own."""

import sqlite3

import anyio
import pytest
from sqlite_store import sqlite_store

from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_store import ViewStoreContract, a_view

pytestmark = pytest.mark.anyio


def store_in(folder, event_log=None, **bounds):
    settings = CacheSettings(type="sqlite", directory=str(folder), **bounds)
    return sqlite_store(settings, {}, event_log or RecordingEventLog())


class TestSqliteStore(ViewStoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.folder = tmp_path

    async def make(self):
        return store_in(self.folder)


async def test_another_wrapper_finds_what_one_has_kept(tmp_path):
    await store_in(tmp_path).set(a_view())
    assert await store_in(tmp_path).get("a" * 64) == a_view()


async def test_all_together_stay_within_their_size(tmp_path):
    store = store_in(tmp_path, max_total_size_bytes=2500)
    for key in "abc":
        await store.set(a_view(key * 64, html="x" * 1000))
    assert [view.key[0] for view in await store.entries()] == ["b", "c"]


async def test_views_may_be_kept_at_the_same_time(tmp_path):
    first, second = store_in(tmp_path), store_in(tmp_path)
    async with anyio.create_task_group() as tasks:
        for number in range(10):
            tasks.start_soon((first, second)[number % 2].set, a_view(f"{number:064x}"))
    assert len(await first.entries()) == 10


async def test_a_damaged_view_is_a_miss_and_is_told(tmp_path):
    event_log = RecordingEventLog()
    store = store_in(tmp_path, event_log)
    await store.set(a_view())
    with sqlite3.connect(tmp_path / "views.db") as views:
        views.execute("UPDATE views SET view = '{'")
    views.close()
    assert await store.get("a" * 64) is None
    assert event_log.named("entry_unreadable")


async def test_a_file_that_is_no_database_costs_nothing_but_the_keeping(tmp_path):
    (tmp_path / "views.db").write_text("not a database, but long enough to be looked at as one. " * 100)
    event_log = RecordingEventLog()
    store = store_in(tmp_path, event_log)
    assert not await store.set(a_view())
    assert await store.get("a" * 64) is None
    assert event_log.named("store_failed")
