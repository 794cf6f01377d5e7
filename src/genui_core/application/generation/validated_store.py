"""Reads and writes the view store: validates what it reads, and logs what happens."""

from attrs import define

from genui_core.application.generation.present_view import PresentView, present_view
from genui_core.application.generation.revalidation import Revalidation
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.stored_view import StoredView
from genui_core.domain.tool import Tool
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.view_store import ViewStore


@define(kw_only=True)
class ValidatedStore:
    """Reads views from the store and writes them.

    Args:
        store: The store of the views.
        clock: For their age.
        event_log: Logs hits, misses and writes.
        revalidation: Validates views from a store that outlives the process; None for other stores.
    """

    store: ViewStore
    clock: Clock
    event_log: EventLog
    revalidation: Revalidation | None = None

    async def find(self, facts: Facts, key: str) -> PresentView | None:
        """Return the view under a key, if it may still be served for that tool."""
        stored = await self.store.get(key)
        if stored is None or self.is_past(stored):
            return None
        return await self.fit(facts, present_view(stored))

    async def fit(self, facts: Facts, view: PresentView) -> PresentView | None:
        """Return a stored view as it may be served, or None if it may not."""
        if self.revalidation is None or view.stored is None:
            return view
        passed = await self.revalidation.passes(facts, view.stored)
        return None if passed is None else present_view(passed)

    async def keep(self, view: PresentView) -> None:
        """Write a finished view to the store, and log whether the store accepted it."""
        if view.stored is None:
            return
        began_ms = self.clock.monotonic_ms()
        kept = await self.store.set(view.stored)
        level, event = (Level.DEBUG, "set") if kept else (Level.INFO, "not_kept")
        taken_ms = self.clock.monotonic_ms() - began_ms
        self.note(level, event, view.stored.tool_name, view.key, view.stored.request_id, duration_ms=taken_ms)

    async def forget(self, tool: Tool) -> None:
        """Forget the views of a tool that is gone.

        Others may keep views of tools by the same name where we do: only those that were made for
        this definition go.
        """
        kept = (view for view in await self.store.entries() if view.tool_name == tool.name)
        await self.store.discard([view.key for view in kept if view.is_made_for(tool.hash)])

    def is_past(self, stored: StoredView | None) -> bool:
        """Whether an entry has expired."""
        return stored is not None and stored.is_past(self.clock.now())

    def note(
        self, level: Level, event: str, tool_name: str, key: str, request_id: str, **more: object
    ) -> None:
        """Log what happened to a tool's view."""
        self.event_log.record(
            level, "cache", event, tool_name=tool_name, cache_key=key, request_id=request_id, **more
        )
