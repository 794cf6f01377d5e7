"""Refinements of views: one after the other, nothing lost if one fails, and a way back (requirement T2)."""

import anyio
import pytest

from genui_core.application.generation.present_view import ChangeStatus, variants_among
from genui_core.application.views.view_editor import ViewEditor
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import UiType, ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.errors import InvalidArguments, ProviderErrorCode, ProviderFailed

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = Tool({"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS})
PLAIN = Tool({"name": "say", "inputSchema": {"type": "object"}})
DENIED = ProviderFailed(ProviderErrorCode.AUTHENTICATION, "no such key")


def quiet(_words):
    """Ignore progress."""


async def refine(editor, words, tool=TOOL):
    return await editor.refine(Facts(tool=tool), words, "r", quiet)


async def test_a_refinement_changes_the_present_source_and_counts_from_then_on(open_service):
    one = open_service("first", "second")
    await one.read(TOOL)
    change = await refine(ViewEditor(one.service), "make it blue")
    assert (change.status, change.ui_type) == (ChangeStatus.DONE, UiType.RICH)
    assert "first" in one.provider.requests[1].prompt
    assert (await one.read(TOOL)).source == "second"
    assert one.changes == ["read_rows"]
    (refinement,) = one.service.memory.refinements(TOOL.name).all
    assert refinement.feedback == "make it blue"
    assert len(refinement.generation_hash_before) == 64


def changed(old, new):
    return f"<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


async def test_a_refinement_answered_with_changes_keeps_the_rest_of_the_view_and_is_stored(open_service):
    one = open_service("one line\nanother line", changed("another", "a blue"), changed("one", "no"))
    await one.read(TOOL)
    editor = ViewEditor(one.service)
    assert (await refine(editor, "make it blue")).status is ChangeStatus.DONE
    assert (await one.read(TOOL)).source == "one line\na blue line"
    assert (await refine(editor, "make it less")).status is ChangeStatus.DONE
    assert [each.view.source for each in one.service.memory.versions(TOOL.name)] == [
        "one line\nanother line",
        "one line\na blue line",
        "no line\na blue line",
    ]
    assert one.service.memory.refinements(TOOL.name).feedback == ("make it blue", "make it less")


async def test_changes_without_a_place_leave_view_and_refinements_and_give_the_reason(open_service):
    one = open_service("one line", changed("two", "three"), changed("e", "f"))
    await one.read(TOOL)
    change = await refine(ViewEditor(one.service), "make it blue")
    assert (change.status, change.error_type) == (ChangeStatus.FAILED, "VALIDATION_FAILED")
    assert "more than once" in change.reason
    assert one.asked == 3
    assert (await one.read(TOOL)).source == "one line"
    assert one.service.memory.refinements(TOOL.name).all == ()


async def test_refinements_add_up_in_their_order(open_service):
    one = open_service("first", "second", "third")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    await refine(editor, "make it blue")
    await refine(editor, "sort by name")
    prompt = one.provider.requests[2].prompt
    assert "second" in prompt
    assert "make it blue" in prompt
    assert prompt.index("sort by name") < prompt.index("make it blue")
    assert one.service.memory.refinements(TOOL.name).feedback == ("make it blue", "sort by name")


async def test_a_failed_refinement_leaves_view_and_refinements(open_service):
    one = open_service("first", DENIED)
    await one.read(TOOL)
    change = await refine(ViewEditor(one.service), "make it blue")
    assert (change.status, change.ui_type) == (ChangeStatus.FAILED, UiType.RICH)
    assert "no such key" in change.reason
    assert (await one.read(TOOL)).source == "first"
    assert one.service.memory.refinements(TOOL.name).all == ()
    assert one.changes == []


async def test_reads_get_the_old_view_during_a_refinement(open_service):
    one = open_service("first", None)
    await one.read(TOOL)
    change = await ViewEditor(one.service, timeout_s=0).refine(Facts(tool=TOOL), "make it blue", "r", quiet)
    assert (change.status, change.ui_type) == (ChangeStatus.RUNNING, UiType.RICH)
    assert (await one.read(TOOL)).source == "first"


async def test_two_simultaneous_refinements_take_turns_and_the_later_builds_on_the_earlier(open_service):
    one = open_service("first", "second", "third")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    async with anyio.create_task_group() as people:
        people.start_soon(refine, editor, "make it blue")
        people.start_soon(refine, editor, "sort by name")
    assert (await one.read(TOOL)).source == "third"
    assert len(one.service.memory.refinements(TOOL.name).all) == 2
    assert "second" in one.provider.requests[2].prompt


async def test_a_refinement_makes_a_minimal_tool_rich(open_service):
    one = open_service("minimal", "a view")
    await one.read(PLAIN)
    change = await refine(ViewEditor(one.service), "draw a chart", PLAIN)
    assert change.ui_type is UiType.RICH
    assert (await one.read(PLAIN)).source == "a view"


async def test_an_empty_refinement_is_refused(open_service):
    with pytest.raises(InvalidArguments, match="feedback"):
        await refine(ViewEditor(open_service("x").service), "  \n")


async def test_regenerating_asks_the_model_even_if_a_view_is_cached(open_service):
    one = open_service("a view of before", "second")
    await one.read(TOOL)
    change = await ViewEditor(one.service).regenerate(Facts(tool=TOOL), "r", quiet)
    assert change.status is ChangeStatus.DONE
    assert (await one.read(TOOL)).source == "second"
    assert "a view of before" not in one.provider.requests[1].prompt


async def test_regenerating_keeps_or_drops_the_refinements(open_service):
    one = open_service("first", "second", "third", "fourth")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    await refine(editor, "make it blue")
    await editor.regenerate(Facts(tool=TOOL), "r", quiet)
    assert "make it blue" in one.provider.requests[2].prompt
    await editor.regenerate(Facts(tool=TOOL), "r", quiet, clear_refinements=True)
    assert "make it blue" not in one.provider.requests[3].prompt
    assert one.service.memory.refinements(TOOL.name).all == ()


async def test_a_person_may_say_what_kind_of_view_it_is(open_service):
    one = open_service("first", "rich one")
    await one.read(TOOL)
    editor = ViewEditor(one.service)
    await editor.regenerate(Facts(tool=TOOL), "r", quiet, ui_type=UiType.MINIMAL)
    assert (await one.read(TOOL)).state is ViewState.MINIMAL
    assert one.asked == 1
    await editor.regenerate(Facts(tool=TOOL), "r", quiet, ui_type=UiType.RICH)
    assert (await one.read(TOOL)).source == "rich one"


async def test_a_rollback_restores_a_view_with_its_refinements(open_service):
    one = open_service("first", "second", "third")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    await refine(editor, "make it blue")
    await refine(editor, "sort by name")
    assert [(each.number, each.view.source) for each in one.service.memory.versions(TOOL.name)] == [
        (1, "first"),
        (2, "second"),
        (3, "third"),
    ]
    await editor.roll_back(Facts(tool=TOOL), 2)
    assert (await one.read(TOOL)).source == "second"
    assert one.service.memory.refinements(TOOL.name).feedback == ("make it blue",)
    assert one.changes == ["read_rows"] * 3
    with pytest.raises(InvalidArguments, match="1, 2, 3"):
        await editor.roll_back(Facts(tool=TOOL), 9)


async def test_a_refinement_that_is_cancelled_while_its_view_is_stored_keeps_view_and_refinement_together(
    open_service,
):
    one = open_service("first", "second", "third")
    await one.read(TOOL)
    kept, began = one.store.set, anyio.Event()

    async def slow(_view):
        began.set()
        await anyio.sleep_forever()

    one.store.set = slow
    async with anyio.create_task_group() as people:
        people.start_soon(refine, ViewEditor(one.service), "make it blue")
        await began.wait()
        people.cancel_scope.cancel()
    await anyio.wait_all_tasks_blocked()
    one.store.set = kept
    assert (await one.read(TOOL)).source == "second"
    assert one.service.memory.refinements(TOOL.name).feedback == ("make it blue",)
    assert one.changes == ["read_rows"]
    assert one.asked == 2


async def test_a_failed_refinement_of_a_minimal_view_reports_the_minimal_view(open_service):
    one = open_service("minimal", DENIED)
    await one.read(PLAIN)
    change = await refine(ViewEditor(one.service), "draw a chart", PLAIN)
    assert (change.status, change.ui_type) == (ChangeStatus.FAILED, UiType.MINIMAL)


async def test_a_refinement_whose_view_came_out_byte_equal_is_a_version_of_its_own(open_service):
    one = open_service("first", "first", "first")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    await refine(editor, "make it blue")
    await refine(editor, "bluer")

    def versions():
        return [(each.number, each.refinements.feedback) for each in one.service.memory.versions(TOOL.name)]

    expected = [(1, ()), (2, ("make it blue",)), (3, ("make it blue", "bluer"))]
    assert versions() == expected
    memory = one.service.memory
    assert memory.number_of(TOOL.name, one.service.present(TOOL)) == 3
    await editor.roll_back(Facts(tool=TOOL), 2)
    assert one.service.memory.refinements(TOOL.name).feedback == ("make it blue",)
    assert versions() == expected
    assert memory.number_of(TOOL.name, one.service.present(TOOL)) == 2


async def regenerated_twice(editor, **more):
    return await editor.regenerate(Facts(tool=TOOL), "r", quiet, variants=2, **more)


async def test_two_variants_are_two_versions_of_which_the_second_is_shown(open_service):
    one = open_service("first", "left", "right")
    await one.read(TOOL)
    change = await regenerated_twice(ViewEditor(one.service))
    assert (change.status, change.ui_type, change.reason) == (ChangeStatus.DONE, UiType.RICH, "")
    assert (await one.read(TOOL)).source == "right"
    versions = one.service.memory.versions(TOOL.name)
    assert [each.view.source for each in versions] == ["first", "left", "right"]
    assert variants_among(versions) == versions[1:]
    assert "another way" in one.provider.requests[2].prompt
    assert "another way" not in one.provider.requests[1].prompt
    assert one.service.memory.refinements(TOOL.name).all == ()


async def test_the_other_variant_comes_back_as_any_version_does_and_the_choice_stays_open(open_service):
    one = open_service("first", "left", "right")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    await regenerated_twice(editor)
    await editor.roll_back(Facts(tool=TOOL), 2)
    assert (await one.read(TOOL)).source == "left"
    assert len(variants_among(one.service.memory.versions(TOOL.name))) == 2


async def test_a_first_variant_that_is_a_version_of_before_is_one_of_the_two(open_service):
    one = open_service("first", "second", "first", "third")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    await editor.regenerate(Facts(tool=TOOL), "r", quiet)
    await regenerated_twice(editor)
    assert [each.number for each in variants_among(one.service.memory.versions(TOOL.name))] == [1, 3]


async def test_two_equal_views_are_no_choice(open_service):
    one = open_service("first", "left", "left")
    await one.read(TOOL)
    assert (await regenerated_twice(ViewEditor(one.service))).status is ChangeStatus.DONE
    assert variants_among(one.service.memory.versions(TOOL.name)) == ()


async def test_another_change_ends_the_choice_of_variants(open_service):
    one = open_service("first", "left", "right", "blue")
    editor = ViewEditor(one.service)
    await one.read(TOOL)
    await regenerated_twice(editor)
    await refine(editor, "make it blue")
    assert variants_among(one.service.memory.versions(TOOL.name)) == ()


async def test_a_failed_second_variant_leaves_the_first_with_the_reason(open_service):
    one = open_service("first", "left", DENIED)
    await one.read(TOOL)
    change = await regenerated_twice(ViewEditor(one.service))
    assert change.status is ChangeStatus.DONE
    assert "no such key" in change.reason
    assert (await one.read(TOOL)).source == "left"
    assert variants_among(one.service.memory.versions(TOOL.name)) == ()


async def test_a_failed_first_variant_causes_no_request_for_a_second(open_service):
    one = open_service("first", DENIED)
    await one.read(TOOL)
    assert (await regenerated_twice(ViewEditor(one.service))).status is ChangeStatus.FAILED
    assert one.asked == 2
    assert (await one.read(TOOL)).source == "first"
