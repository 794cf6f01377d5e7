"""Time limits of a generation use a monotonic clock, so jumps of the wall clock do not change them."""

from datetime import timedelta

import anyio
import pytest

from genui_core.domain.tools.tool import Tool

pytestmark = pytest.mark.anyio
JUMPS = [timedelta(days=3650), timedelta(days=-3650), timedelta(hours=1)]
ROWS = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}}}
TOOL = Tool({"name": "rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS})


async def read_amid_jumps(opened):
    """Read a view while the wall clock jumps; return the served view."""
    served = []

    async def read():
        served.append(await opened.read(TOOL))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        for jump in JUMPS:
            await anyio.wait_all_tasks_blocked()
            opened.clock._at += jump
    return served[0]


async def test_no_budget_ends_early_and_the_measured_duration_is_right(open_service):
    opened = open_service("a view", timeout_ms=60_000)
    opened.provider.delay_s = 0.05
    await read_amid_jumps(opened)
    (view,) = await opened.store.entries()
    assert view.generation_duration_ms == 0
    assert opened.asked == 1


async def test_no_budget_lasts_longer(open_service):
    opened = open_service(None, timeout_ms=500)
    with anyio.fail_after(20):
        await read_amid_jumps(opened)
    assert opened.provider.cancelled == 1
    (failed,) = opened.event_log.named("fallback_used")
    assert failed.metadata["reason"] == "no view within 500 ms"
