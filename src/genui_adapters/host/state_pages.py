"""How we are, for those who watch over us: alive, ready, and in numbers."""

from collections.abc import Iterator

from attrs import evolve
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from genui_adapters.host.http_security import Admission, Gate
from genui_adapters.host.proxy_server import ProxyServer
from genui_adapters.telemetry.tally import Tally


def state_pages(proxy: ProxyServer, admission: Admission, tally: Tally | None) -> Iterator[Route]:
    """Yield ``/healthz`` and ``/readyz``, and ``/metrics`` where something is counted.

    Health checks have no token, so the first two pages need none and say nothing else. The metrics
    say more, and need authorization.

    Args:
        proxy: What is watched.
        admission: Who is let in.
        tally: What was counted, or None.
    """
    watched = evolve(admission, token=None)
    yield Route("/healthz", Gate(JSONResponse({"status": "alive"}), watched), methods=["GET"])
    yield Route("/readyz", Gate(_readiness(proxy), watched), methods=["GET"])
    if tally is not None:
        yield Route("/metrics", Gate(_numbers(tally), admission), methods=["GET"])


def _readiness(proxy: ProxyServer) -> ASGIApp:
    async def readiness(scope: Scope, receive: Receive, send: Send) -> None:
        reason = proxy.unready
        state = {"status": "ready"} if reason is None else {"status": "not ready", "reason": reason}
        await JSONResponse(state, 200 if reason is None else 503)(scope, receive, send)

    return readiness


def _numbers(tally: Tally) -> ASGIApp:
    async def numbers(scope: Scope, receive: Receive, send: Send) -> None:
        from genui_adapters.telemetry.prometheus import exposition  # noqa: PLC0415 -- not before it is asked for

        text, kind = exposition(tally, Headers(scope=scope).get("accept", ""))
        await Response(text, media_type=kind)(scope, receive, send)

    return numbers
