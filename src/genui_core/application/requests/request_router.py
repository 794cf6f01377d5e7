"""Routes one host's requests to a server whose answers are plain values, such as a server made with an SDK.

Edits or answers the same requests as the stdio relay, and forwards all others. Imports no SDK: the
transport brings the request and a function that forwards it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from math import inf
from operator import is_not
from typing import TYPE_CHECKING, TypeVar, cast

import anyio

from genui_core.application.own_tools.calls import call_wrapper_tool, refreshed, tool_meant
from genui_core.application.requests.host_request import (
    Forward,
    HostRequest,
    InputRequired,
    ServerListings,
    WorkOfHosts,
)
from genui_core.application.tool_views import ToolViews
from genui_core.domain.logging.redaction import logged_error
from genui_core.domain.mcp.envelope import (
    cacheable_fields,
    call_fields,
    host_gets_apps,
    list_hints,
    needs_input,
    progress_report,
    with_server_info,
)
from genui_core.domain.mcp.jsonrpc import METHOD_NOT_FOUND
from genui_core.domain.tools.decoration import announced_capabilities, merged
from genui_core.domain.tools.tool import means_missing, resource_not_found, tool_name_of
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import Params, Result

if TYPE_CHECKING:
    from genui_core.application.worker.generation_worker import Work

Made = TypeVar("Made")


class RequestRouter:
    """The wrapper's part in requests to a server that offers the same tools to all these hosts.

    Args:
        audience: The name of this group of hosts, if the server offers other tools to other hosts.
    """

    def __init__(self, views: ToolViews, audience: str = "") -> None:
        self._views = views
        self.listings = ServerListings(views, audience)
        self._work = WorkOfHosts(views)
        self._info: Mapping[str, object] | None = None
        self._lacks_resources = self._pass_through_told = False
        self._routes = {
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

    def introduce(self, info: Mapping[str, object] | None) -> None:
        """Store the server's name and version, which stateless hosts get with every result."""
        self._info = info
        self._views.tools.know_upstream(info)

    def gets_apps(self, capabilities: object) -> bool:
        """Whether a host with these capabilities is served UIs."""
        return host_gets_apps(capabilities, self._views.settings.apps)

    async def owns(self, uri: str, request: HostRequest, forward: Forward) -> bool:
        """Whether the wrapper serves a view to this host at this address."""
        if not uri.lower().startswith("ui://") or not self.gets_apps(request.capabilities):
            return False
        await self.listings.learn(request, forward)
        return self._views.tools.owns(uri)

    async def _made(
        self,
        work: "Work[Made]",
        request: HostRequest,
        within_s: float | None = None,
        late: Callable[[Made], None] = lambda _made: None,
    ) -> Made | None:
        """Return what the generation worker makes for a request; cancel the work if the caller is cancelled.

        Args:
            work: The work.
            request: The request that needs it; its host gets progress notifications.
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
            if deadline.cancelled_caught and not isinstance(made, GenUiError):
                late(cast("Made", made))
            results.append(made)
            say.close()

        def report(*news: object) -> None:
            if not deadline.cancelled_caught:
                say.send_nowait(cast("tuple[str, Params]", news))

        give_up = self._work.begin(request, work, take, progress_report(request.params, report))
        try:
            with deadline:
                async for method, news in said:
                    await request.tell(method, news)
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
        return cast("Made", made)

    def _ours(self, result: Result, request: HostRequest) -> Result:
        """Return the wrapper's own result in the form of the request's protocol era."""
        return with_server_info(result, self._info) if request.stateless else result

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
            if not self._pass_through_told:
                self._pass_through_told = True
                reason = "the host shows no MCP Apps"
                self._views.event_log.record(Level.INFO, "wrapper", "pass_through", reason=reason)
            is_embedded = request.method == "tools/call" and self._views.embeds_views
            name = request.params.get("name")
            return await (self._stamped(name, request, forward) if is_embedded else forward(request))
        try:
            return await route(request, forward)
        except InputRequired as needed:
            return self._ours(needed.result, request)

    async def _announce(self, request: HostRequest, forward: Forward) -> Result:
        result = await forward(request)
        capabilities = result.get("capabilities")
        self._lacks_resources = isinstance(capabilities, Mapping) and "resources" not in capabilities
        return merged(result, {"capabilities": announced_capabilities(capabilities)})

    # --- tools --------------------------------------------------------------------------

    async def _list_tools(self, request: HostRequest, forward: Forward) -> Result:
        result = await forward(request)
        listed = result.get("tools")
        if not isinstance(listed, list):
            return result
        is_last = self.listings.add_page(request.params.get("cursor"), listed, result.get("nextCursor"))
        ours = self._views.listed_own_tools if is_last else ()
        if is_last and self._views.has_model:
            self._views.worker.get_ready()
        tools = [*map(self._views.tied, listed), *ours]
        has_additions = len(tools) > len(listed) or any(map(is_not, tools, listed))
        hints = list_hints(stateless=request.stateless and has_additions)
        return {**result, **hints, "tools": tools}

    async def _call_tool(self, request: HostRequest, forward: Forward) -> Result:
        name, arguments = request.params.get("name"), request.params.get("arguments")
        if not isinstance(name, str) or not name.startswith("_ui_"):
            return await self._stamped(name, request, forward)
        await self.listings.learn(request, forward)
        if name not in self._views.own_tools:
            return await self._stamped(name, request, forward)
        result = await self._answered_by_us(name, arguments, request, forward)
        return self._ours({**result, **call_fields(stateless=request.stateless)}, request)

    def passes_call(self, name: object, capabilities: object) -> bool:
        """Whether a call of a tool passes as it is: nothing is edited into its result or learned from it."""
        if not isinstance(name, str):
            return False
        if not (self.gets_apps(capabilities) or self._views.embeds_views):
            return self._pass_through_told
        return self._views.passes_call(name)

    async def _answered_by_us(
        self, name: str, arguments: object, request: HostRequest, forward: Forward
    ) -> Result:
        served = self._views.begin_request(request.method, tool_meant(arguments))
        try:
            begun = call_wrapper_tool(
                self._views, name, arguments, served.id, request.host_name, request.handshake
            )
            if begun is None:
                outcome = await self.listings.list_again(request, forward)
                return refreshed(self._views, outcome, served.id)
            if isinstance(begun, dict):
                return begun
            return cast("Result", await self._made(begun, request))
        finally:
            served.ended()

    async def _stamped(self, name: object, request: HostRequest, forward: Forward) -> Result:
        """Forward a call; its result gains its view, or says where that is, where a setting wants that."""
        if self._views.edits_results:
            await self.listings.learn(request, forward)
        result = await self._watched(name, request, forward)
        if needs_input(result):
            return result
        meta = self._views.result_meta(name) if self.gets_apps(request.capabilities) else None
        item = self._views.embedded_view(name, request.params.get("arguments"), result)
        if item is not None and isinstance(content := result["content"], list):
            result = {**result, "content": [*content, item]}
        return result if meta is None else merged(result, {"_meta": meta})

    async def _watched(self, name: object, request: HostRequest, forward: Forward) -> Result:
        """Forward a call, and have the shape of its result learned where that is not known yet."""
        learning = self._views.learning_from(name)
        if learning is None:
            return await forward(request)
        end = learning.call_begins(str(name))
        self._views.call_begins(str(name))
        try:
            result = await forward(request)
            learning.see(str(name), result, self._views.worker)
            return result
        finally:
            end()

    # --- views --------------------------------------------------------------------------

    async def _list_resources(self, request: HostRequest, forward: Forward) -> Result:
        await self.listings.learn(request, forward)
        return await self._listed(request, forward, "resources", self._views.resource_entries())

    async def _list_templates(self, request: HostRequest, forward: Forward) -> Result:
        return await self._listed(request, forward, "resourceTemplates", [])

    async def _listed(
        self, request: HostRequest, forward: Forward, key: str, entries: list[dict[str, object]]
    ) -> Result:
        """Append entries to the server's last page, or give them alone where it has no such list."""
        try:
            result = await forward(request)
        except UpstreamFailed as failed:
            if failed.error.get("code") != METHOD_NOT_FOUND:
                raise
            return self._ours({key: entries, **cacheable_fields(stateless=request.stateless)}, request)
        listed = result.get(key)
        if result.get("nextCursor") or not isinstance(listed, list):
            return result
        hints = list_hints(stateless=request.stateless and bool(entries))
        return {**result, **hints, key: [*listed, *entries]}

    async def _read(self, request: HostRequest, forward: Forward) -> Result:
        """Answer ``resources/read`` of one of the wrapper's views; make the view first if necessary."""
        uri = request.params.get("uri")
        if not isinstance(uri, str) or not await self.owns(uri, request, forward):
            return await self._upstream_answer(request, forward)
        await self._have_shown(uri, request)
        contents = self._views.view_contents(uri)
        return self._ours({"contents": [contents], **cacheable_fields(stateless=request.stateless)}, request)

    async def _upstream_answer(self, request: HostRequest, forward: Forward) -> Result:
        """Forward a request for another address; a server without resources does not have the method.

        Raises:
            ResourceNotFound: It is a ``ui://`` address, and the server has no resources.
        """
        try:
            return await forward(request)
        except UpstreamFailed as failed:
            uri = request.params.get("uri")
            knows, lacks = self._views.tools.knows_all_tools, self._lacks_resources
            is_missing = means_missing(uri, request.method, knows_all_tools=knows, lacks_resources=lacks)
            if failed.error.get("code") != METHOD_NOT_FOUND or not is_missing:
                raise
            raise resource_not_found(str(uri)) from failed

    async def _have_shown(self, uri: str, request: HostRequest) -> None:
        """Make the view that will be served; after an error, the present view stays."""
        views = self._views
        served = views.begin_request(request.method, tool_name_of(uri))
        try:
            work = views.view_work(uri, served.id, request.host_name)
            if work is not None:
                within_s = views.serves_within_s(request.host_name)
                view = await self._made(work, request, within_s, partial(views.land_view, uri))
                if view is None:
                    views.show_provisional(uri)
                else:
                    views.show_view(uri, view)
        except GenUiError as error:
            views.services.log_failure(request.method, logged_error(error), served.id)
        finally:
            served.ended()

    async def _subscribe(self, request: HostRequest, forward: Forward) -> Result:
        """Answer ``resources/subscribe`` and ``resources/unsubscribe``: of views the host is told in any case."""
        uri = request.params.get("uri")
        if request.stateless or not isinstance(uri, str):  # without a session there is only the listen stream
            return await forward(request)
        if await self.owns(uri, request, forward):
            return {}
        return await self._upstream_answer(request, forward)
