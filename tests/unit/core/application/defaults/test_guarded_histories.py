"""Histories and a lock that raise although they promised not to."""

import pytest

from genui_core.application.defaults.in_process import GuardedHistories, GuardedLock
from genui_core.domain.views.stored_view import ViewHistory
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_histories import DictHistories

pytestmark = pytest.mark.anyio
HISTORY = ViewHistory(tool_name="rows", upstream_name="files")


class Broken:
    """Raises, whatever it is asked."""

    is_shared = True
    lease_ms = 7

    def __getattr__(self, name):
        async def fails(*_arguments):
            raise ConnectionError("the server went away")

        return fails


async def test_nothing_is_remembered_and_the_event_log_knows_why():
    histories = GuardedHistories(Broken(), RecordingEventLog())
    assert await histories.mark("rows", "files") is None
    assert await histories.load("rows", "files") is None
    assert await histories.save(HISTORY) is False
    await histories.drop("rows", "files")
    told = [event.metadata for event in histories.event_log.named("store_failed")]
    assert [each["operation"] for each in told] == ["mark", "load", "save", "drop"]
    assert all("the server went away" in each["reason"] for each in told)


async def test_histories_that_work_are_asked_as_they_are():
    histories = GuardedHistories(DictHistories(), RecordingEventLog())
    assert await histories.save(HISTORY)
    assert await histories.load("rows", "files") == HISTORY
    assert await histories.load("rows") is None
    await histories.drop("rows", "files")
    assert await histories.load("rows", "files") is None
    assert histories.event_log.events == []


async def test_the_mark_is_asked_only_where_others_write():
    class Marked(DictHistories):
        async def mark(self, tool_name, upstream_name=""):
            return f"{upstream_name}/{tool_name}"

    alone, shared = Marked(), Marked()
    shared.is_shared = True
    assert await GuardedHistories(alone, RecordingEventLog()).mark("rows", "files") is None
    assert await GuardedHistories(shared, RecordingEventLog()).mark("rows", "files") == "files/rows"


async def test_a_lock_that_fails_grants_everything():
    lock = GuardedLock(Broken(), RecordingEventLog())
    assert (lock.is_shared, lock.lease_ms) == (True, 7)
    assert await lock.take("k") is True
    await lock.prolong("k")
    await lock.give_back("k")
    operations = [event.metadata["operation"] for event in lock.event_log.named("store_failed")]
    assert operations == ["take", "prolong", "give_back"]
