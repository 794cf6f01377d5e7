"""Makes views with a model: waits for a shape, runs the generation, returns the view to store (SPEC §4)."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Protocol

import anyio
from attrs import evolve, field, frozen

from genui_core.application.generation.present_view import PresentView, context_of, present_view
from genui_core.application.generation.single_flight import GenerationSlots, SingleFlight, is_own_ending
from genui_core.application.services import Services
from genui_core.domain.generation.completion import (
    CompletionRequest,
    safe_error_text,
    sound_completion,
    sound_failure,
)
from genui_core.domain.generation.machine import (
    Ask,
    Examine,
    Failure,
    Generation,
    Outcome,
    Purpose,
    Step,
    Wait,
)
from genui_core.domain.prompting.prompts import BYTES_A_TOKEN, AnswerForm, Facts, Prompt, PromptWriter
from genui_core.domain.settings.llm_settings import ANSWER_TOKENS
from genui_core.domain.tools.classification import UiType, ViewState, classify
from genui_core.domain.validation.extraction import patchable_source, patched
from genui_core.domain.validation.finding import Ruling, ValidationReport
from genui_core.domain.views.stored_view import StoredView
from genui_core.errors import ProviderFailed
from genui_core.ports.event_log import Level
from genui_core.ports.llm_provider import LLMProvider

MAX_SHAPE_WAIT_MS = 300
"""How long a generation waits for the result of a call that is under way when it starts."""
_LOOK_EVERY_S = 0.01
_CLASSIFICATION_TOKENS = 8
_END_MARKER = "<!--end-->"
_WORDS = {
    Purpose.CLASSIFY: "Deciding what kind of view fits",
    Purpose.WRITE: "The model is writing the view",
    Purpose.REPAIR: "The model is repairing the view",
}


@frozen(kw_only=True)
class GenerationTask:
    """One view to be made.

    Attributes:
        source: The present view, if the newest refinement must change it; else "".
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

    def is_under_way(self, tool_name: str) -> bool:
        """Whether a call of this tool is under way, or its result is being looked at."""


