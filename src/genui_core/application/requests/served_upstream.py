"""One server behind the wrapper, for a group of hosts that it offers the same tools: its listings, and what it lacks."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import inf
from typing import TYPE_CHECKING, TypeVar, cast

import anyio
from attrs import define, evolve, field

from genui_core.application.requests.host_request import (
    Forward,
    HostRequest,
    InputRequired,
    Take,
    WorkOfHosts,
)
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import Listing, PagedListings, ToolDiff, tool_pages
from genui_core.domain.mcp.envelope import ProgressReport, host_gets_apps, request_meta, with_server_info
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.host_model import Result

if TYPE_CHECKING:
    from genui_core.application.worker.generation_worker import Work


Params = Mapping[str, object]


async def awaited(
    begin: Callable[[Take, Callable[[str], None]], Callable[[], None]],
    params: Params,
    tell: Callable[[str, Params], Awaitable[None]],
    within_s: float | None = None,
    late: Callable[[object], None] = lambda _made: None,
) -> object:
    """Return the result of work in the generation worker; cancel the work if the caller is cancelled.

    Args:
        begin: Starts the work. Takes a callback for the result and one for progress; returns a function
            that cancels the work.
        params: The parameters of the request that needs the work.
        tell: Sends a progress notification to the host.
        within_s: How long to wait, in seconds; after that the work continues, and None is returned.
        late: Called with the result of work that took longer.

    Raises:
        GenUiError: There is no generation worker, or the work failed.
        InputRequired: The work needs input from the host first.
    """
    results = list[object]()
    deadline = anyio.CancelScope(deadline=inf if within_s is None else anyio.current_time() + within_s)
    say, said = anyio.create_memory_object_stream[tuple[str, Params]](inf)

    def take(made: object) -> None:
        if deadline.cancelled_caught:
            late(made)
        results.append(made)
        say.close()

    def report(*news: object) -> None:
        if not deadline.cancelled_caught:
            say.send_nowait(cast("tuple[str, Params]", news))

    give_up = begin(take, ProgressReport(params, report))
    try:
        with deadline:
            async for method, news in said:
                await tell(method, news)
    finally:
        if not deadline.cancelled_caught:
            give_up()
        say.close()
        said.close()
    if deadline.cancelled_caught and not results:
        return None
    (made,) = results
    if isinstance(made, GenUiError | InputRequired):
        raise made
    return made


Made = TypeVar("Made")


class ServerListings:
    """The listings of a server's tools for one audience.

    Attributes:
        audience: Names the hosts that they are for, where the server offers other tools to others.
    """

    def __init__(self, views: ToolViews, audience: str) -> None:
        self._views = views
        self.audience = audience
        self._pages = PagedListings(self._begin)
        self._is_stale = False

    def changed(self) -> None:
        """Mark the listed tools as stale: the server has changed them."""
        self._is_stale = True

    def add_page(self, cursor: object, listed: list[object], following: object) -> bool:
        """Take in a page of a listing, from a cursor to the next; say whether it was the last."""
        listing = self._pages.add_page(cursor, listed, following)
        if listing is not None:
            self._finish(listing)
        return listing is not None

    def _begin(self) -> Listing:
        return self._views.tools.begin_listing(self.audience)

    def _finish(self, listing: Listing) -> ToolDiff:
        if listing.is_whole:
            self._is_stale = False
        return self._views.finish_listing(listing)

    async def learn(self, request: HostRequest, forward: Forward) -> None:
        """List the server's tools to the end, unless they are known or the server has none to list."""
        if not self._views.tools.knows_tools_for(self.audience) or self._is_stale:
            await self.list_again(request, forward)

    async def list_again(self, request: HostRequest, forward: Forward) -> ToolDiff | UpstreamFailed:
        """List the server's tools in a request's name; return what `list_all` does."""
        meta = {key: value for key, value in request_meta(request.params).items() if key != "progressToken"}
        return await self.list_all(evolve(request, params={"_meta": meta} if meta else {}), forward)

    async def list_all(self, request: HostRequest, forward: Forward) -> ToolDiff | UpstreamFailed:
        """List the server's tools to the end, for the wrapper alone; return the changes or its error."""
        listing = self._begin()

        def ask(params: Params) -> Awaitable[Result]:
            return forward(evolve(request, method="tools/list", params=params))

        try:
            async for page in tool_pages(ask, request.params):
                listing.take(page)
        except UpstreamFailed as failed:
            return failed
        return self._finish(listing)


def _introduce(server: "ServedUpstream", _attribute: object, info: object) -> object:
    server.views.tools.know_upstream(info)
    return info


@define
class ServedUpstream:
    """What the handlers of requests share about one server.

    Attributes:
        audience: The name of this group of hosts, if the server offers other tools to other hosts.
        info: The server's name and version, which stateless hosts get with every result.
    """

    views: ToolViews
    audience: str = ""
    info: Mapping[str, object] | None = field(default=None, on_setattr=_introduce)
    lacks_resources: bool = False
    listings: ServerListings = field(init=False)
    _work: WorkOfHosts = field(init=False)

    @_work.default
    def _(self) -> WorkOfHosts:
        return WorkOfHosts(self.views)

    @listings.default
    def _(self) -> ServerListings:
        return ServerListings(self.views, self.audience)

    def gets_apps(self, capabilities: object) -> bool:
        """Whether a host with these capabilities is served UIs."""
        return host_gets_apps(capabilities, self.views.settings.apps)

    async def owns(self, uri: str, request: HostRequest, forward: Forward) -> bool:
        """Whether the wrapper serves a view to this host at this address."""
        if not uri.lower().startswith("ui://") or not self.gets_apps(request.capabilities):
            return False
        await self.listings.learn(request, forward)
        return self.views.tools.owns(uri)

    async def made(self, work: "Work[Made]", request: HostRequest) -> Made:
        """Return what the generation worker makes for a request, or raise its `GenUiError`."""
        return cast(
            "Made", await awaited(partial(self._work.begin, request, work), request.params, request.tell)
        )

    async def made_in_time(
        self, work: "Work[Made]", request: HostRequest, late: Callable[[Made], None]
    ) -> Made | None:
        """Return what the generation worker makes for a read; None if that outlasts ``serveWithinMs``."""
        made = await awaited(
            partial(self._work.begin, request, work),
            request.params,
            request.tell,
            self.views.serves_within_s(request.host_name),
            lambda made: None if isinstance(made, GenUiError) else late(cast("Made", made)),
        )
        return cast("Made | None", made)

    def ours(self, result: Result, request: HostRequest) -> Result:
        """Return the wrapper's own result in the form of the request's protocol era."""
        return with_server_info(result, self.info) if request.stateless else result
