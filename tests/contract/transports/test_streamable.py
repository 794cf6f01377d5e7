"""Streamable HTTP answers with one JSON body if possible, else with a stream of messages (requirement W7)."""

import json
from contextlib import asynccontextmanager
from functools import partial

import anyio
import httpx2
import pytest

from genui_adapters.host.sessions.upstream_connection import MOST_CONNECTIONS

pytestmark = pytest.mark.anyio

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
JSON, EVENTS = "application/json", "text/event-stream"


class Session:
    """A session over HTTP that returns its raw responses."""

    def __init__(self, client, address, upstreams):
        self.client, self.address, self.upstreams = client, address, upstreams
        self.last_id = 0
        self.headers = {"accept": f"{JSON}, {EVENTS}", "content-type": JSON}

    async def post(self, method, params=None, **headers):
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params or {}}
        return await self.client.post(self.address, json=message, headers={**self.headers, **headers})

    async def call(self, name, **arguments):
        meta = {"_meta": {"progressToken": "t"}}
        return await self.post("tools/call", {"name": name, "arguments": arguments, **meta})

    @asynccontextmanager
    async def calling(self, name, **arguments):
        """Keep a call pending at the upstream during the block; afterwards the yielded list holds its response."""
        responses = []

        async def call():
            responses.append(await self.call(name, **arguments))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            with anyio.fail_after(30):
                while name not in self.upstreams[-1].memory.names.values():
                    await anyio.sleep(0.01)
            yield responses


@pytest.fixture
def open_session(open_transport):
    """Begin a session over HTTP."""

    @asynccontextmanager
    async def opened():
        async with open_transport("http") as transport, httpx2.AsyncClient(timeout=30) as client:
            session = Session(client, transport.host(stateless=False).address, transport.upstreams)
            begun = await session.post("initialize", HELLO)
            session.headers["mcp-session-id"] = begun.headers["mcp-session-id"]
            yield session

    return opened


def answer_in(response):
    """Return the answer of a response that is one JSON body."""
    assert "content-length" in response.headers
    assert response.headers["content-type"] == JSON
    return response.json()


def messages_in(response):
    """Return the messages of a response that is an event stream."""
    assert "content-length" not in response.headers
    return events_in(response)


def events_in(response):
    assert response.headers["content-type"].startswith(EVENTS)
    return [json.loads(line[6:]) for line in response.text.splitlines() if line.startswith("data: {")]


async def test_an_answer_that_comes_at_once_comes_in_one_piece(open_session):
    async with open_session() as session:
        response = await session.call("echo", text="é")
        assert answer_in(response)["result"]["structuredContent"]["arguments"] == {"text": "é"}
        assert response.headers["mcp-session-id"] == session.headers["mcp-session-id"]
        assert answer_in(await session.post("no/such"))["error"]["code"] == -32601


async def test_messages_before_the_answer_come_before_it_on_a_stream(open_session):
    async with open_session() as session:
        *progress, answer = messages_in(await session.call("progress", count=3))
        assert [each["params"]["progress"] for each in progress] == [0, 1, 2]
        assert (answer["id"], "result" in answer) == (session.last_id, True)


async def test_a_slow_request_gets_a_stream(open_session, monkeypatch):
    monkeypatch.setattr("genui_adapters.host.http.events._ANSWER_SOON_S", 0)
    async with open_session() as session, session.calling("meet", count=2) as answers:
        await session.call("meet", count=2)
    (answer,) = messages_in(answers[0])
    assert answer["result"]["structuredContent"] == {"call": 0}


async def test_a_call_ends_with_its_session(open_session):
    async with open_session() as session:
        async with session.calling("hang") as answers:
            await session.client.delete(session.address, headers=session.headers)
        assert answers[0].status_code == 404
        assert (await session.call("echo")).status_code == 404


async def test_a_cancelled_call_is_answered_as_such(open_session):
    async with open_session() as session, session.calling("hang") as answers:
        cancelled = {"method": "notifications/cancelled", "params": {"requestId": session.last_id}}
        said = {"jsonrpc": "2.0", **cancelled}
        await session.client.post(session.address, json=said, headers=session.headers)
    assert answer_in(answers[0])["error"]["message"] == "Request cancelled"


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"accept": JSON}, 406), ({"content-type": "text/plain"}, 400), ({"mcp-session-id": "unknown"}, 404)],
)
async def test_odd_requests_are_refused_as_the_sdk_does(open_session, headers, status):
    async with open_session() as session:
        assert (await session.post("ping", **headers)).status_code == status


