"""``mcp-gen-ui cache``: lists and deletes the stored views."""

import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import rich_click as click

from genui_cli.flags import examples, file_flags, json_flag
from genui_cli.output import note, say, say_json, say_table

if TYPE_CHECKING:
    from genui_core.domain.settings.settings import Settings
    from genui_core.ports.event_log import EventLog
    from genui_core.ports.view_store import ViewStore

Answer = TypeVar("Answer")
_LISTED = (
    "tool_name", "key", "size_bytes", "generated_at", "generation_duration_ms", "llm_model", "prompt_version",
    "request_id", "expires_at",
)  # fmt: skip
"""The fields of a stored view in the JSON list."""


@click.group(
    no_args_is_help=False,
    epilog=examples("mcp-gen-ui cache list", "mcp-gen-ui cache clear --tool get_forecast"),
)
def cache() -> None:
    """List or delete the stored views (cache.type)."""


@cache.command("list", epilog=examples("mcp-gen-ui cache list", "mcp-gen-ui cache list --json"))
@file_flags
@json_flag
def list_views(*, as_json: bool, **values: object) -> None:
    """List the stored views, the most recently used last."""
    views = _ask_store(values, lambda store: store.entries())
    if as_json:
        from genui_core.domain.mcp.json_text import json_name  # noqa: PLC0415 -- not for --help

        say_json([{json_name(name): getattr(view, name) for name in _LISTED} for view in views])
    elif views:
        rows = [
            (each.tool_name, str(each.size_bytes), each.generated_at, each.llm_model or "none", each.key[:12])
            for each in views
        ]
        say_table([("tool", "bytes", "made", "model", "key"), *rows])


@cache.command(
    epilog=examples(
        "mcp-gen-ui cache clear",
        "mcp-gen-ui cache clear --tool get_forecast",
        "mcp-gen-ui cache clear --histories",
    )
)
@click.option("--tool", metavar="NAME", help="Only the views of this tool.")
@click.option(
    "--histories",
    is_flag=True,
    help="Also the histories: the refinements and earlier views of each tool (generation.refinements).",
)
@file_flags
@json_flag
def clear(tool: str | None, *, histories: bool, as_json: bool, **values: object) -> None:
    """Delete the stored views, and print how many there were. Without --histories, refinements stay."""
    count = _ask_store(values, lambda store: store.clear() if tool is None else store.invalidate(tool))
    cleared = {"cleared": count}
    if histories:
        cleared["clearedHistories"] = _clear_histories(values, tool)
    if as_json:
        say_json(cleared)
        return
    say(f"{count} {'view' if count == 1 else 'views'} deleted")
    if histories:
        number = cleared["clearedHistories"]
        say(f"{number} {'history' if number == 1 else 'histories'} deleted")


def _clear_histories(values: dict[str, object], tool: str | None) -> int:
    """Clear the histories of one tool or of all; a running wrapper keeps its views until it ends."""
    import anyio  # noqa: PLC0415 -- not for --help

    from genui_adapters.view_store import factories  # noqa: PLC0415
    from genui_adapters.view_store.redis_store import RedisHistories  # noqa: PLC0415

    settings, event_log = _settings(values)
    histories = factories.histories(settings.cache, os.environ, event_log)

    async def clear_and_close() -> int:
        try:
            return await histories.clear(tool)
        finally:
            if isinstance(histories, RedisHistories):
                await histories.server.close()

    return anyio.run(clear_and_close)


def _ask_store(values: dict[str, object], ask: "Callable[[ViewStore], Awaitable[Answer]]") -> "Answer":
    """Return a store's answer; a shared store that is unreachable is an error, not an empty answer."""
    import anyio  # noqa: PLC0415 -- not for --help
    from attrs import evolve  # noqa: PLC0415

    from genui_adapters.compose import store_from  # noqa: PLC0415
    from genui_adapters.view_store.redis_store import RedisStore  # noqa: PLC0415

    settings, event_log = _settings(values)
    if settings.cache.type == "memory" and not settings.cache.persist_on_shutdown:
        note("views are kept in memory and end with their process; see cache.type")
    kept = evolve(settings, cache=evolve(settings.cache, enabled=True))
    store = store_from(kept, os.environ, event_log)

    async def ask_and_close() -> "Answer":
        try:
            if isinstance(store, RedisStore):
                await store.check()
            return await ask(store)
        finally:
            await store.close()

    return anyio.run(ask_and_close)


def _settings(values: dict[str, object]) -> "tuple[Settings, EventLog]":
    from genui_adapters.telemetry.configured_event_log import event_log_from  # noqa: PLC0415
    from genui_cli.configuration.loading import load  # noqa: PLC0415

    loaded = load(values, os.environ, needs_upstream=False)
    return loaded.configuration.settings, event_log_from(loaded.configuration.logging)
