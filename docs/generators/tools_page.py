"""Generates the reference of the wrapper's own tools from their definitions and schemas."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tool_texts import (
    ANSWER_MEANINGS,
    ARGUMENT_MEANINGS,
    FAILING_CALLS,
    GROUPS,
    REFINED,
    REFINEMENT,
    FailingCall,
)

from genui_core.application.own_tools.calls import call_wrapper_tool
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import Listing
from genui_core.application.wrapper import Wrapper
from genui_core.domain.mcp.jsonrpc import error_data
from genui_core.domain.tools.wrapper_tools import NAMES, companion_tools, listed, published
from genui_core.errors import GenUiError

Definition = Mapping[str, Any]

_HEAD: Final = """\
# The wrapper's own tools

<!-- Written by `python docs/generators`; a test compares the two. -->

Beside your server's tools, the wrapper lists tools of its own. With them, a chat changes views, explains them, or
writes them itself. Usually you say what you want, and the host's model selects the tool; if it does not, name the tool.

* **A view is not quite right?** Say what to change: `_ui_refine`. Refinements add up, and the former view stays until
  the new one passes validation.
* **It went in a wrong direction?** `_ui_history` and `_ui_rollback` return to an older version; `_ui_regenerate` starts
  over, with or without the refinements.
* **It is minimal, and you do not know why?** `_ui_inspect` has the reason and what the validator found.
* **You have no key?** The chat's own model writes the view: `_ui_prompt`, then `_ui_submit`.
* **Your server has changed?** `_ui_refresh_tools` lists its tools again.
* **Your agent runs in a terminal?** `_ui_open` shows its calls in the browser: see
  [Terminal agents](../how-to/terminal-agents.md).

## An example: a refinement

You say to the chat:

> In the forecast, make the table sortable, and draw the rain as bars.

The host's model calls

```json
{refinement}
```

and gets this answer, as text and as `structuredContent`:

```json
{refined}
```

