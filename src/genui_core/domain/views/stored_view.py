"""Stored views, their cache keys, their refinements and their earlier versions.

The same inputs give the same key on any machine (requirement C1).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Final

from attrs import Factory, asdict, evolve, frozen

from genui_core.domain.mcp.json_text import canonical_bytes
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.settings import Limits
from genui_core.domain.tools.tool import Tool

_PER_TOOL = ("ui_type", "hints", "examples")


def refinement_hash(feedback: Sequence[str]) -> str:
    """Return SHA-256, in hex, over the refinements in their order."""
    return sha256(canonical_bytes(list(feedback))).hexdigest()


NO_REFINEMENTS = refinement_hash(())


@frozen(slots=False)
class ViewConfiguration:
    """Everything besides a tool and its refinements that decides what a model writes for the tool."""

    prompt_set_id: str
    prompt_set_version: str
    prompt_set_hash: str
    kit_api_version: int
    template_version: str
    provider: str = "none"
    model: str | None = None
    temperature: float | None = None
    mode: str = "fragment"
    theme: str = "light"
    ui_type: Mapping[str, str] = {}
    hints: Mapping[str, object] = {}
    examples: Mapping[str, object] = {}
    limits: Limits = Factory(Limits)

    @cached_property
    def _shared_hash(self) -> str:
        shared = asdict(self, filter=lambda attribute, _: attribute.name not in _PER_TOOL)
        return sha256(canonical_bytes(shared)).hexdigest()

    def hash_for(self, tool_name: str) -> str:
        """Return SHA-256, in hex, over the configuration that applies to a tool."""
        own = {each: getattr(self, each)[tool_name] for each in _PER_TOOL if tool_name in getattr(self, each)}
        return sha256(canonical_bytes([self._shared_hash, own])).hexdigest()

    def cache_key(self, tool: Tool, refinements: str = NO_REFINEMENTS) -> str:
        """Return the key under which a tool's view is stored: 64 hex digits."""
        parts = {
            "toolName": tool.name,
            "toolHash": tool.hash,
            "refinementHash": refinements,
            "configurationHash": self.hash_for(tool.name),
        }
        return sha256(canonical_bytes(parts)).hexdigest()


@frozen(kw_only=True)
class Refinement:
    """One refinement.

    Attributes:
        timestamp: When the person asked for it, in ISO 8601, UTC.
        feedback: The text of the person's request.
        generation_hash_before: The cache key of the view that it changes.
    """

    timestamp: str
    feedback: str
    generation_hash_before: str

    def as_data(self) -> Mapping[str, object]:
        """Return the refinement as `_ui_inspect` lists it (requirement T3)."""
        return {
            "timestamp": self.timestamp,
            "feedback": self.feedback,
            "generationHashBefore": self.generation_hash_before,
        }


@frozen
class Refinements:
    """All refinements of one tool; immutable. The newest ones go into prompts and keys, all are stored.

    Attributes:
        all: The refinements, oldest first.
        most: ``limits.maxRefinementHistory``: how many of the newest go into prompts and keys.
    """

    all: tuple[Refinement, ...] = ()
    most: int = 5

    @property
    def feedback(self) -> tuple[str, ...]:
        """The texts of the newest refinements, oldest first."""
        return tuple(each.feedback for each in self.all[-self.most :])

    @property
    def hash(self) -> str:
        """The hash of the newest refinements, which goes into the cache key."""
        return refinement_hash(self.feedback)

    def with_one_more(self, feedback: str, *, at: datetime, key_before: str) -> "Refinements":
        """Return the refinements with a new one at the end."""
        refinement = Refinement(
            timestamp=at.isoformat(timespec="milliseconds"),
            feedback=feedback,
            generation_hash_before=key_before,
        )
        return evolve(self, all=(*self.all, refinement))


CACHE_VERSION: Final = 1
"""The version of the store's format, raised when older stored views must not be read any more."""


@frozen(kw_only=True)
class StoredView:
    """A finished view, as a model wrote it after repair: without runtime, kit and shell.

    Attributes:
        key: The cache key: 64 hex digits.
        tool_name: The name of the tool.
        html: The source, or "" for a tool whose view is the minimal view.
        generated_at: When the generation finished, in ISO 8601, UTC.
        generation_duration_ms: How long the generation took.
        llm_model: The model that wrote it, or None.
        prompt_version: The version of the prompt set.
        template_version: The version of the page around the view.
        context: More facts about the view; `stored_outcome` writes them.
        findings: The validator's findings, as plain data.
        request_id: The id of the request that started the generation.
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
        """Whether the view was made for the tool definition with this hash."""
        return self.context.get("toolHash") == tool_hash

    def is_past(self, now: datetime, ttl: timedelta | None = None) -> bool:
        """Whether the view has expired.

        Args:
            now: The present time, in UTC.
            ttl: The longest time that a view is stored; None for ever.
        """
        if self.expires_at is not None and datetime.fromisoformat(self.expires_at) <= now:
            return True
        return ttl is not None and datetime.fromisoformat(self.generated_at) + ttl <= now


def fits(view: StoredView, bounds: CacheSettings) -> bool:
    """Whether a view is small enough for a store with these bounds."""
    return view.size_bytes <= min(bounds.max_entry_size_bytes, bounds.max_total_size_bytes)


@frozen(kw_only=True)
class StoreStats:
    """The entries and bytes in a store, and its hits and misses since it was opened."""

    entries: int
    hits: int
    misses: int
    total_size_bytes: int

    @property
    def hit_rate(self) -> float:
        """The share of reads that found something; 0 before the first."""
        asked = self.hits + self.misses
        return self.hits / asked if asked else 0.0


@frozen(kw_only=True)
class RememberedView:
    """One version in a tool's history.

    Attributes:
        number: The version's number, from 1 in the order of generation.
        refinements: The refinements that the view contains, oldest first.
    """

    number: int
    view: StoredView
    refinements: tuple[Refinement, ...] = ()
    occasion: str = ""


@frozen(kw_only=True)
class ViewHistory:
    """The stored refinements and versions of one tool.

    Attributes:
        upstream_name: The name of the tool's server; empty if unknown.
        present: The number of the version that hosts get.
    """

    tool_name: str
    upstream_name: str = ""
    refinements: tuple[Refinement, ...] = ()
    views: tuple[RememberedView, ...] = ()
    present: int = 0

    def is_of(self, tool_name: str, upstream_name: str) -> bool:
        """Whether this is the history of that tool at that upstream."""
        return (self.tool_name, self.upstream_name) == (tool_name, upstream_name)
