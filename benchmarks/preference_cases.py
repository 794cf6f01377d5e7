"""Choose the tools of a blind comparison: recorded calls of different servers, spread over kinds of results."""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen
from recorded_views import RecordedCall, calls_of, folders

CASES = 12
_MANY_PARAMETERS = 6
_FEWEST_ROWS = 3
_FEWEST_FIELDS = 2
_LONG = 60
_DEEP = 3
_DATE = re.compile(r"\d{4}-\d\d(-\d\d|$)")
_WRITES = re.compile(
    r"(?:^|[_-])(create|write|add|append|delete|remove|update|set|send|insert|save|make)", re.IGNORECASE
)
_SEARCHES = re.compile(r"(?:^|[_-])(search|find|query|lookup)", re.IGNORECASE)
_FORMATTED = re.compile(r"^(#{1,6} |```|[-*] .*\n[-*] )|\*\*\S", re.MULTILINE)
_NUMBER = re.compile(r"-?\d[\d.,]*(e[+-]?\d+)?", re.IGNORECASE)


@frozen
class Case:
    """One recorded call of a comparison.

    Attributes:
        number: The number within its round, from 1.
        kind: The kind of result for which it was chosen.
        call: The call.
    """

    number: int
    kind: str
    call: RecordedCall

    @property
    def name(self) -> str:
        """The name of the case's folders."""
        return f"{self.number:02}"

    def as_data(self) -> dict[str, object]:
        """Return the data that identifies the case."""
        tool = self.call.tool
        return {
            "number": self.number,
            "kind": self.kind,
            "server": tool.server,
            "tool": tool.name,
            "call": self.call.number,
        }


def recorded_calls(recordings: Path) -> list[RecordedCall]:
    """Return every recorded call of a tool that its server lists."""
    return [
        each
        for folder in folders(recordings)
        for each in calls_of(folder)
        if "inputSchema" in each.tool.definition
    ]


def case_of(data: dict[str, Any], recordings: Path) -> Case:
    """Return the case that `Case.as_data` identified."""
    calls = calls_of(recordings / data["server"])
    return Case(data["number"], data["kind"], calls[data["call"]])


def choose(calls: list[RecordedCall], seed: int, round_number: int = 1, count: int = CASES) -> list[Case]:
    """Return the cases of a round: the same for the same seed, and no tool of an earlier round.

    Args:
        calls: All recorded calls.
        seed: The seed of the whole comparison.
        round_number: The number of the round, from 1.
        count: The number of cases, each of another server.

    Raises:
        ValueError: Too few servers are left.
    """
    left = list(calls)
    for number in range(1, round_number + 1):
        picked = _pick(left, random.Random(f"{seed} {number}"), count)  # noqa: S311 -- no secret
        if len(picked) < count:
            raise ValueError(
                f"Round {number} has {len(picked)} servers with a tool that is left; {count} are needed."
            )
        taken = {_identity(each) for _, each in picked}
        left = [each for each in left if _identity(each) not in taken]
    return [Case(number, kind, call) for number, (kind, call) in enumerate(picked, 1)]


def _pick(calls: list[RecordedCall], chance: random.Random, count: int) -> list[tuple[str, RecordedCall]]:
    """Pick one call of each kind, the rarest kind first, then any; each of another server."""
    good = [each for each in calls if not each.result.get("isError")]
    fitting = {kind: [each for each in calls if fits(each)] for kind, fits in KINDS.items()}
    picked: list[tuple[str, RecordedCall]] = []
    for kind in (
        *sorted(fitting, key=lambda each: len({_identity(one) for one in fitting[each]})),
        *("any",) * count,
    ):
        servers = {each.tool.server for _, each in picked}
        free = [each for each in fitting.get(kind, good) if each.tool.server not in servers]
        if free and len(picked) < count:
            picked.append((kind, _one(free, chance)))
    chance.shuffle(picked)
    return picked


def _one(calls: list[RecordedCall], chance: random.Random) -> RecordedCall:
    """Pick a server, then one of its calls, so that a server with many calls has no better chance."""
    server = chance.choice(sorted({each.tool.server for each in calls}))
    return chance.choice([each for each in calls if each.tool.server == server])


