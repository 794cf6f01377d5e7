"""Headers that every answer of one origin carries."""

from collections.abc import Mapping

import attrs
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from genui_cli.preview.guard import origins_at

ON_EVERY_ANSWER = {
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def page_headers(sandbox_port: int) -> dict[str, str]:
    """Return the headers of the page's origin, which may frame the sandbox and load nothing from elsewhere."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        f"frame-src {' '.join(origins_at(sandbox_port))}; base-uri 'none'; form-action 'none'; "
        # Turns every attempt to parse a string as HTML into an error: the texts of tools are hostile.
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return {
        **ON_EVERY_ANSWER,
        "content-security-policy": policy,
        "cross-origin-opener-policy": "same-origin",
        "x-frame-options": "DENY",
    }


@attrs.frozen
class WithHeaders:
    """An ASGI application whose answers all carry `headers`; its own win."""

    app: ASGIApp
    headers: Mapping[str, str]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as the application does, with the headers added."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                carried = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    carried.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)
