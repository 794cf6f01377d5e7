"""A tool's present view, its versions, and the results of changes."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from genui_core.domain.generation.outcome import FailureKind, Outcome
from genui_core.domain.pages.minimal_view import Notice, fallback_notice, provisional_notice
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.llm_settings import GenerationMode
from genui_core.domain.tools.classification import UiType, ViewState, classify
from genui_core.domain.validation.document_plan import DocumentPlan
from genui_core.domain.validation.finding import ValidationReport
from genui_core.domain.views.stored_view import Refinements, StoredView

if TYPE_CHECKING:
    from genui_core.application.services import Services


@frozen(kw_only=True)
class PresentView:
    """A tool's view as it is now.

    Attributes:
        reason: Why the tool has a fallback; "" for other views.
        stored: Its store entry, if it has one.
        plan: How a document goes into its page, if the validator has computed that.
    """

    state: ViewState
    key: str
    reason: str = ""
    stored: StoredView | None = None
    plan: DocumentPlan | None = None

    @property
    def source(self) -> str:
        """What a model wrote; "" for a minimal view."""
        return "" if self.stored is None else self.stored.html

    @property
    def is_finished(self) -> bool:
        """Whether it is not provisional: no other view is being made to replace it."""
        return self.state is not ViewState.PROVISIONAL

    def under_key(self, key: str) -> "PresentView":
        """Return the same view under another key."""
        return evolve(self, key=key, stored=None if self.stored is None else evolve(self.stored, key=key))

    @property
    def context(self) -> Mapping[str, object]:
        """The facts that its store entry holds besides the source."""
        return {} if self.stored is None else self.stored.context

    @property
    def kind(self) -> UiType:
        """The kind of the view: rich or minimal."""
        return UiType.RICH if self.source else UiType.MINIMAL

    @property
    def repairs(self) -> tuple[str, ...]:
        """The repairs of its source, mechanical or by the model."""
        repairs = self.context.get("repairs")
        return tuple(map(str, repairs)) if isinstance(repairs, list | tuple) else ()

    @property
    def mode(self) -> GenerationMode:
        """The form of its source: a fragment or a document."""
        return "document" if self.context.get("mode") == "document" else "fragment"

    @property
    def is_document(self) -> bool:
        """Whether its page is a document that a model wrote."""
        return bool(self.source) and self.mode == "document"

    @property
    def notice(self) -> Notice | None:
        """The notice on its page: that it is provisional, or why it is a fallback; else None."""
        if self.state is ViewState.PROVISIONAL:
            return provisional_notice()
        return fallback_notice(self.reason) if self.state is ViewState.FALLBACK else None

    @property
    def is_settled(self) -> bool:
        """Whether the next reader gets this view: it is finished, and no reader-specific error caused it."""
        return self.is_finished and (self.state is not ViewState.FALLBACK or self.stored is not None)

    def is_decided_by_less_than(self, facts: Facts) -> bool:
        """Whether it is minimal because the decision knew less about the tool's results than these facts.

        That is so if the definition alone decided and a shape is known, and also if an earlier shape decided
        and the present one is worth a rich view.
        """
        if self.state is not ViewState.MINIMAL or facts.learned_shape is None:
            return False
        decided_by = self.context.get("decidedBy")
        if decided_by == SHAPE:
            return classify(facts.tool, facts.learned_shape) is UiType.RICH
        return decided_by == DEFINITION

    @property
    def error_type(self) -> str | None:
        """The kind of failure behind a fallback; None for other views."""
        if self.stored is None and self.state is ViewState.FALLBACK:
            return str(FailureKind.FAILED)
        kind = self.context.get("fallbackKind")
        return kind if isinstance(kind, str) else None


@frozen(kw_only=True)
class Version:
    """A view that a tool has or once had.

    Attributes:
        number: Counts a tool's versions from 1, in the order in which they were made.
    """

    number: int
    view: PresentView
    refinements: Refinements
    occasion: str

    def is_of(self, view: PresentView, refinements: Refinements) -> bool:
        """Whether this version is that view with those refinements; two refinements may give equal sources."""
        return self.view.source == view.source and self.refinements.all == refinements.all


class ChangeStatus(StrEnum):
    """The outcome of a refinement or regeneration."""

    DONE = "done"
    RUNNING = "running"
    FAILED = "failed"


@frozen(kw_only=True)
class Change:
    """The result of a refinement or regeneration.

    Attributes:
        seconds: How long it took, or has taken so far.
        ui_type: The kind of view that the tool has now.
        reason: Why it failed, or "".
        error_type: The kind of failure (requirement E1).
    """

    status: ChangeStatus
    seconds: float
    ui_type: UiType
    reason: str = ""
    error_type: str | None = None


VARIANT = "a variant of version "
"""The occasion of a second variant, without the version number of the first that ends it."""


def variants_among(versions: Sequence[Version]) -> tuple[Version, ...]:
    """Return the two variants to choose between, older first; none if the newest view is no variant."""
    occasion = versions[-1].occasion if versions else ""
    others = [each for each in versions if occasion == f"{VARIANT}{each.number}"]
    return (*others, versions[-1]) if others else ()


DEFINITION, SHAPE, CHOICE = "definition", "shape", "choice"
"""What decided a view's kind: the tool's definition, the shape of a result, or an earlier choice."""


def stored_outcome(
    services: "Services",
    outcome: Outcome,
    facts: Facts,
    key: str,
    request_id: str,
    mode: GenerationMode,
    *,
    was_decided: bool,
    taken_ms: int = 0,
) -> StoredView:
    """Return the store entry of a new outcome; a failure expires some time after its generation began.

    ``was_decided`` says whether a choice decided the view's kind; otherwise the facts did.
    """
    failure, by_facts = outcome.failure, DEFINITION if facts.learned_shape is None else SHAPE
    configuration, now = services.configuration, services.clock.now()
    end = now + timedelta(milliseconds=services.settings.cache.fallback_ttl_ms - taken_ms)
    return StoredView(
        key=key,
        tool_name=facts.tool.name,
        html=outcome.source,
        generated_at=now.isoformat(timespec="milliseconds"),
        generation_duration_ms=taken_ms,
        prompt_version=configuration.prompt_set_version,
        template_version=configuration.template_version,
        request_id=request_id,
        llm_model=outcome.model,
        context={
            "toolHash": facts.tool.hash,
            "decidedBy": CHOICE if was_decided else by_facts,
            "mode": mode,
            "uiType": str(outcome.ui_type),
            "repairs": list(outcome.repairs),
            "fallbackKind": None if failure is None else str(failure.kind),
            "fallbackReason": None if failure is None else failure.reason,
        },
        findings=tuple(each.as_data() for each in outcome.findings),
        expires_at=None if failure is None else end.isoformat(timespec="milliseconds"),
    )


def validated_view(stored: StoredView, report: ValidationReport) -> PresentView:
    """Return the view to serve for a store entry that was validated again."""
    return present_view(evolve(stored, html=report.source), report.plan)


def present_view(stored: StoredView, plan: DocumentPlan | None = None) -> PresentView:
    """Return the view to serve for a store entry."""
    reason = stored.context.get("fallbackReason")
    told = reason if isinstance(reason, str) else None
    without_source = ViewState.MINIMAL if told is None else ViewState.FALLBACK
    state = ViewState.GENERATED if stored.html else without_source
    return PresentView(state=state, key=stored.key, reason=told or "", stored=stored, plan=plan)
