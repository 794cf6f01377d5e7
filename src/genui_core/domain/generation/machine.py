"""One generation as a state machine: it is told what happened and says what to do next (SPEC §4).

::

    begin ──► Ask(classify) ──► Ask(write) ──► Examine ──► Outcome(generated | repaired)
                  │                 ▲  │           │
                  │          Wait ──┘  │           ├──► Ask(repair), once ─► Examine
                  ▼                    ▼           ▼
            Outcome(minimal)     Outcome(minimal, and why)

It asks no model, validates no view and reads no clock: its driver does, and passes the outcome
back. It ensures that every generation ends in a view that works.
"""

from collections.abc import Callable
from enum import StrEnum

from attrs import evolve, frozen

from genui_core.domain.generation.completion import Completion
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.tools.classification import UiType, classification_of
from genui_core.domain.validation.document_plan import DocumentPlan
from genui_core.domain.validation.finding import Finding, Ruling, ValidationReport
from genui_core.errors import ModelNotLent, ProviderFailed

_LONGEST_DELAY_MS = 5_000


class Purpose(StrEnum):
    """What a model is asked for."""

    CLASSIFY = "classify"
    WRITE = "write"
    REPAIR = "mend"  # the value of `purpose` in the log, which stays


class FailureKind(StrEnum):
    """Why there is no generated view: the kinds of SPEC §13."""

    TIMEOUT = "GENERATION_TIMEOUT"
    FAILED = "GENERATION_FAILED"
    INVALID = "VALIDATION_FAILED"


@frozen
class Failure:
    """Why a generation ended in the minimal UI although a richer view was wanted.

    Attributes:
        is_of_asker: Whether it lies with who asked, so that it says nothing of the next who asks.
    """

    kind: FailureKind
    reason: str
    is_of_asker: bool = False


@frozen(kw_only=True)
class Outcome:
    """What a generation came to.

    Attributes:
        source: The view as the model wrote it, after repair; "" for the minimal UI.
        failure: Why it is the minimal UI, unless that is what the tool deserves.
    """

    ui_type: UiType
    source: str = ""
    failure: Failure | None = None
    findings: tuple[Finding, ...] = ()
    repairs: tuple[str, ...] = ()
    plan: DocumentPlan | None = None
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0


@frozen
class Ask:
    """Ask the model; then call `Generation.answered` or `Generation.failed`."""

    purpose: Purpose
    broken: ValidationReport | None = None


@frozen
class Wait:
    """Wait, then do the step that follows."""

    delay_ms: int
    then: Ask


@frozen
class Examine:
    """Validate the text; then call `Generation.validated` or `Generation.unfinished`."""

    text: str
    repairing: ValidationReport | None = None


Step = Ask | Wait | Examine | Outcome
"""What to do next; an outcome ends the generation."""


class Generation:
    """The way from a tool to its view. Not to be shared; one object, one generation.

    Args:
        ui_type: What is known of the tool; the model is asked where it is undetermined.
        settings: Its time limit, and how often and how late a question is repeated.
        elapsed_ms: Tells the milliseconds since the generation began.
    """

    def __init__(self, ui_type: UiType, settings: GenerationSettings, elapsed_ms: Callable[[], int]) -> None:
        self._ui_type = ui_type
        self._settings = settings
        self._elapsed_ms = elapsed_ms
        self._asked = Ask(Purpose.WRITE)
        self._failures = 0
        self._mended = False
        self._model: str | None = None
        self._input_tokens = 0
        self._output_tokens = 0

    def begin(self) -> Step:
        """Return the first step."""
        if self._ui_type is UiType.MINIMAL:
            return self._finish(Outcome(ui_type=UiType.MINIMAL))
        return self._ask(Ask(Purpose.CLASSIFY if self._ui_type is UiType.UNDETERMINED else Purpose.WRITE))

    def answered(self, completion: Completion) -> Step:
        """Take the model's answer to the last question."""
        self._model = completion.model
        self._input_tokens += completion.input_tokens
        self._output_tokens += completion.output_tokens
        if self._asked.purpose is not Purpose.CLASSIFY:
            return Examine(completion.text, self._asked.broken)
        self._ui_type = classification_of(completion.text)
        return self.begin()

    def failed(self, error: ProviderFailed) -> Step:
        """Take it that the last question got no answer."""
        self._failures += 1
        delay = self._delay_ms(error.retry_after_ms)
        if not error.retryable or delay is None:
            of_asker = isinstance(error, ModelNotLent)
            return self._fail(Failure(FailureKind.FAILED, str(error), is_of_asker=of_asker))
        return Wait(delay, self._asked)

    def _delay_ms(self, retry_after_ms: int | None) -> int | None:
        """Return the wait before asking again (the provider's word wins), or None to give up (SPEC §4)."""
        settings = self._settings
        if self._failures > settings.max_retries:
            return None
        own = min(settings.retry_delay_ms * 2 ** (self._failures - 1), _LONGEST_DELAY_MS)
        delay = own if retry_after_ms is None else max(0, retry_after_ms)
        return delay if self._elapsed_ms() + delay < settings.timeout_ms else None

    def validated(self, report: ValidationReport) -> Step:
        """Take the report on the last answer."""
        if report.is_valid:
            repairs = (*report.repairs, *(("mended_by_model",) if self._mended else ()))
            view = Outcome(
                ui_type=UiType.RICH,
                source=report.source,
                findings=report.findings,
                repairs=repairs,
                plan=report.plan,
            )
            return self._finish(view)
        if report.ruling is Ruling.FIXABLE and not self._mended:
            self._mended = True
            return self._ask(Ask(Purpose.REPAIR, report))
        reason = report.findings[0].message if report.findings else "the answer holds no view"
        return self._fail(Failure(FailureKind.INVALID, reason), report.findings)

    def unfinished(self, reason: str) -> Step:
        """Handle a failure of the validator: a view that was not validated is not served."""
        return self._fail(Failure(FailureKind.INVALID, f"The view could not be validated: {reason}"))

    def out_of_time(self) -> Outcome:
        """Take it that the budget is used up."""
        return self._fail(Failure(FailureKind.TIMEOUT, f"no view within {self._settings.timeout_ms} ms"))

    def broken(self, reason: str) -> Outcome:
        """Handle a failure of the driver."""
        return self._fail(Failure(FailureKind.FAILED, f"The view could not be made: {reason}"))

    def _ask(self, ask: Ask) -> Ask:
        self._asked, self._failures = ask, 0
        return ask

    def _fail(self, failure: Failure, findings: tuple[Finding, ...] = ()) -> Outcome:
        return self._finish(Outcome(ui_type=UiType.MINIMAL, failure=failure, findings=findings))

    def _finish(self, outcome: Outcome) -> Outcome:
        """Add what the model has cost so far."""
        read, written = self._input_tokens, self._output_tokens
        return evolve(outcome, model=self._model, input_tokens=read, output_tokens=written)
