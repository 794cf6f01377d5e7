"""A finished view as stores keep it (SPEC §9)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from attrs import Factory, frozen

CACHE_VERSION: Final = 1
"""Raised when stored views of old must not be read any more."""


@frozen(kw_only=True)
class StoredView:
    """A finished view, as a model wrote it after repair: without runtime, kit and shell.

    Attributes:
        key: The cache key: 64 hex digits.
        tool_name: The tool it belongs to.
        html: The source, or "" for a tool whose view is the minimal UI.
        generated_at: When it was finished, in ISO 8601, UTC.
        generation_duration_ms: How long that took.
        llm_model: The model that wrote it, or None.
        prompt_version: Of the set of prompts.
        template_version: Of the page around it.
        context: What else is worth knowing: the tool's hash, mode, kind of UI, fallback reason.
        findings: The validator's findings, as plain data.
        request_id: The id of the request that caused it.
        expires_at: When it expires, in ISO 8601, UTC; None for never.
        cache_version: The version of the format; a view of another version is ignored.
    """

    key: str
    tool_name: str
    html: str
    generated_at: str
    generation_duration_ms: int
    prompt_version: str
    template_version: str
    request_id: str
    llm_model: str | None = None
    context: Mapping[str, object] = Factory(dict)
    findings: tuple[Mapping[str, object], ...] = ()
    expires_at: str | None = None
    cache_version: int = CACHE_VERSION

    @property
    def size_bytes(self) -> int:
        """The size of the source in UTF-8."""
        return len(self.html.encode(errors="surrogatepass"))

    def is_made_for(self, tool_hash: str) -> bool:
        """Whether it was made for the definition of a tool that has this hash."""
        return self.context.get("toolHash") == tool_hash

    def is_past(self, now: datetime, ttl: timedelta | None = None) -> bool:
        """Whether it has expired.

        Args:
            now: In UTC.
            ttl: How long a view is kept at most; None for ever.
        """
        if self.expires_at is not None and datetime.fromisoformat(self.expires_at) <= now:
            return True
        return ttl is not None and datetime.fromisoformat(self.generated_at) + ttl <= now


@frozen(kw_only=True)
class StoreStats:
    """How a store is doing since it was opened."""

    entries: int
    hits: int
    misses: int
    total_size_bytes: int

    @property
    def hit_rate(self) -> float:
        """The share of reads that found something; 0 before the first."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0
