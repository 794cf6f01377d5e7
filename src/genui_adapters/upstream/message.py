"""JSON-RPC messages of an upstream as plain values, with the wrapper's own progress tokens.

Hosts that share a connection may use the same progress tokens, so the wrapper replaces each token.
"""

from collections.abc import Collection, Mapping

from attrs import field, frozen

from genui_adapters.io.loop_upstream import log_noise
from genui_core.domain.framing.lines import peek
from genui_core.domain.mcp.envelope import (
    CLIENT_CAPABILITIES_KEY,
    CLIENT_INFO_KEY,
    LOG_LEVEL_KEY,
    PROTOCOL_VERSION_KEY,
    is_stateless_version,
    request_meta,
)
from genui_core.domain.mcp.json_text import as_object, parse
from genui_core.domain.mcp.jsonrpc import (
    APPLICATION_ERROR,
    INTERNAL_ERROR,
    PARSE_DEPTH_ERRORS,
    Params,
    failure_message,
)
from genui_core.domain.mcp.request_checks import NAMED_BY, MirroredParams, header_value
from genui_core.errors import UpstreamFailed
from genui_core.ports.event_log import EventLog
from genui_core.ports.tool_source import HostFacts

Message = Mapping[str, object]
PROGRESS_KEY = "progressToken"
_MAX_DIGITS = 15


def messages_in(data: bytes, event_log: EventLog, upstream: str) -> list[Message]:
    """Return the message in a JSON text, or those of a batch (2025-03-26); log any other data.

    An answer that cannot be read becomes an error, so that its request does not wait for ever.
    """
    try:
        return _decoded(data)
    except PARSE_DEPTH_ERRORS as reason:
        log_noise(event_log, upstream, data)
        seen, text = peek(data), f"The upstream's answer cannot be read: {reason}"
        answered = own_id(seen.request_id) if seen is not None and seen.kind == "answer" else 0
        return [failure_message(answered, INTERNAL_ERROR, text)] if answered else []


def _decoded(data: bytes) -> list[Message]:
    value = parse(data)
    messages = value if isinstance(value, list) else [value]
    if not messages or not all(map(_is_message, messages)):
        raise ValueError("it is no JSON-RPC message")
    return list(messages)


def too_long(max_bytes: int) -> UpstreamFailed:
    """Return the error for an answer that is longer than the limit."""
    text = f"The upstream's answer is longer than {max_bytes} bytes (upstream.maxLineBytes)."
    return UpstreamFailed({"code": APPLICATION_ERROR, "message": text})


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and value.get("jsonrpc") == "2.0" and ("method" in value or "id" in value)


def params_of(message: Message) -> Params:
    """Return the params of a message, empty where it has none."""
    return as_object(message.get("params"))


def token_of(params: Params | None) -> object:
    """Return the token the host gave with a request, or None."""
    return request_meta(params).get(PROGRESS_KEY)


def with_token(params: Params | None, token: int) -> Params | None:
    """Return the params with the wrapper's token in place of the original, or unchanged without one."""
    meta = request_meta(params)
    if params is None or meta.get(PROGRESS_KEY) is None:
        return params
    return {**params, "_meta": {**meta, PROGRESS_KEY: token}}


def own_id(value: object) -> int:
    """Return the wrapper's request id, or 0 if it is none; some servers write ``"7"`` for ``7``."""
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS else 0
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def without_meta(params: Params, keys: Collection[str]) -> Params:
    """Return the params without these keys of ``_meta``, and without a ``_meta`` that becomes empty.

    Params without any of the keys are returned as they are.
    """
    meta = request_meta(params)
    if meta.keys().isdisjoint(keys):
        return params
    kept = {key: value for key, value in meta.items() if key not in keys}
    rest = {key: value for key, value in params.items() if key != "_meta"}
    return {**rest, "_meta": kept} if kept else rest


_ENVELOPE_KEYS = (PROTOCOL_VERSION_KEY, CLIENT_INFO_KEY, CLIENT_CAPABILITIES_KEY, LOG_LEVEL_KEY)


@frozen
class Stamp:
    """Gives requests the envelope and the headers of the agreed protocol era.

    Attributes:
        version: The agreed version, or None before there is one.
        mirrored: The arguments of tools that HTTP headers repeat (2026-07-28).
    """

    host: HostFacts
    version: str | None = None
    mirrored: MirroredParams = field(factory=MirroredParams)

    @property
    def stateless(self) -> bool:
        """Whether each request describes its host."""
        return is_stateless_version(self.version)

    def params(self, params: Params | None) -> Params | None:
        """Return the params for the upstream; the same object if they need no change."""
        if self.stateless:
            meta = request_meta(params)
            return {**(params or {}), "_meta": {**meta, **self._envelope(meta)}}
        return without_meta(params, _ENVELOPE_KEYS) if params is not None and "_meta" in params else params

    def notification_params(self, params: Params | None) -> Params | None:
        """Return a notification's params for the upstream; the wrapper adds no envelope in any era."""
        return params if params is None or self.stateless else without_meta(params, _ENVELOPE_KEYS)

    def headers(self, method: str, params: Params | None) -> Mapping[str, str]:
        """Return the HTTP headers of a request."""
        if self.version is None:
            return {}
        headers = {"mcp-protocol-version": self.version}
        if not self.stateless:
            return headers
        headers["mcp-method"] = method
        name = (params or {}).get(NAMED_BY.get(method, ""))
        if isinstance(name, str):
            headers["mcp-name"] = header_value(name)
        if method == "tools/call":
            headers |= self.mirrored.headers(params or {})
        return headers

    def _envelope(self, meta: Params) -> Params:
        """Return the envelope of a request: the host's own values first, and always the agreed version."""
        said = {CLIENT_INFO_KEY: self.host.info, CLIENT_CAPABILITIES_KEY: self.host.capabilities, **meta}
        envelope = {key: said[key] for key in (CLIENT_INFO_KEY, CLIENT_CAPABILITIES_KEY)}
        return {PROTOCOL_VERSION_KEY: self.version, **envelope}
