"""A page carries the build of the kit that it needs."""

import pytest

from genui_core.application.defaults.built_in import BuiltViewKit
from genui_core.domain.pages.generated_page import NeededParts, parts_for
from genui_core.domain.pages.page_frame import ALL_NEEDS, PageNeeds
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_kit import PlainViewKit

KIT = BuiltViewKit()


def tool(member):
    return Tool({"name": "a", "inputSchema": {"type": "object", "properties": {"x": member}}})


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("any_schema", [False, True])
def test_a_page_carries_what_its_schema_and_its_view_need(any_schema, written):
    parts = parts_for(tool({"type": "object" if any_schema else "string"}), KIT, is_written=written)
    needs = PageNeeds(any_schema, written)
    assert parts == NeededParts(KIT, needs)
    assert (parts.script, parts.style) == (KIT.script_for(needs), KIT.style_for(needs))
    assert parts.document_script == KIT.document_script


def test_a_document_carries_the_build_that_prepares_pages_for_documents():
    parts = parts_for(tool({"type": "string"}), KIT, is_document=True)
    assert parts == NeededParts(KIT, PageNeeds(any_schema=True, written=True))
    assert "prepareDocument:" in parts.script
    assert "prepareDocument:" not in KIT.script_for(PageNeeds(any_schema=False, written=True))


def test_a_page_that_needs_less_carries_less():
    least, schemas, written, all_of_it = (
        len(KIT.script_for(PageNeeds(*each)))
        for each in ((False, False), (True, False), (False, True), (True, True))
    )
    assert least < schemas - 15_000
    assert least < written - 12_000
    assert max(schemas, written) < all_of_it == len(KIT.script)
    assert all(KIT.style_for(each).startswith(KIT.style_for(ALL_NEEDS[0])) for each in ALL_NEEDS)


def test_a_kit_that_is_built_once_serves_every_tool():
    kit = PlainViewKit()
    parts = parts_for(tool({"type": "string"}), kit)
    assert (parts.script, parts.style) == (kit.script, kit.style)
