"""What hears every event beside the log: the tally, and OpenTelemetry where somebody has set it up."""

from collections.abc import Callable, Mapping

from genui_adapters.environment import is_telemetry_wanted
from genui_adapters.telemetry.tally import CountingEventLog, Tally
from genui_core.ports.event_log import EventLog, Level


def listeners_for(
    environment: Mapping[str, str], tally: Tally | None = None
) -> Callable[[EventLog], EventLog] | None:
    """Return what puts all that is to hear every event in front of a log, or None where nothing is."""
    wanted = is_telemetry_wanted(environment)
    if tally is None and not wanted:
        return None
    counted = tally or Tally()

    def heard(event_log: EventLog) -> EventLog:
        return CountingEventLog(_traced(event_log, counted) if wanted else event_log, counted)

    return heard


def _traced(event_log: EventLog, tally: Tally) -> EventLog:
    try:
        from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider  # noqa: PLC0415 -- slow, see below

        from genui_adapters.telemetry.otel import telemetry_event_log  # noqa: PLC0415 -- slow, and rarely wanted
    except ImportError as error:
        event_log.record(
            Level.WARN, "wrapper", "telemetry_missing", reason=f"{error}; install mcp-gen-ui[otel]"
        )
        return event_log
    if isinstance(get_tracer_provider(), ProxyTracerProvider):
        reason = "no provider is set up: start us with opentelemetry-instrument"
        event_log.record(Level.WARN, "wrapper", "telemetry_idle", reason=reason)
    return telemetry_event_log(event_log, tally)
