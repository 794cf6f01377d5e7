"""The page of the minimal view, the kit around a tool definition (requirement M1), and the error page.

The tool's own text stands in two places of the page only: as escaped text in the title, and as JSON in a
data block that no text can close. A notice above the view says why this view is shown.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final, NamedTuple

from genui_core.domain.pages.page_frame import (
    CLOSED,
    ESCAPES,
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
"""The most page data, so that a minimal view with the kit for any schema has at most 256 KB."""
_DRAWN_KINDS = ("map", "timeline")
"""The kinds of hints that the kit obeys; it chooses all other kinds by the result."""
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
    """Return the notice on the minimal view while a model writes a rich view."""
    return Notice("provisional", "This works already; a richer view is being made.")


def fallback_notice(reason: str) -> Notice:
    """Return the notice on the minimal view after the generation of a rich view failed."""
    return Notice(
        "fallback", f"No richer view could be made, so this is the plain one. {_sentence(reason)}".strip()
    )


def limit_notice(reason: str) -> Notice:
    """Return the notice on a page that leaves out content because of a limit."""
    return Notice("limit", f"Something is left out here. {_sentence(reason)}".strip())


def _sentence(words: str) -> str:
    """Return a text on one line, with a full stop, or cut to a length that a person reads."""
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
    """Return the page's data for the kit as JSON: ASCII, safe inside a script element.

    A description or schema that would make the page huge is cut or left out, and a notice says so.

    Args:
        tool: The tool.
        settings: The limits of forms and results, the theme, the policy, and the hints for the tool.
        notice: The notice above the view.
        related: The names of the tools that the view may call besides its own; all of them only read.
        server: The look of the pages of the tool's server.
        live: The tool that a page calls for its next view and its kept state, the version of the page's view,
            and whether another view is being generated.
    """
    definition, limits, hints = tool.definition, settings.limits, settings.hints.get(tool.name)
    shown = {key: _without_generated_titles(definition[key]) for key in _SHOWN if key in definition}
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
    """Return the JSON of the page's data, without its least important parts if it is too long."""
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


def _without_generated_titles(schema: object, levels: int = _DEEPEST_TITLES) -> object:
    """Return a schema without pydantic's titles ("Is Dst" of ``is_dst``): the kit makes better ones."""
    if levels == 0 or not isinstance(schema, (dict, list)):
        return schema
    if isinstance(schema, list):
        return [_without_generated_titles(each, levels - 1) for each in schema]
    kept = {key: _without_generated_titles(each, levels - 1) for key, each in schema.items()}
    members = kept.get("properties")
    if isinstance(members, dict):
        for name, member in members.items():
            if isinstance(member, dict) and member.get("title") == name.replace("_", " ").title():
                members[name] = {key: each for key, each in member.items() if key != "title"}
    return kept


def _hints(annotations: object) -> dict[str, object]:
    """Return the boolean hints and the title of a tool's annotations."""
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
    """Return the page of a tool's minimal view, as one self-contained HTML file."""
    return tool_page(tool.title[:_MAX_HEAD_CHARACTERS], data, kit, policy=policy, scripts=(_START,))


def body_version(made_of: str, data: str, kit_build: str, source: str = "") -> str:
    """Return the version in the address of the page (requirement U1).

    The page is a function of the page data (with its notice), the kit's build, the source that a model wrote,
    the tool's definition and the page's template. So the hash covers these, and a thousand addresses need
    no thousand pages.

    Args:
        made_of: The view's cache key, which covers the tool's definition and the template; or just these two.
        data: The page data.
        kit_build: The names of the kit's build and the page's policy.
        source: The source that a model wrote; "" for the minimal view.
    """
    return view_version(f"{made_of}\n{kit_build}\n{data}\n{source}")


def view_version(source: str) -> str:
    """Return eight hex digits that distinguish a tool's views, by a source or by everything in a page."""
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
    """Return a page without any script, for a tool whose minimal view cannot be built.

    Args:
        tool_name: Any text.
        reason: What went wrong, in words.
        raw: The value to show, mostly the tool's definition; a long one is cut.
    """
    return _PAGE.format(
        policy=CLOSED,
        title=title_text(tool_name) or "Tool",
        reason=_escaped(reason, _MAX_ERROR_CHARACTERS),
        data=_escaped(_as_text(raw), _MAX_RAW_CHARACTERS),
    )


def _as_text(raw: object) -> str:
    with suppress(TypeError, ValueError, RecursionError):
        return json.dumps(raw, indent=2, ensure_ascii=False)
    with suppress(RecursionError):
        return repr(raw)
    return "(nested too deep to be shown)"


def _escaped(text: str, most: int) -> str:
    """Return a text as markup, cut to a length, with U+FFFD for each unprintable character."""
    cut = text if len(text) <= most else f"{text[:most]}…"
    kept = (each if each.isprintable() or each in "\n\t" else "\ufffd" for each in cut)
    return "".join(kept).translate(ESCAPES)
