"""The second validation accepts every stored view that the first accepted, whatever results it saw."""

import pytest

from genui_core.application.generation.present_view import present_view
from genui_core.application.services import Services
from genui_core.application.views.tool_memory import ValidatedStore
from genui_core.application.worker.shape_learning import ShapeLearning, facts_of
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_store import DictStore, a_view
from genui_core.testing.view_validator import FirstWordValidator

pytestmark = pytest.mark.anyio

LISTS = Tool({"name": "search", "inputSchema": {"type": "object"}})
TAKES_ID = {"type": "object", "properties": {"ticket_id": {}}, "required": ["ticket_id"]}
READS = Tool({"name": "open_ticket", "inputSchema": TAKES_ID, "annotations": {"readOnlyHint": True}})
WRITES = Tool({"name": "close_ticket", "inputSchema": TAKES_ID})
KEPT = {"ui": {"visibility": ["model"]}}
HIDDEN = Tool({**READS.definition, "name": "audit_ticket", "_meta": KEPT})


async def test_a_view_may_call_what_only_reads_although_no_result_has_shown_yet_that_it_fits():
    validator = FirstWordValidator()
    store = ValidatedStore(Services(validator=validator, store=DictStore()))
    facts = facts_of(LISTS, [LISTS, READS, WRITES, HIDDEN], Settings(), ShapeLearning(keeps_values=False))
    assert await store.fit(facts, present_view(a_view())) is not None
    assert validator.contexts[0].callable_tools == {"search", "open_ticket"}
