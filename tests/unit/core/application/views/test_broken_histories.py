"""Guarded histories and a guarded lock whose adapters raise against the promise of their ports."""

import anyio
import pytest

from genui_core.application.generation.single_flight import GenerationLeases
from genui_core.application.services import Services
from genui_core.application.upstream_tools import UpstreamTools
from genui_core.application.views.tool_memory import ToolMemory
from genui_core.domain.settings.brand import Brand
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.stored_view import ViewHistory
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_histories import DictHistories

pytestmark = pytest.mark.anyio
HISTORY = ViewHistory(tool_name="rows", upstream_name="files")
ROWS = Tool({"name": "rows"})


class Broken:
    """Histories and a lock whose every method raises."""

    is_shared = True
    lease_ms = 7

    def __getattr__(self, name):
        async def fails(*_arguments):
            raise ConnectionError("the server went away")

        return fails


class Marked(DictHistories):
    """Histories with a mark that cannot drop a history."""

    marks = ()

    async def mark(self, tool_name, upstream_name=""):
        self.marks = (*self.marks, f"{upstream_name}/{tool_name}")
        return self.marks[-1]

    async def drop(self, _tool_name, _upstream_name=""):
        raise ConnectionError("the server went away")


def memory(histories, event_log=None):
    tools = UpstreamTools(Settings(), Brand())
    tools.know_upstream({"name": "files"})
    return ToolMemory(Services(histories=histories, event_log=event_log or RecordingEventLog()), tools)


def failures(event_log):
    told = [event.metadata for event in event_log.named("store_failed")]
    assert all("the server went away" in each["reason"] for each in told)
    return [each["operation"] for each in told]


async def test_failing_histories_store_nothing_and_the_event_log_says_why():
    event_log = RecordingEventLog()
    one = memory(Broken(), event_log)
    assert await one.recall("rows") is None
    await one.save("rows", None)
    await one.forget(ROWS)
    assert failures(event_log) == ["mark", "load", "save", "load"]


async def test_a_history_that_cannot_be_dropped_is_logged():
    event_log = RecordingEventLog()
    one = memory(Marked(), event_log)
    await one.save("rows", None)
    await one.forget(ROWS)
    assert failures(event_log) == ["drop"]


async def test_working_histories_are_called_unchanged():
    histories, event_log = DictHistories(), RecordingEventLog()
    one = memory(histories, event_log)
    await one.save("rows", None)
    assert await histories.load("rows", "files") == HISTORY
    await one.forget(ROWS)
    assert await histories.load("rows", "files") is None
    assert event_log.events == []


async def test_the_mark_is_read_only_from_shared_histories():
    alone, shared = Marked(), Marked()
    shared.is_shared = True
    await memory(alone).recall("rows")
    await memory(shared).recall("rows")
    assert (alone.marks, shared.marks) == ((), ("files/rows",))


async def test_a_lock_that_fails_grants_everything():
    event_log = RecordingEventLog()
    leases = GenerationLeases(Services(lock=Broken(), clock=HandClock(), event_log=event_log))
    async with anyio.create_task_group() as tasks, leases.lease("k", tasks, print) as waited_ms:
        assert waited_ms is not None
        with anyio.fail_after(10):
            while "prolong" not in failures(event_log):
                await anyio.sleep(0.01)
    assert failures(event_log)[0] == "take"
    assert {*failures(event_log)} == {"take", "prolong", "give_back"}
