"""Peeking at a line's ends never disagrees with a parser that reads the whole line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.framing.lines import (
    Peek,
    answers_by_head,
    answers_by_tail,
    peek,
    peek_by_parsing,
    plain_answers,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
traps = st.sampled_from(
    [
        ',"jsonrpc":"2.0","id":7}',
        '{"jsonrpc":"2.0","id":7,"result":{}}',
        {"jsonrpc": "2.0", "id": 7, "result": {"jsonrpc": "2.0", "id": 8}},
        [{"a": 1, "id": 7}],
        {"id": 7},
    ]
)
ids = st.integers() | st.text(max_size=8) | st.none() | st.floats(allow_nan=False, allow_infinity=False)
bodies = st.sampled_from(["result", "error", "params"])


@st.composite
def messages(draw):
    """Return a message with members in any order, and traps for a reader that only looks at its ends."""
    parts = {"jsonrpc": "2.0", draw(bodies): draw(json_values | traps)}
    if draw(st.booleans()):
        parts["id"] = draw(ids)
    if "params" in parts:
        parts["method"] = draw(
            st.sampled_from(["tools/call", "notifications/progress", "roots/list"]) | st.text(max_size=5)
        )
    if draw(st.booleans()):
        parts[draw(st.text(max_size=4).filter(lambda key: key not in parts))] = draw(json_values | traps)
    order = draw(st.permutations(list(parts)))
    return {key: parts[key] for key in order}


styles = st.sampled_from(
    [
        {"separators": (",", ":")},
        {},
        {"separators": (" , ", " : ")},
        {"separators": (",", ":"), "ensure_ascii": False},
    ]
)


@given(messages(), styles, st.sampled_from(["\n", "\r\n", " \n"]))
def test_peeking_agrees_with_parsing_or_returns_nothing(message, style, end):
    text = json.dumps(message, **style)
    seen = peek((text + end).encode("utf-8", "surrogatepass"))
    read = peek_by_parsing(text)
    if seen is not None and seen.kind != "notification":
        assert (seen.kind, seen.request_id) == (read.kind, read.request_id)
    elif seen is not None:
        assert seen.method == message["method"]


@given(messages(), styles)
def test_the_head_of_a_line_agrees_with_the_whole_line(message, style):
    line = json.dumps(message, **style).encode("utf-8", "surrogatepass") + b"\n"
    read = peek_by_parsing(line.decode("utf-8", "surrogatepass"))
    for cut in (len(line) // 2, len(line)):
        answered = answers_by_head(line[:cut])
        if answered is not None:
            assert ("answer", answered) == (read.kind, read.request_id)
        if answers_by_tail(line[:cut]):
            assert read.kind == "answer"


@given(st.lists(messages(), max_size=5), styles)
def test_a_chunk_of_plain_answers_is_recognised_only_where_every_line_is_one(batch, style):
    lines = [json.dumps(each, **style) for each in batch]
    found = plain_answers("".join(f"{each}\n" for each in lines).encode("utf-8", "surrogatepass"))
    if found:
        assert found == [peek_by_parsing(each).request_id for each in lines]
        assert {peek_by_parsing(each).kind for each in lines} == {"answer"}


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        (b'{"jsonrpc":"2.0","id":12,"result":{}}\n', Peek("answer", 12)),
        (b'{"jsonrpc": "2.0", "id": "a-1", "error": {"code": 1}}\r\n', Peek("answer", "a-1")),
        (b'{"id":12,"jsonrpc":"2.0","result":{}}\n', Peek("answer", 12)),
        (b'{"result":{"x":[1]},"jsonrpc":"2.0","id":12}\n', Peek("answer", 12)),
        (b'{"result":{"x":[1]}, "id": "\xc3\xa9", "jsonrpc": "2.0"}\n', Peek("answer", "é")),
        (
            b'{"jsonrpc":"2.0","id":3,"method":"roots/list","params":{}}\n',
            Peek("request", 3, "roots/list"),
        ),
        (b'{"method":"roots/list","jsonrpc":"2.0","id":3}\n', Peek("request", 3, "roots/list")),
        (
            b'{"jsonrpc":"2.0","method":"notifications/message","params":{"id":1}}\n',
            Peek("notification", None, "notifications/message"),
        ),
    ],
)
def test_peeking_recognizes_the_lines_that_servers_write(line, seen):
    assert peek(line) == seen


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":12.5,"result":{}}\n',
        b'{"jsonrpc":"2.0","id":1e3,"result":{}}\n',
        b'{"jsonrpc":"2.0","id":"a\\u0041","result":{}}\n',
        b'{"jsonrpc":"2.0","id":12,"result":{"cut":"sho\n',
        b'[{"jsonrpc":"2.0","id":12,"result":{}}]\n',
        b'{"level":"info","id":12}\n',
        b'{"result":{"id":12}}\n',
        b'"id":12}\n',
        b"\n",
        b"",
    ],
)
def test_a_line_whose_ends_do_not_decide_is_left_to_a_parser(line):
    assert peek(line) is None


def test_a_line_of_ten_megabytes_takes_no_longer_than_a_short_one():
    long = b'{"result":{"x":"' + b"," * 10_000_000 + b'"},"jsonrpc":"2.0","id":5}\n'
    assert peek(long) == Peek("answer", 5)
    assert plain_answers(long) == []
