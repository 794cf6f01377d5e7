"""The connection to the Redis or Valkey server of ``cache.url``; what runs there is in the folder ``scripts``.

The server may be down: each command has a short timeout, and after a timeout no command is sent for a while.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, NoReturn, TypeVar, cast
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import anyio
from attrs import define, field, frozen

from genui_core.errors import GenUiError
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level

if TYPE_CHECKING:
    from redis.asyncio import Redis

_EXAMPLE = "for example redis://cache.internal:6379/0"
_OPTIONS = frozenset({"seal", "ca"})
_PORT = 6379
_MOST_DATABASES = 10_000


class BadStoreUrl(GenUiError):
    """``cache.url`` is missing or no URL of a Redis server; the text repeats no part of the URL."""


@frozen(kw_only=True)
class RedisPlace:
    """The address of a server, and the credentials for it.

    Attributes:
        name: The server's name in messages, without secrets.
        url: The URL for the client library, with user name and password.
        authorities: A file of CA certificates to trust instead of the system's, or None.
        seal: The secret that seals entries, if it is not the password.
    """

    name: str
    url: str = field(repr=False)
    password: str | None = field(repr=False)
    authorities: str | None
    seal: str | None = field(repr=False)

    @property
    def secret(self) -> bytes:
        """The key that seals entries: the same for all wrappers with the same password or seal."""
        return sha256(f"mcp-gen-ui shared views\n{self.seal or self.password or ''}".encode()).digest()

    @property
    def namespace(self) -> str:
        """The prefix of all the wrapper's names on the server; each key to seal with has another one."""
        return f"mcp-gen-ui:{sha256(self.secret).hexdigest()[:12]}:"

    @property
    def secrets(self) -> frozenset[str]:
        """The values that must not appear in logs or messages."""
        return frozenset(each for each in (self.password, self.seal) if each)


def redis_place(url: str | None) -> RedisPlace:
    """Return the place that a URL names, with its options.

    Raises BadStoreUrl if the URL is missing or invalid; the text names the setting and the mistake.
    """
    if not url:
        _refuse("does not say where the Redis server is")
    try:
        parts = urlsplit(url)
        port = parts.port or _PORT
    except ValueError:
        _refuse("is no URL")
    if parts.scheme not in ("redis", "rediss", "unix"):
        _refuse("must begin with redis://, rediss:// (TLS) or unix://")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = sorted(options.keys() - _OPTIONS)
    if unknown:
        _refuse(f"has an option {unknown[0]!r}, and there are only: {', '.join(sorted(_OPTIONS))}")
    return RedisPlace(
        name=_socket(parts) if parts.scheme == "unix" else _address(parts, port),
        url=url.partition("#")[0].partition("?")[0],
        password=unquote(parts.password) if parts.password else None,
        authorities=options.get("ca") if parts.scheme == "rediss" else None,
        seal=options.get("seal"),
    )


def _socket(parts: SplitResult) -> str:
    if not parts.path.startswith("/") or parts.hostname:
        _refuse("must name a socket by its whole path, as unix:///run/redis.sock")
    return unquote(parts.path)


def _address(parts: SplitResult, port: int) -> str:
    number = parts.path.strip("/")
    if not parts.hostname:
        _refuse("names no host")
    if number and not (number.isascii() and number.isdecimal() and int(number) < _MOST_DATABASES):
        _refuse("must end with the number of a database, or with the port")
    return f"{parts.hostname}:{port}/{int(number or 0)}"


def _refuse(why: str) -> NoReturn:
    raise BadStoreUrl(f"cache.url {why}; {_EXAMPLE}") from None


@cache
def _lua(name: str) -> str:
    """Return the text of a script, which says what it takes and returns."""
    return (files("genui_adapters.view_store") / "scripts" / f"{name}.lua").read_text(encoding="utf-8")


Answer = TypeVar("Answer")
Send = Callable[[], Awaitable[Answer]]

_BULKY = 8
"""The factor by which the timeout is longer for megabytes."""


class StoreUnreachable(GenUiError):
    """The server of a shared store gives no answer, or answers with an error; the text says why."""


