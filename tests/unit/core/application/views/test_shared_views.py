"""Of wrappers with a shared store, one makes each view, and all see and validate it (requirement C3)."""

import anyio
import pytest
from attrs import define, evolve

from genui_core.application.views.view_editor import ViewDrafts, ViewEditor
from genui_core.application.worker.generation_worker import WorkerParts
from genui_core.domain.pages.minimal_view import view_version
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.errors import InvalidArguments
from genui_core.ports.generation_lock import GenerationLock
from genui_core.ports.view_histories import ViewHistories
from genui_core.testing.view_histories import DictHistories
from genui_core.testing.view_store import DictStore
from genui_core.testing.view_validator import FirstWordValidator

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = Tool({"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS})
FACTS, MINIMAL = Facts(tool=TOOL), view_version("")


def quiet(_words):
    """Ignore progress."""


@define
class MarkedHistories(DictHistories):
    """Histories in memory with a mark that changes with them, as histories on a server have."""

    is_shared = True
    changes: int = 0
    is_down: bool = False

    async def mark(self, _tool_name, _upstream_name=""):
        return None if self.is_down else str(self.changes)

    async def save(self, history):
        self.changes += 1
        return await super().save(history)


class DictLock(GenerationLock):
    """A lock in memory for all wrappers with the same dictionary; its leases do not expire."""

    lease_ms = 60

    def __init__(self, holders):
        self.holders = holders
        self.prolonged = []

    async def take(self, key):
        return self.holders.setdefault(key, self) is self

    async def prolong(self, key):
        self.prolonged.append(key)

    async def release(self, key):
        if self.holders.get(key) is self:
            del self.holders[key]


class SlowStore(DictStore):
    """A store that takes a moment to answer."""

    async def get(self, key):
        await anyio.sleep(0.01)
        return await super().get(key)


@pytest.fixture
def team(open_service):
    """Return a function that opens view services with one shared store, lock and histories."""
    store, holders, histories = SlowStore(), {}, MarkedHistories()

    def joined(*answers, **settings):
        return open_service(*answers, store=store, lock=DictLock(holders), histories=histories, **settings)

    return joined


async def together(*reads):
    pages = []

    async def read(one):
        pages.append((await one.read(TOOL)).source)

    async with anyio.create_task_group() as readers:
        for one in reads:
            readers.start_soon(read, one)
    return pages


async def test_one_of_several_wrappers_makes_a_view_that_all_need(team):
    wrappers = [team("one") for _ in range(5)]
    assert await together(*wrappers) == ["one"] * 5
    assert sum(each.asked for each in wrappers) == 1
    waited = [each.event_log.named("generation_elsewhere") for each in wrappers]
    assert sum(map(len, waited)) == 4
    assert sum(len(each.event_log.named("miss")) for each in wrappers) == 1
    assert sum(len(each.event_log.named("hit")) for each in wrappers) == 4
    assert wrappers[0].lock.holders == {}


async def test_another_wrapper_takes_the_lease_of_a_dead_one(team):
    dead, other = team("never"), team("two")
    key = other.service.key(TOOL)
    assert await dead.lock.take(key)
    async with anyio.create_task_group() as readers:
        readers.start_soon(other.read, TOOL)
        await anyio.sleep(0.1)
        assert other.asked == 0
        await dead.lock.release(key)  # as it ends by itself
    assert other.asked == 1


async def test_a_wrapper_waits_for_another_only_within_its_budget(team):
    stuck, other = team("never"), team("two", timeout_ms=1000)
    await stuck.lock.take(other.service.key(TOOL))
    assert (await other.read(TOOL)).source == "two"
    assert other.provider.requests[0]


async def test_a_lease_is_prolonged_only_while_a_view_is_made(team):
    one = team()
    leases, lock = one.service.leases, one.lock
    async with leases.lease("k", one.service.tasks, quiet) as waited_ms:
        assert waited_ms < 5000
        with anyio.fail_after(10):
            while not lock.prolonged:
                await anyio.sleep(0.01)
    await anyio.sleep(0.05)  # what was under way may end
    count = len(lock.prolonged)
    await anyio.sleep(0.05)
    assert len(lock.prolonged) == count


async def test_a_lease_is_released_when_the_readers_leave(team):
    one = team("slow")
    with anyio.move_on_after(0.03):
        async with one.service.leases.lease("k", one.service.tasks, quiet):
            await anyio.sleep(5)
    assert one.lock.holders == {}


async def test_a_refinement_is_seen_by_the_other_wrapper_at_its_next_read_and_its_hosts_are_notified(team):
    one, other = team("first", "blue"), team("never asked")
    await one.read(TOOL)
    assert (await other.read(TOOL)).source == "first"
    await ViewEditor(one.service).refine(FACTS, "make it blue", "r", quiet)
    assert (await other.read(TOOL)).source == "blue"
    assert other.service.memory.refinements(TOOL.name).feedback == ("make it blue",)
    assert (other.asked, other.changes) == (0, ["read_rows"])
    await other.read(TOOL)
    assert other.changes == ["read_rows"]


async def test_a_regenerated_view_is_seen_by_the_other_wrapper_too(team):
    one, other = team("first", "again"), team("never asked")
    await together(one, other)
    await ViewEditor(one.service).regenerate(FACTS, "r", quiet)
    assert (await other.read(TOOL)).source == "again"


async def test_wrappers_keep_their_views_without_the_server(team):
    one = team("first", "blue")
    await one.read(TOOL)
    one.histories.is_down = True
    await ViewEditor(one.service).refine(FACTS, "make it blue", "r", quiet)
    assert (await one.read(TOOL)).source == "blue"


async def test_a_poisoned_view_in_the_store_is_a_miss(team):
    one, other = team("first"), team("good")
    await one.read(TOOL)
    store, key = one.store, one.service.key(TOOL)
    store.views[key] = evolve(store.views[key], html="evil <script src=https://evil.example>")
    one.histories.histories.clear()
    assert (await other.read(TOOL)).source == "good"
    assert other.event_log.named("found_view_refused")
    assert store.views[key].html == "good"


async def test_a_validator_that_fails_accepts_no_stored_view(team):
    class FailsForTheFirst(FirstWordValidator):
        async def validate(self, text, context):
            if text == "first":
                raise OSError("no process")
            return await super().validate(text, context)

    one, other = team("first"), team("second", validator=FailsForTheFirst())
    await one.read(TOOL)
    one.histories.histories.clear()
    assert (await other.read(TOOL)).source == "second"


async def test_a_poisoned_version_of_a_history_is_not_restored(team):
    one, other = team("first", "blue"), team("never asked")
    await one.read(TOOL)
    await ViewEditor(one.service).refine(FACTS, "make it blue", "r", quiet)
    kept = one.histories.histories
    history = kept["", "read_rows"]
    bad = tuple(evolve(each, view=evolve(each.view, html="evil")) for each in history.views)
    kept["", "read_rows"] = evolve(history, views=bad)
    assert (await other.read(TOOL)).source == "blue"  # from the store
    with pytest.raises(InvalidArguments, match="no longer passes"):
        await ViewEditor(other.service).roll_back(FACTS, 1)


@pytest.fixture
def two(open_service):
    """Return two view services that share only the store; the second's model never answers."""
    store = CountingStore()
    return open_service("first", "second", store=store), open_service(None, store=store, serve_within_ms=0)


class CountingStore(DictStore):
    """A store that counts how often it is read, and takes a moment to answer."""

    reads = 0

    async def get(self, key):
        self.reads += 1
        found = await super().get(key)
        await anyio.sleep(0.01)
        return found


def next_view(one, have=MINIMAL, wait_s=20):
    return WorkerParts(one.service).waits.next_view(FACTS, have, wait_s)


async def test_a_page_that_waits_gets_the_view_that_another_wrapper_stored_and_the_own_generation_ends(two):
    one, other = two
    assert (await other.read(TOOL)).state is ViewState.PROVISIONAL
    async with anyio.create_task_group() as wrappers:
        wrappers.start_soon(one.read, TOOL)
        with anyio.fail_after(10):
            assert (await next_view(other)).source == "first"
    assert not other.service.is_being_made(TOOL)
    assert other.changes == ["read_rows"]
    assert (await other.read(TOOL)).source == "first"
    assert [each.occasion for each in other.service.memory.versions(TOOL.name)] == ["found in the store"]


async def test_a_page_that_waits_reads_the_store_about_once_a_second(two):
    _, other = two
    await other.read(TOOL)
    before = other.store.reads
    await next_view(other, wait_s=2.5)
    assert 2 <= other.store.reads - before <= 4
    await anyio.sleep(1.2)
    assert 2 <= other.store.reads - before <= 4, "without a page that waits, nothing is read"


async def test_pages_that_ask_at_once_share_a_look_into_the_store(two):
    _, other = two
    waits, before = WorkerParts(other.service).waits, other.store.reads
    async with anyio.create_task_group() as pages:
        for _ in range(50):
            pages.start_soon(waits.next_view, FACTS, MINIMAL, 0)
    assert other.store.reads == before + 1


async def test_a_view_that_is_still_being_stored_is_no_longer_pending(open_service):
    class Slow(DictStore):
        async def set(self, view):
            await anyio.sleep(1)
            return await super().set(view)

    one = open_service("a view", store=Slow(), serve_within_ms=0)
    await one.read(TOOL)
    with anyio.fail_after(0.8):
        assert (await next_view(one)).source == "a view"
    assert not one.service.is_being_made(TOOL)


async def test_a_minimal_view_gives_way_to_a_view_that_was_submitted_to_another_wrapper(open_service):
    store = DictStore()
    one, other = (open_service("minimal", store=store) for _ in range(2))
    plain = Tool({"name": "ping", "inputSchema": {"type": "object"}})
    assert (await other.read(plain)).state is ViewState.MINIMAL
    await ViewDrafts(one.service).submit(Facts(tool=plain), "submitted", "r")
    assert (await other.read(plain)).source == "submitted"
    assert other.changes == ["ping"]


async def test_a_view_that_a_person_left_does_not_come_back_from_the_store(two):
    one, other = two
    await one.read(TOOL)
    await other.read(TOOL)
    await ViewEditor(one.service).regenerate(FACTS, "r", quiet)
    assert (await next_view(other, view_version("first"))).source == "second"
    other.store.takes = lambda _view: False
    await ViewEditor(other.service).roll_back(FACTS, 1)
    assert (await next_view(other, view_version("second"))).source == "first"


async def test_a_view_that_a_person_submits_in_the_meantime_stays(two):
    one, other = two
    await one.read(TOOL)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(other.service.adopt_stored, FACTS)
        tasks.start_soon(ViewDrafts(other.service).submit, FACTS, "mine", "r")
    assert other.service.present(TOOL).source == "mine"


async def test_a_poisoned_view_of_another_wrapper_is_no_news(two):
    one, other = two
    await one.read(TOOL)
    views, key = one.store.views, one.service.key(TOOL)
    views[key] = evolve(views[key], html="evil <script src=https://evil.example>")
    assert await next_view(other) is None
    assert other.event_log.named("found_view_refused")


def test_histories_that_are_not_shared_have_no_mark():
    async def mark():
        return await ViewHistories.mark(DictHistories(), "read_rows")

    assert anyio.run(mark) is None
