"""Every UI of a server into a folder: listed, made, written (``export``, and ``--export-dir`` on a terminal)."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from attrs import evolve, frozen

from genui_adapters.bundle import BundleWriter, UnfitFolder
from genui_cli.cli_error import CliError
from genui_cli.output import note
from genui_cli.proxy import configured_wrapper
from genui_cli.subcommands.upstream_tools import quieter, upstream_tools
from genui_cli.upstream_options import UpstreamOptions, upstream_of
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import UpstreamTools, is_enabled
from genui_core.application.views.view_service import ViewService
from genui_core.application.worker.generation_worker import WorkerParts
from genui_core.domain.settings.configuration import Configuration
from genui_core.domain.tools.tool import Tool, ui_address
from genui_core.domain.views.exported_views import ExportedView

if TYPE_CHECKING:
    pass


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

        Raises OSError if a file cannot be written.
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
            work = self.views.view_work(ui_address(tool.name), self.views.identity.request_id())
            view = None if work is None else await work(parts, lambda _words: None)
        self.writer.write(self.views.pages.exported(tool, view))
        self.written()


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
        raise CliError(str(error), hint=hint) from error


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
            f"the upstream has no tool named {missing[0]!r}", hint=f"there are: {', '.join(tools)}"
        )
    return [tool for tool in tools.values() if not names or tool.name in names]


def _reason(views: ToolViews, tool: Tool) -> str:
    if tool.brings_own_ui:
        return "it brings one of its own"
    if not is_enabled(tool.name, views.settings):
        return "generation.enabledTools leaves it out"
    return "its definition cannot be shown"
