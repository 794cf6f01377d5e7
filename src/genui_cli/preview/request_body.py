"""The body of a request of the page's."""

from starlette.requests import Request

from genui_cli.preview import wire

LARGEST_BODY_BYTES = 16 * 1024 * 1024


async def json_object(request: Request) -> dict[str, object]:
    """Return the body.

    Raises:
        ValueError: It is too large, or no JSON object; the text says so.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY_BYTES:
            raise ValueError(f"The body is larger than {LARGEST_BODY_BYTES} bytes.")
    value = wire.decode(bytes(body))
    if value is None:
        raise ValueError("The body is not a JSON object.")
    return value
