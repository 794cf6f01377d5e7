"""Restarts an upstream that died, and restores the state that the host expects it to have.

The core starts no process: a driver carries out the decisions of this module (requirement W8).
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from attrs import define, field

from genui_core.application.tool_views import ToolViews
from genui_core.domain.mcp.jsonrpc import Params, notification_line, outcome_of, rpc_error
from genui_core.domain.mcp.methods import UpstreamState
from genui_core.domain.session.exchange import Link
from genui_core.domain.session.relay import Relay
from genui_core.domain.settings.upstream_settings import PATIENCE_S, STABLE_AFTER_S, Restarts
from genui_core.errors import GenUiError, UpstreamDied, UpstreamFailed, UpstreamTimeout, UpstreamUnreachable
from genui_core.ports.event_log import Level


class StdioSession:
    """The session of a stdio host: what it sent about itself, and what it set at the upstream.

    Attributes:
        is_stateful: Whether it sent ``initialize``, and so gets notifications outside of streams.
        handshake: The params of the last ``initialize``; empty where there was none.
        initialize: The same params, after the upstream accepted them.
        meta: The ``_meta`` of the last stateless request, which the wrapper's own requests repeat; empty in
            the legacy era.
        upstream_state: What the host has set at the upstream.
    """

    def __init__(self) -> None:
        self.meta: Params = {}
        self.begin({})
        self.is_stateful = False

    def begin(self, handshake: Params) -> None:
        """Begin a new handshake, and forget everything from before it."""
        self.handshake = handshake
        self.is_stateful = True
        self.initialize: Params | None = None
        self.is_initialized = False
        self.upstream_state = UpstreamState()


_ANSWERED_AT_ONCE = frozenset(("initialize", "server/discover", "tools/list", "resources/list"))


class UpstreamControl(Protocol):
    """The commands to a driver. None of them blocks."""

    def start_upstream(self) -> None:
        """Start the upstream; then call `Supervision.started` or `Supervision.cannot_start`."""

    def stop_upstream(self) -> None:
        """Stop what is left of the upstream and its child processes; then call `Supervision.gone`."""

    def finish(self) -> None:
        """Write all pending output, and end the connection."""


@define(eq=False, repr=False)
class Supervision:
    """Supervises one upstream: decides when it is restarted, and when the connection ends.

    An upstream that dies before its first answer is not restarted: its command is probably wrong, and the
    host shows the reason when the wrapper exits. There is one exception: an upstream may die of
    ``server/discover``, which an older server does not know; the host will then try an older handshake.

    Attributes:
        failure: Why the upstream never got ready; None otherwise.
    """

    _views: ToolViews
    _relay: Relay
    _session: StdioSession
    _lost: Callable[[], None]
    _back: Callable[[Mapping[str, object]], None]
    failure: GenUiError | None = None
    _control: UpstreamControl | None = None
    _upstream: str = ""
    _restarts: Restarts = field(init=False)
    _life: int = 1
    _is_timed: bool = False
    _how_it_ended: str = ""
    _exit_code: int | None = None
    _log_id: str = ""

    @_restarts.default
    def _(self) -> Restarts:
        return Restarts(self._views.settings.upstream)

    def attach_driver(self, control: UpstreamControl, upstream: str) -> None:
        """Let a driver carry out decisions from now on; it has started the upstream of that name."""
        self._control = control
        self._upstream = upstream

    # --- called by the driver -----------------------------------------------------------

    def ended(self, *, host_left: bool = False) -> None:
        """Handle the end of output from the upstream. May be called twice for one process."""
        self._end(UpstreamDied(), "upstream_died", host_left=host_left)

    def gone(self, exit_code: int) -> None:
        """Handle the exit of the upstream process."""
        self._exit_code = exit_code
        how = f"was ended by signal {-exit_code}" if exit_code < 0 else f"stopped with exit code {exit_code}"
        self._how_it_ended = f"it {how}"
        self._plan_start()

    def started(self) -> None:
        """Handle a successful restart of the upstream."""
        self._life += 1
        self._is_timed = False
        self._link.open()
        if self._session.initialize is None:
            self._ready({})
        else:
            restore = partial(self._restore_state, self._life)
            self._relay.ask_at_once("initialize", self._session.initialize, restore, self._start_timeout_s)

    def cannot_start(self, reason: str) -> None:
        """Handle a restart that failed."""
        self._record(Level.ERROR, "upstream_not_started", reason=reason)
        self._how_it_ended = reason
        self._plan_start()

    # --- called by the relay ------------------------------------------------------------

    def first_word(self) -> None:
        """Handle the first line of the upstream since its start."""
        life = self._life

        def confirm() -> None:
            if self._life == life and self._link.is_open:
                self._restarts.was_stable()

        self._relay.later(STABLE_AFTER_S, confirm)

    def expect_first_line(self, method: str) -> None:
        """Start the timeout for the upstream's first answer if any server answers this method at once."""
        if self._is_timed or not self._link.is_open or method not in _ANSWERED_AT_ONCE:
            return
        self._is_timed = True
        life = self._life

        def check() -> None:
            if self._life == life and self._link.is_open and not self._link.has_spoken:
                late = UpstreamTimeout(method, self._views.settings.upstream.start_timeout_ms)
                self._end(late, "upstream_not_ready")

        self._relay.later(self._start_timeout_s, check)

    # --- deaths and starts --------------------------------------------------------------

    def _end(self, error: GenUiError, event: str, *, host_left: bool = False) -> None:
        if self._control is None or not (self._link.is_open or host_left):
            return
        if self._died_of_probe:
            self._restarts.was_stable()
        self._log_id = self._views.identity.request_id()
        may_come_back = not host_left and (
            self._relay.exchange.in_flight.ever_answered or self._died_of_probe
        )
        if not host_left:
            self._record(Level.ERROR, event, request_id=self._log_id, reason=str(error))
        self._relay.upstream_closed(rpc_error(error, request_id=self._log_id))
        self._lost()
        if may_come_back:
            self._refuse("it has stopped and is started again", is_expected=True)
            self._control.stop_upstream()
        else:
            self.failure = None if isinstance(error, UpstreamDied) else error
            self._link.refuse_waiting()
            self._control.finish()

    @property
    def _died_of_probe(self) -> bool:
        """Whether the upstream answered nothing and got only ``server/discover``, unknown to older servers."""
        in_flight = self._relay.exchange.in_flight
        return not in_flight.ever_answered and in_flight.methods == {"server/discover"}

    def _plan_start(self) -> None:
        delay_s = self._restarts.died()
        self._record(
            Level.INFO, "upstream_restart_planned", reason=self._how_it_ended, delay_ms=round(delay_s * 1000)
        )
        when = f"in {delay_s:g} s" if delay_s else "now"
        self._refuse(f"{self._how_it_ended}; it is started again {when}", is_expected=delay_s < PATIENCE_S)
        self._relay.later(delay_s, self._start)

    def _refuse(self, why: str, *, is_expected: bool) -> None:
        error = rpc_error(UpstreamUnreachable(why), request_id=self._log_id)
        self._link.lose(error, is_expected=is_expected)

    def _start(self) -> None:
        if self._control is not None:
            self._refuse(f"{self._how_it_ended}; it is being started again", is_expected=True)
            self._control.start_upstream()

    def _restore_state(self, life: int, answer: Mapping[str, object]) -> None:
        """Repeat the host's handshake and settings to a restarted upstream, unseen by the host."""
        outcome = outcome_of(answer, UpstreamFailed)
        if not isinstance(outcome, UpstreamFailed):
            if self._session.is_initialized:
                self._relay.exchange.to_upstream.say(notification_line("notifications/initialized"))
            for method, params in self._session.upstream_state.requests():
                self._relay.ask_at_once(method, params, lambda _answer: None, self._start_timeout_s)
            self._ready(outcome)
        elif self._life == life:
            self._end(outcome, "upstream_not_ready")

    def _ready(self, result: Mapping[str, object]) -> None:
        self._record(Level.WARN, "upstream_restarted", exit_code=self._exit_code, count=self._restarts.count)
        self._link.set_up()
        self._back(result)

    def _record(self, level: Level, event: str, **metadata: object) -> None:
        self._views.event_log.record(level, "relay", event, upstream=self._upstream, **metadata)

    @property
    def _link(self) -> Link:
        return self._relay.exchange.link

    @property
    def _start_timeout_s(self) -> float:
        return self._views.settings.upstream.start_timeout_ms / 1000
