"""Upstreams that die at any byte: each request gets one answer, and no message reaches a later upstream."""

import json

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from genui_core.domain.session.exchange import PASS, Forwarding
from genui_core.domain.session.relay import Relay
from genui_core.domain.session.upstream_answers import AnswerEditor, UpstreamQuestions

DIED = {"code": -32000, "message": "died", "data": {"errorType": "UPSTREAM_DIED", "toolName": None}}
AWAY = {"code": -32000, "message": "away", "data": {"errorType": "UPSTREAM_UNREACHABLE", "toolName": None}}


def marked(result):
    return b'{"edited":%b}' % result.data


@define
class Answers:
    """A router that edits lists, answers ``ours``, and forwards the rest."""

    steps: list = field(factory=list)
    relay: Relay = field(init=False)

    def __attrs_post_init__(self):
        self.relay = Relay(self, "n", 2000)
        self.relay.later = self.later

    def later(self, delay_s, step):
        timer = delay_s, step
        self.steps.append(timer)
        return lambda: timer in self.steps and self.steps.remove(timer)

    def decide(self, method, _params):
        if method == "ours":
            return lambda pending: pending.succeed((b"{}",))
        return Forwarding(AnswerEditor(marked)) if method == "tools/list" else PASS

    def host_said(self, method, params):
        pass

    def upstream_said(self, _method, _params, line):
        return line

    def first_word(self):
        pass

    def request_failed(self, error, _method, tool_name):
        return {**error, "data": {**error.get("data", {}), "toolName": tool_name}}


@pytest.mark.parametrize(
    "parts",
    [
        {"jsonrpc": "2.0", "id": 1, "method": "x", "params": "y" * 5000},
        {"method": "x", "params": "y" * 5000, "jsonrpc": "2.0", "id": 1},
        {"method": "x", "id": 1, "params": "y" * 5000, "jsonrpc": "2.0"},
        {"params": "y" * 5000, "jsonrpc": "2.0", "id": 1, "method": "x"},
    ],
    ids=", ".join,
)
def test_a_request_too_long_to_keep_is_refused_without_an_upstream_in_any_order_of_its_members(parts):
    relay = Answers().relay
    relay.upstream_closed(AWAY)
    line = json.dumps(parts).encode() + b"\n"
    relay.host_sent(line[:4000])
    relay.host_sent(line[4000:])
    (answer,) = [json.loads(each) for each in relay.to_host]
    assert (answer["id"], answer["error"]["message"]) == (1, "away")


def encoded(message, style):
    """Return a message as four kinds of servers write it."""
    parts = {"jsonrpc": "2.0", **message}
    if style == "tail":
        parts = {key: parts[key] for key in (*message, "jsonrpc") if key != "id"} | {"id": message["id"]}
    if style == "odd":
        parts = {"extra": {"id": 1}, **parts}
    text = json.dumps(parts, separators=(",", ":") if style != "spaced" else (", ", ": "))
    return (f"[{text}]" if style == "batch" else text).encode() + b"\n"


@define
class Life:
    """One process of the upstream: the messages that it got, and its undelivered output."""

    received: list = field(factory=list)
    pending: bytes = b""
    asked: list = field(factory=list)
    answered: set = field(factory=set)


