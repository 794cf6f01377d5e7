"""Hard cases: odd tools, unreadable answers, crossing listings, colliding names and addresses (requirement W12)."""

import json

import pytest

from genui_core.application.stdio.router import StdioRouter
from genui_core.application.upstream_tools import Listing
from genui_core.application.wrapper import Wrapper
from genui_core.domain.tools.tool import tool_name_of
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_kit import PlainViewKit

APPS = {"extensions": {"io.modelcontextprotocol/ui": {}}}
GONE = {"code": -32000, "message": "gone"}
READ_ADD = {"uri": "ui://add"}


class Wire:
    """A relay whose host and upstream the test plays."""

    def __init__(self, **capabilities):
        self.event_log = RecordingEventLog()
        self.relay = StdioRouter(Wrapper(event_log=self.event_log).open()).relay
        self.ask(0, "initialize", {"capabilities": APPS})
        self.answer(0, {"capabilities": capabilities or {"tools": {}}})

    def ask(self, request_id, method, params=None):
        message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}}
        self.relay.host_sent(json.dumps(message).encode() + b"\n")
        return self._taken(self.relay.to_upstream)

    def tell(self, data):
        self.relay.upstream_sent(data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n")
        return self._taken(self.relay.to_host)

    def heard(self):
        return self._taken(self.relay.to_host)

    def answer(self, request_id, result):
        return self.tell({"jsonrpc": "2.0", "id": request_id, "result": result})

    def list(self, *tools, request_id=1):
        self.ask(request_id, "tools/list")
        return self.answer(request_id, {"tools": list(tools)})[0]["result"]["tools"]

    @staticmethod
    def _taken(pieces):
        data = b"".join(pieces)
        pieces.clear()
        assert not data or data.endswith(b"\n")
        return [json.loads(each) for each in data.splitlines()]


def page_text(views, address):
    """Read an address as the host and return the page."""
    return json.loads(b"".join(views.read_view(address, tool_name_of(address))))["text"]


def deep(levels):
    return json.loads('{"properties":{"x":' * levels + "{}" + "}}" * levels)


@pytest.mark.parametrize(
    "schema", [b'{"maximum":1e999}', json.dumps(deep(140)).encode()], ids=["1e999", "deep"]
)
def test_one_odd_tool_costs_no_other_its_view(schema):
    wire = Wire()
    wire.ask(1, "tools/list")
    (answer,) = wire.tell(
        b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"odd","inputSchema":%s},{"name":"add"}]}}\n'
        % schema
    )
    tools = {each["name"]: each for each in answer["result"]["tools"]}
    assert tools["add"]["_meta"]["ui"]["resourceUri"]
    assert "_ui_list" in tools


@pytest.mark.parametrize(
    "schema", [b'{"maximum":1e999}', json.dumps(deep(140)).encode()], ids=["1e999", "deep"]
)
def test_an_odd_tool_has_its_minimal_view_too(schema):
    wire = Wire()
    wire.ask(1, "tools/list")
    (answer,) = wire.tell(
        b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"odd","inputSchema":%s}]}}\n' % schema
    )
    wire.ask(2, "resources/read", {"uri": answer["result"]["tools"][0]["_meta"]["ui"]["resourceUri"]})
    (read,) = wire.heard()
    assert "startAdaptiveView" in read["result"]["contents"][0]["text"]
    assert wire.event_log.named("fallback_used") == []


def listed(wrapper, *tools):
    views = wrapper.open()
    listing = Listing()
    views.tools.add_page(listing, {"tools": list(tools)})
    views.finish_listing(listing)
    return views


def test_a_tool_without_a_possible_page_gets_the_error_page():
    event_log = RecordingEventLog()
    odd = {"name": "odd", "inputSchema": {"default": b"\xff"}}
    views = listed(Wrapper(event_log=event_log), odd, {"name": "add"})
    address = views.address_of(odd)
    for _ in range(2):
        assert "The view of this tool could not be made" in page_text(views, address)
    (event,) = event_log.named("fallback_used")
    assert (event.metadata["tool_name"], event.metadata["fallbackType"]) == ("odd", "emergency")
    assert "startAdaptiveView" in page_text(views, "ui://add")


class BrokenKit:
    """A view kit whose files cannot be read."""

    def __getattr__(self, part):
        if "script" in part:
            raise OSError("no such kit")
        return getattr(PlainViewKit(), part)


def test_a_kit_that_fails_costs_the_page_and_not_the_answer():
    event_log = RecordingEventLog()
    views = listed(Wrapper(kit=BrokenKit(), event_log=event_log), {"name": "add"})
    assert "no such kit" in page_text(views, "ui://add")
    assert [each.metadata["reason"] for each in event_log.named("fallback_used")] == ["OSError: no such kit"]


@pytest.mark.parametrize(
    "value", [b"NaN", b'"\x01"', b"[" * 50_000 + b"]" * 50_000], ids=["nan", "control", "deep"]
)
def test_an_unreadable_answer_to_the_wrapper_is_not_forwarded_and_the_held_request_goes_on(value):
    wire = Wire()
    (asked,) = wire.ask(5, "resources/read", READ_ADD)
    told = wire.tell(
        b'{"jsonrpc":"2.0","id":"%s","result":{"tools":[{"name":"add","x":%s}]}}\n'
        % (asked["id"].encode(), value)
    )
    assert told == []
    assert json.loads(b"".join(wire.relay.to_upstream))["id"] == 5


