"""The definitions of the wrapper's own tools, and the names that hosts see (requirement T1)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from genui_core.domain.tools import wrapper_tool_schemas as schemas

REFINE = "_ui_refine"
LIST = "_ui_list"
INSPECT = "_ui_inspect"
REGENERATE = "_ui_regenerate"
REFRESH_TOOLS = "_ui_refresh_tools"
PROMPT = "_ui_prompt"
SUBMIT = "_ui_submit"
HISTORY = "_ui_history"
ROLLBACK = "_ui_rollback"
VIEW = "_ui_view"
OPEN = "_ui_open"
WAIT = "_ui_wait"
PUSH = "_ui_push"

DOCUMENTS = ("ui://docs/views", "ui://docs/kit", "ui://docs/refine")
"""The addresses of the pages for agents: how to write a view, what a view can call, how to change it.

`_ui_prompt` names them; `resources/list` does not, since hosts show that list to people.
"""

_CORE = (REFINE, REGENERATE)
"""The tools with ``core`` in ``host.ownTools``: to change a view, and to generate it again."""
_CALLED_BY_PAGES = (VIEW, ROLLBACK)
_FOR_PAGES: Mapping[str, object] = {"_meta": {"ui": {"visibility": ["app"]}}}

_READS: Mapping[str, object] = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": True,
    "openWorldHint": False,
}
_CHANGES = {**_READS, "readOnlyHint": False, "idempotentHint": False}
_ASKS_MODEL = {**_CHANGES, "openWorldHint": True}


def _tool(
    name: str,
    title: str,
    description: str,
    takes: Mapping[str, object],
    gives: Mapping[str, object],
    annotations: Mapping[str, object],
    **more: object,
) -> dict[str, object]:
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": takes,
        "outputSchema": gives,
        "annotations": annotations,
        **more,
    }


_DEFINITIONS: tuple[dict[str, object], ...] = (
    _tool(
        REFINE,
        "Change a UI",
        "Changes the interactive UI of one tool as described in plain words, for instance “make the table "
        "sortable”. Refinements add up. The present UI stays until the new one passes validation.",
        schemas.REFINE_INPUT,
        schemas.CHANGE_OUTPUT,
        _ASKS_MODEL,
    ),
    _tool(
        LIST,
        "List UIs",
        "Lists every tool of this server with the state of its interactive UI.",
        schemas.NO_ARGUMENTS,
        schemas.LIST_OUTPUT,
        _READS,
    ),
    _tool(
        INSPECT,
        "Inspect a UI",
        "Returns the state of one tool's interactive UI: its kind, address, cache key and history.",
        schemas.ONE_TOOL,
        schemas.INSPECT_OUTPUT,
        _READS,
    ),
    _tool(
        REGENERATE,
        "Generate a UI again",
        "Generates the interactive UI of one tool again, with the refinements so far or without them.",
        schemas.REGENERATE_INPUT,
        schemas.CHANGE_OUTPUT,
        _ASKS_MODEL,
    ),
    _tool(
        REFRESH_TOOLS,
        "Refresh the tools",
        "Lists the tools of this server again, and returns which were added, removed or changed since the "
        "last time.",
        schemas.NO_ARGUMENTS,
        schemas.REFRESH_OUTPUT,
        _READS,
    ),
    _tool(
        PROMPT,
        "Ask for the prompt of a UI",
        "Returns the prompt for the interactive UI of one tool. Write the UI as the prompt says, then submit "
        "it with _ui_submit. This needs no API key.",
        schemas.ONE_TOOL,
        schemas.PROMPT_OUTPUT,
        _READS,
    ),
    _tool(
        SUBMIT,
        "Submit a UI",
        "Validates an interactive UI that was written for the prompt of _ui_prompt, and repairs it where that "
        "is safe. Hosts show it from then on; or it is refused, with the findings to fix.",
        schemas.SUBMIT_INPUT,
        schemas.SUBMIT_OUTPUT,
        _CHANGES,
    ),
    _tool(
        HISTORY,
        "List a UI's versions",
        "Lists every interactive UI that one tool has had, oldest first. With the number of a version, it "
        "returns that version: its source, and the page that hosts show.",
        schemas.HISTORY_INPUT,
        schemas.HISTORY_OUTPUT,
        _READS,
    ),
    _tool(
        ROLLBACK,
        "Go back to a UI",
        "Restores an earlier interactive UI of one tool, with the refinements of that time.",
        schemas.ROLLBACK_INPUT,
        schemas.ROLLBACK_OUTPUT,
        {**_CHANGES, "idempotentHint": True},
    ),
    _tool(
        VIEW,
        "Get the present UI",
        "Returns the interactive UI that an open page of one tool should show now.",
        schemas.VIEW_INPUT,
        schemas.VIEW_OUTPUT,
        _READS,
        **_FOR_PAGES,
    ),
)

_COMPANION: tuple[dict[str, object], ...] = (
    _tool(
        OPEN,
        "Open the page of this session",
        "Shows the tool calls of this session to the person as interactive views in the browser. Returns the "
        "page's address, which works once; tell it to the person.",
        schemas.NO_ARGUMENTS,
        schemas.OPEN_OUTPUT,
        {**_CHANGES, "idempotentHint": True},
    ),
    _tool(
        WAIT,
        "Wait for the person",
        "Waits until the person does something in the page, and returns all that they did since the last time: "
        "calls, submitted forms, messages, choices. Empty if nothing happens in time; then call it again.",
        schemas.WAIT_INPUT,
        schemas.WAIT_OUTPUT,
        _CHANGES,
    ),
    _tool(
        PUSH,
        "Show data in the page",
        "Shows data in the page, or a view of it that you write (html: a fragment, as _ui_submit takes it). "
        "A fragment is validated; if it is refused, fix the findings and push it again.",
        schemas.PUSH_INPUT,
        schemas.PUSH_OUTPUT,
        _CHANGES,
    ),
)

NAMES = tuple(str(definition["name"]) for definition in _DEFINITIONS)
"""The original names, in the order of the list of tools."""


def published(upstream_names: Collection[str], *, live: bool = True) -> dict[str, dict[str, object]]:
    """Return the definitions of the wrapper's tools by their published names.

    A wrapper tool whose name the upstream uses itself gets a longer name (requirement W12). Without
    ``live`` (``host.live``), `_ui_view` is left out, with which open pages get their view.
    """
    return _renamed((each for each in _DEFINITIONS if live or each["name"] != VIEW), upstream_names)


def companion_tools(upstream_names: Collection[str]) -> dict[str, dict[str, object]]:
    """Return the tools of the companion page, as `published` returns the others."""
    return _renamed(_COMPANION, upstream_names)


def _renamed(
    definitions: Iterable[dict[str, object]], upstream_names: Collection[str]
) -> dict[str, dict[str, object]]:
    renamed: dict[str, dict[str, object]] = {}
    for definition in definitions:
        name = str(definition["name"])
        while name in upstream_names or name in renamed:
            name += "_of_wrapper"
        renamed[name] = {**definition, "name": name}
    return renamed


def listed(
    definitions: Mapping[str, dict[str, object]], which: Literal["all", "core", "none"]
) -> list[dict[str, object]]:
    """Return the published definitions to list for a host (``host.ownTools``); all others stay callable.

    A tool that open pages call is still listed, for pages only, if the model must not see it.
    """
    seen = {"all": NAMES, "core": _CORE, "none": ()}[which]
    called = _CALLED_BY_PAGES if any(original_name(name) == VIEW for name in definitions) else ()
    return [
        definition if original_name(name) in seen else {**definition, **_FOR_PAGES}
        for name, definition in definitions.items()
        if original_name(name) in (*seen, *called)
    ]


def published_name(name: str, upstream_names: Collection[str]) -> str:
    """Return the name under which the wrapper publishes one of its tools."""
    return yielded_names(upstream_names).get(name, name) if name in upstream_names else name


def original_name(published_name: str) -> str:
    """Return the original name of a wrapper tool whose published name may be longer."""
    return published_name.replace("_of_wrapper", "")


def yielded_names(upstream_names: Collection[str]) -> dict[str, str]:
    """Return the longer names of the wrapper tools whose names the upstream uses (requirement W12)."""
    names = {original_name(name): name for name in published(upstream_names)}
    return {name: longer for name, longer in names.items() if name != longer}
