"""What results carry around their content in the stateless generation (2026-07-28), and nothing before it."""

from collections.abc import Mapping

SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

_CACHEABLE_METHODS = frozenset(
    [
        "prompts/list",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "server/discover",
        "tools/list",
    ]
)
_COMPLETE = {"resultType": "complete"}
_STALE_AT_ONCE = {"ttlMs": 0, "cacheScope": "private"}
_CACHEABLE = {**_COMPLETE, **_STALE_AT_ONCE}


def call_fields(*, stateless: bool) -> Mapping[str, object]:
    """Return what a ``tools/call`` result carries."""
    return _COMPLETE if stateless else {}


def cacheable_fields(*, stateless: bool) -> Mapping[str, object]:
    """Return what a list or read result carries: a view may change at any time, so it is stale at once."""
    return _CACHEABLE if stateless else {}


def list_hints(*, stateless: bool) -> Mapping[str, object]:
    """Return how long a host may cache a list with additions of the wrapper, and for whom.

    The upstream's own hints do not hold for it: the additions depend on the host, and change with a view.
    """
    return _STALE_AT_ONCE if stateless else {}


def as_stateless(
    method: str, result: Mapping[str, object], server_info: Mapping[str, object] | None = None
) -> dict[str, object]:
    """Return a result of the handshake generations as the stateless one has it.

    What the result says itself stays; of how long it may be kept nothing is known, so it is stale at once.

    Args:
        method: What was asked.
        result: The result.
        server_info: Who answers, which every result should say.
    """
    envelope = _CACHEABLE if method in _CACHEABLE_METHODS else _COMPLETE
    return with_server_info({**envelope, **result}, server_info)


def with_server_info(
    result: Mapping[str, object], server_info: Mapping[str, object] | None
) -> dict[str, object]:
    """Return a result of the stateless generation that says who answers, unless it does so already."""
    meta = result.get("_meta", {})
    if server_info is None or not isinstance(meta, Mapping) or SERVER_INFO_KEY in meta:
        return dict(result)
    return {**result, "_meta": {**meta, SERVER_INFO_KEY: server_info}}


def as_handshake(method: str, result: Mapping[str, object]) -> dict[str, object]:
    """Return a complete result of the stateless generation as the handshake ones have it."""
    envelope = _CACHEABLE if method in _CACHEABLE_METHODS else _COMPLETE
    return {key: value for key, value in result.items() if key not in envelope}


def server_info_of(result: Mapping[str, object]) -> object:
    """Return what a result says of the server it is from, in the words of either generation, or None."""
    meta = result.get("_meta")
    told = meta.get(SERVER_INFO_KEY) if isinstance(meta, Mapping) else None
    return result.get("serverInfo") if told is None else told


def needs_input(result: Mapping[str, object]) -> bool:
    """Whether a result of the stateless generation asks for more instead of answering."""
    return result.get("resultType") == "input_required"
