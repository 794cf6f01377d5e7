"""The metrics, the events that count for each, and the tally that counts them (requirement O2).

Labels have few values, all defined by the wrapper: the name of an upstream's tool is never a label.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final

from attrs import frozen

from genui_core.ports.event_log import EventLog, Level

PREFIX: Final = "mcp_gen_ui_"
DURATION: Final = f"{PREFIX}generation_duration_seconds"
IN_FLIGHT: Final = f"{PREFIX}generations_in_flight"


@frozen
class Measure:
    """A counter, which only grows.

    Attributes:
        name: The counter's name, without the suffix that Prometheus adds.
    """

    name: str
    about: str
    label: str = ""


@frozen
class Count:
    """The amount that an event adds to a counter.

    Attributes:
        label: The value of the counter's label.
        key: The key of the event's metadata that holds the label's value instead.
        amount: The key of the event's metadata with the amount to add; without one, 1 is added.
    """

    measure: Measure
    label: str = ""
    key: str = ""
    amount: str = ""


def _measure(name: str, about: str, label: str = "") -> Measure:
    return Measure(PREFIX + name, about, label)


HITS = _measure("cache_hits", "Reads that found a view in the cache.")
MISSES = _measure("cache_misses", "Reads that found no view in the cache.")
KEPT = _measure("cache_entries_written", "Views that the cache stored.")
NOT_KEPT = _measure("cache_entries_refused", "Views that the cache did not store.")
DISTRUSTED = _measure("cache_entries_distrusted", "Entries that were found but not served.")
FAULTS = _measure("cache_faults", "Times when the cache stopped answering, or failed.")
GENERATIONS = _measure("generations", "Generations that ended.", "outcome")
FALLBACKS = _measure("fallbacks", "Generations that ended in the minimal view because they failed.", "reason")
MODEL_CALLS = _measure("model_calls", "Requests to the model.", "outcome")
TOKENS = _measure("model_tokens", "Tokens that the model read and wrote.", "direction")
TOOL_CALLS = _measure("tool_calls", "Calls of upstream tools.", "outcome")
RESTARTS = _measure("upstream_restarts", "Restarts of the connection to the upstream.")
FAILED = _measure("requests_failed", "Requests that the wrapper answered with an error.")

MEASURES: Final = (
    HITS, MISSES, KEPT, NOT_KEPT, DISTRUSTED, FAULTS, GENERATIONS, FALLBACKS,
    MODEL_CALLS, TOKENS, TOOL_CALLS, RESTARTS, FAILED,
)  # fmt: skip


COUNTED: Final[Mapping[str, tuple[Count, ...]]] = {
    "hit": (Count(HITS),),
    "miss": (Count(MISSES),),
    "set": (Count(KEPT),),
    "not_kept": (Count(NOT_KEPT),),
    "set_aside": (Count(DISTRUSTED),),
    "found_view_refused": (Count(DISTRUSTED),),
    "store_failed": (Count(FAULTS),),
    "generation_completed": (Count(GENERATIONS, key="outcome"),),
    "generation_cancelled": (Count(GENERATIONS, "cancelled"),),
    "fallback_used": (Count(FALLBACKS, key="errorType"),),
    "model_answered": (
        Count(MODEL_CALLS, "answered"),
        Count(TOKENS, "input", amount="input_tokens"),
        Count(TOKENS, "output", amount="output_tokens"),
    ),
    "model_failed": (Count(MODEL_CALLS, key="code"),),
    "tool_called": (Count(TOOL_CALLS, key="outcome"),),
    "upstream_restarted": (Count(RESTARTS),),
    "request_failed": (Count(FAILED),),
}
"""What each event adds, by the name of the event."""


BUCKETS_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
"""The upper bounds of the histogram's buckets, in seconds."""
_BEGINS, _ENDS = "generation_started", frozenset({"generation_completed", "generation_cancelled"})


class Tally:
    """Counts events. Safe to use from any thread.

    Attributes:
        when_completed: Functions that get the seconds and the outcome of every completed generation.
    """

    def __init__(self) -> None:
        self.when_completed: list[Callable[[float, str], None]] = []
        self._totals: dict[tuple[str, str], float] = defaultdict(float)
        self._durations_s: dict[str, list[float]] = {}
        self._in_flight = 0
        self._turn = Lock()

    def take(self, event: str, metadata: Mapping[str, object]) -> None:
        """Count an event."""
        counts = COUNTED.get(event, ())
        if not counts and event != _BEGINS:
            return
        with self._turn:
            for each in counts:
                label = str(metadata.get(each.key) or "other") if each.key else each.label
                amount = metadata.get(each.amount) if each.amount else 1
                self._totals[each.measure.name, label] += amount if isinstance(amount, int | float) else 0
            self._in_flight += (event == _BEGINS) - (event in _ENDS)
        if event == "generation_completed":
            self._count_duration(metadata)

    def _count_duration(self, metadata: Mapping[str, object]) -> None:
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
        """The number of running generations."""
        return self._in_flight

    def totals(self, measure: Measure) -> dict[str, float]:
        """Return the totals of a counter by the value of its label; "" for a counter without a label."""
        with self._turn:
            found = {value: total for (name, value), total in self._totals.items() if name == measure.name}
        return found if found or measure.label else {"": 0.0}

    def durations(self) -> dict[str, tuple[list[int], float]]:
        """Return the durations of generations by outcome: cumulative counts, and the sum in seconds.

        There is one count for each of `BUCKETS_S`, of the generations that took at most that long, and one of
        all generations.
        """
        with self._turn:
            return {
                outcome: ([*map(int, each[:-1])], each[-1]) for outcome, each in self._durations_s.items()
            }


@frozen(eq=False, repr=False)
class CountingEventLog(EventLog):
    """Counts every event, and forwards it."""

    inner: EventLog
    tally: Tally

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Count the event, and forward it."""
        self.tally.take(event, metadata)
        self.inner.record(level, component, event, **metadata)
