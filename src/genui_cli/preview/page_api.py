"""The page's way to the server: one request in, one answer out, and a stream of what happens meanwhile."""

import json
from collections.abc import AsyncIterator
from typing import Any

import anyio
import attrs
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from genui_cli.preview import wire
from genui_cli.preview.connection import Connection
from genui_cli.preview.errors import RequestFailed, ServerEnded
from genui_cli.preview.events import Event, Events

LARGEST_BODY_BYTES = 16 * 1024 * 1024
_STILL_HERE_EVERY_S = 15.0
HOST_METHODS = frozenset(
    {
        "completion/complete",
        "ping",
        "prompts/get",
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "tools/call",
        "tools/list",
    }
)


@attrs.frozen(kw_only=True)
class PageApi:
    """The endpoints behind the guard; `about` is what the page learns of this preview when it opens."""

    connection: Connection
    events: Events
    about: dict[str, Any]

    async def session(self, _request: Request) -> Response:
        """Tell the page about this preview."""
        return _json(self.about)

    async def restart(self, _request: Request) -> Response:
        """Start the server again."""
        self.connection.restart()
        return _json({})

    async def rpc(self, request: Request) -> Response:
        """Pass `{method, params}` on and answer `{result}` or `{error}`; a page that leaves cancels."""
        try:
            method, params = _call(await _body(request))
        except ValueError as refused:
            return Response(str(refused), status_code=400)
        answer: dict[str, Any] = {}
        async with anyio.create_task_group() as tasks:

            async def cancel_when_the_page_leaves() -> None:
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                tasks.cancel_scope.cancel()

            tasks.start_soon(cancel_when_the_page_leaves)
            answer = await self._answer(method, params)
            tasks.cancel_scope.cancel()
        return _json(answer)

    async def follow(self, _request: Request) -> Response:
        """Stream events, beginning with the state the server is in."""
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _answer(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"result": await self.connection.request(method, params)}
        except RequestFailed as failed:
            return {"error": failed.as_wire()}
        except ServerEnded as ended:
            return {"error": {"code": wire.APPLICATION_ERROR, "message": str(ended)}}

    async def _stream(self) -> AsyncIterator[str]:
        with self.events.follow() as stream:
            yield _sse(self.connection.state)
            while True:
                event: Event | None = None
                try:
                    with anyio.move_on_after(_STILL_HERE_EVERY_S):
                        event = await stream.receive()
                except anyio.EndOfStream:
                    return
                yield ": still here\n\n" if event is None else _sse(event)


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY_BYTES:
            raise ValueError(f"The body is larger than {LARGEST_BODY_BYTES} bytes.")
    return bytes(body)


def _call(body: bytes) -> tuple[str, dict[str, Any]]:
    call = wire.decode(body)
    if call is None:
        raise ValueError("The body is not a JSON object.")
    method, params = call.get("method"), call.get("params", {})
    if method not in HOST_METHODS:
        raise ValueError(f"The preview passes on only: {', '.join(sorted(HOST_METHODS))}.")
    if not isinstance(params, dict):
        raise ValueError("The params are not a JSON object.")  # noqa: TRY004 - the body's fault, not a caller's
    return str(method), params


def _json(value: dict[str, Any]) -> Response:
    # ASCII: a lone surrogate in a result must reach the page as its escape, not break the answer.
    return Response(json.dumps(value), media_type="application/json")


def _sse(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"