def _identity(call: RecordedCall) -> tuple[str, str]:
    return call.tool.server, call.tool.name


def kinds_of(call: RecordedCall) -> set[str]:
    """Return the kinds of a call."""
    return {kind for kind, fits in KINDS.items() if fits(call)}


def _succeeds(fits: Callable[[RecordedCall], bool]) -> Callable[[RecordedCall], bool]:
    return lambda call: not call.result.get("isError") and fits(call)


def _is_table(call: RecordedCall) -> bool:
    return any(_scalars(rows[0]) > _FEWEST_FIELDS for rows in _lists(_data(call)))


def _is_time_series(call: RecordedCall) -> bool:
    def is_dated(row: dict[str, Any]) -> bool:
        values = row.values()
        has_date = any(isinstance(each, str) and _DATE.match(each) for each in values)
        return has_date and any(
            isinstance(each, int | float) and not isinstance(each, bool) for each in values
        )

    return any(is_dated(rows[0]) for rows in _lists(_data(call)))


def _is_nested(call: RecordedCall) -> bool:
    return isinstance(_data(call), dict) and _depth(_data(call)) >= _DEEP


def _is_markdown(call: RecordedCall) -> bool:
    return any(_FORMATTED.search(text) for text in _strings(_data(call)))


def _is_image(call: RecordedCall) -> bool:
    return any(each.get("type") == "image" for each in call.result.get("content") or ())


def _is_search(call: RecordedCall) -> bool:
    return bool(_SEARCHES.search(call.tool.name)) and bool(list(_lists(_data(call), 1)))


def _is_write(call: RecordedCall) -> bool:
    return bool(_WRITES.search(call.tool.name))


def _has_many_parameters(call: RecordedCall) -> bool:
    return len((call.tool.definition.get("inputSchema") or {}).get("properties") or ()) >= _MANY_PARAMETERS


def _is_number(call: RecordedCall) -> bool:
    data = _data(call)
    only = next(iter(data.values())) if isinstance(data, dict) and len(data) == 1 else data
    return bool(_NUMBER.fullmatch(str(only).strip())) and not isinstance(only, bool)


def _is_records(call: RecordedCall) -> bool:
    return any(any(len(text) >= _LONG for text in _strings(rows[0])) for rows in _lists(_data(call), 2))


def _is_status(call: RecordedCall) -> bool:
    data = _data(call)
    return (
        isinstance(data, str) and not _is_number(call) and 0 < len(data) <= 4 * _LONG and not _is_image(call)
    )


KINDS: dict[str, Callable[[RecordedCall], bool]] = {
    "table": _succeeds(_is_table),
    "time series": _succeeds(_is_time_series),
    "nested object": _succeeds(_is_nested),
    "markdown": _succeeds(_is_markdown),
    "image": _succeeds(_is_image),
    "search results": _succeeds(_is_search),
    "write action": _succeeds(_is_write),
    "many parameters": _succeeds(_has_many_parameters),
    "single number": _succeeds(_is_number),
    "error": lambda call: bool(call.result.get("isError")),
    "list of records": _succeeds(_is_records),
    "status text": _succeeds(_is_status),
}
"""The kinds that a round covers, and the test whether a call is of a kind."""


def _data(call: RecordedCall) -> object:
    """Return the data of a result, or its joined texts."""
    structured = call.result.get("structuredContent")
    texts = [each["text"] for each in call.result.get("content") or () if isinstance(each.get("text"), str)]
    found = [each for each in (structured, *map(_read, texts)) if each]
    return found[0] if found else "\n\n".join(texts)


def _read(text: str) -> object:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def _lists(value: object, fewest: int = _FEWEST_ROWS) -> Iterator[list[dict[str, Any]]]:
    """Yield the lists of objects in data, at any depth."""
    if isinstance(value, list):
        if len(value) >= fewest and all(isinstance(each, dict) and each for each in value):
            yield value
        inner: Iterable[object] = value[:1]
    else:
        inner = value.values() if isinstance(value, dict) else ()
    for each in inner:
        yield from _lists(each, fewest)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(each)


def _scalars(row: dict[str, Any]) -> int:
    return sum(1 for each in row.values() if not isinstance(each, dict | list))


def _depth(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)
