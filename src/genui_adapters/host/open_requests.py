"""The HTTP requests that are being served, so that they can be ended."""

import anyio
from attrs import define, field
from starlette.types import ASGIApp, Receive, Scope, Send


@define(eq=False)
class OpenRequests:
    """Knows the requests that are being served, so that they can be ended.

    Attributes:
        app: What serves them.
    """

    app: ASGIApp
    _scopes: set[anyio.CancelScope] = field(factory=set)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        with anyio.CancelScope() as served:
            self._scopes.add(served)
            try:
                await self.app(scope, receive, send)
            finally:
                self._scopes.discard(served)

    def end(self) -> None:
        """End them all: streams would go on for ever."""
        for served in tuple(self._scopes):
            served.cancel()
