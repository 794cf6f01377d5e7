import os
import signal
import socket
import sys
import threading
import weakref
from functools import partial

import pytest

from genui_adapters.io.descriptor_loop import DescriptorLoop, PausableReader, PipeWriter
from genui_adapters.io.loop_upstream import LoopUpstream, UpstreamLog, watched_streams
from genui_adapters.io.process import UpstreamCommand, UpstreamProcess
from genui_adapters.io.threads import ThreadLogReader, ThreadLoop
from genui_core.testing.event_log import RecordingEventLog

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be watched there")


@pytest.fixture
def loop():
    made = DescriptorLoop()
    made.call_later(20, made.stop)  # whatever goes wrong
    yield made
    made.close()


@pytest.fixture
def pipe():
    """Make pipes, which are closed at the end of the test."""
    opened = []

    def make():
        opened.extend(ends := os.pipe())
        return ends

    yield make
    for fd in opened:
        os.close(fd)


def test_the_loop_reads_until_a_callback_stops_it(loop, pipe):
    reads, writes = pipe()
    got = []

    def read():
        got.append(os.read(reads, 10))
        os.write(writes, b"b") if len(got) == 1 else loop.stop()

    loop.add_reader(reads, read)
    os.write(writes, b"a")
    loop.run()
    assert got == [b"a", b"b"]


def test_the_loop_calls_writers_beside_readers(loop, pipe):
    reads, writes = pipe()
    seen = []
    loop.add_writer(writes, lambda: (seen.append("room"), loop.remove_writer(writes), os.write(writes, b"x")))
    loop.add_reader(reads, lambda: (seen.append(os.read(reads, 1)), loop.stop()))
    loop.run()
    assert seen == ["room", b"x"]


def test_a_removed_callback_does_not_run_although_it_was_due(loop, pipe):
    pipes = [pipe(), pipe()]
    done = []

    def take(this, other):
        done.append(this)
        loop.remove_reader(other)
        loop.stop()

    for (this, writes), (other, _) in (pipes, pipes[::-1]):
        loop.add_reader(this, lambda this=this, other=other: take(this, other))
        os.write(writes, b"x")
    loop.run()
    assert len(done) == 1


def test_removing_an_unknown_descriptor_raises_no_error(loop, pipe):
    reads, writes = pipe()
    loop.remove_reader(reads)
    loop.remove_writer(writes)


def test_callbacks_run_when_they_are_due_and_in_the_order_of_their_calls(loop):
    taken = []
    loop.call_later(0.02, loop.stop)
    loop.call_later(0.01, lambda: taken.append("second"))
    loop.call_later(0, lambda: taken.append("first"))
    loop.call_later(0.01, lambda: taken.append("third"))
    loop.run()
    assert taken == ["first", "second", "third"]


@pytest.mark.parametrize("kind", [DescriptorLoop, ThreadLoop])
def test_a_cancelled_callback_is_released_at_once_and_does_not_run(kind):
    class Page:
        """An object that the callback needs."""

    loop, page = kind(), Page()
    released = weakref.ref(page)
    cancel = loop.call_later(0, partial(pytest.fail, page))
    again = loop.call_later(0.01, loop.stop)
    cancel()
    del page, cancel
    assert released() is None
    loop.run()
    loop.close()
    again()


def test_a_callback_of_another_thread_wakes_the_loop(loop):
    in_thread = []
    threading.Timer(
        0.01, loop.call_soon_threadsafe, [lambda: (in_thread.append(threading.current_thread()), loop.stop())]
    ).start()
    loop.run()
    assert in_thread == [threading.main_thread()]


def test_callbacks_beyond_the_buffer_of_the_wake_up_pipe_all_run(loop):
    taken = []
    for number in range(70_000):
        loop.call_soon_threadsafe(lambda number=number: taken.append(number))
    loop.call_soon_threadsafe(loop.stop)
    loop.run()
    assert taken == [*range(70_000)]


