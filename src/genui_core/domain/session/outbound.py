"""The guard at the edge: what is sent is JSON in UTF-8, or is not sent (design: outbound guard)."""

from json import JSONEncoder

from genui_core.errors import InvalidArguments

_encode = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def outbound(value: object) -> bytes:
    """Return a value as compact JSON in UTF-8, on one line.

    Raises:
        InvalidArguments: It holds what JSON cannot: a lone surrogate, an infinite number, bytes,
            or more levels than can be written. Sent on, it would end somebody's connection.
    """
    try:
        return _encode(value).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidArguments(f"This cannot be sent as JSON: {error}") from error
