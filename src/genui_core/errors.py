"""The errors that the core and its ports raise; `rpc_error` makes of each what a host gets."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar


class GenUiError(Exception):
    """The base class of the errors here; each message is written for a person.

    Attributes:
        error_type: The kind of the error for hosts (``errorType``) and for the log (requirement E1).
    """

    error_type: ClassVar[str] = "GENERATION_FAILED"


class UnknownTool(GenUiError):
    """The upstream offers no tool of this name.

    Args:
        name: The unknown name.
        nearest: Similar known names, the most similar first.
    """

    error_type = "UNKNOWN_TOOL"

    def __init__(self, name: str, nearest: tuple[str, ...] = ()) -> None:
        self.name = name
        self.nearest = nearest
        hint = f" Did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
        super().__init__(f"There is no tool named {name!r}.{hint}")


class ResourceNotFound(GenUiError):
    """Neither the wrapper nor the upstream serves an address (requirement W11).

    Args:
        uri: The address.
        tool_name: The tool that a ``ui://`` address names, or None for any other address.
    """

    error_type = "RESOURCE_NOT_FOUND"

    def __init__(self, uri: str, tool_name: str | None) -> None:
        self.uri = uri
        self.tool_name = tool_name
        super().__init__(f"Resource not found: {uri}")


class InvalidArguments(GenUiError):
    """The arguments of a wrapper tool, or the params of a request, cannot be used."""

    error_type = "INVALID_ARGUMENTS"


class ToolChanged(GenUiError):
    """A tool changed or was removed during a change of its view, so the new view is dropped."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The tool {name!r} changed or was removed in the meantime, so its view stays as it is. "
            "Try again with the tool as it is now."
        )


class NotValidated(GenUiError):
    """The validator failed, so the view is not served."""

    error_type = "VALIDATION_FAILED"

    def __init__(self, error: Exception) -> None:
        super().__init__(f"The view could not be checked, and is not served: {error!r}.")


class NoModel(GenUiError):
    """A call needs a model, but none is configured."""

    def __init__(self) -> None:
        super().__init__(
            "No model is configured: name one with --llm, or set a provider's key. "
            "In a chat, the chat's own model can write the view instead: "
            "it calls _ui_prompt, writes what that says, and submits it with _ui_submit."
        )


class UpstreamFailed(GenUiError):
    """The upstream answered a request with an error, which ``error`` holds unchanged."""

    error_type = "UPSTREAM_UNREACHABLE"

    def __init__(self, error: Mapping[str, object]) -> None:
        self.error = error
        super().__init__(f"The upstream answered with an error: {error.get('message')}")


class UpstreamDied(GenUiError):
    """The upstream ended, or its connection was lost, while a request was pending."""

    error_type = "UPSTREAM_DIED"

    def __init__(self) -> None:
        super().__init__("The upstream MCP server stopped before it answered.")


class UpstreamUnreachable(GenUiError):
    """The upstream is not connected; the message says why, if the reason is known."""

    error_type = "UPSTREAM_UNREACHABLE"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"The upstream MCP server cannot be reached: {reason}")


class UpstreamForbidden(GenUiError):
    """The upstream refused the wrapper's credentials, or requires credentials and got none.

    Args:
        status: The HTTP status of the answer, 401 or 403.
        address: The upstream's address, without its secret parts.
    """

    error_type = "UPSTREAM_UNREACHABLE"

    def __init__(self, status: int, address: str) -> None:
        self.status = status
        super().__init__(f"The upstream MCP server at {address} refused our credentials (HTTP {status}).")


class UpstreamTimeout(GenUiError):
    """The upstream did not answer a request within its time limit."""

    error_type = "UPSTREAM_TIMEOUT"

    def __init__(self, method: str, timeout_ms: int) -> None:
        super().__init__(f"The upstream MCP server did not answer {method} within {timeout_ms} ms.")


class HostRefused(GenUiError):
    """The host answered a request of the upstream or the wrapper with an error, unchanged in ``error``."""

    def __init__(self, error: Mapping[str, object]) -> None:
        self.error = error
        super().__init__(f"The host answered with an error: {error.get('message')}")


class UnsetVariable(GenUiError):
    """A configured text names an environment variable that is not set, and gives no default."""

    def __init__(self, name: str, place: str) -> None:
        self.name = name
        self.place = place
        super().__init__(f"{place}: the environment variable {name} is not set")


class ProviderErrorCode(StrEnum):
    """Why a completion failed."""

    TIMEOUT = "TIMEOUT"
    RATE_LIMIT = "RATE_LIMIT"
    SERVER_ERROR = "SERVER_ERROR"
    NETWORK_ERROR = "NETWORK_ERROR"
    INVALID_REQUEST = "INVALID_REQUEST"
    AUTHENTICATION = "AUTHENTICATION"
    CONTENT_FILTERED = "CONTENT_FILTERED"
    ABORTED = "ABORTED"


_RETRYABLE = frozenset(("TIMEOUT", "RATE_LIMIT", "SERVER_ERROR", "NETWORK_ERROR"))


class ProviderFailed(GenUiError):
    """A completion failed.

    Args:
        code: Why it failed.
        message: The provider's message for a person; contains no API key.
        retryable: Whether a retry may succeed; by default the code decides.
        retry_after_ms: The milliseconds to wait before a retry, if the provider names them.
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
    """A view cannot be added to a tool's result; the message says why."""


class NoSampling(ProviderFailed):
    """The settings choose the host's own model, but this host does not offer sampling; other hosts may."""

    def __init__(self, reason: str) -> None:
        super().__init__(ProviderErrorCode.INVALID_REQUEST, reason)


class NotCanonical(GenUiError):
    """A value has no canonical JSON form (RFC 8785): it is not JSON, or holds an infinite number."""


class InvalidAddress(GenUiError):
    """A text is not a ``ui://`` address in the wrapper's form."""
