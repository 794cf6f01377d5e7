"""A host's request, the router's interface to a transport, the tool listings, and suspended work.

While a stateless host's own request is open, the wrapper cannot send it a request. Work that needs the
host's model is then suspended, and the host gets a result that asks for input (2026-07-28). The host
sends its request again with its model's answer and the token from the first result.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from attrs import evolve, field, frozen

from genui_core.application.tool_views import ToolViews
from genui_core.application.upstream_tools import Listing, ToolDiff, tool_pages
from genui_core.domain.mcp.envelope import (
    host_capabilities,
    host_name,
    progress_report,
    request_meta,
    server_info_of,
)
from genui_core.domain.mcp.json_text import as_object
from genui_core.domain.mcp.jsonrpc import INVALID_PARAMS, Params, Result, rpc_error
from genui_core.errors import GenUiError, HostRefused, UpstreamFailed
from genui_core.ports.host_model import SAMPLING, HostModel, offers_sampling

if TYPE_CHECKING:
    from genui_core.application.worker.generation_worker import Work

MOST_SUSPENDED = 100
_MOST_UNFINISHED = 16
_OF_THE_ROUND = ("_meta", "inputResponses", "requestState")

Take = Callable[[object], None]
"""Takes the outcome of a request's work: its result, a `GenUiError`, or `InputRequired`."""
Tell = Callable[[str, Mapping[str, object]], None]
"""Sends a host a notification."""
Begin = Callable[[Take, Tell], Callable[[], None]]
"""Begins work with callbacks for its outcome and its progress; returns a function that cancels it."""
TakePage = Callable[[Result], bool]
"""Adds a page to a listing, and returns whether it was the last."""
Outcome = ToolDiff | UpstreamFailed
"""The changes that a listing found, or the upstream's error."""


async def _notify_no_one(_method: str, _params: Mapping[str, object]) -> None:
    """Do nothing: this host cannot be notified."""


@frozen
class HostRequest:
    """A request from a host.

    Attributes:
        params: Its params; empty if it has none.
        model: The host's model, for hosts of the legacy era.
        stateless: Whether its ``_meta`` describes its host, as in the era 2026-07-28.
        handshake: The params of ``initialize``, which began the session; None without a session.
    """

    method: str
    params: Mapping[str, object]
    stateless: bool = field(default=False, kw_only=True)
    tell: Callable[[str, Mapping[str, object]], Awaitable[None]] = field(
        default=_notify_no_one, eq=False, repr=False
    )
    model: HostModel | None = field(default=None, eq=False, repr=False)
    handshake: object = field(default=None, eq=False, repr=False)

    @property
    def capabilities(self) -> object:
        """The host's capabilities, as it states them."""
        return host_capabilities(self.params, self.handshake, stateless=self.stateless)

    @property
    def host_name(self) -> str:
        """The host's name for itself; "" if unknown."""
        return host_name(self.params, self.handshake)


def essence_of(request: HostRequest) -> tuple[str, Mapping[str, object]]:
    """Return the part of a request that stays the same when a host sends it again with input."""
    return request.method, {key: each for key, each in request.params.items() if key not in _OF_THE_ROUND}


def error_for_host(
    views: ToolViews, request: HostRequest, error: GenUiError, component: str = "relay"
) -> Params:
    """Log why a request failed, and return the JSON-RPC error of its host, with the same request id.

    An error from the upstream is not logged, and is returned as it came.
    """
    if isinstance(error, UpstreamFailed):
        return error.error
    name = request.params.get("name") if request.method == "tools/call" else None
    tool_name = name if isinstance(name, str) else None
    request_id = views.services.log_failure(request.method, error, None, component, tool_name=tool_name)
    return rpc_error(error, request_id=request_id, tool_name=tool_name, stateless=request.stateless)


Forward = Callable[[HostRequest], Awaitable[Result]]
"""Forwards a request to the upstream and returns its result. Raises `UpstreamFailed` with its error."""


class Waits(Protocol):
    """How a transport waits within a request."""

    async def outcome(self, begin: Begin, request: HostRequest, within_s: float | None, late: Take) -> object:
        """Return the outcome of work; cancel the work if the request is cancelled.

        Args:
            begin: Begins the work.
            request: The request that needs it; its host gets the progress.
            within_s: How long to wait, in seconds; after that the work continues, and None is returned.
            late: Called with an outcome that comes after that time.
        """

    def soon(self, step: Callable[[], None]) -> None:
        """Run a step as soon as the request that is about to be forwarded has been forwarded."""


