"""The wrapper's own question to the upstream: which tools have you got?"""

from collections.abc import Callable, Mapping

from attrs import define, field

from genui_core.application.wrapper import Wrapper
from genui_core.domain.envelope import server_info_of
from genui_core.domain.registry import Listing, ToolDiff
from genui_core.domain.relay import Relay
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import Level

_MOST_PAGES = 1000


@define
class ToolQuestion:
    """Lists the upstream's tools page by page, then calls the waiting callbacks.

    Args:
        wrapper: Takes the tools in.
        relay: Carries the questions.
        meta: What the stateless generation wants to see in the ``_meta`` of each request.
        done: Called with what the listing changed, or with the upstream's error.
    """

    _wrapper: Wrapper
    _relay: Relay
    _meta: Mapping[str, object]
    _done: Callable[[ToolDiff | UpstreamFailed], None]
    _listing: Listing = field(init=False)
    _cursors: set[str] = field(init=False, factory=set)

    def __attrs_post_init__(self) -> None:
        """Begin a listing of its own."""
        self._listing = self._wrapper.begin_listing()

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
        self._wrapper.know_upstream(server_info_of(result))
        self._listing.add_page(tools)
        following = result.get("nextCursor")
        if isinstance(following, str) and following not in self._cursors and len(self._cursors) < _MOST_PAGES:
            self._cursors.add(following)
            self.ask(following)
            return
        self._done(self._wrapper.finish_listing(self._listing))

    def _give_up(self, error: object) -> None:
        self._wrapper.event_log.record(Level.WARN, "relay", "tools_not_listed", error=error)
        self._done(UpstreamFailed(error if isinstance(error, Mapping) else {"message": "no list of tools"}))
