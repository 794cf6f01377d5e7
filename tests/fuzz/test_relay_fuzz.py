"""The relay between peers that send anything, in pieces of any size, never fails and answers nothing twice."""

import json
from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from genui_core.application.stdio.router import StdioRouter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.settings import Settings
from genui_core.testing.event_log import RecordingEventLog

APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
METHODS = st.sampled_from(
    [
        "initialize", "server/discover", "tools/list", "tools/call", "resources/list", "resources/read", "ping",
        "resources/subscribe", "resources/unsubscribe", "prompts/list", "completion/complete", "logging/setLevel",
        "subscriptions/listen", "notifications/cancelled", "notifications/initialized", "notifications/progress",
        "notifications/tools/list_changed", "notifications/resources/updated", "sampling/createMessage", "roots/list", "x",
    ]
)  # fmt: skip
PARAMS = st.one_of(
    JSON,
    st.sampled_from(
        [
            {"uri": "ui://a"}, {"uri": "ui://a?v=00000000"}, {"uri": "x://a"}, {"uri": "ui://%ff"}, {"name": "a", "arguments": {}},
            {"name": "_ui_list"}, {"name": "_ui_inspect", "arguments": {"toolName": "a"}}, {"name": "_ui_refresh_tools"},
            {"protocolVersion": "2025-11-25", "capabilities": APPS}, {"requestId": 1}, {"requestId": "a"}, {"cursor": "b"},
            {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "progressToken": 1}},
        ]
    ),
)  # fmt: skip
TOOL = st.fixed_dictionaries(
    {"name": st.sampled_from(["a", "b", "_ui_list"]) | st.text(max_size=5)},
    optional={"inputSchema": JSON, "_meta": JSON, "description": JSON, "annotations": JSON},
)
RESULTS = st.one_of(
    JSON,
    st.fixed_dictionaries({"tools": st.lists(TOOL | JSON, max_size=3)}, optional={"nextCursor": JSON}),
    st.fixed_dictionaries({"resources": st.lists(JSON, max_size=2)}),
    st.fixed_dictionaries({"capabilities": JSON, "serverInfo": JSON, "protocolVersion": JSON}),
    st.fixed_dictionaries({"content": JSON, "structuredContent": JSON}),
)
IDS = st.integers(0, 4) | st.sampled_from(["a", 1.0, None, "mcp-gen-ui", 2**70])


def message(**fields):
    return st.fixed_dictionaries({"jsonrpc": st.just("2.0"), **fields})


REQUESTS = message(id=IDS, method=METHODS, params=PARAMS)
NEWS = message(method=METHODS, params=PARAMS)
ANSWERS = message(id=IDS, result=RESULTS) | message(id=IDS, error=JSON)
ODD = st.binary(max_size=30).map(lambda data: data.replace(b"\n", b" ") + b"\n")


def lines(kind):
    whole = kind | st.lists(kind, min_size=1, max_size=3)
    return whole.map(lambda each: json.dumps(each).encode() + b"\n") | ODD


HOST = lines(REQUESTS | NEWS | ANSWERS)
UPSTREAM = lines(ANSWERS | NEWS | REQUESTS)
STEPS = st.lists(
    st.tuples(st.just("host"), HOST) | st.tuples(st.just("upstream"), UPSTREAM) | st.tuples(st.just("dies"), st.none()),
    max_size=14,
)  # fmt: skip


class Driver:
    """A driver that executes every command at once; the test decides when time passes."""

    def __init__(self):
        self.wrapper = Wrapper(settings=Settings(), event_log=RecordingEventLog())
        self.router = StdioRouter(self.wrapper.open())
        self.relay, self.steps = self.router.relay, []
        self.relay.later = self.later
        self.router.supervision.attach_driver(self, "fuzzed")
        self.ended = False
        self.to_host = bytearray()

    def later(self, _delay_s, step):
        self.steps.append(step)
        return lambda: step in self.steps and self.steps.remove(step)

    def stop_upstream(self):
        self.router.supervision.gone(1)

    def start_upstream(self):
        self.router.supervision.started()

    def finish(self):
        self.ended = True

    def pass_time(self):
        due, self.steps = self.steps, []
        for step in due:
            step()

    def do(self, who, data, cuts):
        if who == "dies":
            self.router.supervision.ended()
            self.pass_time()
        else:
            take = self.relay.host_sent if who == "host" else self.relay.upstream_sent
            places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
            for start, end in pairwise(places):
                take(data[start:end])
        self.to_host += b"".join(self.relay.to_host)
        self.relay.to_host.clear()
        self.relay.to_upstream.clear()


def request_ids_in(data):
    """Return the ids of the requests in a line, as JSON text."""
    try:
        read = json.loads(data)
    except ValueError:
        return []
    whole = read if isinstance(read, list) else [read]
    return [
        json.dumps(each["id"])
        for each in whole
        if isinstance(each, dict) and "id" in each and "method" in each
    ]


@given(STEPS, st.lists(st.integers(0, 200), max_size=6))
def test_no_peer_makes_the_relay_fail(steps, cuts):
    driver = Driver()
    for who, data in steps:
        if driver.ended:
            break
        driver.do(who, data, cuts)
    driver.pass_time()


@given(st.lists(st.tuples(st.just("host"), HOST) | st.tuples(st.just("dies"), st.none()), max_size=14), st.lists(st.integers(0, 200), max_size=6))  # fmt: skip
def test_no_request_is_answered_more_than_once(steps, cuts):
    """The upstream is silent, so every answer is the wrapper's."""
    driver, asked = Driver(), Counter()
    for who, data in steps:
        if driver.ended:
            break
        driver.do(who, data, cuts)
        asked.update(request_ids_in(data) if who == "host" else ())
    answered = Counter()
    for line in bytes(driver.to_host).splitlines():
        read = json.loads(line)
        for each in read if isinstance(read, list) else [read]:
            if "method" not in each:
                answered[json.dumps(each["id"])] += 1
    assert answered <= asked
