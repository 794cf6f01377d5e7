"""The configuration of an upstream (requirement S1, ``upstream``)."""

from collections.abc import Mapping
from typing import Literal

from attrs import Factory, frozen

from genui_core.domain.logging.redaction import secrets_in_request

ProtocolEra = Literal["auto", "legacy", "modern"]
"""The era to negotiate: the host's if the upstream supports it, with a handshake, or without."""


@frozen
class RemoteUpstream:
    """An upstream behind a URL.

    Attributes:
        headers: Sent with every request, variables already expanded.
        transport: ``http`` is Streamable HTTP, and SSE if the server answers that it has only SSE.
    """

    url: str
    headers: Mapping[str, str] = Factory(dict)
    transport: Literal["http", "sse"] = "http"

    @property
    def secrets(self) -> frozenset[str]:
        """The secrets in the URL and the headers, which must not be logged."""
        return secrets_in_request(self.url, self.headers)

    @property
    def address(self) -> str:
        """The URL without its secret parts, for logs and messages."""
        from urllib.parse import urlsplit, urlunsplit  # noqa: PLC0415 -- not for a command

        try:
            parts = urlsplit(self.url)
        except ValueError:
            return "(no address)"
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
