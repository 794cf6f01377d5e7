"""A Redis or Valkey server as something that may be gone: asked briefly, and left alone for a while when it is."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import anyio
from attrs import define, field

from genui_adapters.view_store.redis_place import RedisPlace
from genui_core.errors import GenUiError
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level

if TYPE_CHECKING:
    from redis.asyncio import Redis

Answer = TypeVar("Answer")
Send = Callable[[], Awaitable[Answer]]

_BULKY = 8
"""How many times as long it may take to send or fetch megabytes."""


class StoreUnreachable(GenUiError):
    """The server of a shared store does not answer, or not as it should; the text says why."""


@define(kw_only=True, eq=False)
class RedisServer:
    """Asks a server, for `within_s` at most; its library is loaded and a connection made when that is first wanted.

    It logs an outage once, and its end once. After a missing answer it sends no command for `pause_ms`,
    so that an outage costs one short wait.

    Args:
        within_s: How long an answer may take, a connection included.
        pause_ms: How long a server that did not answer is left alone.
    """

    place: RedisPlace
    clock: Clock
    event_log: EventLog
    within_s: float = 1.0
    pause_ms: int = 5_000
    _client: "Redis | None" = None
    _is_amiss: bool = False
    _left_alone_until_ms: int | None = field(default=None)

    async def ask(
        self, operation: str, send: Send[Answer], otherwise: Answer, *, is_bulky: bool = False
    ) -> Answer:
        """Return what the server answers, or something else; what is bulky may take longer."""
        until = self._left_alone_until_ms
        if until is not None and self.clock.monotonic_ms() < until:
            return otherwise
        try:
            answer = await self.insist(send, _BULKY if is_bulky else 1)
        except StoreUnreachable as error:
            self._note_outage(operation, str(error))
            return otherwise
        self._note_return()
        return answer

    async def insist(self, send: Send[Answer], times: int = 1) -> Answer:
        """Return what the server answers within ``times`` the usual time, or raise `StoreUnreachable`."""
        from redis.exceptions import RedisError, ResponseError  # noqa: PLC0415 -- not before it is needed

        try:
            with anyio.fail_after(times * self.within_s):
                return await send()
        except ResponseError as error:
            self._left_alone_until_ms = None
            raise StoreUnreachable(f"the Redis server at {self.place.name} refused: {error}") from error
        except (RedisError, OSError) as error:  # what took too long is an OSError
            self._left_alone_until_ms = self.clock.monotonic_ms() + self.pause_ms
            why = "it did not answer in time" if isinstance(error, TimeoutError) else str(error)
            raise StoreUnreachable(
                f"the Redis server at {self.place.name} cannot be reached: {why}"
            ) from error

    async def command(self, *words: str | bytes | int) -> object:
        """Run a command. Call it within `ask` or `insist`."""
        ask = cast("Callable[..., Awaitable[object]]", self._connected().execute_command)
        return await ask(*words)

    async def script(self, text: str, keys: Sequence[str], *arguments: str | bytes | int) -> object:
        """Have a script run. To be called within `ask` or `insist`."""
        return await self._connected().register_script(text)(keys=list(keys), args=list(arguments))

    async def together(self, *commands: Sequence[str | bytes | int]) -> None:
        """Have commands done in one step. To be called within `ask` or `insist`."""
        async with self._connected().pipeline(transaction=True) as pipeline:
            for each in commands:
                pipeline.execute_command(*each)
            await pipeline.execute()

    async def close(self) -> None:
        """Give up the connections. May be called again."""
        client, self._client = self._client, None
        if client is not None:
            with anyio.move_on_after(self.within_s):
                await client.aclose()

    def _connected(self) -> "Redis":
        if self._client is None:
            from redis.asyncio import Redis  # noqa: PLC0415 -- slow to load, and asked for rarely
            from redis.asyncio.retry import Retry  # noqa: PLC0415
            from redis.backoff import NoBackoff  # noqa: PLC0415

            make = cast("Callable[..., Redis]", Redis)
            self._client = make(
                **self.place.connection,
                protocol=2,
                socket_timeout=self.within_s,
                socket_connect_timeout=self.within_s,
                retry=Retry(NoBackoff(), 1),  # a connection that a restarted server has forgotten
            )
        return self._client

    def _note_outage(self, operation: str, reason: str) -> None:
        if not self._is_amiss:
            self._is_amiss = True
            self.event_log.record(Level.WARN, "cache", "store_failed", operation=operation, reason=reason)

    def _note_return(self) -> None:
        self._left_alone_until_ms = None
        if self._is_amiss:
            self._is_amiss = False
            self.event_log.record(Level.INFO, "cache", "store_back", store=self.place.name)
