"""The page of the minimal view: the kit around a tool's definition (requirement M1).

The tool's own text reaches the page in two places only: as escaped text in the title, and as JSON in a
data block in which nothing can end the block. A notice above the view says why this view is shown.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

from genui_core.domain.pages.page_frame import (
    CLOSED,
    PageParts,
    PagePolicy,
    json_in_script,
    title_text,
    tool_page,
)
from genui_core.domain.pages.tool_look import ServerLook
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool

_DEEPEST_TITLES = 40
_SHOWN = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
_MAX_TEXT_CHARACTERS = 20_000
_MAX_SHORT_CHARACTERS = 2_000
_MAX_HEAD_CHARACTERS = 200
_MOST_HINTS = 20
_MAX_DATA_CHARACTERS = 68_000
"""With the kit for any schema, whose size has limits of its own, a minimal view comes to no more than 256 KB."""
_DRAWN_KINDS = ("map", "timeline")
"""What the kit draws of the kinds in a hint; all else it decides by the result."""
_CUT = "The definition of this tool is too large to be shown whole."

_START = "McpGenUi.startAdaptiveView();"
_DEFAULT_POLICY = PagePolicy()
_NO_SERVER = ServerLook()

_MAX_REASON_CHARACTERS: Final = 300


class Notice(NamedTuple):
    """A discreet line on the page. ``kind`` is ``provisional``, ``fallback`` or ``limit``."""

    kind: str
    text: str


def provisional_notice() -> Notice:
    """Return what stands on the minimal view while a model writes a richer view."""
    return Notice("provisional", "This works already; a richer view is being made.")


def fallback_notice(reason: str) -> Notice:
    """Return what stands on the minimal view where a richer view could not be made."""
    return Notice(
        "fallback", f"No richer view could be made, so this is the plain one. {_sentence(reason)}".strip()
    )


def limit_notice(reason: str) -> Notice:
    """Return what stands on a page that shows less than there is, for a limit's sake."""
    return Notice("limit", f"Something is left out here. {_sentence(reason)}".strip())


def _sentence(words: str) -> str:
    """Return words on one line, of a length that a person reads, with a full stop."""
    line = " ".join(
        "".join(each if each.isprintable() else " " for each in words[: 2 * _MAX_REASON_CHARACTERS]).split()
    )
    if len(line) > _MAX_REASON_CHARACTERS:
        return f"{line[:_MAX_REASON_CHARACTERS].rstrip()}…"
    return line if not line or line[-1] in ".!?…" else f"{line}."


def page_data(
    tool: Tool,
    settings: Settings,
    notice: Notice | None = None,
    *,
    related: Sequence[str] = (),
    server: ServerLook = _NO_SERVER,
    live: Mapping[str, object] | None = None,
) -> str:
    """Return the JSON that tells the kit what to show: ASCII, safe inside a script element.

    A description or schema that would make the page huge is left out, and the page told why.

    Args:
        tool: The tool.
        settings: The limits of forms and results, the theme, the policy, and the hints for the tool.
        notice: A line above the view.
        related: The names of the tools that the view may call besides its own; all of them only read.
        server: How the pages of the tool's server look.
        live: The tool that a page asks for its next view and for its kept state, the version of the view that it has, and
            whether another is being made.
    """
    definition, limits, hints = tool.definition, settings.limits, settings.hints.get(tool.name)
    shown = {key: _without_made_titles(definition[key]) for key in _SHOWN if key in definition}
    shown |= _hints(shown.pop("annotations", None))
    _cut(shown, "title", _MAX_SHORT_CHARACTERS)
    _cut(shown, "description", _MAX_TEXT_CHARACTERS)
    more: dict[str, object] = {
        "limits": {
            "maxSchemaDepth": limits.max_schema_depth,
            "maxOutputDisplayBytes": limits.max_output_display_bytes,
        },
        "theme": settings.default_theme,
        "notice": None if notice is None else notice._asdict(),
        "look": server.properties,
        "icon": server.icon_of(tool),
    }
    if server.title:
        more["server"] = server.title[:_MAX_HEAD_CHARACTERS]
    if related:
        more["related"] = list(related)
    if not settings.page_policy:
        more["guarded"] = False
    if settings.granted.frame:
        more["frames"] = True
    if hints is not None and hints.kind in _DRAWN_KINDS:
        more["kind"] = hints.kind
    if live:
        more["live"] = live
    return _within_bounds(shown, more)


