"""Delays grow from one failure to the next, up to a limit, and chance only shortens them."""

from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.settings.upstream_settings import Backoff

CHANCES = st.floats(0, 1)
FAILURES = st.integers(1, 10_000)


def test_the_default_is_a_second_doubling_to_half_a_minute():
    delays = [Backoff().delay_ms(failures) for failures in range(9)]
    assert delays == [0, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]


@given(FAILURES, CHANCES)
def test_no_delay_is_longer_than_the_limit_or_shorter_than_four_fifths(failures, chance):
    delay = Backoff().delay_ms(failures, chance)
    longest = Backoff().delay_ms(failures)
    assert longest * 0.8 <= delay <= longest <= 30_000


def test_a_multiplier_of_one_and_a_limit_below_the_beginning_are_obeyed():
    assert Backoff(500, 30_000, 1).delay_ms(10_000) == 500
    assert Backoff(5000, 1000).delay_ms(1) == 1000
