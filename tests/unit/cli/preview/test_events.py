import anyio
import pytest

from genui_cli.preview.happenings import Events

pytestmark = pytest.mark.anyio


async def test_every_subscriber_gets_every_event_since_it_subscribed():
    events = Events()
    with events.follow() as early:
        events.publish({"n": 1})
        with events.follow() as late:
            events.publish({"n": 2})
            assert [await early.receive(), await early.receive(), await late.receive()] == [
                {"n": 1},
                {"n": 2},
                {"n": 2},
            ]
    events.close()


async def test_a_subscriber_that_is_too_slow_is_dropped():
    events = Events()
    with events.follow() as slow:
        for number in range(1001):
            events.publish({"n": number})
        for _ in range(1000):
            await slow.receive()
        with pytest.raises(anyio.EndOfStream):
            await slow.receive()


async def test_a_subscriber_that_left_is_forgotten():
    events = Events()
    events.follow().close()
    events.publish({"n": 1})
    events.publish({"n": 2})


async def test_closing_ends_current_and_later_streams():
    events = Events()
    with events.follow() as before:
        events.close()
        with events.follow() as after:
            for stream in (before, after):
                with pytest.raises(anyio.EndOfStream):
                    await stream.receive()
