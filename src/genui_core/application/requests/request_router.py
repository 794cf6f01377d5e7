"""The request router: forwards, edits or answers the requests of hosts that get the same tools.

Each decision is written once, as a coroutine that gets the request and a function that forwards it. The
transport decides how such a coroutine waits: in an event loop, or between the messages of the stdio relay.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from attrs import evolve

from genui_core.application.own_tools.calls import call_wrapper_tool, refresh_result, tool_name_in
from genui_core.application.requests.host_request import (
    Forward,
    HostRequest,
    HostWork,
    InputRequired,
    Listings,
    Take,
    Waits,
)
from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.envelope import (
    AppsSetting,
    as_stateless,
    host_gets_apps,
    list_hints,
    needs_input,
    server_info_of,
    with_server_info,
)
from genui_core.domain.mcp.jsonrpc import METHOD_NOT_FOUND, Params, Result, json_text
from genui_core.domain.mcp.methods import wanted_by, wanted_uris
from genui_core.domain.mcp.results import (
    Additions,
    UnparsedResult,
    WrittenResult,
    announced_capabilities,
    exact,
    is_exactly,
    with_additions,
)
from genui_core.domain.tools.tool import is_view_address, means_missing, resource_not_found
from genui_core.domain.tools.wrapper_tools import listed
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.event_log import Level

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView
    from genui_core.application.worker.generation_worker import Work

Made = TypeVar("Made")
Definition = Mapping[str, object]

_GREETINGS = frozenset(("initialize", "server/discover"))
_OF_ADDRESSES = frozenset(("resources/read", "resources/subscribe", "resources/unsubscribe"))


class RequestRouter:
    """Forwards, edits or answers the requests of one host, or of several that are offered the same tools.

    Args:
        views: The tools and their views.
        listings: Lists the upstream's tools.
        waits: How the transport waits.
        apps: Which hosts get views; the setting decides if it is None.
    """

    def __init__(
        self, views: ToolViews, listings: Listings, waits: Waits, apps: AppsSetting | None = None
    ) -> None:
        self._views = views
        self.listings = listings
        self._waits = waits
        self._apps = apps or views.settings.apps
        self._work = HostWork(views)
        self._info: Mapping[str, object] | None = None
        self._upstream_can: Mapping[str, object] | None = None
        self._pass_through_told = False
        self._last_list: tuple[bytes | str, object, Result] = ("", None, {})
        self._routes: dict[str, Callable[..., Awaitable[Result]]] = {
            "initialize": self._greet,
            "server/discover": self._greet,
            "tools/list": self.list_tools,
            "tools/call": self._call_tool,
            "resources/list": self._list_resources,
            "resources/templates/list": partial(self._list_with, key="resourceTemplates"),
            "resources/read": self._at_address,
            "resources/subscribe": self._at_address,
            "resources/unsubscribe": self._at_address,
        }

    def introduce(self, info: Mapping[str, object] | None) -> None:
        """Store the server's name and version, which stateless hosts get with every result."""
        self._info = info
        self._views.tools.know_upstream(info)

    def meet_upstream(self, greeting: Result) -> None:
        """Store the upstream's capabilities, name and icon from its answer to a greeting."""
        capabilities = greeting.get("capabilities")
        if isinstance(capabilities, Mapping):
            self._upstream_can = capabilities
        self._views.tools.know_upstream(server_info_of(greeting))

    def _upstream_lacks(self, capability: str) -> bool:
        """Whether the upstream has said that it has no such capability."""
        return self._upstream_can is not None and capability not in self._upstream_can

    def gets_apps(self, capabilities: object) -> bool:
        """Whether a host with these capabilities gets views."""
        return host_gets_apps(capabilities, self._apps)

    def passes(self, method: str, params: Params, *, gets_apps: bool) -> bool:
        """Whether a request is only forwarded: the wrapper neither answers it nor edits its result."""
        if method not in self._routes:
            return True
        if not (gets_apps or self._pass_through_told):
            self._pass_through_told = True
            reason = "the host shows no MCP Apps"
            self._views.event_log.record(Level.INFO, "wrapper", "pass_through", reason=reason)
        if method == "tools/call":
            return self._views.passes_call(params.get("name")) if gets_apps else not self._views.embeds_views
        if method in _GREETINGS:
            return False
        return not gets_apps or (method in _OF_ADDRESSES and not is_view_address(params.get("uri")))

    async def answer(self, request: HostRequest, forward: Forward) -> Result:
        """Return the result of a request: the wrapper's own, or the server's if the wrapper has none.

        Raises:
            UpstreamFailed: The server answers with an error.
            ResourceNotFound: A view is read whose tool is gone.
        """
        if self.passes(request.method, request.params, gets_apps=self.gets_apps(request.capabilities)):
            return await forward(request)
        return await self.take_part(request, forward)

    async def take_part(self, request: HostRequest, forward: Forward) -> Result:
        """Return the result of a request that is not only forwarded; raises like `answer`."""
        try:
            return await self._routes[request.method](request, forward)
        except InputRequired as needed:
            return with_server_info(needed.result, self._info)

    def _ours(self, result: Result, request: HostRequest) -> Result:
        """Return the wrapper's own result in the form of the request's protocol era."""
        return as_stateless(request.method, result, self._info) if request.stateless else result

    async def learn_tools(self, request: HostRequest, forward: Forward) -> None:
        """List the upstream's tools, unless they are known or the upstream has announced no tools."""
        is_known = self._views.knows_tools_for(self.listings.audience) and not self.listings.is_behind
        if not (is_known or self._upstream_lacks("tools")):
            await self.listings.learn(request, forward)

    async def listened_views(self, request: HostRequest, forward: Forward) -> list[str]:
        """Return those addresses in ``subscriptions/listen`` that the wrapper serves to this host."""
        wanted = wanted_uris(wanted_by(request.params)) if self.gets_apps(request.capabilities) else []
        views = [uri for uri in wanted if is_view_address(uri)]
        if views:
            await self.learn_tools(request, forward)
        return [uri for uri in views if self._views.tools.served_name(uri) is not None]

    async def run_work(self, work: "Work[Made]", request: HostRequest) -> Made:
        """Run work for a request and return its result; cancel the work if the request is cancelled.

        The host gets progress notifications.

        Raises:
            GenUiError: There is no generation worker, or the work failed.
            InputRequired: The work needs input from the host first.
        """
        return cast("Made", await self._run_within(None, work, request, lambda _made: None))

    async def _run_within(
        self, within_s: float | None, work: "Work[Made]", request: HostRequest, late: Take
    ) -> Made | None:
        """Run work as `run_work` does; after a time, return None and pass the later outcome to ``late``."""
        begin = partial(self._work.begin, request, work)
        made = await self._waits.outcome(begin, request, within_s, late)
        if isinstance(made, GenUiError | InputRequired):
            raise made
        return cast("Made | None", made)

    async def _greet(self, request: HostRequest, forward: Forward) -> Result:
        """Forward a greeting; add the capabilities that are needed to serve views that change."""
        result = await forward(request)
        self.meet_upstream(result)
        if not self.gets_apps(request.capabilities):
            return result
        announced = announced_capabilities(result.get("capabilities"))
        return with_additions(result, Additions({"capabilities": announced}))

    # --- tools --------------------------------------------------------------------------

    async def list_tools(
        self, request: HostRequest, forward: Forward, more: Callable[[], Iterable[Definition]] = list
    ) -> Result:
        """List the tools; for a host that gets views, tie each to its view and add the wrapper's own.

        The tools in ``more`` come last. The same list is edited once, until a tool or a view changes.
        """
        views, gets_apps = self._views, self.gets_apps(request.capabilities)
        cursor, asked = request.params.get("cursor"), (gets_apps, request.stateless, self.listings.changes)
        take = self.listings.page(cursor, shows_views=gets_apps)
        result = await forward(request)
        known_list, when, edited = self._last_list
        if when == (cursor, asked, views.tools.changes) and is_exactly(result, known_list):
            return edited
        if not isinstance(tools := result.get("tools"), list):
            return result
        views.tools.know_upstream(server_info_of(result))
        is_last = take(result)
        ours = listed(views.own_tools, views.settings.own_tools) if gets_apps and is_last else []
        elements = [*ours, *more()] if is_last else []
        additions = Additions({}, "tools", views.ties(tools) if gets_apps else {}, elements)
        edited = self._with_entries(result, request, additions)
        if cursor is None and is_last:
            self._last_list = exact(result), (cursor, asked, views.tools.changes), edited
        return edited

    async def _call_tool(self, request: HostRequest, forward: Forward) -> Result:
        name = str(request.params.get("name"))
        may_be_ours = name.startswith("_ui_") and self.gets_apps(request.capabilities)
        if may_be_ours:
            await self.learn_tools(request, forward)
        if not may_be_ours or name not in self._views.own_tools:
            return await self._forward_and_edit(name, request, forward)
        result = await self._call_wrapper_tool(name, request, forward)
        return self._ours(result, request)

    async def _call_wrapper_tool(self, name: str, request: HostRequest, forward: Forward) -> Result:
        arguments, host, session = request.params.get("arguments"), request.host_name, request.handshake
        with self._views.services.request(request.method, tool_name_in(arguments)) as request_id:
            begun = call_wrapper_tool(self._views, name, arguments, request_id, host, session)
            if begun is None:
                outcome = await self.listings.list_again(request, forward)
                return refresh_result(self._views, outcome, request_id)
            return begun if isinstance(begun, dict) else await self.run_work(begun, request)

    async def _forward_and_edit(self, name: str, request: HostRequest, forward: Forward) -> Result:
        """Forward a call; add its view or the view's address to the result if the settings want that."""
        views = self._views
        if views.edits_results:
            await self.learn_tools(request, forward)
        result = await self._forward_and_learn(name, request, forward)
        if not views.edits_results or needs_input(result):
            return result
        meta = views.result_meta(name) if self.gets_apps(request.capabilities) else None
        item = views.embedded_view(name, request.params.get("arguments"), result)
        fields, items = {"_meta": meta} if meta else {}, [item] if item else []
        return with_additions(result, Additions(fields, "content", elements=items))

    async def _forward_and_learn(self, name: str, request: HostRequest, forward: Forward) -> Result:
        """Forward a call, and learn the shape of its result if that is not known yet."""
        learning = self._views.learning_from(name)
        if learning is None:
            return await forward(request)
        end = learning.call_begins(name)
        self._waits.soon(partial(self._views.call_begins, name))
        try:
            result = await forward(request)
            seen = result.text if isinstance(result, UnparsedResult) else result
            learning.see(name, seen, self._views.worker.run)
            return result
        finally:
            end()

    # --- views --------------------------------------------------------------------------

    async def _list_resources(self, request: HostRequest, forward: Forward) -> Result:
        await self.learn_tools(request, forward)
        return await self._list_with(request, forward, "resources", self._views.resource_entries())

    async def _list_with(
        self, request: HostRequest, forward: Forward, key: str, entries: Sequence[Definition] = ()
    ) -> Result:
        """Append entries to the server's last page; return them alone if the server has no such list."""
        if not self._upstream_lacks("resources"):
            try:
                page = await forward(request)
            except UpstreamFailed as failed:
                if failed.error.get("code") != METHOD_NOT_FOUND:
                    raise
            else:
                additions = Additions(key=key, elements=() if page.get("nextCursor") else entries)
                return self._with_entries(page, request, additions)
        return self._ours({key: [*entries]}, request)

    def _with_entries(self, page: Result, request: HostRequest, additions: Additions) -> Result:
        """Return a page of a list with additions, and with the wrapper's cache hints if there are any."""
        if not (additions.elements or additions.in_elements) or not isinstance(page.get(additions.key), list):
            return page
        return with_additions(page, evolve(additions, fields=list_hints(stateless=request.stateless)))

    async def _at_address(self, request: HostRequest, forward: Forward) -> Result:
        """Answer a read of a wrapper's view, or a subscription to one (a read is enough for notifications)."""
        uri, is_read = str(request.params["uri"]), request.method == "resources/read"
        if request.stateless and not is_read:  # without a session there is only the listen stream
            return await forward(request)
        await self.learn_tools(request, forward)
        name = self._views.tools.served_name(uri)
        if name is None:
            return await self._upstream_answer(uri, request, forward)
        return await self._read(uri, name, request) if is_read else {}

    async def _read(self, uri: str, name: str, request: HostRequest) -> Result:
        """Return a view, which is made first unless it is ready; after an error, return the present view."""
        services = self._views.services
        with services.request(request.method, name) as request_id:
            try:
                if not self._views.is_ready(name, request_id):
                    await self._make_view(name, request, request_id)
            except GenUiError as error:
                services.log_failure(request.method, error, request_id)
        fields = self._ours({}, request).items()
        rest = "".join(f",{json_text(key)}:{json_text(value)}" for key, value in fields)
        return WrittenResult((b'{"contents":[', *self._views.read_view(uri, name), f"]{rest}}}".encode()))

    async def _make_view(self, name: str, request: HostRequest, request_id: str) -> None:
        """Make a view; if that takes too long, serve the minimal view until it is finished."""
        views, services = self._views, self._views.services

        def show_late(made: object) -> None:
            if not isinstance(made, GenUiError):
                views.show_view(name, cast("PresentView", made), is_late=True)

        timeout_s = services.read_timeout_s(request.host_name)
        work = views.view_work(name, request_id, timeout_s)
        # A host's own model has no limit, since the host first shows the request to a person.
        view = await self._run_within(None if services.asks_host else timeout_s, work, request, show_late)
        if view is None:
            views.show_provisional(name)
        else:
            views.show_view(name, view)

    async def _upstream_answer(self, uri: str, request: HostRequest, forward: Forward) -> Result:
        """Forward a request for another ``ui://`` address; a server without resources lacks the method.

        Raises:
            ResourceNotFound: The server has no resources.
        """
        try:
            return await forward(request)
        except UpstreamFailed as failed:
            knows, lacks = self._views.tools.knows_all_tools, self._upstream_lacks("resources")
            is_missing = means_missing(uri, request.method, knows_all_tools=knows, lacks_resources=lacks)
            if failed.error.get("code") != METHOD_NOT_FOUND or not is_missing:
                raise
            raise resource_not_found(uri) from failed
