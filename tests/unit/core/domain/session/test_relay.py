"""The relay as bytes in and bytes out, with every chunking that a pipe can produce."""

import gc
import json
import weakref
from functools import partial
from itertools import pairwise

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from genui_core.domain.mcp.results import Additions, text_with_additions
from genui_core.domain.session.exchange import PASS, Forwarding
from genui_core.domain.session.relay import Relay


@define
class MarkingEditor:
    """An editor that adds a member to results, and replaces "no such method" by a result."""

    def edit_result(self, result):
        if result.text == '"unusable"':
            raise ValueError(result.text)
        return b'{"edited":%b}' % result.data

    def replace_error(self, error):
        return '{"instead":true}' if error.get("code") == -32601 else None


@define
class Answers:
    """A router that answers ``ours`` at once and ``later`` on command, edits ``list``, and forwards the rest."""

    editor: MarkingEditor = field(factory=MarkingEditor)
    waiting: list = field(factory=list)
    said: list = field(factory=list)
    relay: Relay = field(init=False)

    def __attrs_post_init__(self):
        self.relay = Relay(self, "nonce", max_line_bytes=1000)

    def decide(self, method, _params):
        if method == "ours":
            return lambda pending: pending.succeed((b'{"ours":true}',))
        if method == "later":
            return self.waiting.append
        return Forwarding(self.editor) if method == "list" else PASS

    def host_said(self, method, params):
        self.said.append((method, params))

    def upstream_said(self, _method, _params, line):
        return line

    def first_word(self):
        self.said.append("first word")

    def request_failed(self, error, _method, tool_name):
        data = error.get("data")
        return {**error, "data": {**data, "toolName": tool_name}} if data and tool_name else error


GONE = {"code": -32000, "message": "gone"}


def line(**message):
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def feed(take, data, cuts):
    positions = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    for start, end in pairwise(positions):
        take(data[start:end])


def drained(pieces):
    data = b"".join(pieces)
    pieces.clear()
    return data


cuts = st.lists(st.integers(0, 400), max_size=12)
blank = st.sampled_from([b"", b" ", b"\t"])
text = st.text(max_size=20)
passing = st.one_of(
    st.builds(lambda value: line(id=7, result={"content": [value]}), text),
    st.builds(
        lambda value: (
            json.dumps({"method": "note", "params": {"x": value}}, ensure_ascii=False).encode(
                "utf-8", "surrogatepass"
            )
            + b"\n"
        ),
        text,
    ),
    st.just(b'{"jsonrpc":"2.0","id":1.0,"result":{"n":12345678901234567890123,"f":1.0e2}}\r\n'),
    st.just(b'[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":99,"result":{}}]\n'),
    st.just(b'{"jsonrpc":"2.0","method":"bad utf-8 \xff\xfe"}\n'),
    st.builds(lambda size: line(method="big", params={"x": "y" * size}), st.integers(900, 3000)),
)
noise = st.sampled_from([b"Server started\n", b"DEBUG {not json}\n", b"\xef\xbb\xbfbom\n", b"# x\n"])


@given(st.lists(passing, max_size=8), cuts)
def test_upstream_bytes_pass_unchanged_whatever_the_chunks(lines, cuts):
    relay = Answers().relay
    feed(relay.upstream_sent, b"".join(lines), cuts)
    assert drained(relay.to_host) == b"".join(lines)


@given(st.lists(passing, max_size=8), cuts)
def test_host_bytes_pass_unchanged_whatever_the_chunks(lines, cuts):
    relay = Answers().relay
    feed(relay.host_sent, b"".join(lines), cuts)
    assert drained(relay.to_upstream) == b"".join(lines)
    assert not relay.to_host


@given(st.lists(passing | noise, max_size=10), cuts, st.booleans())
def test_a_line_that_is_no_message_never_reaches_the_host(lines, cuts, waiting):
    relay = Answers().relay
    if waiting:
        relay.host_sent(line(id="w", method="list"))
    feed(relay.upstream_sent, b"".join(lines), cuts)
    messages = [each for each in lines if each[:1] in b"{["]
    assert drained(relay.to_host) == b"".join(messages)
    assert relay.noise == [each for each in lines if each[:1] not in b"{["]


