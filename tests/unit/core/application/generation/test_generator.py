"""One generation run: the requests to the model, the time limits and the outcome (requirement G4)."""

from asyncio import CancelledError
from itertools import product

import anyio
import pytest
from attrs import define, evolve, field

from genui_core.application.defaults import InProcessValidator
from genui_core.application.generation.generation_run import GenerationRun, GenerationTask
from genui_core.application.generation.shape_learning import ShapeLearning
from genui_core.application.generation.single_flight import GenerationSlots
from genui_core.application.services import Services, SystemClock
from genui_core.domain.generation.completion import Completion, FinishReason
from genui_core.domain.generation.outcome import FailureKind
from genui_core.domain.prompting.prompts import Facts
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.settings.settings import Limits, Settings
from genui_core.domain.tools.classification import UiType
from genui_core.domain.tools.tool import Tool
from genui_core.domain.validation.extraction import DIVIDER, REPLACE, SEARCH
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.ports.llm_provider import LLMProvider
from genui_core.testing.clock import HandClock
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.identity import NumberedIdentity
from genui_core.testing.llm_provider import ScriptedProvider
from genui_core.testing.view_validator import FirstWordValidator

pytestmark = pytest.mark.anyio

ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOL = Tool({"name": "read_rows", "inputSchema": {"type": "object"}, "outputSchema": ROWS})
PLAIN = Tool({"name": "say", "inputSchema": {"type": "object"}})
BUSY = ProviderFailed(ProviderErrorCode.RATE_LIMIT, "busy", retry_after_ms=1)


@define
class Generator:
    """Makes generation runs that share one model and its slots."""

    services: Services
    llm: LLMProvider
    slots: GenerationSlots

    def run(self, *task_and_report):
        task, *report = task_and_report
        return GenerationRun(self.services, self.llm, self.slots, task, None, *report)


def generator(*answers, limits=None, llm=None, validator=None, **settings):
    llm = llm or ScriptedProvider.saying(answers)
    services = Services(
        settings=Settings(generation=GenerationSettings(**settings), limits=limits or Limits()),
        llm=llm,
        validator=validator or FirstWordValidator(),
        clock=SystemClock(),
        identity=NumberedIdentity(),
        event_log=RecordingEventLog(),
    )
    return Generator(services, llm, GenerationSlots(services.settings.generation.max_concurrent))


def task(tool=TOOL, **more):
    return GenerationTask(
        facts=Facts(tool=tool, refinements=more.pop("refinements", ())), request_id="r-1", **more
    )


async def test_a_tool_with_a_shape_gets_its_view_without_a_classifying_request():
    one = generator("a view")
    outcome = await one.run(task()).outcome()
    assert (outcome.source, outcome.model) == ("a view", "script-1")
    (request,) = one.llm.requests
    assert "Write the view" in request.prompt
    assert (request.max_tokens, request.temperature, request.stop) == (4096, 0.2, ("<!--end-->",))
    assert request.request_id == "r-1"


async def test_the_small_model_classifies_a_tool_that_no_rule_decides():
    one = generator("rich", "a view", classify_model="small")
    assert (await one.run(task(PLAIN)).outcome()).ui_type is UiType.RICH
    first, second = one.llm.requests
    assert (first.model, first.max_tokens, first.system) == ("small", 8, "")
    assert second.model is None


async def test_a_view_that_the_validator_repairs_is_served_and_a_broken_one_is_retried_once():
    assert (await generator("sloppy view").run(task()).outcome()).repairs == ("tidied",)
    one = generator("broken view", "a view")
    outcome = await one.run(task()).outcome()
    assert outcome.source == "a view"
    assert "test.first_word" in one.llm.requests[1].prompt
    assert one.services.validator.contexts[1].repairing.excerpt == "broken view"
    assert (await generator("broken view").run(task()).outcome()).failure.kind is FailureKind.INVALID
    assert (await generator("evil view").run(task()).outcome()).failure.kind is FailureKind.INVALID


async def test_the_validator_gets_the_nonce_and_the_callable_tools():
    one = generator("a view")
    await one.run(task()).outcome()
    (context,) = one.services.validator.contexts
    assert context.nonce in one.llm.requests[0].prompt
    assert context.callable_tools == {"read_rows"}


async def test_a_refinement_changes_the_present_view():
    one = generator("a view")
    await one.run(task(source="OLD VIEW", refinements=("make it blue",))).outcome()
    assert "OLD VIEW" in one.llm.requests[0].prompt
    assert "make it blue" in one.llm.requests[0].prompt


