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
_ATTRIBUTES = (
    "request_id", "tool_name", "cache_key", "method", "outcome", "ui_type", "model", "purpose", "finish",
    "code", "ruling", "input_tokens", "output_tokens",
)  # fmt: skip
_STEPS = {
    "model_answered": "model call",
    "model_failed": "model call",
    "judged": "validation",
    "set": "store",
}
"""Events of finished steps, with their duration, and the names of their spans."""
_MARKS = frozenset({"hit", "miss", "generation_elsewhere", "found_view_refused"})
_FAILED = frozenset({"model_failed", "generation_cancelled"})

Metadata = Mapping[str, object]


@define(eq=False, repr=False)
class _Request:
    """The spans of one request that are parents of others."""

    root: Span | None = None
    generation: Span | None = None

    @property
    def latest(self) -> Span | None:
        return self.generation or self.root

    def end(self) -> None:
        for span in (self.generation, self.root):
            if span is not None and span.is_recording():
                span.end()


@frozen(eq=False, repr=False)
class SpanEventLog(EventLog):
    """Turns events into spans, and forwards the events. May be called from any thread."""

    inner: EventLog
    tracer: Tracer
    _requests: OrderedDict[str, _Request] = field(factory=OrderedDict)
    _turn: Lock = field(factory=Lock)

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Add an event of a request to the request's trace, and forward the event."""
        request_id, take = metadata.get("request_id"), _RECORDERS.get(event)
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

    def _start(self, event: str, request: _Request, metadata: Metadata) -> None:
        if event == "request_started":
            request.root = self._new_span(f"mcp {metadata.get('method')}", None, metadata)
        else:
            request.generation = self._new_span("generation", request.root, metadata)

    def _end(self, event: str, request: _Request, metadata: Metadata) -> None:
        span = request.root if event == "request_served" else request.generation
        if span is not None and span.is_recording():
            _describe(span, event, metadata)
            span.end()

    def _add_step(self, event: str, request: _Request, metadata: Metadata) -> None:
        """Add the span of a finished step, which starts when the step started."""
        taken_ms = metadata.get("duration_ms")
        taken_ns = int(taken_ms * 1_000_000) if isinstance(taken_ms, int | float) else 0
        span = self._new_span(_STEPS[event], request.latest, metadata, start_time=time.time_ns() - taken_ns)
        _describe(span, event, metadata)
        span.end()

    def _add_mark(self, event: str, request: _Request, metadata: Metadata) -> None:
        if request.latest is not None and request.latest.is_recording():
            request.latest.add_event(event, _attributes(metadata))

    def _new_span(
        self, name: str, parent: Span | None, metadata: Metadata, start_time: int | None = None
    ) -> Span:
        context = None if parent is None else set_span_in_context(parent)
        return self.tracer.start_span(name, context, attributes=_attributes(metadata), start_time=start_time)


_RECORDERS: Mapping[str, Callable[[SpanEventLog, str, _Request, Metadata], None]] = {
    "request_started": SpanEventLog._start,  # noqa: SLF001 -- the class's own table
    "generation_started": SpanEventLog._start,  # noqa: SLF001
    "request_served": SpanEventLog._end,  # noqa: SLF001
    "generation_completed": SpanEventLog._end,  # noqa: SLF001
    "generation_cancelled": SpanEventLog._end,  # noqa: SLF001
    **dict.fromkeys(_STEPS, SpanEventLog._add_step),  # noqa: SLF001
    **dict.fromkeys(_MARKS, SpanEventLog._add_mark),  # noqa: SLF001
}


def _describe(span: Span, event: str, metadata: Metadata) -> None:
    span.set_attributes(_attributes(metadata))
    if event in _FAILED or metadata.get("outcome") == "fallback":
        span.set_status(Status(StatusCode.ERROR))


def _attributes(metadata: Metadata) -> dict[str, str | int | float]:
    return {
        f"mcp_gen_ui.{name}": value
        for name in _ATTRIBUTES
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
        inner: Gets the events.
        tally: A tally that already counts the events; by default a new one.
        traces: Makes the spans; by default the configured provider.
        metrics: Gets the metrics; by default the configured provider.
    """
    counted = tally or Tally()
    _observe(counted, (metrics or get_meter_provider()).get_meter(_SCOPE))
    event_log = SpanEventLog(inner, (traces or get_tracer_provider()).get_tracer(_SCOPE))
    return event_log if tally is not None else CountingEventLog(event_log, counted)


def _observe(tally: Tally, meter: Meter) -> None:
    """Register the counts of a tally with a meter: the same numbers as in ``GET /metrics``."""
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
