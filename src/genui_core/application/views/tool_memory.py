"""The refinements and versions of each tool, and its stored and frozen views.

Stored and frozen views are validated again before they are served.
"""

from collections.abc import Collection

import anyio
from attrs import Factory, evolve, frozen

from genui_core.application.defaults import call_or_log
from genui_core.application.generation.present_view import PresentView, Version, present_view, validated_view
from genui_core.application.services import Services
from genui_core.application.upstream_tools import UpstreamTools
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.tools.classification import ViewState
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.exported_views import FrozenView, FrozenViews, stored_view
from genui_core.domain.views.stored_view import (
    Refinement,
    Refinements,
    RememberedView,
    StoredView,
    ViewHistory,
)
from genui_core.ports.event_log import Level
from genui_core.ports.view_histories import ViewHistories

MOST_VERSIONS = 50
"""How many versions of one tool are kept for a rollback."""


@frozen
class ToolMemory:
    """The refinements and versions of each tool, by its name. Used from one event loop.

    Args:
        services: Its ``histories`` outlive the process; their errors are logged, and count as no history.
        tools: Gives the upstream's name: one store may hold the histories of several upstreams.
    """

    _services: Services
    _tools: UpstreamTools
    _refinements: dict[str, Refinements] = Factory(dict)
    _versions: dict[str, list[Version]] = Factory(dict)
    _marks: dict[str, str | None] = Factory(dict)
    _recalling: anyio.Lock = Factory(anyio.Lock)

    def refinements(self, tool_name: str) -> Refinements:
        """Return the refinements of a tool's view so far."""
        return self._refinements.get(tool_name, self._limited(()))

    def _limited(self, refinements: tuple[Refinement, ...]) -> Refinements:
        return Refinements(refinements, self._services.settings.limits.max_refinement_history)

    def set_refinements(self, tool_name: str, refinements: Refinements) -> None:
        """Replace the refinements of a tool's view."""
        self._refinements[tool_name] = refinements

    def versions(self, tool_name: str) -> tuple[Version, ...]:
        """Return the remembered versions of a tool, oldest first."""
        return tuple(self._versions.get(tool_name, ()))

    def number_of(self, tool_name: str, view: PresentView | None) -> int | None:
        """Return the number of a view with the present refinements; None if it has no number."""
        refinements = self.refinements(tool_name)
        known = [each.number for each in self.versions(tool_name) if view and each.is_of(view, refinements)]
        return known[-1] if known else None

    def remember(self, tool_name: str, view: PresentView, occasion: str) -> None:
        """Add a view as a version, unless the tool had it with the same refinements or it is a fallback.

        A version that the tool already had gets the key under which the view is served now.
        """
        versions = self._versions.setdefault(tool_name, [])
        if view.state is ViewState.FALLBACK:
            return
        refinements = self.refinements(tool_name)
        known = [at for at, each in enumerate(versions) if each.is_of(view, refinements)]
        if known:
            versions[known[-1]] = evolve(versions[known[-1]], view=view)
            return
        number = versions[-1].number + 1 if versions else 1
        versions.append(Version(number=number, view=view, refinements=refinements, occasion=occasion))
        del versions[:-MOST_VERSIONS]

    async def recall(self, tool_name: str) -> PresentView | None:
        """Load a tool's history, if that has not been done or another wrapper has changed it since.

        Returns:
            The present view in that history; None without a new history.
        """
        histories = self._services.histories
        if histories is None:
            return None
        async with self._recalling:
            mark = await self._mark(histories, tool_name)
            if tool_name in self._marks and mark in (None, self._marks[tool_name]):
                return None
            self._marks[tool_name] = mark
            history = await self._load(histories, tool_name)
        if history is None:
            return None
        self._refinements[tool_name] = self._limited(history.refinements)
        self._versions[tool_name] = [
            Version(
                number=each.number,
                view=present_view(each.view),
                refinements=self._limited(each.refinements),
                occasion=each.occasion,
            )
            for each in history.views
        ]
        shown = next((each.view for each in history.views if each.number == history.present), None)
        return None if shown is None else present_view(shown)

    async def _mark(self, histories: ViewHistories, tool_name: str) -> str | None:
        if not self._services.shares_histories:
            return None
        upstream, event_log = self._tools.upstream_name, self._services.event_log
        return await call_or_log(event_log, "mark", lambda: histories.mark(tool_name, upstream), None)

    async def _load(self, histories: ViewHistories, tool_name: str) -> ViewHistory | None:
        upstream, event_log = self._tools.upstream_name, self._services.event_log
        return await call_or_log(event_log, "load", lambda: histories.load(tool_name, upstream), None)

    async def save(self, tool_name: str, present: PresentView | None) -> None:
        """Store a tool's history, if the wrapper stores histories."""
        histories = self._services.histories
        if histories is None:
            return
        views = [
            RememberedView(
                number=each.number, view=stored, refinements=each.refinements.all, occasion=each.occasion
            )
            for each in self.versions(tool_name)
            if (stored := each.view.stored) is not None
        ]
        history = ViewHistory(
            tool_name=tool_name,
            upstream_name=self._tools.upstream_name,
            refinements=self.refinements(tool_name).all,
            views=tuple(views),
            present=self.number_of(tool_name, present) or 0,
        )
        await call_or_log(self._services.event_log, "save", lambda: histories.save(history), otherwise=False)

    async def forget(self, tool: Tool) -> None:
        """Forget a removed tool; its stored history stays if it holds views for another definition."""
        self._refinements.pop(tool.name, None)
        self._versions.pop(tool.name, None)
        self._marks.pop(tool.name, None)  # a tool that comes back gets a history that stays
        histories, upstream = self._services.histories, self._tools.upstream_name
        history = None if histories is None else await self._load(histories, tool.name)
        if histories and history and all(each.view.is_made_for(tool.hash) for each in history.views):
            event_log = self._services.event_log
            await call_or_log(event_log, "drop", lambda: histories.drop(tool.name, upstream), None)


