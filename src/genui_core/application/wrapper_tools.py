"""What the wrapper's own tools answer (SPEC §8).

A call becomes a piece of work for the studio: what of the wrapper it needs is taken along at
once, on the door's side, and what is asked for is checked there.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from attrs import frozen

from genui_core.application.tool_answers import failure, success
from genui_core.application.wrapped_tools import WrappedTools
from genui_core.domain import wrapper_tools as definitions
from genui_core.domain.registry import ToolDiff
from genui_core.errors import GenUiError, UpstreamFailed

if TYPE_CHECKING:
    from genui_core.application.generation.view_studio import Work

Answer = dict[str, object]


@frozen
class WrapperTools:
    """The tools of one `Wrapper`'s own."""

    _wrapper: WrappedTools

    def definitions(self) -> dict[str, dict[str, object]]:
        """Return the definitions to append to the upstream's tools, by published name."""
        return definitions.published(self._wrapper.active_tools)

    def yielded_names(self) -> dict[str, str]:
        """Return our tools whose names the upstream uses itself, with the longer names they go by (SPEC W12)."""
        names = {definitions.original_name(published): published for published in self.definitions()}
        return {name: published for name, published in names.items() if name != published}

    def call(
        self, published_name: str, arguments: Mapping[str, object], request_id: str
    ) -> "Work[Answer] | Answer":
        """Return the work that comes to the ``tools/call`` result, or the result where it is clear already.

        The result has text and structured content. A failure is a result with ``isError``, so that
        a model can read it and do better.
        """
        begin = self._beginnings(request_id)[definitions.original_name(published_name)]
        try:
            return begin(arguments)
        except (GenUiError, RecursionError) as error:
            return failure(error)

    def _beginnings(self, request_id: str) -> "Mapping[str, Callable[[Mapping[str, object]], Work[Answer]]]":
        from genui_core.application.view_changes import ViewChanges  # noqa: PLC0415 -- bring the studio along
        from genui_core.application.view_reports import ViewReports  # noqa: PLC0415

        reports, changes = ViewReports(self._wrapper), ViewChanges(self._wrapper, request_id)
        return {
            definitions.LIST: reports.list_all,
            definitions.INSPECT: reports.inspect,
            definitions.HISTORY: reports.history,
            definitions.PROMPT: reports.prompt,
            definitions.REFINE: changes.refine,
            definitions.REGENERATE: changes.regenerate,
            definitions.SUBMIT: changes.submit,
            definitions.ROLLBACK: changes.roll_back,
        }

    def refreshes(self, published_name: str) -> bool:
        """Whether a tool of ours lists the upstream's tools anew, which is the door's to do."""
        return definitions.original_name(published_name) == definitions.REFRESH_TOOLS

    def refreshed(self, outcome: ToolDiff | UpstreamFailed) -> Answer:
        """Return the ``tools/call`` result that tells what listing the tools anew has found."""
        if isinstance(outcome, UpstreamFailed):
            return failure(outcome)
        return success(
            {
                "added": list(outcome.added),
                "removed": list(outcome.removed),
                "changed": list(outcome.changed),
                "unchanged": list(outcome.unchanged),
            }
        )
