"""A stream sends each event once, in order, and a host that reconnects gets the events that it missed."""

import pytest
from attrs import define, field

from genui_adapters.host.http.events import EventStream

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    """Run on the loop that serves HTTP."""
    return "asyncio"


@define
class Response:
    """A response that records the written bytes."""

    written: list = field(factory=list)

    async def write(self, data, *, more=True):
        assert more
        self.written.append(data)

    def numbers(self):
        """Return the numbers of the events."""
        lines = (line for data in self.written for line in data.decode().splitlines())
        return [int(line.rpartition("-")[2]) for line in lines if line.startswith("id: ")]


async def filled(count):
    stream = EventStream("s")
    for number in range(count):
        await stream.put(b'{"n":%d}' % number)
    return stream


async def sent_to_one_that_resumes(stream, after):
    response = Response()
    stream.attach(response, after)
    await stream.flush()
    return response.numbers()


@pytest.mark.parametrize("after", [None, 0, 1, 4, 5])
async def test_a_host_that_comes_back_gets_the_events_after_its_last(after):
    assert await sent_to_one_that_resumes(await filled(5), after) == list(range((after or 0) + 1, 6))


async def test_a_host_that_names_an_event_of_the_future_gets_the_next_ones():
    stream, response = await filled(2), Response()
    stream.attach(response, 3)
    for number in range(3):
        await stream.put(b"%d" % number)
    assert response.numbers() == [4, 5]


async def test_a_host_whose_events_were_dropped_gets_the_oldest_that_are_left():
    stream = await filled(1000)
    numbers = await sent_to_one_that_resumes(stream, 10)
    assert numbers == list(range(numbers[0], 1001))
    assert numbers[0] > 11


async def test_a_host_that_listens_gets_each_event_once():
    stream, response = EventStream("s"), Response()
    stream.attach(response)
    for number in range(600):
        await stream.put(b"%d" % number)
    assert response.numbers() == list(range(1, 601))
