"""Lets only the page that the preview served talk to the preview.

A web page from anywhere can send requests to a loopback port, and a name that someone else controls can be
pointed at 127.0.0.1. So the Host header must be a loopback name with our port, requests to the API must carry
the token that only the terminal showed, and what changes anything must come from our own origin.
"""

import secrets
from collections.abc import Mapping

import attrs
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN_HEADER = "x-preview-token"  # noqa: S105 - a header's name
FOLLOWER_PATHS = ("/state", "/wait")
LOOPBACK_NAMES = ("127.0.0.1", "localhost")


def origins_at(port: int) -> tuple[str, ...]:
    """Return the two loopback origins of `port`."""
    return tuple(f"http://{name}:{port}" for name in LOOPBACK_NAMES)


@attrs.frozen(kw_only=True)
class Guard:
    """Refuses what does not come from the page at `port` that knows `token`."""

    port: int
    token: str

    def refusal(self, method: str, path: str, headers: Mapping[str, str]) -> str | None:
        """Return why a request is refused, or None when it may pass. Header names are lower case."""
        if f"http://{headers.get('host', '')}" not in origins_at(self.port):
            return "This address answers to loopback names only."
        if not path.startswith("/api/") and path not in FOLLOWER_PATHS:
            return None
        if not self._knows_the_token(headers):
            return "The token is missing or wrong: open the address that the terminal shows."
        if not self._comes_from_our_page(method, headers):
            return "The request comes from another origin."
        if method == "POST" and headers.get("content-type", "").split(";")[0] != "application/json":
            return "Only application/json is taken."
        return None

    def _knows_the_token(self, headers: Mapping[str, str]) -> bool:
        # A program finds the usual header easier to send than ours.
        offered = headers.get(TOKEN_HEADER) or headers.get("authorization", "").removeprefix("Bearer ")
        return secrets.compare_digest(offered.encode(), self.token.encode())

    def _comes_from_our_page(self, method: str, headers: Mapping[str, str]) -> bool:
        origin = headers.get("origin")
        if origin is None:
            # Browsers leave it out of a page's own GET requests, never out of a POST.
            return method == "GET"
        return origin == f"http://{headers['host']}"


@attrs.frozen
class Guarded:
    """An ASGI application behind a guard."""

    app: ASGIApp
    guard: Guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 403 with the reason."""
        request = Request(scope)
        refusal = self.guard.refusal(request.method, request.url.path, request.headers)
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            await PlainTextResponse(refusal, status_code=403)(scope, receive, send)
