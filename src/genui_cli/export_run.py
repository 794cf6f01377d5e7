"""Makes views one after the other, so many at once as are allowed, and writes each as it is done."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import anyio
from attrs import frozen

from genui_adapters.bundle.writing import BundleWriter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.exported_views import ExportedView
from genui_core.domain.tool import Tool
from genui_core.domain.ui_address import ui_address

if TYPE_CHECKING:
    from genui_core.application.generation.generation_worker import GenerationServices
    from genui_core.application.generation.present_view import PresentView


@frozen
class ExportRun:
    """One export under way.

    Args:
        wrapper: Whose views; it knows its tools.
        writer: Writes the folder.
        written: Called for every UI that was written.
    """

    wrapper: Wrapper
    writer: BundleWriter
    written: Callable[[], None]

    async def views(self, tools: list[Tool]) -> tuple[ExportedView, ...]:
        """Write the UIs of these tools, and return what the manifest tells of them.

        Raises:
            OSError: A file cannot be written.
        """
        parts = self.wrapper.generation_parts
        failures: list[Exception] = []
        try:
            async with anyio.create_task_group() as tasks:
                services = parts.opened(tasks, lambda _tool, _view: None)
                # Budgets run from the beginning of a generation, so none begins before it is its turn.
                leases = anyio.CapacityLimiter(self.wrapper.settings.generation.max_concurrent)

                async def export(tool: Tool) -> None:
                    try:
                        await self._export(tool, services, leases)
                    except Exception as error:  # noqa: BLE001 -- it is raised where it is not one of a group
                        failures.append(error)
                        exports.cancel_scope.cancel()

                async with anyio.create_task_group() as exports:
                    for tool in tools:
                        exports.start_soon(export, tool)
                tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                await parts.close()
        if failures:
            raise failures[0]
        self.writer.save()
        written = {each.tool: each for each in self.writer.manifest.views}
        return tuple(written[each.name] for each in tools)

    async def _export(
        self, tool: Tool, services: "GenerationServices", leases: anyio.CapacityLimiter
    ) -> None:
        async with leases:
            view = await self._made(tool, services)
        self.writer.write(self.wrapper.views.exported(tool, view))
        self.written()

    async def _made(self, tool: Tool, services: "GenerationServices") -> "PresentView | None":
        work = self.wrapper.view_work(ui_address(tool.name), self.wrapper.identity.request_id())
        return None if work is None else await work(services, lambda _words: None)