async def test_a_view_that_is_too_long_to_be_edited_is_written_again_from_all_refinements():
    refinements = ("make it blue", "sort it")
    for source, is_edited in (("x" * 30, True), ("x" * 31, False), ("\u4e2d" * 11, False)):
        one = generator("a view", limits=Limits(max_output_tokens=10))
        await one.run(task(source=source, refinements=refinements)).outcome()
        prompt = one.llm.requests[0].prompt
        assert (source in prompt) == is_edited
        assert all(each in prompt for each in refinements)


async def test_a_busy_provider_is_retried_until_the_limit():
    one = generator(BUSY, BUSY, "a view")
    assert (await one.run(task()).outcome()).source == "a view"
    one = generator(BUSY)
    outcome = await one.run(task()).outcome()
    assert outcome.failure.kind is FailureKind.FAILED
    assert len(one.llm.requests) == 3


async def test_a_minimal_tool_costs_no_request():
    one = generator()
    outcome = await one.run(task(ui_type=UiType.MINIMAL)).outcome()
    assert (outcome.ui_type, outcome.source, outcome.failure) == (UiType.MINIMAL, "", None)
    assert one.llm.requests == []


async def test_each_question_has_attempts_of_its_own():
    one = generator(BUSY, BUSY, "broken view", BUSY, BUSY, "a view")
    outcome = await one.run(task()).outcome()
    assert (outcome.source, outcome.repairs) == ("a view", ("mended_by_model",))


async def test_the_reason_of_a_timeout_says_so():
    outcome = await generator(None, timeout_ms=15).run(task()).outcome()
    assert (outcome.failure.kind, outcome.failure.reason) == (FailureKind.TIMEOUT, "no view within 15 ms")


@pytest.mark.parametrize("kind", UiType)
@pytest.mark.parametrize("max_retries", [0, 2])
async def test_a_generation_always_ends_within_its_number_of_requests(kind, max_retries):
    words = [BUSY, "rich", "minimal", "broken view", "evil view", "a view"]
    for answers in product(words, repeat=3):
        one = generator(*answers, max_retries=max_retries, retry_delay_ms=0)
        outcome = await one.run(task(ui_type=kind)).outcome()
        assert len(one.llm.requests) <= 3 * (max_retries + 1)
        assert (outcome.source == "") == (outcome.ui_type is UiType.MINIMAL)


@define
class Odd(LLMProvider):
    """A provider that returns the test's answer, or raises it."""

    name = "odd"
    model = "m"
    act: object

    async def complete(self, request, on_delta=None):  # noqa: ARG002
        if isinstance(self.act, BaseException):
            raise self.act
        return self.act

    async def close(self):
        pass


class Unspeakable(Exception):
    def __repr__(self):
        raise ValueError


class Unsayable(ProviderFailed):
    def __init__(self):
        pass

    def __str__(self):
        raise ValueError


def answer(**parts):
    sound = {"text": "a view", "model": "m", "finish": FinishReason.STOP, "request_id": "r-1"}
    return Completion(**{**sound, **parts})


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (KeyError("r-1"), "odd: KeyError('r-1')"),
        (Unspeakable(), "odd: Unspeakable"),
        (Unsayable(), "Unsayable"),
        (ProviderFailed("BROKEN", "no"), "BROKEN: no"),
        (ProviderFailed("RATE_LIMIT", "not \ud800 now", retryable=False), "RATE_LIMIT: not \ufffd now"),
        (None, "odd: the answer should be of type Completion, and is of type NoneType"),
        ({"text": "a view"}, "odd: the answer should be of type Completion, and is of type dict"),
        (answer(text=None), "odd: the answer's text should be of type str, and is of type NoneType"),
        (answer(text=b"a view"), "odd: the answer's text should be of type str, and is of type bytes"),
        (answer(model=None), "odd: the answer's model should be of type str, and is of type NoneType"),
        (answer(finish=None), "odd: the answer's finish should be of type str, and is of type NoneType"),
        (
            answer(input_tokens=None),
            "odd: the answer's input_tokens should be of type int, and is of type NoneType",
        ),
        (
            answer(output_tokens="4"),
            "odd: the answer's output_tokens should be of type int, and is of type str",
        ),
    ],
)
@pytest.mark.parametrize("tool", [TOOL, PLAIN], ids=["written for", "asked about"])
async def test_a_provider_that_breaks_its_promises_costs_the_view_and_nothing_else(act, said, tool):
    one = generator(llm=Odd(act))
    failure = (await one.run(task(tool)).outcome()).failure
    assert failure.kind is FailureKind.FAILED
    assert said in failure.reason
    assert one.services.event_log.named("model_failed")


