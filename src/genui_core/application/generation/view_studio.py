"""Where the views of one wrapper are made and changed, apart from the traffic (ARCHITECTURE 7, 8).

A studio lives in one event loop, which need not be that of a door. What a door wants of it is a
piece of `Work`: a function that is called there and comes to a value.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias, TypeVar

from attrs import frozen

from genui_core.application.generation.view_drafts import ViewDrafts
from genui_core.application.generation.view_editor import ViewEditor
from genui_core.application.generation.view_keeper import Report, ViewKeeper
from genui_core.application.generation.view_warming import ViewWarming
from genui_core.errors import GenUiError
from genui_core.ports.host_model import HostModel

Made = TypeVar("Made")


@frozen(kw_only=True)
class ViewStudio:
    """All that views are made with.

    Attributes:
        keeper: Which view each tool has, and how it comes by one.
        editor: Changes views at a person's wish.
        drafts: Has the host's own model write them.
        warming: Has them made before anybody asks; None where there is no model.
    """

    keeper: ViewKeeper
    editor: ViewEditor
    drafts: ViewDrafts
    warming: ViewWarming | None = None


Work: TypeAlias = Callable[[ViewStudio, Report], Awaitable[Made]]
"""Something to be done in a studio, which reports its progress in words for a person."""


class StudioLine(Protocol):
    """A door's way to the studio. Its methods never wait and are called on the door's side."""

    def get_ready(self) -> None:
        """Take note that work may come; a studio that takes time to set up does that now."""

    def run(
        self,
        work: Work[Made],
        then: Callable[[Made | GenUiError], None],
        report: Report,
        host_model: HostModel | None = None,
    ) -> Callable[[], None]:
        """Have work done.

        Args:
            work: What is to be done.
            then: Called on the door's side with what it came to, or with the error that it raised.
            report: Told of progress on the door's side, in words for a person.
            host_model: The way to the model of the host that wants it, where it lends one.

        Returns:
            What gives the work up. After it was called, neither ``then`` nor ``report`` is.
        """
        ...
