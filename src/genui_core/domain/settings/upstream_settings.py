"""How long an upstream is waited for (``upstream``)."""

from attrs import field, frozen

from genui_core.domain.settings.backoff import Backoff
from genui_core.domain.settings.setting import note


@frozen
class UpstreamSettings:
    """How long to wait for the upstream, and when to start or connect to it again (``upstream``).

    Each field says itself what it is for.
    """

    start_timeout_ms: int = field(
        default=120_000,
        metadata=note(
            "upstream.startTimeoutMs",
            "The time limit from the upstream's start to its first answer.",
            least=1,
        ),
    )
    call_timeout_ms: int | None = field(
        default=None,
        metadata=note(
            "upstream.callTimeoutMs",
            "The time limit for an answer to a request.",
            least=1,
            fallback="no limit",
        ),
    )
    max_line_bytes: int = field(
        default=32 * 1024 * 1024,
        metadata=note(
            "upstream.maxLineBytes",
            "The longest message that the wrapper reads as a whole.",
            least=1024,
        ),
    )
    reconnect_delay_ms: int = field(
        default=1000,
        metadata=note(
            "upstream.reconnectDelayMs",
            "The delay before a restart, and before a second reconnection.",
            least=100,
        ),
    )
    max_reconnect_delay_ms: int = field(
        default=30_000, metadata=note("upstream.maxReconnectDelayMs", "The longest delay.", least=1000)
    )
    reconnect_backoff_multiplier: float = field(
        default=2.0,
        metadata=note(
            "upstream.reconnectBackoffMultiplier",
            "The factor between one delay and the next.",
            least=1,
        ),
    )

    @property
    def backoff(self) -> Backoff:
        """The waits between starts."""
        return Backoff(
            self.reconnect_delay_ms, self.max_reconnect_delay_ms, self.reconnect_backoff_multiplier
        )
