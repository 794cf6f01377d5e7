"""An upstream connection routes every message that arrives, and gives its requests their envelope."""

import anyio
import pytest
from attrs import define, evolve, field

from genui_adapters.io.nursery import nursery
from genui_adapters.upstream.connection import Connection
from genui_adapters.upstream.link import Link, NotTaken
from genui_adapters.upstream.pending import MAX_WAITING, Notices
from genui_core.domain.mcp.jsonrpc import outbound
from genui_core.errors import UpstreamFailed, UpstreamUnreachable
from genui_core.ports.tool_source import HostChannel, HostFacts
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.source_suite import RecordingChannel, RecordingNotice

HOST = HostFacts({"name": "host"}, {"roots": {}})
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "host"},
    "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
}


@define(eq=False)
class RecordingLink(Link):
    """A link that records the sent messages."""

    sent: list = field(factory=list)
    headers: list = field(factory=list)
    abandoned: list = field(factory=list)
    handshake_only = False
    closing_cancels = False

    async def send(self, message, headers):
        outbound(message)
        self.sent.append(message)
        self.headers.append(dict(headers))

    def abandon(self, request_id):
        self.abandoned.append(request_id)

    def listen(self):
        """Do nothing, because nothing arrives on this link."""


@define(eq=False)
class World:
    """A connection on a link that records the sent messages."""

    connection: Connection
    link: RecordingLink
    notice: RecordingNotice
    event_log: RecordingEventLog
    tasks: anyio.abc.TaskGroup

    def arrives(self, **message):
        of = message.pop("of", None)
        self.connection.take({"jsonrpc": "2.0", **message}, of)

    async def asked(self, count=1):
        """Wait until that many messages were sent, and return them."""
        for _ in range(1000):
            if len(self.link.sent) >= count:
                return self.link.sent
            await anyio.lowlevel.checkpoint()
        raise AssertionError(self.link.sent)

    def ask(self, method="x", params=None, line=None):
        """Start a request; return a list that gets its result or error."""
        outcome = []

        async def run():
            try:
                outcome.append(await self.connection.request(method, params, line))
            except Exception as error:  # noqa: BLE001 -- it is what is looked at
                outcome.append(error)

        self.tasks.start_soon(run)
        return outcome


@pytest.fixture
def play():
    """Run a scenario with a connection."""

    async def run(scenario, owner):
        link, notice, event_log = RecordingLink(), RecordingNotice(), RecordingEventLog()
        with anyio.fail_after(30):
            async with nursery() as tasks:
                notices = Notices(notice, event_log)
                connection = Connection(HOST, tasks, notices, owner, event_log)
                connection.link = link
                tasks.start_soon(notices.run)
                await scenario(World(connection, link, notice, event_log, tasks))

    return lambda scenario, owner=None: anyio.run(run, scenario, owner)


async def settle():
    for _ in range(20):
        await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("request_id", [1, "1"])
def test_an_id_that_comes_back_as_text_is_the_same_id(play, request_id):
    async def scenario(world):
        outcome = world.ask()
        await world.asked()
        world.arrives(id=request_id, result={"ok": 1})
        await settle()
        assert outcome == [{"ok": 1}]

    play(scenario)


def test_a_host_that_wants_no_progress_gets_no_token(play):
    async def scenario(world):
        params = {"_meta": {"progressToken": None}}
        world.ask(params=params)
        (sent,) = await world.asked()
        assert sent["params"] == params

    play(scenario)


@pytest.mark.parametrize("request_id", [True, None, 2, "x", 1.5, [1], {}, "²", "9" * 5000])
def test_an_answer_without_a_request_is_dropped(play, request_id):
    async def scenario(world):
        outcome = world.ask()
        await world.asked()
        world.arrives(id=request_id, result={"for": "somebody else"})
        world.arrives(id=1, result={"ok": 1})
        world.arrives(id=1, result={"too": "late"})
        await settle()
        assert outcome == [{"ok": 1}]

    play(scenario)


@pytest.mark.parametrize("answer", [{}, {"result": []}, {"result": None}, {"error": "text"}, {"error": []}])
def test_a_malformed_answer_fails_the_request(play, answer):
    async def scenario(world):
        outcome = world.ask()
        await world.asked()
        world.arrives(id=1, **answer)
        await settle()
        assert isinstance(outcome[0], UpstreamFailed)

    play(scenario)


@pytest.mark.parametrize(
    "params", [None, {}, [], {"progressToken": True}, {"progressToken": 9}, {"progressToken": {}}]
)
def test_progress_without_a_request_is_dropped(play, params):
    async def scenario(world):
        line = RecordingChannel()
        world.ask(line=line)
        await world.asked()
        world.arrives(method="notifications/progress", params=params)
        world.arrives(method="notifications/cancelled", params=params)
        await settle()
        assert (line.told, world.notice.said) == ([], [])

    play(scenario)


def test_a_log_message_goes_to_the_only_waiting_host_and_else_to_all(play):
    async def scenario(world):
        first, second = RecordingChannel(), RecordingChannel()
        world.arrives(method="notifications/message", params={"data": 0})
        await settle()
        world.ask(line=first)
        await world.asked(1)
        world.arrives(method="notifications/message", params={"data": 1})
        await settle()
        world.ask(line=second)
        await world.asked(2)
        world.arrives(method="notifications/message", params={"data": 2})
        world.arrives(method="notifications/message", params={"data": 3}, of=2)
        await settle()
        assert [params["data"] for _, params in world.notice.said] == [0, 2]
        assert [params["data"] for _, params in first.told + second.told] == [1, 3]

    play(scenario)


