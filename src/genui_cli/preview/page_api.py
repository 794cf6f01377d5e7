"""The preview page's files and its API to the server, and the API for programs that follow a person.

The page's API gives one answer per request, and a stream of events. Programs that cannot see views ask
`GET /state`, which answers at once, or `GET /wait`, which answers when something has happened.
"""

import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import TypeVar

import anyio
import attrs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from genui_cli.preview.happenings import Event, Events, Happenings
from genui_core.domain.mcp.jsonrpc import APPLICATION_ERROR

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
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
DEFAULT_TIMEOUT_S = 30.0
LONGEST_TIMEOUT_S = 120.0
LARGEST_BODY_BYTES = 16 * 1024 * 1024


class PreviewError(Exception):
    """Any failure of the preview's connection to its server."""


class RequestFailed(PreviewError):
    """The server answered a request with an error, kept here unchanged."""

    def __init__(self, error: Mapping[str, object]) -> None:
        super().__init__(str(error.get("message")))
        self.error = error


class ServerEnded(PreviewError):
    """The server process has ended, could not be started, or has closed its output."""


@attrs.frozen(kw_only=True)
class PageApi:
    """The endpoints behind the guard, for the page and for programs that follow a person.

    Attributes:
        ask: Passes a request to the server; raises `RequestFailed` or `ServerEnded` where no result comes.
        start_again: Starts the server again.
        greeting: Returns the events that each stream begins with.
        server_state: Tells how the server is doing.
    """

    ask: Callable[[str, dict[str, object]], Awaitable[dict[str, object]]]
    start_again: Callable[[], None]
    events: Events
    happenings: Happenings
    title: str
    has_model: bool
    sandbox_port: int
    greeting: Callable[[], Iterable[Event]]
    server_state: Callable[[], Event]

    async def session(self, _request: Request) -> Response:
        """Tell the page about this preview."""
        about = {"title": self.title, "version": own_version(), "sandboxPort": self.sandbox_port}
        return json_response({**about, "hasModel": self.has_model})

    async def restart(self, _request: Request) -> Response:
        """Start the server again."""
        self.start_again()
        return json_response({})

    async def rpc(self, request: Request) -> Response:
        """Pass `{method, params}` on and answer `{result}` or `{error}`; a page that leaves cancels."""
        call = await json_object(request)
        method, params = call.get("method"), call.get("params", {})
        if method not in HOST_METHODS:
            raise HTTPException(400, f"The preview passes on only: {', '.join(sorted(HOST_METHODS))}.")
        if not isinstance(params, dict):
            raise HTTPException(400, "The params are not a JSON object.")
        answer = await unless_abandoned(request, lambda: self._answer(str(method), params))
        return json_response(answer or {})

    async def follow(self, _request: Request) -> Response:
        """Stream events, beginning with the greeting."""
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def state(self, _request: Request) -> Response:
        """Tell what the page shows, how the server is, and how much waits to be told."""
        server = {key: value for key, value in self.server_state().items() if key != "type"}
        return json_response(
            {"server": server, "page": self.happenings.page, "waiting": len(self.happenings.waiting)}
        )

    async def wait(self, request: Request) -> Response:
        """Tell what happened since the last time, or wait for it; 204 when nothing does in time."""
        timeout_s = timeout_of(request.query_params.get("timeout"))
        told = await unless_abandoned(request, lambda: self.happenings.take(timeout_s))
        return json_response(told) if told else Response(status_code=204)

    async def happened(self, request: Request) -> Response:
        """Take in what the page says has happened in it."""
        self.happenings.add(await json_object(request))
        return json_response({})

    async def describe(self, request: Request) -> Response:
        """Take in what the page says it shows."""
        self.happenings.page = await json_object(request)
        return json_response({})

    async def _answer(self, method: str, params: dict[str, object]) -> dict[str, object]:
        try:
            return {"result": await self.ask(method, params)}
        except RequestFailed as failed:
            return {"error": failed.error}
        except ServerEnded as ended:
            return {"error": {"code": APPLICATION_ERROR, "message": str(ended)}}

    async def _stream(self) -> AsyncIterator[str]:
        greeting = tuple(self.greeting())
        with self.events.follow() as stream:
            for first in greeting:
                yield _sse(first)
            while True:
                event: Event | None = None
                try:
                    with anyio.move_on_after(_STILL_HERE_EVERY_S):
                        event = await stream.receive()
                except anyio.EndOfStream:
                    return
                yield ": still here\n\n" if event is None else _sse(event)


Found = TypeVar("Found")


async def unless_abandoned(request: Request, work: Callable[[], Awaitable[Found]]) -> Found | None:
    """Return the result of `work`; if the client disconnects first, cancel the work and return None.

    The body of the request must have been read.
    """
    found: Found | None = None
    async with anyio.create_task_group() as tasks:

        async def cancel_when_they_leave() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            tasks.cancel_scope.cancel()

        tasks.start_soon(cancel_when_they_leave)
        found = await work()
        tasks.cancel_scope.cancel()
    return found


async def json_object(request: Request) -> dict[str, object]:
    """Return the body; `HTTPException` says that it is too large, or no JSON object."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY_BYTES:
            raise HTTPException(400, f"The body is larger than {LARGEST_BODY_BYTES} bytes.")
    value = decode(bytes(body))
    if value is None:
        raise HTTPException(400, "The body is not a JSON object.")
    return value


def decode(text: bytes | str) -> dict[str, object] | None:
    """Return the JSON object in a text, or None when the text is anything else."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def outcome(message: Mapping[str, object]) -> dict[str, object]:
    """Return the result that a response carries (JSON-RPC 2.0, section 5), or raise `RequestFailed`."""
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict):
        return result
    text = "The server answered with neither a result nor an error."
    raise RequestFailed(error if isinstance(error, dict) else {"code": APPLICATION_ERROR, "message": text})


def json_response(value: object) -> Response:
    """Return an answer to the page.

    It is ASCII: a lone surrogate in a result must reach the page as its escape, not break the answer.
    """
    return Response(json.dumps(value), media_type="application/json")


def own_version() -> str:
    """Return the version that is installed; 0 where that is not known."""
    try:
        return version("mcp-gen-ui")
    except PackageNotFoundError:
        return "0"


def _sse(event: Event) -> str:
    return f"data: {json.dumps(event)}\n\n"


def asset(name: str) -> Response:
    """Return the file `name` of the page, or 404: only plain names of files that are there are known."""
    folder = files("genui_cli.preview") / "assets"
    found = next((item for item in folder.iterdir() if item.name == name and item.is_file()), None)
    media_type = _MEDIA_TYPES.get(name[name.rfind(".") :])
    if found is None or media_type is None:
        return Response(status_code=404)
    return Response(found.read_bytes(), headers={"content-type": media_type})


def timeout_of(text: str | None) -> float:
    """Return the seconds to wait that were asked for; `HTTPException` unless from 0 to 120."""
    if text is None:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_TIMEOUT_S:
        raise HTTPException(
            400, f"timeout must be a number of seconds from 0 to {LONGEST_TIMEOUT_S:.0f}, not {text!r}."
        )
    return seconds
