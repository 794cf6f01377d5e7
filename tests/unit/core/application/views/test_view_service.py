"""The view service makes each view once, shares and stores it, and replaces it by a later one (requirement G7)."""

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


async def test_the_first_read_makes_the_view_and_later_ones_find_it(open_service):
    one = open_service("a view")
    first, second = await one.read(TOOL), await one.read(TOOL)
    assert (first.state, first.source) == (ViewState.GENERATED, "a view")
    assert second is first
    assert one.asked == 1
    assert one.service.present(TOOL) is first


async def test_a_thousand_cold_reads_ask_the_model_once(open_service):
    one, views = open_service("a view"), []

    async def read():
        views.append(await one.read(TOOL))

    async with anyio.create_task_group() as readers:
        for _ in range(1000):
            readers.start_soon(read)
    assert one.asked == 1
    assert {view.source for view in views} == {"a view"}


async def test_another_wrapper_finds_the_view_in_the_store(open_service):
    store = DictStore()
    await open_service("a view", store=store).read(TOOL)
    other = open_service("another", store=store)
    assert (await other.read(TOOL)).source == "a view"
    assert other.asked == 0


async def test_a_reader_that_cannot_wait_gets_the_minimal_view_and_a_notification_of_the_rich_one(
    open_service,
):
    one = open_service("a view", serve_within_ms=0)
    assert (await one.read(TOOL)).state is ViewState.PROVISIONAL
    assert one.changes == []
    await anyio.wait_all_tasks_blocked()
    assert one.changes == ["read_rows"]
    assert (await one.read(TOOL)).source == "a view"


async def test_a_second_read_during_a_generation_sends_no_second_request(open_service):
    one = open_service(None, serve_within_ms=0)
    for _ in range(5):
        assert (await one.read(TOOL)).state is ViewState.PROVISIONAL
    await anyio.wait_all_tasks_blocked()
    assert one.asked == 1


async def test_a_read_that_is_answered_at_once_does_not_wait_for_a_model_that_is_asked_already(
    open_service, monkeypatch
):
    monkeypatch.setattr(view_service, "AT_ONCE_S", 60)
    one = open_service(None, serve_within_ms=0)
    await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    assert one.asked == 1
    with anyio.fail_after(5):
        view = await one.service.read(Facts(tool=TOOL), "read-1", timeout_s=60)
    assert view.state is ViewState.PROVISIONAL


async def test_a_read_that_is_answered_at_once_waits_for_the_store(open_service, monkeypatch):
    store = DictStore()
    await open_service("a view", store=store).read(TOOL)
    one, get = open_service(None, store=store), store.get

    async def slow(key):
        await anyio.sleep(0.05)
        return await get(key)

    monkeypatch.setattr(view_service, "AT_ONCE_S", 60)
    monkeypatch.setattr(store, "get", slow)
    assert (await one.service.read(Facts(tool=TOOL), "read-1", timeout_s=60)).source == "a view"
    assert one.asked == 0


async def test_the_read_after_the_notification_makes_no_second_view_without_a_store(open_service):
    one = open_service("a view", store=DictStore(takes=lambda _view: False), serve_within_ms=0)
    await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    assert (await one.read(TOOL)).source == "a view"
    assert one.asked == 1


async def test_a_failure_gives_the_minimal_view_with_the_reason_for_a_while(open_service):
    one = open_service(DENIED, "a view")
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


async def test_an_old_failure_is_not_taken_from_the_store(open_service):
    store = DictStore()
    one = open_service(DENIED, store=store)
    await one.read(TOOL)
    other = open_service("a view", store=store)
    other.clock.advance(300_001)
    assert (await other.read(TOOL)).source == "a view"


async def test_a_minimal_tool_keeps_its_view_without_another_request(open_service):
    one = open_service("minimal")
    plain = Tool({"name": "say", "inputSchema": {"type": "object"}})
    assert (await one.read(plain)).state is ViewState.MINIMAL
    assert (await one.read(plain)).state is ViewState.MINIMAL
    assert one.asked == 1


async def test_a_changed_tool_gets_another_view(open_service):
    one = open_service("first", "second")
    await one.read(TOOL)
    changed = tool(description="other words")
    assert one.service.present(changed) is None
    assert (await one.read(changed)).source == "second"


async def test_a_view_that_ends_after_its_tool_changed_does_not_replace_the_newer_view(open_service):
    one = open_service(None, "second", serve_within_ms=0)
    await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    changed = tool(description="other words")
    await one.read(changed)
    await anyio.wait_all_tasks_blocked()
    assert one.service.present(changed).source == "second"
    assert one.service.present(TOOL) is None


async def test_a_tool_that_is_gone_is_forgotten(open_service):
    one = open_service("a view")
    await one.read(TOOL)
    await one.service.forget(TOOL)
    assert one.service.present(TOOL) is None
    assert one.service.memory.versions(TOOL.name) == ()
    assert one.store.views == {}


async def test_views_of_another_upstreams_tool_with_the_same_name_stay(open_service):
    store, namesake = DictStore(), tool(description="reads other rows")
    one, other = open_service("ours", store=store), open_service("theirs", store=store)
    await one.read(TOOL)
    await other.read(namesake)
    await one.service.forget(TOOL)
    assert [view.html for view in store.views.values()] == ["theirs"]


async def test_readers_that_all_leave_early_leave_no_request_open(open_service):
    one = open_service(None, serve_within_ms=60_000)
    with anyio.move_on_after(0.02):
        await one.read(TOOL)
    await anyio.wait_all_tasks_blocked()
    assert one.provider.cancelled == 1
