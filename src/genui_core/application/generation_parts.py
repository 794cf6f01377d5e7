"""What a generation worker is made of, before there is an event loop for it to live in."""

from collections.abc import Callable

from anyio.abc import TaskGroup
from attrs import evolve, field, frozen

from genui_core.application.generation.generation_worker import GenerationServices
from genui_core.application.generation.generator import Generator
from genui_core.application.generation.leases import GenerationLeases
from genui_core.application.generation.present_view import PresentView
from genui_core.application.generation.single_flight import SingleFlight
from genui_core.application.generation.tool_memory import ToolMemory, ToolStanding
from genui_core.application.generation.validated_store import Revalidation, ValidatedStore
from genui_core.application.generation.view_drafts import ViewDrafts
from genui_core.application.generation.view_editor import ViewEditor
from genui_core.application.generation.view_maker import FrozenMaker
from genui_core.application.generation.view_service import ViewService
from genui_core.application.generation.view_warming import ViewWarming
from genui_core.application.guarding import GuardedHistories, GuardedLock, GuardedStore
from genui_core.application.memory_store import MemoryStore
from genui_core.application.no_store import NoStore
from genui_core.application.shape_learning import ShapeLearning
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool
from genui_core.domain.views.cache_key import ViewConfiguration
from genui_core.domain.views.frozen_views import FrozenViews
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.generation_lock import GenerationLock
from genui_core.ports.identity import Identity
from genui_core.ports.llm_provider import LLMProvider
from genui_core.ports.view_histories import ViewHistories
from genui_core.ports.view_store import ViewStore
from genui_core.ports.view_validator import ViewValidator


@frozen(kw_only=True)
class GenerationParts:
    """The collaborators of one wrapper's generation worker.

    Attributes:
        llm: The model; None makes no views, and serves those that are stored or handed in.
        learning: The shapes of results so far, and the calls whose results will show one.
        store: The store of the views.
        histories: Stores refinements and earlier views beyond the process, or None.
        upstream_name: Returns the upstream's name, under which they are stored.
        is_replaced: Tells whether the upstream offers a tool by another definition now.
        lock: Lets one of several wrappers at a time make a view.
        validator: Validates the views that models write.
        prompts: The templates.
        configuration: What else decides about a view, for its key.
        settings: Budgets and switches.
        frozen: Views that were made before, or None.
        clock: For budgets and ages.
        identity: For nonces.
        event_log: Where its steps are noted.
        secrets: What no prompt may hold, as `ordered_secrets` returns it.
    """

    llm: LLMProvider | None
    learning: ShapeLearning
    store: ViewStore
    histories: ViewHistories | None
    upstream_name: Callable[[], str]
    is_replaced: Callable[[Tool], bool]
    lock: GenerationLock
    validator: ViewValidator
    prompts: PromptSet
    configuration: ViewConfiguration
    settings: Settings
    frozen: FrozenViews | None
    clock: Clock
    identity: Identity
    event_log: EventLog
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def with_provider(self, around: Callable[[LLMProvider], LLMProvider]) -> "GenerationParts":
        """Return the same parts with another provider around this one, if there is one."""
        return self if self.llm is None else evolve(self, llm=around(self.llm))

    def opened(self, tasks: TaskGroup, changed: Callable[[Tool, PresentView], None]) -> GenerationServices:
        """Return a generation worker that works in a task group.

        Args:
            tasks: What generations run in; it outlives every request.
            changed: Called with a tool and its view when that is another than was served before.
        """
        settings, generator = self.settings, self._generator(tasks)
        budget_ms = settings.generation.timeout_ms
        service = ViewService(
            generator=generator,
            stored=self._stored(),
            configuration=self.configuration,
            clock=self.clock,
            event_log=self.event_log,
            tasks=tasks,
            changed=changed,
            serve_within_ms=settings.generation.serve_within_ms,
            fallback_ttl_ms=settings.cache.fallback_ttl_ms,
            memory=ToolMemory(
                histories=self._guarded_histories(),
                upstream_name=self.upstream_name,
                most_refinements=settings.limits.max_refinement_history,
            ),
            standing=ToolStanding(is_replaced=self.is_replaced),
            leases=GenerationLeases(lock=self._guarded_lock(), clock=self.clock, patience_ms=budget_ms),
            frozen=self._frozen_maker(),
        )
        drafts = ViewDrafts(
            service,
            self.validator,
            self.prompts,
            settings.generation,
            settings.limits,
            self.identity,
            self.secrets,
        )
        warming = None
        if generator is not None:
            warming = ViewWarming(service, generator.slots, tasks, self.identity, self.event_log)
        return GenerationServices(service=service, editor=ViewEditor(service), drafts=drafts, warming=warming)

    def _guarded_histories(self) -> ViewHistories | None:
        return None if self.histories is None else GuardedHistories(self.histories, self.event_log)

    def _guarded_lock(self) -> GenerationLock:
        return GuardedLock(self.lock, self.event_log) if self.lock.is_shared else self.lock

    def _stored(self) -> ValidatedStore:
        store = GuardedStore(self.store, self.event_log)
        return ValidatedStore(
            store=store, clock=self.clock, event_log=self.event_log, revalidation=self._revalidation()
        )

    def _revalidation(self) -> Revalidation | None:
        """Views in memory were validated by this process; views that outlive it may meet newer rules."""
        if isinstance(self.store, (MemoryStore, NoStore)) and self.histories is None:
            return None
        strict = self.settings.generation.strict
        return Revalidation(
            validator=self.validator, strict=strict, identity=self.identity, event_log=self.event_log
        )

    def _frozen_maker(self) -> FrozenMaker | None:
        if self.frozen is None:
            return None
        return FrozenMaker(
            views=self.frozen,
            configuration=self.configuration,
            validator=self.validator,
            identity=self.identity,
            event_log=self.event_log,
            strict=self.settings.generation.strict,
        )

    def _generator(self, tasks: TaskGroup) -> Generator | None:
        if self.llm is None:
            return None
        preparations: SingleFlight[None] = SingleFlight(tasks)
        return Generator(
            provider=self.llm,
            secrets=self.secrets,
            shapes=self.learning,
            validator=self.validator,
            prepare_validator=lambda: preparations.keep("validator", self.validator.prepare),
            prompts=self.prompts,
            settings=self.settings.generation,
            limits=self.settings.limits,
            clock=self.clock,
            identity=self.identity,
            event_log=self.event_log,
        )

    async def close(self) -> None:
        """Finish what is being written, and give up connections."""
        await GuardedStore(self.store, self.event_log).close()
        if self.llm is not None:
            try:
                await self.llm.close()
            except Exception as error:  # noqa: BLE001 -- another package's provider may raise anything
                self.event_log.record(Level.WARN, "llm", "close_failed", reason=repr(error))
