from genui_adapters.io.loop_upstream import Allowance


def test_an_allowance_passes_a_burst_and_then_a_number_per_second():
    allowance = Allowance(most=3, per_s=2)
    assert [allowance.take(10) for _ in range(5)] == [True, True, True, False, False]
    assert [allowance.take(10.4), allowance.take(10.5), allowance.take(10.6)] == [False, True, False]


def test_an_unused_allowance_does_not_accumulate():
    allowance = Allowance(most=3, per_s=2)
    assert [allowance.take(0) for _ in range(3)] == [True] * 3
    assert [allowance.take(1000) for _ in range(4)] == [True, True, True, False]
