"""Prefetched views are made in order, one at a time, and never delay a reader."""

import anyio
import pytest

from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.tool import Tool
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.view_store import DictStore

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}


def tool(name):
    return Tool({"name": f"tool_{name}", "inputSchema": {"type": "object"}, "outputSchema": ROWS})


def tools(names):
    return [tool(each) for each in names]


def facts_of(one):
    return Facts(tool=one)


def asked_for(one):
    """Return the tools of the requests to the model, in order."""
    return [name for each in one.provider.requests for name in "abcd" if f'"tool_{name}"' in each.prompt]


async def test_views_are_made_in_the_order_of_the_list(open_service):
    one = open_service("a view")
    one.warming.warm(tools("cab"), facts_of)
    await anyio.wait_all_tasks_blocked()
    assert asked_for(one) == ["c", "a", "b"]
    assert (await one.read(tool("b"))).source == "a view"
    assert one.asked == 3


async def test_no_two_views_are_prefetched_at_once(open_service):
    one = open_service(None, max_concurrent=4)
    one.warming.warm(tools("abc"), facts_of)
    await anyio.wait_all_tasks_blocked()
    assert one.asked == 1


async def test_stored_and_cached_views_are_not_made_again(open_service):
    store = DictStore()
    await open_service("a view", store=store).read(tool("a"))
    one = open_service("another", store=store)
    await one.read(tool("b"))
    one.warming.warm(tools("abc"), facts_of)
    await anyio.wait_all_tasks_blocked()
    assert asked_for(one) == ["b", "c"]
    assert (await one.read(tool("a"))).source == "a view"


async def test_readers_never_wait_for_a_prefetched_view(open_service):
    one = open_service(None, "for a reader", "for a reader", "made later", max_concurrent=1)
    one.warming.warm(tools("a"), facts_of)
    await anyio.wait_all_tasks_blocked()
    async with anyio.create_task_group() as readers:
        for name in "bc":
            readers.start_soon(one.read, tool(name))
    await anyio.wait_all_tasks_blocked()
    assert {one.service.present(tool(name)).source for name in "bc"} == {"for a reader"}
    assert one.provider.cancelled == 1
    assert asked_for(one) == ["a", "b", "c", "a"]
    assert one.service.present(tool("a")).source == "made later"


async def test_prefetching_continues_if_a_slot_is_left_for_a_reader(open_service):
    one = open_service(None, "for a reader", max_concurrent=2)
    one.warming.warm(tools("a"), facts_of)
    await anyio.wait_all_tasks_blocked()
    assert (await one.read(tool("b"))).source == "for a reader"
    assert one.provider.cancelled == 0


async def test_a_reader_of_the_same_view_shares_its_generation(open_service):
    one, answers = open_service(None, max_concurrent=1), []
    one.warming.warm(tools("a"), facts_of)
    await anyio.wait_all_tasks_blocked()

    async def read(name):
        answers.append((await one.read(tool(name))).source)

    async with anyio.create_task_group() as readers:
        readers.start_soon(read, "a")
        readers.start_soon(read, "b")
        await anyio.wait_all_tasks_blocked()
        assert one.asked == 1  # the other reader waits for the first one, not for a warming generation
        assert one.provider.cancelled == 0
        readers.cancel_scope.cancel()


async def test_a_model_that_cannot_be_asked_ends_prefetching(open_service):
    one = open_service(ProviderFailed(ProviderErrorCode.AUTHENTICATION, "no such key"))
    one.warming.warm(tools("abc"), facts_of)
    await anyio.wait_all_tasks_blocked()
    assert one.asked == 1
    (ended,) = one.event_log.named("prefetch_ended")
    assert (ended.metadata["reason"], ended.metadata["left"]) == ("AUTHENTICATION: no such key", 2)


async def test_a_tool_that_is_gone_is_left_out_and_new_ones_are_taken_in_on_the_way(open_service):
    one = open_service("a view")
    warming = one.warming
    warming.warm(tools("ab"), facts_of)
    warming.drop("tool_a")
    warming.warm(tools("c"), facts_of)
    await anyio.wait_all_tasks_blocked()
    warming.warm(tools("d"), facts_of)
    await anyio.wait_all_tasks_blocked()
    assert asked_for(one) == ["b", "c", "d"]