@pytest.mark.parametrize("body", ["{", "[]", '{"id":1,"method":"ping"}'])
async def test_a_body_that_is_no_request_is_refused(open_session, body):
    async with open_session() as session:
        response = await session.client.post(session.address, content=body, headers=session.headers)
        assert response.status_code == 400


async def test_a_refusal_under_an_id_that_utf8_cannot_hold_is_written_in_ascii(open_session):
    async with open_session() as session:
        headers = {**session.headers, "mcp-protocol-version": "2026-07-28"}
        body = b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}'
        response = await session.client.post(session.address, content=body, headers=headers)
    assert (response.status_code, response.json()["id"]) == (400, "\ud800")


async def test_a_notification_named_as_the_handshake_begins_no_session(open_session):
    async with open_session() as session:
        headers = {key: value for key, value in session.headers.items() if key != "mcp-session-id"}
        said = {"jsonrpc": "2.0", "method": "initialize", "params": HELLO}
        response = await session.client.post(session.address, json=said, headers=headers)
    assert (response.status_code, response.headers.get("mcp-session-id")) == (202, None)


@pytest.fixture
def short_lived(monkeypatch):
    """Shorten the idle limit of sessions to 1.2 seconds."""
    monkeypatch.setattr("genui_adapters.host.http.streamable.SESSION_IDLE_S", 1.2)


@pytest.mark.usefixtures("short_lived")
async def test_a_session_lasts_as_long_as_it_is_used(open_session):
    async with open_session() as session:
        for _ in range(8):
            await anyio.sleep(0.2)
            assert answer_in(await session.call("echo"))["result"]


@pytest.mark.usefixtures("short_lived")
async def test_a_session_is_not_idle_while_a_call_is_under_way(open_session):
    async with open_session() as session:
        async with session.calling("meet", count=2) as answers:
            await anyio.sleep(1.6)
            assert (await session.call("meet", count=2)).status_code == 200
        assert messages_in(answers[0])[-1]["result"]


@pytest.mark.usefixtures("short_lived")
async def test_a_session_that_no_one_uses_ends(open_session):
    async with open_session() as session:
        assert answer_in(await session.call("echo"))["result"]
        await anyio.sleep(1.6)
        assert (await session.call("echo")).status_code == 404


ASKABLE = {**HELLO, "capabilities": {"sampling": {}, "elicitation": {}}}


@asynccontextmanager
async def hosts_at(open_transport):
    """Yield a function that connects a host that answers requests, with its own upstream connection; and the log."""
    async with open_transport("http") as transport, httpx2.AsyncClient(timeout=30) as client:

        async def begin():
            session = Session(client, transport.host(stateless=False).address, transport.upstreams)
            begun = await session.post("initialize", ASKABLE)
            session.headers["mcp-session-id"] = begun.headers.get("mcp-session-id", "")
            return session, messages_of(begun)[-1]

        yield begin, transport.event_log


def messages_of(response):
    return events_in(response) if response.headers["content-type"].startswith(EVENTS) else [response.json()]


async def test_hosts_that_vanished_make_room_for_a_new_one(open_transport):
    async with hosts_at(open_transport) as (begin, event_log):
        vanished = [(await begin())[0] for _ in range(MOST_CONNECTIONS)]
        await vanished[0].post("tools/list")  # so the second has been idle for longest
        newcomer, hello = await begin()
        assert "result" in hello
        assert (await newcomer.call("echo", text="new")).status_code == 200
        assert (await vanished[1].post("tools/list")).status_code == 404
        assert (await vanished[0].post("tools/list")).status_code == 200
        assert len(event_log.named("session_ended")) == 1


