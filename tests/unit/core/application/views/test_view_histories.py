"""Histories: refinements and versions of views that outlive the process."""

import anyio
import pytest

from genui_core.application.views.view_editor import ViewEditor
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.tool import Tool
from genui_core.errors import InvalidArguments
from genui_core.testing.view_histories import DictHistories

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = Tool({"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS})


def quiet(_words):
    """Ignore progress."""


@pytest.fixture
def wrapper(open_service):
    """Return a function that opens view services with the same histories and store, as after a restart."""
    histories = DictHistories()

    def started(*answers, **more):
        return open_service(*answers, histories=histories, **more)

    return started


async def test_view_and_refinements_survive_a_restart(wrapper):
    one = wrapper("one", "two", "three")
    await one.read(TOOL)
    for wish in ("make it blue", "sort by name"):
        await ViewEditor(one.service).refine(Facts(tool=TOOL), wish, "r", quiet)
    again = wrapper("never asked")
    assert (await again.read(TOOL)).source == "three"
    assert again.asked == 0
    assert again.service.memory.refinements(TOOL.name).feedback == ("make it blue", "sort by name")


async def test_a_rollback_reaches_versions_from_before_a_restart(wrapper):
    one = wrapper("one", "two")
    await one.read(TOOL)
    await ViewEditor(one.service).refine(Facts(tool=TOOL), "make it blue", "r", quiet)
    again = wrapper("three")
    await ViewEditor(again.service).roll_back(Facts(tool=TOOL), 1)
    assert (await again.read(TOOL)).source == "one"
    assert again.service.memory.refinements(TOOL.name).all == ()
    third = wrapper("never asked")
    assert (await third.read(TOOL)).source == "one"
    assert [each.view.source for each in third.service.memory.versions(TOOL.name)] == ["one", "two"]


async def test_a_rollback_reaches_a_view_of_another_model_after_a_restart(wrapper):
    await wrapper("one").read(TOOL)

    def with_another_model(*answers):
        return wrapper(*answers, configured={"model": "another"})

    two = with_another_model("two")
    assert (await two.read(TOOL)).source == "two"
    await ViewEditor(two.service).roll_back(Facts(tool=TOOL), 1)
    view = await two.read(TOOL)
    assert (view.source, view.stored.key) == ("one", two.service.key(TOOL))
    assert two.changes == ["read_rows"]
    assert two.store.views[two.service.key(TOOL)].html == "one"
    third = with_another_model("never asked")
    assert (await third.read(TOOL)).source == "one"
    assert [each.view.source for each in third.service.memory.versions(TOOL.name)] == ["one", "two"]


async def test_no_rollback_reaches_a_view_of_another_definition_of_the_tool(wrapper):
    changed = Tool({**TOOL.definition, "description": "reads other rows"})
    one = wrapper("one", "two")
    await one.read(TOOL)
    await one.read(changed)
    with pytest.raises(InvalidArguments, match=r"Version 1 of 'read_rows' .* another definition"):
        await ViewEditor(one.service).roll_back(Facts(tool=changed), 1)
    assert (await one.read(changed)).source == "two"


async def test_no_rollback_reaches_a_view_for_another_kind_of_page(wrapper):
    await wrapper("one").read(TOOL)
    again = wrapper("two", configured={"template_version": "next"})
    await again.read(TOOL)
    with pytest.raises(InvalidArguments, match="version of the page"):
        await ViewEditor(again.service).roll_back(Facts(tool=TOOL), 1)
    assert (await again.read(TOOL)).source == "two"


async def test_a_tool_of_the_same_name_at_another_upstream_has_a_history_of_its_own(wrapper):
    one, other = wrapper("one", "two", upstream_name="files"), wrapper("three", upstream_name="mail")
    await one.read(TOOL)
    await ViewEditor(one.service).refine(Facts(tool=TOOL), "make it blue", "r", quiet)
    assert (await other.read(TOOL)).source == "three"
    assert other.service.memory.refinements(TOOL.name).all == ()
    again = wrapper("never asked", upstream_name="files")
    assert (await again.read(TOOL)).source == "two"
    assert again.service.memory.refinements(TOOL.name).feedback == ("make it blue",)


async def test_the_history_of_a_removed_tool_is_dropped(wrapper):
    one = wrapper("one")
    await one.read(TOOL)
    await one.service.forget(TOOL)
    again = wrapper("two")
    assert (await again.read(TOOL)).source == "two"


async def test_the_history_of_another_upstreams_tool_with_the_same_name_stays(wrapper):
    namesake = Tool({**TOOL.definition, "description": "reads other rows"})
    await wrapper("theirs").read(namesake)
    await wrapper("never asked").service.forget(TOOL)
    again = wrapper("anew")
    assert (await again.read(namesake)).source == "theirs"
    assert len(again.service.memory.versions(namesake.name)) == 1


async def test_a_tool_that_comes_back_with_its_former_definition_has_the_history_that_stayed(wrapper):
    changed = Tool({**TOOL.definition, "description": "reads other rows"})
    one = wrapper("one", "two", "three")
    await one.read(TOOL)
    await ViewEditor(one.service).refine(Facts(tool=TOOL), "make it blue", "r", quiet)
    await one.read(changed)
    await one.service.forget(changed)
    assert (await one.read(TOOL)).source == "two"
    assert one.service.memory.refinements(TOOL.name).feedback == ("make it blue",)
    assert len(one.service.memory.versions(TOOL.name)) == 3


async def test_simultaneous_readers_all_get_the_stored_view(wrapper):
    await wrapper("one").read(TOOL)
    again = wrapper("never asked")
    found = []

    async def read():
        found.append((await again.read(TOOL)).source)

    async with anyio.create_task_group() as readers:
        for _ in range(10):
            readers.start_soon(read)
    assert found == ["one"] * 10


async def test_a_byte_equal_refinement_is_in_the_history_after_a_restart(wrapper):
    one = wrapper("one", "one")
    await one.read(TOOL)
    await ViewEditor(one.service).refine(Facts(tool=TOOL), "make it blue", "r", quiet)
    again = wrapper("never asked")
    assert (await again.read(TOOL)).source == "one"
    assert [each.refinements.feedback for each in again.service.memory.versions(TOOL.name)] == [
        (),
        ("make it blue",),
    ]
    assert again.service.memory.number_of(TOOL.name, again.service.present(TOOL)) == 2


async def test_a_refinement_that_is_cancelled_while_its_view_is_stored_is_in_the_history_at_once(wrapper):
    one = wrapper("one", "two")
    await one.read(TOOL)
    began = anyio.Event()

    async def slow(_view):
        began.set()
        await anyio.sleep_forever()

    one.store.set = slow
    async with anyio.create_task_group() as people:
        people.start_soon(ViewEditor(one.service).refine, Facts(tool=TOOL), "make it blue", "r", quiet)
        await began.wait()
        people.cancel_scope.cancel()
    again = wrapper("never asked")
    assert (await again.read(TOOL)).source == "two"
    assert again.service.memory.refinements(TOOL.name).feedback == ("make it blue",)


async def test_a_refinement_that_is_cancelled_while_its_history_is_written_is_written_to_the_end(wrapper):
    one = wrapper("one", "two")
    await one.read(TOOL)
    histories, began, goes_on = one.histories, anyio.Event(), anyio.Event()
    save = histories.save

    async def slow(history):
        began.set()
        await goes_on.wait()
        await save(history)

    histories.save = slow
    async with anyio.create_task_group() as people:
        people.start_soon(ViewEditor(one.service).refine, Facts(tool=TOOL), "make it blue", "r", quiet)
        await began.wait()
        people.cancel_scope.cancel()
    goes_on.set()
    await anyio.wait_all_tasks_blocked()
    histories.save = save
    assert wrapper("never asked").histories is histories
    again = wrapper("never asked")
    assert (await again.read(TOOL)).source == "two"
    assert again.service.memory.refinements(TOOL.name).feedback == ("make it blue",)