def test_an_answer_to_the_wrapper_inside_a_batch_is_delivered_and_removed():
    wire = Wire()
    (asked,) = wire.ask(5, "resources/read", READ_ADD)
    told = wire.tell([{"jsonrpc": "2.0", "id": asked["id"], "result": {"tools": [{"name": "add"}]}}])
    assert [each["id"] for each in told] == [5]


def test_an_awaited_answer_that_cannot_be_read_is_no_longer_awaited():
    wire = Wire()
    wire.ask(1, "tools/list")
    wire.relay.upstream_sent(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","x":NaN}]}}\n')
    wire.relay.to_host.clear()
    wire.relay.upstream_closed(GONE)
    assert not wire.relay.to_host


def test_a_server_without_tools_keeps_its_resources():
    wire = Wire(resources={})
    sent = wire.ask(3, "resources/list")
    if sent[0]["method"] == "tools/list":
        wire.relay.upstream_sent(
            json.dumps(
                {"id": sent[0]["id"], "error": {"code": -32601, "message": "Method not found"}}
            ).encode()
            + b"\n"
        )
        sent = [json.loads(each) for each in wire.relay.to_upstream]
    assert [each["method"] for each in sent] == ["resources/list"]


def test_an_own_output_template_is_kept():
    meta = {"openai/outputTemplate": "ui://widget/own.html"}
    assert Wire().list({"name": "a", "_meta": meta})[0]["_meta"] == meta


def test_the_address_of_a_removed_tools_own_ui_stays_the_upstreams():
    wire = Wire()
    wire.list({"name": "own", "_meta": {"ui": {"resourceUri": "ui://own"}}})
    wire.list(request_id=2)
    assert [each["method"] for each in wire.ask(3, "resources/read", {"uri": "ui://own"})] == [
        "resources/read"
    ]


def test_an_address_that_another_tool_brings_is_the_upstreams():
    wire = Wire(resources={})
    wire.list({"name": "show", "_meta": {"ui": {"resourceUri": "ui://budget"}}}, {"name": "budget"})
    assert wire.ask(3, "resources/read", {"uri": "ui://budget"})


def test_a_changed_tool_on_an_early_page_is_advertised_at_its_new_address():
    wire = Wire()

    def address(description):
        wire.ask(1, "tools/list")
        (page,) = wire.answer(1, {"tools": [{"name": "a", "description": description}], "nextCursor": "2"})
        wire.ask(2, "tools/list", {"cursor": "2"})
        wire.answer(2, {"tools": []})
        return page["result"]["tools"][0]["_meta"]["ui"]["resourceUri"]

    assert address("old") != address("new")


def test_a_restarted_listing_does_not_lose_pages_of_another():
    wire = Wire()
    pages = {None: (["a"], "2"), "2": (["b"], "3"), "3": (["c"], None)}

    def page(request_id, cursor):
        names, following = pages[cursor]
        wire.ask(request_id, "tools/list", {"cursor": cursor} if cursor else {})
        tools = {"tools": [{"name": each} for each in names]}
        wire.answer(request_id, {**tools, "nextCursor": following} if following else tools)

    for request_id, cursor in enumerate([None, "2", "3", None, "2", None, "3"]):
        page(request_id, cursor)
    wire.ask(9, "resources/read", {"uri": "ui://b"})
    answer = json.loads(b"".join(wire.relay.to_host)) if wire.relay.to_host else {}
    assert "result" in answer


def test_a_uri_that_cannot_be_encoded_is_forwarded_to_the_upstream():
    wire = Wire()
    wire.list({"name": "add"})
    assert wire.ask(3, "resources/subscribe", {"uri": "ui://\ud800"})


def test_a_last_answer_without_its_newline_does_not_swallow_the_error_behind_it():
    wire = Wire()
    wire.ask(1, "tools/list"), wire.ask(2, "tools/list")
    wire.relay.upstream_sent(b'{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}')
    wire.relay.upstream_closed(GONE)
    assert len(b"".join(wire.relay.to_host).splitlines()) == 2


@pytest.mark.parametrize("noise", [b"[INFO] starting\n", b'{"level":"info","msg":"hi"}\n'])
def test_noise_that_opens_like_json_is_dropped_while_nothing_is_awaited(noise):
    wire = Wire()
    wire.relay.upstream_sent(noise)
    assert not wire.relay.to_host


def test_a_cancelled_request_that_was_held_back_goes_nowhere():
    wire = Wire()
    (asked,) = wire.ask(7, "tools/call", {"name": "_ui_theirs"})
    wire.relay.host_sent(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}\n')
    wire.relay.to_upstream.clear()
    wire.answer(asked["id"], {"tools": [{"name": "_ui_theirs"}]})
    assert not wire.relay.to_upstream


def test_many_cold_reads_share_one_listing():
    wire = Wire()
    assert sum(len(wire.ask(number, "resources/read", READ_ADD)) for number in range(1, 50)) == 1


def test_a_yielding_name_is_logged():
    wire = Wire()
    wire.list({"name": "_ui_list"})
    assert [each for each in wire.event_log.events if "_ui_list_of_wrapper" in str(each)]


def test_when_the_upstream_dies_a_held_back_request_says_died():
    wire = Wire()
    wire.ask(5, "resources/read", READ_ADD)
    wire.relay.upstream_closed({**GONE, "data": {"errorType": "UPSTREAM_DIED"}})
    assert json.loads(b"".join(wire.relay.to_host))["error"]["data"]["errorType"] == "UPSTREAM_DIED"
