"""One host's requests about resources: views are served beside those of the server."""

from functools import partial

from attrs import define

from genui_core.application.host_request import Forward, HostRequest, Result
from genui_core.application.served_request import arrived
from genui_core.application.served_upstream import ServedUpstream
from genui_core.domain.logging.logged_error import logged_error
from genui_core.domain.mcp.envelope import cacheable_fields, list_hints
from genui_core.domain.mcp.rpc_errors import METHOD_NOT_FOUND
from genui_core.domain.tools.ui_address import resource_not_found, tool_name_of
from genui_core.errors import GenUiError, UpstreamFailed
from genui_core.ports.event_log import Level


@define
class ServedViews:
    """Answers requests about resources.

    Args:
        server: The server behind the wrapper.
    """

    _server: ServedUpstream

    async def list_resources(self, request: HostRequest, forward: Forward) -> Result:
        """Answer ``resources/list``: the server's, and every view."""
        await self._server.learn_tools(request, forward)
        return await self._listed(request, forward, "resources", self._server.views.resource_entries())

    async def list_templates(self, request: HostRequest, forward: Forward) -> Result:
        """Answer ``resources/templates/list``; views need no template."""
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
            return self._server.ours({key: entries, **cacheable_fields(stateless=request.stateless)}, request)
        listed = result.get(key)
        if result.get("nextCursor") or not isinstance(listed, list):
            return result
        hints = list_hints(stateless=request.stateless and bool(entries))
        return {**result, **hints, key: [*listed, *entries]}

    async def read(self, request: HostRequest, forward: Forward) -> Result:
        """Answer ``resources/read`` of one of the wrapper's views; make the view first if necessary."""
        uri = request.params.get("uri")
        if not isinstance(uri, str) or not await self._server.owns(uri, request, forward):
            return await self._upstream_answer(request, forward)
        await self._have_shown(uri, request)
        contents = self._server.views.view_contents(uri)
        return self._server.ours(
            {"contents": [contents], **cacheable_fields(stateless=request.stateless)}, request
        )

    async def _upstream_answer(self, request: HostRequest, forward: Forward) -> Result:
        """Forward a request for another address; a server without resources does not have the method.

        Raises:
            ResourceNotFound: It is a ``ui://`` address, and the server has no resources.
        """
        try:
            return await forward(request)
        except UpstreamFailed as failed:
            if failed.error.get("code") != METHOD_NOT_FOUND or not self._is_missing(request):
                raise
            raise resource_not_found(str(request.params["uri"])) from failed

    def _is_missing(self, request: HostRequest) -> bool:
        """Whether "method not found" means that neither wrapper nor server has this ``ui://`` address."""
        is_read, server = request.method == "resources/read", self._server
        return (
            str(request.params.get("uri")).lower().startswith("ui://")
            and server.views.tools.knows_all_tools
            and (is_read or server.lacks_resources)
        )

    async def _have_shown(self, uri: str, request: HostRequest) -> None:
        """Make the view that will be served; after an error, the present view stays."""
        views = self._server.views
        served = arrived(views, request.method, tool_name_of(uri))
        try:
            work = views.view_work(uri, served.id)
            if work is not None:
                view = await self._server.made_in_time(work, request, partial(views.land_view, uri))
                if view is None:
                    views.show_provisional(uri)
                else:
                    views.show_view(uri, view)
        except GenUiError as error:
            views.event_log.record(
                Level.WARN, "relay", "request_failed", request_id=served.id, error=logged_error(error)
            )
        finally:
            served.ended()

    async def subscribe(self, request: HostRequest, forward: Forward) -> Result:
        """Answer ``resources/subscribe`` and ``resources/unsubscribe``: of views the host is told in any case."""
        uri = request.params.get("uri")
        if request.stateless or not isinstance(uri, str):  # without a session there is only the listen stream
            return await forward(request)
        if await self._server.owns(uri, request, forward):
            return {}
        return await self._upstream_answer(request, forward)
