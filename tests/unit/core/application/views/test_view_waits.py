"""Open pages wait for their next view: a limited number, a limited time, and without starting a generation."""

import anyio
import pytest
from anyio.lowlevel import checkpoint

from genui_core.application.worker.generation_worker import MOST_WAITING, ViewWaits, WorkerParts
from genui_core.domain.pages.minimal_view import view_version
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.errors import ProviderErrorCode, ProviderFailed

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = Tool({"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS})
FACTS, MINIMAL = Facts(tool=TOOL), view_version("")
LONG_S = 20


def waits_of(one) -> ViewWaits:
    return WorkerParts(one.service).waits


async def test_a_page_gets_the_view_when_the_generation_ends(open_service):
    one = open_service("a view", serve_within_ms=0)
    one.provider.delay_s = 0.1
    assert (await one.read(TOOL)).state is ViewState.PROVISIONAL
    with anyio.fail_after(2):
        assert (await waits_of(one).next_view(FACTS, MINIMAL, LONG_S)).source == "a view"
    assert one.asked == 1


async def test_a_page_with_another_view_gets_the_present_one_at_once(open_service):
    one = open_service("a view")
    await one.read(TOOL)
    with anyio.fail_after(0.5):
        assert (await waits_of(one).next_view(FACTS, "another", LONG_S)).source == "a view"


async def test_a_page_does_not_wait_without_a_generation_and_starts_none(open_service):
    one = open_service("a view")
    with anyio.fail_after(0.5):
        assert await waits_of(one).next_view(FACTS, MINIMAL, LONG_S) is None
    assert one.asked == 0


async def test_a_generation_that_fails_ends_the_wait(open_service):
    one = open_service(ProviderFailed(ProviderErrorCode.AUTHENTICATION, "no such key"), serve_within_ms=0)
    one.provider.delay_s = 0.1
    await one.read(TOOL)
    waits = waits_of(one)
    with anyio.fail_after(2):
        assert (await waits.next_view(FACTS, MINIMAL, LONG_S)).state is ViewState.FALLBACK
    assert not waits.is_pending(TOOL)


async def test_a_page_waits_no_longer_than_it_asked(open_service):
    one = open_service(None, serve_within_ms=0)
    await one.read(TOOL)
    waits = waits_of(one)
    with anyio.fail_after(1):
        assert (await waits.next_view(FACTS, MINIMAL, 0.1)).state is ViewState.PROVISIONAL
    assert waits.is_pending(TOOL)


async def test_pages_beyond_the_limit_are_answered_at_once_and_a_page_that_gives_up_makes_room(open_service):
    one = open_service(None, serve_within_ms=0)
    await one.read(TOOL)
    waits = waits_of(one)
    async with anyio.create_task_group() as pages:
        for _ in range(MOST_WAITING):
            pages.start_soon(waits.next_view, FACTS, MINIMAL, LONG_S)
        await checkpoint()
        with anyio.fail_after(0.5):
            await waits.next_view(FACTS, MINIMAL, LONG_S)
        pages.cancel_scope.cancel()
    with anyio.move_on_after(0.2) as scope:
        await waits.next_view(FACTS, MINIMAL, LONG_S)
    assert scope.cancelled_caught


async def test_the_generation_goes_on_when_the_page_that_waits_gives_up(open_service):
    one = open_service("a view", serve_within_ms=0)
    one.provider.delay_s = 0.2
    await one.read(TOOL)
    with anyio.move_on_after(0.05):
        await waits_of(one).next_view(FACTS, MINIMAL, LONG_S)
    await anyio.sleep(0.4)
    assert one.service.present(TOOL).source == "a view"