@frozen
class ValidatedStore:
    """Reads views from the store, validates them again if needed, and writes views.

    A stored view that may be older than this process is validated again. It is a miss if it fails: someone
    tampered with it, or the rules have changed. Documents are always validated again, because no store keeps
    how a document goes into its page.
    """

    _services: Services

    async def find(self, facts: Facts, key: str, had: Collection[str] = ()) -> PresentView | None:
        """Return the view under a key if it may be served for the tool and its source is not in ``had``."""
        stored = await self._services.store.get(key)
        if stored is None or stored.html in had or self.is_past(stored):
            return None
        return await self.revalidate(facts, present_view(stored))

    async def revalidate(self, facts: Facts, view: PresentView) -> PresentView | None:
        """Return a stored view, validated again if needed, or None if it must not be served."""
        stored = view.stored
        lacks_plan = view.is_document and view.plan is None
        if stored is None or not stored.html or not (lacks_plan or self._services.views_outlive_process):
            return view
        try:
            report = await self._services.validate(stored.html, view.mode, facts.callable_names)
        except Exception as error:  # noqa: BLE001 -- a view that was not validated is never served
            self._log_refusal(stored, [], repr(error))
            return None
        if report.is_valid:
            return validated_view(stored, report)
        self._log_refusal(stored, [each.rule for each in report.findings], "it breaks a validation rule")
        return None

    def _log_refusal(self, stored: StoredView, errors: list[str], reason: str) -> None:
        self._services.event_log.record(
            Level.WARN,
            "validator",
            "found_view_refused",
            tool_name=stored.tool_name,
            cache_key=stored.key,
            errors=errors,
            reason=reason,
        )

    async def keep(self, view: PresentView) -> None:
        """Write a finished view to the store, and log whether the store accepted it."""
        if view.stored is None:
            return
        began_ms = self._services.clock.monotonic_ms()
        kept = await self._services.store.set(view.stored)
        level, event = (Level.DEBUG, "set") if kept else (Level.INFO, "not_kept")
        taken_ms = self._services.clock.monotonic_ms() - began_ms
        self.log(level, event, view.stored.tool_name, view.key, view.stored.request_id, duration_ms=taken_ms)

    async def forget(self, tool: Tool) -> None:
        """Delete the stored views of a removed tool.

        Other wrappers may store views of tools with the same name: only views that were made for this
        definition are deleted.
        """
        kept = (view for view in await self._services.store.entries() if view.tool_name == tool.name)
        await self._services.store.discard([view.key for view in kept if view.is_made_for(tool.hash)])

    def is_past(self, stored: StoredView | None) -> bool:
        """Whether an entry has expired."""
        return stored is not None and stored.is_past(self._services.clock.now())

    def log(
        self, level: Level, event: str, tool_name: str, key: str, request_id: str, **more: object
    ) -> None:
        """Log what happened to a tool's view."""
        self._services.event_log.record(
            level, "cache", event, tool_name=tool_name, cache_key=key, request_id=request_id, **more
        )


@frozen
class ValidatedExport:
    """The frozen views of tools that have not changed since the export.

    A frozen view is validated again each time: someone else may have written the folder.
    """

    _services: Services
    views: FrozenViews

    def key(self, tool: Tool) -> str | None:
        """Return the key of a tool's frozen view, or None if there is none."""
        view = self.views.of(tool)
        return None if view is None else view.entry.cache_key

    async def view(self, facts: Facts, request_id: str) -> PresentView | None:
        """Return a tool's frozen view, the minimal view if it cannot be served, or None if there is none."""
        frozen_view = self.views.of(facts.tool)
        if frozen_view is None:
            known = facts.tool.name in self.views.by_tool
            other = "it was made for another definition of the tool"
            self._log_not_served(facts.tool, other if known else "the export has no view of it", request_id)
            return None
        state = ViewState.MINIMAL
        try:
            served = await self._view_or_reason(frozen_view, facts)
        except Exception as error:  # noqa: BLE001 -- a view that was not validated is never served
            served, state = f"the validator failed: {error!r}", ViewState.FALLBACK
        if not isinstance(served, str):
            return served
        self._log_not_served(facts.tool, served, request_id)
        reason = served if state is ViewState.FALLBACK else ""
        return PresentView(state=state, key=frozen_view.entry.cache_key, reason=reason)

    async def _view_or_reason(self, view: FrozenView, facts: Facts) -> PresentView | str:
        """Return a frozen view ready to serve, or the reason why it must not be served."""
        entry, configuration = view.entry, self._services.configuration
        if entry.source is None:
            return PresentView(state=ViewState.MINIMAL, key=entry.cache_key)
        if entry.kit_api_version != configuration.kit_api_version:
            return f"it was made for version {entry.kit_api_version} of the kit"
        if entry.template_version != configuration.template_version:
            return f"it was made for version {entry.template_version} of the page"
        report = await self._services.validate(view.source, entry.source.mode, facts.callable_names)
        if report.is_valid:
            return validated_view(stored_view(entry, entry.source, report.source), report)
        rules = ", ".join(dict.fromkeys(each.rule for each in report.findings))
        return f"it does not pass the checks of views: {rules}"

    def _log_not_served(self, tool: Tool, reason: str, request_id: str) -> None:
        self._services.event_log.record(
            Level.WARN,
            "wrapper",
            "frozen_view_not_served",
            tool_name=tool.name,
            request_id=request_id,
            reason=reason,
        )
