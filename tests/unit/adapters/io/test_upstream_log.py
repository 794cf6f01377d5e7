from genui_adapters.io.loop_upstream import UpstreamLog
from genui_core.testing.event_log import RecordingEventLog


def texts(event_log):
    return [each.metadata["text"] for each in event_log.named("upstream_stderr")]


def test_a_line_is_an_event_and_white_lines_are_none():
    event_log = RecordingEventLog()
    log = UpstreamLog("up", event_log)
    log.stderr_sent(b"one\n\n  \ntw")
    log.stderr_sent(b"o\r\nend")
    log.stderr_closed()
    assert texts(event_log) == ["one", "two", "end"]
    assert not event_log.named("upstream_stderr_left_out")


def test_a_line_without_end_comes_in_parts():
    event_log = RecordingEventLog()
    log = UpstreamLog("up", event_log)
    for _ in range(4):
        log.stderr_sent(b"x" * 5000)
    assert [len(text) for text in texts(event_log)] == [10_000, 10_000]


def test_of_a_flood_the_log_has_the_beginning_a_count_and_the_last_words():
    event_log = RecordingEventLog()
    log = UpstreamLog("up", event_log)
    log.stderr_sent(b"".join(b"%d\n" % number for number in range(50_000)) + b"out of memory\n")
    log.stderr_closed()
    seen = texts(event_log)
    assert seen[:2000] == [str(number) for number in range(2000)]
    assert seen[-2:] == ["49999", "out of memory"]
    (left_out,) = event_log.named("upstream_stderr_left_out")
    assert len(seen) + left_out.metadata["lines"] == 50_001
