"""Knowing the upstream's tools: listed when something needs them, and again when they change (SPEC W10)."""

from collections.abc import Callable, Mapping

from attrs import define, field

from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.envelope import server_info_of
from genui_core.domain.session.relay import Relay
from genui_core.domain.tools.registry import Listing, ToolDiff
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import Level

_MOST_PAGES = 1000


@define
class ToolQuestion:
    """Lists the upstream's tools page by page, then calls the waiting callbacks.

    Args:
        views: Takes the tools in.
        relay: Carries the questions.
        meta: What the stateless generation wants to see in the ``_meta`` of each request.
        done: Called with what the listing changed, or with the upstream's error.
    """

    _views: ToolViews
    _relay: Relay
    _meta: Mapping[str, object]
    _done: Callable[[ToolDiff | UpstreamFailed], None]
    _listing: Listing = field(init=False)
    _cursors: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        """Begin a listing of its own."""
        self._listing = self._views.tools.begin_listing()

    def ask(self, cursor: str | None = None) -> None:
        """Ask for a page."""
        meta = {"_meta": self._meta} if self._meta else {}
        params = {**meta, **({"cursor": cursor} if cursor else {})}
        self._relay.ask_upstream("tools/list", params or None, self._take)

    def _take(self, message: Mapping[str, object]) -> None:
        result = message.get("result")
        tools = result.get("tools") if isinstance(result, Mapping) else None
        if not isinstance(result, Mapping) or not isinstance(tools, list):
            self._give_up(message.get("error"))
            return
        self._views.tools.know_upstream(server_info_of(result))
        self._listing.add_page(tools)
        following = result.get("nextCursor")
        if isinstance(following, str) and following not in self._cursors and len(self._cursors) < _MOST_PAGES:
            self._cursors.add(following)
            self.ask(following)
            return
        self._done(self._views.finish_listing(self._listing))

    def _give_up(self, error: object) -> None:
        self._views.event_log.record(Level.WARN, "relay", "tools_not_listed", error=error)
        self._done(UpstreamFailed(error if isinstance(error, Mapping) else {"message": "no list of tools"}))


Outcome = ToolDiff | UpstreamFailed

HOST_FIRST_S = 1.0
"""How long after the upstream said that its tools changed we wait for the host to list them, before we do."""


@define
class ToolKnowledge:
    """What is known of the tools on one connection, and how current it is.

    Args:
        tell: Called with what a listing of our own has found.
    """

    _views: ToolViews
    _relay: Relay
    _tell: Callable[[ToolDiff], None]
    _meta: Mapping[str, object] = field(factory=dict)
    _waiting: list[Callable[[Outcome], None]] = field(factory=list)
    _changes: int = 0
    _changes_seen: int = 0

    def see_meta(self, meta: Mapping[str, object]) -> None:
        """Store the ``_meta`` of a stateless request; the wrapper's own requests must repeat it."""
        self._meta = meta

    @property
    def is_current(self) -> bool:
        """Whether the tools are known, and as far as we know have not changed since."""
        return self._views.tools.knows_all_tools and self._changes_seen == self._changes

    @property
    def age_mark(self) -> int:
        """How often the upstream has said that its tools changed: what a listing that begins now will have seen."""
        return self._changes

    def listed(self, age_mark: int) -> None:
        """Record a complete listing of the tools that began at this mark."""
        self._changes_seen = max(self._changes_seen, age_mark)

    def when_known(self, then: Callable[[], None]) -> None:
        """Go on when the tools are known; one listing serves all who wait. Also goes on where it fails."""
        if self.is_current:
            then()
        else:
            self._ask(lambda _outcome: then())

    def refresh(self, then: Callable[[Outcome], None]) -> None:
        """List the tools again, by a listing that begins now."""
        if self._waiting:
            self._waiting.append(lambda _outcome: self.refresh(then))
        else:
            self._ask(then)

    def upstream_changed(self) -> None:
        """Record that the upstream's tools changed. If the host lists them now, the wrapper need not."""
        self._changes += 1
        self._relay.later(HOST_FIRST_S, self._catch_up)

    def _catch_up(self) -> None:
        if self._views.tools.knows_all_tools and not self.is_current:
            self._ask(lambda _outcome: None)

    def _ask(self, then: Callable[[Outcome], None]) -> None:
        self._waiting.append(then)
        if len(self._waiting) == 1:
            age_mark = self._changes
            ToolQuestion(
                self._views, self._relay, self._meta, lambda outcome: self._take(age_mark, outcome)
            ).ask()

    def _take(self, age_mark: int, outcome: Outcome) -> None:
        """Serve who waited, also when the upstream did not say: what is not known to be ours goes to it."""
        if isinstance(outcome, ToolDiff):
            self.listed(age_mark)
            self._tell(outcome)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then(outcome)


@define
class PeriodicRefresh:
    """Lists the tools again from time to time (``toolRefresh``)."""

    _views: ToolViews
    _relay: Relay
    _knowledge: ToolKnowledge
    _failures: int = 0
    _is_running: bool = False

    def start(self) -> None:
        """Begin, where it is wanted; may be called again."""
        if self._views.settings.tool_refresh.enabled and not self._is_running:
            self._is_running = True
            self._wait(self._views.settings.tool_refresh.interval_ms)

    def _wait(self, delay_ms: int) -> None:
        self._relay.later(delay_ms / 1000, self._due)

    def _due(self) -> None:
        if self._views.tools.knows_all_tools:
            self._knowledge.refresh(self._done)
        else:  # no host has needed them yet
            self._wait(self._views.settings.tool_refresh.interval_ms)

    def _done(self, outcome: Outcome) -> None:
        settings = self._views.settings.tool_refresh
        if isinstance(outcome, ToolDiff):
            self._failures = 0
            self._wait(settings.interval_ms)
        else:
            waits = settings.retry_backoff_ms or (settings.interval_ms,)
            self._wait(waits[min(self._failures, len(waits) - 1)])
            self._failures += 1
