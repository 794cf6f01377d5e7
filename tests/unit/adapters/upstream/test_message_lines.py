"""The reader of an upstream's output yields whole messages in order, whatever is between them."""

import itertools
import json

import pytest
from attrs import define, field
from hypothesis import given
from hypothesis import strategies as st

from genui_adapters.upstream.link import Inbox
from genui_adapters.upstream.stdio_link import MessageLines
from genui_core.testing.event_log import RecordingEventLog


@define
class Kept(Inbox):
    messages: list = field(factory=list)
    failures: list = field(factory=list)

    def take(self, message, of=None):  # noqa: ARG002 -- lines tell nothing of that
        self.messages.append(message)

    def fail(self, request_id, error):
        self.failures.append((request_id, str(error)))

    def end(self, error):
        raise AssertionError(error)


def fed(chunks, limit=1_000_000):
    kept, event_log = Kept(), RecordingEventLog()
    lines = MessageLines(kept, event_log, "upstream", limit)
    for chunk in chunks:
        lines.feed(chunk)
    return kept, event_log


def message(number):
    return {"jsonrpc": "2.0", "id": number, "result": {"text": "é😀" * number}}


def chunked(data, cuts):
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in itertools.pairwise(places)]


@given(
    st.lists(st.integers(0, 10_000)),
    st.lists(st.sampled_from([b"\n", b"noise\n", b"\xff\n", b"[]\n", b" \r\n"])),
)
def test_messages_are_the_same_with_any_chunks_of_bytes(cuts, between):
    wanted = [message(number) for number in range(5)]
    data = b"".join(b"".join(between) + json.dumps(each).encode() + b"\n" for each in wanted)
    kept, _ = fed(chunked(data, cuts))
    assert kept.messages == wanted


def test_a_batch_is_split_into_messages():
    kept, _ = fed([json.dumps([message(1), message(2)]).encode() + b"\n"])
    assert kept.messages == [message(1), message(2)]


NO_MESSAGES = [
    "{}",
    "[]",
    "[1]",
    "1",
    '"x"',
    "null",
    "NaN",
    '{"jsonrpc":"1.0","id":1}',
    '{"jsonrpc":"2.0"}',
    "[" * 99_999,
]


@pytest.mark.parametrize("text", NO_MESSAGES, ids=lambda text: text[:20])
def test_a_line_that_is_no_message_is_logged(text):
    kept, event_log = fed([text.encode() + b"\n"])
    assert kept.messages == []
    assert [each.metadata["upstream"] for each in event_log.named("not_a_message")] == ["upstream"]


UNREADABLE = {
    "a raw tab in a string": b'{"jsonrpc":"2.0","id":7,"result":{"text":"a\tb"}}',
    "NaN": b'{"jsonrpc":"2.0","id":7,"result":{"number":NaN}}',
    "bytes that are not UTF-8": b'{"result":{"text":"\xff"},"jsonrpc":"2.0","id":7}',
    "a value that is nested too deeply": b'{"jsonrpc":"2.0","id":7,"result":'
    + b"[" * 99_999
    + b"]" * 99_999
    + b"}",
    "no version": b'{"id":7,"result":{}}',
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_answer_that_cannot_be_read_becomes_an_error_of_its_request(name):
    kept, event_log = fed([UNREADABLE[name] + b"\n"])
    assert [(each["id"], each["error"]["code"]) for each in kept.messages] == [(7, -32603)]
    assert len(event_log.named("not_a_message")) == 1


LONG = "x" * 5000
ANSWERS = {
    "the id first": (f'{{"jsonrpc":"2.0","id":7,"result":"{LONG}"}}', [7]),
    "the id first, spaced": (f' {{ "jsonrpc" : "2.0" , "id" : 7 , "result" : "{LONG}"}}', [7]),
    "the id last": (f'{{"result":"{LONG}","jsonrpc":"2.0","id":7}}', [7]),
    "the id before the version": (f'{{"result":"{LONG}","id":7,"jsonrpc":"2.0"}}', [7]),
    "an id of the result's": (f'{{"result":{{"id":8}},"x":"{LONG}"}}', []),
    "no id": (f'{{"jsonrpc":"2.0","method":"x","params":"{LONG}"}}', []),
    "noise": (LONG, []),
}


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("size", [10, 100, 1999])
def test_a_line_that_is_too_long_is_dropped_and_fails_its_request(name, size):
    text, failed = ANSWERS[name]
    data = text.encode() + b"\n" + json.dumps(message(9)).encode() + b"\n"
    kept, event_log = fed([data[start : start + size] for start in range(0, len(data), size)], limit=2000)
    assert [each for each, _ in kept.failures] == failed
    assert len(event_log.named("line_too_long")) == 1
    assert kept.messages == [message(9)]
