"""The generation worker: makes and changes the views of one wrapper, apart from the traffic.

It runs in one event loop, which may differ from the transport's. The transport gives it `Work`: a
function that the worker calls in its own loop and that returns a value (ARCHITECTURE 7, 8).
"""

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias, TypeVar

from attrs import frozen

from genui_core.application.views.view_editor import ViewDrafts, ViewEditor
from genui_core.application.views.view_service import Report, ViewService
from genui_core.application.views.view_warming import ViewWarming
from genui_core.errors import GenUiError
from genui_core.ports.host_model import HostModel

Made = TypeVar("Made")


@frozen
class WorkerParts:
    """The parts that make and change views, in an open generation worker.

    Attributes:
        service: Holds the view of each tool.
        editor: Changes views on a person's request.
        drafts: Takes views that the host's own model wrote.
        warming: Makes views before a host reads them; None without a model.
    """

    service: ViewService
    editor: ViewEditor
    drafts: ViewDrafts
    warming: ViewWarming | None

    @classmethod
    def of(cls, service: ViewService) -> "WorkerParts":
        """Return the parts around a service."""
        generator = service.generator
        warming = None if generator is None else ViewWarming(service, generator.slots)
        return cls(service, ViewEditor(service), ViewDrafts(service), warming)


Work: TypeAlias = Callable[[WorkerParts, Report], Awaitable[Made]]
"""A function that the generation worker runs; it reports its progress in words for a person."""


class GenerationWorker(Protocol):
    """The transport's interface to the generation worker. The transport's thread calls it, and it never blocks."""

    def get_ready(self) -> None:
        """Set the generation worker up if that takes time: work may follow."""

    def close(self) -> None:
        """Give up what is under way, and finish what is being written."""

    def run(
        self,
        work: Work[Made],
        then: Callable[[Made | GenUiError], None],
        report: Report,
        host_model: HostModel | None = None,
    ) -> Callable[[], None]:
        """Run work.

        Args:
            work: The function to run.
            then: Called in the transport's thread with the result, or with the error that the work raised.
            report: Called in the transport's thread with progress, in words for a person.
            host_model: The model of the host that sent the request, if it offers sampling.

        Returns:
            What gives the work up. After it was called, neither ``then`` nor ``report`` is.
        """
        ...


class NoWorker(GenerationWorker):
    """Makes no views: each request for one gets an error."""

    def get_ready(self) -> None:
        """Nothing has to be set up."""

    def close(self) -> None:
        """Nothing is under way."""

    def run(
        self,
        work: Work[Made],  # noqa: ARG002 -- no work is done
        then: Callable[[Made | GenUiError], None],
        report: Report,  # noqa: ARG002 -- no progress is made
        host_model: HostModel | None = None,  # noqa: ARG002 -- no model is asked
    ) -> Callable[[], None]:
        """Answer with an error."""
        then(GenUiError("This transport started no generation worker, so it cannot make views."))
        return lambda: None
