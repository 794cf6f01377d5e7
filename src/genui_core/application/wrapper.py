"""The wrapper: a program creates one and passes it to a transport."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from genui_core.application.services import RandomIdentity, Services, SilentEventLog, SystemClock
from genui_core.application.tool_views import ToolViews, ViewWatcher
from genui_core.domain.settings.brand import Brand
from genui_core.domain.settings.settings import Settings
from genui_core.ports.change_notifier import ChangeNotifier
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog
from genui_core.ports.identity import Identity
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:  # the generation worker's modules are loaded with the first generation
    from collections.abc import Callable

    from genui_core.application.worker.generation_worker import GenerationWorker
    from genui_core.domain.prompting.prompt_set import PromptSet
    from genui_core.domain.views.exported_views import FrozenViews
    from genui_core.ports.generation_lock import GenerationLock
    from genui_core.ports.llm_provider import LLMProvider
    from genui_core.ports.view_histories import ViewHistories
    from genui_core.ports.view_store import ViewStore
    from genui_core.ports.view_validator import ViewValidator

__all__ = ["Wrapper"]


class Wrapper:
    """The wrapper around one upstream: it gives each tool a view.

    Not safe for use from two threads at once. Every argument has a default.

    Args:
        settings: The settings; by default each has its default value.
        llm: The model that writes views; without one, every tool has its minimal view.
        store: The store of the views; by default in memory.
        histories: Stores refinements and earlier views; without it they are lost when the process ends.
        lock: Lets only one of several wrappers with the same store make a view; without it each makes it.
        validator: Validates the views that models write; by default in this process.
        prompts: The prompt templates; by default the built-in ones.
        frozen: Frozen views, for tools that have not changed since the export.
        event_log: Receives the log events.
        identity: Creates request ids and nonces.
        clock: The clock for time limits and ages.
        kit: The view kit of the pages; by default the built-in one.
        secrets: Values that no prompt may contain, even if the upstream's tool definitions do.
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
        self._services = Services(
            settings=settings or Settings(),
            llm=llm,
            store=store,
            histories=histories,
            lock=lock,
            validator=validator,
            prompts=prompts,
            frozen=frozen,
            event_log=event_log or SilentEventLog(),
            identity=identity or RandomIdentity(),
            clock=clock or SystemClock(),
            kit=kit,
            secrets=secrets,
            brand=brand or Brand(),
        )
        self._notifiers: list[ChangeNotifier] = []
        self._watchers: list[ViewWatcher] = []

    @property
    def settings(self) -> Settings:
        """The settings."""
        return self._services.settings

    @property
    def event_log(self) -> EventLog:
        """The event log."""
        return self._services.event_log

    def add_notifier(self, notifier: ChangeNotifier) -> None:
        """Notify this transport whenever views change."""
        self._notifiers.append(notifier)

    def remove_notifier(self, notifier: ChangeNotifier) -> None:
        """Stop notifying this transport."""
        self._notifiers.remove(notifier)

    def watch_views(self, watcher: ViewWatcher) -> None:
        """Call a watcher in the transport's thread with each tool's view as soon as it is finished.

        Args:
            watcher: Called with the pages, the tool and its view; None stands for the minimal view if the
                wrapper makes no other views.
        """
        self._watchers.append(watcher)

    def open(self, worker_for: "Callable[[ToolViews], GenerationWorker] | None" = None) -> ToolViews:
        """Return the tools and views that one transport serves.

        Args:
            worker_for: Returns the generation worker for these views; without it, no view is made.
        """
        return ToolViews(self._services, self._notifiers, self._watchers, worker_for or _no_worker)


def _no_worker(_views: ToolViews) -> "GenerationWorker":
    from genui_core.application.worker.generation_worker import NoWorker  # noqa: PLC0415 -- rarely needed

    return NoWorker()
