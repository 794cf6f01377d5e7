"""What the two peers of a connection have said of themselves."""

from collections.abc import Callable, Mapping

from attrs import define

from genui_core.domain.mcp.envelope import (
    CLIENT_CAPABILITIES_KEY,
    AppsSetting,
    host_gets_apps,
    is_stateless,
    request_meta,
)

Params = Mapping[str, object]


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
        """Whether the host gets UIs; the stateless generation says so with every request."""
        if not is_stateless(params):
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
