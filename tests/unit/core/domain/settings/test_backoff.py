"""Delays grow from one failure to the next, up to a limit, and chance only shortens them."""

from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.settings.upstream_settings import UpstreamSettings

CHANCES = st.floats(0, 1)
FAILURES = st.integers(1, 10_000)


def test_the_default_is_a_second_doubling_to_half_a_minute():
    delays = [UpstreamSettings().delay_ms(failures) for failures in range(9)]
    assert delays == [0, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]


@given(FAILURES, CHANCES)
def test_no_delay_is_longer_than_the_limit_or_shorter_than_four_fifths(failures, chance):
    delay = UpstreamSettings().delay_ms(failures, chance)
    longest = UpstreamSettings().delay_ms(failures)
    assert longest * 0.8 <= delay <= longest <= 30_000


def test_a_multiplier_of_one_and_a_limit_below_the_beginning_are_obeyed():
    steady = UpstreamSettings(reconnect_delay_ms=500, reconnect_backoff_multiplier=1)
    assert steady.delay_ms(10_000) == 500
    assert UpstreamSettings(reconnect_delay_ms=5000, max_reconnect_delay_ms=1000).delay_ms(1) == 1000
