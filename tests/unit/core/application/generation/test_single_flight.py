"""Coalesced calls: one run serves all callers, and is cancelled only when no caller is left (requirement G6)."""

from asyncio import CancelledError

import anyio
import anyio.lowlevel
import pytest

from genui_core.application.generation.single_flight import SingleFlight
from genui_core.errors import GenUiError

pytestmark = pytest.mark.anyio


class Work:
    """Work that counts its starts, and ends when the test releases it."""

    def __init__(self):
        self.begun = 0
        self.cancelled = False
        self.go = anyio.Event()

    async def __call__(self):
        self.begun += 1
        try:
            await self.go.wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled = True
            raise
        return self.begun


async def until(condition):
    with anyio.fail_after(5):
        while not condition():
            await anyio.lowlevel.checkpoint()


async def ask(single_flight, work, results):
    results.append(await single_flight.join("k", work, timeout_s=60))


async def test_a_thousand_callers_share_one_run():
    work, results = Work(), []

    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        for _ in range(1000):
            tasks.start_soon(ask, single_flight, work, results)
        await until(lambda: work.begun)
        await anyio.wait_all_tasks_blocked()
        work.go.set()
    assert work.begun == 1
    assert results == [1] * 1000
    assert not single_flight.is_under_way("k")


async def test_a_caller_of_cancelled_work_gets_no_result():
    work, results = Work(), []

    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        tasks.start_soon(ask, single_flight, work, results)
        await until(lambda: work.begun)
        single_flight.give_up("k")
        single_flight.give_up("k")
        assert not single_flight.is_under_way("k")
    assert (work.cancelled, results) == (True, [None])


async def test_a_caller_whose_patience_ends_gets_no_result_and_the_work_continues():
    work = Work()
    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        assert await single_flight.join("k", work, timeout_s=0) is None
        assert single_flight.is_under_way("k")
        work.go.set()
        assert await single_flight.join("k", work, timeout_s=60) == 1


async def test_a_run_is_cancelled_when_all_callers_are_gone():
    work = Work()
    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        scopes = []

        async def ask():
            with anyio.CancelScope() as scope:
                scopes.append(scope)
                await single_flight.join("k", work, timeout_s=60)

        for _ in range(3):
            tasks.start_soon(ask)
        await until(lambda: work.begun and len(scopes) == 3)
        scopes[0].cancel()
        scopes[1].cancel()
        await anyio.wait_all_tasks_blocked()
        assert not work.cancelled
        scopes[2].cancel()
        await until(lambda: work.cancelled)
    assert not single_flight.is_under_way("k")


async def test_a_run_continues_if_a_caller_was_served_something_else():
    work = Work()
    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        assert await single_flight.join("k", work, timeout_s=0) is None
        with anyio.move_on_after(0.01):
            await single_flight.join("k", work, timeout_s=60)
        await anyio.wait_all_tasks_blocked()
        assert not work.cancelled
        work.go.set()


async def test_a_leader_who_leaves_does_not_take_the_others_along():
    work, results = Work(), []
    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        leader = anyio.CancelScope()

        async def lead():
            with leader:
                await single_flight.join("k", work, timeout_s=60)

        async def follow():
            results.append(await single_flight.join("k", work, timeout_s=60))

        tasks.start_soon(lead)
        await until(lambda: work.begun)
        for _ in range(1000):
            tasks.start_soon(follow)
        await anyio.wait_all_tasks_blocked()
        leader.cancel()
        await anyio.wait_all_tasks_blocked()
        work.go.set()
    assert results == [1] * 1000
    assert work.begun == 1


async def test_a_later_caller_starts_a_new_run():
    async with anyio.create_task_group() as tasks:
        single_flight, work = SingleFlight(tasks), Work()
        work.go.set()
        assert await single_flight.join("k", work, timeout_s=60) == 1
        assert await single_flight.join("k", work, timeout_s=60) == 2


async def test_an_error_of_the_work_reaches_all_callers_and_harms_no_other_host():
    other, told = Work(), []

    async def failing():
        await anyio.lowlevel.checkpoint()
        raise OSError("no process left")

    async def ask(single_flight):
        try:
            await single_flight.join("k", failing, timeout_s=60)
        except OSError as error:
            told.append(str(error))

    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        single_flight.keep("other", other)
        for _ in range(3):
            tasks.start_soon(ask, single_flight)
        await until(lambda: len(told) == 3)
        assert single_flight.is_under_way("other")
        assert not single_flight.is_under_way("k")
        other.go.set()
    assert told == ["no process left"] * 3


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("fault", [CancelledError(), SystemExit(1)], ids=repr)
async def test_work_that_aborts_fails_its_callers_and_no_others(fault):
    async def broken():
        await anyio.lowlevel.checkpoint()
        raise fault

    async with anyio.create_task_group() as tasks:
        single_flight = SingleFlight(tasks)
        with pytest.raises(GenUiError, match=type(fault).__name__):
            await single_flight.join("k", broken, timeout_s=60)
        assert not single_flight.is_under_way("k")
        work = Work()
        work.go.set()
        assert await single_flight.join("other", work, timeout_s=60) == 1
