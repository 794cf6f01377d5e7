"""Spans and metrics through the OpenTelemetry API, if a provider is configured."""

from collections.abc import Iterable
from functools import partial

from opentelemetry.metrics import CallbackOptions, Meter, MeterProvider, Observation, get_meter_provider
from opentelemetry.trace import TracerProvider, get_tracer_provider

from genui_adapters.telemetry.measures import DURATION, IN_FLIGHT, MEASURES, Measure
from genui_adapters.telemetry.spans import SpanEventLog
from genui_adapters.telemetry.tally import CountingEventLog, Tally
from genui_core.ports.event_log import EventLog

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