def test_a_request_of_the_upstream_goes_to_the_host_on_whose_stream_it_came_or_to_none(play):
    async def scenario(world):
        lines = [RecordingChannel(), RecordingChannel()]
        for line in lines:
            world.ask(line=line)
        await world.asked(2)
        world.arrives(id="a", method="roots/list", of=2)
        world.arrives(id="b", method="roots/list")
        answers = {each["id"]: each for each in (await world.asked(4))[2:]}
        assert (answers["a"]["result"], answers["b"]["error"]["code"]) == ({"agreed": {}}, -32600)
        assert [len(line.asked) for line in lines] == [0, 1]

    play(scenario)


@pytest.mark.parametrize("request_id", ["q", 0, -1, 1.5, None])
def test_requests_of_the_upstream_are_answered_with_their_own_ids(play, request_id):
    async def scenario(world):
        world.arrives(id=request_id, method="roots/list", params=[1])
        assert (await world.asked())[0] == {"jsonrpc": "2.0", "id": request_id, "result": {"agreed": {}}}

    play(scenario, RecordingChannel())


@pytest.mark.parametrize("request_id", ["\ud800", ["\ud800"]], ids=["a text", "a list"])
def test_a_request_of_the_upstream_whose_id_cannot_be_sent_back_ends_nothing(play, request_id):
    async def scenario(world):
        world.arrives(id=request_id, method="roots/list")
        await settle()
        world.arrives(id="next", method="roots/list")
        assert [each["id"] for each in await world.asked()] == ["next"]

    play(scenario, RecordingChannel())


@define(eq=False)
class PatientChannel(HostChannel):
    """A host that never answers, and records the cancellations that it gets."""

    dropped: list = field(factory=list)

    async def ask(self, method, params):  # noqa: ARG002 -- it only thinks
        try:
            await anyio.sleep_forever()
        finally:
            self.dropped.append(method)

    async def tell(self, method, params):
        """Drop the notification."""


def test_a_cancelled_request_of_the_upstream_is_cancelled_at_the_host(play):
    async def scenario(world):
        line.dropped.clear()
        world.arrives(id=5, method="sampling/createMessage")
        world.arrives(id="5", method="elicitation/create")
        await settle()
        world.arrives(method="notifications/cancelled", params={"requestId": "5"})
        await settle()
        assert (line.dropped, world.link.sent) == (["elicitation/create"], [])

    line = PatientChannel()
    play(scenario, line)
    assert line.dropped[-1] == "sampling/createMessage"


def test_equal_notifications_are_merged_and_a_flood_of_others_is_bounded(play):
    async def scenario(world):
        for _ in range(100_000):
            world.arrives(method="notifications/tools/list_changed")
            world.arrives(method="notifications/resources/updated", params={"uri": "x://y"})
        await settle()
        assert [method for method, _ in world.notice.said] == [
            "notifications/tools/list_changed",
            "notifications/resources/updated",
        ]
        for number in range(MAX_WAITING + 10):
            world.arrives(method="notifications/message", params={"data": number})
        await world.notice.until(2 + MAX_WAITING)
        await settle()
        assert world.notice.said[2][1] == {"data": 10}
        assert world.event_log.named("notifications_dropped")[0].metadata == {"count": 10}

    play(scenario)


def test_pending_requests_of_a_lost_connection_fail_and_later_ones_are_refused(play):
    async def scenario(world):
        outcome = world.ask()
        await world.asked()
        world.connection.end(UpstreamUnreachable("gone"))
        world.connection.end(UpstreamUnreachable("again"))
        await settle()
        assert type(outcome[0]).__name__ == "UpstreamDied"
        assert world.connection.loss.reason == "gone"
        with pytest.raises(NotTaken):
            await world.connection.request("x", None)
        await world.connection.notify("x", None)
        assert len(world.link.sent) == 1

    play(scenario)


def test_requests_get_the_envelope_of_their_era(play):
    async def scenario(world):
        stateless = {"_meta": {"vendor": 1, **ENVELOPE}, "name": "é", "z": 1}
        world.ask("tools/call", stateless)
        world.ask("tools/list", None)
        await world.asked(2)
        world.connection.stamp = evolve(world.connection.stamp, version="2026-07-28")
        assert world.link.sent[0]["params"] == {"name": "é", "z": 1, "_meta": {"vendor": 1}}
        assert "params" not in world.link.sent[1]
        world.ask("tools/call", stateless)
        world.ask("tools/list", None)
        await world.asked(4)
        assert world.link.sent[2]["params"] == stateless
        assert world.link.sent[3]["params"] == {"_meta": ENVELOPE}
        assert world.link.headers[2:] == [
            {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "=?base64?w6k=?="},
            {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"},
        ]

    play(scenario)


def test_an_error_of_one_host_does_not_affect_the_others(play):
    def fail(_method, _params):
        raise ZeroDivisionError

    async def scenario(world):
        world.arrives(id=1, method="roots/list")
        assert (await world.asked())[0]["error"]["code"] == -32603
        world.connection.notices.notice = fail
        world.arrives(method="notifications/vendor")
        await settle()
        assert len(world.event_log.named("fault")) == 2
        assert world.connection.loss is None

    play(scenario, RecordingChannel(fail))
