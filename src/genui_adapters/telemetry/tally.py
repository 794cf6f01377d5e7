"""Counts events in one place; all metrics exporters read these counts."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final

from attrs import define, field, frozen

from genui_adapters.telemetry.measures import COUNTED, Measure
from genui_core.ports.event_log import EventLog, Level

BUCKETS_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
"""The upper ends of the classes of durations, in seconds."""
_BEGINS, _ENDS = "generation_started", frozenset({"generation_completed", "generation_cancelled"})


@frozen
class Durations:
    """How long the generations of one outcome took.

    Attributes:
        counts: How many took at most as long as each of `BUCKETS_S`, and how many there were.
        sum_s: How long they took together, in seconds.
    """

    counts: tuple[int, ...]
    sum_s: float


@define(eq=False)
class Tally:
    """Counts. May be asked, and told, from any thread.

    Attributes:
        when_completed: Called with the seconds and the outcome of every generation that was completed.
    """

    when_completed: list[Callable[[float, str], None]] = field(factory=list)
    _totals: dict[tuple[str, str], float] = field(factory=lambda: defaultdict(float))
    _durations_s: dict[str, list[float]] = field(factory=dict)
    _in_flight: int = 0
    _turn: Lock = field(factory=Lock)

    def take(self, event: str, metadata: Mapping[str, object]) -> None:
        """Count an event."""
        counts = COUNTED.get(event, ())
        if not counts and event != _BEGINS:
            return
        with self._turn:
            for each in counts:
                self._totals[each.measure.name, each.value_of(metadata)] += each.amount_of(metadata)
            self._in_flight += (event == _BEGINS) - (event in _ENDS)
        if event == "generation_completed":
            self._completed(metadata)

    def _completed(self, metadata: Mapping[str, object]) -> None:
        milliseconds, outcome = metadata.get("duration_ms"), str(metadata.get("outcome") or "other")
        seconds = milliseconds / 1000 if isinstance(milliseconds, int | float) else 0.0
        with self._turn:
            counts = self._durations_s.setdefault(outcome, [0.0] * (len(BUCKETS_S) + 2))
            for place, most in enumerate((*BUCKETS_S, float("inf"))):
                counts[place] += seconds <= most
            counts[-1] += seconds
        for tell in self.when_completed:
            tell(seconds, outcome)

    @property
    def in_flight(self) -> int:
        """How many generations are under way."""
        return self._in_flight

    def totals(self, measure: Measure) -> dict[str, float]:
        """Return the totals of a measure by the values of its label; without one, there is only ""."""
        with self._turn:
            found = {value: total for (name, value), total in self._totals.items() if name == measure.name}
        return found if found or measure.label else {"": 0.0}

    def durations(self) -> dict[str, Durations]:
        """Return how long generations took, by their outcome."""
        with self._turn:
            return {
                outcome: Durations(tuple(map(int, counts[:-1])), counts[-1])
                for outcome, counts in self._durations_s.items()
            }


@frozen
class CountingEventLog(EventLog):
    """Counts every event, and hands it on.

    Args:
        inner: Keeps the events that are worth a line to it.
        tally: Counts all of them, whatever their level.
    """

    inner: EventLog
    tally: Tally

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Count the event, and hand it on."""
        self.tally.take(event, metadata)
        self.inner.record(level, component, event, **metadata)
