"""Which build of the kit the page of a view carries, and how often its fragment is read for that."""

import sys

import pytest

from genui_core.application.defaults.built_in import BuiltViewKit
from genui_core.application.generation.present_view import PresentView
from genui_core.application.pages.view_pages import ToolPages
from genui_core.application.services import Services
from genui_core.domain.pages.page_frame import PageNeeds
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool

TOOL = Tool({"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}})
FRAGMENT = "<template><p></p></template><script>function render(data, ui) {}</script>"
KIT = BuiltViewKit()


def page(source):
    view = PresentView(state=ViewState.GENERATED, key="k", source=source)
    return ToolPages(Services(), readers=frozenset).page(TOOL, view)


def test_a_page_reads_its_fragment_once():
    read = []

    def seen(frame, event, _what):
        if event == "call" and frame.f_code.co_name == "fragment_in":
            read.append(frame)

    page(FRAGMENT)  # loads the modules
    sys.setprofile(seen)
    try:
        page(FRAGMENT)
    finally:
        sys.setprofile(None)
    assert len(read) == 1


@pytest.mark.parametrize(("source", "is_written"), [(FRAGMENT, True), ("no view at all", False), ("", False)])
def test_a_page_carries_the_build_for_what_it_shows(source, is_written):
    script = KIT.script_for(PageNeeds(any_schema=False, written=is_written))
    assert script in page(source)