class InputRequired(Exception):
    """The host must bring input and send its request again."""

    def __init__(self, result: dict[str, object]) -> None:
        self.result = result
        super().__init__("Input is required.")


class SuspendedWork(HostModel):
    """Work for a stateless host's request, and the host's model for this work.

    Attributes:
        essence: The part of the request that stays the same when the host sends it again.
        soon: Runs a step after a question: at once, or when further questions may have come.
        end: Cancels the work.
        report: Reports progress to the host while a request is open.
    """

    def __init__(self, essence: object, suspend: "Callable[[SuspendedWork], str]") -> None:
        self.essence = essence
        self._suspend = suspend
        self.soon: Callable[[Callable[[], None]], object] = lambda step: step()
        self.end: Callable[[], object] = lambda: None
        self.report: Callable[[str], None]
        self._take: Take | None = None
        self._outcome: list[object] = []
        self._questions: dict[str, tuple[str, Params, Callable[[Result | HostRefused], object]]] = {}
        self._asked = 0

    def serve(self, take: Take, brought: object) -> None:
        """Answer the request that is now open, which may have brought input, with what comes next."""
        self._take, given = take, as_object(brought)
        for key in [key for key in self._questions if key in given]:
            *_, then = self._questions.pop(key)
            missing = {"code": INVALID_PARAMS, "message": "The host brought no answer to this."}
            then(answer if isinstance(answer := given[key], Mapping) else HostRefused(missing))
        self.soon(self._go_on)

    def give_up(self) -> None:
        """Cancel the work if a request is open, which means that the host has cancelled it."""
        if self._take is not None:
            self._take = None
            self.end()

    def tell(self, words: str) -> None:
        """Report progress while a request is open."""
        if self._take is not None:
            self.report(words)

    def finish(self, made: object) -> None:
        """Store the outcome of the work, for the request that is open or for the next."""
        self._outcome.append(made)
        self._go_on()

    def ask(
        self, params: Params, then: Callable[[Result | GenUiError], object], method: str = SAMPLING
    ) -> Callable[[], None]:
        """Ask the host in the next answer to it."""
        self._asked += 1
        key = f"question-{self._asked}"
        self._questions[key] = method, params, then
        self.soon(self._go_on)
        return lambda: self._questions.pop(key, None) and None

    def _go_on(self) -> None:
        take = self._take
        if take is None or not (self._outcome or self._questions):
            return
        self._take = None
        if self._outcome:
            take(self._outcome[0])
            return
        asked = self._questions.items()
        questions = {key: {"method": method, "params": params} for key, (method, params, _) in asked}
        token = self._suspend(self)
        take(
            InputRequired({"resultType": "input_required", "inputRequests": questions, "requestState": token})
        )


@frozen(eq=False)
class Suspended:
    """The work that waits for another request of its host, by the token that the request must have."""

    _new_token: Callable[[], str]
    _most: int
    _waiting: dict[object, SuspendedWork] = field(init=False, factory=dict)

    def keep(self, work: SuspendedWork) -> str:
        """Keep work and return its token, which no one can guess; the oldest of too much work ends."""
        token = self._new_token()
        self._waiting[token] = work
        if len(self._waiting) > self._most:
            self._waiting.pop(next(iter(self._waiting))).end()
        return token

    def resume(self, token: object, essence: object) -> SuspendedWork | None:
        """Return the work with this token and for this request, which is kept no longer, or None."""
        found = self._waiting.get(token) if isinstance(token, str) else None
        return self._waiting.pop(token) if found is not None and found.essence == essence else None


