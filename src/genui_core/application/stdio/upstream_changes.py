"""Lists a stdio upstream's tools again after changes (requirement W10), and notifies the host.

A stateless host (2026-07-28) listens for changes on streams: ``subscriptions/listen``. The request is the
stream: every message on it carries the request's id, the first message lists the notifications that will
follow, and the answer ends the stream. The wrapper forwards the upstream's part of the request, and adds its
own notifications to the same stream. If the upstream supports no streams, the wrapper serves all of it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from attrs import Factory, evolve, frozen

from genui_core.application.requests.host_request import Forward, HostRequest, Listings, Outcome
from genui_core.application.stdio.answer_run import Wait, ask_upstream, run_alone
from genui_core.application.stdio.supervision import StdioSession
from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import ToolDiff
from genui_core.domain.mcp.envelope import request_meta
from genui_core.domain.mcp.json_text import Edit, member, spliced
from genui_core.domain.mcp.jsonrpc import (
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    Params,
    RequestId,
    Result,
    json_text,
    notification_line,
)
from genui_core.domain.mcp.methods import (
    ACKNOWLEDGED,
    SUBSCRIPTION_ID_KEY,
    Subscription,
    granted,
    wanted_by,
    wanted_uris,
)
from genui_core.domain.mcp.results import UnparsedResult
from genui_core.domain.session.exchange import PendingRequest
from genui_core.domain.session.relay import Relay
from genui_core.domain.session.upstream_answers import ENCODING, AnswerEditor
from genui_core.domain.tools.tool import LISTS_OF_VIEWS, FollowedAddresses, view_news
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import Level

HOST_FIRST_S = 1.0
"""How long the wrapper waits for the host to list changed tools, before it lists them itself."""


@frozen(eq=False, repr=False)
class Stream:
    """One stream of notifications to a stateless host.

    Attributes:
        is_open: Whether it was acknowledged: before that, nothing is sent.
        is_ours: Whether the wrapper serves it without the upstream.
    """

    terms: Subscription
    is_open: bool = False
    is_ours: bool = False

    def acknowledgement(self, params: Mapping[str, object]) -> bytes:
        """Return the line that lists the notifications which the host will get."""
        return notification_line(ACKNOWLEDGED, self.terms.acknowledged(params))


@frozen(eq=False, repr=False)
class ChangeNotices:
    """The change notifications for one host, and the streams on which a stateless host gets them.

    Attributes:
        followed: The addresses that a host gets notifications for outside of streams.
    """

    _relay: Relay
    _session: StdioSession
    _streams: dict[RequestId, Stream] = Factory(dict)
    followed: FollowedAddresses = Factory(FollowedAddresses)

    def views_changed(self, tool_names: Collection[str], *, knows_tools: bool = False) -> list[bytes]:
        """Return the messages that notify the host of changed views of these tools."""
        is_stateful = self._session.is_stateful
        news = view_news(tool_names, self.followed, knows_tools=knows_tools) if is_stateful else []
        for terms in (each.terms for each in self._streams.values() if each.is_open):
            wanted = view_news(tool_names, wanted_uris(terms.ours), knows_tools=knows_tools)
            news += [
                (method, terms.marked(params)) for method, params in wanted if terms.covers(method, params)
            ]
        return [notification_line(method, params or None) for method, params in news]

    def open_stream(self, pending: PendingRequest, views: Collection[str]) -> None:
        """Open a stream that the host requests, with these views, and forward the upstream's part of it."""
        wanted = wanted_by(pending.params)
        ours = granted(wanted, kinds=LISTS_OF_VIEWS, uris=views)
        self._streams[pending.request_id] = Stream(Subscription(pending.request_id, wanted, ours))
        theirs = [uri for uri in wanted_uris(wanted) if uri not in views]
        line = _with_subscriptions(pending.line, theirs) if views else None
        pending.forward(self._stream_end_editor(pending.request_id), line)

    def _stream_end_editor(self, request_id: RequestId) -> AnswerEditor:
        """Return the editor that handles the end of a stream at the upstream."""

        def ended(result: UnparsedResult) -> bytes:
            self.end_stream(request_id)
            return result.data

        def failed(error: Mapping[str, object]) -> str | None:
            if error.get("code") == METHOD_NOT_FOUND:  # the upstream supports no streams
                self.serve_alone(request_id)
                return ""
            self.end_stream(request_id)
            return None

        return AnswerEditor(ended, failed)

    def _stream(self, request_id: object) -> Stream | None:
        return self._streams.get(request_id) if isinstance(request_id, RequestId) else None

    def acknowledged(self, params: Mapping[str, object], line: bytes) -> bytes:
        """Return the upstream's acknowledgement with the wrapper's notifications added."""
        stream = self._stream(request_meta(params).get(SUBSCRIPTION_ID_KEY))
        if stream is None:
            return line
        self._streams[stream.terms.id] = evolve(stream, is_open=True)
        return stream.acknowledgement(params)

    def serve_alone(self, request_id: RequestId) -> None:
        """Serve a stream without the upstream, which supports no streams."""
        stream = self._streams.get(request_id)
        if stream is None:
            return
        self._streams[request_id] = evolve(stream, is_open=True, is_ours=True)
        self._relay.exchange.hold(request_id)
        self._relay.exchange.to_host.say(stream.acknowledgement({}))

    def end_stream(self, request_id: object, *, at_upstream: bool = False) -> None:
        """Drop a stream that the host ended, or that the upstream ended if it takes part in it."""
        stream = self._stream(request_id)
        if stream is not None and not (at_upstream and stream.is_ours):
            del self._streams[stream.terms.id]

    def upstream_lost(self) -> None:
        """Drop the streams that the upstream took part in: the host got an error for them."""
        for request_id in [key for key, stream in self._streams.items() if not stream.is_ours]:
            del self._streams[request_id]


