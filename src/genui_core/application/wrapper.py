"""The wrapper: one object that knows the upstream's tools and serves their UIs.

Every transport (stdio relay, HTTP, in process) calls the same few methods of this object and gets
plain values; the object owns no connection and imports no SDK.
"""

from collections.abc import Collection, Mapping
from functools import cached_property, partial
from json import loads
from typing import TYPE_CHECKING

from genui_core.application.built_kit import BuiltViewKit
from genui_core.application.listing_notes import note_hit, note_last_resort, note_listing
from genui_core.application.view_followers import ViewFollowers, ViewWatcher
from genui_core.application.view_making import ViewMaking
from genui_core.application.view_pages import ViewPages
from genui_core.application.wrapper_tools import WrapperTools
from genui_core.domain.pages.tool_look import ServerLook
from genui_core.domain.settings.brand import Brand
from genui_core.domain.settings.llm_settings import HOST
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.decoration import tool_meta
from genui_core.domain.tools.registry import Listing, Registry, ToolDiff
from genui_core.domain.tools.tool import Tool, is_tool, only_reads
from genui_core.domain.tools.ui_address import tool_name_of, ui_address
from genui_core.errors import InvalidAddress, UnknownTool
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.clock import Clock, SystemClock
from genui_core.ports.event_log import EventLog, SilentEventLog
from genui_core.ports.identity import Identity, RandomIdentity
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:  # the generation worker's modules are loaded with the first generation
    from collections.abc import Awaitable

    from genui_core.application.generation.generation_worker import GenerationServices, GenerationWorker, Work
    from genui_core.application.generation.present_view import PresentView
    from genui_core.application.generation.view_service import Report
    from genui_core.application.generation_parts import GenerationParts
    from genui_core.application.shape_learning import ShapeLearning
    from genui_core.domain.prompting.facts import Facts
    from genui_core.domain.prompting.prompt_set import PromptSet
    from genui_core.domain.views.frozen_views import FrozenViews
    from genui_core.ports.generation_lock import GenerationLock
    from genui_core.ports.llm_provider import LLMProvider
    from genui_core.ports.view_histories import ViewHistories
    from genui_core.ports.view_store import ViewStore
    from genui_core.ports.view_validator import ViewValidator