async def test_a_host_that_listens_or_waits_for_an_answer_is_never_ended_for_another(open_transport):
    async with hosts_at(open_transport) as (begin, _event_log):
        listener, _ = await begin()
        caller, _ = await begin()
        idle = [(await begin())[0] for _ in range(MOST_CONNECTIONS - 2)]
        headers = {**listener.headers, "accept": EVENTS}
        async with (
            listener.client.stream("GET", listener.address, headers=headers),
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(partial(caller.call, "hang"))
            with anyio.fail_after(30):
                while not any("hang" in each.memory.names.values() for each in caller.upstreams):
                    await anyio.sleep(0.01)
            for _ in idle:
                assert "result" in (await begin())[1]
            gone = [(await each.post("tools/list")).status_code for each in idle]
            assert gone == [404] * len(idle)
            kept = [(await each.post("tools/list")).status_code for each in (listener, caller)]
            assert kept == [200, 200]
            tasks.cancel_scope.cancel()


async def test_the_limit_of_sessions_ends_the_one_that_was_idle_for_longest(open_transport, monkeypatch):
    monkeypatch.setattr("genui_adapters.host.http.streamable.MOST_SESSIONS", 2)
    async with hosts_at(open_transport) as (begin, _journal):
        sessions = [(await begin())[0] for _ in range(3)]
        assert [(await each.post("ping")).status_code for each in sessions] == [404, 200, 200]


# --- streams that are resumed -----------------------------------------------------------


def ids_in(response):
    return [line[4:] for line in response.text.splitlines() if line.startswith("id: ")]


async def resumed(session, event_id):
    """Return the messages of a stream after an event, up to the answer."""
    headers = {**session.headers, "accept": EVENTS, "last-event-id": event_id}
    return events_in(await session.client.get(session.address, headers=headers))


async def test_a_host_gets_the_messages_of_a_request_again_after_the_last_event_that_it_has(open_session):
    async with open_session() as session:
        whole = await session.call("progress", count=3)
        first, *_ = ids_in(whole)
        assert await resumed(session, first) == events_in(whole)[1:]


async def test_a_host_whose_connection_broke_gets_the_answer_on_another(open_session, monkeypatch):
    monkeypatch.setattr("genui_adapters.host.http.events._ANSWER_SOON_S", 0)
    async with open_session() as session:
        message = {"jsonrpc": "2.0", "id": 77, "method": "tools/call"}
        call = {**message, "params": {"name": "meet", "arguments": {"count": 2}}}
        async with session.client.stream("POST", session.address, json=call, headers=session.headers) as cut:
            lines = cut.aiter_lines()
            while not (line := await anext(lines)).startswith("id: "):
                pass
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(session.call, "meet", count=2))
            with anyio.fail_after(30):
                (answer,) = await resumed(session, line.removeprefix("id: "))
    assert (answer["id"], "result" in answer) == (77, True)


async def test_an_event_of_another_session_resumes_nothing(open_session):
    async with open_session() as session:
        headers = {**session.headers, "accept": EVENTS, "last-event-id": "99-1"}
        async with session.client.stream("GET", session.address, headers=headers) as response:
            assert response.status_code == 200  # the stream of what belongs to no request
        assert (await session.call("echo")).status_code == 200


async def test_a_session_has_one_stream_for_what_belongs_to_no_request(open_session):
    async with open_session() as session:
        headers = {**session.headers, "accept": EVENTS}
        async with session.client.stream("GET", session.address, headers=headers) as first:
            assert first.status_code == 200
            assert (await session.client.get(session.address, headers=headers)).status_code == 409


# --- many hosts, one upstream -----------------------------------------------------------


async def test_each_of_many_hosts_with_the_same_ids_and_tokens_gets_its_own_messages(open_transport):
    got = {}
    async with hosts_sharing(open_transport) as begin:
        sessions = [await begin() for _ in range(20)]

        async def talk(number, session):
            for turn in range(5):
                text = {"id": turn, "jsonrpc": "2.0", "nested": {"id": f"{number}-{turn}"}}
                echoed = answer_in(await session.post("tools/call", {"name": "echo", "arguments": text}))
                *progress, _ = messages_in(await session.call("progress", count=2))
                tokens = {each["params"]["progressToken"] for each in progress}
                arguments = echoed["result"]["structuredContent"]["arguments"]
                got[number, turn] = (echoed["id"] == session.last_id - 1, arguments == text, tokens)

        async with anyio.create_task_group() as tasks:
            for number, session in enumerate(sessions):
                tasks.start_soon(talk, number, session)
    assert len(got) == 100
    assert set(map(str, got.values())) == {str((True, True, {"t"}))}


@asynccontextmanager
async def hosts_sharing(open_transport):
    """Connect hosts that share one connection to the upstream."""
    async with open_transport("http") as transport, httpx2.AsyncClient(timeout=30) as client:

        async def begin():
            session = Session(client, transport.host(stateless=False).address, transport.upstreams)
            session.headers["mcp-session-id"] = (await session.post("initialize", HELLO)).headers[
                "mcp-session-id"
            ]
            return session

        yield begin
        assert len(transport.upstreams) == 1
