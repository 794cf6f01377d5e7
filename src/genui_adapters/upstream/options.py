"""What is configured about an upstream (SPEC §11, ``upstream``)."""

from collections.abc import Mapping
from typing import Literal

from attrs import Factory, frozen

from genui_core.domain.logging.redaction import secrets_in_request
from genui_core.domain.settings.upstream_settings import Backoff, UpstreamSettings

ProtocolEra = Literal["auto", "legacy", "modern"]
"""Which protocol era an upstream is asked to speak: the host's if it can, with a handshake, or without."""


@frozen
class RemoteUpstream:
    """An upstream behind a URL.

    Attributes:
        headers: Sent with every request, variables already expanded.
        transport: ``http`` is Streamable HTTP, and SSE where the server answers that it has only that.
    """

    url: str
    headers: Mapping[str, str] = Factory(dict)
    transport: Literal["http", "sse"] = "http"

    @property
    def secrets(self) -> frozenset[str]:
        """What of it must not be written down."""
        return secrets_in_request(self.url, self.headers)

    @property
    def address(self) -> str:
        """The URL without what may be secret in it: for logs and messages."""
        from urllib.parse import urlsplit, urlunsplit  # noqa: PLC0415 -- not for a command

        try:
            parts = urlsplit(self.url)
        except ValueError:
            return "(no address)"
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


@frozen
class ConnectionOptions:
    """How a connection is made, kept up and watched.

    Attributes:
        start_timeout_ms: How long an upstream may take until it has answered the first request.
        call_timeout_ms: How long it may take to answer any other; None is as long as it likes.
        max_line_bytes: The largest message from the upstream; larger ones are refused.
        protocol: The protocol era to negotiate.
        backoff: The waits between reconnects.
        patience_ms: How long a request waits for a reconnect.
    """

    start_timeout_ms: int = 120_000
    call_timeout_ms: int | None = None
    max_line_bytes: int = 33_554_432
    protocol: ProtocolEra = "auto"
    backoff: Backoff = Factory(Backoff)
    patience_ms: int = 5000

    @classmethod
    def of(cls, settings: UpstreamSettings, protocol: ProtocolEra) -> "ConnectionOptions":
        """Return the options that the core's settings say."""
        return cls(
            start_timeout_ms=settings.start_timeout_ms,
            call_timeout_ms=settings.call_timeout_ms,
            max_line_bytes=settings.max_line_bytes,
            protocol=protocol,
            backoff=settings.backoff,
        )
