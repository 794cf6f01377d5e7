"""Routes one host's requests to a server whose answers are plain values, such as a server made with an SDK.

Edits or answers the same requests as the stdio relay, and forwards all others. Imports no SDK: the
transport brings the request and a function that forwards it.
"""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from operator import is_not
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import define, field

from genui_core.application.asked_work import AskedWork, Asker
from genui_core.application.awaited_work import awaited
from genui_core.application.host_request import Forward, HostRequest, Result
from genui_core.application.input_rounds import InputRequired, InputRounds
from genui_core.application.served_request import arrived
from genui_core.application.served_views import ServedViews
from genui_core.application.server_listings import ServerListings
from genui_core.application.wrapper import Wrapper
from genui_core.application.wrapper_tools import tool_meant
from genui_core.domain.mcp.apps_extension import host_gets_apps
from genui_core.domain.mcp.envelope import call_fields, list_hints, needs_input, with_server_info
from genui_core.domain.mcp.routes import routes_of
from genui_core.domain.tools.decoration import announced_capabilities, merged
from genui_core.domain.tools.registry import ToolDiff
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.event_log import Level

if TYPE_CHECKING:
    from genui_core.application.generation.generation_worker import Work

Made = TypeVar("Made")


def _told_to_wrapper(router: "RequestRouter", _attribute: object, info: object) -> object:
    router.wrapper.know_upstream(info)
    return info


