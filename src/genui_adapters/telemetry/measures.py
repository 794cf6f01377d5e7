"""What is counted, by name, and which events of the event log count for it (SPEC §15).

Labels have few values, all of them ours: no name of an upstream's tool ever becomes one.
"""

from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

Metadata = Mapping[str, object]
PREFIX: Final = "mcp_gen_ui_"
DURATION: Final = f"{PREFIX}generation_duration_seconds"
IN_FLIGHT: Final = f"{PREFIX}generations_in_flight"


@frozen
class Measure:
    """A number that only grows.

    Attributes:
        name: Its name, without what Prometheus ends those of counters with.
        about: What it counts.
        label: The name of its label, or "".
    """

    name: str
    about: str
    label: str = ""


@frozen
class Count:
    """What an event adds to a measure.

    Attributes:
        measure: To which.
        value_of: The value of its label.
        amount_of: How much.
    """

    measure: Measure
    value_of: Callable[[Metadata], str] = lambda _metadata: ""
    amount_of: Callable[[Metadata], float] = lambda _metadata: 1.0


def _measure(name: str, about: str, label: str = "") -> Measure:
    return Measure(PREFIX + name, about, label)


HITS = _measure("cache_hits", "Views that were found in the cache.")
MISSES = _measure("cache_misses", "Views that were wanted and not in the cache.")
KEPT = _measure("cache_entries_written", "Views that were put into the cache.")
NOT_KEPT = _measure("cache_entries_refused", "Views that the cache did not take.")
DISTRUSTED = _measure("cache_entries_distrusted", "Entries that were found, and not served.")
FAULTS = _measure("cache_faults", "Times at which the cache stopped answering, or failed.")
GENERATIONS = _measure("generations", "Generations that ended.", "outcome")
FALLBACKS = _measure("fallbacks", "Generations that ended in the minimal UI because they failed.", "reason")
MODEL_CALLS = _measure("model_calls", "Questions to the model.", "outcome")
TOKENS = _measure("model_tokens", "Tokens that the model read and wrote.", "direction")
TOOL_CALLS = _measure("tool_calls", "Calls of upstream tools.", "outcome")
RESTARTS = _measure("upstream_restarts", "Restarts of the connection to the upstream.")
FAILED = _measure("requests_failed", "Requests that the wrapper answered with an error.")

MEASURES: Final = (
    HITS, MISSES, KEPT, NOT_KEPT, DISTRUSTED, FAULTS, GENERATIONS, FALLBACKS,
    MODEL_CALLS, TOKENS, TOOL_CALLS, RESTARTS, FAILED,
)  # fmt: skip


def _named(key: str, otherwise: str = "other") -> Callable[[Metadata], str]:
    return lambda metadata: str(metadata.get(key) or otherwise)


def _always(value: str) -> Callable[[Metadata], str]:
    return lambda _metadata: value


def _number(key: str) -> Callable[[Metadata], float]:
    def number(metadata: Metadata) -> float:
        found = metadata.get(key)
        return float(found) if isinstance(found, int | float) else 0.0

    return number


COUNTED: Final[Mapping[str, tuple[Count, ...]]] = {
    "hit": (Count(HITS),),
    "miss": (Count(MISSES),),
    "set": (Count(KEPT),),
    "not_kept": (Count(NOT_KEPT),),
    "set_aside": (Count(DISTRUSTED),),
    "found_view_refused": (Count(DISTRUSTED),),
    "store_failed": (Count(FAULTS),),
    "generation_completed": (
        Count(GENERATIONS, _named("outcome")),
        Count(TOKENS, _always("input"), _number("input_tokens")),
        Count(TOKENS, _always("output"), _number("output_tokens")),
    ),
    "generation_cancelled": (Count(GENERATIONS, _always("cancelled")),),
    "fallback_used": (Count(FALLBACKS, _named("errorType")),),
    "model_answered": (Count(MODEL_CALLS, _always("answered")),),
    "model_failed": (Count(MODEL_CALLS, _named("code")),),
    "tool_called": (Count(TOOL_CALLS, _named("outcome")),),
    "upstream_restarted": (Count(RESTARTS),),
    "request_failed": (Count(FAILED),),
}
"""By the name of the event."""