class AbortError(BaseException):
    pass


@pytest.mark.parametrize("fault", [AbortError("my key"), SystemExit(1), KeyboardInterrupt()], ids=repr)
async def test_a_provider_that_wants_to_end_the_program_ends_its_generation(fault):
    outcome = await generator(llm=Odd(fault)).run(task()).outcome()
    assert outcome.failure.reason == f"INVALID_REQUEST: odd: {type(fault).__name__}"


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_cancellation_that_no_one_asked_for_is_a_failure_like_others():
    one = generator()
    with anyio.CancelScope() as scope:
        outcome = await evolve(one, llm=Odd(CancelledError())).run(task()).outcome()
    assert "odd: CancelledError" in outcome.failure.reason
    assert not scope.cancelled_caught
    outcome = (
        await generator("a view", validator=RaisingValidator(fault=CancelledError())).run(task()).outcome()
    )
    assert "CancelledError" in outcome.failure.reason


@define
class RaisingValidator(FirstWordValidator):
    """A validator that raises the test's error."""

    fault: BaseException = field(kw_only=True)

    async def validate(self, source, context):  # noqa: ARG002
        raise self.fault


async def test_a_retry_delay_that_is_no_number_is_ignored():
    busy = ProviderFailed(ProviderErrorCode.RATE_LIMIT, "busy", retry_after_ms="3")
    one = generator(busy, "a view", retry_delay_ms=1)
    assert (await one.run(task()).outcome()).source == "a view"


async def test_half_a_character_in_an_answer_is_replaced_so_that_the_view_can_be_kept_and_changed():
    written = "a view \ud800 \U0001f600 \u4e2d"
    outcome = await generator(llm=Odd(answer(text=written))).run(task()).outcome()
    assert outcome.source == "a view \ufffd \U0001f600 \u4e2d"


async def test_a_validator_that_breaks_its_promises_costs_the_view_and_nothing_else():
    class Mute(FirstWordValidator):
        async def validate(self, source, context):  # noqa: ARG002
            return None

    outcome = await generator("a view", validator=Mute()).run(task()).outcome()
    assert outcome.failure.kind is FailureKind.FAILED
    assert "The view could not be made" in outcome.failure.reason


async def test_the_request_to_the_model_is_cancelled_at_the_deadline():
    one = generator(None, timeout_ms=30)
    outcome = await one.run(task()).outcome()
    assert outcome.failure.kind is FailureKind.TIMEOUT
    assert one.llm.cancelled == 1


async def test_a_cancelled_generation_cancels_the_request_to_the_model():
    one = generator(None)
    with anyio.move_on_after(0.03) as scope:
        await one.run(task()).outcome()
    assert scope.cancelled_caught
    assert one.llm.cancelled == 1


async def test_the_number_of_generations_is_limited_and_the_wait_counts():
    one = generator(None, max_concurrent=2, timeout_ms=300)
    outcomes = []

    async def generate():
        outcomes.append(await one.run(task()).outcome())

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(generate)
        await anyio.wait_all_tasks_blocked()
        assert len(one.llm.requests) == 2
    assert [outcome.failure.kind for outcome in outcomes] == [FailureKind.TIMEOUT] * 4


async def test_the_start_and_end_of_a_generation_are_logged_with_the_request_id():
    one = generator("a view")
    await one.run(task()).outcome()
    events = [(event.event, event.metadata["request_id"]) for event in one.services.event_log.events]
    names = ["generation_started", "model_answered", "judged", "generation_completed"]
    assert events == [(name, "r-1") for name in names]