@given(
    st.lists(passing, max_size=5),
    st.lists(passing, max_size=5),
    cuts,
    st.sampled_from([3, "s", "é\u2028"]),
    st.booleans(),
)
def test_an_awaited_answer_is_edited_in_place_and_in_order(before, after, cuts, request_id, id_first):
    router = Answers()
    relay = router.relay
    relay.host_sent(line(id=request_id, method="list"))
    parts = {"id": request_id, "result": {"tools": []}}
    answer = line(**parts if id_first else dict(reversed(parts.items())))
    feed(relay.upstream_sent, b"".join([*before, answer, *after]), cuts)
    edited = answer.replace(b'{"tools": []}', b'{"edited":{"tools": []}}')
    assert drained(relay.to_host) == b"".join([*before, edited, *after])


@given(st.lists(passing | st.none(), max_size=10), cuts)
@settings(max_examples=200)
def test_a_message_of_the_wrapper_never_lands_inside_a_passing_line(steps, cuts):
    """None stands for a message of the wrapper, which may follow each chunk."""
    relay = Answers().relay
    upstream = b"".join(step for step in steps if step)
    ours = line(id="o", method="ours")
    positions = sorted({min(cut, len(upstream)) for cut in cuts} | {0, len(upstream)})
    for start, end in pairwise(positions):
        relay.upstream_sent(upstream[start:end])
        relay.host_sent(ours)
    answer = b'{"jsonrpc":"2.0","id":"o","result":{"ours":true}}\n'
    out = drained(relay.to_host)
    assert out.replace(answer, b"") == upstream
    assert out.count(answer) == max(len(positions) - 1, 0)
    assert all(piece.startswith((b"{", b"[")) for piece in out.splitlines() if piece)


def test_a_request_for_the_wrapper_does_not_reach_the_upstream():
    relay = Answers().relay
    relay.host_sent(line(id=1, method="ours"))
    assert drained(relay.to_upstream) == b""
    assert json.loads(drained(relay.to_host)) == {"jsonrpc": "2.0", "id": 1, "result": {"ours": True}}


def test_an_answer_may_come_later():
    router = Answers()
    router.relay.host_sent(line(id="late", method="later"))
    assert not router.relay.to_host
    router.waiting[0].fail({"code": -32000, "message": "no"})
    assert json.loads(drained(router.relay.to_host))["error"]["message"] == "no"


@define
class Timers:
    """The relay's timers, which the test fires."""

    steps: list = field(factory=list)

    def __call__(self, _delay_s, step):
        self.steps.append(step)
        return lambda: step in self.steps and self.steps.remove(step)

    def fire(self):
        steps, self.steps = self.steps, []
        for step in steps:
            step()


@pytest.mark.parametrize("end", ["an answer", "a cancellation"])
def test_the_timeout_step_of_a_request_is_released_with_the_request(end):
    router, timers, taken = Answers(), Timers(), []
    router.relay.later = timers

    class Page:
        """An object that the step needs, such as the page that it would serve."""

    page = Page()
    released = weakref.ref(page)
    router.relay.host_sent(line(id=1, method="later"))
    first = router.waiting.pop()
    first.later(8, partial(taken.append, page))
    del page
    gc.collect()
    assert released() is not None
    router.relay.host_sent(line(id=2, method="later"))
    other = router.waiting.pop()
    other.later(8, partial(taken.append, "two"))
    if end == "an answer":
        first.succeed((b"{}",))
    else:
        router.relay.host_sent(line(method="notifications/cancelled", params={"requestId": 1}))
    gc.collect()
    assert released() is None
    timers.fire()
    assert taken == ["two"]


