"""If a tool changes or disappears during a generation, it does not get the finished view (requirement W11)."""

import json

import anyio
import pytest
from anyio.lowlevel import checkpoint
from attrs import define, field

from genui_core.application.generation.present_view import ChangeStatus
from genui_core.application.own_tools.calls import call_wrapper_tool
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import Listing
from genui_core.application.views.view_editor import ViewEditor
from genui_core.application.views.view_service import ViewService
from genui_core.application.worker.generation_worker import WorkerParts
from genui_core.application.wrapper import Wrapper
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.tool import Tool
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_validator import FirstWordValidator

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
OLD = {"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS}
NEW = {**OLD, "description": "other words"}
ADDRESS = "ui://read_rows"
SLOW_S = 0.05


def fragment(words):
    return (
        f"<style></style><template><p>{words}</p></template><script>function render(data, ui) {{}}</script>"
    )


def quiet(_words):
    """Ignore progress."""


async def asked(model, times):
    """Wait until the model has got that many requests; it answers the last one later."""
    with anyio.fail_after(10):
        while len(model.requests) < times:
            await checkpoint()


@define
class OpenWrapper:
    """An open wrapper with its generation worker on the test's event loop."""

    views: ToolViews
    model: ScriptedProvider
    parts: WorkerParts
    told: list = field(factory=list)

    def offers(self, *definitions):
        listing = Listing()
        self.views.tools.add_page(listing, {"tools": list(definitions)})
        return self.views.finish_listing(listing)

    async def call(self, name, **arguments):
        work = call_wrapper_tool(self.views, name, {"toolName": "read_rows", **arguments}, "r")
        return await work(self.parts, quiet)

    async def told_by(self, name, **arguments):
        self.told.append(await self.call(name, **arguments))

    async def read(self):
        if not self.views.is_ready("read_rows", "r"):
            work = self.views.view_work("read_rows", "r")
            self.views.show_view("read_rows", await work(self.parts, quiet))
        return json.loads(b"".join(self.views.read_view(ADDRESS, "read_rows")))["text"]


@pytest.fixture
async def open_wrapper():
    """Return a function that opens wrappers; their tasks end with the test."""
    async with anyio.create_task_group() as tasks:

        def opened(*answers):
            model = ScriptedProvider.saying(map(fragment, answers))
            views = Wrapper(llm=model, validator=FirstWordValidator()).open()
            service = ViewService(views.services, tasks, views.view_changed, views.tools, views.shapes)
            one = OpenWrapper(views, model, WorkerParts(service))
            one.offers(OLD)
            return one

        yield opened
        tasks.cancel_scope.cancel()


async def test_a_refinement_of_a_tool_that_changed_in_the_meantime_fails_and_the_newer_view_stays(
    open_wrapper,
):
    one = open_wrapper("viewone", "viewblue", "viewnew")
    await one.read()
    async with anyio.create_task_group() as people:
        one.model.delay_s = SLOW_S
        people.start_soon(lambda: one.told_by("_ui_refine", feedback="make it blue"))
        await asked(one.model, 2)
        one.model.delay_s = 0
        assert one.offers(NEW).changed == ("read_rows",)
        assert "viewnew" in await one.read()
    (answer,) = one.told
    assert answer["structuredContent"]["status"] == "failed"
    assert "changed" in answer["structuredContent"]["reason"]
    assert "viewnew" in await one.read()
    inspected = (await one.call("_ui_inspect"))["structuredContent"]
    assert (inspected["state"], inspected["cached"]) == ("generated", True)
    assert inspected["refinementHistory"] == []


async def test_a_view_that_lands_after_its_tool_changed_is_not_served_for_the_new_one(open_wrapper):
    one = open_wrapper("viewone", "viewnew")
    one.model.delay_s = SLOW_S
    async with anyio.create_task_group() as people:
        people.start_soon(one.read)
        await asked(one.model, 1)
        one.offers(NEW)
    assert "viewone" not in json.loads(b"".join(one.views.read_view(ADDRESS, "read_rows")))["text"]
    assert "viewnew" in await one.read()
    versions = (await one.call("_ui_history"))["structuredContent"]["versions"]
    assert len(versions) == 1


async def test_a_view_submitted_for_a_tool_that_changed_in_the_meantime_is_refused(open_wrapper):
    one = open_wrapper("viewone")
    work = call_wrapper_tool(one.views, "_ui_submit", {"toolName": "read_rows", "html": "handed in"}, "r")
    one.offers(NEW)
    told = await work(one.parts, quiet)
    assert told["isError"]
    assert "'read_rows' changed or was removed in the meantime" in told["content"][0]["text"]


async def test_a_refinement_that_ends_while_the_tool_is_absent_counts_when_the_tool_returns(open_wrapper):
    one = open_wrapper("viewone", "viewblue")
    await one.read()
    async with anyio.create_task_group() as people:
        one.model.delay_s = SLOW_S
        people.start_soon(lambda: one.told_by("_ui_refine", feedback="make it blue"))
        await asked(one.model, 2)
        one.views.tools.forget_audience("")
    assert one.told[0]["structuredContent"]["status"] == "done"
    one.offers(OLD)
    assert "viewblue" in await one.read()


async def test_a_refinement_that_ends_after_its_tool_was_absent_is_not_restored(open_service):
    one, tool = open_service("first", "blue", "third"), Tool(OLD)
    await one.read(tool)
    changes = []

    async def refine():
        changes.append(await ViewEditor(one.service).refine(Facts(tool=tool), "make it blue", "r", quiet))

    async with anyio.create_task_group() as people:
        one.provider.delay_s = SLOW_S
        people.start_soon(refine)
        await asked(one.provider, 2)
        await one.service.forget(tool)
    assert [each.status for each in changes] == [ChangeStatus.FAILED]
    assert one.service.memory.refinements(tool.name).all == ()
    assert one.service.present(tool) is None
    assert one.store.views == {}
    assert (await one.read(tool)).source == "third"


async def test_the_refinements_of_a_tool_are_gone_before_the_store_forgets_it(open_service):
    one, tool = open_service("first", "blue"), Tool(OLD)
    await one.read(tool)
    await ViewEditor(one.service).refine(Facts(tool=tool), "make it blue", "r", quiet)

    async def never():
        await anyio.sleep_forever()

    one.store.entries = never
    with anyio.move_on_after(SLOW_S):
        await one.service.forget(tool)
    assert one.service.memory.refinements(tool.name).all == ()


async def test_a_late_view_of_a_tool_that_has_changed_is_not_served_for_the_new_one(open_wrapper):
    one = open_wrapper("viewone", "viewnew")
    late = await one.views.view_work("read_rows", "r")(one.parts, quiet)
    one.offers(NEW)
    one.views.show_view("read_rows", late, is_late=True)
    assert "viewone" not in json.loads(b"".join(one.views.read_view(ADDRESS, "read_rows")))["text"]
    assert "viewnew" in await one.read()