def _with_subscriptions(line: bytes, addresses: Sequence[str]) -> bytes:
    """Return the host's request with only these addresses in it."""
    text = line.decode(*ENCODING)
    params = member(text, "params")
    asked = member(text, "notifications", params.start) if params is not None else None
    listed = member(text, "resourceSubscriptions", asked.start) if asked is not None else None
    if listed is None:
        return line
    return spliced(text, [Edit(listed.start, listed.end, json_text(list(addresses)))]).encode(*ENCODING)


class RelayListings(Listings):
    """The tool listings of a stdio session: the host's, and beside them the wrapper's (``toolRefresh``).

    Args:
        session: Has the ``_meta`` of the wrapper's own requests.
        notices: The change notifications for the host.
    """

    notifies_at_once = False

    def __init__(self, views: ToolViews, relay: Relay, session: StdioSession, notices: ChangeNotices) -> None:
        super().__init__(views)
        self._relay = relay
        self._session = session
        self._notices = notices
        self._waiting: list[Callable[[Outcome], object]] = []
        self._failures = 0
        self._is_refreshing = False

    async def learn(self, _request: HostRequest, _forward: Forward) -> None:
        """Wait until the tools are known, or their listing failed; one listing serves all that wait."""
        await Wait(lambda _pending, resume: self._ask(resume))

    async def list_again(self, _request: HostRequest, _forward: Forward) -> Outcome:
        """List the tools with a listing that begins now; return the changes, or the upstream's error."""
        outcome: Outcome = await Wait(lambda _pending, resume: self.refresh(resume))
        return outcome

    def host_saw(self, diff: ToolDiff) -> None:
        """Notify the host of changed views after its own listing; after the first one, prepare for reads."""
        if self._views.tools.listing_number > 1:
            names = (*diff.changed, *diff.removed)
            if not diff.is_empty:
                self._relay.exchange.after_answer += self._notices.views_changed(names, knows_tools=True)
        elif self._views.has_model:
            self._relay.later(0, self._views.worker.get_ready)  # when the answer was written

    def refresh(self, then: Callable[[Outcome], object]) -> None:
        """List the tools again, with a listing that begins now or after one that is under way."""
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
        """List the tools, and resume all that wait, also after an error: their requests are forwarded."""

        async def ask(params: Params) -> Result:
            return await ask_upstream(self._relay, "tools/list", params)

        try:
            outcome = await self._walk(ask, self._session.meta)
        except Exception as error:  # noqa: BLE001 -- such as a watcher's: all that wait must continue
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
            self.refresh(self._plan_refresh)
        else:  # no host has listed them yet
            self._refresh_in(self._views.settings.tool_refresh.interval_ms)

    def _plan_refresh(self, outcome: Outcome) -> None:
        settings = self._views.settings.tool_refresh
        if isinstance(outcome, ToolDiff):
            self._failures = 0
            self._refresh_in(settings.interval_ms)
        else:
            waits = settings.retry_backoff_ms or (settings.interval_ms,)
            self._refresh_in(waits[min(self._failures, len(waits) - 1)])
            self._failures += 1