@define
class World:
    """A host, a relay and successive upstreams."""

    router: Answers = field(factory=Answers)
    life: Life = field(factory=Life)
    lives: list = field(factory=list)
    is_up: bool = True
    sent: list = field(factory=list)
    cancelled: set = field(factory=set)
    output: bytes = b""
    questions_seen: list = field(factory=list)

    def host(self, message):
        self.router.relay.host_sent(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.settle()

    def settle(self):
        relay = self.router.relay
        self.output += b"".join(relay.to_host)
        relay.to_host.clear()
        data = b"".join(relay.to_upstream)
        relay.to_upstream.clear()
        assert self.is_up or not data, "bytes for an upstream that is gone"
        for each in data.splitlines():
            message = json.loads(each)
            self.life.received += message if isinstance(message, list) else [message]

    # --- what may happen ----------------------------------------------------------------

    def request(self, number):
        method = ("tools/call", "tools/call", "tools/list", "ours", "ping")[number % 5]
        request_id = len(self.sent) if number % 3 else f"r{len(self.sent)}"
        self.sent.append(request_id)
        self.host({"id": request_id, "method": method, "params": {"name": "x"}})

    def request_batch(self, number):
        ids = [f"b{len(self.sent)}", f"c{len(self.sent)}"]
        self.sent += ids
        batch = [{"jsonrpc": "2.0", "id": each, "method": "tools/call", "params": {}} for each in ids]
        batch += [{"jsonrpc": "2.0", "method": "notifications/x"}] * (number % 2)
        self.router.relay.host_sent(json.dumps(batch).encode() + b"\n")
        self.settle()

    def cancel(self, number):
        if self.sent:
            request_id = self.sent[number % len(self.sent)]
            self.cancelled.add(request_id)
            self.host({"method": "notifications/cancelled", "params": {"requestId": request_id}})

    def answer(self, number):
        open_ids = [
            each["id"]
            for each in self.life.received
            if "method" in each and "id" in each and each["id"] not in self.life.answered
        ]
        if open_ids:
            request_id = open_ids[number % len(open_ids)]
            self.life.answered.add(request_id)
            style = ("head", "tail", "spaced", "odd", "batch")[number % 5]
            # Beyond the limit of 2000 bytes only the ends of a line can tell whose answer it is.
            size = (3, 3, 1500, 5000 if style in {"head", "tail", "spaced"} else 1500)[number % 4]
            self.life.pending += encoded({"id": request_id, "result": {"x": "y" * size}}, style)

    def ask_host(self, number):
        request_id = len(self.life.asked)
        self.life.asked.append(request_id)
        style = ("head", "tail", "odd")[number % 3]
        self.life.pending += encoded({"method": "roots/list", "id": request_id}, style)

    def noise(self, number):
        self.life.pending += (b"Listening...\n", b'{"level":"info"}\n', b"\n", b'{"half":\n')[number % 4]

    def tell(self, _number):
        self.life.pending += b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"id":1}}\n'

    def deliver(self, number):
        if self.is_up:
            count = number * 37 % 3000 + 1
            data, self.life.pending = self.life.pending[:count], self.life.pending[count:]
            self.router.relay.upstream_sent(data)
            self.settle()

    def answer_host_question(self, number):
        seen = [
            each["id"]
            for each in self.messages()
            if each.get("method") == "roots/list" and each["id"] not in self.questions_seen
        ]
        if seen:
            request_id = seen[number % len(seen)]
            self.questions_seen.append(request_id)
            self.host({"id": request_id, "result": {"roots": [len(self.lives)]}})

    def die(self, number):
        if self.is_up:
            self.is_up = False
            self.lives.append(self.life)
            self.router.relay.upstream_closed(DIED)
            self.router.relay.exchange.link.lose(AWAY, is_expected=bool(number % 2))
            self.settle()

    def revive(self, _number):
        if not self.is_up:
            self.life, self.is_up = Life(), True
            self.router.relay.exchange.link.open()
            self.router.relay.exchange.link.set_up()
            self.settle()

    def lose_patience(self, _number):
        steps, self.router.steps = self.router.steps, []
        for _, step in steps:
            step()
        self.settle()

    # --- what the host saw --------------------------------------------------------------

    def messages(self):
        found = []
        for each in self.output.splitlines():
            try:
                message = json.loads(each)
            except ValueError:  # a long line that the death of its writer cut
                continue
            found += message if isinstance(message, list) else [message]
        return found


HAPPENINGS = (
    *(World.request,) * 4, World.request_batch, World.cancel, *(World.answer,) * 4, World.ask_host, World.noise,
    World.tell, *(World.deliver,) * 5, *(World.answer_host_question,) * 2, World.die, *(World.revive,) * 2,
    World.lose_patience,
)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(HAPPENINGS), st.integers(0, 1000)), max_size=60))
@settings(max_examples=400)
def test_every_request_is_answered_once_whatever_dies_when(happenings):
    world = World()
    for happen, number in happenings:
        happen(world, number)
    world.die(0)
    world.router.relay.exchange.link.refuse_waiting()
    world.settle()
    answers = [each["id"] for each in world.messages() if "method" not in each]
    assert set(answers) <= set(world.sent)
    for request_id in world.sent:
        most, least = 1, 0 if request_id in world.cancelled else 1
        assert least <= answers.count(request_id) <= most, request_id
    assert world.output.endswith(b"\n") or not world.output


@given(st.lists(st.tuples(st.sampled_from(HAPPENINGS), st.integers(0, 1000)), max_size=60))
@settings(max_examples=400)
def test_no_upstream_gets_an_answer_to_a_request_of_another(happenings):
    world = World()
    for happen, number in happenings:
        happen(world, number)
    world.die(0)
    for number, life in enumerate(world.lives):
        answers = [each for each in life.received if "method" not in each]
        assert [each["id"] for each in answers if each["id"] not in life.asked] == []
        assert len({each["id"] for each in answers}) == len(answers)
        # The host's answer must reach the upstream that asked.
        assert {each["result"]["roots"][0] for each in answers} <= {number}


