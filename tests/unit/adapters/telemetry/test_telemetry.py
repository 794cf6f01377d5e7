"""Prometheus and OpenTelemetry report the same numbers and traces of the logged events (requirement O2)."""

import logging
import subprocess
import sys

import pytest
from log_events import LOG_EVENTS
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from prometheus_client.parser import text_string_to_metric_families

from genui_adapters.telemetry.configured_event_log import listeners_for
from genui_adapters.telemetry.otel import SpanEventLog, telemetry_event_log
from genui_adapters.telemetry.prometheus import exposition
from genui_adapters.telemetry.tally import COUNTED, MEASURES, TOKENS, CountingEventLog, Tally
from genui_core.ports.event_log import Level
from genui_core.testing.event_log import RecordingEventLog

READ = {"request_id": "r-1", "tool_name": "<secret> tool"}
STORY = (
    ("request_started", {"method": "resources/read", **READ}),
    ("miss", {**READ, "cache_key": "k"}),
    ("generation_started", READ),
    ("model_failed", {**READ, "code": "RATE_LIMIT", "reason": "sk-secret", "duration_ms": 30}),
    (
        "model_answered",
        {**READ, "model": "m", "duration_ms": 700, "input_tokens": 100, "output_tokens": 20},
    ),
    ("judged", {**READ, "ruling": "accepted", "duration_ms": 20}),
    (
        "generation_completed",
        {**READ, "outcome": "generated", "duration_ms": 800, "input_tokens": 100, "output_tokens": 20},
    ),
    ("set", {**READ, "cache_key": "k", "duration_ms": 2}),
    ("request_served", {"method": "resources/read", **READ, "duration_ms": 810}),
    ("generation_started", {"request_id": "r-2", "tool_name": "b"}),
    ("generation_completed", {"request_id": "r-2", "outcome": "fallback", "duration_ms": 3000}),
    ("fallback_used", {"request_id": "r-2", "errorType": "GENERATION_TIMEOUT"}),
    ("generation_started", {"request_id": "r-3", "tool_name": "c"}),
    ("hit", {"request_id": "r-4"}),
    ("tool_called", {"tool_name": "x", "outcome": "ok"}),
    ("nothing_known", {"request_id": "r-1"}),
)


@pytest.fixture
def recorded_story():
    """Record the story's events; yield the tally, the spans, the metric reader and the log."""
    spans, reader, tally, log = InMemorySpanExporter(), InMemoryMetricReader(), Tally(), RecordingEventLog()
    traces, metrics = TracerProvider(shutdown_on_exit=False), MeterProvider([reader], shutdown_on_exit=False)
    traces.add_span_processor(SimpleSpanProcessor(spans))
    event_log = CountingEventLog(telemetry_event_log(log, tally, traces=traces, metrics=metrics), tally)
    for event, metadata in STORY:
        event_log.record(Level.DEBUG, "cache", event, **metadata)
    yield tally, spans.get_finished_spans(), reader, log
    traces.shutdown()
    metrics.shutdown()


def by_prometheus(tally):
    text, _ = exposition(tally, "")
    families = text_string_to_metric_families(text.decode())
    return {
        (each.name.removesuffix("_total"), *(value for _, value in sorted(each.labels.items()))): each.value
        for family in families
        for each in family.samples
    }


def by_opentelemetry(reader):
    points = {}
    for resource in reader.get_metrics_data().resource_metrics:
        for metric in resource.scope_metrics[0].metrics:
            for point in metric.data.data_points:
                labels = (metric.name, *point.attributes.values())
                points[labels] = point.value if hasattr(point, "value") else (point.count, point.sum)
    return points


