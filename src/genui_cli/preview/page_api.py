"""The preview page's files and API, and the API for programs that observe the person's actions.

The page's API has one answer per request, and a stream of events. Programs that cannot see views call
`GET /state`, which answers at once, or `GET /wait`, which answers after the next page event.
"""

import json
import math
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from urllib.parse import parse_qsl

import anyio
import attrs

from genui_adapters.host.http.exchange import EVENTS, Exchange, Headers, Refused
from genui_cli.preview.happenings import Event, Events, Happenings
from genui_core.domain.mcp.jsonrpc import APPLICATION_ERROR
from genui_core.errors import UpstreamFailed

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


class ServerEnded(Exception):
    """The error of a server that has ended, could not be started, or has closed its output."""


@attrs.frozen(kw_only=True)
class PageApi:
    """The endpoints behind the guard, for the page and for programs that observe it.

    Attributes:
        ask: Forwards a request to the server; raises `UpstreamFailed` or `ServerEnded` if there is no result.
        start_again: Restarts the server.
        server_state: Returns the event with the state of the server, the first of each stream.
        greeting: Returns the next events of a new stream.
    """

    ask: Callable[[str, dict[str, object]], Awaitable[dict[str, object]]]
    start_again: Callable[[], None]
    events: Events
    happenings: Happenings
    title: str
    has_model: bool
    sandbox_port: int
    server_state: Callable[[], Event]
    greeting: Callable[[], Iterable[Event]] = tuple

    async def session(self, exchange: Exchange) -> None:
        """Answer with the title, version and ports of this preview."""
        about = {"title": self.title, "version": own_version(), "sandboxPort": self.sandbox_port}
        await respond_json(exchange, {**about, "hasModel": self.has_model})

    async def restart(self, exchange: Exchange) -> None:
        """Restart the server."""
        self.start_again()
        await respond_json(exchange, {})

    async def rpc(self, exchange: Exchange) -> None:
        """Forward `{method, params}` and answer `{result}` or `{error}`; a page that disconnects cancels."""
        call = await json_object(exchange)
        method, params = call.get("method"), call.get("params", {})
        if method not in HOST_METHODS:
            raise Refused(400, f"The preview passes on only: {', '.join(sorted(HOST_METHODS))}.")
        if not isinstance(params, dict):
            raise Refused(400, "The params are not a JSON object.")
        answer = await exchange.unless_disconnected(self._answer(str(method), params))
        await respond_json(exchange, answer or {})

    async def stream_events(self, exchange: Exchange) -> None:
        """Stream events; the state of the server and the greeting come first."""
        exchange.start(200, ((b"content-type", EVENTS.encode()),))
        await exchange.unless_disconnected(self._stream(exchange))
        await exchange.write(b"", more=False)

    async def state(self, exchange: Exchange) -> None:
        """Answer with the page's description, the server's state, and the number of waiting page events."""
        server = {key: value for key, value in self.server_state().items() if key != "type"}
        answer = {"server": server, "page": self.happenings.page, "waiting": len(self.happenings.waiting)}
        await respond_json(exchange, answer)

    async def wait(self, exchange: Exchange) -> None:
        """Answer with the page events since the last call, or wait for one; 204 if none comes in time."""
        timeout_s = timeout_of(query_of(exchange).get("timeout"))
        events = await exchange.unless_disconnected(self.happenings.take(timeout_s))
        if events:
            await respond_json(exchange, events)
        else:
            exchange.respond(204)

    async def add_happening(self, exchange: Exchange) -> None:
        """Store an event that the page reports."""
        self.happenings.add(await json_object(exchange))
        await respond_json(exchange, {})

    async def describe(self, exchange: Exchange) -> None:
        """Store the page's description of what it shows."""
        self.happenings.page = await json_object(exchange)
        await respond_json(exchange, {})

    async def _answer(self, method: str, params: dict[str, object]) -> dict[str, object]:
        try:
            return {"result": await self.ask(method, params)}
        except UpstreamFailed as failed:
            return {"error": failed.error}
        except ServerEnded as ended:
            return {"error": {"code": APPLICATION_ERROR, "message": str(ended)}}

    async def _stream(self, exchange: Exchange) -> None:
        greeting = (self.server_state(), *self.greeting())
        with self.events.subscribe() as stream, suppress(anyio.EndOfStream):
            for first in greeting:
                await exchange.write(_sse(first))
            while True:
                event: Event | None = None
                with anyio.move_on_after(_STILL_HERE_EVERY_S):
                    event = await stream.receive()
                await exchange.write(b": still here\n\n" if event is None else _sse(event))


async def json_object(exchange: Exchange) -> dict[str, object]:
    """Return the body. Raises Refused if it is too large, or not a JSON object."""
    value = decode(await exchange.body(LARGEST_BODY_BYTES))
    if value is None:
        raise Refused(400, "The body is not a JSON object.")
    return value


def query_of(exchange: Exchange) -> dict[str, str]:
    """Return the parameters of a request's query."""
    return dict(parse_qsl(exchange.head.query, keep_blank_values=True))


def decode(text: bytes | str) -> dict[str, object] | None:
    """Return the JSON object in a text, or None if the text is not one."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


async def respond_json(exchange: Exchange, value: object) -> None:
    """Answer with JSON.

    The JSON is ASCII: a lone surrogate in a result reaches the page as an escape, where UTF-8 would fail.
    """
    exchange.respond(200, json.dumps(value).encode())


def own_version() -> str:
    """Return the installed version; "0" if it is unknown."""
    try:
        return version("mcp-gen-ui")
    except PackageNotFoundError:
        return "0"


def _sse(event: Event) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()


async def respond_asset(exchange: Exchange, name: str = "", headers: Headers = ()) -> None:
    """Answer with a file of the page, by default the one in the path; 404 if there is none."""
    name = name or exchange.head.path.rpartition("/")[2]
    folder = files("genui_cli.preview") / "assets"
    found = next((item for item in folder.iterdir() if item.name == name and item.is_file()), None)
    media_type = _MEDIA_TYPES.get(name[name.rfind(".") :])
    if found is None or media_type is None:
        exchange.respond(404)
    else:
        exchange.respond(200, found.read_bytes(), media_type, headers)


def timeout_of(text: str | None) -> float:
    """Return a timeout in seconds, by default 30. Raises Refused if it is not from 0 to 120."""
    if text is None:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_TIMEOUT_S:
        raise Refused(
            400, f"timeout must be a number of seconds from 0 to {LONGEST_TIMEOUT_S:.0f}, not {text!r}."
        )
    return seconds