@frozen(kw_only=True)
class Generator:
    """Makes views, one call at a time or many at once.

    Attributes:
        shapes: The shapes of results so far, and the calls whose results will show one.
        preparations: Runs the start of the validator's process while a model begins to write.
        slots: How many generations may be under way at once; the others wait in their order, and
            their budgets run.
    """

    services: Services
    llm: LLMProvider
    shapes: ShapeSource | None = None
    preparations: SingleFlight[None] | None = None
    slots: GenerationSlots = field()

    @slots.default
    def _(self) -> GenerationSlots:
        return GenerationSlots(self.services.settings.generation.max_concurrent)

    async def make(self, task: GenerationTask, key: str, report: Callable[[str], None]) -> PresentView:
        """Return the view that a generation makes: the minimal view if it fails."""
        clock = self.services.clock
        started_ms, began = clock.monotonic_ms(), clock.now()
        task = await self.with_shape(task)
        outcome = await self.generate(task, report)
        stored = self._stored(task, outcome, key, clock.monotonic_ms() - started_ms, began)
        if outcome.failure is None:
            return present_view(stored)
        self._log_fallback(outcome.failure, outcome, stored)
        if outcome.failure.is_of_asker:
            return PresentView(state=ViewState.FALLBACK, key=key, reason=outcome.failure.reason)
        return present_view(stored)

    def _stored(
        self, task: GenerationTask, outcome: Outcome, key: str, taken_ms: int, began: datetime
    ) -> StoredView:
        configuration = self.services.configuration
        was_decided = task.ui_type is not UiType.UNDETERMINED
        end = began + timedelta(milliseconds=self.services.settings.cache.fallback_ttl_ms)
        return StoredView(
            key=key,
            tool_name=task.facts.tool.name,
            html=outcome.source,
            generated_at=self.services.clock.now().isoformat(timespec="milliseconds"),
            generation_duration_ms=taken_ms,
            prompt_version=configuration.prompt_set_version,
            template_version=configuration.template_version,
            request_id=task.request_id,
            llm_model=outcome.model,
            context=context_of(outcome, configuration.mode, task.facts, was_decided=was_decided),
            findings=tuple(each.as_data() for each in outcome.findings),
            expires_at=None if outcome.failure is None else end.isoformat(timespec="milliseconds"),
        )

    def _log_fallback(self, failure: Failure, outcome: Outcome, stored: StoredView) -> None:
        self.services.event_log.record(
            Level.WARN,
            "ui_generator",
            "fallback_used",
            tool_name=stored.tool_name,
            cache_key=stored.key,
            request_id=stored.request_id,
            reason=failure.reason,
            errorType=str(failure.kind),
            errors=[each.rule for each in outcome.findings],
            fallbackType="minimal_template",
        )

    async def generate(
        self, task: GenerationTask, report: Callable[[str], None] = lambda _words: None
    ) -> Outcome:
        """Return the view, or the minimal UI and why.

        It never raises but for being cancelled, and then the model's connection ends at once.
        """
        run = _GenerationRun(self, task, report)
        started_ms = self.services.clock.monotonic_ms()
        run.log(Level.INFO, "ui_generator", "generation_started")
        try:
            outcome = await run.outcome()
        except BaseException:
            taken = self.services.clock.monotonic_ms() - started_ms
            run.log(Level.INFO, "ui_generator", "generation_cancelled", duration_ms=taken)
            raise
        taken = self.services.clock.monotonic_ms() - started_ms
        run.log(
            Level.INFO,
            "ui_generator",
            "generation_completed",
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

    async def with_shape(self, task: GenerationTask) -> GenerationTask:
        """Return the task with the shape of results. A call that is under way is waited for; the budget runs."""
        shapes, name, began_ms = self.shapes, task.facts.tool.name, self.services.clock.monotonic_ms()
        if shapes is None:
            return task
        most_ms = min(MAX_SHAPE_WAIT_MS, self.services.settings.generation.timeout_ms - task.waited_ms)
        facts, waited_ms = shapes.latest(task.facts), 0
        while facts.learned_shape is None and waited_ms < most_ms and shapes.is_under_way(name):
            await anyio.sleep(_LOOK_EVERY_S)
            facts, waited_ms = shapes.latest(facts), self.services.clock.monotonic_ms() - began_ms
        return evolve(task, facts=facts, waited_ms=task.waited_ms + waited_ms)


class _GenerationRun:
    """One generation under way. Not to be shared."""

    def __init__(self, generator: Generator, task: GenerationTask, report: Callable[[str], None]) -> None:
        self._generator = generator
        self._services = services = generator.services
        self._settings = settings = services.settings.generation
        self._task = task
        self._report = report
        self._nonce = nonce = services.identity.nonce()
        self._writer = prompt_writer(services, nonce)
        most_bytes = services.settings.limits.max_output_tokens * BYTES_A_TOKEN
        is_short = len(task.source.encode(errors="surrogatepass")) <= most_bytes
        # A longer one the model could not write again with a change.
        self._source = task.source if is_short else ""
        self._patchable = patchable_source(self._source, document=settings.mode == "document")
        self._started_ms = services.clock.monotonic_ms() - task.waited_ms
        is_known = task.ui_type is not UiType.UNDETERMINED
        kind = task.ui_type if is_known else classify(task.facts.tool, task.facts.learned_shape)
        self._machine = Generation(kind, settings, self._elapsed_ms)

    def log(self, level: Level, component: str, event: str, **more: object) -> None:
        """Log a step, under the id of the request that caused it."""
        about = {"tool_name": self._task.facts.tool.name, "request_id": self._task.request_id}
        self._services.event_log.record(level, component, event, **about, **more)

    async def outcome(self) -> Outcome:
        """Return the result, within the time limit, whatever goes wrong."""
        try:
            return await self._within_budget()
        except BaseException as error:  # another package's validator may raise anything
            if is_own_ending(error):
                raise
            return self._machine.broken(safe_error_text(error))

    async def _within_budget(self) -> Outcome:
        with anyio.move_on_after(max(0, self._settings.timeout_ms - self._task.waited_ms) / 1000):
            async with self._generator.slots:
                step = self._machine.begin()
                while not isinstance(step, Outcome):
                    step = await self._taken(step)
                return step
        return self._machine.out_of_time()

    async def _taken(self, step: Ask | Wait | Examine) -> Step:
        if isinstance(step, Wait):
            self._report("Waiting before the model is asked again")
            await anyio.sleep(step.delay_ms / 1000)
            step = step.then
        return await (self._asked(step) if isinstance(step, Ask) else self._examined(step))

    async def _asked(self, ask: Ask) -> Step:
        self._report(_WORDS[ask.purpose])
        if ask.purpose is Purpose.WRITE and self._generator.preparations is not None:
            self._generator.preparations.keep("validator", self._services.validator.prepare)
        began_ms, llm = self._elapsed_ms(), self._generator.llm
        try:
            completion = sound_completion(await llm.complete(self._request(ask)), llm.name)
        except BaseException as error:  # another package's provider may raise anything
            if is_own_ending(error):
                raise
            return self._failed(ask, sound_failure(error, llm.name), began_ms)
        self.log(
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
        self.log(
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

    async def _examined(self, step: Examine) -> Step:
        self._report("Checking the view")
        began_ms = self._elapsed_ms()
        try:
            report = await self._validated(step)
        except Exception as error:  # noqa: BLE001 -- another package's validator may raise anything
            return self._machine.unfinished(safe_error_text(error))
        self.log(
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
        text, names = step.text if changed is None else changed, self._task.facts.told_names
        return await self._services.validated(
            text, self._settings.mode, names, self._nonce, repairing=step.repairing
        )

    def _request(self, ask: Ask) -> CompletionRequest:
        settings, classifying, prompt = self._settings, ask.purpose is Purpose.CLASSIFY, self._prompt(ask)
        return CompletionRequest(
            system=prompt.system,
            prompt=prompt.text,
            max_tokens=_CLASSIFICATION_TOKENS
            if classifying
            else settings.max_tokens or ANSWER_TOKENS[settings.mode],
            request_id=self._task.request_id,
            model=settings.classify_model if classifying else None,
            temperature=settings.temperature,
            stop=() if classifying or settings.mode == "document" else (_END_MARKER,),
        )

    def _prompt(self, ask: Ask) -> Prompt:
        facts, after_no_view = self._task.facts, ask.broken is not None
        if ask.broken is not None and ask.broken.broken is not None:
            return self._writer.repair(ask.broken)
        if ask.purpose is Purpose.CLASSIFY:
            return self._writer.classify(facts)
        if not self._source:
            return self._writer.write(facts, after_no_view=after_no_view)
        findings = () if ask.broken is None else ask.broken.findings
        unplaced = tuple(each for each in findings if each.rule.startswith("patch."))
        form = AnswerForm(
            by_patch=bool(self._patchable), unplaced=unplaced, after_no_view=after_no_view and not unplaced
        )
        return self._writer.refine(facts, self._patchable or self._source, form)

    def _elapsed_ms(self) -> int:
        return self._services.clock.monotonic_ms() - self._started_ms


def prompt_writer(services: Services, nonce: str) -> PromptWriter:
    """Return what writes prompts whose data is fenced with a nonce."""
    limits, is_document = services.settings.limits, services.settings.generation.mode == "document"
    return PromptWriter(services.prompts, limits.max_prompt_tokens, is_document, nonce, services.secrets)
