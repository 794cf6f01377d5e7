"""`AnswerRun`: a coroutine that answers a request between the messages of the relay."""

import json

import pytest

from genui_core.application.stdio.answer_run import AnswerRun, Wait
from genui_core.application.stdio.router import StdioRouter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.session.exchange import PendingRequest


class Host:
    """A host whose one request is held by the relay."""

    def __init__(self):
        self.relay = StdioRouter(Wrapper().open()).relay
        self.pending = PendingRequest(1, "m", {}, b"", self.relay.exchange)

    def serve(self, answer):
        AnswerRun(answer, lambda error: {"code": -32000, "message": str(error)}).serve(self.pending)

    def got(self):
        return [json.loads(each) for each in b"".join(self.relay.to_host).splitlines()]


def broken(_pending, _resume):
    raise RuntimeError("broken")


async def waiting(begin, ended=None):
    try:
        return {"value": await Wait(begin)}
    finally:
        if ended is not None:
            ended.append(1)


async def unwritable():
    return {"value": object()}


@pytest.mark.parametrize("answer", [lambda: waiting(broken), unwritable], ids=["a wait", "a result"])
def test_a_fault_in_an_answer_fails_the_request_and_not_the_connection(answer):
    host = Host()
    host.serve(answer())
    (said,) = host.got()
    assert said["error"]["message"].startswith("mcp-gen-ui failed: ")


def test_a_wait_may_end_at_once_or_later_and_only_once():
    host, resumed = Host(), []

    def begin(_pending, resume):
        resumed.append(resume)

    host.serve(waiting(begin))
    assert host.got() == []
    assert [resumed[0](2), resumed[0](3)] == [True, False]
    assert [each["result"] for each in host.got()] == [{"value": 2}]
    at_once = Host()
    at_once.serve(waiting(lambda _pending, resume: resume(1) and None))
    assert [each["result"] for each in at_once.got()] == [{"value": 1}]


def test_a_cancelled_request_ends_its_wait_and_its_coroutine():
    host, ended, resumed = Host(), [], []

    def begin(_pending, resume):
        resumed.append(resume)
        return lambda: ended.append(2)

    host.serve(waiting(begin, ended))
    assert host.relay.exchange.cancel(1)
    assert ended == [1, 2]
    assert resumed[0](1) is False
    assert host.got() == []
