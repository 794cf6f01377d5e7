"""Every store keeps the promises of its port, and each one its additional promises (requirement C2)."""

import os
import tempfile

import pytest
import store_kills
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from genui_adapters.view_store.filesystem import FilesystemStore
from genui_adapters.view_store.sealed_entry import PersistedStore, RecordingStore
from genui_core.application.defaults import MemoryStore
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_store import ViewStoreContract, a_view

SECRET = b"s" * 32
KEY = "a" * 64


def on_disk(folder, *, secret=SECRET, clock=None, **bounds):
    return FilesystemStore(
        directory=folder / "views",
        secret=secret,
        settings=CacheSettings(**bounds),
        clock=clock or HandClock(),
        event_log=RecordingEventLog(),
    )


@pytest.mark.anyio
class TestMemoryStore(ViewStoreContract):
    async def make(self):
        return MemoryStore(CacheSettings(), HandClock())


@pytest.mark.anyio
class TestSourceKeeper(ViewStoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    async def make(self):
        return RecordingStore(MemoryStore(CacheSettings(), HandClock()), RecordingEventLog())


@pytest.mark.anyio
async def test_files_for_a_person_are_private_and_no_tool_name_becomes_a_file_name(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    event_log = RecordingEventLog()
    service = RecordingStore(MemoryStore(CacheSettings(), HandClock()), event_log)
    for tool_name in ("../../etc/x", "..", "con"):
        await service.set(a_view(tool_name=tool_name, html="<p>view</p>"))
    await service.set(a_view(html=""))
    (folder,) = tmp_path.iterdir()
    assert [each.metadata["folder"] for each in event_log.named("debug_folder")] == [str(folder)]
    files = sorted(folder.iterdir())
    assert [each.name for each in files] == [each.metadata["file"] for each in event_log.named("html_kept")]
    assert [each.read_text() for each in files] == ["<p>view</p>"] * 3
    if os.name != "nt":
        assert {each.stat().st_mode & 0o77 for each in (folder, *files)} == {0}


@pytest.mark.anyio
class TestFilesystemStore(ViewStoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.folder = tmp_path

    async def make(self):
        return on_disk(self.folder)


@pytest.mark.anyio
class TestPersistedStore(ViewStoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.folder = tmp_path

    async def make(self):
        return PersistedStore(MemoryStore(CacheSettings(), HandClock()), on_disk(self.folder))


@pytest.mark.anyio
async def test_a_store_in_memory_that_is_written_at_the_end_begins_where_the_last_one_ended(tmp_path):
    def opened():
        return PersistedStore(MemoryStore(CacheSettings(), HandClock()), on_disk(tmp_path))

    first, other = opened(), a_view(key="b" * 64)
    await first.set(a_view())
    await first.set(other)
    assert not (tmp_path / "views").exists()
    await first.close()
    await first.close()
    second = opened()
    assert await second.entries() == (a_view(), other)
    assert await second.invalidate(a_view().tool_name) == 2
    await second.close()
    assert await opened().entries() == ()


@pytest.mark.anyio
async def test_a_store_that_was_never_used_writes_nothing(tmp_path):
    await on_disk(tmp_path).set(a_view())
    await PersistedStore(MemoryStore(CacheSettings(), HandClock()), on_disk(tmp_path)).close()
    assert await on_disk(tmp_path).entries() == (a_view(),)


@pytest.mark.anyio
async def test_a_store_that_was_only_listed_writes_nothing(tmp_path):
    await on_disk(tmp_path).set(a_view())
    written = the_file(tmp_path).stat()
    listed = PersistedStore(MemoryStore(CacheSettings(), HandClock()), on_disk(tmp_path))
    assert await listed.entries() == (a_view(),)
    await listed.close()
    after = the_file(tmp_path).stat()
    assert (after.st_mtime_ns, after.st_ino) == (written.st_mtime_ns, written.st_ino)


def the_file(folder):
    (file,) = (folder / "views").glob("*.view")
    return file


@pytest.mark.anyio
async def test_another_store_on_the_same_folder_finds_the_stored_views(tmp_path):
    await on_disk(tmp_path).set(a_view())
    assert await on_disk(tmp_path).get(KEY) == a_view()


@pytest.mark.anyio
async def test_a_store_makes_no_folder_before_it_stores_a_view(tmp_path):
    store = on_disk(tmp_path)
    assert await store.get(KEY) is None
    assert await store.entries() == ()
    assert [*tmp_path.iterdir()] == []


@pytest.mark.anyio
@pytest.mark.skipif(os.name == "nt", reason="permissions are of another kind there")
async def test_files_and_folder_are_for_this_user_alone(tmp_path):
    await on_disk(tmp_path).set(a_view())
    assert (tmp_path / "views").stat().st_mode & 0o077 == 0
    assert the_file(tmp_path).stat().st_mode & 0o077 == 0


@pytest.mark.anyio
async def test_a_file_that_was_cut_at_any_byte_is_a_miss_and_set_aside(tmp_path):
    store = on_disk(tmp_path)
    await store.set(a_view())
    whole = the_file(tmp_path).read_bytes()
    for length in range(len(whole)):
        the_file_again = tmp_path / "views" / the_file_name(store)
        the_file_again.write_bytes(whole[:length])
        assert await store.get(KEY) is None
        assert not the_file_again.exists()
    assert store.event_log.named("set_aside")
    assert await store.set(a_view())
    assert await store.get(KEY) == a_view()


def the_file_name(store):
    return store._path(KEY).name


@pytest.mark.anyio
async def test_a_flipped_bit_anywhere_is_a_miss(tmp_path):
    store = on_disk(tmp_path)
    await store.set(a_view())
    path = the_file(tmp_path)
    whole = path.read_bytes()
    for place in range(0, len(whole), 23):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert await store.get(KEY) is None, place


@pytest.mark.anyio
async def test_a_file_that_another_program_wrote_is_a_miss(tmp_path):
    await on_disk(tmp_path, secret=b"x" * 32).set(a_view())
    assert await on_disk(tmp_path).get(KEY) is None


@pytest.mark.anyio
async def test_swapped_files_are_misses(tmp_path):
    store = on_disk(tmp_path)
    await store.set(a_view())
    mine = the_file(tmp_path).read_bytes()
    await store.set(a_view("b" * 64))
    store._path("b" * 64).write_bytes(mine)
    assert await store.get("b" * 64) is None
    assert await store.get(KEY) == a_view()


@pytest.mark.anyio
async def test_another_version_is_a_miss_and_not_misread(tmp_path):
    store = on_disk(tmp_path)
    await store.set(a_view(cache_version=99))
    assert await store.get(KEY) is None


@pytest.mark.anyio
@pytest.mark.skipif(os.name == "nt", reason="no such files there")
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "huge"])
async def test_an_entry_that_is_no_plain_file_is_a_miss_and_hangs_no_one(tmp_path, kind):
    store = on_disk(tmp_path)
    await store.set(a_view())
    path = the_file(tmp_path)
    kept = tmp_path / "elsewhere"
    path.rename(kept)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(kept)
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(1_000_000_000)
    assert await store.get(KEY) is None
    assert kept.exists()
    assert await store.set(a_view())
    assert await store.get(KEY) == a_view()


@pytest.mark.anyio
async def test_a_folder_that_cannot_be_written_stores_nothing_and_the_log_says_so(tmp_path):
    (tmp_path / "views").write_text("in the way")
    store = on_disk(tmp_path)
    assert not await store.set(a_view())
    assert await store.get(KEY) is None
    assert store.event_log.named("not_kept")


@pytest.mark.anyio
async def test_views_that_are_too_old_are_forgotten(tmp_path):
    for store in (on_disk(tmp_path, ttl_ms=1000), MemoryStore(CacheSettings(ttl_ms=1000), HandClock())):
        await store.set(a_view())
        assert await store.get(KEY) is not None
        store.clock.advance(1000)
        assert await store.get(KEY) is None
        assert await store.entries() == ()


@pytest.mark.anyio
async def test_files_that_a_dead_process_left_behind_are_removed(tmp_path):
    store = on_disk(tmp_path)
    await store.set(a_view())
    left = tmp_path / "views" / ".new-abandoned"
    left.write_text("half a vi")
    assert (await store.stats()).entries == 1
    assert left.exists()
    os.utime(left, (0, 0))
    await store.stats()
    assert not left.exists()


class StoresAgree(RuleBasedStateMachine):
    """After any operations, the memory store holds the same as a dictionary with the same bounds."""

    def __init__(self):
        super().__init__()
        self.bounds = CacheSettings(max_entries=4, max_entry_size_bytes=1024, max_total_size_bytes=2500)
        self.store, self.model = MemoryStore(self.bounds, HandClock()), {}

    def run(self, coroutine):
        with pytest.raises(StopIteration) as done:
            coroutine.send(None)
        return done.value.value

    @rule(key=st.sampled_from("abcdef"), size=st.integers(0, 1200), name=st.sampled_from(["one", "two"]))
    def keep(self, key, size, name):
        view = a_view(key, html="x" * size, tool_name=name)
        self.model.pop(key, None)
        kept = self.run(self.store.set(view))
        assert kept == (size <= 1024)
        if kept:
            self.model[key] = view
            while len(self.model) > 4 or sum(view.size_bytes for view in self.model.values()) > 2500:
                del self.model[next(iter(self.model))]

    @rule(key=st.sampled_from("abcdef"))
    def read(self, key):
        found = self.run(self.store.get(key))
        assert found == self.model.get(key)
        if found:
            self.model[key] = self.model.pop(key)

    @rule(name=st.sampled_from(["one", "two"]))
    def forget(self, name):
        gone = [key for key, view in self.model.items() if view.tool_name == name]
        assert self.run(self.store.invalidate(name)) == len(gone)
        for key in gone:
            del self.model[key]

    @invariant()
    def they_hold_the_same_in_the_same_order(self):
        assert list(self.run(self.store.entries())) == list(self.model.values())
        assert self.run(self.store.stats()).total_size_bytes == sum(v.size_bytes for v in self.model.values())


TestStoresAgree = StoresAgree.TestCase
TestStoresAgree.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


def test_processes_that_are_killed_at_any_moment_leave_no_wrong_view_and_lose_no_reported_one(
    pytestconfig,
):
    came = store_kills.storm(seconds=3 if pytestconfig.getoption("--quick") else 8)
    assert came["written"]
    assert (came["wrong"], came["set aside"], came["lost"]) == (0, 0, 0)
