"""Shuffle the pictures of a comparison, and count the answers of its judges."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from statistics import mean, median

from attrs import frozen

OURS, MINIMAL, PEER = "ours", "minimal", "peer"
LETTERS = "ABC"
_MOST_POINTS = 10


class BadAnswerError(ValueError):
    """A judge's answer cannot be counted; the message says where and why."""


@frozen
class Vote:
    """One judge's answer about one set, by the makers of its pictures.

    Attributes:
        judge: The judge's name.
        number: The set.
        points: The overall points of each maker, 0 to 10.
        ranking: The makers, best first.
        misleading: Makers whose picture states what the data does not support.
        words: The judge's sentence.
    """

    judge: str
    number: int
    points: Mapping[str, float]
    ranking: tuple[str, ...]
    misleading: tuple[str, ...] = ()
    words: str = ""

    def prefers(self, one: str, other: str) -> bool | None:
        """Return whether one maker ranks before another; None where one of them is not in the set."""
        if one not in self.ranking or other not in self.ranking:
            return None
        return self.ranking.index(one) < self.ranking.index(other)


def makers_by_letter(seed: int, number: int, makers: Iterable[str]) -> dict[str, str]:
    """Return the maker behind each letter of a set, always the same for the same seed."""
    order = sorted(makers)
    random.Random(f"{seed} set {number}").shuffle(order)  # noqa: S311 -- no secret
    return dict(zip(LETTERS, order, strict=False))


def votes(judge: str, answers: object, key: Mapping[str, Mapping[str, str]]) -> Iterator[Vote]:
    """Yield a judge's votes.

    Args:
        judge: The judge's name.
        answers: A list of ``{"set", "overall": {letter: points}, "rank": [letters], "misleading", "words"}``.
        key: The maker behind each letter, by the number of the set as text.

    Raises:
        BadAnswerError: A set is unknown, answered twice or missing, or its letters or points are wrong.
    """
    if not isinstance(answers, list):
        raise BadAnswerError(f"{judge}: the answers must be a list.")
    seen: set[str] = set()
    for each in answers:
        number = str(each.get("set")) if isinstance(each, dict) else ""
        if number not in key or number in seen:
            raise BadAnswerError(f"{judge}: set {number!r} is unknown or answered twice.")
        seen.add(number)
        yield _vote(judge, number, each, key[number])
    if missing := sorted(set(key) - seen):
        raise BadAnswerError(f"{judge}: no answer for set {', '.join(missing)}.")


def _vote(judge: str, number: str, answer: Mapping[str, object], makers: Mapping[str, str]) -> Vote:
    points, rank = answer.get("overall"), answer.get("rank")
    if not isinstance(rank, list) or sorted(map(str, rank)) != sorted(makers):
        raise BadAnswerError(
            f"{judge}, set {number}: rank must hold each of {', '.join(sorted(makers))} once."
        )
    if (
        not isinstance(points, dict)
        or set(points) != set(makers)
        or not all(map(_is_points, points.values()))
    ):
        raise BadAnswerError(f"{judge}, set {number}: overall must give each letter 0 to {_MOST_POINTS}.")
    misleading = answer.get("misleading") or []
    if not isinstance(misleading, list) or not set(misleading) <= set(makers):
        raise BadAnswerError(f"{judge}, set {number}: misleading must be a list of letters of the set.")
    return Vote(
        judge=judge,
        number=int(number),
        points={makers[letter]: float(each) for letter, each in points.items()},
        ranking=tuple(makers[letter] for letter in rank),
        misleading=tuple(makers[letter] for letter in misleading),
        words=str(answer.get("words", "")),
    )


def _is_points(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST_POINTS


def share_before(all_votes: Iterable[Vote], one: str, other: str) -> tuple[int, int]:
    """Return in how many votes one maker ranks before another, and of how many."""
    said = [preferred for each in all_votes if (preferred := each.prefers(one, other)) is not None]
    return sum(said), len(said)


def worst(all_votes: list[Vote], maker: str, count: int = 3) -> list[int]:
    """Return the sets in which a maker has the fewest points, worst first."""
    by_set: dict[int, list[float]] = {}
    for each in all_votes:
        if maker in each.points:
            by_set.setdefault(each.number, []).append(each.points[maker])
    return sorted(by_set, key=lambda number: (mean(by_set[number]), number))[:count]


def report(all_votes: list[Vote], served: list[Mapping[str, object]]) -> str:
    """Return the figures of a comparison as text.

    Args:
        all_votes: The votes of all judges.
        served: The figures of each case: ``outcome``, ``prompt_tokens``, ``answer_tokens``, ``console_errors``.
    """
    lines = [f"judges: {len({each.judge for each in all_votes})}, votes: {len(all_votes)}"]
    for maker in (OURS, MINIMAL):
        before, among = share_before(all_votes, maker, PEER)
        lines += [f"{maker} before peer: {before} of {among} ({before / among:.0%})"] if among else []
    for maker in (OURS, MINIMAL, PEER):
        points = [each.points[maker] for each in all_votes if maker in each.points]
        lines += [f"{maker}: mean {mean(points):.1f}, first {_first(all_votes, maker)}"] if points else []
    misleading = Counter(maker for each in all_votes for maker in set(each.misleading))
    lines.append(f"called misleading: {_counted(misleading)}")
    lines += _served_lines(served)
    lines += [f"worst set {number}: {_said_of(all_votes, number)}" for number in worst(all_votes, OURS)]
    return "\n".join(lines) + "\n"


def _first(all_votes: list[Vote], maker: str) -> int:
    return sum(1 for each in all_votes if each.ranking[0] == maker)


def _served_lines(served: list[Mapping[str, object]]) -> list[str]:
    outcomes = Counter(str(each["outcome"]) for each in served)
    lines = [f"served: {_counted(outcomes)}"]
    for name in ("prompt_tokens", "answer_tokens"):
        numbers = [each[name] for each in served if isinstance(each.get(name), int | float)]
        lines += [f"{name.replace('_', ' ')}, median: {median(numbers):,.0f}"] if numbers else []
    errors: Counter[str] = Counter()
    for each in served:
        said = each.get("console_errors")
        errors.update(said if isinstance(said, dict) else {})
    return [*lines, f"console errors: {_counted(errors)}"]


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in counts.most_common() if number) or "none"


def _said_of(all_votes: list[Vote], number: int) -> str:
    return " | ".join(each.words for each in all_votes if each.number == number and each.words)
