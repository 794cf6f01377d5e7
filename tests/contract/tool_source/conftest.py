"""Fixtures that start scripted upstreams in processes and open tool sources in front of them."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest
from attrs import define, evolve, field

from genui_adapters.io.process import UpstreamCommand
from genui_adapters.upstream.openers import tool_source_opener
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.domain.mcp.envelope import LATEST_STATELESS
from genui_core.domain.settings.upstream_settings import UpstreamSettings
from genui_core.ports.tool_source import HostFacts
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.source_suite import RecordingChannel, RecordingNotice, Scene

HERE = Path(__file__).parent
SOON = {"reconnect_delay_ms": 20, "max_reconnect_delay_ms": 200}
"""Short delays, so that tests wait as little as possible."""


@define(eq=False)
class HttpUpstream:
    """A scripted upstream over HTTP; if it dies by itself, it is restarted at the same address."""

    words: list
    url: str
    _child: subprocess.Popen = field(init=False)
    _wanted: bool = True
    _lock: threading.Lock = field(factory=threading.Lock)

    def __attrs_post_init__(self):
        self._start()

    def stop(self):
        with self._lock:
            self._stop()

    def restart(self):
        with self._lock:
            self._stop()
            self._start()

    def _start(self):
        self._wanted = True
        self._child = subprocess.Popen(self.words, stdout=subprocess.PIPE)
        assert self._child.stdout.readline() == b"ready\n"
        threading.Thread(target=self._start_again, args=(self._child,), daemon=True).start()

    def _stop(self):
        self._wanted = False
        with contextlib.suppress(ProcessLookupError):
            self._child.kill()
        self._child.wait()
        self._child.stdout.close()

    def _start_again(self, child):
        child.wait()
        with self._lock:
            if self._wanted and child is self._child:
                child.stdout.close()
                self._start()


def a_free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@define
class Upstreams:
    """Starts scripted upstreams and makes openers for them; all servers end with the test.

    Attributes:
        event_log: The events of the connections.
    """

    event_log: RecordingEventLog = field(factory=RecordingEventLog)
    _servers: list = field(factory=list)

    def stdio(self, *flags):
        """Return the command of a scripted upstream on standard streams."""
        words = [sys.executable, HERE / "over_stdio.py", *flags]
        return UpstreamCommand(tuple(map(str, words)), dict(os.environ))

    def http(self, kind, *flags):
        """Start a scripted upstream over HTTP: ``streamable``, ``stateless`` or ``sse``."""
        port = a_free_port()
        words = [sys.executable, HERE / "over_http.py", kind, port, *flags]
        path = "/sse" if kind == "sse" else "/mcp"
        self._servers.append(HttpUpstream(list(map(str, words)), f"http://127.0.0.1:{port}{path}"))
        return self._servers[-1]

    def opener(self, upstream, backoff=SOON, protocol="auto", max_wait_s=5.0, **settings):
        """Return an opener for a command, a started server, or a URL."""
        chosen = UpstreamSettings(**backoff, **settings)
        if isinstance(upstream, HttpUpstream):
            upstream = RemoteUpstream(upstream.url)
        opener = tool_source_opener(upstream, event_log=self.event_log, settings=chosen, protocol=protocol)
        return evolve(opener, max_wait_s=max_wait_s)

    def end(self):
        for server in self._servers:
            server.stop()


@pytest.fixture(scope="session")
def free_port():
    """Return a free port."""
    return a_free_port


HANDSHAKE = HostFacts({"name": "test", "version": "1"}, {"roots": {}})
STATELESS = evolve(HANDSHAKE, protocol_version=LATEST_STATELESS)
LIMIT_S = 60


@pytest.fixture
def play():
    """Run a scenario with a source that an opener opens."""

    async def run(opener, scenario, host):
        notice, owner = RecordingNotice(), RecordingChannel()
        with anyio.fail_after(LIMIT_S):
            async with opener(host, notice, owner) as source:
                return await scenario(Scene(source, notice, owner))

    def play(opener, scenario, *, stateless=False, host=None):
        return anyio.run(run, opener, scenario, host or (STATELESS if stateless else HANDSHAKE))

    return play


@pytest.fixture
def soon():
    """Wait until a condition is true."""

    async def until(look):
        for _ in range(LIMIT_S * 100):
            if look():
                return
            await anyio.sleep(0.01)
        raise AssertionError("not in time")

    return until


@pytest.fixture
def upstreams():
    """The scripted upstreams of one test."""
    started = Upstreams()
    yield started
    started.end()
