"""Which view each tool has now: made once, shared, kept, and replaced when a better one lands (requirement G7)."""

import anyio
import pytest

from genui_core.application.views import view_service
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.view_store import DictStore

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
DENIED = ProviderFailed(ProviderErrorCode.AUTHENTICATION, "no such key")


def tool(name="read_rows", **more):
    return Tool({"name": name, "inputSchema": {"type": "object"}, "outputSchema": ROWS, **more})


TOOL = tool()


async def test_the_first_read_makes_the_view_and_later_ones_find_it(workshop):
    one = workshop("a view")
    first, second = await one.read(TOOL), await one.read(TOOL)
    assert (first.state, first.source) == (ViewState.GENERATED, "a view")
    assert second is first
    assert one.asked == 1
    assert one.service.present(TOOL) is first


async def test_a_thousand_cold_reads_ask_the_model_once(workshop):
    one, views = workshop("a view"), []

    async def read():
        views.append(await one.read(TOOL))

    async with anyio.create_task_group() as readers:
        for _ in range(1000):
            readers.start_soon(read)
    assert one.asked == 1
    assert {view.source for view in views} == {"a view"}


async def test_another_wrapper_finds_it_in_the_store(workshop):
    store = DictStore()
    await workshop("a view", store=store).read(TOOL)
    other = workshop("another", store=store)
    assert (await other.read(TOOL)).source == "a view"
    assert other.asked == 0


async def test_whoever_cannot_wait_gets_the_minimal_ui_and_is_told_when_the_view_lands(workshop):
    one = workshop("a view", serve_within_ms=0)
    assert (await one.read(TOOL)).state is ViewState.PROVISIONAL
    assert one.changes == []
    await anyio.wait_all_tasks_blocked()
    assert one.changes == ["read_rows"]
    assert (await one.read(TOOL)).source == "a view"


async def test_reading_again_while_it_is_made_asks_the_model_no_second_time(workshop):
    one = workshop(None, serve_within_ms=0)
    for _ in range(5):
        assert (await one.read(TOOL)).state is ViewState.PROVISIONAL
    await anyio.wait_all_tasks_blocked()
    assert one.asked == 1


async def test_a_read_that_is_answered_at_once_does_not_wait_for_a_model_that_is_asked_already(
    workshop, monkeypatch
):
    monkeypatch.setattr(view_service, "AT_ONCE_S", 60)
    one = workshop(None, serve_within_ms=0)
    await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    assert one.asked == 1
    with anyio.fail_after(5):
        view = await one.service.read(Facts(tool=TOOL), "read-1", timeout_s=60)
    assert view.state is ViewState.PROVISIONAL


async def test_a_read_that_is_answered_at_once_waits_for_the_store(workshop, monkeypatch):
    store = DictStore()
    await workshop("a view", store=store).read(TOOL)
    one, get = workshop(None, store=store), store.get

    async def slow(key):
        await anyio.sleep(0.05)
        return await get(key)

    monkeypatch.setattr(view_service, "AT_ONCE_S", 60)
    monkeypatch.setattr(store, "get", slow)
    assert (await one.service.read(Facts(tool=TOOL), "read-1", timeout_s=60)).source == "a view"
    assert one.asked == 0


async def test_with_the_store_off_the_read_after_the_notification_makes_no_second_one(workshop):
    one = workshop("a view", store=DictStore(takes=lambda _view: False), serve_within_ms=0)
    await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    assert (await one.read(TOOL)).source == "a view"
    assert one.asked == 1


async def test_a_failure_is_served_as_the_minimal_ui_with_the_reason_for_a_while(workshop):
    one = workshop(DENIED, "a view")
    view = await one.read(TOOL)
    assert (view.state, view.source) == (ViewState.FALLBACK, "")
    assert "no such key" in view.reason
    (event,) = one.event_log.named("fallback_used")
    assert event.metadata["request_id"] == "read-1"
    assert event.metadata["fallbackType"] == "minimal_template"
    one.clock.advance(299_999)
    assert (await one.read(TOOL)).state is ViewState.FALLBACK
    one.clock.advance(2)
    assert (await one.read(TOOL)).state is ViewState.GENERATED


async def test_a_failure_is_no_longer_taken_from_the_store_once_it_is_old(workshop):
    store = DictStore()
    one = workshop(DENIED, store=store)
    await one.read(TOOL)
    other = workshop("a view", store=store)
    other.clock.advance(300_001)
    assert (await other.read(TOOL)).source == "a view"


async def test_a_tool_that_deserves_no_more_keeps_the_minimal_ui_without_being_asked_again(workshop):
    one = workshop("minimal")
    plain = Tool({"name": "say", "inputSchema": {"type": "object"}})
    assert (await one.read(plain)).state is ViewState.MINIMAL
    assert (await one.read(plain)).state is ViewState.MINIMAL
    assert one.asked == 1


async def test_a_changed_tool_gets_another_view(workshop):
    one = workshop("first", "second")
    await one.read(TOOL)
    changed = tool(description="other words")
    assert one.service.present(changed) is None
    assert (await one.read(changed)).source == "second"


async def test_what_lands_after_the_tool_changed_does_not_replace_the_newer_view(workshop):
    one = workshop(None, "second", serve_within_ms=0)
    await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    changed = tool(description="other words")
    await one.read(changed)
    await anyio.wait_all_tasks_blocked()
    assert one.service.present(changed).source == "second"
    assert one.service.present(TOOL) is None


async def test_a_tool_that_is_gone_is_forgotten(workshop):
    one = workshop("a view")
    await one.read(TOOL)
    await one.service.forget(TOOL)
    assert one.service.present(TOOL) is None
    assert one.service.memory.versions(TOOL.name) == ()
    assert one.store.views == {}


async def test_views_of_anothers_tool_by_that_name_are_left_to_them(workshop):
    store, namesake = DictStore(), tool(description="reads other rows")
    one, other = workshop("ours", store=store), workshop("theirs", store=store)
    await one.read(TOOL)
    await other.read(namesake)
    await one.service.forget(TOOL)
    assert [view.html for view in store.views.values()] == ["theirs"]


async def test_all_who_gave_up_early_leave_no_question_open(workshop):
    one = workshop(None, serve_within_ms=60_000)
    with anyio.move_on_after(0.02):
        await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    assert one.provider.cancelled == 1
