"""Whether the wrapper knows the tools of a stdio host's upstream; lists them where it does not (SPEC W10)."""

from collections.abc import Callable, Mapping

from genui_core.application.requests.host_request import Forward, HostRequest, Listings, TakePage
from genui_core.application.stdio.answer_run import Wait
from genui_core.application.stdio.supervision import HostSession
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import Cursors, Listing, PagedListings, ToolDiff
from genui_core.domain.mcp.envelope import server_info_of
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.session.relay import Relay
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import Level
from genui_core.ports.host_model import Result

HOST_FIRST_S = 1.0
"""How long the wrapper waits for the host to list changed tools, before it lists them itself."""

Outcome = ToolDiff | UpstreamFailed


class ToolKnowledge(Listings):
    """Whether the wrapper knows the upstream's tools, and which changes it has seen; lists them (``toolRefresh``).

    Args:
        session: Has the ``_meta`` of the wrapper's own requests.
        tell: Called with what a listing of the wrapper's own has changed.
        host_saw: Called with what the host's own listing has changed, before the host gets its last page.

    Attributes:
        changes: How many changes the upstream has announced: a listing that begins now sees all of them.
    """

    def __init__(
        self,
        views: ToolViews,
        relay: Relay,
        session: HostSession,
        tell: Callable[[ToolDiff], None],
        host_saw: Callable[[ToolDiff], None],
    ) -> None:
        self._views = views
        self._relay = relay
        self._session = session
        self._tell = tell
        self._host_saw = host_saw
        self._pages = PagedListings(views.tools.begin_listing)
        self._waiting: list[Callable[[Outcome], object]] = []
        self.changes = 0
        self._changes_seen = 0
        self._failures = 0
        self._is_refreshing = False

    @property
    def is_current(self) -> bool:
        """Whether the tools were listed, and the upstream has announced no change since."""
        return self._views.tools.knows_all_tools and self._changes_seen == self.changes

    def page(self, cursor: object, *, shows_views: bool = True) -> TakePage:
        """Return what takes in the host's page that begins at a cursor."""
        age_mark = self.changes if cursor is None else 0

        def take(page: Result) -> bool:
            listing = self._pages.add_page(cursor, page)
            if listing is None:
                return False
            diff = self._views.finish_listing(listing, shows_views=shows_views)
            if listing.is_whole:
                self._listed(age_mark)
            if shows_views:
                self._host_saw(diff)
            return True

        return take

    def _listed(self, age_mark: int) -> None:
        """Record a complete listing of the tools that began at this mark."""
        self._changes_seen = max(self._changes_seen, age_mark)

    async def learn(self, _request: HostRequest, _forward: Forward) -> None:
        """Wait until the tools are known, or their listing failed; one listing serves all that wait."""
        if not self.is_current:
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
        self.changes += 1
        self._relay.later(HOST_FIRST_S, self._catch_up)

    def _catch_up(self) -> None:
        if self._views.tools.knows_all_tools and not self.is_current:
            self._ask(lambda _outcome: None)

    def _ask(self, then: Callable[[Outcome], object]) -> None:
        self._waiting.append(then)
        if len(self._waiting) == 1:
            self._list(self._views.tools.begin_listing(), Cursors(), self.changes)

    def _list(self, listing: Listing, cursors: Cursors, age_mark: int, cursor: str | None = None) -> None:
        """Ask for a page of the tools, and for those after it."""

        def take(message: Mapping[str, object]) -> None:
            page, error = as_object(message.get("result")), message.get("error")
            try:
                listing.take(page, error)
            except UpstreamFailed as failed:
                self._views.event_log.record(Level.WARN, "relay", "tools_not_listed", error=error)
                self._finish(age_mark, failed)
                return
            self._views.tools.know_upstream(server_info_of(page))
            if (following := cursors.after(page)) is not None:
                self._list(listing, cursors, age_mark, following)
            else:
                self._finish(age_mark, self._views.finish_listing(listing))

        meta = self._session.meta
        params = {**({"_meta": meta} if meta else {}), **({"cursor": cursor} if cursor else {})}
        self._relay.ask_upstream("tools/list", params or None, take)

    def _finish(self, age_mark: int, outcome: Outcome) -> None:
        """Serve all that waited, also after an error: a request that may not be the wrapper's is forwarded."""
        if isinstance(outcome, ToolDiff):
            self._listed(age_mark)
            self._tell(outcome)
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
