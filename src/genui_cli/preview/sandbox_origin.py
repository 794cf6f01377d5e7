"""The other origin: one page, the sandbox proxy, under the policy that its view will inherit."""

import json

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from genui_cli.preview.asset_files import asset
from genui_cli.preview.guard import Guard, Guarded, origins_at
from genui_cli.preview.security_headers import ON_EVERY_ANSWER, WithHeaders
from genui_cli.preview.view_policies import view_policy


def sandbox_origin(guard: Guard, *, page_port: int) -> ASGIApp:
    """Return the application of the sandbox; only the page at `page_port` may frame it."""

    async def proxy_page(request: Request) -> Response:
        answer = asset("sandbox.html")
        declared = _declared(request.query_params.get("csp", ""))
        policy = view_policy(declared, request.query_params.get("profile", "spec"))
        ancestors = f"frame-ancestors {' '.join(origins_at(page_port))}"
        answer.headers["content-security-policy"] = f"{policy}; {ancestors}"
        return answer

    async def proxy_script(request: Request) -> Response:
        name = request.path_params["name"]
        return asset(name) if name in _SCRIPTS else Response(status_code=404)

    routes = [Route("/", proxy_page), Route("/{name}", proxy_script)]
    return WithHeaders(Guarded(Starlette(routes=routes), guard), ON_EVERY_ANSWER)


_SCRIPTS = frozenset({"sandbox-proxy.js", "sandbox-additions.js"})


def _declared(text: str) -> dict[str, object]:
    try:
        declared = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return declared if isinstance(declared, dict) else {}
