from genui_core.domain.backoff import Backoff
from genui_core.domain.restart import Restarts


def test_the_first_start_is_made_at_once_and_the_waits_double_up_to_the_longest():
    restarts = Restarts()
    assert [restarts.died() for _ in range(8)] == [0, 1, 2, 4, 8, 16, 30, 30]
    assert restarts.count == 8


def test_a_stable_life_makes_the_next_death_the_first_again():
    restarts = Restarts()
    for _ in range(4):
        restarts.died()
    restarts.was_stable()
    assert [restarts.died(), restarts.died()] == [0, 1]


def test_the_waits_follow_the_settings():
    restarts = Restarts(Backoff(100, 1000, 3))
    assert [round(restarts.died(), 3) for _ in range(5)] == [0, 0.1, 0.3, 0.9, 1.0]
