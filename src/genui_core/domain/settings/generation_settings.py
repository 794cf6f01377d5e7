"""How views are written (``generation``)."""

from typing import Literal

from attrs import field, frozen

from genui_core.domain.settings.setting import note

GenerationMode = Literal["fragment", "document"]

_LONGEST_DELAY_MS = 5_000


@frozen
class RetryPolicy:
    """How often and how late a model is asked again, within one budget of time (SPEC §4).

    Attributes:
        timeout_ms: ``generation.timeoutMs``: everything together, waits included.
        max_retries: ``generation.maxRetries``: more attempts for one question after the first.
        retry_delay_ms: ``generation.retryDelayMs``: before the second attempt; it doubles.
    """

    timeout_ms: int = 60_000
    max_retries: int = 2
    retry_delay_ms: int = 1_000

    def delay_ms(self, failures: int, elapsed_ms: int, retry_after_ms: int | None = None) -> int | None:
        """Return how long to wait before the next attempt, or None where there must be none.

        Args:
            failures: How often this question has failed, 1 after the first attempt.
            elapsed_ms: Since the generation began.
            retry_after_ms: What the provider asked for; it wins over our own delay.
        """
        if failures > self.max_retries:
            return None
        own = min(self.retry_delay_ms * 2 ** (failures - 1), _LONGEST_DELAY_MS)
        delay = own if retry_after_ms is None else max(0, retry_after_ms)
        return delay if elapsed_ms + delay < self.timeout_ms else None


@frozen(kw_only=True)
class GenerationSettings:
    """How views are written: ``generation``, and what of ``llm`` and ``security`` is about that.

    Each field says itself what it is for.
    """

    mode: GenerationMode = field(
        default="fragment",
        metadata=note(
            "generation.mode",
            "What the model writes: a `fragment` inside our page, or a whole HTML `document`.",
        ),
    )
    serve_within_ms: int = field(
        default=8_000,
        metadata=note(
            "generation.serveWithinMs",
            "The longest time that a host waits for a view; after it, the host gets the minimal view until the written one is ready.",
            least=0,
        ),
    )
    timeout_ms: int = field(
        default=60_000,
        metadata=note("generation.timeoutMs", "The time limit for a generation.", least=1000),
    )
    max_retries: int = field(
        default=2,
        metadata=note(
            "generation.maxRetries", "The number of retries after a failed request to the model.", least=0
        ),
    )
    retry_delay_ms: int = field(
        default=1_000,
        metadata=note(
            "generation.retryDelayMs",
            "The delay before the first retry; each further delay is longer.",
            least=0,
        ),
    )
    max_concurrent: int = field(
        default=2,
        metadata=note(
            "generation.maxConcurrentGenerations", "The most generations that run at the same time.", least=1
        ),
    )
    max_tokens: int | None = field(
        default=None,
        metadata=note(
            "llm.maxTokens",
            "The most tokens that a model may write for a view.",
            least=1,
            fallback="4096 for fragments, 8000 for documents",
        ),
    )
    temperature: float | None = field(
        default=0.2,
        metadata=note("llm.temperature", "Sent only to APIs that accept it.", least=0, most=2),
    )
    classify_model: str | None = field(
        default=None,
        metadata=note(
            "llm.classifyModel",
            "The model that decides which tools are worth a written view.",
            fallback="the provider's small one, see below",
        ),
    )
    strict: bool = field(
        default=True,
        metadata=note(
            "security.strict", "Refuse views that run text as code, instead of reporting a warning."
        ),
    )

    @property
    def answer_tokens(self) -> int:
        """The most tokens that a model may write for a view."""
        return self.max_tokens or (8_000 if self.mode == "document" else 4_096)

    @property
    def retry_policy(self) -> RetryPolicy:
        """How often and how late a model is asked again."""
        return RetryPolicy(self.timeout_ms, self.max_retries, self.retry_delay_ms)
