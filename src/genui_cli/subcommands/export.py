"""``mcp-gen-ui export``: every UI of a server as a file, with a manifest."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import rich_click as click
from attrs import evolve, frozen

from genui_adapters.bundle import BundleWriter, UnfitFolder
from genui_cli.cli_error import OK, TOOL_OR_MODEL_FAILED, USAGE, CliError
from genui_cli.configured_wrapper import configured_wrapper
from genui_cli.flags import (
    bundle_flags,
    configuration_flags,
    examples_with_models,
    json_flag,
    model_flags,
    upstream_flags,
)
from genui_cli.output import note, say_json, say_table
from genui_cli.remote_options import upstream_of
from genui_cli.subcommands.upstream_tools import quieter, upstream_tools
from genui_cli.upstream_options import UpstreamOptions
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import UpstreamTools, is_enabled
from genui_core.application.views.view_service import ViewService
from genui_core.application.worker.generation_worker import WorkerParts
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.tools.tool import Tool, ui_address
from genui_core.domain.views.exported_views import ExportedView

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView
    from genui_core.domain.settings.configuration import Configuration


_FOLDER = "exported-views"


@click.command(
    epilog=examples_with_models(
        "mcp-gen-ui export -- python my_server.py",
        "mcp-gen-ui export --llm anthropic --export-dir views -- python my_server.py",
        "mcp-gen-ui export --tool get_forecast --tool get_alerts -- python my_server.py",
        "mcp-gen-ui --frozen views -- python my_server.py",
    )
)
@upstream_flags
@configuration_flags
@model_flags
@bundle_flags
@click.option(
    "-o", "--export-dir", metavar="DIR", default=_FOLDER, show_default=True, help="The folder to write."
)
@click.option(
    "--tool", "names", metavar="NAME", multiple=True, help="Only this tool; the others in the folder stay."
)
@click.option("--force", is_flag=True, help="Write into a folder that holds other things too.")
@json_flag
@click.pass_context
def export(
    context: click.Context,
    /,
    upstream: UpstreamOptions,
    names: tuple[str, ...],
    export_dir: str,
    *,
    force: bool,
    as_json: bool,
    quiet: bool,
    **values: object,
) -> None:
    """Write every UI of a server into a folder, as pages that work without mcp-gen-ui.

    No tool is called. Where there is a model, it writes the views that are not kept already;
    otherwise every tool gets its minimal UI. What was written can be served back with --frozen.
    """
    from genui_cli.flag_values import typed_from  # noqa: PLC0415 -- not for --help
    from genui_cli.launch import load_aloud  # noqa: PLC0415

    configuration = load_aloud(typed_from(values, names_upstream=upstream.is_named), quiet=quiet)
    context.exit(export_all(upstream, configuration, export_dir, names=names, force=force, as_json=as_json))


def export_all(
    upstream: UpstreamOptions,
    configuration: "Configuration",
    folder: str,
    *,
    names: tuple[str, ...] = (),
    force: bool = False,
    as_json: bool = False,
) -> int:
    """Export, say what was written, and return the exit code.

    Raises:
        CliError: The upstream, the folder or a tool cannot be used.
        GenUiError: The upstream cannot be reached, or the model not be had.
    """
    from functools import partial  # noqa: PLC0415 -- not for --help
    from pathlib import Path  # noqa: PLC0415

    import anyio  # noqa: PLC0415

    place = Path(folder).expanduser()
    upstream = upstream._replace(configured=configuration.upstream)
    work = partial(exported, names=names, force=force, progress=_progress())
    try:
        export_made = anyio.run(work, upstream, configuration, place)
    except OSError as error:
        text = f"{place} cannot be written: {error.strerror or error}"
        hint = "name a folder that you may write: --export-dir DIR"
        raise CliError(text, hint=hint, exit_code=USAGE) from error
    _tell(export_made, place, as_json=as_json)
    return TOOL_OR_MODEL_FAILED if export_made.failed else OK


def _progress() -> "Progress":
    """Return what counts on a terminal, and says nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _count: None
    done = 0

    def count(of: int) -> None:
        nonlocal done
        done += 1
        sys.stderr.write(f"\r{done} of {of} UIs" + ("\n" if done == of else ""))
        sys.stderr.flush()

    return count


def _tell(export_made: "Export", folder: object, *, as_json: bool) -> None:
    for name, reason in export_made.skipped.items():
        note(f"{name}: no UI was exported: {reason}")
    for view in export_made.failed:
        note(f"{view.tool}: the minimal UI was exported: {view.fallback_reason}")
    if as_json:
        views = [
            {"tool": each.tool, "file": each.file, "uiType": each.ui_type, "sizeBytes": each.size_bytes,
             "sha256": each.sha256, "fallbackReason": each.fallback_reason}
            for each in export_made.views
        ]  # fmt: skip
        say_json({"folder": str(folder), "views": views, "skipped": export_made.skipped})
        return
    rows = [(each.tool, each.ui_type, str(each.size_bytes), each.file) for each in export_made.views]
    say_table([("tool", "UI", "bytes", "file"), *rows])
    note(f"{len(rows)} UIs in {folder}; serve them without a model: --frozen {folder}")