def test_a_limit_is_not_that_of_a_later_request_with_the_same_id():
    router, timers, taken = Answers(), Timers(), []
    router.relay.later = timers
    for turn in ("first", "second"):
        router.relay.host_sent(line(id=1, method="later"))
        router.waiting[-1].later(8, partial(taken.append, turn))
        if turn == "first":
            router.waiting[-1].succeed((b"{}",))
    timers.fire()
    assert taken == ["second"]
    router.waiting[-1].later(8, partial(taken.append, "third"))
    router.waiting[-1].succeed((b"{}",))
    router.waiting[-1].later(8, partial(taken.append, "after its answer"))
    timers.fire()
    assert taken == ["second"]


def test_a_held_back_request_may_go_on_as_its_own_bytes():
    router = Answers()
    held = b'{ "id" : 5, "method":"later", "params":{} }\n'
    router.relay.host_sent(held)
    router.waiting[0].forward(router.editor)
    assert drained(router.relay.to_upstream) == held
    router.relay.upstream_sent(line(id=5, result=1))
    assert json.loads(drained(router.relay.to_host))["result"] == {"edited": 1}


def test_answers_to_the_wrappers_requests_reach_only_the_wrapper():
    relay = Answers().relay
    answers = []
    relay.ask_upstream("tools/list", None, answers.append)
    asked = json.loads(drained(relay.to_upstream))
    assert asked["method"] == "tools/list"
    assert "nonce" in asked["id"]
    relay.upstream_sent(line(id=asked["id"], result={"tools": []}) + line(id=1, result=2))
    assert answers == [{"jsonrpc": "2.0", "id": asked["id"], "result": {"tools": []}}]
    assert json.loads(drained(relay.to_host))["id"] == 1


@pytest.mark.parametrize("outcome", [{"result": {}}, {"error": {"code": -1, "message": "no"}}, None])
def test_the_limit_of_the_wrappers_request_ends_with_its_answer(outcome):
    relay, timers, answers = Answers().relay, Timers(), []
    relay.later = timers
    relay.ask_upstream("tools/list", None, answers.append)
    asked = json.loads(drained(relay.to_upstream))
    assert len(timers.steps) == 1
    if outcome is None:
        relay.upstream_closed({"code": -32000, "message": "gone"})
    else:
        relay.upstream_sent(line(id=asked["id"], **outcome))
    assert (timers.steps, len(answers)) == ([], 1)
    relay.exchange.link.set_up()
    relay.ask_upstream("tools/list", None, answers.append)
    timers.fire()
    assert "within 60 seconds" in answers[-1]["error"]["message"]


@pytest.mark.parametrize("comes", [True, False])
def test_the_limit_of_a_wait_for_the_upstream_ends_with_the_wait(comes):
    relay, timers, answers = Answers().relay, Timers(), []
    relay.later = timers
    relay.exchange.link.lose(GONE, is_expected=True)
    relay.ask_upstream("tools/list", None, answers.append)
    relay.host_sent(line(id=1, method="tools/list"))
    assert len(timers.steps) == 2
    if comes:
        relay.exchange.link.set_up()
        assert len(drained(relay.to_upstream).splitlines()) == 2
        assert len(timers.steps) == 1  # of the wrapper's request, which now waits for its answer
    else:
        relay.exchange.link.refuse_waiting()
        assert (timers.steps, answers) == ([], [{"error": GONE}])


def test_an_error_is_forwarded_unless_it_can_be_replaced():
    relay = Answers().relay
    relay.host_sent(line(id=1, method="list") + line(id=2, method="list"))
    refused = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x","data":[1]}}\n'
    unknown = b'{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"x"}}\n'
    relay.upstream_sent(refused + unknown)
    first, second = drained(relay.to_host).splitlines(keepends=True)
    assert first == refused
    assert json.loads(second) == {"jsonrpc": "2.0", "id": 2, "result": {"instead": True}}


def test_an_answer_that_cannot_be_edited_passes_as_it_is():
    relay = Answers().relay
    relay.host_sent(line(id=1, method="list"))
    answer = line(id=1, result="unusable")
    relay.upstream_sent(answer)
    assert drained(relay.to_host) == answer


