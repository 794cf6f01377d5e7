"""Keeps the upstream connected: sends requests on the present connection, and opens the next one.

After a reconnect it restores subscriptions and the log level, and reports changes that hosts may have missed.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial

import anyio
from attrs import define, field, frozen

from genui_adapters.upstream.connection import Connection
from genui_adapters.upstream.link import AskDifferently, Backoff, NotTaken, Rejected
from genui_core.application.upstream_tools import tool_pages
from genui_core.domain.framing.verbatim import VerbatimParams
from genui_core.domain.logging.redaction import logged_error
from genui_core.domain.mcp.jsonrpc import HEADER_MISMATCH, Params, Result
from genui_core.domain.mcp.methods import CANCELLED, LISTEN, REPEATABLE, SUBSCRIBE, UNSUBSCRIBE, UpstreamState
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.errors import GenUiError, UpstreamDied, UpstreamFailed, UpstreamUnreachable
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.tool_source import HostChannel, SentRequest, ToolSource, UpstreamFacts

_FILTERS = {"tools": "toolsListChanged", "prompts": "promptsListChanged", "resources": "resourcesListChanged"}


@frozen(eq=False, repr=False)
class AgreedConnection:
    """A connection with an agreed protocol era.

    A stateless upstream (2026-07-28) sends notifications only on streams that ``subscriptions/listen``
    opens: one for all lists, one for each resource. Its headers repeat arguments.
    """

    connection: Connection
    facts: UpstreamFacts
    _settings: UpstreamSettings
    _scopes: dict[str, anyio.CancelScope] = field(factory=dict, init=False)

    def begin(self) -> None:
        """Start receiving the upstream's notifications, in the stateless era of each changeable list."""
        if not self.facts.stateless:
            self.connection.link.listen()
            return
        can = {key: each for key, each in self.facts.capabilities.items() if isinstance(each, Mapping)}
        wanted = {name: True for key, name in _FILTERS.items() if can.get(key, {}).get("listChanged") is True}
        if wanted:
            self.connection.tasks.start_soon(self._follow, wanted, anyio.CancelScope())

    async def request(
        self,
        method: str,
        params: Params | None,
        channel: HostChannel | None = None,
        timeout_ms: float | None = None,
    ) -> Result:
        """Return the upstream's answer; raises as `Connection.request`."""
        ask = partial(self.connection.request, method, params, channel, timeout_ms=timeout_ms)
        if not self.facts.stateless:
            return await ask()
        uri = (params or {}).get("uri")
        if method in (SUBSCRIBE, UNSUBSCRIBE) and isinstance(uri, str):  # this era has no such request
            self._subscribe(uri, wanted=method == SUBSCRIBE)
            return {}
        return await self._with_headers(method, ask)

    def _subscribe(self, uri: str, *, wanted: bool) -> None:
        if not wanted and uri in self._scopes:
            self._scopes.pop(uri).cancel()
        elif wanted and uri not in self._scopes:
            scope = self._scopes[uri] = anyio.CancelScope()
            self.connection.tasks.start_soon(self._follow, {"resourceSubscriptions": [uri]}, scope)

    async def _follow(self, wanted: Mapping[str, object], scope: anyio.CancelScope) -> None:
        """Keep a stream open until the connection is lost, the scope ends, or the upstream refuses it."""
        backoff = Backoff(self._settings)
        with scope:
            while self.connection.loss is None:
                backoff.begin()
                try:
                    await self.connection.request(LISTEN, {"notifications": wanted})
                except (UpstreamFailed, Rejected):
                    return
                except GenUiError:
                    pass  # the stream broke; if the connection is lost too, the loop ends
                await anyio.sleep(backoff.pause_s())

    async def _with_headers(self, method: str, ask: Callable[[], Awaitable[Result]]) -> Result:
        try:
            result = await ask()
        except UpstreamFailed as failed:
            if method != "tools/call" or failed.error.get("code") != HEADER_MISMATCH:
                raise
            # The upstream refused the call before it ran, since headers were missing: the listing names them.
            async for page in tool_pages(partial(self.connection.request, "tools/list"), {}):
                self.connection.stamp.mirrored.learn(page)
            return await ask()
        if method == "tools/list":
            self.connection.stamp.mirrored.learn(result)
        return result


_LISTS = ("tools", "resources", "prompts")


_SENT_BY_WRAPPER = frozenset({"notifications/initialized", CANCELLED})
"""Notifications about one connection or one request's id: the upstream gets the wrapper's own."""


