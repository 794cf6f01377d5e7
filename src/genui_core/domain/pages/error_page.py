"""The page of last resort: a tool's name, what went wrong, and raw data, with nothing that could fail (SPEC §4)."""

import json
from contextlib import suppress
from html import escape
from typing import Final

from genui_core.domain.pages.page_frame import CLOSED, title_text

_MAX_REASON_CHARACTERS: Final = 2_000
_MAX_DATA_CHARACTERS: Final = 50_000

_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
{policy}<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; background: light-dark(#fff, #17191c); color: light-dark(#1b1f24, #eceef1) }}
body {{ margin: 16px; font: 13.5px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }}
h1 {{ margin: 0; font-size: 16px }}
pre {{ white-space: pre-wrap; font: 12.5px/1.5 ui-monospace, monospace }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>The view of this tool could not be made: {reason}</p>
<p>The tool itself can still be used from the chat. This is what is known of it:</p>
<pre tabindex="0" role="region" aria-label="Raw data">{data}</pre>
</main>
</body>
</html>
"""


def error_page(tool_name: str, reason: str, raw: object) -> str:
    """Return a page without any script, for when even the minimal UI cannot be made.

    Args:
        tool_name: Any text.
        reason: What went wrong, in words.
        raw: What there is to show, mostly the tool's definition; whatever it is, it is cut to length.
    """
    return _PAGE.format(
        policy=CLOSED,
        title=title_text(tool_name) or "Tool",
        reason=_shown(reason, _MAX_REASON_CHARACTERS),
        data=_shown(_as_text(raw), _MAX_DATA_CHARACTERS),
    )


def _as_text(raw: object) -> str:
    with suppress(TypeError, ValueError, RecursionError):
        return json.dumps(raw, indent=2, ensure_ascii=False)
    with suppress(RecursionError):
        return repr(raw)
    return "(nested too deep to be shown)"


def _shown(text: str, most: int) -> str:
    """Return a text as markup, without what no page may hold."""
    cut = text if len(text) <= most else f"{text[:most]}…"
    kept = "".join(each if each.isprintable() or each in "\n\t" else "\ufffd" for each in cut)
    return escape(kept)
