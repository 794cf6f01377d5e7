"""What hears every event beside the log: the tally, and OpenTelemetry where somebody has set it up."""

from collections.abc import Callable, Mapping

from genui_adapters.telemetry.signs import is_telemetry_wanted
from genui_adapters.telemetry.tally import CountingJournal, Tally
from genui_core.ports.journal import Journal, Level


def listeners_for(
    environment: Mapping[str, str], tally: Tally | None = None
) -> Callable[[Journal], Journal] | None:
    """Return what puts all that is to hear every event in front of a log, or None where nothing is.

    Args:
        environment: Says whether OpenTelemetry is wanted.
        tally: Where is counted, if the numbers are shown.
    """
    wanted = is_telemetry_wanted(environment)
    if tally is None and not wanted:
        return None
    counted = tally or Tally()

    def heard(journal: Journal) -> Journal:
        return CountingJournal(_traced(journal, counted) if wanted else journal, counted)

    return heard


def _traced(journal: Journal, tally: Tally) -> Journal:
    try:
        from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider  # noqa: PLC0415 -- slow, see below

        from genui_adapters.telemetry.otel import telemetry_journal  # noqa: PLC0415 -- slow, and rarely wanted
    except ImportError as error:
        journal.record(
            Level.WARN, "wrapper", "telemetry_missing", reason=f"{error}; install mcp-gen-ui[otel]"
        )
        return journal
    if isinstance(get_tracer_provider(), ProxyTracerProvider):
        reason = "no provider is set up: start us with opentelemetry-instrument"
        journal.record(Level.WARN, "wrapper", "telemetry_idle", reason=reason)
    return telemetry_journal(journal, tally)
