"""Every source of answers keeps the promises of its port, over real processes and real sockets (requirement W1)."""

from functools import partial

import pytest
from attrs import evolve

from genui_adapters.io.threads import threaded_streams
from genui_core.testing.tool_source import AskedSourceContract, ToolSourceContract


class Opened:
    """Opens the source that the subclass's ``make`` returns."""

    def open(self, host, notice, owner):
        return self.opener(host, notice, owner)

    @pytest.fixture(autouse=True)
    def _opened(self, upstreams):
        self.opener = self.make(upstreams)


class TestStdio(Opened, ToolSourceContract, AskedSourceContract):
    def make(self, upstreams):
        return upstreams.opener(upstreams.stdio())


class TestStdioOnThreads(Opened, ToolSourceContract, AskedSourceContract):
    def make(self, upstreams):
        opener = upstreams.opener(upstreams.stdio())
        return evolve(opener, open_link=partial(opener.open_link, streams=threaded_streams))


class TestStdioStateless(Opened, ToolSourceContract):
    stateless = True

    def make(self, upstreams):
        return upstreams.opener(upstreams.stdio("--stateless"))


class TestStreamableHttp(Opened, ToolSourceContract, AskedSourceContract):
    def make(self, upstreams):
        return upstreams.opener(upstreams.http("streamable"))


class TestStreamableHttpStateless(Opened, ToolSourceContract):
    stateless = True

    def make(self, upstreams):
        return upstreams.opener(upstreams.http("stateless"))


class TestSse(Opened, ToolSourceContract, AskedSourceContract):
    def make(self, upstreams):
        return upstreams.opener(upstreams.http("sse"))
