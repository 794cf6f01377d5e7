"""What a host and its upstream said of themselves, and how a restarted upstream is told it again."""

from collections.abc import Callable, Mapping

from genui_core.domain.mcp.envelope import (
    CLIENT_CAPABILITIES_KEY,
    AppsSetting,
    host_gets_apps,
    is_stateless,
    request_meta,
)
from genui_core.domain.mcp.jsonrpc import notification_line
from genui_core.domain.session.relay import Relay
from genui_core.records import define, field, frozen

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


@define(eq=False)
class Peers:
    """The capabilities of the host and of the upstream.

    Args:
        setting: ``host.apps``.
        see_meta: Called with the ``_meta`` of a stateless request, which the wrapper's requests repeat.

    Attributes:
        serves_apps: Whether a host that has shaken hands gets UIs.
        upstream_can: The upstream's capabilities, where it has told them.
        host_can: The capabilities of a host that has shaken hands.
    """

    _setting: AppsSetting
    _see_meta: Callable[[Params], None]
    serves_apps: bool = False
    upstream_can: Params | None = None
    host_can: object = None

    def __attrs_post_init__(self) -> None:
        """Begin with a host that has said nothing."""
        self.serves_apps = host_gets_apps(None, self._setting)

    def host_shook_hands(self, params: Params) -> None:
        """Store the host's capabilities from an ``initialize``."""
        self.host_can = params.get("capabilities")
        self.serves_apps = host_gets_apps(self.host_can, self._setting)

    def host_capabilities(self, params: Params) -> object:
        """Return what the host that sent a request says of itself."""
        return request_meta(params).get(CLIENT_CAPABILITIES_KEY) if is_stateless(params) else self.host_can

    def gets_apps(self, params: Params) -> bool:
        """Whether the host gets UIs; in the stateless era it says so with every request, in its ``_meta``."""
        if "_meta" not in params or not is_stateless(params):
            return self.serves_apps
        meta = request_meta(params)
        self._see_meta({key: value for key, value in meta.items() if key != "progressToken"})
        return host_gets_apps(meta.get(CLIENT_CAPABILITIES_KEY), self._setting)

    def upstream_told(self, capabilities: object) -> None:
        """Store the upstream's capabilities."""
        self.upstream_can = capabilities if isinstance(capabilities, Mapping) else {}

    def upstream_lacks(self, capability: str) -> bool:
        """Whether the upstream has said that it has no such capability."""
        return self.upstream_can is not None and capability not in self.upstream_can
