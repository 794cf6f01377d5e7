from genui_core.domain.session.upstream_answers import AGES, Asked, InFlight


def asked(method="tools/call"):
    return Asked(method)


def test_each_request_is_answered_once():
    flight = InFlight()
    flight.add(1, asked())
    assert flight.answered(1).method == "tools/call"
    assert flight.answered(1) is None
    assert flight.lost() == []


def test_a_chunk_of_answers_counts_only_as_a_whole():
    flight = InFlight()
    for request_id in (1, 2):
        flight.add(request_id, asked())
    flight.add(3, Asked("tools/list", editor=object()))
    assert not flight.answered_plainly([1, 3], b"")
    assert not flight.answered_plainly([1, 9], b"")
    assert not flight.ever_answered
    assert flight.answered_plainly([1, 2], b"")
    assert flight.ever_answered
    assert [request_id for request_id, _ in flight.lost()] == [3]


def test_a_request_is_overdue_after_its_ages_and_its_late_answer_is_known_once():
    flight = InFlight()
    flight.add(1, asked())
    for _ in range(AGES):
        assert flight.grow_older() == []
    assert [request_id for request_id, _ in flight.grow_older()] == [1]
    assert flight.is_empty
    assert flight.knows_late(1)
    assert (flight.is_late(1), flight.is_late(1), flight.is_late(2)) == (True, False, False)


def test_a_stream_is_never_overdue():
    flight = InFlight()
    flight.add(1, asked("subscriptions/listen"))
    assert [flight.grow_older() for _ in range(AGES + 3)] == [[]] * (AGES + 3)
