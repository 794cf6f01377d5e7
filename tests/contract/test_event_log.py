"""Shows requirement O1."""

import json
import os
from pathlib import Path

import pytest

from genui_adapters.telemetry.configured_event_log import StreamEventLog
from genui_core.domain.logging.redaction import logged_error
from genui_core.ports.event_log import Level
from genui_core.testing.event_log import EventLogContract, RecordingEventLog


class StreamContract(EventLogContract):
    format = "text"

    @pytest.fixture(autouse=True)
    def pipe(self):
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        yield
        os.close(self.reader)
        os.close(self.writer)

    def make(self):
        return StreamEventLog(Level.DEBUG, self.format, self.writer)

    def text(self):
        return os.read(self.reader, 1 << 20).decode()


class TestTextEventLog(StreamContract):
    def test_a_line_has_the_time_the_level_the_component_and_the_event(self):
        self.make().record(Level.WARN, "relay", "not_a_message", upstream="x y", count=2, absent=None)
        when, *rest = self.text().split(maxsplit=4)
        assert len(when) == len("12:34:56")
        assert rest == ["warn", "relay", "not_a_message", 'upstream="x y" count=2\n']


class TestJsonEventLog(StreamContract):
    format = "json"

    def test_fields_have_the_names_of_the_specification(self):
        self.make().record(
            Level.INFO, "cache", "hit", request_id="r", tool_name="t", cache_key="k", duration_ms=1.5, x=1
        )
        record = json.loads(self.text())
        assert record.pop("timestamp").endswith("Z")
        assert record == {
            "level": "info",
            "component": "cache",
            "event": "hit",
            "requestId": "r",
            "tool_name": "t",
            "cache_key": "k",
            "duration_ms": 1.5,
            "metadata": {"x": 1},
        }

    def test_an_error_field_has_its_three_parts(self):
        with pytest.raises(OSError, match="no") as caught:
            Path("no\x1b[2J process").stat()
        self.make().record(Level.ERROR, "tool_proxy", "fault", error=logged_error(caught.value), method="m")
        record = json.loads(self.text())
        assert record["metadata"] == {"method": "m"}
        assert record["error"]["code"] == "FileNotFoundError"
        assert "no such file" in record["error"]["message"].lower()
        assert "test_event_log.py" in record["error"]["stack"]

    def test_a_line_that_is_cut_keeps_its_request_id(self):
        self.make().record(
            Level.WARN, "llm", "model_failed", request_id="r-1", tool_name="t" * 5000, reason="x" * 9000
        )
        record = json.loads(self.text())
        assert record["requestId"] == "r-1"
        assert "tool_name" not in record
        assert record["metadata"]["cut"]


class TestRecordingEventLog(EventLogContract):
    def make(self):
        self.event_log = RecordingEventLog()
        return self.event_log

    def text(self):
        return json.dumps(
            [[each.component, each.event, each.metadata] for each in self.event_log.events], default=str
        )[:5000]


def test_events_below_the_level_are_left_out():
    reader, writer = os.pipe()
    StreamEventLog(Level.WARN, "text", writer).record(Level.INFO, "relay", "quiet")
    os.close(writer)
    assert os.read(reader, 10) == b""
    os.close(reader)


def test_a_slow_reader_blocks_no_one_and_gets_the_number_of_missed_lines():
    reader, writer = os.pipe()
    event_log = StreamEventLog(Level.DEBUG, "text", writer)
    for number in range(3000):
        event_log.record(Level.INFO, "relay", "flood", number=number)
    os.read(reader, 1 << 20)
    event_log.record(Level.INFO, "relay", "after")
    assert b"dropped_before=" in os.read(reader, 1 << 20)
    os.close(reader)
    os.close(writer)


def test_a_closed_descriptor_is_no_fault():
    reader, writer = os.pipe()
    os.close(reader)
    os.close(writer)
    StreamEventLog(Level.DEBUG, "text", writer).record(Level.INFO, "relay", "nobody")
