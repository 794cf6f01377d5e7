"""The figures of a blind comparison, and the letters that hide the makers from its judges."""

import pytest
from preference_tally import BadAnswerError, makers_by_letter, report, share_before, votes, worst

MAKERS = ("ours", "minimal", "peer")
KEY = {"1": {"A": "peer", "B": "ours", "C": "minimal"}, "2": {"A": "ours", "B": "minimal", "C": "peer"}}


def answer(number, rank="ABC", points=(8, 7, 3), **more):
    return {"set": number, "overall": dict(zip("ABC", points, strict=True)), "rank": [*rank], **more}


def said(*answers, judge="one"):
    return list(votes(judge, list(answers), KEY))


def test_letters_are_the_same_for_the_same_seed_and_every_order_occurs():
    assert makers_by_letter(7, 3, MAKERS) == makers_by_letter(7, 3, reversed(MAKERS))
    orders = {tuple(makers_by_letter(7, number, MAKERS).values()) for number in range(60)}
    assert len(orders) == 6
    assert makers_by_letter(7, 1, ("ours", "minimal")).keys() == {"A", "B"}


def test_a_vote_is_by_maker():
    first, second = said(answer(1, "BAC", words="B is clear", misleading=["A"]), answer(2))
    assert first.ranking == ("ours", "peer", "minimal")
    assert first.points == {"peer": 8, "ours": 7, "minimal": 3}
    assert (first.misleading, first.words) == (("peer",), "B is clear")
    assert second.ranking == ("ours", "minimal", "peer")


def test_the_share_counts_each_vote_with_both_makers():
    all_votes = [*said(answer(1), answer(2)), *said(answer(1, "BAC"), answer(2), judge="two")]
    assert share_before(all_votes, "ours", "peer") == (3, 4)
    assert share_before(all_votes, "minimal", "peer") == (2, 4)
    assert share_before(all_votes, "ours", "nobody") == (0, 0)


def test_the_worst_sets_come_first():
    all_votes = [
        *said(answer(1, points=(1, 9, 1)), answer(2, points=(4, 1, 1))),
        *said(answer(1), answer(2, points=(5, 1, 1)), judge="two"),
    ]
    assert worst(all_votes, "ours") == [2, 1]
    assert worst(all_votes, "ours", 1) == [2]


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ({}, "must be a list"),
        ([answer(1)], "no answer for set 2"),
        ([answer(1), answer(1), answer(2)], "'1' is unknown or answered twice"),
        ([answer(1), answer(3)], "'3' is unknown"),
        ([answer(1, "AB"), answer(2)], "rank must hold each of A, B, C"),
        ([answer(1, "ABB"), answer(2)], "rank must hold each"),
        ([answer(1, points=(11, 1, 1)), answer(2)], "0 to 10"),
        ([answer(1, points=(True, 1, 1)), answer(2)], "0 to 10"),
        ([{**answer(1), "overall": {"A": 1}}, answer(2)], "0 to 10"),
        ([answer(1, misleading=["D"]), answer(2)], "misleading must be"),
        ([7, answer(2)], "unknown"),
    ],
)
def test_answers_that_cannot_be_counted_are_refused_with_their_place(answers, problem):
    with pytest.raises(BadAnswerError, match=problem):
        list(votes("one", answers, KEY))


def test_the_report_has_every_figure():
    all_votes = [
        *said(answer(1, "BAC", misleading=["C"], words="too grey"), answer(2)),
        *said(answer(1), answer(2), judge="two"),
    ]
    served = [
        {
            "outcome": "at once",
            "prompt_tokens": 2000.0,
            "answer_tokens": 300.0,
            "console_errors": {"peer": 2, "ours": 0},
        },
        {"outcome": "repaired", "prompt_tokens": 2200.0, "answer_tokens": 400.0, "console_errors": {}},
        {"outcome": "not written"},
    ]
    assert report(all_votes, served).splitlines() == [
        "judges: 2, votes: 4",
        "ours before peer: 3 of 4 (75%)",
        "minimal before peer: 2 of 4 (50%)",
        "ours: mean 7.5, first 3",
        "minimal: mean 5.0, first 0",
        "peer: mean 5.5, first 1",
        "called misleading: minimal 1",
        "served: at once 1, repaired 1, not written 1",
        "prompt tokens, median: 2,100",
        "answer tokens, median: 350",
        "console errors: peer 2",
        "worst set 1: too grey",
        "worst set 2: ",
    ]


def test_the_report_without_pages_of_a_peer_compares_none_with_it():
    key = {"1": {"A": "ours", "B": "minimal"}}
    two = {"set": 1, "overall": {"A": 8, "B": 3}, "rank": ["A", "B"]}
    text = report(list(votes("one", [two], key)), [])
    assert "peer" not in text
    assert "served: none" in text