@define
class RequestRouter:
    """The wrapper's part in requests to a server that offers the same tools to all these hosts.

    Attributes:
        wrapper: Whose tools and views are served.
        audience: The name of this group of hosts, if the server offers other tools to other hosts.
        server_info: The server's name and version, which stateless hosts get with every result.
        upstream_lacks_resources: Whether the server has said that it has no resources.
    """

    wrapper: Wrapper
    audience: str = ""
    server_info: Mapping[str, object] | None = field(default=None, on_setattr=_told_to_wrapper)
    upstream_lacks_resources: bool = field(init=False, default=False)
    _listings: ServerListings = field(init=False)
    _pass_through_told: bool = field(init=False, default=False)
    _asked: AskedWork = field(init=False)
    _routes: Mapping[str, Callable[[HostRequest, Forward], Awaitable[Result]]] = field(init=False)

    @_asked.default
    def _nothing_parked(self) -> AskedWork:
        return AskedWork(self.wrapper, InputRounds(self.wrapper.identity.nonce))

    @_listings.default
    def _of_its_audience(self) -> ServerListings:
        return ServerListings(self.wrapper, self.audience)

    @_routes.default
    def _(self) -> Mapping[str, Callable[[HostRequest, Forward], Awaitable[Result]]]:
        views = ServedViews(self)
        return routes_of(
            initialize=self._announce,
            discover=self._announce,
            list_tools=self._list_tools,
            call_tool=self._call_tool,
            list_resources=views.list_resources,
            list_templates=views.list_templates,
            read=views.read,
            subscribe=views.subscribe,
            unsubscribe=views.subscribe,
        )

    def gets_apps(self, capabilities: object) -> bool:
        """Whether a host with these capabilities is served UIs."""
        return host_gets_apps(capabilities, self.wrapper.settings.apps)

    def tools_changed(self) -> None:
        """Mark the listed tools as stale: the server has changed them."""
        self._listings.changed()

    async def answer(self, request: HostRequest, forward: Forward) -> Result:
        """Return the result of a request: the wrapper's own, or the server's if the wrapper has none.

        Raises:
            UpstreamFailed: The server answers with an error.
            ResourceNotFound: A view is read whose tool is gone.
        """
        route = self._routes.get(request.method)
        if route is None:
            return await forward(request)
        if not self.gets_apps(request.capabilities):
            self._tell_pass_through()
            return await forward(request)
        try:
            return await route(request, forward)
        except InputRequired as needed:
            return self.ours(needed.result, request)

    def _tell_pass_through(self) -> None:
        if not self._pass_through_told:
            self._pass_through_told = True
            reason = "the host shows no MCP Apps"
            self.wrapper.event_log.record(Level.INFO, "wrapper", "pass_through", reason=reason)

    async def _announce(self, request: HostRequest, forward: Forward) -> Result:
        result = await forward(request)
        capabilities = result.get("capabilities")
        self.upstream_lacks_resources = isinstance(capabilities, Mapping) and "resources" not in capabilities
        return merged(result, {"capabilities": announced_capabilities(capabilities)})

    # --- tools --------------------------------------------------------------------------

    async def _list_tools(self, request: HostRequest, forward: Forward) -> Result:
        result = await forward(request)
        listed = result.get("tools")
        if not isinstance(listed, list):
            return result
        is_last = self._listings.add_page(request.params.get("cursor"), listed, result.get("nextCursor"))
        ours = self.wrapper.tools.definitions().values() if is_last else ()
        if is_last and self.wrapper.has_model and self.wrapper.worker is not None:
            self.wrapper.worker.get_ready()
        tools = [*map(self._tied, listed), *ours]
        has_additions = len(tools) > len(listed) or any(map(is_not, tools, listed))
        hints = list_hints(stateless=request.stateless and has_additions)
        return {**result, **hints, "tools": tools}

    def _tied(self, tool: object) -> object:
        meta = self.wrapper.tool_meta(tool) if isinstance(tool, Mapping) else None
        return tool if meta is None or not isinstance(tool, Mapping) else merged(tool, {"_meta": meta})

    async def _call_tool(self, request: HostRequest, forward: Forward) -> Result:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str) or not name.startswith("_ui_"):
            return await self._stamped(name, request, forward)
        await self.learn_tools(request, forward)
        if name not in self.wrapper.tools.definitions():
            return await self._stamped(name, request, forward)
        result = await self._answered_by_us(name, arguments, request, forward)
        return self.ours({**result, **call_fields(stateless=request.stateless)}, request)

    def passes_call(self, name: object, capabilities: object) -> bool:
        """Whether a call of a tool passes as it is: nothing is edited into its result or learned from it."""
        if not isinstance(name, str):
            return False
        if not self.gets_apps(capabilities):
            return self._pass_through_told
        wrapper = self.wrapper
        is_edited = name.startswith("_ui_") or wrapper.settings.stamp_results
        return not is_edited and wrapper.learning_from(name) is None

    async def _answered_by_us(
        self, name: str, arguments: object, request: HostRequest, forward: Forward
    ) -> Result:
        served = arrived(self.wrapper, request.method, tool_meant(arguments))
        try:
            if self.wrapper.tools.refreshes(name):
                outcome = await self._listings.list_anew(request, forward)
                return self.wrapper.tools.refreshed(outcome, served.id)
            begun = self.wrapper.tools.call(
                name, arguments if isinstance(arguments, Mapping) else {}, served.id
            )
            return begun if isinstance(begun, dict) else await self.made(begun, request)
        finally:
            served.ended()

    async def _stamped(self, name: object, request: HostRequest, forward: Forward) -> Result:
        """Hand a call on; its result says where its view is, where the setting wants that."""
        if self.wrapper.settings.stamp_results:
            await self.learn_tools(request, forward)
        result = await self._watched(name, request, forward)
        meta = self.wrapper.result_meta(name)
        return result if meta is None or needs_input(result) else merged(result, {"_meta": meta})

    async def _watched(self, name: object, request: HostRequest, forward: Forward) -> Result:
        """Forward a call, and have the shape of its result learned where that is not known yet."""
        learning, worker = self.wrapper.learning_from(name), self.wrapper.worker
        if learning is None or worker is None:
            return await forward(request)
        end = learning.call_begins(str(name))
        try:
            result = await forward(request)
            learning.see(str(name), result, worker)
            return result
        finally:
            end()

    # --- what its parts share -----------------------------------------------------------

    async def owns(self, uri: str, request: HostRequest, forward: Forward) -> bool:
        """Whether the wrapper serves a view to this host at this address."""
        if not uri.lower().startswith("ui://") or not self.gets_apps(request.capabilities):
            return False
        await self.learn_tools(request, forward)
        return self.wrapper.owns(uri)

    async def learn_tools(self, request: HostRequest, forward: Forward) -> None:
        """List the server's tools to the end, unless they are known or the server has none to list."""
        await self._listings.learn(request, forward)

    async def list_tools(self, request: HostRequest, forward: Forward) -> ToolDiff | UpstreamFailed:
        """List the server's tools to the end, for the wrapper alone, and return what `ServerListings.list_all` does."""
        return await self._listings.list_all(request, forward)

    async def made(self, work: "Work[Made]", request: HostRequest) -> Made:
        """Return what the generation worker makes for a request.

        Raises:
            GenUiError: It fails.
        """
        return cast("Made", await awaited(self._begin(work, request), request.params, request.tell))

    async def made_in_time(
        self, work: "Work[Made]", request: HostRequest, late: Callable[[Made], None]
    ) -> Made | None:
        """Return what the generation worker makes for a read, or None where that takes longer than ``serveWithinMs``.

        Args:
            work: The work to run.
            request: The host's request.
            late: Called with what came of work that took longer.

        Raises:
            GenUiError: It fails.
        """
        made = await awaited(
            self._begin(work, request),
            request.params,
            request.tell,
            self.wrapper.serves_within_s,
            lambda made: None if isinstance(made, GenUiError) else late(cast("Made", made)),
        )
        return cast("Made | None", made)

    def _begin(self, work: "Work[object]", request: HostRequest) -> "Callable[..., Callable[[], None]]":
        asker = Asker(request.method, request.params, request.capabilities, request.stateless, request.model)
        return partial(self._asked.begin, asker, work)

    def ours(self, result: Result, request: HostRequest) -> Result:
        """Return the wrapper's own result in the form of the request's protocol era."""
        return with_server_info(result, self.server_info) if request.stateless else result
