"""Lets open pages wait for the view that is being made for their tool (``_ui_view``)."""

from typing import Final

import anyio
from attrs import define

from genui_core.application.generation.present_view import PresentView
from genui_core.application.views.view_editor import ViewEditor
from genui_core.application.views.view_service import ViewService
from genui_core.domain.pages.minimal_view import view_version
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.tool import Tool

MOST_WAITING: Final = 64
"""How many pages may wait at once; any other gets its answer without waiting."""
_LOOK_EVERY_S: Final = 0.05


@define
class ViewWaits:
    """Returns present views to open pages. It starts no generation.

    Args:
        service: Holds the view of each tool.
        editor: Changes views.
    """

    _service: ViewService
    _editor: ViewEditor
    _waiting: int = 0

    async def next_view(self, facts: Facts, have: str, wait_s: float) -> PresentView | None:
        """Return the present view of a tool: at once if it is another, or if none is being made.

        Args:
            facts: The tool.
            have: The version of the view on the page.
            wait_s: How long the page waits at most, in seconds.
        """
        tool = facts.tool
        await self._service.recall(facts)
        if self._waiting < MOST_WAITING:
            self._waiting += 1
            try:
                with anyio.move_on_after(wait_s):
                    await self._wait_for_news(tool, have)
            finally:
                self._waiting -= 1
        return self._service.at_hand(tool)

    async def _wait_for_news(self, tool: Tool, have: str) -> None:
        """Look again and again: generations, changes by a person and other wrappers all bring views."""
        while True:
            view = self._service.at_hand(tool)
            version = view_version("" if view is None else view.source)
            if version != have or not self.is_pending(tool):
                return
            await anyio.sleep(_LOOK_EVERY_S)

    def is_pending(self, tool: Tool) -> bool:
        """Whether a view of this tool is being made or changed now."""
        return self._service.is_being_made(tool) or self._editor.is_changing(tool)
