"""What results carry around their content in the stateless generation (2026-07-28), and nothing before it."""

from collections.abc import Mapping

_COMPLETE = {"resultType": "complete"}
_CACHEABLE = {**_COMPLETE, "ttlMs": 0, "cacheScope": "private"}


def call_fields(*, stateless: bool) -> Mapping[str, object]:
    """Return what a ``tools/call`` result carries."""
    return _COMPLETE if stateless else {}


def cacheable_fields(*, stateless: bool) -> Mapping[str, object]:
    """Return what a list or read result carries: a view may change at any time, so it is stale at once."""
    return _CACHEABLE if stateless else {}