class HostWork:
    """Starts work in the generation worker for hosts of both protocol eras; stores suspended work."""

    def __init__(self, views: ToolViews) -> None:
        self._views = views
        self._suspended = Suspended(views.identity.nonce, MOST_SUSPENDED)

    def begin(self, request: HostRequest, work: "Work[object]", take: Take, tell: Tell) -> Callable[[], None]:
        """Start work, or continue the work suspended for this request; return a function that cancels it.

        ``take`` gets the result, the error, or `InputRequired`.

        Raises:
            GenUiError: There is no generation worker.
        """
        worker, report = self._views.worker, progress_report(request.params, tell)
        if not (self._views.services.asks_host and offers_sampling(request.capabilities)):
            return worker.run(work, take, report)
        if not request.stateless:
            return worker.run(work, take, report, request.model)
        essence = essence_of(request)
        suspended = self._suspended.resume(request.params.get("requestState"), essence)
        if suspended is None:  # also for an unknown token, such as after a restart, or of another request
            suspended = SuspendedWork(essence, self._suspended.keep)
            suspended.end = worker.run(work, suspended.finish, suspended.tell, suspended)
        suspended.report = report
        suspended.serve(take, request.params.get("inputResponses"))
        return suspended.give_up


class Listings:
    """The listings of an upstream's tools for the hosts of one router: the hosts' own, and the wrapper's.

    Args:
        audience: The name of this group of hosts, if the upstream offers other tools to other hosts.

    Attributes:
        audience: As given.
        changes: How many changes of its tools the upstream has announced; a new listing sees them all.
        is_behind: Whether the last of these changes came after the last completed listing began.
        notifies_at_once: Whether a host's listing notifies all hosts of its changes before its last page.
    """

    notifies_at_once = True

    def __init__(self, views: ToolViews, audience: str = "") -> None:
        self._views = views
        self.audience = audience
        self._unfinished: dict[str, Listing] = {}
        self.changes = 0
        self.is_behind = False

    def changed(self) -> None:
        """Record that the upstream has changed its tools."""
        self.changes += 1
        self.is_behind = True

    def page(self, cursor: object, *, shows_views: bool = True) -> TakePage:
        """Return a function that adds the page at a cursor to a host's listing; call before the request.

        A listing whose first pages are unknown is not whole. The oldest of too many unfinished is dropped.
        """
        begun = Listing(self.audience, self.changes, is_whole=cursor is None)

        def take(page: Result) -> bool:
            known = self._unfinished.pop(cursor, None) if isinstance(cursor, str) else None
            listing = known or begun
            self._views.tools.add_page(listing, page)
            following = page.get("nextCursor")
            if isinstance(following, str) and following:
                self._unfinished[following] = listing
                if len(self._unfinished) > _MOST_UNFINISHED:
                    del self._unfinished[next(iter(self._unfinished))]
                return False
            diff = self._finish(listing, shows_views=shows_views, notifies_hosts=self.notifies_at_once)
            if shows_views:
                self.host_saw(diff)
            return True

        return take

    def host_saw(self, diff: ToolDiff) -> None:  # noqa: ARG002 -- most transports do not need it
        """Handle the changes in the listing of a host that shows views, before it gets the last page.

        The generation worker gets ready for the reads that follow.
        """
        if self._views.has_model:
            self._views.worker.get_ready()

    def _finish(self, listing: Listing, *, shows_views: bool = True, notifies_hosts: bool = True) -> ToolDiff:
        if listing.is_whole and listing.changes == self.changes:
            self.is_behind = False
        return self._views.finish_listing(listing, shows_views=shows_views, notifies_hosts=notifies_hosts)

    async def learn(self, request: HostRequest, forward: Forward) -> None:
        """List the tools completely; after an error of the upstream they stay unknown."""
        await self.list_again(request, forward)

    async def list_again(self, request: HostRequest, forward: Forward) -> Outcome:
        """List the tools completely for a request; return the changes, or the upstream's error."""
        meta = {key: value for key, value in request_meta(request.params).items() if key != "progressToken"}

        def ask(params: Params) -> Awaitable[Result]:
            return forward(evolve(request, method="tools/list", params=params))

        return await self._walk(ask, meta)

    async def _walk(self, ask: Callable[[Params], Awaitable[Result]], meta: Params) -> Outcome:
        """List the tools with the wrapper's own requests, which carry this ``_meta``."""
        listing, tools = Listing(self.audience, self.changes), self._views.tools
        try:
            async for page in tool_pages(ask, {"_meta": meta} if meta else {}):
                tools.add_page(listing, page)
                tools.know_upstream(server_info_of(page))
        except UpstreamFailed as failed:
            return failed
        return self._finish(listing)
