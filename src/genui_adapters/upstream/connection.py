"""One connection to an upstream: requests, and what arrives for them."""

from collections.abc import Mapping

import anyio
from anyio.abc import TaskGroup
from attrs import define, field

from genui_adapters.upstream.link import Inbox, Link, NotTaken
from genui_adapters.upstream.message import Message, notification_message, request_message
from genui_adapters.upstream.notices import Notices
from genui_adapters.upstream.pending import PendingRequest
from genui_adapters.upstream.questions import Questions
from genui_adapters.upstream.stamping import Stamp
from genui_core.errors import GenUiError, UpstreamDied, UpstreamTimeout
from genui_core.ports.journal import Journal, Level
from genui_core.ports.tool_source import HostFacts, HostLine, Params, Result, UpstreamFacts

_CANCEL_GRACE_S = 2
"""How long the word that a request is cancelled may take to be written."""


@define(eq=False)
class Connection(Inbox):
    """Asks an upstream over a link, and sorts what comes back.

    Attributes:
        host: Who the upstream is told it serves.
        notices: Takes what belongs to no request.
        journal: Where oddities go.
        stamp: Dresses requests; replaced when the generation is agreed on.
        facts: What the upstream said of itself; set when the generation is agreed on.
        loss: Why the connection was lost, or None while it stands.
        lost: Is set when it was lost.
    """

    host: HostFacts
    tasks: TaskGroup
    notices: Notices
    journal: Journal
    owner: HostLine | None = None
    stamp: Stamp = field(init=False)
    facts: UpstreamFacts = field(init=False)
    loss: GenUiError | None = None
    lost: anyio.Event = field(factory=anyio.Event)
    _link: Link = field(init=False)
    _questions: Questions = field(init=False)
    _pending: dict[int, PendingRequest] = field(factory=dict)
    _last_id: int = 0

    def __attrs_post_init__(self) -> None:
        """Begin undressed: no generation is agreed on yet."""
        self.stamp = Stamp(self.host)
        self._questions = Questions(self.tasks, self._send, self.owner)

    def stand_on(self, link: Link) -> None:
        """Use this link from now on."""
        self._link = link

    @property
    def handshake_only(self) -> bool:
        """Whether its link knows only the generations with a handshake."""
        return self._link.handshake_only

    # --- asking -------------------------------------------------------------------------

    async def request(
        self,
        method: str,
        params: Params | None,
        line: HostLine | None = None,
        *,
        timeout_ms: float | None = None,
        cancellable: bool = True,
    ) -> Result:
        """Return what the upstream answers.

        Raises:
            UpstreamFailed: It answered with this error.
            NotTaken: The request did not get to it.
            UpstreamDied: The connection was lost before it answered.
            UpstreamTimeout: It did not answer in time.
            InvalidArguments: The params hold what JSON cannot.
        """
        if self.loss is not None:
            raise NotTaken(str(self.loss))
        self._last_id += 1
        request_id, meta = self._last_id, _meta(params)
        pending = self._pending[request_id] = PendingRequest(line, meta.get("progressToken"))
        sent = self.stamp.params(_with_token(params, meta, request_id))
        try:
            with anyio.move_on_after(None if timeout_ms is None else timeout_ms / 1000):
                await self._link.send(
                    request_message(request_id, method, sent), self.stamp.headers(method, sent)
                )
                return await pending.outcome()
            await self._cancel(request_id, "timed out", cancellable=cancellable)
            raise UpstreamTimeout(method, int(timeout_ms or 0))
        except anyio.get_cancelled_exc_class():
            await self._cancel(request_id, "cancelled", cancellable=cancellable)
            raise
        finally:
            del self._pending[request_id]

    async def notify(self, method: str, params: Params | None) -> None:
        """Send a notification; a lost connection takes none.

        Raises:
            InvalidArguments: The params hold what JSON cannot.
        """
        if self.loss is None:
            await self._send(notification_message(method, self.stamp.params(params)))

    async def _cancel(self, request_id: int, reason: str, *, cancellable: bool) -> None:
        self._link.abandon(request_id)
        if not cancellable or self.loss is not None or (self._link.closing_cancels and self.stamp.stateless):
            return  # a stateless upstream hears the end of the stream
        with anyio.move_on_after(_CANCEL_GRACE_S, shield=True):
            await self.notify("notifications/cancelled", {"requestId": request_id, "reason": reason})

    async def _send(self, message: Message) -> None:
        await self._link.send(message, self.stamp.headers(str(message.get("method")), None))

    def listen(self) -> None:
        """Hear from now on what the upstream says unasked."""
        self._link.listen()

    # --- arriving -----------------------------------------------------------------------

    def arrived(self, message: Message, of: int | None = None) -> None:
        """Take a message that the link brings."""
        method = message.get("method")
        if not isinstance(method, str):
            self._answered(message)
        elif "id" in message:
            self._questions.take(message, self._pending.get(of or 0), self._pending.values())
        else:
            self._notified(method, message.get("params"), self._pending.get(of or 0))

    def failed(self, request_id: int, error: GenUiError) -> None:
        """Take note that a request will not be answered."""
        pending = self._pending.get(request_id)
        if pending is not None:
            pending.failed(error)

    def ended(self, error: GenUiError) -> None:
        """Take note that the connection is lost: what is unanswered fails at once."""
        if self.loss is None:
            self.loss = error
            self.lost.set()
        for pending in self._pending.values():
            pending.failed(UpstreamDied())

    def _answered(self, message: Message) -> None:
        pending = self._pending.get(_own_id(message.get("id")))
        if pending is None:
            self.journal.record(Level.DEBUG, "relay", "late_answer", id=str(message.get("id")))
        else:
            pending.answered(message)

    def _notified(self, method: str, params: object, of: PendingRequest | None) -> None:
        if method == "notifications/cancelled":
            self._questions.cancel(params)
        elif method == "notifications/progress":
            self._progressed(params)
        elif of is not None and isinstance(params, Mapping):
            of.notified(method, params)
        else:
            self.notices.put(method, params)

    def _progressed(self, params: object) -> None:
        token = params.get("progressToken") if isinstance(params, Mapping) else None
        pending = self._pending.get(_own_id(token))
        if pending is not None and isinstance(params, Mapping):
            pending.notified("notifications/progress", {**params, "progressToken": pending.progress_token})


def _meta(params: Params | None) -> Mapping[str, object]:
    meta = (params or {}).get("_meta")
    return meta if isinstance(meta, Mapping) else {}


def _with_token(params: Params | None, meta: Params, request_id: int) -> Params | None:
    """Hosts that share a connection use the same progress tokens: ours is the request's id."""
    if "progressToken" not in meta:
        return params
    return {**(params or {}), "_meta": {**meta, "progressToken": request_id}}


def _own_id(value: object) -> int:
    """The id of ours that is meant; some servers answer with ``"7"`` to ``7``."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, str):
        return int(value) if value.isdecimal() and value.isascii() else 0
    return value if isinstance(value, int) else 0
