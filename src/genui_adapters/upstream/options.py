"""What is configured about an upstream (requirement S1, ``upstream``)."""

from collections.abc import Mapping
from typing import Literal

from attrs import Factory, frozen

from genui_core.domain.logging.redaction import secrets_in_request

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
