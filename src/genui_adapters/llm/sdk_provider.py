"""The base of all providers behind a library: one table of their errors (requirement L2), and the bounds of their answers.

A provider's own name for an error says more than the status, and where a stream breaks off with
an error the status was 200 long before; so names come first.
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
    """Return the milliseconds that ``retry-after-ms`` or ``retry-after`` ask for.

    None where neither is there or makes sense; 0 for a date that is past.
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
    message: str,
    *named: str | None,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> ProviderFailed:
    """Return what an error that a provider answered means; `named` are its names for the error.

    The status of a success tells of an error within a stream.
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
    # "invalid_request_error" is also what some servers call a bad key: there the status says more.
    if by_name is not None and not (by_name is Code.INVALID_REQUEST and code is not None):
        code = by_name
    return ProviderFailed(code or Code.SERVER_ERROR, words, retry_after_ms=wait)


def _by_status(status: int | None) -> Code | None:
    if status is None or status < _ERROR:
        return None
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return Code.SERVER_ERROR if status >= _SERVER_ERROR else Code.INVALID_REQUEST


def broken_off() -> ProviderFailed:
    """Return the error for a stream that ends without a final event."""
    return ProviderFailed(Code.NETWORK_ERROR, "The answer ended early.")


def transport_failure(error: BaseException) -> ProviderFailed | None:
    """Return the failure for a transport error beneath a library; None for any other error.

    The libraries bring two HTTP clients that name their errors alike, and let some of them through.
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
"""The most of one line or one event. The last event of an answer may repeat the whole answer, escaped."""
MOST_BODY_BYTES: Final = 64 * 1_048_576
_MOST_ERROR_BYTES: Final = 1_048_576
_EVENT_ENDS: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")
_LINE_ENDS: Final = (b"\n",)


async def bound_response(response: Any) -> None:
    """Bound what is read of a decompressed response; an event hook of the libraries' HTTP clients."""
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
    """Return the client of a library, whose answers are bounded; `ProviderFailed` where there is no key."""
    bounded = http(event_hooks={"response": [bound_response]})
    try:
        return make(api_key=options.api_key, base_url=options.base_url, max_retries=0, http_client=bounded)
    except fault as error:
        raise ProviderFailed(ProviderErrorCode.AUTHENTICATION, str(error)) from error


class SdkProvider(LLMProvider):
    """Asks through a library, which is loaded with the first question, and says in our words what goes wrong in it."""

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
        """Ask for one answer; `ProviderFailed` without it, also where there is no library or no key."""
        await self._load()
        try:
            return await self._answer(request, Answer(request, on_delta))
        except ProviderFailed:
            raise
        except Exception as error:
            known = self._failure(error, request.model or self.model) or transport_failure(error)
            raise known or ProviderFailed(ProviderErrorCode.INVALID_REQUEST, str(error)) from error

    async def close(self) -> None:
        """Close the client's connections, if there ever was one."""
        if self._client is not None:
            await self._client.close()

    async def _load(self) -> None:
        """Make the client once, in a thread, so that the loop goes on."""
        from anyio import Lock  # noqa: PLC0415 -- with the first question
        from anyio.to_thread import run_sync  # noqa: PLC0415

        self._turn = self._turn or Lock()
        async with self._turn:
            try:
                self._client = self._client or await run_sync(self._made, abandon_on_cancel=True)
            except ImportError as error:
                text = f"the library of {self.name} cannot be loaded: {error}"
                raise ProviderFailed(ProviderErrorCode.INVALID_REQUEST, text) from error

    @abstractmethod
    def _made(self) -> object:
        """Load the library and return a client of it; `ProviderFailed` if there is no key."""

    @abstractmethod
    async def _answer(self, request: CompletionRequest, answer: Answer) -> Completion:
        """Ask, and collect the answer; errors of the library may come through."""

    @abstractmethod
    def _failure(self, error: Exception, model: str) -> ProviderFailed | None:
        """Return what an error of the library means, or None for one that is not the library's."""

    @staticmethod
    def _failure_in(sdk: Any, error: Any, *names: str | None) -> ProviderFailed | None:
        """Return what an error of Anthropic's or OpenAI's library, which are alike, means; or None."""
        if isinstance(error, sdk.APIStatusError):
            status, headers = error.status_code, error.response.headers
            return failure(error.message, *names, status=status, headers=headers)
        if isinstance(error, sdk.APITimeoutError):
            return ProviderFailed(ProviderErrorCode.TIMEOUT, error.message)
        if isinstance(error, sdk.APIConnectionError):
            return ProviderFailed(ProviderErrorCode.NETWORK_ERROR, str(error.__cause__ or error))
        return None
