"""A clock that is set while a view is being made: budgets are measured by one that only goes on."""

from datetime import timedelta

import anyio
import pytest

from genui_core.domain.tools.tool import Tool

pytestmark = pytest.mark.anyio
JUMPS = [timedelta(days=3650), timedelta(days=-3650), timedelta(hours=1)]
ROWS = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}}}
TOOL = Tool({"name": "rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS})


async def read_amid_jumps(shop):
    """Read a view while the clock is set and set again; return what is served."""
    served = []

    async def read():
        served.append(await shop.read(TOOL))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        for jump in JUMPS:
            await anyio.wait_all_tasks_blocked()
            shop.clock._at += jump
    return served[0]


async def test_no_budget_ends_early_and_the_time_it_took_is_right(workshop):
    shop = workshop("a view", timeout_ms=60_000)
    shop.provider.delay_s = 0.05
    await read_amid_jumps(shop)
    (view,) = await shop.store.entries()
    assert view.generation_duration_ms == 0
    assert shop.asked == 1


async def test_no_budget_lasts_longer(workshop):
    shop = workshop(None, timeout_ms=500)
    with anyio.fail_after(20):
        await read_amid_jumps(shop)
    assert shop.provider.cancelled == 1
    (failed,) = shop.event_log.named("fallback_used")
    assert failed.metadata["reason"] == "no view within 500 ms"
