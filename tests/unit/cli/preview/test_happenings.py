import anyio
import pytest

from genui_adapters.host.http.exchange import Refused
from genui_cli.preview.happenings import LARGEST_BYTES, MOST_WAITING, Happenings
from genui_cli.preview.page_api import timeout_of

pytestmark = pytest.mark.anyio


async def test_a_waiting_event_is_delivered_at_once_and_only_once():
    happenings = Happenings()
    for kind in ("called", "answered"):
        happenings.add({"kind": kind})
    assert [(one["number"], one["kind"]) for one in await happenings.take(0)] == [
        (1, "called"),
        (2, "answered"),
    ]
    assert await happenings.take(0) == []


async def test_a_waiting_request_gets_an_event_as_soon_as_it_happens():
    happenings, told = Happenings(), []
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:

            async def follow():
                told.extend(await happenings.take(60))

            tasks.start_soon(follow)
            await anyio.wait_all_tasks_blocked()
            happenings.add({"kind": "message"})
    assert [one["kind"] for one in told] == ["message"]


async def test_one_of_several_waiting_requests_gets_an_event_and_the_others_keep_waiting():
    happenings, told = Happenings(), []
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:

            async def follow():
                told.append(len(await happenings.take(60)))

            for _ in range(3):
                tasks.start_soon(follow)
            await anyio.wait_all_tasks_blocked()
            happenings.add({})
            await anyio.wait_all_tasks_blocked()
            assert told == [1]
            happenings.close()
    assert sorted(told) == [0, 0, 1]


async def test_too_many_events_drop_the_oldest_and_the_numbers_show_it():
    happenings = Happenings()
    for _ in range(MOST_WAITING + 2):
        happenings.add({})
    told = await happenings.take(0)
    assert (len(told), told[0]["number"]) == (MOST_WAITING, 3)


async def test_a_huge_result_is_left_out_by_name():
    happenings = Happenings()
    happenings.add({"kind": "answered", "tool": "rows", "result": "x" * LARGEST_BYTES})
    (told,) = await happenings.take(0)
    assert (told["kind"], told["tool"], told["leftOut"]) == ("answered", "rows", ["result"])
    assert "result" not in told


@pytest.mark.parametrize(("text", "seconds"), [(None, 30), ("0", 0), ("120", 120), ("0.5", 0.5)])
def test_the_timeout_is_a_number_of_seconds(text, seconds):
    assert timeout_of(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "-1", "121", "nan", "inf", "1e9", "1;2"])
def test_a_wrong_timeout_is_refused_with_its_allowed_values(text):
    with pytest.raises(Refused, match="from 0 to 120"):
        timeout_of(text)
