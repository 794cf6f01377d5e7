"""Params and results keep every byte that the host and the upstream wrote, except for the id."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genui_core.domain.framing.lines import result_in
from genui_core.domain.framing.verbatim import VerbatimParams, message_in, request_text, token_place
from genui_core.errors import UpstreamFailed

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["id", "jsonrpc", "params", "x"]), inner),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from(["id", "name", "result", "é", "_meta"]), VALUES)
IDS = st.integers(-(10**12), 10**12) | st.text(
    st.characters(codec="ascii", exclude_characters='\\"'), max_size=9
)
SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", " :\t")])
ORDERS = st.sampled_from([("jsonrpc", "id", "method", "params"), ("method", "params", "jsonrpc", "id")])


def written(message, order, separators, *, ascii_only=True):
    ordered = {key: message[key] for key in order}
    return json.dumps(ordered, separators=separators, ensure_ascii=ascii_only)


@given(OBJECTS, IDS, ORDERS, SEPARATORS, st.booleans())
def test_a_request_has_the_value_that_any_parser_reads(params, request_id, order, separators, ascii_only):
    message = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
    text = written(message, order, separators, ascii_only=ascii_only)
    try:
        body = text.encode()
    except UnicodeEncodeError:
        return
    assert message_in(body) == message


@given(OBJECTS, st.integers(0, 10**12), ORDERS)
def test_a_request_is_sent_with_the_text_of_its_params(params, request_id, order):
    message = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
    read = message_in(written(message, order, (", ", ": ")).encode())
    if isinstance(read["params"], VerbatimParams):
        assert json.dumps(params) in request_text(7, "tools/call", read["params"].text).decode()
        assert json.loads(request_text(7, "tools/call", read["params"].text)) == {**message, "id": 7}
    else:
        assert "\\ud" in json.dumps(params)


@pytest.mark.parametrize("text", ['{"f":1.0,"e":1E2,"z":-0,"d":1,"d":2}', '{"s":"\\u0041\\/"}'])
def test_numbers_and_strings_are_sent_as_they_were_written(text):
    message = message_in(f'{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{text}}}'.encode())
    assert text.encode() in request_text(2, "tools/call", message["params"].text)


def test_a_request_in_several_lines_is_sent_in_one():
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{\r\n "a":\n "b"}}'
    assert b"\n" not in request_text(2, "tools/call", message_in(body)["params"].text)
    assert b"\r" not in request_text(2, "tools/call", message_in(body)["params"].text)


@pytest.mark.parametrize(
    "body",
    [
        b'{"jsonrpc":"2.0","method":"tools/call","params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{},"id":2}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{}}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{},"x":1}',
        b'[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}]',
    ],
)
def test_other_messages_are_parsed_without_their_text(body):
    message = message_in(body)
    assert message == json.loads(body)
    assert not isinstance(message, dict) or not isinstance(message["params"], VerbatimParams)


CALL = b'{"jsonrpc":"2.0","id":1,"method":"a","params":{}}'


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", CALL + b" x", CALL.replace(b"1,", b"01,")])
def test_a_line_that_is_no_json_is_refused(body):
    with pytest.raises(ValueError):  # noqa: PT011 -- of several kinds
        message_in(body)


@given(OBJECTS, st.integers(0, 10**12), st.integers() | IDS, st.booleans(), st.booleans(), st.booleans())
def test_an_answer_keeps_every_byte_but_its_id(result, upstream_id, host_id, is_first, is_wide, ascii_only):
    parts = {"jsonrpc": "2.0", "id": upstream_id}
    message = {**parts, "result": result} if is_first else {"result": result, **parts}
    separators = (", ", ": ") if is_wide else (",", ":")
    try:
        line = json.dumps(message, separators=separators, ensure_ascii=ascii_only).encode() + b"\n"
    except UnicodeEncodeError:
        return
    found = result_in(line)
    assert found is not None
    assert found[0] == upstream_id
    answer = found[1].answer(host_id)
    before, after = line.rstrip().split(b'"id":', 1)
    if is_first:
        blank = b" " if is_wide else b""
        rest = after.removeprefix(blank + str(upstream_id).encode())
        assert answer == b"".join((before, b'"id":', blank, json.dumps(host_id).encode(), rest))
    assert json.loads(answer) == {**message, "id": host_id}
    assert dict(found[1]) == result


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"error":{"code":1}}\n',
        b'{"jsonrpc":"2.0","id":"1","result":{}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":[]}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{"a":"\xff"}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":{"a":\r1}}\n',
        b'[{"jsonrpc":"2.0","id":1,"result":{}}]\n',
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{}}\n',
    ],
)
def test_a_line_that_is_not_surely_a_result_is_left_to_a_parser(line):
    assert result_in(line) is None


@pytest.mark.parametrize("text", ["{broken}", '{broken,"isError":false}', '{broken,"isError" : false}'])
def test_a_result_is_parsed_only_when_it_may_say_that_the_tool_failed(text):
    result = result_in(f'{{"jsonrpc":"2.0","id":1,"result":{text}}}\n'.encode())[1]
    assert not result.says_error
    with pytest.raises(UpstreamFailed, match="no JSON"):
        result.get("broken")


@pytest.mark.parametrize(
    ("text", "says_error"),
    [
        ('{"isError":true}', True),
        ('{"isError" : true}', True),
        ('{"\\u0069sError":true}', True),
        ('{"isError":false,"isError":true}', True),
        ('{"isError":null}', False),
        ('{"content":[{"isError":true}],"isError":false}', False),
        ('{"content":[{"isError":true}]}', False),
    ],
)
def test_a_result_says_that_the_tool_failed_as_any_parser_reads_it(text, says_error):
    line = f'{{"jsonrpc":"2.0","id":1,"result":{text}}}\n'.encode()
    assert result_in(line)[1].says_error is says_error


@pytest.mark.parametrize(
    ("params", "token"),
    [
        ('{"_meta":{"progressToken":7},"name":"a"}', "7"),
        ('{"name":"a","_meta":{"progressToken" : "x y" , "b":1}}', '"x y"'),
        ('{"_meta":{"progressToken":7},"arguments":{"a":"say \\"progress\\""}}', "7"),
        ('{"_meta":{"progressToken":7},"arguments":{"progressToken":8}}', None),
        ('{"_meta":{"progressToken":7},"arguments":{"a":"\\"progressToken\\":8"}}', None),
        ('{"_meta":{"progress\\u0054oken":7,"a":"progressToken"}}', None),
        ('{"_meta":{"progressToken":1.5}}', None),
        ('{"_meta":{"progressToken":"a\\"b"}}', None),
        ('{"_meta":{}}', None),
    ],
)
def test_the_place_of_a_progress_token_is_given_only_where_it_is_certain(params, token):
    place = token_place(VerbatimParams(json.loads(params), params))
    assert (place and params[slice(*place)]) == token
