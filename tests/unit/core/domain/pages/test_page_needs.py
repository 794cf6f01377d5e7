"""A page carries the build of the kit that it needs."""

import re
from pathlib import Path

import pytest

from genui_core.application.pages.view_pages import kit_parts
from genui_core.application.services import BuiltViewKit
from genui_core.domain.pages.generated_page import LIKENESS_PARTS, page_needs
from genui_core.domain.pages.page_frame import ALL_NEEDS, PageNeeds
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_kit import PlainViewKit

KIT = BuiltViewKit()


def tool(member):
    return Tool({"name": "a", "inputSchema": {"type": "object", "properties": {"x": member}}})


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("any_schema", [False, True])
def test_a_page_carries_what_its_schema_and_its_view_need(any_schema, written):
    needs = page_needs(tool({"type": "object" if any_schema else "string"}), "<p>" if written else "")
    assert needs == PageNeeds(any_schema, written)
    parts = kit_parts(KIT, needs)
    assert (parts.script, parts.style) == (KIT.script_for(needs), KIT.style_for(needs))
    assert parts.document_script == KIT.document_script


def test_a_document_carries_the_build_that_prepares_pages_for_documents():
    needs = page_needs(tool({"type": "string"}), "<html>", "document")
    assert needs == PageNeeds(any_schema=True, written=True)
    assert "prepareDocument:" in KIT.script_for(needs)
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


@pytest.mark.parametrize("name", LIKENESS_PARTS.split("|"))
def test_a_view_that_names_a_likeness_gets_the_parts_that_draw_it(name):
    needs = page_needs(tool({"type": "string"}), f"ui.root.append(ui.{name}(1))")
    assert needs == PageNeeds(any_schema=False, written=True, likeness=True)
    parts = kit_parts(KIT, needs)
    assert parts.script.endswith(KIT.script_for(PageNeeds(any_schema=False)))
    assert re.search(rf"\b{name}:", parts.script.split("McpGenUiParts", 1)[1][:20_000])
    assert "Things drawn" not in parts.style
    assert ".sheet{" in parts.style


@pytest.mark.parametrize(
    ("source", "is_drawn"),
    [
        ("const { sheet: cells } = ui;", True),
        ("ui?.sheet(data)", True),
        ("data.sheet.file; ui.show(message)", False),
    ],
)
def test_words_that_are_no_parts_of_the_kit_bring_none(source, is_drawn):
    assert page_needs(tool({"type": "string"}), source).likeness is is_drawn


def test_the_parts_are_those_of_the_kit():
    source = Path("view/src/likeness/index.js").read_text()
    assert tuple(re.findall(r"\w+", source.split("McpGenUiParts = {", 1)[1])) == tuple(
        LIKENESS_PARTS.split("|")
    )


def test_a_kit_that_is_built_once_serves_every_tool():
    kit = PlainViewKit()
    parts = kit_parts(kit, page_needs(tool({"type": "string"})))
    assert (parts.script, parts.style) == (kit.script, kit.style)