def _within_bounds(shown: dict[str, object], more: Mapping[str, object]) -> str:
    """Leave out what is least missed, until the rest fits."""
    text = json_in_script({"tool": shown, **more, "schemaOmitted": None})
    if len(text) <= _MAX_DATA_CHARACTERS:
        return text
    more = {**more, "notice": more["notice"] or limit_notice(_CUT)._asdict()}
    steps: tuple[Callable[[], object], ...] = (
        lambda: shown.pop("outputSchema", None),
        lambda: _cut(shown, "description", _MAX_SHORT_CHARACTERS),
        lambda: _cut(shown, "description", _MAX_HEAD_CHARACTERS),
    )
    for lessen in steps:
        lessen()
        text = json_in_script({"tool": shown, **more, "schemaOmitted": None})
        if len(text) <= _MAX_DATA_CHARACTERS:
            return text
    reason = f"The input schema is too large to draw a form from ({len(text):,} characters)."
    shown.pop("inputSchema", None)
    return json_in_script({"tool": shown, **more, "schemaOmitted": reason})


def _without_made_titles(schema: object, levels: int = _DEEPEST_TITLES) -> object:
    """Leave out the titles that pydantic makes of names ("Is Dst" of ``is_dst``): the kit reads names better."""
    if levels == 0 or not isinstance(schema, (dict, list)):
        return schema
    if isinstance(schema, list):
        return [_without_made_titles(each, levels - 1) for each in schema]
    kept = {key: _without_made_titles(each, levels - 1) for key, each in schema.items()}
    members = kept.get("properties")
    if isinstance(members, dict):
        for name, member in members.items():
            if isinstance(member, dict) and member.get("title") == name.replace("_", " ").title():
                members[name] = {key: each for key, each in member.items() if key != "title"}
    return kept


def _hints(annotations: object) -> dict[str, object]:
    """Keep of the annotations what is said of tools there: hints that are true or false, and a title."""
    if not isinstance(annotations, Mapping):
        return {}
    kept: dict[str, object] = {key: value for key, value in annotations.items() if isinstance(value, bool)}
    if "title" in annotations:
        kept["title"] = annotations["title"]
        _cut(kept, "title", _MAX_SHORT_CHARACTERS)
    return {"annotations": dict(list(kept.items())[-_MOST_HINTS:])}


def _cut(shown: dict[str, object], key: str, most: int) -> None:
    text = shown.get(key)
    if isinstance(text, str) and len(text) > most:
        shown[key] = f"{text[:most]}…"


def minimal_page(tool: Tool, data: str, kit: PageParts, policy: PagePolicy = _DEFAULT_POLICY) -> str:
    """Return the one self-contained HTML file that hosts show for a tool."""
    return tool_page(tool.title[:_MAX_HEAD_CHARACTERS], data, kit, policy=policy, scripts=(_START,))


def body_version(made_of: str, data: str, kit_build: str, source: str = "") -> str:
    """Return the hash in the address of the page (requirement U1).

    The body is a function of the page data, in which a notice stands, of the kit's build, of what a model
    wrote, of the tool's definition and of the page's template. So these stand for it, and a thousand
    addresses cost no thousand pages.

    Args:
        made_of: The view's cache key, which holds the last two; or these alone.
        data: The page data.
        kit_build: Names the kit's build and the page's policy.
        source: What a model wrote; "" for the minimal view.
    """
    return view_version(f"{made_of}\n{kit_build}\n{data}\n{source}")


def view_version(source: str) -> str:
    """Return the eight digits that tell a view from others of its tool, by its source or by all that it is made of."""
    return sha256(source.encode(errors="surrogatepass")).hexdigest()[:8]


_MAX_ERROR_CHARACTERS: Final = 2_000
_MAX_RAW_CHARACTERS: Final = 50_000

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
    """Return a page without any script, for when even the minimal view cannot be made.

    Args:
        tool_name: Any text.
        reason: What went wrong, in words.
        raw: What there is to show, mostly the tool's definition; whatever it is, it is cut to length.
    """
    return _PAGE.format(
        policy=CLOSED,
        title=title_text(tool_name) or "Tool",
        reason=_shown(reason, _MAX_ERROR_CHARACTERS),
        data=_shown(_as_text(raw), _MAX_RAW_CHARACTERS),
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
    from html import escape  # noqa: PLC0415 -- for pages about errors alone

    return escape(kept)
