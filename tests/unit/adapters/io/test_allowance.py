from genui_adapters.io.loop_upstream import Allowance


def test_so_many_pass_at_once_and_then_so_many_a_second():
    allowance = Allowance(most=3, per_s=2)
    assert [allowance.take(10) for _ in range(5)] == [True, True, True, False, False]
    assert [allowance.take(10.4), allowance.take(10.5), allowance.take(10.6)] == [False, True, False]


def test_what_was_not_taken_does_not_pile_up():
    allowance = Allowance(most=3, per_s=2)
    assert [allowance.take(0) for _ in range(3)] == [True] * 3
    assert [allowance.take(1000) for _ in range(4)] == [True, True, True, False]
