"""Drives one generation: asks the model, validates the answer, keeps to the time limit (SPEC §4)."""

from collections.abc import Callable
from typing import Protocol

import anyio
from attrs import Factory, evolve, field, frozen

from genui_core.application.generation.generation_slots import GenerationSlots
from genui_core.application.generation.own_ending import is_own_ending
from genui_core.domain.generation.completion import CompletionRequest
from genui_core.domain.generation.machine import (
    Ask,
    Examine,
    Finish,
    Generation,
    Outcome,
    Purpose,
    Step,
    Wait,
)
from genui_core.domain.generation.provider_soundness import sound_completion, sound_failure, told_error
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.prompting.prompt_set import PromptSet
from genui_core.domain.prompting.prompts import BYTES_A_TOKEN, AnswerForm, Prompt, PromptWriter
from genui_core.domain.settings.settings import GenerationSettings, Limits
from genui_core.domain.tools.classification import UiType, classify
from genui_core.domain.validation.context import ValidationContext
from genui_core.domain.validation.finding import Ruling, ValidationReport
from genui_core.domain.validation.patch import patchable_source, patched
from genui_core.errors import ProviderFailed
from genui_core.ports.clock import Clock
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.identity import Identity
from genui_core.ports.llm_provider import LLMProvider
from genui_core.ports.view_validator import ViewValidator

_CLASSIFICATION_TOKENS = 8
_END_MARKER = "<!--end-->"


