"""One generation of a view: model requests, validation of the answers, one repair (requirement G4)."""

from collections.abc import Awaitable, Callable

import anyio
from attrs import evolve, frozen

from genui_core.application.generation.present_view import PresentView, present_view, stored_outcome
from genui_core.application.generation.single_flight import GenerationSlots, is_own_ending
from genui_core.application.services import Services
from genui_core.domain.generation.completion import (
    Completion,
    CompletionRequest,
    safe_error_text,
    sound_completion,
    sound_failure,
)
from genui_core.domain.generation.outcome import Failure, FailureKind, Outcome, Purpose, retry_delay_ms
from genui_core.domain.prompting.prompts import BYTES_A_TOKEN, Facts, Prompt, PromptWriter
from genui_core.domain.settings.llm_settings import ANSWER_TOKENS
from genui_core.domain.tools.classification import UiType, ViewState, classification_of, classify
from genui_core.domain.validation.extraction import END_MARKER, patchable_source, patched
from genui_core.domain.validation.finding import Ruling, ValidationReport
from genui_core.errors import NoSampling, ProviderFailed
from genui_core.ports.event_log import Level
from genui_core.ports.llm_provider import LLMProvider

_CLASSIFICATION_TOKENS = 8
_WORDS = {
    Purpose.CLASSIFY: "Deciding what kind of view fits",
    Purpose.WRITE: "The model is writing the view",
    Purpose.REPAIR: "The model is repairing the view",
}

Prepare = Callable[[Callable[[], Awaitable[None]]], None]
"""Starts an async function in the background whose effect will be needed soon."""


@frozen(kw_only=True)
class GenerationTask:
    """One view to make.

    Attributes:
        source: The present view, if the newest refinement must change it; else "".
        waited_ms: How much of its time limit had passed before the run could begin.
    """

    facts: Facts
    request_id: str
    waited_ms: int = 0
    ui_type: UiType = UiType.UNDETERMINED
    source: str = ""