def test_prometheus_and_opentelemetry_have_the_same_numbers(recorded_story):
    tally, _, reader, log = recorded_story
    seen, measured = by_prometheus(tally), by_opentelemetry(reader)
    assert len(log.events) == len(STORY)
    for key, value in {
        ("mcp_gen_ui_cache_hits",): 1,
        ("mcp_gen_ui_cache_misses",): 1,
        ("mcp_gen_ui_cache_entries_written",): 1,
        ("mcp_gen_ui_generations", "generated"): 1,
        ("mcp_gen_ui_generations", "fallback"): 1,
        ("mcp_gen_ui_fallbacks", "GENERATION_TIMEOUT"): 1,
        ("mcp_gen_ui_model_calls", "answered"): 1,
        ("mcp_gen_ui_model_calls", "RATE_LIMIT"): 1,
        ("mcp_gen_ui_model_tokens", "input"): 100,
        ("mcp_gen_ui_tool_calls", "ok"): 1,
        ("mcp_gen_ui_upstream_restarts",): 0,
        ("mcp_gen_ui_generations_in_flight",): 1,
    }.items():
        assert seen[key] == measured[key] == value, key
    duration = "mcp_gen_ui_generation_duration_seconds"
    assert seen[f"{duration}_count", "generated"] == seen[f"{duration}_bucket", "1.0", "generated"] == 1
    assert seen[f"{duration}_bucket", "0.5", "generated"] == 0
    assert measured[duration, "generated"] == (1, 0.8)
    assert measured[duration, "fallback"] == (1, seen[f"{duration}_sum", "fallback"]) == (1, 3.0)
    assert not any("secret" in part for key in (*seen, *measured) for part in key)


def test_a_request_and_the_steps_of_its_generation_are_one_trace(recorded_story):
    spans = {
        each.name: each for each in recorded_story[1] if each.attributes.get("mcp_gen_ui.request_id") == "r-1"
    }
    root, generation = spans["mcp resources/read"], spans["generation"]
    assert root.parent is None
    assert generation.parent.span_id == root.context.span_id
    for step, taken_ms in (("model call", 700), ("validation", 20), ("store", 2)):
        assert spans[step].parent.span_id == generation.context.span_id
        assert abs((spans[step].end_time - spans[step].start_time) / 1e6 - taken_ms) < 100
    assert {each.context.trace_id for each in spans.values()} == {root.context.trace_id}
    assert [each.name for each in root.events] == ["miss"]
    assert generation.attributes["mcp_gen_ui.input_tokens"] == 100
    failed = [each.name for each in recorded_story[1] if each.status.status_code is StatusCode.ERROR]
    assert failed == ["model call", "generation"]
    assert not any("sk-secret" in str(each.attributes) for each in recorded_story[1])


def test_the_tokens_of_a_cancelled_generation_count():
    tally = Tally()
    for event in ("generation_started", "model_answered", "generation_cancelled"):
        tally.take(event, {"request_id": "r-1", "input_tokens": 7, "output_tokens": 3})
    assert tally.totals(TOKENS) == {"input": 7, "output": 3}


def test_requests_that_are_never_answered_are_forgotten(caplog):
    exported = InMemorySpanExporter()
    traces = TracerProvider(shutdown_on_exit=False)
    traces.add_span_processor(SimpleSpanProcessor(exported))
    event_log = SpanEventLog(RecordingEventLog(), traces.get_tracer("t"))
    with caplog.at_level(logging.WARNING):
        for number in range(1100):
            event_log.record(Level.DEBUG, "wrapper", "request_started", request_id=f"r{number}", method="m")
    assert len(exported.get_finished_spans()) == 100
    assert caplog.records == []


def test_every_measure_counts_a_known_event():
    assert COUNTED.keys() <= {each.name for each in LOG_EVENTS}
    assert {count.measure for counts in COUNTED.values() for count in counts} == {*MEASURES}


@pytest.mark.parametrize(
    ("environment", "listens"),
    [
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_opentelemetry_listens_where_it_is_set_up(environment, listens):
    heard = listeners_for(environment)
    assert (heard is not None) is listens


def test_a_requested_exporter_without_opentelemetry_set_up_is_logged():
    log = RecordingEventLog()
    event_log = listeners_for({"OTEL_TRACES_EXPORTER": "otlp"})(log)
    event_log.record(Level.INFO, "wrapper", "request_started", request_id="r", method="m")
    assert [each.event for each in log.events] == ["telemetry_idle", "request_started"]


def test_opentelemetry_is_not_loaded_where_it_is_not_set_up():
    code = (
        "import sys; from genui_adapters.telemetry.configured_event_log import listeners_for;"
        "from genui_adapters.telemetry.tally import Tally;"
        "assert listeners_for({}) is None; assert listeners_for({}, Tally());"
        "sys.exit(not {'opentelemetry', 'prometheus_client'}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
