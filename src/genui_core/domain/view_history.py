"""What is remembered of a tool's views: the wishes for them, and every view there was (SPEC §8)."""

from attrs import frozen

from genui_core.domain.refinements import Refinement
from genui_core.domain.stored_view import StoredView


@frozen(kw_only=True)
class RememberedView:
    """A view that a tool has or once had.

    Attributes:
        number: From 1, in the order of their making.
        view: The view.
        refinements: The wishes that it fulfils, oldest first.
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
        upstream_name: What the server calls itself whose tool it is; empty where that is not known.
        refinements: The wishes that hold now, oldest first.
        views: Every view, oldest first.
        present: The number of the one that is shown.
    """

    tool_name: str
    upstream_name: str = ""
    refinements: tuple[Refinement, ...] = ()
    views: tuple[RememberedView, ...] = ()
    present: int = 0

    def is_of(self, tool_name: str, upstream_name: str) -> bool:
        """Whether it is that of this tool of this upstream."""
        return (self.tool_name, self.upstream_name) == (tool_name, upstream_name)