class AddingEditor(MarkingEditor):
    """An editor that adds a member to results as the wrapper does."""

    def edit_result(self, result):
        return text_with_additions(result, Additions({"edited": True})).encode()


@pytest.mark.parametrize("more", [{}, {"extra": {"result": {}}}])
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("separators", [(", ", ": "), (",", ":"), (" , ", ":")])
def test_an_edit_changes_no_byte_of_an_answer_besides_its_result(swap, more, separators):
    router = Answers(AddingEditor())
    for request_id in (1, "two", 3333):
        head, result = {"jsonrpc": "2.0", "id": request_id}, {"big": "é{}" * 10}
        parts = {"result": result, **more, **head} if swap else {**head, "result": result, **more}
        answer = json.dumps(parts, separators=separators, ensure_ascii=False).encode() + b"\n"
        router.relay.host_sent(line(id=request_id, method="list"))
        router.relay.upstream_sent(answer)
        edited = drained(router.relay.to_host)
        assert edited.replace(b',"edited":true', b"") == answer
        assert json.loads(edited) == {**parts, "result": {**result, "edited": True}}


@pytest.mark.parametrize("chunk", [7, 4096, 1 << 16, 1 << 23])
@pytest.mark.parametrize("id_first", [True, False])
def test_an_answer_is_seen_whole_while_it_is_passed_on_unless_it_is_too_long_to_be_kept(chunk, id_first):
    seen = []

    class Watching(Answers):
        def decide(self, _method, params):
            return Forwarding(None, lambda line: seen.append((params["n"], line)))

    relay = Relay(Watching(), "nonce", max_line_bytes=1 << 16)
    sizes = (10, 20, 30, 100_000, 1_000_000, 40) if chunk > 7 else (10, 20, 30)
    lines = []
    for number, size in enumerate(sizes):
        relay.host_sent(line(id=number, method="tools/call", params={"n": number}))
        result = {"content": "x" * size}
        lines.append(
            line(id=number, result=result)
            if id_first
            else json.dumps({"result": result, "id": number}).encode() + b"\n"
        )
    whole = b"".join(lines)
    feed(relay.upstream_sent, whole, range(0, len(whole), chunk))
    assert drained(relay.to_host) == whole
    assert [number for number, _ in seen] == list(range(len(sizes)))
    assert [each.rstrip(b"\n") for _, each in seen] == [each.rstrip(b"\n") for each in lines]

    relay.host_sent(line(id="long", method="tools/call", params={"n": "long"}))
    too_long = line(id="long", result="y" * (1 << 21))
    feed(relay.upstream_sent, too_long, range(0, len(too_long), 1 << 16))
    assert drained(relay.to_host) == too_long
    assert seen[-1] == ("long", b"")


def test_a_cancelled_request_is_no_longer_waited_for():
    relay = Answers().relay
    relay.host_sent(line(id=1, method="list"))
    relay.host_sent(line(method="notifications/cancelled", params={"requestId": 1}))
    answer = line(id=1, result=2)
    relay.upstream_sent(answer)
    assert drained(relay.to_host) == answer
    assert b"cancelled" in drained(relay.to_upstream)


def test_a_batch_without_requests_for_the_wrapper_is_forwarded_unchanged_and_its_answer_is_edited():
    relay = Answers().relay
    batch = b'[ {"jsonrpc":"2.0","id":1,"method":"list"}, {"jsonrpc":"2.0","id":2,"method":"x"} ]\n'
    relay.host_sent(batch)
    assert drained(relay.to_upstream) == batch
    relay.upstream_sent(b'[{"jsonrpc":"2.0","id":2,"result":0}, {"jsonrpc":"2.0","id":1,"result":[1.0]}]\n')
    assert (
        drained(relay.to_host)
        == b'[{"jsonrpc":"2.0","id":2,"result":0}, {"jsonrpc":"2.0","id":1,"result":{"edited":[1.0]}}]\n'
    )


