"""Whether anybody has set OpenTelemetry up, told without loading any of it."""

import sys
from collections.abc import Mapping

_SIGNS = (
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    "OTEL_TRACES_EXPORTER",
    "OTEL_METRICS_EXPORTER",
    "OTEL_PYTHON_TRACER_PROVIDER",
    "OTEL_PYTHON_METER_PROVIDER",
)


def is_telemetry_wanted(environment: Mapping[str, str]) -> bool:
    """Whether its variables are set, or the parent program has already loaded its SDK."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    return "opentelemetry.sdk" in sys.modules or any(environment.get(name) for name in _SIGNS)
