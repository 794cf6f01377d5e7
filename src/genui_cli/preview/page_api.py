"""The preview page's files and its API to the server, and the API for programs that follow a person.

The page's API gives one answer per request, and a stream of events. Programs that cannot see views ask
`GET /state`, which answers at once, or `GET /wait`, which answers when something has happened.
"""

import json
import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from urllib.parse import parse_qsl

import anyio
import attrs

from genui_adapters.host.http.exchange import EVENTS, BodyTooLarge, Exchange, Headers
from genui_cli.preview.guard import BadRequest
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
    """The server process has ended, could not be started, or has closed its output."""


@attrs.frozen(kw_only=True)
class PageApi:
    """The endpoints behind the guard, for the page and for programs that follow a person.

    Attributes:
        ask: Passes a request to the server; raises `UpstreamFailed` or `ServerEnded` where no result comes.
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

    async def session(self, exchange: Exchange) -> None:
        """Tell the page about this preview."""
        about = {"title": self.title, "version": own_version(), "sandboxPort": self.sandbox_port}
        await respond_json(exchange, {**about, "hasModel": self.has_model})

    async def restart(self, exchange: Exchange) -> None:
        """Start the server again."""
        self.start_again()
        await respond_json(exchange, {})

    async def rpc(self, exchange: Exchange) -> None:
        """Pass `{method, params}` on and answer `{result}` or `{error}`; a page that leaves cancels."""
        call = await json_object(exchange)
        method, params = call.get("method"), call.get("params", {})
        if method not in HOST_METHODS:
            raise BadRequest(f"The preview passes on only: {', '.join(sorted(HOST_METHODS))}.")
        if not isinstance(params, dict):
            raise BadRequest("The params are not a JSON object.")
        answer = await exchange.unless_disconnected(partial(self._answer, str(method), params))
        await respond_json(exchange, answer or {})

    async def follow(self, exchange: Exchange) -> None:
        """Stream events, beginning with the greeting."""
        await exchange.start(200, ((b"content-type", EVENTS.encode()),))
        await exchange.unless_disconnected(partial(self._stream, exchange))
        await exchange.write(b"", more=False)

    async def state(self, exchange: Exchange) -> None:
        """Tell what the page shows, how the server is, and how much waits to be told."""
        server = {key: value for key, value in self.server_state().items() if key != "type"}
        told = {"server": server, "page": self.happenings.page, "waiting": len(self.happenings.waiting)}
        await respond_json(exchange, told)

    async def wait(self, exchange: Exchange) -> None:
        """Tell what happened since the last time, or wait for it; 204 when nothing does in time."""
        timeout_s = timeout_of(query_of(exchange).get("timeout"))
        told = await exchange.unless_disconnected(partial(self.happenings.take, timeout_s))
        if told:
            await respond_json(exchange, told)
        else:
            await exchange.respond(204)

    async def happened(self, exchange: Exchange) -> None:
        """Take in what the page says has happened in it."""
        self.happenings.add(await json_object(exchange))
        await respond_json(exchange, {})

    async def describe(self, exchange: Exchange) -> None:
        """Take in what the page says it shows."""
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
        greeting = tuple(self.greeting())
        with self.events.follow() as stream, suppress(anyio.EndOfStream):
            for first in greeting:
                await exchange.write(_sse(first))
            while True:
                event: Event | None = None
                with anyio.move_on_after(_STILL_HERE_EVERY_S):
                    event = await stream.receive()
                await exchange.write(b": still here\n\n" if event is None else _sse(event))


async def json_object(exchange: Exchange) -> dict[str, object]:
    """Return the body; `BadRequest` says that it is too large, or no JSON object."""
    try:
        value = decode(await exchange.body(LARGEST_BODY_BYTES))
    except BodyTooLarge:
        raise BadRequest(f"The body is larger than {LARGEST_BODY_BYTES} bytes.") from None
    if value is None:
        raise BadRequest("The body is not a JSON object.")
    return value


def query_of(exchange: Exchange) -> dict[str, str]:
    """Return the query of a request's address."""
    return dict(parse_qsl(exchange.head.query, keep_blank_values=True))


def decode(text: bytes | str) -> dict[str, object] | None:
    """Return the JSON object in a text, or None when the text is anything else."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return message if isinstance(message, dict) else None


def outcome(message: Mapping[str, object]) -> dict[str, object]:
    """Return the result that a response carries (JSON-RPC 2.0, section 5), or raise `UpstreamFailed`."""
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict):
        return result
    text = "The server answered with neither a result nor an error."
    raise UpstreamFailed(error if isinstance(error, dict) else {"code": APPLICATION_ERROR, "message": text})


async def respond_json(exchange: Exchange, value: object) -> None:
    """Answer the page.

    The answer is ASCII: a lone surrogate in a result must reach the page as its escape, not break the answer.
    """
    await exchange.respond(200, json.dumps(value).encode())


def own_version() -> str:
    """Return the version that is installed; 0 where that is not known."""
    try:
        return version("mcp-gen-ui")
    except PackageNotFoundError:
        return "0"


def _sse(event: Event) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()


async def respond_asset(exchange: Exchange, name: str = "", headers: Headers = ()) -> None:
    """Answer with a file of the page, by default that of the path; 404 unless it is there."""
    name = name or exchange.head.path.rpartition("/")[2]
    folder = files("genui_cli.preview") / "assets"
    found = next((item for item in folder.iterdir() if item.name == name and item.is_file()), None)
    media_type = _MEDIA_TYPES.get(name[name.rfind(".") :])
    if found is None or media_type is None:
        await exchange.respond(404)
    else:
        await exchange.respond(200, found.read_bytes(), media_type, headers)


def timeout_of(text: str | None) -> float:
    """Return the seconds to wait that were asked for; `BadRequest` unless from 0 to 120."""
    if text is None:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_TIMEOUT_S:
        raise BadRequest(
            f"timeout must be a number of seconds from 0 to {LONGEST_TIMEOUT_S:.0f}, not {text!r}."
        )
    return seconds
