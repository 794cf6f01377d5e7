"""Runs one generation, and limits how many may be under way at once (SPEC §4)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

import anyio
from attrs import frozen

from genui_core.application.generation.single_flight import is_own_ending
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
    Finish,
    Generation,
    Outcome,
    Purpose,
    Step,
    Wait,
)
from genui_core.domain.prompting.prompts import BYTES_A_TOKEN, AnswerForm, Facts, Prompt, PromptWriter
from genui_core.domain.tools.classification import UiType, classify
from genui_core.domain.validation.extraction import ValidationContext, patchable_source, patched
from genui_core.domain.validation.finding import Ruling, ValidationReport
from genui_core.errors import ProviderFailed
from genui_core.ports.event_log import EventLog, Level
from genui_core.ports.llm_provider import LLMProvider


class GenerationSlots:
    """So many slots, given out in the order of asking. Used from one event loop.

    Work that no reader waits for begins only where a slot is spare, and is given up as soon as somebody
    has to wait for one.
    """

    def __init__(self, most: int) -> None:
        self._slots = anyio.Semaphore(most)
        self._given_back = anyio.Event()
        self._yielding: set[anyio.CancelScope] = set()

    async def __aenter__(self) -> None:
        """Take a slot, waiting for one if need be."""
        if not self._slots.value:
            for scope in self._yielding:
                scope.cancel()
        await self._slots.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back."""
        self._slots.release()
        self._given_back.set()
        self._given_back = anyio.Event()

    async def spare(self) -> None:
        """Wait for a slot that no reader waits for."""
        while not self._slots.value:
            await self._given_back.wait()

    @contextmanager
    def yielding(self) -> Iterator[anyio.CancelScope]:
        """Do something that is cancelled as soon as somebody has to wait for a slot."""
        with anyio.CancelScope() as scope:
            self._yielding.add(scope)
            try:
                yield scope
            finally:
                self._yielding.discard(scope)


_CLASSIFICATION_TOKENS = 8
_END_MARKER = "<!--end-->"


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


class GenerationRun:
    """One generation under way. Not to be shared."""

    def __init__(
        self, services: Services, llm: LLMProvider, task: GenerationTask, report: Callable[[str], None]
    ) -> None:
        self._services = services
        self._llm = llm
        self._task = task
        self._report = report
        self._prepare_validator: Callable[[], None] = lambda: None
        settings, nonce = services.settings.generation, services.identity.nonce()
        self._settings = settings
        self._writer = prompt_writer(services, nonce)
        self._nonce = nonce
        self._source = task.source if self._can_edit(task.source) else ""
        self._patchable = patchable_source(self._source, document=settings.mode == "document")
        self._started_ms = services.clock.monotonic_ms() - task.waited_ms
        self._machine = Generation(self._known_ui_type(), settings, self._elapsed_ms)

    async def outcome(self, slots: GenerationSlots, prepare_validator: Callable[[], None]) -> Outcome:
        """Return the result, within the time limit, whatever goes wrong."""
        self._prepare_validator = prepare_validator
        try:
            return await self._within_budget(slots)
        except BaseException as error:  # another package's validator may raise anything
            if is_own_ending(error):
                raise
            return self._machine.broken(safe_error_text(error)).outcome

    async def _within_budget(self, slots: GenerationSlots) -> Outcome:
        with anyio.move_on_after(max(0, self._settings.timeout_ms - self._task.waited_ms) / 1000):
            async with slots:
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
            self._prepare_validator()
        began_ms = self._elapsed_ms()
        try:
            completion = sound_completion(await self._completion(ask), self._llm.name)
        except BaseException as error:  # another package's provider may raise anything
            if is_own_ending(error):
                raise
            return self._failed(ask, sound_failure(error, self._llm.name), began_ms)
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
        log_step(self._services.event_log, self._task, level, component, event, **more)

    async def _examined(self, step: Examine) -> Step:
        self._report("Checking the view")
        began_ms = self._elapsed_ms()
        try:
            report = await self._validated(step)
        except Exception as error:  # noqa: BLE001 -- another package's validator may raise anything
            return self._machine.unfinished(safe_error_text(error))
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
        return await self._services.validator.validate(
            step.text if changed is None else changed, self._context(step)
        )

    async def _completion(self, ask: Ask) -> object:
        settings, classifying = self._settings, ask.purpose is Purpose.CLASSIFY
        prompt = self._prompt(ask)
        request = CompletionRequest(
            system=prompt.system,
            prompt=prompt.text,
            max_tokens=_CLASSIFICATION_TOKENS if classifying else settings.answer_tokens,
            request_id=self._task.request_id,
            model=settings.classify_model if classifying else None,
            temperature=settings.temperature,
            stop=() if classifying or settings.mode == "document" else (_END_MARKER,),
        )
        return await self._llm.complete(request)

    def _prompt(self, ask: Ask) -> Prompt:
        facts = self._task.facts
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
        most_bytes = self._services.settings.limits.max_output_tokens * BYTES_A_TOKEN
        return 0 < len(source.encode(errors="surrogatepass")) <= most_bytes

    def _context(self, step: Examine) -> ValidationContext:
        facts, settings = self._task.facts, self._settings
        return ValidationContext(
            mode=settings.mode,
            callable_tools=facts.told_names,
            nonce=self._nonce,
            strict=settings.strict,
            repairing=step.repairing,
        )

    def _known_ui_type(self) -> UiType:
        facts, known = self._task.facts, self._task.ui_type
        return classify(facts.tool, facts.learned_shape) if known is UiType.UNDETERMINED else known

    def _elapsed_ms(self) -> int:
        return self._services.clock.monotonic_ms() - self._started_ms


_WORDS = {
    Purpose.CLASSIFY: "Deciding what kind of view fits",
    Purpose.WRITE: "The model is writing the view",
    Purpose.REPAIR: "The model is repairing the view",
}


def prompt_writer(services: Services, nonce: str) -> PromptWriter:
    """Return what writes prompts whose data is fenced with a nonce."""
    settings = services.settings
    is_document = settings.generation.mode == "document"
    return PromptWriter(
        services.prompts, settings.limits.max_prompt_tokens, is_document, nonce, services.secrets
    )


def log_step(
    event_log: EventLog, task: GenerationTask, level: Level, component: str, event: str, **more: object
) -> None:
    """Log a step of a generation, under the id of the request that caused it."""
    name = task.facts.tool.name
    event_log.record(level, component, event, tool_name=name, request_id=task.request_id, **more)
