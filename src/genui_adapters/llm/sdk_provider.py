"""The base of all providers with a library: their errors (requirement L2) and the limits of answers.

A provider's name for an error says more than the HTTP status, and a stream that ends with an error began with
status 200; so names decide before the status.
"""

import json
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

from genui_adapters.llm.provider_shell import Answer, ProviderOptions
from genui_core.domain.generation.completion import MOST_READ_CHARACTERS, Completion, CompletionRequest
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.errors import ProviderErrorCode as Code
from genui_core.ports.llm_provider import LLMProvider, OnDelta

if TYPE_CHECKING:
    from anyio import Lock

_Client = TypeVar("_Client")
_LONGEST_S = 24 * 60 * 60
_ERROR, _SERVER_ERROR = 400, 500
"""The lowest HTTP status of errors, and of those that are the server's."""


def retry_after_ms(headers: Mapping[str, str] | None, *, now: datetime | None = None) -> int | None:
    """Return the wait that the headers ``retry-after-ms`` or ``retry-after`` ask for, in milliseconds.

    None if neither header is there and valid; 0 for a date in the past.
    """
    if headers is None:
        return None
    exact, plain = headers.get("retry-after-ms"), headers.get("retry-after")
    for text, factor in ((exact, 1), (plain, 1000)):
        number = _number(text)
        if number is not None:
            return int(number * factor) if 0 <= number * factor <= _LONGEST_S * 1000 else None
    return _until(plain, now or datetime.now(UTC))


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None


def _until(text: str | None, now: datetime) -> int | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 -- slow to load, and rarely needed

    try:
        date = parsedate_to_datetime(text) if text else None
    except ValueError:
        return None
    if date is None:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0, int((aware - now).total_seconds() * 1000))


_FILTERED = ("content_filter", "content_policy", "policy_violation", "moderation")
_SPENT = ("insufficient_quota", "billing_hard_limit_reached", "spend_limit_reached")
_BY_NAME = {
    "rate_limit_error": Code.RATE_LIMIT,
    "rate_limit_exceeded": Code.RATE_LIMIT,
    "overloaded_error": Code.SERVER_ERROR,
    "overloaded": Code.SERVER_ERROR,
    "api_error": Code.SERVER_ERROR,
    "server_error": Code.SERVER_ERROR,
    "timeout_error": Code.TIMEOUT,
    "authentication_error": Code.AUTHENTICATION,
    "permission_error": Code.AUTHENTICATION,
    "invalid_api_key": Code.AUTHENTICATION,
    "invalid_request_error": Code.INVALID_REQUEST,
    "not_found_error": Code.INVALID_REQUEST,
}
_BY_STATUS = {
    401: Code.AUTHENTICATION,
    403: Code.AUTHENTICATION,
    408: Code.TIMEOUT,
    409: Code.SERVER_ERROR,
    429: Code.RATE_LIMIT,
    504: Code.TIMEOUT,
}