@given(st.integers(0, 400))
def test_a_death_at_any_byte_of_an_answer_leaves_one_answer(cut):
    for style in ("head", "tail", "spaced", "odd", "batch"):
        world = World()
        world.host({"id": 1, "method": "tools/call", "params": {"name": "add"}})
        answer = encoded({"id": 1, "result": {"x": "y" * 200}}, style)
        world.router.relay.upstream_sent(answer[:cut])
        world.router.relay.upstream_closed(DIED)
        world.settle()
        (only,) = world.messages()
        whole = cut >= len(answer) - 1
        assert ("result" in only) == whole
        if not whole:
            assert only["error"]["data"]["toolName"] == "add"


def test_a_question_of_a_new_life_goes_out_under_another_id_while_its_own_is_spoken_for():
    world = World()
    world.ask_host(0)
    world.deliver(9)
    world.die(0)
    told = [each for each in world.messages() if each.get("method") == "notifications/cancelled"]
    assert [each["params"]["requestId"] for each in told] == [0]
    world.revive(0)
    world.ask_host(1)
    world.deliver(9)
    first, second = [each["id"] for each in world.messages() if each.get("method") == "roots/list"]
    assert first == 0
    assert second != 0
    world.host({"id": second, "result": {"roots": []}})
    assert world.life.received == [{"jsonrpc": "2.0", "id": 0, "result": {"roots": []}}]
    world.host({"id": first, "result": {"roots": ["too late"]}})
    assert len(world.life.received) == 1


def test_a_request_is_cancelled_with_the_id_that_the_host_got():
    world = World()
    world.ask_host(0)
    world.deliver(9)
    world.die(0)
    world.revive(0)
    world.ask_host(0)
    world.life.pending += (
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0,"reason":"x"}}\n'
    )
    world.deliver(9)
    asked = [each["id"] for each in world.messages() if each.get("method") == "roots/list"]
    cancelled = [
        each["params"]["requestId"]
        for each in world.messages()
        if each.get("method") == "notifications/cancelled"
    ]
    assert cancelled == [0, asked[1]]


@pytest.mark.parametrize("is_up", [True, False])
def test_a_long_request_that_is_cut_by_a_death_is_refused_and_its_rest_goes_nowhere(is_up):
    world = World()
    if not is_up:
        world.die(0)
    relay = world.router.relay
    line = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": "z" * 6000}).encode()
    relay.host_sent(line[:3000])
    relay.to_upstream.clear()
    if is_up:
        world.die(0)
    world.revive(0)
    relay.host_sent(line[3000:] + b"\n")
    world.settle()
    assert world.life.received == []
    (answer,) = world.messages()
    assert (answer["id"], answer["error"]["code"]) == (5, -32000)


def test_calls_are_refused_at_once_while_there_is_no_upstream_and_lists_wait_a_moment():
    world = World()
    world.die(1)
    world.host({"id": 1, "method": "tools/call", "params": {"name": "add"}})
    world.host({"id": 2, "method": "prompts/list"})
    world.host({"id": 3, "method": "no/such/method"})
    world.host({"id": 4, "method": "resources/list"})
    refused = world.messages()
    assert [each["id"] for each in refused] == [1, 3]
    assert refused[0]["error"]["data"] == {"errorType": "UPSTREAM_UNREACHABLE", "toolName": "add"}
    world.host({"method": "notifications/cancelled", "params": {"requestId": 4}})
    world.revive(0)
    assert [each["id"] for each in world.life.received] == [2]
    world.lose_patience(0)
    assert len(world.messages()) == 2


def test_a_request_that_waited_too_long_is_refused():
    world = World()
    world.die(1)
    world.host({"id": 2, "method": "prompts/list"})
    world.lose_patience(0)
    assert [(each["id"], each["error"]["message"]) for each in world.messages()] == [(2, "away")]
    world.revive(0)
    assert world.life.received == []


def test_notifications_of_the_host_are_dropped_while_there_is_no_upstream():
    world = World()
    world.die(0)
    world.host({"method": "notifications/roots/list_changed"})
    world.host({"id": 9, "result": {"roots": []}})
    world.router.relay.host_sent(b"not json\n[1]\n")
    world.revive(0)
    assert world.life.received == []
    assert world.messages() == []


def test_output_of_a_dead_upstream_is_dropped():
    world = World()
    world.die(0)
    world.router.relay.upstream_sent(b'{"jsonrpc":"2.0","method":"notifications/x"}\n')
    world.settle()
    assert world.output == b""


def test_a_question_that_no_json_parser_reads_passes_after_a_restart_and_its_answer_is_dropped():
    questions = UpstreamQuestions(lambda: "new")
    questions.open("a", b'{"jsonrpc":"2.0","id":"a","method":"roots/list"}\n')
    assert questions.drop_all() == ["a"]
    for params in ("Infinity", "[" * 100_000):
        line = f'{{"jsonrpc":"2.0","id":"a","method":"roots/list","params":{params}}}\n'.encode()
        assert questions.open("a", line) == line
    assert questions.settle("a", b'{"jsonrpc":"2.0","id":"a","result":{}}\n') == b""
