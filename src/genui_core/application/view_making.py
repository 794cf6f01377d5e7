"""What the views of one wrapper are made with, and what a model may know of its tools."""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from genui_core.application.built_kit import built_prompts, view_configuration
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.tool import Tool, only_reads
from genui_core.domain.views.cache_key import ViewConfiguration
from genui_core.ports.clock import Clock, SystemClock
from genui_core.ports.event_log import EventLog
from genui_core.ports.identity import Identity
from genui_core.ports.view_kit import ViewKit

if TYPE_CHECKING:  # the generation worker's modules are loaded with the first generation
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


@define(kw_only=True)
class ViewMaking:
    """The collaborators that a `Wrapper` was given for making views; the defaults for the others.

    Attributes:
        settings: What the wrapper is told.
        llm: The model, or None.
        store: The store of the views; None keeps them in memory.
        histories: Stores refinements and earlier views beyond the process; None stores neither.
        lock: Lets one of several wrappers with one store make a view; None lets all make it.
        validator: Validates the views that models write; None validates in this process.
        prompts: The prompt templates; None uses the built-in ones.
        frozen: Views that were made before; None are none.
        clock: For budgets and ages.
        secrets: What no prompt may hold.
        when_first_shape: As `ShapeLearning` calls it.
    """

    settings: Settings
    llm: "LLMProvider | None" = None
    store: "ViewStore | None" = None
    histories: "ViewHistories | None" = None
    lock: "GenerationLock | None" = None
    validator: "ViewValidator | None" = None
    prompts: "PromptSet | None" = None
    frozen: "FrozenViews | None" = None
    clock: Clock = field(factory=SystemClock)
    secrets: Collection[str] = field(default=(), repr=False)
    when_first_shape: Callable[[str], None] = lambda _tool_name: None

    @cached_property
    def learning(self) -> "ShapeLearning":
        """What results look like that pass by."""
        from genui_core.application.shape_learning import ShapeLearning  # noqa: PLC0415 -- for models alone

        return ShapeLearning(
            self.settings.share_result_values, self.when_first_shape, is_deferred=self.llm is None
        )

    @property
    def makes_views(self) -> bool:
        """Whether a tool may have another view than the minimal UI without anybody handing it in."""
        return any(each is not None for each in (self.llm, self.store, self.histories, self.frozen))

    @property
    def shares_histories(self) -> bool:
        """Whether a tool's view may become another without anybody telling us."""
        return bool(getattr(self.histories, "is_shared", False))  # one may follow the port without naming it

    def configuration(self, kit: ViewKit) -> ViewConfiguration:
        """Return whatever besides a tool decides what its view looks like."""
        return view_configuration(self.settings, kit, self.prompts or built_prompts(), self.llm)

    def parts(
        self,
        configuration: ViewConfiguration,
        identity: Identity,
        event_log: EventLog,
        upstream_name: Callable[[], str],
        is_replaced: Callable[[Tool], bool],
    ) -> "GenerationParts":
        """Return what a generation worker is made of."""
        from genui_core.application.generation.in_process_validator import (  # noqa: PLC0415
            InProcessValidator,
            PageAwareValidator,
        )
        from genui_core.application.generation_parts import GenerationParts  # noqa: PLC0415
        from genui_core.application.memory_store import MemoryStore  # noqa: PLC0415
        from genui_core.domain.logging.redaction import ordered_secrets  # noqa: PLC0415
        from genui_core.ports.generation_lock import AlwaysGranted  # noqa: PLC0415

        return GenerationParts(
            llm=self.llm,
            learning=self.learning,
            store=self.store or MemoryStore(self.settings.cache, self.clock),
            histories=self.histories,
            upstream_name=upstream_name,
            is_replaced=is_replaced,
            lock=self.lock or AlwaysGranted(),
            validator=PageAwareValidator(self.validator or InProcessValidator(), self.settings),
            prompts=self.prompts or built_prompts(),
            configuration=configuration,
            settings=self.settings,
            frozen=self.frozen,
            clock=self.clock,
            identity=identity,
            event_log=event_log,
            secrets=ordered_secrets(self.secrets),
        )

    def facts(self, tool: Tool, tools: Iterable[Tool]) -> "Facts":
        """Return what a prompt may say about a tool, without its refinements.

        Args:
            tool: The tool.
            tools: All tools of the upstream.
        """
        from genui_core.domain.prompting.facts import Facts, related_tools  # noqa: PLC0415
        from genui_core.domain.settings.hints import Hints  # noqa: PLC0415

        shape = self.learning.shape(tool.name)
        hints = self.settings.hints.get(tool.name, Hints())
        shown = tuple(each for each in tools if each.is_callable_by_views)
        return Facts(
            tool=tool,
            hints=evolve(hints, theme=hints.theme or self.settings.default_theme),
            related=related_tools(tool, shown, shape),
            examples=(*self.settings.examples.get(tool.name, ()), *self.learning.values(tool.name)),
            learned_shape=shape,
            readers=frozenset(each.name for each in shown if only_reads(each)),
            others=shown,
        )
