"""The fixture `wire`: a relay whose host, upstream, driver and time the test plays."""

import json
from contextlib import suppress
from functools import partial

import pytest
from attrs import define, field

from genui_core.application.stdio.router import StdioRouter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.settings import Settings
from genui_core.testing.event_log import RecordingEventLog

APPS = {"extensions": {"io.modelcontextprotocol/ui": {}}}
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": APPS,
}


def discard(items, item):
    """Remove an item from a list that may not have it."""
    with suppress(ValueError):
        items.remove(item)


@define
class Wire:
    """A relay between one host and successive upstreams, with a driver that only records its commands.

    Attributes:
        event_log: The logged events.
        done: The commands to the driver.
        now: The time in seconds.
        started_at: The times of the commands to start the upstream.
    """

    settings: Settings = field(factory=Settings)
    event_log: RecordingEventLog = field(factory=RecordingEventLog)
    done: list = field(factory=list)
    now: float = 0.0
    started_at: list = field(factory=list)
    llm: object = None
    worker_for: object = None
    wrapper: Wrapper = field(init=False)
    router: StdioRouter = field(init=False)
    _steps: list = field(factory=list)
    _id: int = 0

    def __attrs_post_init__(self):
        self.wrapper = Wrapper(settings=self.settings, event_log=self.event_log, llm=self.llm)
        self.router = StdioRouter(self.wrapper.open(self.worker_for))
        self.wrapper.add_notifier(self.router)
        self.relay = self.router.relay
        self.relay.later = self._later
        self.supervision.attach_driver(self, "fake")

    relay: object = field(init=False)

    @property
    def supervision(self):
        return self.router.supervision

    @property
    def views(self):
        return self.router.views

    # --- the driver's part --------------------------------------------------------------

    def start_upstream(self):
        self.done.append("start")
        self.started_at.append(self.now)

    def stop_upstream(self):
        self.done.append("stop")

    def finish(self):
        self.done.append("finish")

    def _later(self, delay_s, step):
        self._steps.append((self.now + delay_s, step))
        return partial(discard, self._steps, self._steps[-1])

    def pass_time(self, seconds):
        """Run all steps that are due within some seconds, in the order of their times."""
        until = self.now + seconds
        while due := sorted((each for each in self._steps if each[0] <= until), key=lambda each: each[0]):
            self._steps.remove(due[0])
            self.now = due[0][0]
            due[0][1]()
        self.now = until

    # --- the peers' part ----------------------------------------------------------------

    def ask(self, method, params=None, *, request_id=None):
        """Send a request as the host; return its id."""
        self._id += 1
        message = {
            "jsonrpc": "2.0",
            "id": request_id or self._id,
            "method": method,
            "params": params or {},
        }
        self.host_says(message)
        return message["id"]

    def host_says(self, message):
        self.relay.host_sent(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def upstream_says(self, message):
        self.relay.upstream_sent(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def answer(self, request_id, result=None, **message):
        """Answer as the upstream."""
        self.upstream_says({"id": request_id, **(message or {"result": {} if result is None else result})})

    def host_got(self):
        """Return the messages that the host got since the last call."""
        return self._taken(self.relay.to_host)

    def upstream_got(self):
        """Return the messages that the upstream got since the last call."""
        return self._taken(self.relay.to_upstream)

    @staticmethod
    def _taken(pieces):
        data = b"".join(pieces)
        pieces.clear()
        assert not data or data.endswith(b"\n")
        return [json.loads(each) for each in data.splitlines()]

    # --- usual beginnings ---------------------------------------------------------------

    def connect(self, capabilities=APPS, **upstream_can):
        """Complete the handshake as a host of the legacy era."""
        asked = self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities})
        self.answer(asked, {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, **upstream_can}})
        self.host_says({"method": "notifications/initialized"})
        self.host_got(), self.upstream_got()
        return self

    def list_tools(self, *names, meta=None, **fields):
        """List the tools as the host, answer with these, and return the messages that the host got."""
        asked = self.ask("tools/list", {"_meta": meta} if meta else {})
        self.answer(asked, {"tools": [{"name": name, **fields} for name in names]})
        self.upstream_got()
        return self.host_got()

    def answer_listing(self, *names):
        """Answer the wrapper's own request for the tools."""
        (asked,) = [each for each in self.upstream_got() if each["method"] == "tools/list"]
        self.answer(asked["id"], {"tools": [{"name": name} for name in names]})
        return asked


@pytest.fixture
def wire():
    """Return a function that makes a `Wire` with these settings."""
    return lambda llm=None, worker_for=None, **settings: Wire(
        Settings(**settings), llm=llm, worker_for=worker_for
    )


@pytest.fixture
def stateless():
    """The `_meta` that a stateless host sends with every request."""
    return STATELESS
