"""Where the views of one wrapper are made and changed, apart from the traffic (ARCHITECTURE 7, 8).

A studio lives in one event loop, which need not be that of a door. What a door wants of it is a
piece of `Work`: a function that is called there and comes to a value.
"""

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from attrs import frozen

from genui_core.application.generation.view_drafts import ViewDrafts
from genui_core.application.generation.view_editor import ViewEditor
from genui_core.application.generation.view_keeper import Report, ViewKeeper

Made = TypeVar("Made")


@frozen(kw_only=True)
class ViewStudio:
    """All that views are made with.

    Attributes:
        keeper: Which view each tool has, and how it comes by one.
        editor: Changes views at a person's wish.
        drafts: Has the host's own model write them.
    """

    keeper: ViewKeeper
    editor: ViewEditor
    drafts: ViewDrafts


Work: TypeAlias = Callable[[ViewStudio, Report], Awaitable[Made]]
"""Something to be done in a studio, which reports its progress in words for a person."""
