"""The page's API to the server: one answer per request, and a stream of events."""

import json
from collections.abc import AsyncIterator

import anyio
import attrs
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from genui_cli.preview import wire
from genui_cli.preview.connection import Connection, unless_abandoned
from genui_cli.preview.errors import RequestFailed, ServerEnded
from genui_cli.preview.guard import json_object
from genui_cli.preview.happenings import Event, Events

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
    about: dict[str, object]

    async def session(self, _request: Request) -> Response:
        """Tell the page about this preview."""
        return wire.json_response(self.about)

    async def restart(self, _request: Request) -> Response:
        """Start the server again."""
        self.connection.restart()
        return wire.json_response({})

    async def rpc(self, request: Request) -> Response:
        """Pass `{method, params}` on and answer `{result}` or `{error}`; a page that leaves cancels."""
        try:
            method, params = _call(await json_object(request))
        except ValueError as refused:
            return Response(str(refused), status_code=400)
        answer = await unless_abandoned(request, lambda: self._answer(method, params))
        return wire.json_response(answer or {})

    async def follow(self, _request: Request) -> Response:
        """Stream events, beginning with the state the server is in."""
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _answer(self, method: str, params: dict[str, object]) -> dict[str, object]:
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


def _call(call: dict[str, object]) -> tuple[str, dict[str, object]]:
    method, params = call.get("method"), call.get("params", {})
    if method not in HOST_METHODS:
        raise ValueError(f"The preview passes on only: {', '.join(sorted(HOST_METHODS))}.")
    if not isinstance(params, dict):
        raise ValueError("The params are not a JSON object.")  # noqa: TRY004 - the body's fault, not a caller's
    return str(method), params


def _sse(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"