@define(kw_only=True, eq=False, repr=False)
class RedisServer:
    """Sends commands to a server, with a timeout; loads the library and connects at the first command.

    It logs the start and the end of an outage once each. After a missing answer it sends no command for
    `pause_ms`, so that an outage costs one short wait.

    Args:
        within_s: The timeout of an answer in seconds, with the time to connect.
        pause_ms: The milliseconds without commands after a missing answer.
    """

    place: RedisPlace
    clock: Clock
    event_log: EventLog
    within_s: float = 1.0
    pause_ms: int = 5_000
    _client: "Redis | None" = None
    _is_down: bool = False
    _paused_until_ms: int | None = field(default=None)

    async def ask(
        self, operation: str, send: Send[Answer], otherwise: Answer, *, is_bulky: bool = False
    ) -> Answer:
        """Return the server's answer, or ``otherwise`` without one; a bulky answer may take longer."""
        until = self._paused_until_ms
        if until is not None and self.clock.monotonic_ms() < until:
            return otherwise
        try:
            answer = await self.insist(send, _BULKY if is_bulky else 1)
        except StoreUnreachable as error:
            if not self._is_down:
                reason = str(error)
                self.event_log.record(Level.WARN, "cache", "store_failed", operation=operation, reason=reason)
            self._is_down = True
            return otherwise
        if self._is_down:
            self.event_log.record(Level.INFO, "cache", "store_back", store=self.place.name)
        self._is_down, self._paused_until_ms = False, None
        return answer

    async def insist(self, send: Send[Answer], times: int = 1) -> Answer:
        """Return the server's answer within ``times`` the timeout, or raise `StoreUnreachable`."""
        from redis.exceptions import RedisError, ResponseError  # noqa: PLC0415 -- only when needed

        try:
            with anyio.fail_after(times * self.within_s):
                return await send()
        except ResponseError as error:
            self._paused_until_ms = None
            raise StoreUnreachable(f"the Redis server at {self.place.name} refused: {error}") from error
        except (RedisError, OSError) as error:  # `TimeoutError` is an OSError
            self._paused_until_ms = self.clock.monotonic_ms() + self.pause_ms
            why = "it did not answer in time" if isinstance(error, TimeoutError) else str(error)
            raise StoreUnreachable(
                f"the Redis server at {self.place.name} cannot be reached: {why}"
            ) from error

    async def command(self, *words: str | bytes | int) -> object:
        """Run a command. Call it within `ask` or `insist`."""
        ask = cast("Callable[..., Awaitable[object]]", self._connect().execute_command)
        return await ask(*words)

    async def script(self, names: str, keys: Sequence[str], *arguments: str | bytes | int) -> object:
        """Run scripts of the folder ``scripts`` as one. Call it within `ask` or `insist`."""
        text = "".join(map(_lua, names.split()))
        return await self._connect().register_script(text)(keys=list(keys), args=list(arguments))

    async def together(self, *commands: Sequence[str | bytes | int]) -> None:
        """Run commands in one transaction. Call it within `ask` or `insist`."""
        async with self._connect().pipeline(transaction=True) as pipeline:
            for each in commands:
                pipeline.execute_command(*each)
            await pipeline.execute()

    async def names(self, start: str) -> frozenset[str]:
        """Return the names with this start, in steps that do not block the server for long.

        Call it within `ask` or `insist`.
        """
        found = self._connect().scan_iter(match=f"{start}*", count=1000)
        return frozenset([each.decode(errors="replace") async for each in found])

    async def close(self) -> None:
        """Close the connections. May be called again."""
        client, self._client = self._client, None
        if client is not None:
            with anyio.move_on_after(self.within_s):
                await client.aclose()

    def _connect(self) -> "Redis":
        if self._client is None:
            from redis.asyncio import Redis  # noqa: PLC0415 -- slow to load, and rarely needed
            from redis.asyncio.retry import Retry  # noqa: PLC0415
            from redis.backoff import NoBackoff  # noqa: PLC0415

            connect = cast("Callable[..., Redis]", Redis.from_url)
            authorities = self.place.authorities
            self._client = connect(
                self.place.url,
                **({} if authorities is None else {"ssl_ca_certs": authorities}),
                protocol=2,
                socket_timeout=self.within_s,
                socket_connect_timeout=self.within_s,
                retry=Retry(NoBackoff(), 1),  # for a connection that a restart of the server closed
            )
        return self._client