@frozen
class ExportRun:
    """One export under way.

    Args:
        views: The tools, and their views.
        writer: Writes the folder.
        written: Called for every UI that was written.
    """

    views: ToolViews
    writer: BundleWriter
    written: Callable[[], None]

    async def write(self, tools: list[Tool]) -> tuple[ExportedView, ...]:
        """Write the UIs of these tools, and return what the manifest tells of them.

        Raises:
            OSError: A file cannot be written.
        """
        services = self.views.services
        failures: list[Exception] = []
        try:
            async with anyio.create_task_group() as tasks:
                parts = WorkerParts.of(
                    ViewService(services, tasks, lambda _tool, _view: None, self.views.known)
                )
                # Budgets run from the beginning of a generation, so none begins before it is its turn.
                leases = anyio.CapacityLimiter(self.views.settings.generation.max_concurrent)

                async def export(tool: Tool) -> None:
                    try:
                        await self._export(tool, parts, leases)
                    except Exception as error:  # noqa: BLE001 -- it is raised where it is not one of a group
                        failures.append(error)
                        exports.cancel_scope.cancel()

                async with anyio.create_task_group() as exports:
                    for tool in tools:
                        exports.start_soon(export, tool)
                tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await services.close()
        if failures:
            raise failures[0]
        self.writer.save()
        written = {each.tool: each for each in self.writer.manifest.views}
        return tuple(written[each.name] for each in tools)

    async def _export(self, tool: Tool, parts: WorkerParts, leases: anyio.CapacityLimiter) -> None:
        async with leases:
            view = await self._made(tool, parts)
        self.writer.write(self.views.pages.exported(tool, view))
        self.written()

    async def _made(self, tool: Tool, parts: WorkerParts) -> "PresentView | None":
        work = self.views.view_work(ui_address(tool.name), self.views.identity.request_id())
        return None if work is None else await work(parts, lambda _words: None)


_WITHOUT_END_MS = 24 * 60 * 60 * 1000
"""The time limit of a read: only the export waits for it, and a generation has its own limit."""

Progress = Callable[[int], None]
"""Called for every UI that was written, with how many there are in all."""


@frozen
class Export:
    """What came of an export.

    Attributes:
        views: The written views, in the order of the tools.
        skipped: The tools without a view from the wrapper, with the reasons.
    """

    views: tuple[ExportedView, ...]
    skipped: dict[str, str]

    @property
    def failed(self) -> tuple[ExportedView, ...]:
        """The views that are the minimal UI because no richer one could be made."""
        return tuple(each for each in self.views if each.fallback_reason is not None)


async def exported(
    upstream: UpstreamOptions,
    configuration: Configuration,
    folder: Path,
    *,
    names: tuple[str, ...] = (),
    force: bool = False,
    progress: Progress = lambda _count: None,
) -> Export:
    """Write the UIs of an upstream's tools into a folder. No tool is called.

    Args:
        upstream: What was typed and what is configured about it.
        configuration: The configuration.
        folder: Empty, missing, or an export of this program.
        names: Exports only these tools, and keeps the other views in the folder; empty for all tools.
        force: Whether the folder may be any other folder too.
        progress: Called with every written view.

    Raises:
        CliError: The folder, the upstream, a tool or a configured file cannot be used.
        GenUiError: The model cannot be used.
        OSError: A file cannot be written.
    """
    writer = _writer(folder, keep=bool(names), force=force)
    wrapper = configured_wrapper(_patient(configuration), upstream_of(upstream, os.environ).secrets)
    views = wrapper.open()
    if views.has_model:
        by = views.services.configuration
        note(f"{by.provider} ({by.model}) writes the views that are not kept; --llm none leaves it out")
    offered = await upstream_tools(upstream, configuration, os.environ, wrapper.event_log)
    views.tools.know_upstream(offered.info)
    listing = views.tools.begin_listing()
    listing.add_page([each.definition for each in offered.tools])
    views.finish_listing(listing)
    wanted = _wanted(views.tools, names)
    shown = [each for each in wanted if views.tools.gives_ui(each)]
    written = await ExportRun(views, writer, partial(progress, len(shown))).write(shown)
    return Export(written, {each.name: _reason(views, each) for each in wanted if each not in shown})


def _writer(folder: Path, *, keep: bool, force: bool) -> BundleWriter:
    try:
        return BundleWriter.into(folder, keep=keep, force=force)
    except UnfitFolder as error:
        hint = f"choose another with --export-dir{'' if force else ', or use --force'}"
        raise CliError(str(error), hint=hint, exit_code=USAGE) from error


def _patient(configuration: Configuration) -> Configuration:
    settings = configuration.settings
    generation = evolve(settings.generation, serve_within_ms=_WITHOUT_END_MS)
    return evolve(
        configuration,
        settings=evolve(settings, generation=generation),
        logging=quieter(configuration.logging),
        export_dir=None,
    )


def _wanted(known: UpstreamTools, names: tuple[str, ...]) -> list[Tool]:
    tools = known.active_tools
    missing = [name for name in names if name not in tools]
    if missing:
        raise CliError(
            f"the upstream has no tool named {missing[0]!r}",
            hint=f"there are: {', '.join(tools)}",
            exit_code=USAGE,
        )
    return [tool for tool in tools.values() if not names or tool.name in names]


def _reason(views: ToolViews, tool: Tool) -> str:
    if tool.brings_own_ui:
        return "it brings one of its own"
    if not is_enabled(tool.name, views.settings):
        return "generation.enabledTools leaves it out"
    return "its definition cannot be shown"
