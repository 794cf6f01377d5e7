from genui_core.domain.session.upstream_answers import AGES, Asked, InFlight

LIMIT_S = 8.0


def asked(method="tools/call"):
    return Asked(method)


class Clock:
    """The timers of a table of requests; it records which requests were overdue."""

    def __init__(self, limit_s=None):
        self.steps, self.delays_s, self.overdue = [], set(), []
        self.flight = InFlight(
            self.later, limit_s, lambda request_id, _asked: self.overdue.append(request_id)
        )

    def later(self, delay_s, step):
        self.delays_s.add(delay_s)
        self.steps.append(step)

    def tick(self):
        for step in (steps := self.steps.copy()):
            step()
        del self.steps[: len(steps)]


def test_each_request_is_answered_once():
    flight = Clock().flight
    flight.add(1, asked())
    assert flight.settle(1).method == "tools/call"
    assert flight.settle(1) is None
    assert flight.drop_all() == []


def test_a_chunk_of_answers_counts_only_as_a_whole():
    flight = Clock().flight
    for request_id in (1, 2):
        flight.add(request_id, asked())
    flight.add(3, Asked("tools/list", editor=object()))
    assert not flight.settle_plain([1, 3], b"")
    assert not flight.settle_plain([1, 9], b"")
    assert not flight.ever_answered
    assert flight.settle_plain([1, 2], b"")
    assert flight.ever_answered
    assert [request_id for request_id, _ in flight.drop_all()] == [3]


def test_a_request_is_overdue_after_its_ages():
    clock = Clock(LIMIT_S)
    clock.flight.add(1, asked())
    for _ in range(AGES):
        clock.tick()
        assert clock.overdue == []
    clock.tick()
    assert clock.overdue == [1]
    assert clock.flight.drop_all() == []
    assert clock.delays_s == {LIMIT_S / AGES}
    assert not clock.steps  # nothing is asked, and nothing waits


def test_a_late_answer_is_known_once():
    clock = Clock(LIMIT_S)
    clock.flight.add(1, asked())
    for _ in range(AGES + 1):
        clock.tick()
    assert clock.flight.awaits_late(1)
    assert [clock.flight.settle_late(each) for each in (1, 1, 2)] == [True, False, False]


def test_a_stream_is_never_overdue():
    clock = Clock(LIMIT_S)
    clock.flight.add(1, asked("subscriptions/listen"))
    for _ in range(AGES + 3):
        clock.tick()
    assert clock.overdue == []


def test_no_age_is_measured_without_a_limit():
    clock = Clock()
    clock.flight.add(1, asked())
    assert not clock.steps
