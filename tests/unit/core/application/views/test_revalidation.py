"""The second validation accepts every stored view that the first accepted, whatever results it saw."""

import pytest
from attrs import evolve

from genui_core.application.generation.present_view import present_view
from genui_core.application.generation.shape_learning import ShapeLearning, facts_of
from genui_core.application.services import Services
from genui_core.application.views.tool_memory import ValidatedStore
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.document_planning import document_plan
from genui_core.testing.view_store import DictStore, a_view
from genui_core.testing.view_validator import FirstWordValidator

pytestmark = pytest.mark.anyio

LISTS = Tool({"name": "search", "inputSchema": {"type": "object"}})
TAKES_ID = {"type": "object", "properties": {"ticket_id": {}}, "required": ["ticket_id"]}
READS = Tool({"name": "open_ticket", "inputSchema": TAKES_ID, "annotations": {"readOnlyHint": True}})
WRITES = Tool({"name": "close_ticket", "inputSchema": TAKES_ID})
KEPT = {"ui": {"visibility": ["model"]}}
HIDDEN = Tool({**READS.definition, "name": "audit_ticket", "_meta": KEPT})
DOCUMENT = """<!DOCTYPE html>
<title>Open tickets</title><p id="count"></p><script type="module">
import { App } from "@modelcontextprotocol/ext-apps";
const page = new App({ name: "tickets", version: "1" });
page.ontoolresult = ({ content }) => { document.getElementById("count").textContent = content.length; };
await page.connect();
</script>"""


async def test_a_view_may_call_what_only_reads_although_no_result_has_shown_yet_that_it_fits():
    validator = FirstWordValidator()
    store = ValidatedStore(Services(validator=validator, store=DictStore()))
    facts = facts_of(LISTS, [LISTS, READS, WRITES, HIDDEN], Settings(), ShapeLearning(keeps_values=False))
    assert await store.revalidate(facts, present_view(a_view())) is not None
    assert validator.contexts[0].callable_tools == {"search", "open_ticket"}


async def test_a_document_from_a_store_in_memory_is_planned_again_and_a_fragment_is_served_as_it_is():
    services = Services()
    store, facts = (
        ValidatedStore(services),
        facts_of(LISTS, [LISTS], Settings(), ShapeLearning(keeps_values=False)),
    )
    document = evolve(a_view(html=DOCUMENT), context={"mode": "document"})
    for stored in (document, a_view("b" * 64, html="<p>")):
        await services.store.set(stored)
    found = await store.find(facts, document.key)
    assert found is not None
    assert found.plan == document_plan(found.source)
    fragment = await store.find(facts, "b" * 64)
    assert fragment is not None
    assert (fragment.source, fragment.plan) == ("<p>", None)