def test_a_callback_that_fails_ends_the_run(loop):
    loop.call_later(0, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        loop.run()


def test_the_loop_may_be_stopped_before_it_runs(loop):
    loop.stop()
    loop.run()


def test_a_callback_after_the_end_of_the_loop_does_not_run():
    loop = DescriptorLoop()
    loop.close()
    loop.call_soon_threadsafe(pytest.fail)


def test_a_signal_runs_its_callback_and_its_handler_is_restored_afterwards(loop):
    before = signal.getsignal(signal.SIGUSR1)
    got = []
    with loop.on_signals([signal.SIGUSR1], lambda: (got.append("signal"), loop.stop())):
        threading.Timer(0.01, os.kill, [os.getpid(), signal.SIGUSR1]).start()
        loop.run()
    assert got == ["signal"]
    assert signal.getsignal(signal.SIGUSR1) is before


def test_a_paused_reader_reads_on_where_it_paused_and_a_stopped_one_does_not(loop, pipe):
    reads, writes = pipe()
    got = []

    def take(data):
        got.append(data)
        reader.stop()
        os.write(writes, b"b")
        reader.resume()
        loop.call_later(0, loop.stop)

    def go_on():
        got.append("paused")
        reader.resume()

    reader = PausableReader(reads, loop, take)
    os.write(writes, b"a")
    reader.pause()
    loop.call_later(0.01, go_on)
    loop.run()
    assert got == ["paused", b"a"]
    assert not reader.is_open


@pytest.mark.parametrize("sizes", [(3,), (3, 4, 5), (300_000,), (10, 300_000, 7), (9,) * 2000])
def test_written_bytes_arrive_complete_and_in_order_whatever_the_pipe_takes_at_once(loop, pipe, sizes):
    reads, writes = pipe()
    pieces = [bytes([65 + number % 26]) * size for number, size in enumerate(sizes)]
    wanted, got = b"".join(pieces), bytearray()

    def take(data):
        got.extend(data)
        if len(got) == len(wanted) + 1:
            loop.stop()

    writer = PipeWriter(writes, loop, lambda: None)
    PausableReader(reads, loop, take)
    assert writer.write(pieces) is (len(wanted) < 60_000 and len(sizes) < 512)
    assert pieces == []
    writer.write([b"!"])
    loop.run()
    assert bytes(got) == wanted + b"!"
    assert writer.pending_bytes == 0
    writer.restore()


def test_bytes_for_a_closed_reader_are_dropped(loop):
    reads, writes = os.pipe()
    writer = PipeWriter(writes, loop, lambda: None)
    os.close(reads)
    assert not writer.write([b"a"])
    assert writer.broken
    assert not writer.write([b"b"])
    assert writer.pending_bytes == 0
    os.close(writes)


def test_a_writer_that_was_restored_leaves_the_next_descriptor_of_its_number_alone(loop, pipe):
    number = os.dup(pipe()[1])
    first = PipeWriter(number, loop, lambda: None)
    first.restore()
    reads, writes = pipe()
    os.dup2(writes, number)
    second = PipeWriter(number, loop, loop.stop)
    assert not second.write([b"x" * 2_000_000])
    first.restore()
    assert not os.get_blocking(number)
    PausableReader(reads, loop, lambda _data: None)
    loop.run()
    assert second.pending_bytes == 0
    os.close(number)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a pipe be widened")
def test_a_widened_pipe_takes_a_page_at_once(loop, pipe):
    _, writes = pipe()
    writer = PipeWriter(writes, loop, lambda: None)
    writer.widen()
    assert writer.write([b"x" * 200_000])


def test_a_descriptor_that_is_no_pipe_stays_unchanged(loop):
    ours, theirs = socket.socketpair()
    writer = PipeWriter(ours.fileno(), loop, lambda: None)
    writer.widen()
    assert writer.write([b"x"])
    ours.close()
    theirs.close()


def test_a_log_that_ends_at_once_is_taken_without_its_end(tmp_path):
    (tmp_path / "log").write_bytes(b"cannot start\n")
    taken = []
    with (tmp_path / "log").open("rb") as log:
        reader = ThreadLogReader(log.fileno(), ThreadLoop(), taken.append)
        assert [*reader.rest()] == []
    assert taken == [b"cannot start\n"]


def test_an_upstream_that_closes_its_output_and_lives_on_has_ended_once(loop):
    code = "import os, sys; os.close(1); sys.stdin.read()"
    process = UpstreamProcess(UpstreamCommand((sys.executable, "-c", code), dict(os.environ)))
    ends = []

    def ended(upstream):
        ends.append(upstream)
        loop.call_later(0.1, loop.stop)

    log = UpstreamLog("up", RecordingEventLog())
    upstream = LoopUpstream(process, log, loop, ends.append, ended, lambda: None, watched_streams(loop))
    loop.run()
    upstream.close_input()
    upstream.detach()
    upstream.end()
    assert ends == [upstream]