async def test_each_answer_is_logged_with_its_tokens_even_if_the_generation_is_cancelled():
    one = generator("rich", None)
    with anyio.move_on_after(0.05):
        await one.run(task(PLAIN)).outcome()
    events = {event.event: event.metadata for event in one.services.event_log.events}
    assert {"model_answered", "generation_cancelled"} <= events.keys()
    tokens = events["model_answered"]["input_tokens"], events["model_answered"]["output_tokens"]
    assert tokens == (len(one.llm.requests[0].prompt) // 3, len("rich") // 3)


class BrokenValidator:
    """A validator whose process cannot start."""

    async def validate(self, _text, _context):
        raise OSError("no process left")


async def test_a_view_that_cannot_be_validated_is_not_served():
    outcome = await generator("a view", validator=BrokenValidator()).run(task()).outcome()
    assert (outcome.source, outcome.failure.kind) == ("", FailureKind.INVALID)
    assert "no process left" in outcome.failure.reason


PROSE = "I would need to know more about the tool before I write a view."
VIEW = (
    "<style></style><template><div class='view'></div></template>"
    "<script>function render(data, ui) { ui.root.append(ui.el('p', {}, 'x')); }</script><!--end-->"
)


@pytest.mark.parametrize("source", ["", VIEW], ids=["written", "refined"])
async def test_an_answer_without_a_view_is_retried_once_with_the_whole_prompt(source):
    one = generator(PROSE, VIEW, validator=InProcessValidator())
    outcome = await one.run(task(source=source, refinements=("make it blue",))).outcome()
    assert "ui.root.append" in outcome.source
    assert outcome.repairs == ("mended_by_model",)
    first, second = one.llm.requests
    assert second.prompt.startswith(first.prompt.rstrip())
    assert "Your last answer held" not in first.prompt
    assert "Your last answer held n" in second.prompt


def block(search, replacement):
    return f"{SEARCH}\n{search}\n{DIVIDER}\n{replacement}\n{REPLACE}\n"


DOCUMENT = (
    '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Rows</title></head>\n'
    '<body><h1>Rows</h1><main></main>\n<script type="module">\n'
    'import { App } from "@modelcontextprotocol/ext-apps";\n'
    'const app = new App({ name: "view", version: "1.0.0" });\n'
    'app.ontoolresult = (result) => { document.querySelector("main").textContent = "x"; };\n'
    "await app.connect();\n</script></body></html>"
)


@pytest.mark.parametrize(("mode", "source"), [("fragment", VIEW), ("document", DOCUMENT)])
async def test_a_refinement_is_answered_with_the_changes_alone(mode, source):
    quoted = "'{}'" if mode == "fragment" else '"{}"'
    answer = block(quoted.format("x"), quoted.format("y"))
    one = generator(answer, mode=mode, validator=InProcessValidator())
    outcome = await one.run(task(source=source, refinements=("say y",))).outcome()
    assert (outcome.failure, outcome.repairs) == (None, ())
    assert quoted.format("y") in outcome.source
    whole = generator(source, mode=mode, validator=InProcessValidator())
    unchanged = (await whole.run(task()).outcome()).source
    assert outcome.source == unchanged.replace(quoted.format("x"), quoted.format("y"))
    assert SEARCH in one.llm.requests[0].prompt


async def test_a_change_without_a_place_is_retried_once_with_the_finding():
    one = generator(block("'z'", "'y'"), block("'x'", "'y'"), validator=InProcessValidator())
    outcome = await one.run(task(source=VIEW, refinements=("say y",))).outcome()
    assert "'y'" in outcome.source
    assert outcome.repairs == ("mended_by_model",)
    first, second = one.llm.requests
    assert second.prompt.startswith(first.prompt.rstrip())
    assert "patch.missing" not in first.prompt
    assert "patch.missing" in second.prompt
    assert "Your last answer held" not in second.prompt


async def test_a_change_without_a_place_may_be_followed_by_the_whole_view():
    one = generator(block("'z'", "'y'"), VIEW.replace("'x'", "'y'"), validator=InProcessValidator())
    outcome = await one.run(task(source=VIEW, refinements=("say y",))).outcome()
    assert "'y'" in outcome.source


async def test_changes_that_have_no_place_twice_end_the_refinement_and_the_reason_says_why():
    one = generator(block("'z'", "'y'"), block("div", "p"), VIEW, validator=InProcessValidator())
    outcome = await one.run(task(source=VIEW, refinements=("say y",))).outcome()
    assert outcome.failure.kind is FailureKind.INVALID
    assert "more than once" in outcome.failure.reason
    assert outcome.source == ""
    assert len(one.llm.requests) == 2


async def test_a_changed_view_is_checked_as_a_whole():
    evil = block("ui.el('p', {}, 'x')", "window['par' + 'ent'].name")
    one = generator(evil, VIEW, validator=InProcessValidator())
    outcome = await one.run(task(source=VIEW, refinements=("say y",))).outcome()
    assert outcome.failure.kind is FailureKind.INVALID
    assert [each.rule for each in outcome.findings] == ["frame.access"]
    assert len(one.llm.requests) == 1


async def test_a_changed_view_that_does_not_parse_is_corrected_block_by_block():
    script = "<script>function render(data, ui) { ui.root.append('y'); }</script><!--end-->"
    one = generator(block("'x')", "'y'"), script, validator=InProcessValidator())
    outcome = await one.run(task(source=VIEW, refinements=("say y",))).outcome()
    assert "'y'" in outcome.source
    assert "<div class='view'>" in outcome.source
    assert "script.parses" in one.llm.requests[1].prompt


async def test_a_nonce_in_a_replacement_is_found():
    nonce = NumberedIdentity().nonce()
    one = generator(block("'x'", f"'{nonce}'"), validator=InProcessValidator())
    outcome = await one.run(task(source=VIEW, refinements=("say y",))).outcome()
    assert [each.rule for each in outcome.findings] == ["hijack.nonce"]


@pytest.mark.parametrize(
    ("mode", "source"),
    [
        ("document", VIEW),
        ("fragment", DOCUMENT),
        ("fragment", VIEW.replace("</style>", "\n=======\n</style>")),
    ],
    ids=["a fragment for a document", "a document for a fragment", "marker lines"],
)
async def test_a_view_that_blocks_cannot_change_is_requested_whole(mode, source):
    one = generator("a view", mode=mode)
    await one.run(task(source=source, refinements=("say y",))).outcome()
    (request,) = one.llm.requests
    assert SEARCH not in request.prompt
    assert source.strip() in request.prompt


async def test_a_first_view_is_never_a_patch():
    one = generator(block("a", "b"), VIEW, validator=InProcessValidator())
    assert (await one.run(task()).outcome()).source
    assert "Your last answer held none" in one.llm.requests[1].prompt


async def test_a_model_that_answers_in_prose_twice_is_not_asked_a_third_time():
    one = generator(PROSE, PROSE, VIEW, validator=InProcessValidator())
    outcome = await one.run(task()).outcome()
    assert outcome.failure.kind is FailureKind.INVALID
    assert [each.rule for each in outcome.findings] == ["view.missing"]
    assert len(one.llm.requests) == 2


class Shapes(ShapeLearning):
    """Learned shapes that a test sets."""

    learned = None

    def latest(self, facts):
        return facts if self.learned is None else facts.with_shape(self.learned)


@define
class Waiting:
    """A task that waits for the shape of a result, with a clock that the test sets."""

    shapes: Shapes = field(factory=lambda: Shapes(keeps_values=False))
    clock: HandClock = field(factory=HandClock)
    prepared: list = field(factory=list)
    end: object = None

    async def run(self, tasks, tool=PLAIN, most_ms=1000):
        self.end = self.shapes.call_begins("say")

        async def prepare():
            self.prepared.append(await self.shapes.wait_for_shape(Facts(tool=tool), self.clock, most_ms))

        tasks.start_soon(prepare)
        await self.settled()

    async def settled(self):
        """Let the task check for the shape several times."""
        for _ in range(3):
            await anyio.sleep(0.02)


@pytest.fixture
async def tasks():
    async with anyio.create_task_group() as group:
        yield group
        group.cancel_scope.cancel()


LEARNED = {"type": "object", "properties": {"rows": {"type": "array"}}}


async def test_a_generation_that_starts_with_a_call_waits_for_its_shape(tasks):
    one = Waiting()
    await one.run(tasks)
    one.clock.advance(120)
    await one.settled()
    assert one.prepared == []
    one.shapes.learned = LEARNED
    await one.settled()
    ((facts, waited_ms),) = one.prepared
    assert (facts.learned_shape, waited_ms) == (LEARNED, 120)


async def test_a_generation_waits_for_a_shape_at_most_300_ms(tasks):
    one = Waiting()
    await one.run(tasks)
    one.clock.advance(299)
    await one.settled()
    assert one.prepared == []
    one.clock.advance(1)
    await one.settled()
    ((facts, waited_ms),) = one.prepared
    assert (facts.learned_shape, waited_ms) == (None, 300)


async def test_a_generation_does_not_wait_for_a_shape_beyond_its_budget(tasks):
    one = Waiting()
    await one.run(tasks, most_ms=100)
    one.clock.advance(100)
    await one.settled()
    assert [waited_ms for _, waited_ms in one.prepared] == [100]


async def test_a_generation_does_not_wait_for_a_shape_without_a_call_of_that_tool(tasks):
    one = Waiting()
    await one.run(tasks, TOOL)
    assert [waited_ms for _, waited_ms in one.prepared] == [0]


async def test_a_generation_stops_waiting_when_the_call_ends_without_a_shape(tasks):
    one = Waiting()
    await one.run(tasks)
    one.clock.advance(40)
    one.end()
    await one.settled()
    assert [(facts.learned_shape, waited_ms) for facts, waited_ms in one.prepared] == [(None, 40)]
