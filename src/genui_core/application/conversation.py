"""One host's requests to a server whose answers come as plain values: the door of SDK-made servers.

The same few requests as in the stdio relay are edited or answered; everything else is handed
on. Nothing here knows an SDK: the door brings the request and a way to hand it on.
"""

from collections.abc import Awaitable, Callable, Mapping

from attrs import evolve, field, frozen

from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import host_gets_apps
from genui_core.domain.decoration import RESOURCES_CAPABILITY, merged
from genui_core.domain.envelope import cacheable_fields, call_fields
from genui_core.domain.paged_listings import PagedListings
from genui_core.domain.registry import ToolDiff
from genui_core.domain.rpc_errors import METHOD_NOT_FOUND
from genui_core.errors import UpstreamFailed

Result = Mapping[str, object]


@frozen
class HostRequest:
    """A request of a host's.

    Attributes:
        method: Its method.
        params: Its params, empty where it has none.
        capabilities: What the host says of itself, as far as it is known.
        stateless: Whether it is of the 2026-07-28 generation.
    """

    method: str
    params: Mapping[str, object]
    capabilities: object
    stateless: bool


HandOn = Callable[[HostRequest], Awaitable[Result]]
"""Has the server answer a request. Raises `UpstreamFailed` with the error that it answers with."""


@frozen
class Conversation:
    """The wrapper's part in what a host asks of a server."""

    wrapper: Wrapper
    _listings: PagedListings = field(init=False)
    _routes: Mapping[str, Callable[[HostRequest, HandOn], Awaitable[Result]]] = field(init=False)

    @_listings.default
    def _begin_with_none(self) -> PagedListings:
        return PagedListings(self.wrapper.begin_listing)

    @_routes.default
    def _(self) -> Mapping[str, Callable[[HostRequest, HandOn], Awaitable[Result]]]:
        return {
            "initialize": self._announce,
            "server/discover": self._announce,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read,
            "resources/subscribe": self._subscribe,
            "resources/unsubscribe": self._subscribe,
        }

    async def answer(self, request: HostRequest, hand_on: HandOn) -> Result:
        """Return the result of a request, the server's own where it is none of ours.

        Raises:
            UpstreamFailed: The server answers with an error.
            ResourceNotFound: A view is read whose tool is gone.
        """
        route = self._routes.get(request.method)
        if route is None or not host_gets_apps(request.capabilities, self.wrapper.settings.apps):
            return await hand_on(request)
        return await route(request, hand_on)

    async def _announce(self, request: HostRequest, hand_on: HandOn) -> Result:
        return merged(await hand_on(request), {"capabilities": {"resources": RESOURCES_CAPABILITY}})

    async def _list_tools(self, request: HostRequest, hand_on: HandOn) -> Result:
        result = await hand_on(request)
        listed, following = result.get("tools"), result.get("nextCursor")
        if not isinstance(listed, list):
            return result
        listing = self._listings.take(request.params.get("cursor"))
        listing.add_page(listed)
        if isinstance(following, str):
            self._listings.keep(following, listing)
            return {**result, "tools": [*map(self._tied, listed)]}
        self.wrapper.finish_listing(listing)
        return {**result, "tools": [*map(self._tied, listed), *self.wrapper.tools.definitions().values()]}

    def _tied(self, tool: object) -> object:
        meta = self.wrapper.tool_meta(tool) if isinstance(tool, Mapping) else None
        return tool if meta is None or not isinstance(tool, Mapping) else merged(tool, {"_meta": meta})

    async def _call_tool(self, request: HostRequest, hand_on: HandOn) -> Result:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str) or not name.startswith("_ui_"):
            return await hand_on(request)
        await self._learn_tools(request, hand_on)
        if name not in self.wrapper.tools.definitions():
            return await hand_on(request)
        if self.wrapper.tools.refreshes(name):
            result = self.wrapper.tools.refreshed(await self._list_anew(request, hand_on))
        else:
            result = self.wrapper.tools.call(name, arguments if isinstance(arguments, Mapping) else {})
        return {**result, **call_fields(stateless=request.stateless)}

    async def _list_resources(self, request: HostRequest, hand_on: HandOn) -> Result:
        await self._learn_tools(request, hand_on)
        return await self._listed(request, hand_on, "resources", self.wrapper.resource_entries())

    async def _list_templates(self, request: HostRequest, hand_on: HandOn) -> Result:
        return await self._listed(request, hand_on, "resourceTemplates", [])

    async def _listed(
        self, request: HostRequest, hand_on: HandOn, key: str, entries: list[dict[str, object]]
    ) -> Result:
        """Append entries to the server's last page, or give them alone where it has no such list."""
        try:
            result = await hand_on(request)
        except UpstreamFailed as failed:
            if failed.error.get("code") != METHOD_NOT_FOUND:
                raise
            return {key: entries, **cacheable_fields(stateless=request.stateless)}
        listed = result.get(key)
        if result.get("nextCursor") or not isinstance(listed, list):
            return result
        return {**result, key: [*listed, *entries]}

    async def _read(self, request: HostRequest, hand_on: HandOn) -> Result:
        uri = request.params.get("uri")
        if not isinstance(uri, str) or not uri.lower().startswith("ui://"):
            return await hand_on(request)
        await self._learn_tools(request, hand_on)
        if not self.wrapper.owns(uri):
            return await hand_on(request)
        contents = self.wrapper.view_contents(uri)
        return {"contents": [contents], **cacheable_fields(stateless=request.stateless)}

    async def _subscribe(self, request: HostRequest, hand_on: HandOn) -> Result:
        await self._learn_tools(request, hand_on)
        uri = request.params.get("uri")
        owned = isinstance(uri, str) and self.wrapper.owns(uri)
        return {} if owned else await hand_on(request)

    async def _learn_tools(self, request: HostRequest, hand_on: HandOn) -> None:
        """List the server's tools to the end, unless they are known or the server has none to list."""
        if not self.wrapper.knows_all_tools:
            await self._list_anew(request, hand_on)

    async def _list_anew(self, request: HostRequest, hand_on: HandOn) -> ToolDiff | UpstreamFailed:
        """List the server's tools to the end; return what that changed, or the error it answers with."""
        meta = {"_meta": request.params["_meta"]} if "_meta" in request.params else {}
        listing, cursor, seen = self.wrapper.begin_listing(), None, set[str]()
        while True:
            page = {**meta, "cursor": cursor} if cursor else meta
            try:
                result = await hand_on(evolve(request, method="tools/list", params=page))
            except UpstreamFailed as failed:
                return failed
            listed, following = result.get("tools"), result.get("nextCursor")
            listing.add_page(listed if isinstance(listed, list) else [])
            if not isinstance(following, str) or following in seen:
                return self.wrapper.finish_listing(listing)
            seen.add(following)
            cursor = following
