"""`GuardedStore` with a store that raises against the promise of its port."""

import pytest

from genui_core.application.defaults import GuardedStore
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_store import DictStore, a_view

pytestmark = pytest.mark.anyio


class BrokenStore:
    """A store whose every method raises."""

    def __getattr__(self, name):
        async def fails(*_arguments):
            raise ConnectionError("the server went away")

        return fails


async def test_a_failing_store_finds_and_stores_nothing_and_the_event_log_says_why():
    store = GuardedStore(BrokenStore(), RecordingEventLog())
    assert await store.get("a" * 64) is None
    assert await store.set(a_view()) is False
    assert (await store.invalidate("tool"), await store.clear(), await store.entries()) == (0, 0, ())
    assert (await store.stats()).entries == 0
    await store.close()
    told = [event.metadata for event in store.event_log.named("store_failed")]
    assert [each["operation"] for each in told] == [
        "get", "set", "invalidate", "clear", "entries", "stats", "close",
    ]  # fmt: skip
    assert all("the server went away" in each["reason"] for each in told)


async def test_a_working_store_is_called_unchanged():
    store = GuardedStore(DictStore(), RecordingEventLog())
    assert await store.set(a_view())
    assert await store.get(a_view().key) == a_view()
    assert await store.entries() == (a_view(),)
