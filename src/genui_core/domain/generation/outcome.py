"""The outcome of a generation, and the delay before it retries a request to a model (requirement G4)."""

from enum import StrEnum

from attrs import frozen

from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.tools.classification import UiType
from genui_core.domain.validation.document_plan import DocumentPlan
from genui_core.domain.validation.finding import Finding
from genui_core.errors import ProviderFailed

_LONGEST_DELAY_MS = 5_000


class Purpose(StrEnum):
    """The purpose of a request to a model."""

    CLASSIFY = "classify"
    WRITE = "write"
    REPAIR = "mend"  # the value of `purpose` in the log, which stays


class FailureKind(StrEnum):
    """Why there is no generated view, as the ``errorType`` that hosts read (requirement E1)."""

    TIMEOUT = "GENERATION_TIMEOUT"
    FAILED = "GENERATION_FAILED"
    INVALID = "VALIDATION_FAILED"


@frozen
class Failure:
    """Why a generation ended in the minimal view although a rich view was wanted.

    Attributes:
        is_of_asker: Whether the host that asked is the cause, so that another host may still get a view.
    """

    kind: FailureKind
    reason: str
    is_of_asker: bool = False


@frozen(kw_only=True)
class Outcome:
    """The result of a generation.

    Attributes:
        source: The view as the model wrote it, after repair; "" for the minimal view.
        failure: Why the tool gets the minimal view although a rich view was wanted; else None.
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


def retry_delay_ms(
    error: ProviderFailed, failures: int, settings: GenerationSettings, elapsed_ms: int
) -> int | None:
    """Return the milliseconds before a failed request is sent again, or None to give up.

    Args:
        error: The last failure; a delay that the provider asks for replaces the wrapper's own.
        failures: How often this request has failed.
        settings: The number of retries, their first delay, and the time limit of the generation.
        elapsed_ms: How much of that limit has passed.
    """
    if not error.retryable or failures > settings.max_retries:
        return None
    own = min(settings.retry_delay_ms * 2 ** (failures - 1), _LONGEST_DELAY_MS)
    delay = own if error.retry_after_ms is None else max(0, error.retry_after_ms)
    return delay if elapsed_ms + delay < settings.timeout_ms else None
