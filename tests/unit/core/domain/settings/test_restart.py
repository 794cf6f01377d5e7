from genui_core.domain.settings.upstream_settings import STABLE_AFTER_S, Restarts, UpstreamSettings


def test_the_delays_of_an_upstream_that_dies_young_double_up_to_the_limit():
    restarts = Restarts(UpstreamSettings())
    assert [restarts.died() for _ in range(7)] == [1, 2, 4, 8, 16, 30, 30]
    assert restarts.count == 7


def test_an_upstream_that_dies_young_is_started_at_most_six_times_in_any_minute():
    """This holds also if the first life was just long enough to count as stable."""
    for stable_lives in range(4):
        restarts, now, starts = Restarts(UpstreamSettings()), 0.0, [0.0]
        for number in range(40):
            if number < stable_lives:
                now += STABLE_AFTER_S
                restarts.was_stable()
            now += restarts.died()
            starts.append(now)
        most = max(sum(start <= each < start + 60 for each in starts) for start in starts)
        assert most == 6


def test_an_upstream_is_restarted_at_once_after_a_stable_life():
    restarts = Restarts(UpstreamSettings())
    for _ in range(4):
        restarts.died()
    restarts.was_stable()
    assert [restarts.died(), restarts.died()] == [0, 1]


def test_the_delays_follow_the_settings():
    restarts = Restarts(
        UpstreamSettings(reconnect_delay_ms=100, max_reconnect_delay_ms=1000, reconnect_backoff_multiplier=3)
    )
    assert [round(restarts.died(), 3) for _ in range(5)] == [0.1, 0.3, 0.9, 1.0, 1.0]
