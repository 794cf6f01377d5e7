"""Bounds what is read of a provider's HTTP response: a line or an event without end, and a body without end.

The libraries collect a line or an event until it ends, and the body of an error until that ends.
"""

from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any, Final

from attrs import define

from genui_core.errors import ProviderErrorCode, ProviderFailed

MOST_LINE_BYTES: Final = 8 * 1_048_576
"""The most of one line or one event. The last event of an answer may repeat the whole answer, escaped."""
MOST_BODY_BYTES: Final = 64 * 1_048_576
_MOST_ERROR_BYTES: Final = 1_048_576
_EVENT_ENDS: Final = (b"\n\n", b"\r\n\r\n", b"\r\r")
_LINE_ENDS: Final = (b"\n",)


async def bound_response(response: Any) -> None:
    """Bound what is read of a response; an event hook of the libraries' HTTP clients.

    Args:
        response: Of either of the two HTTP clients. Its bytes are counted after decompression.
    """
    is_events = "event-stream" in response.headers.get("content-type", "")
    failed = response.status_code >= HTTPStatus.BAD_REQUEST
    bounds = _Bounds(
        _EVENT_ENDS if is_events else _LINE_ENDS, _MOST_ERROR_BYTES if failed else MOST_BODY_BYTES
    )
    read = response.aiter_bytes

    async def bounded(chunk_size: int | None = None) -> AsyncIterator[bytes]:
        async for data in read(chunk_size):
            excess = bounds.take(data)
            if excess is not None:
                await response.aclose()
                raise ProviderFailed(ProviderErrorCode.SERVER_ERROR, excess, retryable=False)
            yield data

    response.aiter_bytes = bounded


@define
class _Bounds:
    """Counts the bytes of a body, and those since its last line or event ended."""

    _ends: tuple[bytes, ...]
    _most_bytes: int
    _bytes: int = 0
    _open_bytes: int = 0
    _tail: bytes = b""

    def take(self, data: bytes) -> str | None:
        """Count a piece; return what is too much, or None."""
        self._bytes += len(data)
        seen = self._tail + data
        end = max(seen.rfind(each) for each in self._ends)
        self._open_bytes = len(seen) - end if end >= 0 else self._open_bytes + len(data)
        self._tail = seen[-3:]
        if self._open_bytes > MOST_LINE_BYTES:
            return (
                f"The provider sent a line of more than {MOST_LINE_BYTES} bytes; the connection was closed."
            )
        if self._bytes > self._most_bytes:
            return f"The provider sent more than {self._most_bytes} bytes; the connection was closed."
        return None
