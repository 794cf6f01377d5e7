"""The streams on which a stateless host (2026-07-28) listens for changes: ``subscriptions/listen``.

The request is the stream: every message on it carries the request's id, the first one says what
will be told, and the answer comes when it ends. The upstream is asked for what is its own to
tell; what it agrees to is widened by what we tell, on the same stream. An upstream that knows
no such streams leaves the whole of it to us.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from attrs import define, field, frozen

from genui_core.domain.json_text import Edit, member, spliced
from genui_core.domain.jsonrpc import RequestId, json_text, notification_line
from genui_core.domain.relay import Relay
from genui_core.domain.relay_answers import ENCODING, Edited
from genui_core.domain.relay_decisions import Ticket
from genui_core.domain.rpc_errors import METHOD_NOT_FOUND

ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
SUBSCRIPTION_ID_KEY = "io.modelcontextprotocol/subscriptionId"

_LIST_CHANGES = {
    "toolsListChanged": "notifications/tools/list_changed",
    "resourcesListChanged": "notifications/resources/list_changed",
}


@define
class Stream:
    """One stream.

    Attributes:
        request_id: The id of the request that opened it.
        wanted: The kinds of list changes of which the host wants to hear.
        addresses: Those of our addresses whose changes it wants to hear of.
        is_open: Whether it was acknowledged: nothing is told before.
        is_ours: Whether the upstream has no part in it.
    """

    request_id: RequestId
    wanted: frozenset[str]
    addresses: tuple[str, ...]
    is_open: bool = False
    is_ours: bool = False

    def honoured(self, theirs: Mapping[str, object]) -> dict[str, object]:
        """Return what the host will hear of: what the upstream agreed to, and what we tell."""
        listed = theirs.get("resourceSubscriptions")
        addresses = [*(listed if isinstance(listed, list) else ()), *self.addresses]
        ours = {kind: True for kind in _LIST_CHANGES if kind in self.wanted}
        return {**theirs, **ours, **({"resourceSubscriptions": addresses} if addresses else {})}

    def message(self, method: str, params: Mapping[str, object] | None = None) -> bytes:
        """Return the line of a notification on this stream."""
        return notification_line(method, {**(params or {}), "_meta": {SUBSCRIPTION_ID_KEY: self.request_id}})

    def changes(self, kinds: Iterable[str], addresses: Sequence[str]) -> list[bytes]:
        """Return the lines that tell of changes, as far as the host wants to hear of them."""
        if not self.is_open:
            return []
        lines = [self.message(_LIST_CHANGES[kind]) for kind in kinds if kind in self.wanted]
        stale = [each for each in self.addresses if each.partition("?")[0] in addresses]
        return lines + [self.message("notifications/resources/updated", {"uri": each}) for each in stale]


@define
class ListenStreams:
    """The streams of one host."""

    _relay: Relay
    _owns: Callable[[str], bool]
    _streams: dict[RequestId, Stream] = field(factory=dict)

    def open(self, ticket: Ticket) -> None:
        """Take up a stream that the host asks for, and ask the upstream for its part."""
        asked = ticket.params.get("notifications")
        asked = asked if isinstance(asked, Mapping) else {}
        listed = asked.get("resourceSubscriptions")
        listed = [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
        ours = tuple(filter(self._owns, listed))
        wanted = frozenset(kind for kind in _LIST_CHANGES if asked.get(kind) is True)
        self._streams[ticket.request_id] = Stream(ticket.request_id, wanted, ours)
        theirs = [each for each in listed if each not in ours]
        line = _with_subscriptions(ticket.line, theirs) if ours else None
        ticket.forward(_ListenEditor(self, ticket.request_id), line)

    def acknowledged(self, params: Mapping[str, object], line: bytes) -> bytes:
        """Return what becomes of the upstream's acknowledgement."""
        meta, theirs = params.get("_meta"), params.get("notifications")
        request_id = meta.get(SUBSCRIPTION_ID_KEY) if isinstance(meta, Mapping) else None
        stream = self._streams.get(request_id) if isinstance(request_id, str | int | float) else None
        if stream is None:
            return line
        stream.is_open = True
        honoured = stream.honoured(theirs if isinstance(theirs, Mapping) else {})
        return notification_line(ACKNOWLEDGED, {**params, "notifications": honoured})

    def serve_alone(self, request_id: RequestId) -> None:
        """Keep a stream that the upstream knows nothing of."""
        stream = self._streams.get(request_id)
        if stream is None:
            return
        stream.is_open = stream.is_ours = True
        self._relay.hold(request_id)
        self._relay.say_to_host(stream.message(ACKNOWLEDGED, {"notifications": stream.honoured({})}))

    def end(self, request_id: object) -> None:
        """Let a stream go that the host has ended."""
        if isinstance(request_id, str | int | float):
            self._streams.pop(request_id, None)

    def end_at_upstream(self, request_id: object) -> None:
        """Let a stream go that the upstream has ended, if it had a part in it."""
        stream = self._streams.get(request_id) if isinstance(request_id, str | int | float) else None
        if stream is not None and not stream.is_ours:
            self.end(request_id)

    def upstream_lost(self) -> None:
        """Let the streams go in which the upstream had a part: the host was told that they failed."""
        self._streams = {key: stream for key, stream in self._streams.items() if stream.is_ours}

    def changes(self, kinds: Iterable[str], addresses: Sequence[str]) -> list[bytes]:
        """Return the lines that tell every stream of changes, at these bare addresses among others."""
        kinds = tuple(kinds)
        return [line for stream in self._streams.values() for line in stream.changes(kinds, addresses)]


@frozen
class _ListenEditor:
    """Sees how a stream ends at the upstream."""

    _streams: ListenStreams
    _request_id: RequestId
    memo_key: None = None

    def edit_result(self, result: str) -> Edited:
        """The upstream ends the stream in peace."""
        self._streams.end(self._request_id)
        return Edited(result)

    def replace_error(self, error: Mapping[str, object]) -> str | None:
        """Serve the stream alone where the upstream knows no streams; else it has failed."""
        if error.get("code") == METHOD_NOT_FOUND:
            self._streams.serve_alone(self._request_id)
            return ""
        self._streams.end(self._request_id)
        return None


def _with_subscriptions(line: bytes, addresses: Sequence[str]) -> bytes:
    """Return the host's request with only these addresses in it."""
    text = line.decode(*ENCODING)
    params = member(text, "params")
    asked = member(text, "notifications", params.start) if params is not None else None
    listed = member(text, "resourceSubscriptions", asked.start) if asked is not None else None
    if listed is None:
        return line
    return spliced(text, [Edit(listed.start, listed.end, json_text(list(addresses)))]).encode(*ENCODING)