def failure(
    message: str, *named: str | None, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ProviderFailed:
    """Return the failure for a provider's error; `named` are the provider's names for it.

    The status of a success means that the error came within a stream.
    """
    names = [name.lower() for name in named if name]
    wait = retry_after_ms(headers)
    words = message[:MOST_READ_CHARACTERS] or "no words"
    if any(part in name for name in names for part in _FILTERED):
        return ProviderFailed(Code.CONTENT_FILTERED, words)
    if any(part in name for name in names for part in _SPENT):
        return ProviderFailed(Code.RATE_LIMIT, words, retryable=False)
    code = _by_status(status)
    by_name = next((_BY_NAME[name] for name in names if name in _BY_NAME), None)
    # Some servers call a bad key "invalid_request_error", too: then the status says more.
    if by_name is not None and not (by_name is Code.INVALID_REQUEST and code is not None):
        code = by_name
    return ProviderFailed(code or Code.SERVER_ERROR, words, retry_after_ms=wait)


def _by_status(status: int | None) -> Code | None:
    if status is None or status < _ERROR:
        return None
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return Code.SERVER_ERROR if status >= _SERVER_ERROR else Code.INVALID_REQUEST


def stream_aborted() -> ProviderFailed:
    """Return the error for a stream that ends without a final event."""
    return ProviderFailed(Code.NETWORK_ERROR, "The answer ended early.")


def transport_failure(error: BaseException) -> ProviderFailed | None:
    """Return the failure for a transport error beneath a library; None for any other error.

    The libraries use two HTTP clients, which name their errors alike, and let some of them through.
    """
    kinds = {kind.__name__ for kind in type(error).__mro__}
    words = f"{type(error).__name__}: {error}"[:MOST_READ_CHARACTERS]
    if "TimeoutException" in kinds or isinstance(error, TimeoutError):
        return ProviderFailed(Code.TIMEOUT, words)
    if kinds & {"TransportError", "RequestError", "StreamError"} or isinstance(error, OSError):
        return ProviderFailed(Code.NETWORK_ERROR, words)
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return ProviderFailed(Code.SERVER_ERROR, "The provider sent something that is not JSON.")
    return None


MOST_LINE_BYTES: Final = 8 * 1_048_576
"""The limit of a line or an event, in bytes. The last event may repeat the whole answer, escaped."""
MOST_BODY_BYTES: Final = 64 * 1_048_576
_MOST_ERROR_BYTES: Final = 1_048_576
_EVENT_ENDS: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")
_LINE_ENDS: Final = (b"\n",)


async def bound_response(response: Any) -> None:
    """Limit the size of a decompressed response; an event hook of the libraries' HTTP clients."""
    ends = _EVENT_ENDS if "event-stream" in response.headers.get("content-type", "") else _LINE_ENDS
    most_bytes = _MOST_ERROR_BYTES if response.status_code >= _ERROR else MOST_BODY_BYTES
    read = response.aiter_bytes

    async def bounded(chunk_size: int | None = None) -> AsyncIterator[bytes]:
        """Count the bytes of the body, and those since its last line or event ended."""
        size, open_bytes, tail = 0, 0, b""
        async for data in read(chunk_size):
            size += len(data)
            seen = tail + data
            end = max(seen.rfind(each) for each in ends)
            open_bytes = len(seen) - end if end >= 0 else open_bytes + len(data)
            tail = seen[-3:]
            is_line = open_bytes > MOST_LINE_BYTES
            if is_line or size > most_bytes:
                excess = f"a line of more than {MOST_LINE_BYTES}" if is_line else f"more than {most_bytes}"
                await response.aclose()
                text = f"The provider sent {excess} bytes; the connection was closed."
                raise ProviderFailed(ProviderErrorCode.SERVER_ERROR, text, retryable=False)
            yield data

    response.aiter_bytes = bounded


def client_of(
    make: Callable[..., _Client],
    http: Callable[..., object],
    fault: type[Exception],
    options: ProviderOptions,
) -> _Client:
    """Return a library's client with limited responses; raise `ProviderFailed` without a key."""
    bounded = http(event_hooks={"response": [bound_response]})
    try:
        return make(api_key=options.api_key, base_url=options.base_url, max_retries=0, http_client=bounded)
    except fault as error:
        raise ProviderFailed(ProviderErrorCode.AUTHENTICATION, str(error)) from error


class SdkProvider(LLMProvider):
    """Asks through a library, loaded with the first request, and raises its errors as `ProviderFailed`."""

    _sdk: Any
    _client: Any = None
    _turn: "Lock | None" = None

    def __init__(self, options: ProviderOptions) -> None:
        self._options = options

    @property
    def model(self) -> str:
        """The model from the options."""
        return self._options.model

    async def complete(self, request: CompletionRequest, on_delta: OnDelta | None = None) -> Completion:
        """Return one answer; raise `ProviderFailed` without it, also if the library or the key is missing."""
        await self._load()
        try:
            return await self._answer(request, Answer(request, on_delta))
        except ProviderFailed:
            raise
        except Exception as error:
            known = self._failure(error, request.model or self.model) or transport_failure(error)
            raise known or ProviderFailed(ProviderErrorCode.INVALID_REQUEST, str(error)) from error

    async def close(self) -> None:
        """Close the client's connections, if there is a client."""
        if self._client is not None:
            await self._client.close()

    async def _load(self) -> None:
        """Make the client once, in a thread, so that the event loop is not blocked."""
        from anyio import Lock  # noqa: PLC0415 -- with the first request
        from anyio.to_thread import run_sync  # noqa: PLC0415

        self._turn = self._turn or Lock()
        async with self._turn:
            try:
                self._client = self._client or await run_sync(self._make_client, abandon_on_cancel=True)
            except ImportError as error:
                text = f"the library of {self.name} cannot be loaded: {error}"
                raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text) from error

    @abstractmethod
    def _make_client(self) -> object:
        """Load the library and return its client; raise `ProviderFailed` without a key."""

    @abstractmethod
    async def _answer(self, request: CompletionRequest, answer: Answer) -> Completion:
        """Ask, and collect the answer; may raise the library's errors."""

    @abstractmethod
    def _failure(self, error: Exception, model: str) -> ProviderFailed | None:
        """Return the failure for an error of the library, or None for any other error."""

    @staticmethod
    def _failure_in(sdk: Any, error: Any, *names: str | None) -> ProviderFailed | None:
        """Return the failure for an error of Anthropic's or OpenAI's library, which are alike, or None."""
        if isinstance(error, sdk.APIStatusError):
            status, headers = error.status_code, error.response.headers
            return failure(error.message, *names, status=status, headers=headers)
        if isinstance(error, sdk.APITimeoutError):
            return ProviderFailed(ProviderErrorCode.TIMEOUT, error.message)
        if isinstance(error, sdk.APIConnectionError):
            return ProviderFailed(ProviderErrorCode.NETWORK_ERROR, str(error.__cause__ or error))
        return None
