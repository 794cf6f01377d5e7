"""Drives one generation: asks the model, validates the answer, keeps to the time limit (SPEC §4)."""

from collections.abc import Callable
from typing import Protocol

import anyio
from attrs import Factory, evolve, field, frozen

from genui_core.application.generation.generation_run import GenerationRun
from genui_core.application.generation.generation_slots import GenerationSlots
from genui_core.domain.classification import UiType
from genui_core.domain.generation import Outcome
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.settings import GenerationSettings, Limits
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity
from genui_core.ports.llm_provider import LLMProvider
from genui_core.ports.view_validator import ViewValidator

MAX_SHAPE_WAIT_MS = 300
"""How long a generation waits for the result of a call that is under way when it starts."""
_LOOK_EVERY_S = 0.01


@frozen(kw_only=True)
class Assignment:
    """One view to be made.

    Attributes:
        facts: What the model may know of the tool.
        ui_type: What is already known of the kind of view.
        source: The present view, if the newest refinement must change it; else "".
        request_id: Of the request that caused it.
        waited_ms: How much of its budget went by before it could begin.
    """

    facts: Facts
    request_id: str
    waited_ms: int = 0
    ui_type: UiType = UiType.UNDETERMINED
    source: str = ""


class ShapeSource(Protocol):
    """Knows the shapes of results. Used from the thread that makes views; never waits."""

    def latest(self, facts: Facts) -> Facts:
        """Return the facts with the shape of results, if one was learned since they were gathered."""
        ...

    def is_under_way(self, tool_name: str) -> bool:
        """Whether a call of this tool is under way, or its result is being looked at."""
        ...


def _slots(generator: "Generator") -> GenerationSlots:
    return GenerationSlots(generator.settings.max_concurrent)


@frozen(kw_only=True)
class Generator:
    """Makes views, one call of `generate` at a time or many at once.

    Args:
        provider: The model.
        validator: Validates its answers.
        prompts: The templates.
        settings: Budgets and switches.
        limits: The bounds of prompts.
        clock: For the budget.
        identity: For nonces.
        event_log: Where its steps are noted.
        secrets: What no prompt may hold, as `ordered_secrets` returns it.
        shapes: Returns the shapes of results and which calls are pending; None if shapes are not learned.
        prepare_validator: Called when a model starts to write, so that the validator can start its process.
        slots: How many generations may be under way at once; the others wait in their order, and
            their budgets run.
    """

    provider: LLMProvider
    validator: ViewValidator
    prompts: PromptSet
    settings: GenerationSettings
    limits: Limits
    clock: Clock
    identity: Identity
    event_log: EventLog
    secrets: tuple[str, ...] = field(default=(), repr=False)
    shapes: ShapeSource | None = None
    prepare_validator: Callable[[], None] = lambda: None
    slots: GenerationSlots = field(default=Factory(_slots, takes_self=True))

    async def generate(
        self, assignment: Assignment, report: Callable[[str], None] = lambda _words: None
    ) -> Outcome:
        """Return the view, or the minimal UI and why.

        It never raises but for being cancelled, and then the model's connection ends at once.
        """
        run = GenerationRun(self, assignment, report)
        started_ms = self.clock.monotonic_ms()
        self.note(Level.INFO, "ui_generator", "generation_started", assignment)
        try:
            outcome = await run.outcome()
        except BaseException:
            taken = self.clock.monotonic_ms() - started_ms
            self.note(Level.INFO, "ui_generator", "generation_cancelled", assignment, duration_ms=taken)
            raise
        taken = self.clock.monotonic_ms() - started_ms
        self.note(
            Level.INFO,
            "ui_generator",
            "generation_completed",
            assignment,
            duration_ms=taken,
            outcome="fallback" if outcome.failure else "generated" if outcome.source else "minimal",
            ui_type=str(outcome.ui_type),
            model=outcome.model,
            input_tokens=outcome.input_tokens,
            output_tokens=outcome.output_tokens,
            repairs=list(outcome.repairs),
        )
        return outcome

    def latest(self, facts: Facts) -> Facts:
        """Return the facts with the shape of results, if one was learned since they were gathered."""
        return facts if self.shapes is None else self.shapes.latest(facts)

    async def with_shape(self, assignment: Assignment) -> Assignment:
        """Return the task with the shape of results. A call that is under way is waited for; the budget runs."""
        shapes, name, began_ms = self.shapes, assignment.facts.tool.name, self.clock.monotonic_ms()
        facts, waited_ms = self.latest(assignment.facts), 0
        while (
            shapes is not None
            and facts.learned_shape is None
            and waited_ms < min(MAX_SHAPE_WAIT_MS, self.settings.timeout_ms - assignment.waited_ms)
            and shapes.is_under_way(name)
        ):
            await anyio.sleep(_LOOK_EVERY_S)
            facts, waited_ms = self.latest(facts), self.clock.monotonic_ms() - began_ms
        return evolve(assignment, facts=facts, waited_ms=assignment.waited_ms + waited_ms)

    def note(self, level: Level, component: str, event: str, assignment: Assignment, **more: object) -> None:
        """Write a step into the event log, under the id of the request that caused it."""
        name = assignment.facts.tool.name
        self.event_log.record(
            level, component, event, tool_name=name, request_id=assignment.request_id, **more
        )