def test_a_mixed_batch_is_split_between_the_upstream_and_the_wrapper():
    relay = Answers().relay
    relay.host_sent(
        b'[{"jsonrpc":"2.0","id":1,"method":"ours"},{"jsonrpc":"2.0","id":2,"method":"x", "n":1.0}]\n'
    )
    assert drained(relay.to_upstream) == b'[{"jsonrpc":"2.0","id":2,"method":"x", "n":1.0}]\n'
    assert json.loads(drained(relay.to_host))["id"] == 1


def test_a_batch_for_the_wrapper_alone_does_not_reach_the_upstream():
    relay = Answers().relay
    relay.host_sent(b'[{"jsonrpc":"2.0","id":1,"method":"ours"}]\n')
    assert drained(relay.to_upstream) == b""


@pytest.mark.parametrize(
    "odd",
    [
        b"not json\n",
        b"\n",
        b'{"jsonrpc":"2.0","id":1\n',
        b"[]\n",
        b"[1,null]\n",
        b"null\n",
        b'{"id":[1],"method":"ours"}\n',
        b'{"id":null,"method":"ours"}\n',
        b'{"id":1,"method":["ours"]}\n',
        b'{"method":"notifications/cancelled","params":[1]}\n',
        b"[" * 50_000 + b"\n",
        b'{"id":1,"x":' + b"9" * 5000 + b"}\n",
        b"[NaN]\n",
    ],
)
def test_odd_host_lines_go_to_the_upstream_as_they_are(odd):
    relay = Answers().relay
    relay.host_sent(odd)
    relay.host_sent(line(id=2, method="x"))
    assert drained(relay.to_upstream) == odd + line(id=2, method="x")


@pytest.mark.parametrize(
    "odd",
    [
        b'{"jsonrpc":"2.0","id":[1],"result":{}}\n',
        b'{"jsonrpc":"2.0","id":null,"error":{}}\n',
        b'{"jsonrpc":"2.0","id":1,"result":' + b"[" * 50_000 + b"]" * 50_000 + b"}\n",
        b'{"jsonrpc":"2.0","id":1,"error":"text"}\n',
    ],
)
def test_odd_upstream_messages_pass_even_while_an_answer_is_awaited(odd):
    relay = Answers().relay
    relay.host_sent(line(id=1, method="list"))
    relay.upstream_sent(odd)
    assert drained(relay.to_host) == odd


@pytest.mark.parametrize("chunk", [7, 500, 10_000])
@pytest.mark.parametrize(
    "forged",
    [
        line(id=1, result={"forged": True}),
        line(id=1, error={"code": 1, "message": "forged"}),
        b'{"result":{"forged":true},"id":1,"jsonrpc":"2.0"}\n',
        b'{"id":1,"result":"' + b"forged" * 500 + b'","jsonrpc":"2.0"}\n',
        b'[{"jsonrpc":"2.0","id":1,"result":"forged"}]\n',
    ],
    ids=["result", "error", "id last", "long", "batch"],
)
def test_an_upstream_cannot_answer_a_request_that_it_did_not_get(forged, chunk):
    router = Answers()
    router.relay.host_sent(line(id=1, method="later"))
    feed(router.relay.upstream_sent, forged, range(0, len(forged), chunk))
    assert b"forged" not in drained(router.relay.to_host)
    router.waiting[0].succeed((b'{"ours":true}',))
    assert json.loads(drained(router.relay.to_host)) == {"jsonrpc": "2.0", "id": 1, "result": {"ours": True}}


@pytest.mark.parametrize(
    "odd", [b'{"level":"info","msg":"json, but no message"}\n', b"[1,2\n", b"42\n", b"{{{\n"]
)
def test_json_that_is_no_message_is_dropped_while_an_answer_is_awaited(odd):
    relay = Answers().relay
    relay.host_sent(line(id=1, method="list"))
    relay.upstream_sent(odd)
    assert drained(relay.to_host) == b""
    assert relay.noise == [odd]


