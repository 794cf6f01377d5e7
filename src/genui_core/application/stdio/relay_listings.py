"""Lists the tools of a stdio host's upstream where the wrapper does not know them (SPEC W10)."""

from collections.abc import Callable

from genui_core.application.requests.host_request import Forward, HostRequest, Listings, Outcome
from genui_core.application.stdio.answer_run import Wait, own_answer, run_alone
from genui_core.application.stdio.supervision import StdioSession
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import ToolDiff
from genui_core.domain.mcp.jsonrpc import INTERNAL_ERROR
from genui_core.domain.session.relay import Relay
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import Params, Result

HOST_FIRST_S = 1.0
"""How long the wrapper waits for the host to list changed tools, before it lists them itself."""


class RelayListings(Listings):
    """The listings of a stdio host's upstream: those of the wrapper run beside the host's requests (``toolRefresh``).

    Args:
        session: Has the ``_meta`` of the wrapper's own requests.
        host_saw: As in `Listings`.
    """

    tells_at_once = False

    def __init__(
        self,
        views: ToolViews,
        relay: Relay,
        session: StdioSession,
        host_saw: Callable[[ToolDiff], None],
    ) -> None:
        super().__init__(views, host_saw=host_saw)
        self._relay = relay
        self._session = session
        self._waiting: list[Callable[[Outcome], object]] = []
        self._failures = 0
        self._is_refreshing = False

    async def learn(self, _request: HostRequest, _forward: Forward) -> None:
        """Wait until the tools are known, or their listing failed; one listing serves all that wait."""
        await Wait(lambda _pending, resume: self._ask(resume))

    async def list_again(self, _request: HostRequest, _forward: Forward) -> Outcome:
        """List the tools by a listing that begins now; return the changes, or the upstream's error."""
        outcome: Outcome = await Wait(lambda _pending, resume: self.refresh(resume))
        return outcome

    def refresh(self, then: Callable[[Outcome], object]) -> None:
        """List the tools again, by a listing that begins now."""
        if self._waiting:
            self._waiting.append(lambda _outcome: self.refresh(then))
        else:
            self._ask(then)

    def changed(self) -> None:
        """Record that the upstream's tools changed. If the host lists them now, the wrapper need not."""
        super().changed()
        self._relay.later(HOST_FIRST_S, self._catch_up)

    def _catch_up(self) -> None:
        if self._views.tools.knows_all_tools and self.is_behind:
            self._ask(lambda _outcome: None)

    def _ask(self, then: Callable[[Outcome], object]) -> None:
        self._waiting.append(then)
        if len(self._waiting) == 1:
            run_alone(self._list())

    async def _list(self) -> None:
        """List the tools, and serve all that waited, also after an error: a foreign request is forwarded then."""

        async def ask(params: Params) -> Result:
            return await own_answer(self._relay, "tools/list", params)

        try:
            outcome = await self._walk(ask, self._session.meta)
        except Exception as error:  # noqa: BLE001 -- such as a watcher's: all that wait must go on
            outcome = UpstreamFailed({"code": INTERNAL_ERROR, "message": f"mcp-gen-ui failed: {error!r}"})
        if isinstance(outcome, UpstreamFailed):
            self._views.event_log.record(Level.WARN, "relay", "tools_not_listed", error=outcome.error)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then(outcome)

    def refresh_periodically(self) -> None:
        """List the tools again at an interval if the setting asks for it; may be called again."""
        settings = self._views.settings.tool_refresh
        if settings.enabled and not self._is_refreshing:
            self._is_refreshing = True
            self._refresh_in(settings.interval_ms)

    def _refresh_in(self, delay_ms: int) -> None:
        self._relay.later(delay_ms / 1000, self._refresh_due)

    def _refresh_due(self) -> None:
        if self._views.tools.knows_all_tools:
            self.refresh(self._refreshed)
        else:  # no host has listed them yet
            self._refresh_in(self._views.settings.tool_refresh.interval_ms)

    def _refreshed(self, outcome: Outcome) -> None:
        settings = self._views.settings.tool_refresh
        if isinstance(outcome, ToolDiff):
            self._failures = 0
            self._refresh_in(settings.interval_ms)
        else:
            waits = settings.retry_backoff_ms or (settings.interval_ms,)
            self._refresh_in(waits[min(self._failures, len(waits) - 1)])
            self._failures += 1
