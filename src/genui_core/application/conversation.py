"""One host's requests to a server whose answers come as plain values: the door of SDK-made servers.

The same few requests as in the stdio relay are edited or answered; everything else is handed
on. Nothing here knows an SDK: the door brings the request and a way to hand it on.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import define, evolve, field, frozen

from genui_core.application.asked_work import AskedWork, Asker
from genui_core.application.awaited_work import awaited
from genui_core.application.input_rounds import InputRequired, InputRounds
from genui_core.application.served_request import arrived
from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import host_gets_apps, request_meta
from genui_core.domain.decoration import announced_capabilities, merged
from genui_core.domain.envelope import cacheable_fields, call_fields, needs_input, with_server_info
from genui_core.domain.logged_error import logged_error
from genui_core.domain.paged_listings import PagedListings
from genui_core.domain.registry import Listing, ToolDiff
from genui_core.domain.routes import routes_of
from genui_core.domain.rpc_errors import METHOD_NOT_FOUND
from genui_core.domain.ui_address import tool_name_of
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.host_model import HostModel
from genui_core.ports.journal import Level

if TYPE_CHECKING:
    from genui_core.application.generation.view_studio import Work

Result = Mapping[str, object]
Made = TypeVar("Made")


async def _tell_nobody(_method: str, _params: Mapping[str, object]) -> None:
    """There is no way to the host."""


@frozen
class HostRequest:
    """A request of a host's.

    Attributes:
        method: Its method.
        params: Its params, empty where it has none.
        capabilities: What the host says of itself, as far as it is known.
        stateless: Whether it is of the 2026-07-28 generation.
        tell: Tells the host something that belongs to the request.
        model: The way to the host's model, for the generations with a handshake.
    """

    method: str
    params: Mapping[str, object]
    capabilities: object
    stateless: bool
    tell: Callable[[str, Mapping[str, object]], Awaitable[None]] = field(
        default=_tell_nobody, eq=False, repr=False
    )
    model: HostModel | None = field(default=None, eq=False, repr=False)


HandOn = Callable[[HostRequest], Awaitable[Result]]
"""Has the server answer a request. Raises `UpstreamFailed` with the error that it answers with."""


@define
class Conversation:
    """The wrapper's part in what hosts ask of a server that offers the same to all of them.

    Attributes:
        wrapper: Whose tools and views are served.
        audience: Names these hosts, where the server offers other tools to others.
        server_info: Who answers, for the hosts of the generation that wants to read it in every result.
    """

    wrapper: Wrapper
    audience: str = ""
    server_info: Mapping[str, object] | None = None
    _listings: PagedListings = field(init=False)
    _tools_are_stale: bool = field(init=False, default=False)
    _pass_through_told: bool = field(init=False, default=False)
    _asked: AskedWork = field(init=False)
    _routes: Mapping[str, Callable[[HostRequest, HandOn], Awaitable[Result]]] = field(init=False)

    @_asked.default
    def _nothing_parked(self) -> AskedWork:
        return AskedWork(self.wrapper, InputRounds(self.wrapper.identity.nonce))

    @_listings.default
    def _begin_with_none(self) -> PagedListings:
        return PagedListings(self._begin)

    @_routes.default
    def _(self) -> Mapping[str, Callable[[HostRequest, HandOn], Awaitable[Result]]]:
        return routes_of(
            initialize=self._announce,
            discover=self._announce,
            list_tools=self._list_tools,
            call_tool=self._call_tool,
            list_resources=self._list_resources,
            list_templates=self._list_templates,
            read=self._read,
            subscribe=self._subscribe,
            unsubscribe=self._subscribe,
        )

    def gets_apps(self, capabilities: object) -> bool:
        """Whether a host with these capabilities is served UIs."""
        return host_gets_apps(capabilities, self.wrapper.settings.apps)

    def tools_changed(self) -> None:
        """Take note that the server's tools are no longer those that were listed."""
        self._tools_are_stale = True

    async def answer(self, request: HostRequest, hand_on: HandOn) -> Result:
        """Return the result of a request, the server's own where it is none of ours.

        Raises:
            UpstreamFailed: The server answers with an error.
            ResourceNotFound: A view is read whose tool is gone.
        """
        route = self._routes.get(request.method)
        if route is None:
            return await hand_on(request)
        if not self.gets_apps(request.capabilities):
            self._tell_pass_through()
            return await hand_on(request)
        try:
            return await route(request, hand_on)
        except InputRequired as needed:
            return self._ours(needed.result, request)

    def _tell_pass_through(self) -> None:
        if not self._pass_through_told:
            self._pass_through_told = True
            reason = "the host shows no MCP Apps"
            self.wrapper.journal.record(Level.INFO, "wrapper", "pass_through", reason=reason)

    async def _announce(self, request: HostRequest, hand_on: HandOn) -> Result:
        result = await hand_on(request)
        return merged(result, {"capabilities": announced_capabilities(result.get("capabilities"))})

    # --- tools --------------------------------------------------------------------------

    async def _list_tools(self, request: HostRequest, hand_on: HandOn) -> Result:
        result = await hand_on(request)
        listed, following = result.get("tools"), result.get("nextCursor")
        if not isinstance(listed, list):
            return result
        listing = self._listings.take(request.params.get("cursor"))
        listing.add_page(listed)
        if isinstance(following, str) and following:
            self._listings.keep(following, listing)
            return {**result, "tools": [*map(self._tied, listed)]}
        self._finish(listing)
        return {**result, "tools": [*map(self._tied, listed), *self.wrapper.tools.definitions().values()]}

    def _tied(self, tool: object) -> object:
        meta = self.wrapper.tool_meta(tool) if isinstance(tool, Mapping) else None
        return tool if meta is None or not isinstance(tool, Mapping) else merged(tool, {"_meta": meta})

    async def _call_tool(self, request: HostRequest, hand_on: HandOn) -> Result:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str) or not name.startswith("_ui_"):
            return await self._stamped(name, request, hand_on)
        await self._learn_tools(request, hand_on)
        if name not in self.wrapper.tools.definitions():
            return await self._stamped(name, request, hand_on)
        if self.wrapper.tools.refreshes(name):
            result: Result = self.wrapper.tools.refreshed(await self._list_anew(request, hand_on))
        else:
            result = await self._answered_by_us(name, arguments, request)
        return self._ours({**result, **call_fields(stateless=request.stateless)}, request)

    async def _answered_by_us(self, name: str, arguments: object, request: HostRequest) -> Result:
        served = arrived(self.wrapper, request.method, _tool_meant(arguments))
        try:
            begun = self.wrapper.tools.call(
                name, arguments if isinstance(arguments, Mapping) else {}, served.id
            )
            return begun if isinstance(begun, dict) else await self._made(begun, request)
        finally:
            served.ended()

    async def _stamped(self, name: object, request: HostRequest, hand_on: HandOn) -> Result:
        """Hand a call on; its result says where its view is, where the setting wants that."""
        if self.wrapper.settings.stamp_results:
            await self._learn_tools(request, hand_on)
        result = await hand_on(request)
        learning, studio = self.wrapper.learning_from(name), self.wrapper.studio
        if learning is not None and studio is not None:
            learning.see(str(name), result, studio)
        meta = self.wrapper.result_meta(name)
        return result if meta is None or needs_input(result) else merged(result, {"_meta": meta})

    # --- resources ----------------------------------------------------------------------

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
            return self._ours({key: entries, **cacheable_fields(stateless=request.stateless)}, request)
        listed = result.get(key)
        if result.get("nextCursor") or not isinstance(listed, list):
            return result
        return {**result, key: [*listed, *entries]}

    async def _read(self, request: HostRequest, hand_on: HandOn) -> Result:
        uri = request.params.get("uri")
        if not isinstance(uri, str) or not await self.owns(uri, request, hand_on):
            return await hand_on(request)
        await self._have_shown(uri, request)
        contents = self.wrapper.view_contents(uri)
        return self._ours({"contents": [contents], **cacheable_fields(stateless=request.stateless)}, request)

    async def _have_shown(self, uri: str, request: HostRequest) -> None:
        """Have the view made that is to be served; where that goes wrong, the one at hand is."""
        served = arrived(self.wrapper, request.method, tool_name_of(uri))
        try:
            work = self.wrapper.view_work(uri, served.id)
            if work is not None:
                self.wrapper.show_view(uri, await self._made(work, request))
        except GenUiError as error:
            self.wrapper.journal.record(
                Level.WARN, "relay", "request_failed", request_id=served.id, error=logged_error(error)
            )
        finally:
            served.ended()

    async def _subscribe(self, request: HostRequest, hand_on: HandOn) -> Result:
        uri = request.params.get("uri")
        if request.stateless or not isinstance(uri, str):  # without a session there is only the listen stream
            return await hand_on(request)
        return {} if await self.owns(uri, request, hand_on) else await hand_on(request)

    async def owns(self, uri: str, request: HostRequest, hand_on: HandOn) -> bool:
        """Whether an address that a host names is that of a view of ours, which this host is served."""
        if not uri.lower().startswith("ui://") or not self.gets_apps(request.capabilities):
            return False
        await self._learn_tools(request, hand_on)
        return self.wrapper.owns(uri)

    async def _made(self, work: "Work[Made]", request: HostRequest) -> Made:
        asker = Asker(request.method, request.params, request.capabilities, request.stateless, request.model)
        made = await awaited(partial(self._asked.begin, asker, work), request.params, request.tell)
        return cast("Made", made)

    def _ours(self, result: Result, request: HostRequest) -> Result:
        return with_server_info(result, self.server_info) if request.stateless else result

    # --- knowing the tools first --------------------------------------------------------

    def _begin(self) -> Listing:
        return self.wrapper.begin_listing(self.audience)

    def _finish(self, listing: Listing) -> ToolDiff:
        if listing.is_whole:
            self._tools_are_stale = False
        return self.wrapper.finish_listing(listing)

    async def _learn_tools(self, request: HostRequest, hand_on: HandOn) -> None:
        """List the server's tools to the end, unless they are known or the server has none to list."""
        if not self.wrapper.knows_tools_for(self.audience) or self._tools_are_stale:
            await self._list_anew(request, hand_on)

    async def _list_anew(self, request: HostRequest, hand_on: HandOn) -> ToolDiff | UpstreamFailed:
        """List the server's tools in a request's name; return what `list_tools` does."""
        meta = {key: value for key, value in request_meta(request.params).items() if key != "progressToken"}
        return await self.list_tools(evolve(request, params={"_meta": meta} if meta else {}), hand_on)

    async def list_tools(self, request: HostRequest, hand_on: HandOn) -> ToolDiff | UpstreamFailed:
        """List the server's tools to the end, for the wrapper alone.

        Args:
            request: Says for whom: its capabilities and ``_meta`` count, not its method.
            hand_on: Has the server answer.

        Returns:
            What that changed, or the error that the server answers with.
        """
        listing, cursor, seen = self._begin(), None, set[str]()
        while True:
            page = {**request.params, "cursor": cursor} if cursor else request.params
            try:
                result = await hand_on(evolve(request, method="tools/list", params=page))
            except UpstreamFailed as failed:
                return failed
            listed, following = result.get("tools"), result.get("nextCursor")
            listing.add_page(listed if isinstance(listed, list) else [])
            if not isinstance(following, str) or not following or following in seen:
                return self._finish(listing)
            seen.add(following)
            cursor = following


def _tool_meant(arguments: object) -> str | None:
    named = arguments.get("toolName") if isinstance(arguments, Mapping) else None
    return named if isinstance(named, str) else None