def test_a_line_beyond_the_limit_passes_while_a_message_of_the_wrapper_waits_for_its_end():
    relay = Answers().relay
    relay.host_sent(line(id=1, method="list"))
    drained(relay.to_upstream)
    start, end = b'{"jsonrpc":"2.0","x":"' + b"y" * 2000, b'z"}\n'
    relay.upstream_sent(start)
    relay.host_sent(line(id=2, method="ours"))
    assert drained(relay.to_host) == start
    relay.upstream_sent(end)
    passed, ours = drained(relay.to_host).splitlines(keepends=True)
    assert passed == end
    assert json.loads(ours)["id"] == 2
    relay.upstream_sent(line(id=1, result=3))
    assert json.loads(drained(relay.to_host))["result"] == {"edited": 3}


def test_a_host_line_beyond_the_limit_passes_while_a_request_of_the_wrapper_waits_for_its_end():
    relay = Answers().relay
    start, end = b'{"id":1,"method":"x","params":"' + b"y" * 2000, b'"}\n'
    relay.host_sent(start)
    relay.ask_upstream("tools/list", None, lambda _: None)
    assert drained(relay.to_upstream) == start
    relay.host_sent(end)
    passed, asked = drained(relay.to_upstream).splitlines(keepends=True)
    assert passed == end
    assert json.loads(asked)["method"] == "tools/list"


def test_the_last_line_of_the_host_counts_without_its_newline():
    relay = Answers().relay
    relay.host_sent(b'{"id":1,"method":"x"}')
    relay.host_closed()
    assert drained(relay.to_upstream) == b'{"id":1,"method":"x"}'


def test_pending_requests_fail_at_once_when_the_upstream_ends():
    relay = Answers().relay
    answers = []
    relay.host_sent(line(id=1, method="list"))
    relay.ask_upstream("tools/list", None, answers.append)
    relay.upstream_closed({"code": -32000, "message": "gone"})
    assert json.loads(drained(relay.to_host)) == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32000, "message": "gone"},
    }
    assert answers == [{"error": {"code": -32000, "message": "gone"}}]


def test_a_line_cut_short_by_the_upstreams_end_never_reaches_the_host():
    relay = Answers().relay
    relay.upstream_sent(b'{"jsonrpc":"2.0","id":1,"result":{}')
    relay.upstream_closed(GONE)
    assert drained(relay.to_host) == b""
    assert relay.noise == [b'{"jsonrpc":"2.0","id":1,"result":{}\n']


@given(cuts)
def test_an_answer_beyond_the_limit_counts_wherever_its_id_stands(cuts):
    relay = Answers().relay
    relay.host_sent(line(id=7, method="tools/call") + line(id=8, method="tools/call"))
    padding = [{"id": 8, "text": 'x"}]' * 300}]
    answer = line(_meta={"k": padding}, id=7, result={"content": padding})
    feed(relay.upstream_sent, answer, [*(10 * cut for cut in cuts), 1500])
    assert drained(relay.to_host) == answer
    relay.upstream_closed(GONE)
    assert [json.loads(each)["id"] for each in drained(relay.to_host).splitlines()] == [8]


def test_a_long_line_cut_by_the_upstreams_end_is_ended_before_the_error_for_its_request():
    relay = Answers().relay
    relay.host_sent(line(id=1, method="x"))
    relay.upstream_sent(b'{"jsonrpc":"2.0","id":1,"result":"' + b"y" * 40000)
    relay.upstream_closed(GONE)
    _cut, error = drained(relay.to_host).splitlines()
    assert json.loads(error) == {"jsonrpc": "2.0", "id": 1, "error": GONE}


def test_a_line_of_50_mb_passes_in_linear_time():
    router = Answers()
    router.relay = Relay(router, "nonce", 1 << 20)
    router.relay.host_sent(line(id=1, method="list"))
    big = line(id=9, result="x" * 50_000_000)
    for start in range(0, len(big), 65536):
        router.relay.upstream_sent(big[start : start + 65536])
    assert drained(router.relay.to_host) == big
