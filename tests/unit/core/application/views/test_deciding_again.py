"""A tool with a minimal view is classified again when the shape of its results is first learned."""

from functools import partial
from math import inf

import anyio
import pytest

from genui_core.application.defaults import MemoryStore
from genui_core.application.generation.shape_learning import ShapeLearning
from genui_core.application.views.view_editor import ViewEditor
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.tools.classification import UiType, ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.clock import HandClock

pytestmark = pytest.mark.anyio

TOOL = Tool({"name": "say", "inputSchema": {"type": "object"}})
DANGEROUS = Tool({**TOOL.definition, "annotations": {"destructiveHint": True}})
SHAPE = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}}}
WORDS = {"type": "object", "properties": {"state": {"type": "string"}}}
DENIED = ProviderFailed(ProviderErrorCode.AUTHENTICATION, "no such key")


def quiet(_words):
    """Ignore progress."""


async def learn_shape(one, shape=SHAPE, tool=TOOL):
    """Make the service learn a shape, and wait until its work has ended."""
    facts = Facts(tool=tool, learned_shape=shape)
    one.service.tasks.start_soon(partial(one.service.read, facts, "again", timeout_s=inf))
    await anyio.wait_all_tasks_blocked()


async def minimal(open_service, *answers, **more):
    """Return a view service whose model has classified the tool as minimal."""
    one = open_service("minimal", *answers, **more)
    assert (await one.read(TOOL)).state is ViewState.MINIMAL
    return one


async def test_a_shape_worth_drawing_makes_the_view_rich_and_the_host_is_notified(open_service):
    one = await minimal(open_service, "a view")
    await learn_shape(one)
    assert (await one.read(TOOL)).source == "a view"
    assert one.changes == ["say"]
    assert one.service.kind_of(TOOL) is UiType.RICH
    assert one.store.views[one.service.key(TOOL)].html == "a view"


async def test_the_model_decides_with_the_shape_if_no_rule_does(open_service):
    one = await minimal(open_service, "minimal")
    await learn_shape(one, WORDS)
    assert "state: " in one.provider.requests[-1].prompt
    assert (await one.read(TOOL)).state is ViewState.MINIMAL
    assert (one.asked, one.changes) == (2, [])


async def test_a_tool_is_decided_again_only_once(open_service):
    one = await minimal(open_service, "minimal")
    for _ in range(3):
        await learn_shape(one, WORDS)
        await one.service.read(Facts(tool=TOOL, learned_shape=WORDS), "r")
    assert one.asked == 2


async def test_readers_get_the_minimal_view_until_the_decision(open_service):
    one = await minimal(open_service, None)
    await learn_shape(one)
    assert one.asked == 2
    assert (await one.read(TOOL)).state is ViewState.MINIMAL
    assert one.asked == 2


async def test_the_minimal_view_stays_if_the_decision_fails(open_service):
    one = await minimal(open_service, DENIED)
    await learn_shape(one)
    view = await one.read(TOOL)
    assert (view.state, view.reason, one.changes) == (ViewState.MINIMAL, "", [])
    for _ in range(3):
        view = await one.service.read(Facts(tool=TOOL, learned_shape=SHAPE), "r")
    assert (view.state, one.asked) == (ViewState.MINIMAL, 2)


async def test_a_tool_is_decided_again_without_a_cache_too(open_service):
    one = await minimal(open_service, "a view", store=MemoryStore(CacheSettings(max_entries=0), HandClock()))
    await learn_shape(one)
    assert (await one.read(TOOL)).source == "a view"
    assert one.changes == ["say"]


async def test_after_a_restart_a_stored_minimal_view_is_decided_again_by_a_shape(open_service):
    before = await minimal(open_service)
    one = open_service("a view", store=before.store)
    view = await one.service.read(Facts(tool=TOOL, learned_shape=SHAPE), "r")
    assert view.source == "a view"


async def test_after_a_restart_a_minimal_view_stays_without_a_shape(open_service):
    before = await minimal(open_service)
    one = open_service("never asked", store=before.store)
    assert (await one.read(TOOL)).state is ViewState.MINIMAL
    assert one.asked == 0


async def test_a_decision_of_a_person_or_the_settings_stays(open_service):
    one = open_service("first")
    await one.read(Tool({**TOOL.definition, "outputSchema": SHAPE}))
    await ViewEditor(one.service).regenerate(Facts(tool=TOOL), "r", quiet, ui_type=UiType.MINIMAL)
    await learn_shape(one)
    assert ((await one.read(TOOL)).state, one.asked) == (ViewState.MINIMAL, 1)
    other = open_service("never asked", configured={"ui_type": {"say": "minimal"}})
    await other.read(TOOL)
    await learn_shape(other)
    assert ((await other.read(TOOL)).state, other.asked) == (ViewState.MINIMAL, 0)


async def test_a_destructive_tool_is_decided_by_the_shape_of_its_results_like_any_other(open_service):
    one = open_service("minimal", "a view")
    await one.read(DANGEROUS)
    await learn_shape(one, tool=DANGEROUS)
    assert ((await one.read(DANGEROUS)).source, one.asked) == ("a view", 2)


async def test_a_later_shape_with_something_to_draw_makes_a_minimal_view_rich(open_service):
    one = await minimal(open_service, "minimal", "a view")
    await learn_shape(one, WORDS)
    assert (await one.read(TOOL)).state is ViewState.MINIMAL
    await learn_shape(one, SHAPE)
    assert ((await one.read(TOOL)).source, one.asked) == ("a view", 3)


class LearnsLate(ShapeLearning):
    """A shape that is learned while the model decides."""

    learned = None

    def latest(self, facts):
        return facts.with_shape(self.learned) if self.learned and facts.learned_shape is None else facts


async def test_a_shape_that_is_learned_while_the_model_decides_is_not_lost(open_service):
    shapes = LearnsLate(keeps_values=False)
    one = open_service("minimal", "a view", shapes=shapes)
    complete = one.provider.complete

    async def deciding(request, on_delta=None):
        shapes.learned = SHAPE
        return await complete(request, on_delta)

    one.provider.complete = deciding
    assert (await one.read(TOOL)).source == "a view"


async def test_regenerating_uses_the_newer_shape(open_service):
    one = await minimal(open_service, "a view")
    facts = Facts(tool=TOOL, learned_shape=SHAPE)
    change = await ViewEditor(one.service).regenerate(facts, "r", quiet)
    assert change.ui_type is UiType.RICH
