"""The second validation accepts every stored view that the first accepted, whatever results it saw."""

import pytest

from genui_core.application.generation.validated_store import Revalidation
from genui_core.application.view_making import ViewMaking
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.identity import NumberedIdentity
from genui_core.testing.view_store import a_view
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
    look = Revalidation(
        validator=validator, strict=True, identity=NumberedIdentity(), event_log=RecordingEventLog()
    )
    facts = ViewMaking(settings=Settings()).facts(LISTS, [LISTS, READS, WRITES, HIDDEN])
    assert await look.passes(facts, a_view()) is not None
    assert validator.contexts[0].callable_tools == {"search", "open_ticket"}
