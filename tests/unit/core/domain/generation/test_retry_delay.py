"""The delay before a failed request to a model is retried, and when it is not (requirement G4)."""

import pytest

from genui_core.domain.generation.outcome import retry_delay_ms
from genui_core.domain.settings.llm_settings import GenerationSettings
from genui_core.errors import ProviderErrorCode, ProviderFailed


def delay_ms(failures=1, code=ProviderErrorCode.SERVER_ERROR, elapsed_ms=0, settings=None, **more):
    settings = GenerationSettings(**(settings or {}))
    return retry_delay_ms(ProviderFailed(code, "no", **more), failures, settings, elapsed_ms)


def test_a_request_is_retried_with_growing_delays_and_a_limit():
    assert [delay_ms(failures) for failures in (1, 2, 3)] == [1000, 2000, None]


def test_the_retry_delay_of_the_provider_counts():
    assert delay_ms(retry_after_ms=7000) == 7000
    assert delay_ms(settings={"retry_delay_ms": 4000}) == 4000
    assert delay_ms(settings={"retry_delay_ms": 9000}) == 5000


def test_no_wait_begins_that_the_budget_cannot_cover():
    assert delay_ms(elapsed_ms=59_500) is None
    assert delay_ms(elapsed_ms=50_000, retry_after_ms=60_000) is None


@pytest.mark.parametrize("code", ["INVALID_REQUEST", "AUTHENTICATION", "CONTENT_FILTERED", "ABORTED"])
def test_a_failure_that_a_retry_cannot_fix_is_not_retried(code):
    assert delay_ms(code=ProviderErrorCode(code)) is None


def test_a_rate_limit_may_be_final():
    assert delay_ms(code=ProviderErrorCode.RATE_LIMIT, retryable=False) is None
