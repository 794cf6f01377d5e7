"""Listing the tools of a server whose answers come as plain values, and knowing whether that is still true."""

from attrs import define, evolve, field

from genui_core.application.host_request import Forward, HostRequest
from genui_core.application.wrapper import Wrapper
from genui_core.domain.mcp.apps_extension import request_meta
from genui_core.domain.tools.paged_listings import PagedListings
from genui_core.domain.tools.registry import Listing, ToolDiff
from genui_core.errors import UpstreamFailed


@define
class ServerListings:
    """The listings of a server's tools for one audience.

    Attributes:
        audience: Names the hosts that they are for, where the server offers other tools to others.
    """

    _wrapper: Wrapper
    audience: str
    _pages: PagedListings = field(init=False)
    _is_stale: bool = field(init=False, default=False)

    @_pages.default
    def _begin_with_none(self) -> PagedListings:
        return PagedListings(self._begin)

    def changed(self) -> None:
        """Mark the listed tools as stale: the server has changed them."""
        self._is_stale = True

    def add_page(self, cursor: object, listed: list[object], following: object) -> bool:
        """Take in a page that a host was given; say whether it was the last.

        Args:
            cursor: What the page was asked for with.
            listed: What stands on it.
            following: What the next page is asked for with; None where there is none.
        """
        listing = self._pages.take(cursor)
        listing.add_page(listed)
        if isinstance(following, str) and following:
            self._pages.keep(following, listing)
            return False
        self._finish(listing)
        return True

    def _begin(self) -> Listing:
        return self._wrapper.begin_listing(self.audience)

    def _finish(self, listing: Listing) -> ToolDiff:
        if listing.is_whole:
            self._is_stale = False
        return self._wrapper.finish_listing(listing)

    async def learn(self, request: HostRequest, forward: Forward) -> None:
        """List the server's tools to the end, unless they are known or the server has none to list."""
        if not self._wrapper.knows_tools_for(self.audience) or self._is_stale:
            await self.list_anew(request, forward)

    async def list_anew(self, request: HostRequest, forward: Forward) -> ToolDiff | UpstreamFailed:
        """List the server's tools in a request's name; return what `list_all` does."""
        meta = {key: value for key, value in request_meta(request.params).items() if key != "progressToken"}
        return await self.list_all(evolve(request, params={"_meta": meta} if meta else {}), forward)

    async def list_all(self, request: HostRequest, forward: Forward) -> ToolDiff | UpstreamFailed:
        """List the server's tools to the end, for the wrapper alone.

        Args:
            request: Says for whom: its capabilities and ``_meta`` count, not its method.
            forward: Has the server answer.

        Returns:
            What that changed, or the error that the server answers with.
        """
        listing, cursor, seen = self._begin(), None, set[str]()
        while True:
            page = {**request.params, "cursor": cursor} if cursor else request.params
            try:
                result = await forward(evolve(request, method="tools/list", params=page))
            except UpstreamFailed as failed:
                return failed
            listed, following = result.get("tools"), result.get("nextCursor")
            listing.add_page(listed if isinstance(listed, list) else [])
            if not isinstance(following, str) or not following or following in seen:
                return self._finish(listing)
            seen.add(following)
            cursor = following
