"""The thread of the generation worker: its failures and its end."""

import asyncio
import queue
import time
from functools import partial

import anyio
import pytest
from attrs import define, field

from genui_adapters.host.worker_thread import WorkerThread
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.settings import Settings
from genui_core.errors import GenUiError
from genui_core.ports.event_log import Level
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_store import DictStore

PATIENCE_S = 20


class Generation:
    """A lock that records when a generation worker opens with it, and may fail then."""

    fault = None
    was_asked = False
    timeout_ms = 60_000

    @property
    def max_concurrent(self):
        self.was_asked = True
        if self.fault is not None:
            raise self.fault
        return 1


class Store(DictStore):
    """A store that records when it is closed."""

    closed = False

    async def close(self):
        self.closed = True


@define
class OpenTransport:
    """The thread of a transport, with the services of its generation worker."""

    generation: Generation = field(factory=Generation)
    store: Store = field(factory=Store)
    event_log: RecordingEventLog = field(factory=RecordingEventLog)
    steps: queue.Queue = field(factory=queue.Queue)
    came: list = field(factory=list)

    def wait_for(self, count):
        while len(self.came) < count:
            self.steps.get(timeout=PATIENCE_S)()
        return self.came


def worker_of(transport):
    settings = Settings(generation=transport.generation)
    wrapper = Wrapper(settings=settings, store=transport.store, event_log=transport.event_log)
    worker_for = partial(WorkerThread, post=transport.steps.put)
    return wrapper.open(worker_for).worker


def asked(worker, transport, work):
    return worker.run(work, transport.came.append, lambda _words: None)


async def at_once(_worker, _report):
    return "made"


def test_a_generation_worker_that_cannot_be_opened_fails_waiting_and_later_work():
    transport = OpenTransport()
    transport.generation.fault = OSError("no file left")
    worker = worker_of(transport)
    asked(worker, transport, at_once)
    (failure,) = transport.wait_for(1)
    assert isinstance(failure, GenUiError)
    assert "no file left" in str(failure)
    asked(worker, transport, at_once)
    assert transport.wait_for(2)[1] is failure
    worker.close()


class AbortError(BaseException):
    """An exception of a third-party library that derives from `BaseException`."""


@pytest.mark.parametrize(
    "fault", [RuntimeError("not expected"), AbortError(), SystemExit(1), KeyboardInterrupt()], ids=repr
)
def test_a_generation_worker_that_crashes_fails_all_waiting_work(fault):
    transport = OpenTransport()
    worker = worker_of(transport)

    async def falls_apart(_worker, _report):
        raise fault

    async def brings_it_down(parts, _report):
        parts.service.tasks.start_soon(falls_apart, None, None)
        await anyio.sleep_forever()

    asked(worker, transport, brings_it_down)
    (failure,) = transport.wait_for(1)
    assert isinstance(failure, GenUiError)
    asked(worker, transport, at_once)
    assert transport.wait_for(2)[1] is failure
    worker.close()
    assert [each.level for each in transport.event_log.named("studio_failed")] == [Level.ERROR]


def test_a_generation_worker_whose_loop_is_stopped_fails_all_waiting_work():
    transport = OpenTransport()
    worker = worker_of(transport)

    async def stops_the_loop(_worker, _report):
        asyncio.get_running_loop().stop()
        await anyio.sleep_forever()

    asked(worker, transport, stops_the_loop)
    assert isinstance(transport.wait_for(1)[0], GenUiError)
    worker.close()


def test_a_generation_worker_that_gets_ready_is_open_before_there_is_work():
    transport = OpenTransport()
    worker = worker_of(transport)
    worker.get_ready()
    deadline = time.monotonic() + PATIENCE_S
    while not transport.generation.was_asked:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    worker.get_ready()
    asked(worker, transport, at_once)
    assert transport.wait_for(1) == ["made"]
    worker.close()


@pytest.mark.parametrize(
    "fault", [KeyError("x"), asyncio.CancelledError(), AbortError(), SystemExit(1)], ids=repr
)
def test_work_that_raises_fails_alone(fault):
    transport = OpenTransport()
    worker = worker_of(transport)

    async def fails(_worker, _report):
        raise fault

    asked(worker, transport, fails)
    asked(worker, transport, at_once)
    failure, made = transport.wait_for(2)
    assert isinstance(failure, GenUiError)
    assert made == "made"
    worker.close()
    assert transport.store.closed


def test_cancelled_work_reports_no_result():
    transport, ended = OpenTransport(), []
    worker = worker_of(transport)

    async def endless(_worker, _report):
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(True)

    async def ended_before(_worker, _report):
        with anyio.fail_after(PATIENCE_S):
            while not ended:
                await anyio.sleep(0.01)
        return "ended"

    give_up = asked(worker, transport, endless)
    asked(worker, transport, at_once)
    transport.wait_for(1)
    give_up()
    asked(worker, transport, ended_before)
    assert transport.wait_for(2) == ["made", "ended"]
    worker.close()


@pytest.mark.parametrize("was_used", [False, True])
def test_a_closed_generation_worker_takes_no_work_and_ends_its_thread(was_used):
    transport = OpenTransport()
    worker = worker_of(transport)
    if was_used:
        asked(worker, transport, at_once)
        transport.wait_for(1)
    worker.close()
    worker.close()
    asked(worker, transport, at_once)()
    assert transport.steps.empty()
    assert worker._thread is None or not worker._thread.is_alive()


def test_a_generation_worker_is_closed_in_time_whatever_goes_on_in_it():
    transport = OpenTransport()
    worker = worker_of(transport)

    async def stubborn(_worker, _report):
        with anyio.CancelScope(shield=True):
            await anyio.sleep(6)

    asked(worker, transport, stubborn)
    asked(worker, transport, at_once)
    transport.wait_for(1)
    begun = time.monotonic()
    worker.close()
    assert time.monotonic() - begun < 5
