"""Spans and metrics through the OpenTelemetry API, if a provider is configured."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from threading import Lock

from attrs import define, field, frozen
from opentelemetry.metrics import CallbackOptions, Meter, MeterProvider, Observation, get_meter_provider
from opentelemetry.trace import (
    Span,
    Status,
    StatusCode,
    Tracer,
    TracerProvider,
    get_tracer_provider,
    set_span_in_context,
)

from genui_adapters.telemetry.tally import DURATION, IN_FLIGHT, MEASURES, CountingEventLog, Measure, Tally
from genui_core.ports.event_log import EventLog, Level

_MOST_REQUESTS = 1000
_CARRIED = (
    "request_id", "tool_name", "cache_key", "method", "outcome", "ui_type", "model", "purpose", "finish",
    "code", "ruling", "input_tokens", "output_tokens",
)  # fmt: skip
_STEPS = {
    "model_answered": "model call",
    "model_failed": "model call",
    "judged": "validation",
    "set": "store",
}
"""What is told when it is over, with the time that it took."""
_MARKS = frozenset({"hit", "miss", "generation_elsewhere", "found_view_refused"})
_FAILED = frozenset({"model_failed", "generation_cancelled"})

Metadata = Mapping[str, object]


@define(eq=False)
class _Request:
    """The spans of one request that others belong to."""

    root: Span | None = None
    generation: Span | None = None

    @property
    def latest(self) -> Span | None:
        return self.generation or self.root

    def end(self) -> None:
        for span in (self.generation, self.root):
            if span is not None and span.is_recording():
                span.end()


@frozen(eq=False)
class SpanEventLog(EventLog):
    """Has spans made of events, and hands the events on. May be told from any thread."""

    inner: EventLog
    tracer: Tracer
    _requests: OrderedDict[str, _Request] = field(factory=OrderedDict)
    _turn: Lock = field(factory=Lock)

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Take what belongs to a request as a part of its trace, and hand the event on."""
        request_id, take = metadata.get("request_id"), _WAYS.get(event)
        if take is not None and isinstance(request_id, str):
            with self._turn:
                take(self, event, self._request(request_id), metadata)
        self.inner.record(level, component, event, **metadata)

    def _request(self, request_id: str) -> _Request:
        request = self._requests.setdefault(request_id, _Request())
        self._requests.move_to_end(request_id)
        if len(self._requests) > _MOST_REQUESTS:
            self._requests.popitem(last=False)[1].end()
        return request

    def _began(self, event: str, request: _Request, metadata: Metadata) -> None:
        if event == "request_started":
            request.root = self._started(f"mcp {metadata.get('method')}", None, metadata)
        else:
            request.generation = self._started("generation", request.root, metadata)

    def _ended(self, event: str, request: _Request, metadata: Metadata) -> None:
        span = request.root if event == "request_served" else request.generation
        if span is not None and span.is_recording():
            _describe(span, event, metadata)
            span.end()

    def _passed(self, event: str, request: _Request, metadata: Metadata) -> None:
        """A step that is over: its span begins when it began."""
        taken_ms = metadata.get("duration_ms")
        taken_ns = int(taken_ms * 1_000_000) if isinstance(taken_ms, int | float) else 0
        span = self._started(_STEPS[event], request.latest, metadata, start_time=time.time_ns() - taken_ns)
        _describe(span, event, metadata)
        span.end()

    def _marked(self, event: str, request: _Request, metadata: Metadata) -> None:
        if request.latest is not None and request.latest.is_recording():
            request.latest.add_event(event, _attributes(metadata))

    def _started(
        self, name: str, parent: Span | None, metadata: Metadata, start_time: int | None = None
    ) -> Span:
        context = None if parent is None else set_span_in_context(parent)
        return self.tracer.start_span(name, context, attributes=_attributes(metadata), start_time=start_time)


_WAYS: Mapping[str, Callable[[SpanEventLog, str, _Request, Metadata], None]] = {
    "request_started": SpanEventLog._began,  # noqa: SLF001 -- a table of the class's own
    "generation_started": SpanEventLog._began,  # noqa: SLF001
    "request_served": SpanEventLog._ended,  # noqa: SLF001
    "generation_completed": SpanEventLog._ended,  # noqa: SLF001
    "generation_cancelled": SpanEventLog._ended,  # noqa: SLF001
    **dict.fromkeys(_STEPS, SpanEventLog._passed),  # noqa: SLF001
    **dict.fromkeys(_MARKS, SpanEventLog._marked),  # noqa: SLF001
}


def _describe(span: Span, event: str, metadata: Metadata) -> None:
    span.set_attributes(_attributes(metadata))
    if event in _FAILED or metadata.get("outcome") == "fallback":
        span.set_status(Status(StatusCode.ERROR))


def _attributes(metadata: Metadata) -> dict[str, str | int | float]:
    return {
        f"mcp_gen_ui.{name}": value
        for name in _CARRIED
        if isinstance(value := metadata.get(name), str | int | float)
    }


_SCOPE = "mcp_gen_ui"


def telemetry_event_log(
    inner: EventLog,
    tally: Tally | None = None,
    *,
    traces: TracerProvider | None = None,
    metrics: MeterProvider | None = None,
) -> EventLog:
    """Return an event log that turns events into spans and metrics, and forwards them.

    For programs that use the library: ``Wrapper(event_log=telemetry_event_log(SilentEventLog()))``.

    Args:
        inner: Takes the events.
        tally: Where is counted already; a new one where none is given.
        traces: Makes the spans; the configured provider where none is given.
        metrics: Takes the numbers; the configured provider where none is given.
    """
    counted = tally or Tally()
    _measure(counted, (metrics or get_meter_provider()).get_meter(_SCOPE))
    event_log = SpanEventLog(inner, (traces or get_tracer_provider()).get_tracer(_SCOPE))
    return event_log if tally is not None else CountingEventLog(event_log, counted)


def _measure(tally: Tally, meter: Meter) -> None:
    """Have a meter read what a tally counts: the numbers are those of ``GET /metrics``."""
    for measure in MEASURES:
        meter.create_observable_counter(
            measure.name, [partial(_totals, tally, measure)], description=measure.about
        )
    meter.create_observable_up_down_counter(IN_FLIGHT, [partial(_in_flight, tally)])
    durations = meter.create_histogram(DURATION, unit="s", description="How long generations took.")
    tally.when_completed.append(lambda seconds, outcome: durations.record(seconds, {"outcome": outcome}))


def _totals(tally: Tally, measure: Measure, _options: CallbackOptions) -> Iterable[Observation]:
    for value, total in tally.totals(measure).items():
        yield Observation(total, {measure.label: value} if measure.label else {})


def _in_flight(tally: Tally, _options: CallbackOptions) -> Iterable[Observation]:
    yield Observation(tally.in_flight)
