"""What each request to an upstream carries: the host's `_meta`, and the headers that repeat it."""

from collections.abc import Collection, Mapping

from attrs import field, frozen

from genui_core.domain.mcp.envelope import (
    CLIENT_CAPABILITIES_KEY,
    PROTOCOL_VERSION_KEY,
    is_stateless_version,
    request_meta,
)
from genui_core.domain.mcp.request_checks import MirroredParams, header_value
from genui_core.ports.tool_source import HostFacts, Params

CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"


def without_meta(params: Params, keys: Collection[str]) -> Params:
    """Return the params without these keys of their ``_meta``, and without one that is empty then.

    Params that have none of them are returned as they are.
    """
    meta = request_meta(params)
    if not any(key in meta for key in keys):
        return params
    kept = {key: value for key, value in meta.items() if key not in keys}
    rest = {key: value for key, value in params.items() if key != "_meta"}
    return {**rest, "_meta": kept} if kept else rest


_ENVELOPE_KEYS = (PROTOCOL_VERSION_KEY, CLIENT_INFO_KEY, CLIENT_CAPABILITIES_KEY, LOG_LEVEL_KEY)
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


@frozen
class Stamp:
    """Dresses requests in the generation that was agreed on.

    Attributes:
        host: Who asks.
        version: The agreed version, or None before there is one.
        mirrored: Which arguments of which tool an HTTP header repeats (2026-07-28).
    """

    host: HostFacts
    version: str | None = None
    mirrored: MirroredParams = field(factory=MirroredParams)

    @property
    def stateless(self) -> bool:
        """Whether requests say for themselves who asks."""
        return is_stateless_version(self.version)

    def params(self, params: Params | None) -> Params | None:
        """Return the params for the upstream; the same object if they need no change."""
        meta = request_meta(params)
        if self.stateless:
            return {**(params or {}), "_meta": {**meta, **self._envelope(meta)}}
        return without_meta(params, _ENVELOPE_KEYS) if params is not None else None

    def notification_params(self, params: Params | None) -> Params | None:
        """Return a notification's params as the upstream is sent them; it carries no envelope in any generation."""
        return params if params is None or self.stateless else without_meta(params, _ENVELOPE_KEYS)

    def headers(self, method: str, params: Params | None) -> Mapping[str, str]:
        """Return the HTTP headers of a request."""
        if self.version is None:
            return {}
        headers = {"mcp-protocol-version": self.version}
        if not self.stateless:
            return headers
        headers["mcp-method"] = method
        name = (params or {}).get(_NAMED_BY.get(method, ""))
        if isinstance(name, str):
            headers["mcp-name"] = header_value(name)
        if method == "tools/call":
            headers |= self.mirrored.headers(params or {})
        return headers

    def _envelope(self, meta: Params) -> Params:
        """What every request says, where the host has not said it itself; the version is the agreed one."""
        said = {CLIENT_INFO_KEY: self.host.info, CLIENT_CAPABILITIES_KEY: self.host.capabilities, **meta}
        envelope = {key: said[key] for key in (CLIENT_INFO_KEY, CLIENT_CAPABILITIES_KEY)}
        return {PROTOCOL_VERSION_KEY: self.version, **envelope}
