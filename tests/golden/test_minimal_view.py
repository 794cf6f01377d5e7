"""The pages of known tools equal the reviewed ones. ``UPDATE_GOLDEN=1`` writes them; review the difference."""

import os
from pathlib import Path

import pytest

from genui_core.domain.pages.minimal_view import Notice, minimal_page, page_data
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.testing.view_kit import PlainViewKit

GOLDEN = Path(__file__).parent / "minimal_view"
TOOLS = {
    "plain": {"name": "plain", "inputSchema": {"type": "object"}},
    "titled": {
        "name": "get_forecast",
        "title": "Weather forecast",
        "description": "One entry a day.\n\nSecond paragraph.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "minLength": 1},
                "days": {"type": "integer", "default": 0},
            },
            "required": ["city"],
        },
        "outputSchema": {"type": "object", "properties": {"days": {"type": "array"}}},
        "annotations": {"readOnlyHint": True},
        "_meta": {"left": "out"},
    },
    "hostile": {
        "name": "</script><img src=x onerror=alert(1)>",
        "title": "{{{x}}} {data} \"quoted\" & 'single'\n\x00 \u202e \ud800",
        "description": "<!-- </style> -->",
        "inputSchema": {"properties": {"__proto__": {"default": "</script>"}}},
    },
}


@pytest.mark.parametrize("name", TOOLS)
def test_the_page_equals_the_reviewed_one(name):
    tool = Tool(TOOLS[name])
    page = minimal_page(tool, page_data(tool, Settings(), Notice("limit", "A note.")), PlainViewKit())
    file = GOLDEN / f"{name}.html"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(page, encoding="utf-8")
    assert page == file.read_text(encoding="utf-8")
