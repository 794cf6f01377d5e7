"""What a host has established with an upstream, and how another upstream is brought to the same point."""

from collections.abc import Callable, Mapping

from attrs import define, field, frozen

from genui_core.domain.mcp.jsonrpc import notification_line
from genui_core.domain.session.relay import Relay

Params = Mapping[str, object]

_MOST_SUBSCRIPTIONS = 1000


@define
class HostSession:
    """What the host of a handshake generation has told the upstream. A stateless host leaves it empty.

    Attributes:
        initialize: The params of the ``initialize`` that the upstream accepted last.
        is_initialized: Whether the host has confirmed it.
        log_level: The params of its last ``logging/setLevel``.
    """

    initialize: Params | None = None
    is_initialized: bool = False
    log_level: Params | None = None
    _subscriptions: dict[str, Params] = field(factory=dict)

    def begin(self, params: Params) -> None:
        """Store an ``initialize`` request that the upstream accepted."""
        self.initialize = params

    def begin_anew(self) -> None:
        """Forget everything: the host shakes hands again."""
        self.initialize = self.log_level = None
        self.is_initialized = False
        self._subscriptions.clear()

    @property
    def subscriptions(self) -> tuple[Params, ...]:
        """The params of the subscriptions that are open at the upstream."""
        return tuple(self._subscriptions.values())

    def subscribed(self, params: Params) -> None:
        """Store a subscription; only the newest thousand are kept."""
        uri = params.get("uri")
        if isinstance(uri, str):
            self._subscriptions[uri] = params
            if len(self._subscriptions) > _MOST_SUBSCRIPTIONS:
                del self._subscriptions[next(iter(self._subscriptions))]

    def unsubscribed(self, params: Params) -> None:
        """Remove a subscription."""
        uri = params.get("uri")
        if isinstance(uri, str):
            self._subscriptions.pop(uri, None)


@frozen
class Greeting:
    """Tells an upstream that was started again what the host told the one before it; the host hears nothing of it.

    Attributes:
        session: What the host has established.
        timeout_s: How long the handshake may take.
        succeed: Called with the upstream's result, an empty one where there was no handshake to repeat.
        fail: Called with the error where the upstream refuses the handshake, or does not answer.
    """

    _relay: Relay
    session: HostSession
    timeout_s: float
    succeed: Callable[[Mapping[str, object]], None]
    fail: Callable[[object], None]

    def begin(self) -> None:
        """Repeat the handshake, if there was one."""
        if self.session.initialize is None:
            self.succeed({})
        else:
            self._relay.greet("initialize", self.session.initialize, self._answered, self.timeout_s)

    def _answered(self, message: Mapping[str, object]) -> None:
        result = message.get("result")
        if not isinstance(result, Mapping):
            self.fail(message.get("error"))
            return
        if self.session.is_initialized:
            self._relay.say_to_upstream(notification_line("notifications/initialized"))
        if self.session.log_level is not None:
            self._repeat("logging/setLevel", self.session.log_level)
        for subscription in self.session.subscriptions:
            self._repeat("resources/subscribe", subscription)
        self.succeed(result)

    def _repeat(self, method: str, params: Params) -> None:
        self._relay.greet(method, params, lambda _answer: None, self.timeout_s)
