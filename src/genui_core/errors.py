"""Every error of the core, on one screen.

GenUiError
├── UnknownTool          the upstream offers no tool of this name
├── ResourceNotFound     neither the wrapper nor the upstream serves an address
├── InvalidArguments     a wrapper tool was called with arguments it cannot use
├── ToolChanged          a tool changed or was removed while its view was being changed
├── NoModel              a call needs a model, and none is configured
├── NotJudged            the validator failed, so a view may not be served
├── UpstreamFailed       the upstream answered one of the wrapper's requests with an error
├── UpstreamUnreachable  there is no connection to the upstream now
├── UpstreamForbidden    the upstream does not let us in
├── UpstreamDied         the upstream went away while an answer was outstanding
├── UpstreamTimeout      the upstream did not answer in time
├── ProviderFailed       a model gave no completion
│   └── ModelNotLent     its model is the host's, and the host does not lend it
├── HostRefused          the host answered a request from the upstream or the wrapper with an error
├── UnsetVariable        a configured text names a variable that is not set
├── NotCanonical         a value has no canonical JSON form
├── NotAugmented         a tool's result gets no UI put into it
└── InvalidAddress       a text is not a ui:// address that the wrapper gave out

What a host sees of them (code, ``errorType``) is decided in one table,
`genui_core.domain.rpc_errors`.
"""

from collections.abc import Mapping
from enum import StrEnum


class GenUiError(Exception):
    """The root of what the core raises on purpose; its text is meant for a person."""


class UnknownTool(GenUiError):
    """The upstream offers no tool of this name.

    Args:
        name: The name that was asked for.
        nearest: Known names that look like it, best first.
    """

    def __init__(self, name: str, nearest: tuple[str, ...] = ()) -> None:
        self.name = name
        self.nearest = nearest
        hint = f" Did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
        super().__init__(f"There is no tool named {name!r}.{hint}")


class ResourceNotFound(GenUiError):
    """Neither the wrapper nor the upstream serves an address (SPEC W11).

    Args:
        uri: The address.
        tool_name: The tool that a ``ui://`` address names, or None for any other address.
    """

    def __init__(self, uri: str, tool_name: str | None) -> None:
        self.uri = uri
        self.tool_name = tool_name
        super().__init__(f"Resource not found: {uri}")


class InvalidArguments(GenUiError):
    """A wrapper tool was called with arguments that it cannot use."""


class ToolChanged(GenUiError):
    """A tool changed or was removed while its view was being changed: what came of that is another tool's."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The tool {name!r} changed or was removed in the meantime, so its view stays as it is. "
            "Try again with the tool as it is now."
        )


class NotJudged(GenUiError):
    """The validator failed, so a view may not be served."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"The view could not be checked, and is not served: {error!r}.")


class NoModel(GenUiError):
    """A model is to write a view, and there is none."""

    def __init__(self) -> None:
        super().__init__(
            "No model is configured: name one with --llm, or set a provider's key. "
            "In a chat, the chat's own model can write the view instead: "
            "it calls _ui_prompt, writes what that says, and submits it with _ui_submit."
        )


class UpstreamFailed(GenUiError):
    """The upstream answered one of the wrapper's requests with an error, kept here unchanged."""

    def __init__(self, error: Mapping[str, object]) -> None:
        self.error = error
        super().__init__(f"The upstream answered with an error: {error.get('message')}")


class UpstreamDied(GenUiError):
    """The upstream went away while an answer was outstanding."""

    def __init__(self) -> None:
        super().__init__("The upstream MCP server stopped before it answered.")


class UpstreamUnreachable(GenUiError):
    """There is no connection to the upstream now; the text says why, as far as it is known."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"The upstream MCP server cannot be reached: {reason}")


class UpstreamForbidden(GenUiError):
    """The upstream does not let us in: it wants credentials that were not given, or others.

    Args:
        status: The HTTP status it answered with, 401 or 403.
        address: Where it was asked, without what may be secret in it.
    """

    def __init__(self, status: int, address: str) -> None:
        self.status = status
        super().__init__(f"The upstream MCP server at {address} refused our credentials (HTTP {status}).")


class UpstreamTimeout(GenUiError):
    """The upstream did not answer in time."""

    def __init__(self, method: str, timeout_ms: int) -> None:
        super().__init__(f"The upstream MCP server did not answer {method} within {timeout_ms} ms.")


class HostRefused(GenUiError):
    """The host answered a request from the upstream or the wrapper with an error, kept here unchanged."""

    def __init__(self, error: Mapping[str, object]) -> None:
        self.error = error
        super().__init__(f"The host answered with an error: {error.get('message')}")


class UnsetVariable(GenUiError):
    """A configured text names a variable of the environment that is not set, and no default."""

    def __init__(self, name: str, place: str) -> None:
        self.name = name
        self.place = place
        super().__init__(f"{place}: the environment variable {name} is not set")


class ProviderErrorCode(StrEnum):
    """Every way in which a completion fails."""

    TIMEOUT = "TIMEOUT"
    RATE_LIMIT = "RATE_LIMIT"
    SERVER_ERROR = "SERVER_ERROR"
    NETWORK_ERROR = "NETWORK_ERROR"
    INVALID_REQUEST = "INVALID_REQUEST"
    AUTHENTICATION = "AUTHENTICATION"
    CONTENT_FILTERED = "CONTENT_FILTERED"
    ABORTED = "ABORTED"


_RETRYABLE = frozenset(
    (
        ProviderErrorCode.TIMEOUT,
        ProviderErrorCode.RATE_LIMIT,
        ProviderErrorCode.SERVER_ERROR,
        ProviderErrorCode.NETWORK_ERROR,
    )
)


class ProviderFailed(GenUiError):
    """A completion failed.

    Args:
        code: How.
        message: What the provider said, for a person; holds no key.
        retryable: Whether another try may work; by the code where nothing is given.
        retry_after_ms: How long the provider wants to be left alone, where it says.
    """

    def __init__(
        self,
        code: ProviderErrorCode,
        message: str,
        *,
        retryable: bool | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        self.code = code
        self.retryable = code in _RETRYABLE if retryable is None else retryable
        self.retry_after_ms = retry_after_ms
        super().__init__(f"{code}: {message}")


class NotAugmented(GenUiError):
    """A tool's result gets no UI put into it; the text says why."""


class ModelNotLent(ProviderFailed):
    """The settings name the host's own model, and this host does not offer sampling; other hosts may."""

    def __init__(self, reason: str) -> None:
        super().__init__(ProviderErrorCode.INVALID_REQUEST, reason)


class NotCanonical(GenUiError):
    """A value has no canonical JSON form (RFC 8785): not JSON, or an infinite number."""


class InvalidAddress(GenUiError):
    """A text is not a ``ui://`` address as the wrapper makes them."""
