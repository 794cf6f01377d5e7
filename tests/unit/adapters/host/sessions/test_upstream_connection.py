import anyio
import pytest

from genui_adapters.host.channels import router_in_event_loop
from genui_adapters.host.sessions import upstream_connection
from genui_adapters.host.sessions.upstream_connection import UpstreamConnection
from genui_core.application.wrapper import Wrapper

pytestmark = pytest.mark.anyio


def opened(*, is_shared):
    connection = UpstreamConnection("key", router_in_event_loop(Wrapper().open()), is_shared=is_shared)
    connection.use()
    return connection


async def ended_within(connection, limit_s):
    with anyio.move_on_after(limit_s):
        await connection.until_unused()
        return True
    return False


async def test_a_shared_connection_ends_when_it_was_unused_for_a_while(monkeypatch):
    monkeypatch.setattr(upstream_connection, "IDLE_S", 0.2)
    connection = opened(is_shared=True)
    assert not await ended_within(connection, 0.3)
    connection.leave()
    assert not await ended_within(connection, 0.05)
    connection.use()
    connection.leave()
    began_s = anyio.current_time()
    assert await ended_within(connection, 20)
    assert anyio.current_time() - began_s > 0.15


async def test_a_connection_of_one_host_ends_with_its_host():
    connection = opened(is_shared=False)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(connection.until_unused)
        await anyio.wait_all_tasks_blocked()
        connection.leave()


async def test_a_connection_that_is_given_up_ends_with_its_last_user():
    connection = opened(is_shared=True)
    connection.end()
    assert not await ended_within(connection, 0.05)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(connection.until_unused)
        await anyio.wait_all_tasks_blocked()
        connection.leave()