class NoView(Exception):
    """A generation ends, since the model or the validator gave no answer."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.reason)


class GenerationRun:
    """One generation, for one caller.

    Args:
        slots: Limits how many generations are under way at once.
        prepare: Called when the model begins to write, with the function that starts the validator's process.
        report: Called with progress, in words for a person.
    """

    def __init__(
        self,
        services: Services,
        llm: LLMProvider,
        slots: GenerationSlots,
        task: GenerationTask,
        prepare: Prepare | None = None,
        report: Callable[[str], None] = lambda _words: None,
    ) -> None:
        self._llm = llm
        self._slots = slots
        self._prepare = prepare
        self._services = services
        self.settings = settings = services.settings.generation
        self._task = task
        self._report = report
        self._nonce = nonce = services.identity.nonce()
        self._writer = prompt_writer(services, nonce)
        most_bytes = services.settings.limits.max_output_tokens * BYTES_A_TOKEN
        is_short = len(task.source.encode(errors="surrogatepass")) <= most_bytes
        # The model could not write a longer source again with a change.
        self._source = task.source if is_short else ""
        self._patchable = patchable_source(self._source, document=settings.mode == "document")
        self._began_ms = services.clock.monotonic_ms()
        self._answers: list[Completion] = []

    def _log(self, level: Level, component: str, event: str, **more: object) -> None:
        """Log a step, under the id of the request that caused it."""
        about = {"tool_name": self._task.facts.tool.name, "request_id": self._task.request_id}
        self._services.event_log.record(level, component, event, **about, **more)

    def elapsed_ms(self) -> int:
        """Return how much of the time limit is used up, including the wait before the run began."""
        return self._taken_ms() + self._task.waited_ms

    async def outcome(self) -> Outcome:
        """Return the written view, or the minimal view with the reason.

        It raises only when it is cancelled, and then the connection to the model ends at once.
        """
        self._log(Level.INFO, "ui_generator", "generation_started")
        try:
            outcome = self._with_costs(await self._within_budget())
        except BaseException:
            self._log(Level.INFO, "ui_generator", "generation_cancelled", duration_ms=self._taken_ms())
            raise
        self._log(
            Level.INFO,
            "ui_generator",
            "generation_completed",
            duration_ms=self._taken_ms(),
            outcome="fallback" if outcome.failure else "generated" if outcome.source else "minimal",
            ui_type=str(outcome.ui_type),
            model=outcome.model,
            input_tokens=outcome.input_tokens,
            output_tokens=outcome.output_tokens,
            repairs=list(outcome.repairs),
        )
        return outcome

    def view_of(self, outcome: Outcome, key: str, *, began_after_ms: int) -> PresentView:
        """Return the view of an outcome; log the reason if a failure leaves the tool its minimal view.

        Args:
            outcome: The outcome of this run.
            key: The key to store it under.
            began_after_ms: How much of the time limit had passed when work on the view began.
        """
        task, failure = self._task, outcome.failure
        stored = stored_outcome(
            self._services,
            outcome,
            task.facts,
            key,
            task.request_id,
            self.settings.mode,
            was_decided=task.ui_type is not UiType.UNDETERMINED,
            taken_ms=self.elapsed_ms() - began_after_ms,
        )
        if failure is None:
            return present_view(stored, outcome.plan)
        self._log(
            Level.WARN,
            "ui_generator",
            "fallback_used",
            cache_key=key,
            reason=failure.reason,
            errorType=str(failure.kind),
            errors=[each.rule for each in outcome.findings],
            fallbackType="minimal_template",
        )
        if failure.is_of_asker:
            return PresentView(state=ViewState.FALLBACK, key=key, reason=failure.reason)
        return present_view(stored)

    def _taken_ms(self) -> int:
        return self._services.clock.monotonic_ms() - self._began_ms

    def _with_costs(self, outcome: Outcome) -> Outcome:
        """Add the model's name and the tokens of its answers."""
        answers = self._answers
        return evolve(
            outcome,
            model=answers[-1].model if answers else None,
            input_tokens=sum(each.input_tokens for each in answers),
            output_tokens=sum(each.output_tokens for each in answers),
        )

    async def _within_budget(self) -> Outcome:
        """Return the outcome within the time limit; after any error, the outcome is the minimal view."""
        try:
            with anyio.move_on_after(max(0, self.settings.timeout_ms - self.elapsed_ms()) / 1000):
                async with self._slots:
                    return await self._view()
            failure = Failure(FailureKind.TIMEOUT, f"no view within {self.settings.timeout_ms} ms")
        except NoView as ended:
            failure = ended.failure
        except BaseException as error:  # another package's validator may raise anything
            if is_own_ending(error):
                raise
            failure = Failure(FailureKind.FAILED, f"The view could not be made: {safe_error_text(error)}")
        return Outcome(ui_type=UiType.MINIMAL, failure=failure)

    async def _view(self) -> Outcome:
        """Write the view, and repair it once if it is broken; if no rule decides its kind, ask the model.

        Raises:
            NoView: The model or the validator gave no answer.
        """
        if await self._kind() is UiType.MINIMAL:
            return Outcome(ui_type=UiType.MINIMAL)
        repairs: tuple[str, ...] = ()
        report = await self._write(Purpose.WRITE)
        if report.ruling is Ruling.FIXABLE:
            report, repairs = await self._write(Purpose.REPAIR, report), ("mended_by_model",)
        if not report.is_valid:
            reason = report.findings[0].message if report.findings else "the answer holds no view"
            failure = Failure(FailureKind.INVALID, reason)
            return Outcome(ui_type=UiType.MINIMAL, failure=failure, findings=report.findings)
        return Outcome(
            ui_type=UiType.RICH,
            source=report.source,
            findings=report.findings,
            repairs=(*report.repairs, *repairs),
            plan=report.plan,
        )

    async def _kind(self) -> UiType:
        kind, facts = self._task.ui_type, self._task.facts
        if kind is UiType.UNDETERMINED:
            kind = classify(facts.tool, facts.learned_shape)
        if kind is UiType.UNDETERMINED:
            kind = classification_of(await self._answer(Purpose.CLASSIFY))
        return kind

    async def _write(self, purpose: Purpose, broken: ValidationReport | None = None) -> ValidationReport:
        """Ask for a view, and return the report on the answer."""
        answer = await self._answer(purpose, broken)
        self._report("Checking the view")
        began_ms = self.elapsed_ms()
        try:
            report = await self._validate(answer, broken)
        except Exception as error:  # another package's validator may raise anything
            reason = f"The view could not be validated: {safe_error_text(error)}"
            raise NoView(Failure(FailureKind.INVALID, reason)) from error
        self._log(
            Level.DEBUG,
            "validator",
            "judged",
            ruling=str(report.ruling),
            findings=[each.rule for each in report.findings],
            repairs=list(report.repairs),
            duration_ms=self.elapsed_ms() - began_ms,
        )
        return report

    async def _answer(self, purpose: Purpose, broken: ValidationReport | None = None) -> str:
        """Return the model's answer; retry a failed request as often as the settings allow."""
        failures = 0
        while True:
            try:
                completion = await self._ask_once(purpose, broken)
            except ProviderFailed as error:
                failures += 1
                delay_ms = retry_delay_ms(error, failures, self.settings, self.elapsed_ms())
                if delay_ms is None:
                    of_asker = isinstance(error, NoSampling)
                    failure = Failure(FailureKind.FAILED, str(error), is_of_asker=of_asker)
                    raise NoView(failure) from error
                self._report("Waiting before the model is asked again")
                await anyio.sleep(delay_ms / 1000)
            else:
                self._answers.append(completion)
                return completion.text

    async def _ask_once(self, purpose: Purpose, broken: ValidationReport | None) -> Completion:
        """Ask the model once; raise `ProviderFailed` if it does not answer."""
        self._report(_WORDS[purpose])
        if purpose is Purpose.WRITE and self._prepare is not None:
            self._prepare(self._services.validator.prepare)
        began_ms, llm = self.elapsed_ms(), self._llm
        try:
            completion = sound_completion(await llm.complete(self._request(purpose, broken)), llm.name)
        except BaseException as error:  # another package's provider may raise anything
            if is_own_ending(error):
                raise
            failed = sound_failure(error, llm.name)
            self._log(
                Level.WARN,
                "llm",
                "model_failed",
                purpose=str(purpose),
                code=str(failed.code),
                reason=str(failed),
                retryable=failed.retryable,
                duration_ms=self.elapsed_ms() - began_ms,
            )
            raise failed from error
        self._log(
            Level.DEBUG,
            "llm",
            "model_answered",
            purpose=str(purpose),
            model=completion.model,
            finish=str(completion.finish),
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            duration_ms=self.elapsed_ms() - began_ms,
        )
        return completion

    async def _validate(self, answer: str, repairing: ValidationReport | None) -> ValidationReport:
        """Validate an answer; if it holds search/replace blocks, apply them to the present view first."""
        is_about_a_block = repairing is not None and repairing.broken is not None
        changed = None if is_about_a_block else patched(answer, self._patchable)
        if isinstance(changed, tuple):
            return ValidationReport(ruling=Ruling.FIXABLE, source="", findings=changed)
        text, names = answer if changed is None else changed, self._task.facts.told_names
        return await self._services.validate(
            text, self.settings.mode, names, self._nonce, repairing=repairing
        )

    def _request(self, purpose: Purpose, broken: ValidationReport | None) -> CompletionRequest:
        settings, classifying = self.settings, purpose is Purpose.CLASSIFY
        prompt = self._writer.classify(self._task.facts) if classifying else self._prompt(broken)
        view_tokens = settings.max_tokens or ANSWER_TOKENS[settings.mode]
        return CompletionRequest(
            system=prompt.system,
            prompt=prompt.text,
            max_tokens=_CLASSIFICATION_TOKENS if classifying else view_tokens,
            request_id=self._task.request_id,
            model=settings.classify_model if classifying else None,
            temperature=settings.temperature,
            stop=() if classifying or settings.mode == "document" else (END_MARKER,),
        )

    def _prompt(self, broken: ValidationReport | None) -> Prompt:
        """Return the prompt for a view, or for the repair of a broken one."""
        facts = self._task.facts
        if broken is not None and broken.broken is not None:
            return self._writer.repair(broken)
        if not self._source:
            return self._writer.write(facts, after_no_view=broken is not None)
        findings = broken.findings if broken is not None else ()
        unplaced = [each for each in findings if each.rule.startswith("patch.")]
        return self._writer.refine(
            facts,
            self._patchable or self._source,
            by_patch=bool(self._patchable),
            unplaced=unplaced,
            after_no_view=broken is not None and not unplaced,
        )


def prompt_writer(services: Services, nonce: str) -> PromptWriter:
    """Return a prompt writer that fences data with a nonce."""
    limits, is_document = services.settings.limits, services.settings.generation.mode == "document"
    return PromptWriter(services.prompts, limits.max_prompt_tokens, is_document, nonce, services.secrets)