class GenerationRun:
    """One generation under way. Not to be shared."""

    def __init__(
        self, generator: "Generator", assignment: "Assignment", report: Callable[[str], None]
    ) -> None:
        self._by = generator
        self._assignment = assignment
        self._report = report
        settings, nonce = generator.settings, generator.identity.nonce()
        self._writer = PromptWriter(
            generator.prompts,
            generator.limits.max_prompt_tokens,
            settings.mode == "document",
            nonce,
            generator.secrets,
        )
        self._nonce = nonce
        self._source = assignment.source if self._can_edit(assignment.source) else ""
        self._patchable = patchable_source(self._source, document=settings.mode == "document")
        self._started_ms = generator.clock.monotonic_ms() - assignment.waited_ms
        self._machine = Generation(self._known_ui_type(), settings.retry_policy, self._elapsed_ms)

    async def outcome(self) -> Outcome:
        """Return what it comes to, within the budget, whatever is in the way."""
        try:
            return await self._within_budget()
        except BaseException as error:  # another package's validator may raise anything
            if is_own_ending(error):
                raise
            return self._machine.broken(told_error(error)).outcome

    async def _within_budget(self) -> Outcome:
        with anyio.move_on_after(max(0, self._by.settings.timeout_ms - self._assignment.waited_ms) / 1000):
            async with self._by.slots:
                step = self._machine.begin()
                while not isinstance(step, Finish):
                    step = await self._taken(step)
                return step.outcome
        return self._machine.out_of_time().outcome

    async def _taken(self, step: Step) -> Step:
        match step:
            case Ask():
                return await self._asked(step)
            case Wait():
                self._report("Waiting before the model is asked again")
                await anyio.sleep(step.delay_ms / 1000)
                return await self._asked(step.then)
            case Examine():
                return await self._examined(step)
            case Finish():
                return step

    async def _asked(self, ask: Ask) -> Step:
        self._report(_WORDS[ask.purpose])
        if ask.purpose is Purpose.WRITE:
            self._by.prepare_validator()
        began_ms = self._elapsed_ms()
        try:
            completion = sound_completion(await self._completion(ask), self._by.provider.name)
        except BaseException as error:  # another package's provider may raise anything
            if is_own_ending(error):
                raise
            return self._failed(ask, sound_failure(error, self._by.provider.name), began_ms)
        self._note(
            Level.DEBUG,
            "llm",
            "model_answered",
            purpose=str(ask.purpose),
            model=completion.model,
            finish=str(completion.finish),
            duration_ms=self._elapsed_ms() - began_ms,
        )
        return self._machine.answered(completion)

    def _failed(self, ask: Ask, error: ProviderFailed, began_ms: int) -> Step:
        self._note(
            Level.WARN,
            "llm",
            "model_failed",
            purpose=str(ask.purpose),
            code=str(error.code),
            reason=str(error),
            retryable=error.retryable,
            duration_ms=self._elapsed_ms() - began_ms,
        )
        return self._machine.failed(error)

    def _note(self, level: Level, component: str, event: str, **more: object) -> None:
        self._by.note(level, component, event, self._assignment, **more)

    async def _examined(self, step: Examine) -> Step:
        self._report("Checking the view")
        began_ms = self._elapsed_ms()
        try:
            report = await self._validated(step)
        except Exception as error:  # noqa: BLE001 -- another package's validator may raise anything
            return self._machine.unfinished(told_error(error))
        self._note(
            Level.DEBUG,
            "validator",
            "judged",
            ruling=str(report.ruling),
            findings=[each.rule for each in report.findings],
            repairs=list(report.repairs),
            duration_ms=self._elapsed_ms() - began_ms,
        )
        return self._machine.validated(report)

    async def _validated(self, step: Examine) -> ValidationReport:
        """Return the report on an answer; one that holds search/replace blocks is applied to the view first."""
        is_about_a_block = step.repairing is not None and step.repairing.broken is not None
        changed = None if is_about_a_block else patched(step.text, self._patchable)
        if isinstance(changed, tuple):
            return ValidationReport(ruling=Ruling.FIXABLE, source="", findings=changed)
        return await self._by.validator.validate(
            step.text if changed is None else changed, self._context(step)
        )

    async def _completion(self, ask: Ask) -> object:
        settings, classifying = self._by.settings, ask.purpose is Purpose.CLASSIFY
        prompt = self._prompt(ask)
        request = CompletionRequest(
            system=prompt.system,
            prompt=prompt.text,
            max_tokens=_CLASSIFICATION_TOKENS if classifying else settings.answer_tokens,
            request_id=self._assignment.request_id,
            model=settings.classify_model if classifying else None,
            temperature=settings.temperature,
            stop=() if classifying or settings.mode == "document" else (_END_MARKER,),
        )
        return await self._by.provider.complete(request)

    def _prompt(self, ask: Ask) -> Prompt:
        facts = self._assignment.facts
        if ask.broken is not None and ask.broken.broken is not None:
            return self._writer.repair(ask.broken)
        if ask.purpose is Purpose.CLASSIFY:
            return self._writer.classify(facts)
        if self._source:
            return self._writer.refine(facts, self._patchable or self._source, self._form_of_answer(ask))
        return self._writer.write(facts, after_no_view=ask.broken is not None)

    def _form_of_answer(self, ask: Ask) -> AnswerForm:
        """Return the form that the answer to a refinement must have."""
        findings = () if ask.broken is None else ask.broken.findings
        unplaced = tuple(each for each in findings if each.rule.startswith("patch."))
        return AnswerForm(
            by_patch=bool(self._patchable),
            unplaced=unplaced,
            after_no_view=ask.broken is not None and not unplaced,
        )

    def _can_edit(self, source: str) -> bool:
        """Whether a source is short enough for the model to write again with a change in it."""
        most_bytes = self._by.limits.max_output_tokens * BYTES_A_TOKEN
        return 0 < len(source.encode(errors="surrogatepass")) <= most_bytes

    def _context(self, step: Examine) -> ValidationContext:
        facts, settings = self._assignment.facts, self._by.settings
        return ValidationContext(
            mode=settings.mode,
            callable_tools=facts.told_names,
            nonce=self._nonce,
            strict=settings.strict,
            repairing=step.repairing,
        )

    def _known_ui_type(self) -> UiType:
        facts, known = self._assignment.facts, self._assignment.ui_type
        return classify(facts.tool, facts.learned_shape) if known is UiType.UNDETERMINED else known

    def _elapsed_ms(self) -> int:
        return self._by.clock.monotonic_ms() - self._started_ms


_WORDS = {
    Purpose.CLASSIFY: "Deciding what kind of view fits",
    Purpose.WRITE: "The model is writing the view",
    Purpose.REPAIR: "The model is repairing the view",
}


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
