"""Pages for those who watch over the server: alive, ready, and in numbers."""

from collections.abc import Awaitable, Callable

from attrs import evolve, frozen

from genui_adapters.host.http.exchange import Exchange
from genui_adapters.host.http.security import Admission
from genui_adapters.host.sessions.proxy_server import ProxyServer
from genui_adapters.telemetry.tally import Tally
from genui_core.domain.mcp.jsonrpc import outbound


@frozen
class StatePages:
    """``/healthz``, ``/readyz``, and ``/metrics`` where something is counted.

    Health checks have no token, so the first two pages need none and say nothing else. The metrics
    say more, and need authorization.

    Attributes:
        proxy: What is watched.
        admission: Who is let in.
        tally: What was counted, or None.
    """

    proxy: ProxyServer
    admission: Admission
    tally: Tally | None

    def page(self, path: str) -> "tuple[Admission, Callable[[Exchange], Awaitable[None]]] | None":
        """Return who may see the page at a path, and what answers there; None if there is no such page."""
        if path == "/metrics" and self.tally is not None:
            return self.admission, self._numbers
        watched = evolve(self.admission, token=None)
        pages = {"/healthz": self._life, "/readyz": self._readiness}
        return (watched, pages[path]) if path in pages else None

    async def _life(self, exchange: Exchange) -> None:
        await exchange.respond(200, outbound({"status": "alive"}))

    async def _readiness(self, exchange: Exchange) -> None:
        reason = self.proxy.unready
        state = {"status": "ready"} if reason is None else {"status": "not ready", "reason": reason}
        await exchange.respond(200 if reason is None else 503, outbound(state))

    async def _numbers(self, exchange: Exchange) -> None:
        from genui_adapters.telemetry.prometheus import exposition  # noqa: PLC0415 -- not before it is asked for

        if self.tally is not None:
            text, kind = exposition(self.tally, exchange.headers.get("accept", ""))
            await exchange.respond(200, text, kind)