An open page shows the new view by itself, and offers “Undo” for a moment ([how](../views.md#pages-that-swap-in-place)).
Later, “show the forecast as it was at first” leads to `_ui_rollback` with `version` 1. The [tutorial](../tutorial.md)
does all of this on your machine.

## Who sees them

Hosts that show MCP Apps get the first {count} tools; with `host.apps: always`, every host does. `host.ownTools` decides
which of them the host's model sees. “Pages” means that a tool is listed for open pages only
(`_meta.ui.visibility: ["app"]`). A client can also call a tool that is not listed. The last {companion_count} tools are for
agents in a terminal: they exist over stdio, where the host shows no MCP Apps.

If your server itself has a tool `_ui_refine`, the wrapper's tool is listed as `_ui_refine_of_wrapper`; the same holds for
the others.

| tool | to | `all` (default) | `core` | `none` |
|---|---|---|---|---|
"""
_COST: Final = """
## What they cost a model

A host sends the names, the descriptions and the input schemas to its model with each request. At four characters a
token, that is about

| `host.ownTools` | tools that the model sees | tokens | tools in a host that ignores `visibility` | tokens |
|---|---|---|---|---|
"""
_ERRORS: Final = """
## Errors

A call that fails returns a result with `isError`. Its text explains the error to the model. Instead of the members
below, its `structuredContent` has the fields of an error ([Errors](errors.md)):
{fields}.

If a model fails, or the validator refuses a view, that is no such error: the answer has the `status` `failed` and says why,
and hosts go on showing the former view.

In the examples of errors below, the server has the tools `get_forecast` and `show_map`, of which the second brings its
own UI, and the wrapper has no model.
"""
_SERVER_TOOLS: Final = (
    {"name": "get_forecast", "inputSchema": {"type": "object"}},
    {
        "name": "show_map",
        "inputSchema": {"type": "object"},
        "_meta": {"ui": {"resourceUri": "ui://map/view"}},
    },
)
_WHICH: Final = ("all", "core", "none")
_TYPES: Final = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
_PLURALS: Final = {"string": "texts", "integer": "whole numbers", "object": "objects"}


def tools_page() -> str:
    """Return the page.

    Raises:
        LookupError: A tool has no section, or an argument or a member of an answer no meaning.
    """
    _check_texts()
    return (
        _intro()
        + "".join(_overview_row(name, aim) for tools in GROUPS.values() for name, aim in tools.items())
        + _COST
        + "".join(_cost_row(which) for which in _WHICH)
        + _cost_of_companion()
        + _ERRORS.format(fields=", ".join(f"`{name}`" for name in _error_fields()))
        + "".join(f"\n## {title}\n" + "".join(map(_section, tools)) for title, tools in GROUPS.items())
    )


def tokens(definition: Definition) -> float:
    """Return about how many tokens a definition costs a model, at four characters each."""
    schema = json.dumps(definition["inputSchema"], ensure_ascii=False, separators=(",", ":"))
    return (len(definition["name"]) + len(definition["description"]) + len(schema)) / 4


def _definitions() -> dict[str, dict[str, Any]]:
    return {**published(()), **companion_tools(())}


def _check_texts() -> None:
    """Raise `LookupError` unless the texts belong to exactly the tools, arguments and members there are."""
    definitions = _definitions()
    sections = {name for tools in GROUPS.values() for name in tools}
    if sections != {*definitions}:
        raise LookupError(f"GROUPS in tool_texts.py and the tools differ: {sections ^ {*definitions}}")
    arguments, answers = _possible_keys("inputSchema"), _possible_keys("outputSchema")
    unused = {*ARGUMENT_MEANINGS} - arguments | {*ANSWER_MEANINGS} - answers
    if unused:
        raise LookupError(f"tool_texts.py has a meaning of what no tool has: {sorted(unused)}")


def _possible_keys(schema: str) -> set[str]:
    """Return every key under which a member of these schemas may have its meaning."""
    return {
        key
        for name, each in _definitions().items()
        for path, _, _ in _members(each[schema])
        for key in _keys(name, path)
    }


def _keys(name: str, path: str) -> tuple[str, str]:
    """Return the keys of a member's meaning: of one tool, or of every tool."""
    return f"{name}.{path}", path


def _meaning(texts: Mapping[str, str], name: str, path: str, schema: Definition) -> str:
    """Return what a member means: the text for it, then the description in its schema.

    Raises:
        LookupError: It has neither.
    """
    text = next((texts[key] for key in _keys(name, path) if key in texts), "")
    words = [each for each in (text, schema.get("description")) if each]
    if not words:
        raise LookupError(f"tool_texts.py has no meaning of `{path}` of {name}")
    return ". ".join(words)


def _error_fields() -> tuple[str, ...]:
    return tuple(error_data(GenUiError(), ""))


# --- the parts before the tools -----------------------------------------------------------


def _intro() -> str:
    return _HEAD.format(
        refinement=json.dumps(REFINEMENT, ensure_ascii=False),
        refined=json.dumps(REFINED, ensure_ascii=False, indent=2),
        count=len(NAMES),
        companion_count=len(companion_tools(())),
    )


def _overview_row(name: str, aim: str) -> str:
    seen = " | ".join(_seen_by(name).values()) if name in NAMES else "model | model | model"
    return f"| [`{name}`](#{name}) | {aim} | {seen} |\n"


def _seen_by(name: str, *, live: bool = True) -> dict[str, str]:
    """Return who sees a tool, for each value of `host.ownTools`."""
    seen = {}
    for which in _WHICH:
        found = {each["name"]: each for each in listed(published((), live=live), which)}.get(name)
        seen[which] = "-" if found is None else "pages" if "_meta" in found else "model"
    return seen


def _cost_row(which: Any) -> str:
    shown = listed(published(()), which)
    seen = [each for each in shown if "_meta" not in each]
    return f"| `{which}` | {len(seen)} | {_cost(seen)} | {len(shown)} | {_cost(shown)} |\n"


def _cost_of_companion() -> str:
    added = [*companion_tools(()).values()]
    whole = [*listed(published(()), "all"), *added]
    return (
        f"\nThe {len(added)} tools of the companion page cost another {_cost(added)}. "
        f"All {len(whole)} together cost {_cost(whole)}.\n"
    )


def _cost(definitions: list[dict[str, Any]]) -> str:
    return f"{round(sum(map(tokens, definitions)), -1):,.0f}"


# --- the tools ----------------------------------------------------------------------------


def _section(name: str) -> str:
    definition = _definitions()[name]
    return (
        f"\n### `{name}`\n\n{definition['description']}\n\n**Who sees it:** {_audience(name)}\n"
        + _arguments(name, definition["inputSchema"])
        + _answer(name, definition["outputSchema"])
        + (_error(name, FAILING_CALLS[name]) if name in FAILING_CALLS else "")
    )


def _audience(name: str) -> str:
    """Return who sees a tool, and which settings change that, in sentences."""
    if name not in NAMES:
        return (
            "the model, over stdio, where the host shows no MCP Apps. `companion.mode: always` offers it in every "
            "host, `never` in none."
        )
    seen = _seen_by(name)
    who = "the model" if seen["all"] == "model" else "open pages, never the model"
    words = [f"{who}, in hosts that show MCP Apps."]
    for role, effect in (("pages", "leaves it to open pages"), ("-", "takes it off the list")):
        settings = [which for which in _WHICH if seen[which] == role != seen["all"]]
        if settings:
            words.append(f"`host.ownTools: {'` or `'.join(settings)}` {effect}.")
    if name not in published((), live=False):
        words.append("`host.live: off` removes it.")
    elif _seen_by(name, live=False) != seen:
        words.append("With `host.live: off`, open pages do not get it either.")
    return " ".join(words)


def _arguments(name: str, schema: Definition) -> str:
    rows = "".join(
        f"| `{path}` | {_type(each)} | {_required(each, required=required)} | {_meaning(ARGUMENT_MEANINGS, name, path, each)} |\n"
        for path, each, required in _members(schema)
    )
    if not rows:
        return "\nIt takes no arguments.\n"
    return f"\n| argument | type | required | meaning |\n|---|---|---|---|\n{rows}"


def _required(schema: Definition, *, required: bool) -> str:
    if required:
        return "yes"
    return f"no; `{json.dumps(schema['default'])}`" if "default" in schema else "no"


def _answers_like(name: str) -> str:
    """Return the first tool on the page whose answers have the same schema."""
    definitions = _definitions()
    tools = (each for group in GROUPS.values() for each in group)
    return next(
        each for each in tools if definitions[each]["outputSchema"] is definitions[name]["outputSchema"]
    )


def _answer(name: str, schema: Definition) -> str:
    like = _answers_like(name)
    if like != name:
        return f"\nIts answer has the same members as that of [`{like}`](#{like}).\n"
    rows = "".join(
        f"| `{path}` | {_type(each)}{'' if required else ', optional'} | {_meaning(ANSWER_MEANINGS, name, path, each)} |\n"
        for path, each, required in _members(schema)
    )
    return f"\n| answer | type | meaning |\n|---|---|---|\n{rows}"


def _members(schema: Definition) -> Iterator[tuple[str, Definition, bool]]:
    """Yield the path, the schema and the necessity of each member of an object, without those of errors."""
    required = schema.get("anyOf", [schema])[0].get("required", schema["properties"])
    left_out = _error_fields() if "anyOf" in schema else ()
    for name, each in schema["properties"].items():
        if name in left_out and name not in required:
            continue
        items = each.get("items", {})
        if "properties" in items:
            yield from ((f"{name}[].{path}", *rest) for path, *rest in _members(items))
            continue
        yield name, each, name in required
        if "properties" in each:
            yield from ((f"{name}.{path}", *rest) for path, *rest in _members(each))


def _type(schema: Definition) -> str:
    """Return the type of a schema in words, with its limits."""
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    kind = schema.get("type", "any JSON")
    if kind == "array":
        return f"list of {_PLURALS[schema['items']['type']]}"
    kinds = [kind] if isinstance(kind, str) else kind
    return " or ".join(_TYPES.get(each, each) for each in kinds) + _limits(schema)


def _limits(schema: Definition) -> str:
    if "maximum" in schema:
        return f" from {schema['minimum']} to {schema['maximum']:,}"
    if "minimum" in schema:
        return f" of at least {schema['minimum']}"
    return ", not empty" if "minLength" in schema else ""


def _error(name: str, call: FailingCall) -> str:
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return f"\n**An error:** {call.why} `{name} {arguments}` returns\n\n> {call.message or _message(name, call)}\n"


def _message(name: str, call: FailingCall) -> str:
    """Return the text of the error that a call gets from a wrapper without a model."""
    result = call_wrapper_tool(_views(), name, call.arguments, "")
    if not isinstance(result, dict) or not result["isError"]:
        raise ValueError(f"the example of an error of {name} does not fail")
    content: Any = result["content"]
    return str(content[0]["text"])


def _views() -> ToolViews:
    """Return the views of a server with a tool that gets a view and one that brings its own."""
    views, listing = Wrapper().open(), Listing()
    views.tools.add_page(listing, {"tools": [*_SERVER_TOOLS]})
    views.tools.finish(listing)
    return views
