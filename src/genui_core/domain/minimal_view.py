"""The page of the minimal UI: the kit around a tool's definition (SPEC §5, design VIEW).

The tool's own text reaches the page in two places only: as escaped text in the title, and as
JSON in a data block in which nothing can end the block.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from typing import Protocol

from attrs import frozen

from genui_core.domain.settings import Limits, Theme
from genui_core.domain.tool import Tool

_SHOWN = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_MAX_TITLE_CHARACTERS = 200
_MAX_TEXT_CHARACTERS = 20_000
_MAX_DATA_CHARACTERS = 200_000

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<script type="application/json" id="mcp-gen-ui-page">{data}</script>
<script>{script}</script>
<script>McpGenUi.startAdaptiveView();</script>
</body>
</html>
"""


class PageParts(Protocol):
    """The part of a view kit that a page carries."""

    @property
    def style(self) -> str:
        """The style sheet."""
        ...

    @property
    def script(self) -> str:
        """The script."""
        ...


@frozen
class Notice:
    """A discreet line on the page. ``kind`` is ``provisional``, ``fallback`` or ``limit``."""

    kind: str
    text: str


def page_data(tool: Tool, limits: Limits, theme: Theme, notice: Notice | None = None) -> str:
    """Return the JSON that tells the kit what to show: ASCII, safe inside a script element.

    A description or schema that would make the page huge is left out, and the page told why.
    """
    shown = {key: tool.definition[key] for key in _SHOWN if key in tool.definition}
    description = shown.get("description")
    if isinstance(description, str):
        shown["description"] = _cut(description, _MAX_TEXT_CHARACTERS)
    settings: dict[str, object] = {
        "limits": {
            "maxSchemaDepth": limits.max_schema_depth,
            "maxOutputDisplayBytes": limits.max_output_display_bytes,
        },
        "theme": theme,
        "notice": None if notice is None else {"kind": notice.kind, "text": notice.text},
    }
    return _within_bounds(shown, settings)


def _within_bounds(shown: dict[str, object], settings: Mapping[str, object]) -> str:
    text = _script_safe({"tool": shown, **settings, "schemaOmitted": None})
    if len(text) > _MAX_DATA_CHARACTERS and shown.pop("outputSchema", None) is not None:
        text = _script_safe({"tool": shown, **settings, "schemaOmitted": None})
    if len(text) > _MAX_DATA_CHARACTERS and shown.pop("inputSchema", None) is not None:
        reason = f"The input schema is too large to draw a form from ({len(text):,} characters)."
        text = _script_safe({"tool": shown, **settings, "schemaOmitted": reason})
    return text


def _script_safe(data: Mapping[str, object]) -> str:
    """Nothing but ASCII, and no ``<``: no byte of it can close the element or open a comment."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def minimal_page(tool: Tool, data: str, kit: PageParts) -> str:
    """Return the one self-contained HTML file that hosts show for a tool."""
    return _PAGE.format(title=_title(tool.title), style=kit.style, data=data, script=kit.script)


def body_version(cache_key: str, data: str, kit_build: str) -> str:
    """Return HASH8 of SPEC U1.

    The body is a function of the page data, the kit's build and the page's template, whose version
    is part of the cache key. So these stand for it, and a thousand addresses cost no thousand pages.
    """
    return sha256(f"{cache_key}\n{kit_build}\n{data}".encode()).hexdigest()[:8]


def _title(text: str) -> str:
    printable = "".join(each if each.isprintable() else " " for each in text[:_MAX_TITLE_CHARACTERS])
    return escape(_cut(printable, _MAX_TITLE_CHARACTERS))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
