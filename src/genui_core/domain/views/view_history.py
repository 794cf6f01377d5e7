"""The history of a tool's views: the refinements and every view that it had (SPEC §8)."""

from attrs import frozen

from genui_core.domain.views.refinements import Refinement
from genui_core.domain.views.stored_view import StoredView


@frozen(kw_only=True)
class RememberedView:
    """A view that a tool has or once had.

    Attributes:
        number: From 1, in the order of their making.
        view: The view.
        refinements: The refinements that it contains, oldest first.
        occasion: What it was made for, in words for a person.
    """

    number: int
    view: StoredView
    refinements: tuple[Refinement, ...] = ()
    occasion: str = ""


@frozen(kw_only=True)
class ViewHistory:
    """What is remembered of one tool.

    Attributes:
        tool_name: The tool.
        upstream_name: The name of the tool's server; empty if unknown.
        refinements: The present refinements, oldest first.
        views: Every view, oldest first.
        present: The number of the present view.
    """

    tool_name: str
    upstream_name: str = ""
    refinements: tuple[Refinement, ...] = ()
    views: tuple[RememberedView, ...] = ()
    present: int = 0

    def is_of(self, tool_name: str, upstream_name: str) -> bool:
        """Whether it is that of this tool of this upstream."""
        return (self.tool_name, self.upstream_name) == (tool_name, upstream_name)
