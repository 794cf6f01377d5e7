"""Every kind of source serves servers made with the SDK, in both protocol eras."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from genui_adapters.io.process import UpstreamCommand
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.testing.source_suite import RecordingChannel

SERVER = Path(__file__).parent / "sdk_server.py"
TRANSPORTS = {"stdio": (False, True), "sse": (False,), "streamable-http": (False, True)}
PATHS = {"sse": "/sse", "streamable-http": "/mcp"}


@pytest.fixture(scope="module")
def sdk_server(free_port):
    """Start a server for the module and return its address."""
    servers = []

    def start(transport):
        if transport == "stdio":
            return UpstreamCommand((sys.executable, str(SERVER), "stdio"), dict(os.environ))
        port = free_port()
        words = [sys.executable, SERVER, transport, str(port)]
        servers.append(subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        wait_for(port)
        return RemoteUpstream(f"http://127.0.0.1:{port}{PATHS[transport]}")

    yield start
    for server in servers:
        server.kill()
        server.wait()


def wait_for(port):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the server does not listen")


@pytest.fixture(scope="module", params=TRANSPORTS)
def served(request, sdk_server):
    """A transport and a server that uses it."""
    return request.param, sdk_server(request.param)


@pytest.mark.parametrize("stateless", [False, True])
def test_an_sdk_server_is_served(upstreams, play, served, stateless):
    transport, upstream = served
    spoken = stateless and True in TRANSPORTS[transport]

    async def scenario(scene):
        facts = await scene.source.facts()
        assert (facts.stateless, facts.info["name"], facts.instructions) == (
            spoken,
            "sdk",
            "Made with the SDK.",
        )
        listed = await scene.source.request("tools/list", {})
        assert {"add", "work", "roots", "grow"} <= {each["name"] for each in listed["tools"]}
        assert (await scene.structured("add", a=1, b=2))["result"] == 3.0
        assert len(str(await scene.source.request("resources/read", {"uri": "text://big"}))) > 2_000_000
        await progress(scene)
        await scene.call("grow")
        assert (await scene.notice.until(1))[0] == ("notifications/tools/list_changed", {})
        if not spoken:
            await asks(scene)

    async def progress(scene):
        line = RecordingChannel()
        params = {"name": "work", "arguments": {"steps": 3}, "_meta": {"progressToken": "mine"}}
        await scene.source.request("tools/call", params, line)
        told = [each for method, each in line.told if method == "notifications/progress"]
        assert [(each["progress"], each["progressToken"]) for each in told] == [(n, "mine") for n in range(3)]

    async def asks(scene):
        line = RecordingChannel(
            lambda _method, _params: {"roots": [{"uri": "file:///a"}, {"uri": "file:///b"}]}
        )
        assert (await scene.structured("roots", line))["result"] == 2
        assert [method for method, _ in line.asked] == ["roots/list"]

    play(upstreams.opener(upstream), scenario, stateless=stateless)
