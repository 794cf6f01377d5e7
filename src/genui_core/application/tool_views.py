"""One upstream's tools and their views, as a transport serves them.

Every transport (stdio, HTTP, in-process) calls the same methods of a `ToolViews` and gets plain values.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from genui_core.application.pages.view_pages import ViewPages
from genui_core.application.services import Services, built_document
from genui_core.application.upstream_tools import Listing, ToolDiff, UpstreamTools
from genui_core.domain.mcp.envelope import AppsSetting
from genui_core.domain.mcp.results import tool_meta
from genui_core.domain.tools.tool import Tool, is_tool, ui_address
from genui_core.domain.tools.wrapper_tools import DOCUMENTS, published
from genui_core.errors import GenUiError, ResourceNotFound
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.event_log import Level

if TYPE_CHECKING:
    from genui_core.application.generation.present_view import PresentView
    from genui_core.application.generation.shape_learning import ShapeLearning
    from genui_core.application.views.view_service import Report
    from genui_core.application.worker.generation_worker import GenerationWorker, Work, WorkerParts
    from genui_core.domain.prompting.prompts import Facts


ViewWatcher = Callable[[ViewPages, Tool, "PresentView | None"], None]
"""Called with the pages, a tool and its finished view; None: minimal, as no other view is ever made."""


class ToolViews:
    """The tools of one upstream, each with its present view.

    Not safe for use from two threads at once, except where a method says so.

    Args:
        notifiers: The transports to notify whenever views change.
        watchers: Called with each finished view.
        worker_for: Returns the generation worker for these views.
    """

    def __init__(
        self,
        services: Services,
        notifiers: Sequence[ChangeNotifier],
        watchers: Sequence[ViewWatcher],
        worker_for: "Callable[[ToolViews], GenerationWorker]",
    ) -> None:
        self.services = services
        self.settings = services.settings
        self.event_log = services.event_log
        self.identity = services.identity
        self._notifiers = notifiers
        self._watchers = watchers
        self.tools = UpstreamTools(services.settings, services.brand)
        self.worker = worker_for(self)

    @cached_property
    def pages(self) -> ViewPages:
        """The page cache, created when a tool is first listed to keep the start fast."""
        return ViewPages(self.services, self.tools)

    @cached_property
    def shapes(self) -> "ShapeLearning":
        """The shapes learned from results so far, and the calls that are under way."""
        from genui_core.application.generation.shape_learning import ShapeLearning  # noqa: PLC0415 -- only models need it

        keeps_values, is_deferred = self.settings.share_result_values, self.services.llm is None
        return ShapeLearning(keeps_values, self._decide_again, is_deferred=is_deferred)

    @property
    def own_tools(self) -> dict[str, dict[str, object]]:
        """The definitions of the wrapper's own tools, by the names that hosts see."""
        return published(self.tools.active_tools, live=self.settings.live == "auto")

    @property
    def has_model(self) -> bool:
        """Whether there is a model to write views."""
        return self.services.llm is not None

    def knows_tools_for(self, audience: str) -> bool:
        """Whether the tools that the upstream offers to an audience were ever listed completely."""
        return self.tools.knows_tools_for(audience)

    def finish_listing(
        self, listing: Listing, *, shows_views: bool = True, notifies_hosts: bool = True
    ) -> ToolDiff:
        """Make a listing with all its pages the present one, and return what it changed.

        A listing that is not whole changes nothing. If ``shows_views`` is false, no view is made in advance.
        A transport that notifies its host of the changes itself passes False for the last argument.
        """
        if not listing.is_whole:
            return ToolDiff()
        first, new_audience = not self.tools.knows_all_tools, not self.tools.knows_tools_for(listing.audience)
        diff = self.tools.finish(listing)
        self._forget(diff)
        if shows_views:
            self._prefetch({*diff.added, *diff.changed})
        if self._watchers and not self.services.makes_views:
            for tool in filter(None, map(self._tool_with_view, (*diff.added, *diff.changed))):
                self._call_watchers(tool, None)
        if first or not new_audience:
            self.tools.log_listing(self.event_log, diff, is_first=first)
        if notifies_hosts and not new_audience and not diff.is_empty:
            self._notify_hosts(*diff.changed, *diff.removed)
        return diff

    def _notify_hosts(self, *tool_names: str) -> None:
        for notifier in self._notifiers:
            notifier.views_changed(tool_names)

    def _call_watchers(self, tool: Tool, view: "PresentView | None") -> None:
        for watcher in self._watchers:
            watcher(self.pages, tool, view)

    def address_of(self, definition: object) -> str | None:
        """Return the view's address to advertise for a listed tool, or None if the entry stays as it is."""
        if not is_tool(definition):
            return None
        listed = Tool(definition)
        tool = self._tool_with_view(listed.name)
        return None if tool is None or listed.own_ui is not None else self.pages.address(tool)

    def ties(self, listed: Sequence[object]) -> dict[int, dict[str, object]]:
        """Return the ``_meta`` that ties each listed tool to its view, by index in the list."""
        addresses = enumerate(map(self.address_of, listed))
        return {at: {"_meta": tool_meta(address)} for at, address in addresses if address is not None}

    @cached_property
    def embeds_views(self) -> bool:
        """Whether results embed their view: for all hosts, since it serves those without MCP Apps."""
        return self.settings.embed_results and self.settings.apps is not AppsSetting.NEVER

    @cached_property
    def edits_results(self) -> bool:
        """Whether the wrapper adds anything to the results of calls."""
        return self.settings.stamp_results or self.embeds_views

    def _tool_with_view(self, tool_name: object) -> Tool | None:
        tool = self.tools.find(tool_name) if isinstance(tool_name, str) else None
        return tool if tool is not None and self.tools.gives_ui(tool) else None

    def result_meta(self, tool_name: object) -> dict[str, object] | None:
        """Return the ``_meta`` to add to the result of a call, or None if the settings do not want it."""
        tool = self._tool_with_view(tool_name) if self.settings.stamp_results else None
        return None if tool is None else tool_meta(self.pages.address(tool))

    def embedded_view(
        self, tool_name: object, arguments: object, result: Mapping[str, object]
    ) -> dict[str, object] | None:
        """Return the content item with the view to add to a result, or None if there is none to add."""
        tool = self._tool_with_view(tool_name) if self.embeds_views else None
        if tool is None or result.get("isError") or not isinstance(result.get("content"), list):
            return None
        from genui_core.application.augmentation import embedded_ui  # noqa: PLC0415 -- rarely needed

        data, now = {"toolInput": arguments or {}, "toolOutput": dict(result)}, self.services.clock.now()
        item = embedded_ui(tool.name, self.pages.embedded(tool), data, int(now.timestamp() * 1000))
        return {**item, "annotations": {"audience": ["user"]}}  # the page is not for the model

    def learning_from(self, tool_name: object) -> "ShapeLearning | None":
        """Return the shape learning that must see a call's result, or None if it can learn nothing new."""
        tool = self._tool_with_view(tool_name)
        return self.shapes if tool is not None and self.shapes.wants(tool.name) else None

    def edits_call(self, tool_name: object) -> bool:
        """Whether the wrapper may answer a call itself, or add something to its result."""
        return isinstance(tool_name, str) and (tool_name.startswith("_ui_") or self.edits_results)

    def passes_call(self, tool_name: object) -> bool:
        """Whether a call is only forwarded: the wrapper neither edits its result nor learns from it."""
        return not self.edits_call(tool_name) and self.learning_from(tool_name) is None

    def resource_entries(self) -> list[dict[str, object]]:
        """Return the ``resources/list`` entries of all views, at their bare addresses."""
        active, brings = self.tools.active_tools.values(), self.tools.brings
        shown = (tool for tool in active if self.tools.gives_ui(tool) and not brings(ui_address(tool.name)))
        return list(map(self.pages.entry, shown))

    def read_view(self, uri: str, tool_name: str) -> tuple[bytes, ...]:
        """Return an address's ``contents`` entry as pieces of JSON; `ResourceNotFound` if the tool is gone."""
        if uri in DOCUMENTS:
            return (built_document(uri, self.services.prompts),)
        tool = self.tools.find(tool_name)
        if tool is None:
            raise ResourceNotFound(ui_address(tool_name), tool_name)
        return self.pages.contents(uri, tool)

    def is_ready(self, tool_name: str, request_id: str) -> bool:
        """Whether a tool's view can be served without work; a view that was made is logged as a hit."""
        tool, pages, services = self.tools.makeable(tool_name), self.pages, self.services
        if tool is None or not services.makes_views:
            return True
        shared = services.shares_histories or (pages.is_minimal(tool) and services.views_outlive_process)
        if shared or pages.wants_making(tool):
            return False
        about = {"cache_key": pages.present_key(tool), "request_id": request_id}
        self.event_log.record(Level.DEBUG, "cache", "hit", tool_name=tool.name, **about)
        return True

    def view_work(self, name: str, request_id: str, timeout_s: float | None = None) -> "Work[PresentView]":
        """Return the work that makes a tool's view, or after a time the provisional one."""
        facts = self.facts(self.tools.tool(name))
        return lambda parts, report: parts.service.read(facts, request_id, report, timeout_s)

    def show_provisional(self, tool_name: str) -> None:
        """Serve the minimal view of a tool as provisional, unless the tool has a finished view."""
        from genui_core.application.generation.present_view import PresentView  # noqa: PLC0415 -- rarely needed
        from genui_core.domain.tools.classification import ViewState  # noqa: PLC0415

        tool = self.tools.find(tool_name)
        if tool is not None and self.pages.wants_making(tool):
            self._show(tool, PresentView(state=ViewState.PROVISIONAL, key=self.pages.present_key(tool)))

    def show_view(self, tool_name: str, view: "PresentView", *, is_late: bool = False) -> None:
        """Serve the view that the generation worker returned from `view_work`.

        A view is late if its reader already got the provisional one: hosts are notified if it is finished.
        A tool that has changed in the meantime keeps its view.
        """
        tool = self.tools.makeable(tool_name)
        if tool is None or (is_late and not view.is_finished):
            return
        if view.stored is None or view.stored.is_made_for(tool.hash):
            self._show(tool, view)
            if is_late:
                self._notify_hosts(tool.name)

    def view_changed(self, tool: Tool, view: "PresentView") -> None:
        """Serve another view of a tool from now on, and notify the transports.

        A tool that has changed in the meantime keeps its view.
        """
        present = self.tools.find(tool.name)
        if present is None:
            self.pages.forget(tool.name)  # a host that is offered it again must not get the old view
        elif not self.tools.is_replaced(tool):
            self._show(present, view)
            self._notify_hosts(tool.name)

    def _show(self, tool: Tool, view: "PresentView") -> None:
        self.tools.changes += 1
        self.pages.show(tool, view)
        if view.is_finished:
            self._call_watchers(tool, view)

    def call_begins(self, tool_name: str) -> None:
        """Make the view of a called tool, which the host will read next; do not ask the host's own model."""
        tool = self.tools.find(tool_name)
        if tool is not None and not self.services.asks_host and self.pages.wants_making(tool):
            self._begin(tool)

    def _decide_again(self, tool_name: str) -> None:
        """Decide the kind of a minimal view again, now that the shape of a result is known."""
        tool = self._tool_with_view(tool_name)
        if tool is None or not self.pages.is_minimal(tool):
            return
        if self.services.asks_host:
            self.tools.changes += 1
            self.pages.forget(tool_name)  # the next read decides
        else:
            self._begin(tool)

    def _begin(self, tool: Tool) -> None:
        """Make a tool's view if it has none, or decide its kind again by the shape that is known now."""
        if not self.has_model:
            return
        request_id = self.identity.request_id()

        async def make(parts: "WorkerParts", _report: "Report") -> "PresentView":
            return await parts.service.read(self.facts(tool), request_id, timeout_s=inf)

        def show(made: "PresentView | GenUiError") -> None:
            if not isinstance(made, GenUiError):
                self.show_view(tool.name, made)

        self.worker.run(make, show, lambda _words: None)

    def facts(self, tool: Tool) -> "Facts":
        """Return the facts about a tool for a prompt, without its refinements. Callable from any thread."""
        from genui_core.application.generation.shape_learning import facts_of  # noqa: PLC0415 -- only models need it

        return facts_of(tool, self.tools.reading, self.settings, self.shapes)

    def _forget(self, diff: ToolDiff) -> None:
        """Drop the views of removed and changed tools (requirement W11)."""
        for name in (*diff.removed, *diff.changed):
            self.pages.forget(name)
            self.shapes.forget(name)
        removed = filter(None, map(self.tools.find_removed, diff.removed))
        gone = tuple(tool for tool in removed if tool.has_hash)

        async def forget(parts: "WorkerParts", _report: "Report") -> None:
            for tool in gone:
                parts.warming.drop(tool.name)
                await parts.service.forget(tool)

        if diff.removed:
            self._run_in_background(forget)

    def _prefetch(self, names: set[str]) -> None:
        """Make the missing views of these tools in advance, in the order of the tool list."""
        if not (names and self.settings.prefetch and self.has_model) or self.services.asks_host:
            return
        tools = self.tools.active_tools.values()
        listed = (tool for tool in tools if tool.name in names and self.tools.gives_ui(tool))
        wanted = tuple(filter(self.pages.wants_making, listed))

        async def warm(parts: "WorkerParts", _report: "Report") -> None:
            parts.warming.warm(wanted, self.facts)

        self._run_in_background(warm)

    def _run_in_background(self, work: "Work[None]") -> None:
        """Run work that no request waits for."""
        self.worker.run(work, lambda _result: None, lambda _words: None)
