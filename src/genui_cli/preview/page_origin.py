"""The origin of the page: its files for anyone on loopback, its API for those who know the token."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from genui_cli.preview.asset_files import asset
from genui_cli.preview.follower_api import FollowerApi
from genui_cli.preview.guard import Guard, Guarded
from genui_cli.preview.page_api import PageApi
from genui_cli.preview.security_headers import WithHeaders, page_headers


def page_origin(api: PageApi, follower: FollowerApi, guard: Guard, *, sandbox_port: int) -> ASGIApp:
    """Return the application that serves the page, its API, and the API of those who follow it."""
    routes = [
        Route("/", _page),
        Route("/assets/{name}", _asset),
        Route("/api/session", api.session),
        Route("/api/events", api.follow),
        Route("/api/rpc", api.rpc, methods=["POST"]),
        Route("/api/happened", follower.happened, methods=["POST"]),
        Route("/api/page", follower.describe, methods=["POST"]),
        Route("/state", follower.state),
        Route("/wait", follower.wait),
        Route("/api/restart", api.restart, methods=["POST"]),
    ]
    return WithHeaders(Guarded(Starlette(routes=routes), guard), page_headers(sandbox_port))


async def _page(_request: Request) -> Response:
    return asset("index.html")


async def _asset(request: Request) -> Response:
    return asset(request.path_params["name"])