@define(eq=False, repr=False)
class SupervisedSource(ToolSource):
    """The connections to an upstream, one after the other; requests go over the present one.

    Requests wait for the first connection while it is being made, and for a limited time for the next
    after a loss. If none is expected soon, they fail with the reason.

    Args:
        name: The upstream's name in the log.
        connect: Makes a connection; leaving closes it.
        max_wait_s: How long a request waits for the next connection.
        call_timeout_ms: How long a request waits for its answer, or None for no limit.
    """

    _name: str
    _connect: Callable[[], AbstractAsyncContextManager[AgreedConnection]]
    _max_wait_s: float
    _call_timeout_ms: int | None
    _event_log: EventLog
    _now: AgreedConnection | None = None
    _state: UpstreamState = field(factory=UpstreamState)
    _trouble: GenUiError | None = None
    _is_expected: bool = True
    _was_connected: bool = False
    _changed: anyio.Event = field(factory=anyio.Event)

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now."""
        return self._now is not None

    async def facts(self) -> UpstreamFacts:
        """Return the upstream's facts; wait while its connection is being made."""
        return (await self._present_connection()).facts

    async def request(self, method: str, params: Params | None, channel: HostChannel | None = None) -> Result:
        """Return the upstream's answer; send a request that was not taken, or is repeatable, once more."""
        result = await self._answer(method, params, channel)
        self._state.note(method, params or {})
        return result

    def send(
        self, method: str, params: VerbatimParams, channel: HostChannel, *, stateless: bool
    ) -> SentRequest | None:
        """Send a request at once, in its original text, if that is possible now."""
        agreed = self._now
        if agreed is None or agreed.facts.stateless != stateless or method in REPEATABLE:
            return None
        return agreed.connection.send(method, params, channel, self._call_timeout_ms)

    async def notify(self, method: str, params: Params | None) -> None:
        """Forward a notification from the host; drop it if there is no connection."""
        if self._now is not None and method not in _SENT_BY_WRAPPER:
            await self._now.connection.notify(method, params)

    async def _answer(self, method: str, params: Params | None, channel: HostChannel | None) -> Result:
        agreed = await self._present_connection()
        try:
            return await agreed.request(method, params, channel, self._call_timeout_ms)
        except NotTaken:
            pass
        except UpstreamDied:
            if method not in REPEATABLE:
                raise
            if agreed.connection.loss is None:  # only the response to this request broke
                with suppress(NotTaken):
                    return await agreed.request(method, params, channel, self._call_timeout_ms)
        agreed = await self._present_connection(instead_of=agreed)
        try:
            return await agreed.request(method, params, channel, self._call_timeout_ms)
        except NotTaken as lost:
            raise UpstreamUnreachable(lost.reason) from lost

    async def _present_connection(self, *, instead_of: AgreedConnection | None = None) -> AgreedConnection:
        """Return the connection, or the next if `instead_of` was lost, or raise the error that ended it."""
        with anyio.move_on_after(self._max_wait_s if self._was_connected else None):
            while True:
                present = self._now
                if present is not None and present is not instead_of and present.connection.loss is None:
                    return present
                if self._trouble is not None and not self._is_expected:
                    break
                await self._changed.wait()
        # Many requests raise the same error: without this, each would lengthen its traceback.
        raise (self._trouble or UpstreamUnreachable("it is being reconnected")).with_traceback(None)

    async def run(self, backoff: Backoff) -> None:
        """Keep a connection open until cancelled."""
        while True:
            backoff.begin()
            end = await self._one_connection()
            if isinstance(end, AskDifferently):
                continue
            pause_s = backoff.pause_s()
            self.withdraw(end, next_in_s=pause_s)
            await anyio.sleep(pause_s)

    def withdraw(self, trouble: GenUiError | None = None, *, next_in_s: float | None = 0) -> None:
        """Offer no connection, for a reason; the next attempt is in ``next_in_s``, or never (None)."""
        self._is_expected = self._was_connected and next_in_s is not None and next_in_s < self._max_wait_s
        self._set(None, trouble)

    async def _one_connection(self) -> GenUiError:
        """Make a connection and wait for its end; return why it ended, or why there was none."""
        agreed = None
        try:
            async with self._connect() as agreed:
                self._begin(agreed)
                await agreed.connection.lost()
                self.withdraw()
        except AskDifferently as hint:
            return hint
        except GenUiError as error:
            return self._log_end("upstream_unreachable", error)
        except Exception as error:  # noqa: BLE001 -- after any error, the upstream is tried again
            self._record(Level.ERROR, "fault", error=logged_error(error))
            if agreed is None:
                return self._log_end("upstream_unreachable", UpstreamUnreachable("an error in mcp-gen-ui"))
        return self._log_end("upstream_died", agreed.connection.loss or UpstreamUnreachable("it was lost"))

    def _begin(self, agreed: AgreedConnection) -> None:
        if self._was_connected:
            agreed.connection.tasks.start_soon(self._restore, agreed)
        event = "upstream_restarted" if self._was_connected else "upstream_connected"
        self._record(Level.INFO, event, version=agreed.facts.protocol_version)
        self._was_connected = True
        self._set(agreed)

    async def _restore(self, agreed: AgreedConnection) -> None:
        """Repeat subscriptions and log level on a new connection, and report all lists as changed."""
        for method, params in self._state.requests():
            with suppress(GenUiError):  # it worked before; if it fails now, the host will notice
                await agreed.request(method, params)
        for each in _LISTS:
            if each in agreed.facts.capabilities:
                agreed.connection.notices.put(f"notifications/{each}/list_changed", {})

    def _set(self, now: AgreedConnection | None, trouble: GenUiError | None = None) -> None:
        self._now, self._trouble = now, trouble
        self._changed.set()
        self._changed = anyio.Event()

    def _log_end(self, event: str, error: GenUiError) -> GenUiError:
        self._record(Level.ERROR, event, reason=str(error))
        return error

    def _record(self, level: Level, event: str, **metadata: object) -> None:
        self._event_log.record(level, "tool_proxy", event, upstream=self._name, **metadata)
