"""One generation, told step by step: whatever happens, it ends in a view that works."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.generation.completion import Completion, FinishReason
from genui_core.domain.generation.machine import Ask, Examine, FailureKind, Generation, Outcome, Purpose, Wait
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.domain.tools.classification import UiType
from genui_core.domain.validation.finding import Block, Finding, Ruling, Severity, ValidationReport
from genui_core.errors import ProviderErrorCode, ProviderFailed

FINDING = Finding(
    rule="script.parses",
    severity=Severity.ERROR,
    message="The script ends too early.",
    block=Block.SCRIPT,
    line=3,
    column=1,
)
BROKEN = ValidationReport(
    ruling=Ruling.FIXABLE, source="…", findings=(FINDING,), broken=Block.SCRIPT, excerpt="function"
)
GOOD = ValidationReport(ruling=Ruling.ACCEPTED, source="<style>…")
REFUSED = ValidationReport(ruling=Ruling.REFUSED, source="", findings=(FINDING,))


def generation(ui_type=UiType.RICH, *, elapsed_ms=0, **policy):
    return Generation(ui_type, GenerationSettings(**policy), lambda: elapsed_ms)


def answer(text="a view"):
    return Completion(
        text=text, model="m", finish=FinishReason.STOP, request_id="r", input_tokens=10, output_tokens=5
    )


def failure(code=ProviderErrorCode.SERVER_ERROR, **more):
    return ProviderFailed(code, "no", **more)


def outcome_of(step):
    assert isinstance(step, Outcome)
    return step


def test_a_good_answer_is_served():
    one = generation()
    assert one.begin() == Ask(Purpose.WRITE)
    assert one.answered(answer()) == Examine("a view")
    outcome = outcome_of(one.validated(GOOD))
    assert (outcome.source, outcome.ui_type, outcome.failure) == ("<style>…", UiType.RICH, None)
    assert (outcome.model, outcome.input_tokens, outcome.output_tokens) == ("m", 10, 5)


def test_a_tool_that_deserves_no_more_costs_no_question():
    outcome = outcome_of(generation(UiType.MINIMAL).begin())
    assert (outcome.ui_type, outcome.source, outcome.failure) == (UiType.MINIMAL, "", None)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("rich", "rich"),
        ("`Rich`.", "rich"),
        ("minimal", "minimal"),
        ("It is rich", "minimal"),
        ("", "minimal"),
    ],
)
def test_where_no_rule_knows_the_model_says_one_word(word, kind):
    one = generation(UiType.UNDETERMINED)
    assert one.begin() == Ask(Purpose.CLASSIFY)
    step = one.answered(answer(word))
    assert step == Ask(Purpose.WRITE) if kind == "rich" else outcome_of(step).ui_type is UiType.MINIMAL


def test_a_broken_answer_is_mended_once():
    one = generation()
    one.begin()
    one.answered(answer())
    assert one.validated(BROKEN) == Ask(Purpose.REPAIR, BROKEN)
    assert one.answered(answer("mended")) == Examine("mended", BROKEN)
    assert outcome_of(one.validated(GOOD)).repairs == ("mended_by_model",)


def test_what_is_broken_twice_or_refused_ends_in_the_minimal_ui_with_the_reason():
    for reports in ((BROKEN, BROKEN), (REFUSED,), (BROKEN, REFUSED)):
        one = generation()
        one.begin()
        for report in reports:
            one.answered(answer())
            step = one.validated(report)
        outcome = outcome_of(step)
        assert (outcome.ui_type, outcome.source) == (UiType.MINIMAL, "")
        assert outcome.failure.kind is FailureKind.INVALID
        assert outcome.failure.reason == FINDING.message
        assert outcome.findings == (FINDING,)


def test_a_question_is_repeated_after_growing_waits_and_then_given_up():
    one = generation()
    ask = one.begin()
    assert one.failed(failure()) == Wait(1000, ask)
    assert one.failed(failure()) == Wait(2000, ask)
    outcome = outcome_of(one.failed(failure()))
    assert outcome.failure.kind is FailureKind.FAILED
    assert "SERVER_ERROR" in outcome.failure.reason


def test_each_question_has_attempts_of_its_own():
    one = generation()
    one.begin()
    one.failed(failure())
    one.failed(failure())
    one.answered(answer())
    mend = one.validated(BROKEN)
    assert one.failed(failure()) == Wait(1000, mend)


def test_the_provider_says_how_long_it_wants_to_be_left_alone():
    assert generation().failed(failure(retry_after_ms=7000)).delay_ms == 7000
    assert generation(retry_delay_ms=4000).failed(failure()).delay_ms == 4000
    assert generation(retry_delay_ms=9000).failed(failure()).delay_ms == 5000


def test_no_wait_begins_that_the_budget_cannot_cover():
    step = generation(elapsed_ms=59_500).failed(failure())
    assert outcome_of(step).failure.kind is FailureKind.FAILED
    assert isinstance(generation(elapsed_ms=50_000).failed(failure(retry_after_ms=60_000)), Outcome)


@pytest.mark.parametrize("code", ["INVALID_REQUEST", "AUTHENTICATION", "CONTENT_FILTERED", "ABORTED"])
def test_what_no_other_try_can_mend_is_given_up_at_once(code):
    assert isinstance(generation().failed(failure(ProviderErrorCode(code))), Outcome)


def test_a_rate_limit_may_be_final():
    assert isinstance(generation().failed(failure(ProviderErrorCode.RATE_LIMIT, retryable=False)), Outcome)


def test_when_time_is_up_it_says_so():
    one = generation(timeout_ms=1500)
    one.begin()
    assert one.out_of_time().failure.kind is FailureKind.TIMEOUT
    assert "1500 ms" in one.out_of_time().failure.reason


@given(st.data(), st.sampled_from(UiType), st.integers(0, 3))
def test_it_always_ends_and_asks_no_more_than_it_may(data, ui_type, max_retries):
    one = generation(ui_type, max_retries=max_retries)
    step, asked = one.begin(), 0
    while not isinstance(step, Outcome):
        if isinstance(step, Examine):
            step = one.validated(data.draw(st.sampled_from([GOOD, BROKEN, REFUSED])))
            continue
        step = step.then if isinstance(step, Wait) else step
        asked += 1
        reply = data.draw(st.sampled_from(["rich", "minimal", None]))
        step = one.failed(failure()) if reply is None else one.answered(answer(reply))
    assert asked <= 3 * (max_retries + 1)
    assert (step.source == "") == (step.ui_type is UiType.MINIMAL)
