"""How often and how late a model is asked again (SPEC §4)."""

from attrs import frozen

_LONGEST_DELAY_MS = 5_000


@frozen
class RetryPolicy:
    """Within one budget of time.

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
