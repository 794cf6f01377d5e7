"""Following a person from outside the page: what it shows, and what they do in it.

For programs that cannot see views. `GET /state` answers at once, `GET /wait` when something has happened.
"""

import math
from collections.abc import Callable

import attrs
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from genui_cli.preview import wire
from genui_cli.preview.connection import unless_abandoned
from genui_cli.preview.guard import json_object
from genui_cli.preview.happenings import Happenings

DEFAULT_TIMEOUT_S = 30.0
LONGEST_TIMEOUT_S = 120.0


@attrs.frozen(kw_only=True)
class FollowerApi:
    """The endpoints; `server_state` tells how the server is doing."""

    happenings: Happenings
    server_state: Callable[[], dict[str, object]]

    async def state(self, _request: Request) -> Response:
        """Tell what the page shows, how the server is, and how much waits to be told."""
        server = {key: value for key, value in self.server_state().items() if key != "type"}
        return wire.json_response(
            {"server": server, "page": self.happenings.page, "waiting": self.happenings.count}
        )

    async def wait(self, request: Request) -> Response:
        """Tell what happened since the last time, or wait for it; 204 when nothing does in time."""
        try:
            timeout_s = timeout_of(request.query_params.get("timeout"))
        except ValueError as wrong:
            return PlainTextResponse(str(wrong), status_code=400)
        told = await unless_abandoned(request, lambda: self.happenings.take(timeout_s))
        return wire.json_response(told) if told else Response(status_code=204)

    async def happened(self, request: Request) -> Response:
        """Take in what the page says has happened in it."""
        try:
            happening = await json_object(request)
        except ValueError as refused:
            return PlainTextResponse(str(refused), status_code=400)
        self.happenings.add(happening)
        return wire.json_response({})

    async def describe(self, request: Request) -> Response:
        """Take in what the page says it shows."""
        try:
            self.happenings.page = await json_object(request)
        except ValueError as refused:
            return PlainTextResponse(str(refused), status_code=400)
        return wire.json_response({})


def timeout_of(text: str | None) -> float:
    """Return the seconds to wait that were asked for.

    Raises:
        ValueError: They are no number from 0 to 120.
    """
    if text is None:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= LONGEST_TIMEOUT_S:
        raise ValueError(
            f"timeout must be a number of seconds from 0 to {LONGEST_TIMEOUT_S:.0f}, not {text!r}."
        )
    return seconds
