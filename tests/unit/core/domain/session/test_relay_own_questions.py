"""The wrapper's own requests to the host: it consumes their answers, and the upstream gets no message of them."""

import json

import pytest
from attrs import define, field

from genui_core.domain.session.exchange import PASS
from genui_core.domain.session.relay import Relay


@define
class Plain:
    """A router that forwards everything."""

    relay: Relay = field(init=False)

    def __attrs_post_init__(self):
        self.relay = Relay(self, "nonce", max_line_bytes=1000)

    def decide(self, _method, _params):
        return PASS

    def host_said(self, method, params):
        pass

    def upstream_said(self, _method, _params, line):
        return line

    def first_word(self):
        pass

    def request_failed(self, error, _method, _tool_name):
        return error


@pytest.fixture
def relay():
    relay = Plain().relay
    relay.exchange.link.open()
    relay.exchange.link.set_up()
    return relay


def taken(pieces):
    said = [json.loads(line) for line in b"".join(pieces).splitlines()]
    pieces.clear()
    return said


def ask(relay, answers, **params):
    return relay.ask_host("sampling/createMessage", params, answers.append)


def answer(relay, request_id, **fields):
    relay.host_sent(json.dumps({"jsonrpc": "2.0", "id": request_id, **fields}).encode() + b"\n")


def test_answers_reach_their_requests_in_any_order(relay):
    first, second = [], []
    ask(relay, first, n=1)
    ask(relay, second, n=2)
    questions = taken(relay.to_host)
    assert [each["params"] for each in questions] == [{"n": 1}, {"n": 2}]
    for each in reversed(questions):
        answer(relay, each["id"], result={"for": each["params"]["n"]})
    assert [first[0]["result"], second[0]["result"]] == [{"for": 1}, {"for": 2}]
    assert taken(relay.to_upstream) == []


@pytest.mark.parametrize("fields", [{"error": {"code": -1, "message": "no"}}, {"result": {"x": "y" * 2000}}])
def test_errors_and_too_long_answers_of_the_host_are_consumed_too(relay, fields):
    answers = []
    ask(relay, answers)
    (question,) = taken(relay.to_host)
    line = json.dumps({"jsonrpc": "2.0", "id": question["id"], **fields}).encode() + b"\n"
    for start in range(0, len(line), 600):
        relay.host_sent(line[start : start + 600])
    assert "error" in answers[0]
    assert taken(relay.to_upstream) == []


def test_a_cancelled_request_is_cancelled_once_at_the_host_and_its_late_answer_is_dropped(relay):
    answers = []
    take_back = ask(relay, answers)
    (question,) = taken(relay.to_host)
    take_back()
    take_back()
    (told,) = taken(relay.to_host)
    assert (told["method"], told["params"]["requestId"]) == ("notifications/cancelled", question["id"])
    answer(relay, question["id"], result={})
    assert (answers, taken(relay.to_upstream)) == ([], [])


def test_an_answer_in_a_batch_is_removed_from_it(relay):
    answers = []
    ask(relay, answers)
    (question,) = taken(relay.to_host)
    theirs = {"jsonrpc": "2.0", "id": 7, "result": {}}
    ours = {"jsonrpc": "2.0", "id": question["id"], "result": {"ours": True}}
    relay.host_sent(json.dumps([theirs, ours]).encode() + b"\n")
    assert answers[0]["result"] == {"ours": True}
    assert taken(relay.to_upstream) == [[theirs]]


def test_requests_and_the_death_of_the_upstream_do_not_affect_the_wrappers_requests(relay):
    answers = []
    ask(relay, answers)
    (question,) = taken(relay.to_host)
    relay.upstream_sent(b'{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}\n')
    answer(relay, 1, result={"theirs": True})
    assert taken(relay.to_upstream)[0]["result"] == {"theirs": True}
    relay.upstream_closed({"code": -32000, "message": "gone"})
    answer(relay, question["id"], result={"ours": True})
    assert answers[0]["result"] == {"ours": True}