class Wrapper:
    """Gives the tools of one upstream their UIs.

    Not safe for use from two threads at once. ``Wrapper()`` with nothing given works.

    Attributes:
        worker: The interface to the generation worker, which a transport sets.

    Args:
        settings: The settings; by default those of SPEC §11.
        llm: The model that writes views; without one, every tool has its minimal UI.
        store: The store of the views; by default in memory.
        histories: Stores refinements and earlier views; by default they end with the process.
        lock: Lets one of several wrappers with one store make a view; by default all make it.
        validator: Validates the views that models write; by default in this process.
        prompts: The prompt templates; by default the built-in ones.
        frozen: Frozen views, for tools that have not changed since.
        event_log: Receives the log events.
        identity: Creates request ids and nonces.
        clock: The clock for time limits and ages.
        kit: Builds the pages; by default the built-in kit.
        secrets: Values that no prompt may hold, even if the upstream repeats them in its tools.
        brand: A team's own look for every view.
    """

    def __init__(
        self,
        *,
        settings: Settings | None = None,
        llm: "LLMProvider | None" = None,
        store: "ViewStore | None" = None,
        histories: "ViewHistories | None" = None,
        lock: "GenerationLock | None" = None,
        validator: "ViewValidator | None" = None,
        prompts: "PromptSet | None" = None,
        frozen: "FrozenViews | None" = None,
        event_log: EventLog | None = None,
        identity: Identity | None = None,
        clock: Clock | None = None,
        kit: ViewKit | None = None,
        secrets: Collection[str] = (),
        brand: Brand | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.event_log = event_log or SilentEventLog()
        self.identity = identity or RandomIdentity()
        self.clock: Clock = clock or SystemClock()
        self._making = ViewMaking(
            settings=self.settings,
            llm=llm,
            store=store,
            histories=histories,
            lock=lock,
            validator=validator,
            prompts=prompts,
            frozen=frozen,
            clock=self.clock,
            secrets=secrets,
            when_first_shape=self._decide_again,
        )
        self._kit = kit
        self._registry = Registry()
        self.worker: GenerationWorker | None = None
        self._look = ServerLook(brand=brand or Brand())
        self._followers = ViewFollowers()
        self._read_only: tuple[int, frozenset[str]] = (-1, frozenset())

    @property
    def upstream_name(self) -> str:
        """What the upstream calls itself; "" until it has said so. Histories are kept by it."""
        return self._look.name

    @cached_property
    def views(self) -> ViewPages:
        """What serves views. Made at the first question, so that starting costs nothing."""
        kit = self._kit or BuiltViewKit()
        configuration = self._making.configuration(kit)
        return ViewPages(
            settings=self.settings,
            kit=kit,
            configuration=configuration,
            fallen=partial(note_last_resort, self.event_log, self.identity),
            readers=self._readers,
            look=lambda: self._look,
        )

    def _readers(self) -> frozenset[str]:
        """Return the names of the tools that only read and that views may call: the same set until they change."""
        listed, known = self._read_only
        if listed != self._registry.completed:
            tools = self.active_tools.values()
            names = frozenset(each.name for each in tools if only_reads(each) and each.is_callable_by_views)
            known = known if names == known else names
            self._read_only = (self._registry.completed, known)
        return known

    @cached_property
    def generation_parts(self) -> "GenerationParts":
        """What views are made with."""
        return self._making.parts(
            self.views.configuration,
            self.identity,
            self.event_log,
            lambda: self.upstream_name,
            self._is_replaced,
        )

    @property
    def has_model(self) -> bool:
        """Whether there is a model to write views."""
        return self._making.llm is not None

    @property
    def asks_host(self) -> bool:
        """Whether that model is the host's own: then nothing is asked but for a person who opens a view."""
        return self._making.llm is not None and self._making.llm.name == HOST

    @cached_property
    def tools(self) -> WrapperTools:
        """The tools of the wrapper's own."""
        return WrapperTools(self)

    @property
    def knows_all_tools(self) -> bool:
        """Whether the upstream's tools were ever listed to the end."""
        return self._registry.is_complete

    @property
    def listing_number(self) -> int:
        """How often the upstream's tools were listed to the end."""
        return self._registry.completed

    @property
    def active_tools(self) -> Mapping[str, Tool]:
        """The tools the upstream offers, by name, in its order."""
        return self._registry.active

    def knows_tools_for(self, audience: str) -> bool:
        """Whether the tools that the upstream offers to an audience were ever listed to the end."""
        return self._registry.is_complete_for(audience)

    def forget_audience(self, audience: str) -> None:
        """Forget the tools of an audience that has no host any more."""
        self._registry.forget(audience)

    def add_notifier(self, notifier: ChangeNotifier) -> None:
        """Add a transport that gets a call whenever views change."""
        self._followers.notifiers.append(notifier)

    def remove_notifier(self, notifier: ChangeNotifier) -> None:
        """Remove a transport from the notifications."""
        self._followers.notifiers.remove(notifier)

    def watch_views(self, watcher: ViewWatcher) -> None:
        """Call a watcher in the transport's thread with each tool's view as soon as it is finished.

        Args:
            watcher: Called with the tool and its view; None is the minimal UI of a wrapper that makes no
                views, which is there when the tool is.
        """
        self._followers.watchers.append(watcher)

    def know_upstream(self, info: object) -> None:
        """Keep the name and icon that the upstream gives itself in its ``serverInfo``."""
        self._look = self._look.told(info)

    def begin_listing(self, audience: str = "") -> Listing:
        """Return an empty listing for the tools from the upstream; the caller adds the pages.

        Args:
            audience: To whom the upstream offers them, where it offers others to other hosts.
        """
        return self._registry.begin_listing(audience)

    def finish_listing(self, listing: Listing) -> ToolDiff:
        """Make a listing to which the last page was added the present one, and say what it changed.

        A listing that is not whole changes nothing.
        """
        if not listing.is_whole:
            return ToolDiff()
        first, new_audience = not self.knows_all_tools, not self.knows_tools_for(listing.audience)
        diff = listing.finish()
        self._forget(diff)
        self._prefetch({*diff.added, *diff.changed})
        if not self._making.makes_views and self._followers.watchers:
            present = (self._registry.find(name) for name in (*diff.added, *diff.changed))
            for tool in (each for each in present if each is not None and self.gives_ui(each)):
                self._followers.shown(tool, None)
        if first or not new_audience:
            note_listing(self.event_log, diff, self.tools.yielded_names() if first else None)
        if not new_audience and not diff.is_empty:
            self._followers.changed((*diff.changed, *diff.removed))
        return diff

    def tool(self, name: str) -> Tool:
        """Return the active tool of that name.

        Raises:
            UnknownTool: There is none; the error names the nearest.
        """
        found = self._registry.find(name)
        if found is None:
            from difflib import get_close_matches  # noqa: PLC0415 -- for this alone

            raise UnknownTool(name, tuple(get_close_matches(name, self._registry.active, n=3)))
        return found

    def gives_ui(self, tool: Tool) -> bool:
        """Whether a tool's UI is ours to serve: it is allowed one and brings none of its own."""
        return self.settings.gives_ui(tool.name) and not tool.brings_own_ui

    def address_of(self, definition: Mapping[str, object]) -> str | None:
        """Return the address to advertise for a listed tool, or None for one to be left as it is."""
        if not is_tool(definition):
            return None
        listed = Tool(definition)
        tool = self._registry.find(listed.name)
        if tool is None or listed.brings_own_ui or not self.gives_ui(tool):
            return None
        return self.views.address(tool)

    def tool_meta(self, definition: Mapping[str, object]) -> dict[str, object] | None:
        """Return what a listed tool gains in its ``_meta``, or None for one to be left as it is."""
        address = self.address_of(definition)
        return None if address is None else tool_meta(address)

    def result_meta(self, tool_name: object) -> dict[str, object] | None:
        """Return what the result of a call gains in its ``_meta`` where the setting wants that, else None."""
        tool = self._registry.find(tool_name) if isinstance(tool_name, str) else None
        if not self.settings.stamp_results or tool is None or not self.gives_ui(tool):
            return None
        return tool_meta(self.views.address(tool))

    def learning_from(self, tool_name: object) -> "ShapeLearning | None":
        """Return what is to see the result of a call, or None where that would tell nothing new."""
        if not isinstance(tool_name, str):
            return None
        tool, learning = self._registry.find(tool_name), self._making.learning
        return learning if tool is not None and learning.wants(tool_name) and self.gives_ui(tool) else None

    def resource_entries(self) -> list[dict[str, object]]:
        """Return the ``resources/list`` entries of all views, at their bare addresses."""
        shown = (tool for tool in self._registry.active.values() if self.gives_ui(tool))
        return [self.views.entry(tool) for tool in shown if not self._registry.brings(ui_address(tool.name))]

    def owns(self, uri: str) -> bool:
        """Whether a resource address is in the wrapper's own table; others are the upstream's."""
        name = _tool_name(uri)
        if name is None or self._registry.brings(uri):
            return False
        tool = self._registry.find(name) or self._registry.find_removed(name)
        return tool is not None and self.gives_ui(tool)

    def view_contents(self, uri: str) -> dict[str, object]:
        """Return the ``contents`` entry that answers a read of one of our addresses.

        Raises:
            ResourceNotFound: The tool was removed.
        """
        contents: dict[str, object] = loads(b"".join(self.read_view(uri)))
        return contents

    def read_view(self, uri: str) -> tuple[bytes, ...]:
        """Return the JSON text of the ``contents`` entry that answers a read of one of our addresses, in pieces.

        Raises:
            ResourceNotFound: The tool was removed.
        """
        name = tool_name_of(uri)
        return self.views.contents(uri, name, self._registry.find(name))

    def view_work(self, uri: str, request_id: str) -> "Work[PresentView] | None":
        """Return the work to run before the view at an address is served, or None if the view is ready."""
        tool = self._registry.find(tool_name_of(uri))
        if tool is None or not self._making.makes_views:
            return None
        shared = self._making.shares_histories
        if shared and not self.views.can_be_made(tool):
            return None
        if not (shared or self.views.wants_making(tool)):
            if self.views.can_be_made(tool):
                note_hit(self.event_log, tool, self.views.key(tool), request_id)
            return None
        facts, began_ms = self.facts(tool), self.clock.monotonic_ms()

        def read(services: "GenerationServices", report: "Report") -> "Awaitable[PresentView]":
            waited_ms = self.clock.monotonic_ms() - began_ms
            patience_ms = max(0, self.settings.generation.serve_within_ms - waited_ms)
            return services.service.read(facts, request_id, report, patience_ms / 1000)

        return read

    @property
    def serves_within_s(self) -> float | None:
        """How long a read may wait for the view worker; None where a host may be asked for its model."""
        return None if self.asks_host else self.settings.generation.serve_within_ms / 1000

    def show_provisional(self, uri: str) -> None:
        """Serve the minimal view of a tool as provisional, unless the tool has a finished view."""
        from genui_core.application.generation.present_view import PresentView  # noqa: PLC0415 -- rarely
        from genui_core.application.generation.view_state import ViewState  # noqa: PLC0415

        tool = self._registry.find(tool_name_of(uri))
        if tool is not None and self.views.wants_making(tool):
            self._show(tool, PresentView(state=ViewState.PROVISIONAL, key=self.views.key(tool)))

    def land_view(self, uri: str, view: "PresentView") -> None:
        """Serve a view whose reader was served the provisional one, and tell the hosts."""
        tool = self._registry.find(tool_name_of(uri))
        if tool is not None and view.is_finished:
            self.view_changed(tool, view)

    def show_view(self, uri: str, view: "PresentView") -> None:
        """Serve what the generation worker made of `view_work` for an address.

        A tool that has changed in the meantime keeps its view.
        """
        tool = self._registry.find(tool_name_of(uri))
        if tool is None or not self.views.can_be_made(tool):
            return
        if view.stored is None or view.stored.is_made_for(tool.hash):
            self._show(tool, view)

    def view_changed(self, tool: Tool, view: "PresentView") -> bool:
        """Serve another view of a tool from now on, and notify the transports; return whether it is served.

        A tool that has changed in the meantime keeps its view.
        """
        present = self._registry.find(tool.name)
        if present is None:
            self.views.forget(tool.name)  # who is offered it again is not to be served the view of before
            return False
        if self._is_replaced(tool):
            return False
        self._show(present, view)
        self._followers.changed((tool.name,))
        return True

    def _is_replaced(self, tool: Tool) -> bool:
        """Whether the upstream offers a tool by another definition now; the generation worker asks it in its thread.

        A tool that no host sees at the moment may come back unchanged.
        """
        present = self._registry.find(tool.name)
        if present is None or present is tool:
            return False
        return not self.views.can_be_made(present) or present.hash != tool.hash

    def _show(self, tool: Tool, view: "PresentView") -> None:
        self.views.show(tool, view)
        if view.is_finished:
            self._followers.shown(tool, view)

    def _decide_again(self, tool_name: str) -> None:
        """Have the kind of a minimal view decided again, now that the shape of a result is known."""
        tool = self._registry.find(tool_name)
        if tool is None or not self.has_model or not self.gives_ui(tool) or not self.views.is_minimal(tool):
            return
        if self.asks_host or self.worker is None:
            self.views.forget(tool_name)  # the next reader has it decided
            return
        from genui_core.application.unasked_work import decide_again  # noqa: PLC0415 -- once for a tool

        decide_again(self.worker, self.facts(tool), self.identity.request_id())

    def facts(self, tool: Tool) -> "Facts":
        """Return what a prompt may say about a tool, without its refinements."""
        return self._making.facts(tool, self.active_tools.values())

    def _forget(self, diff: ToolDiff) -> None:
        """Let go of views that are no longer their tools' (SPEC W11)."""
        for name in (*diff.removed, *diff.changed):
            self.views.forget(name)
            self._making.learning.forget(name)
        if diff.removed and self.worker is not None:
            from genui_core.application.unasked_work import forget  # noqa: PLC0415 -- rarely needed

            gone = [self._registry.find_removed(name) for name in diff.removed]
            forgotten = tuple(tool for tool in gone if tool is not None and self.views.can_be_made(tool))
            forget(self.worker, forgotten)

    def _prefetch(self, names: set[str]) -> None:
        """Make the views that no host has read yet, in the order of the tool list."""
        if not (names and self.settings.prefetch and self.has_model and self.worker is not None):
            return
        if self.asks_host:
            return
        from genui_core.application.unasked_work import warm  # noqa: PLC0415 -- where that is configured

        tools = tuple(self.active_tools.values())
        wanted = tuple(
            tool
            for tool in tools
            if tool.name in names and self.gives_ui(tool) and self.views.wants_making(tool)
        )
        warm(self.worker, wanted, partial(self._making.facts, tools=tools))


def _tool_name(uri: str) -> str | None:
    try:
        return tool_name_of(uri)
    except InvalidAddress:
        return None
