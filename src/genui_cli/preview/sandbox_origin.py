"""The other origin: one page, the sandbox proxy, under the policy that its view will inherit."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from genui_cli.preview.asset_files import asset
from genui_cli.preview.guard import Guard, Guarded, origins_at
from genui_cli.preview.security_headers import ON_EVERY_ANSWER, WithHeaders

_NOT_IN_A_SOURCE = frozenset(";,'\"<> \t\r\n")


def sandbox_origin(guard: Guard, *, page_port: int) -> ASGIApp:
    """Return the application of the sandbox; only the page at `page_port` may frame it."""

    async def proxy_page(request: Request) -> Response:
        answer = asset("sandbox.html")
        declared = _declared(request.query_params.get("csp", ""))
        ancestors = f"frame-ancestors {' '.join(origins_at(page_port))}"
        answer.headers["content-security-policy"] = f"{view_policy(declared)}; {ancestors}"
        return answer

    async def proxy_script(_request: Request) -> Response:
        return asset("sandbox-proxy.js")

    routes = [Route("/", proxy_page), Route("/sandbox-proxy.js", proxy_script)]
    return WithHeaders(Guarded(Starlette(routes=routes), guard), ON_EVERY_ANSWER)


def view_policy(declared: Mapping[str, Any]) -> str:
    """Return the content security policy of a view.

    With nothing declared it is the default of MCP Apps: no network at all. `declared` is the `csp` of the
    UI resource: `connectDomains`, `resourceDomains`, `frameDomains`, `baseUriDomains`.
    """
    resources = _sources(declared, "resourceDomains")
    directives = {
        "default-src": ["'none'"],
        "script-src": ["'self'", "'unsafe-inline'", *resources],
        "style-src": ["'self'", "'unsafe-inline'", *resources],
        "img-src": ["'self'", "data:", *resources],
        "media-src": ["'self'", "data:", *resources],
        "font-src": resources or ["'none'"],
        "connect-src": _sources(declared, "connectDomains") or ["'none'"],
        # The view's own frame needs no source: it is written into about:blank, which takes on this policy.
        "frame-src": _sources(declared, "frameDomains") or ["'none'"],
        "object-src": ["'none'"],
        "base-uri": _sources(declared, "baseUriDomains") or ["'self'"],
    }
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


def _sources(declared: Mapping[str, Any], key: str) -> list[str]:
    """Return what is declared under `key`, less anything that could end a directive and begin another."""
    domains = declared.get(key)
    if not isinstance(domains, list):
        return []
    return [one for one in domains if isinstance(one, str) and one and not _NOT_IN_A_SOURCE & set(one)]


def _declared(text: str) -> dict[str, Any]:
    try:
        declared = json.loads(text)
    except ValueError:
        return {}
    return declared if isinstance(declared, dict) else {}
