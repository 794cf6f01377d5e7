"""A tool's view as it is now, and the views it had."""

from enum import StrEnum

from attrs import frozen

from genui_core.domain.generation import Outcome
from genui_core.domain.generation_settings import GenerationMode
from genui_core.domain.refinements import Refinements
from genui_core.domain.stored_view import StoredView


class ViewState(StrEnum):
    """What a tool's view is at the moment."""

    MINIMAL = "minimal"
    """What the tool deserves, or all there is without a model."""
    PROVISIONAL = "provisional"
    """The minimal UI, while a model writes."""
    GENERATED = "generated"
    FALLBACK = "fallback"
    """The minimal UI, because a generation failed."""


@frozen(kw_only=True)
class PresentView:
    """A tool's view as it is now.

    Attributes:
        state: What it is.
        key: Its cache key.
        source: What the model wrote, or "".
        reason: Of a fallback.
        stored: Its entry in the store, where it is a finished view.
    """

    state: ViewState
    key: str
    source: str = ""
    reason: str = ""
    stored: StoredView | None = None

    @property
    def mode(self) -> GenerationMode:
        """What its source is: a fragment or a document."""
        mode = self.stored.context.get("mode") if self.stored is not None else None
        return "document" if mode == "document" else "fragment"

    @property
    def error_type(self) -> str | None:
        """Of a fallback: the kind of failure."""
        kind = self.stored.context.get("fallbackKind") if self.stored is not None else None
        return kind if isinstance(kind, str) else None


@frozen(kw_only=True)
class Version:
    """A view that a tool has or once had.

    Attributes:
        number: From 1, in the order of their making.
        view: The view.
        refinements: The wishes that it fulfils.
        occasion: What it was made for, in words for a person.
    """

    number: int
    view: PresentView
    refinements: Refinements
    occasion: str


def context_of(outcome: Outcome, mode: str) -> dict[str, object]:
    """Return what of an outcome a store keeps beside the source."""
    failure = outcome.failure
    return {
        "mode": mode,
        "uiType": str(outcome.ui_type),
        "repairs": list(outcome.repairs),
        "fallbackKind": None if failure is None else str(failure.kind),
        "fallbackReason": None if failure is None else failure.reason,
    }


def present_view(stored: StoredView) -> PresentView:
    """Return a stored view as one that can be served."""
    reason = stored.context.get("fallbackReason")
    failed = isinstance(reason, str)
    state = ViewState.GENERATED if stored.html else ViewState.FALLBACK if failed else ViewState.MINIMAL
    return PresentView(
        state=state,
        key=stored.key,
        source=stored.html,
        reason=reason if isinstance(reason, str) else "",
        stored=stored,
    )
