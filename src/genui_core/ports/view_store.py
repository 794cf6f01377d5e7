"""Where finished views are kept (SPEC §9)."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Final, Protocol

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
        context: What else is worth knowing: mode, kind of UI, fallback reason.
        findings: What the judge noted, as plain data.
        request_id: Of the request that caused it.
        expires_at: When it is to be forgotten, in ISO 8601, UTC; None for never.
        cache_version: Another than ours makes it unreadable, not wrong.
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
        return len(self.html.encode())


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


class ViewStore(Protocol):
    """Keeps views by key.

    Operations may run at the same time, in one event loop; where a store is shared, other
    processes may change it between any two. What cannot be read, is foreign or was damaged is a
    miss, set aside and told to the journal, never an error and never a wrong view. A store that
    cannot write says so in what it returns; it never raises for it.
    """

    @abstractmethod
    async def get(self, key: str) -> StoredView | None:
        """Return the view under a key, or None."""
        ...

    @abstractmethod
    async def set(self, view: StoredView) -> bool:
        """Keep a view under its key, in place of an older one; say whether it is kept.

        After True, the view survives whatever the store promises to survive. A view that is
        larger than the store takes is not kept.
        """
        ...

    @abstractmethod
    async def invalidate(self, tool_name: str) -> int:
        """Forget all views of a tool and return how many there were."""
        ...

    @abstractmethod
    async def clear(self) -> int:
        """Forget everything and return how many views there were."""
        ...

    @abstractmethod
    async def entries(self) -> tuple[StoredView, ...]:
        """Return all views that could be read now, the most recently used last."""
        ...

    @abstractmethod
    async def stats(self) -> StoreStats:
        """Return how the store is doing."""
        ...

    @abstractmethod
    async def close(self) -> None:
        """Finish what is being written. May be called again."""
        ...
