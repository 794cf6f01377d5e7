"""Drives one generation: asks the model, has the answer judged, keeps to the budget (SPEC §4)."""

from collections.abc import Callable

import anyio
from attrs import Factory, field, frozen

from genui_core.domain.classification import UiType, classify
from genui_core.domain.completion import Completion, CompletionRequest
from genui_core.domain.generation import Ask, Examine, Finish, Generation, Outcome, Purpose, Step, Wait
from genui_core.domain.prompting.facts import Facts
from genui_core.domain.prompting.prompts import Prompt, PromptSet, PromptWriter
from genui_core.domain.settings import GenerationSettings, Limits
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.clock import Clock
from genui_core.ports.identity import Identity
from genui_core.ports.journal import Journal, Level
from genui_core.ports.llm_provider import LLMProvider
from genui_core.ports.view_judge import JudgeBrief, ViewJudge

_CLASSIFICATION_TOKENS = 8
_END_MARKER = "<!--end-->"


@frozen(kw_only=True)
class Assignment:
    """One view to be made.

    Attributes:
        facts: What the model may know of the tool.
        ui_type: What is already known of the kind of view.
        source: The present view, where it is to be changed by the newest of the wishes; else "".
        request_id: Of the request that caused it.
    """

    facts: Facts
    request_id: str
    ui_type: UiType = UiType.UNDETERMINED
    source: str = ""


def _slots(generator: "Generator") -> anyio.Semaphore:
    return anyio.Semaphore(generator.settings.max_concurrent)


@frozen(kw_only=True)
class Generator:
    """Makes views, one call of `generate` at a time or many at once.

    Args:
        provider: The model.
        judge: Whoever checks its answers.
        prompts: The templates.
        settings: Budgets and switches.
        limits: The bounds of prompts.
        clock: For the budget.
        identity: For nonces.
        journal: Where its steps are noted.
        judge_soon: Called when a model begins to write: there will be something to judge.
        slots: How many generations may be under way at once; the others wait in their order, and
            their budgets run.
    """

    provider: LLMProvider
    judge: ViewJudge
    prompts: PromptSet
    settings: GenerationSettings
    limits: Limits
    clock: Clock
    identity: Identity
    journal: Journal
    judge_soon: Callable[[], None] = lambda: None
    slots: anyio.Semaphore = field(default=Factory(_slots, takes_self=True))

    async def generate(
        self, assignment: Assignment, report: Callable[[str], None] = lambda _words: None
    ) -> Outcome:
        """Return the view, or the minimal UI and why.

        It never raises but for being cancelled, and then the model's connection ends at once.
        """
        run = _Run(self, assignment, report)
        started_ms = self.clock.monotonic_ms()
        self._note(Level.INFO, "generation_started", assignment)
        outcome = await run.outcome()
        taken = self.clock.monotonic_ms() - started_ms
        self._note(
            Level.INFO,
            "generation_completed",
            assignment,
            duration_ms=taken,
            ui_type=str(outcome.ui_type),
            model=outcome.model,
            input_tokens=outcome.input_tokens,
            output_tokens=outcome.output_tokens,
            repairs=list(outcome.repairs),
        )
        return outcome

    def _note(self, level: Level, event: str, assignment: Assignment, **more: object) -> None:
        name = assignment.facts.tool.name
        self.journal.record(
            level, "ui_generator", event, tool_name=name, request_id=assignment.request_id, **more
        )


class _Run:
    """One generation under way."""

    def __init__(self, generator: Generator, assignment: Assignment, report: Callable[[str], None]) -> None:
        self._by = generator
        self._assignment = assignment
        self._report = report
        settings, nonce = generator.settings, generator.identity.nonce()
        self._writer = PromptWriter(
            generator.prompts, generator.limits.max_prompt_tokens, settings.mode == "document", nonce
        )
        self._nonce = nonce
        self._started_ms = generator.clock.monotonic_ms()
        self._machine = Generation(self._known_ui_type(), settings.retry_policy, self._elapsed_ms)

    async def outcome(self) -> Outcome:
        with anyio.move_on_after(self._by.settings.timeout_ms / 1000):
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
            self._by.judge_soon()
        try:
            return self._machine.answered(await self._completion(ask))
        except ProviderFailed as error:
            return self._machine.failed(error)
        except Exception as error:  # noqa: BLE001 -- a provider of a stranger's must not take the view along
            return self._machine.failed(ProviderFailed(ProviderErrorCode.INVALID_REQUEST, repr(error)))

    async def _examined(self, step: Examine) -> Step:
        self._report("Checking the view")
        try:
            return self._machine.judged(await self._by.judge.judge(step.text, self._brief(step)))
        except Exception as error:  # noqa: BLE001 -- no process can be started, a judge of a stranger's fails
            return self._machine.unjudged(repr(error))

    async def _completion(self, ask: Ask) -> Completion:
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
        facts, source = self._assignment.facts, self._assignment.source
        if ask.broken is not None:
            return self._writer.mend(ask.broken)
        if ask.purpose is Purpose.CLASSIFY:
            return self._writer.classify(facts)
        return self._writer.refine(facts, source) if source else self._writer.write(facts)

    def _brief(self, step: Examine) -> JudgeBrief:
        facts, settings = self._assignment.facts, self._by.settings
        callable_tools = frozenset(each.name for each in (facts.tool, *facts.related))
        return JudgeBrief(
            mode=settings.mode,
            callable_tools=callable_tools,
            nonce=self._nonce,
            strict=settings.strict,
            mending=step.mending,
        )

    def _known_ui_type(self) -> UiType:
        facts, known = self._assignment.facts, self._assignment.ui_type
        return classify(facts.tool, facts.learned_shape) if known is UiType.UNDETERMINED else known

    def _elapsed_ms(self) -> int:
        return self._by.clock.monotonic_ms() - self._started_ms


_WORDS = {
    Purpose.CLASSIFY: "Deciding what kind of view fits",
    Purpose.WRITE: "The model is writing the view",
    Purpose.MEND: "The model is mending the view",
}
