"""Every transport forwards odd but legal results unchanged, in both eras, from every kind of upstream
(requirement W4).
"""

import json
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from every_transport import EVERY_HOST, EVERY_PROXY

from genui_adapters.io.process import UpstreamCommand
from genui_adapters.upstream.openers import tool_source_opener
from genui_adapters.upstream.options import RemoteUpstream
from genui_core.application.services import SilentEventLog
from genui_core.testing.scripted_upstream import ERRORS, RESULTS

SCRIPTS = Path(__file__).resolve().parent.parent / "tool_source"
KINDS = ["stdio", "stdio --stateless", "streamable", "stateless", "sse"]
ENVELOPE = ("resultType", "ttlMs", "cacheScope")


def exact(value):
    """Return a value as text, in which ``1`` is not ``1.0`` and the order of keys counts."""
    return json.dumps(value)


def without_envelope(result):
    kept = {key: value for key, value in result.items() if key not in ENVELOPE}
    meta = kept.get("_meta", {})
    if isinstance(meta, dict) and meta.pop("io.modelcontextprotocol/serverInfo", None) and not meta:
        del kept["_meta"]
    return kept


@contextmanager
def started_http(kind):
    """Start an upstream over HTTP; yield its URL."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    child = subprocess.Popen([sys.executable, SCRIPTS / "over_http.py", kind, str(port)])
    try:
        deadline = time.monotonic() + 30
        while not is_open(port):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port}/{'sse' if kind == 'sse' else 'mcp'}"
    finally:
        child.kill()
        child.wait()


def is_open(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@contextmanager
def real_upstream(kind, environment):
    """Yield the opener of a real upstream of some kind."""
    if kind.startswith("stdio"):
        argv = (sys.executable, str(SCRIPTS / "over_stdio.py"), *kind.split()[1:])
        yield tool_source_opener(UpstreamCommand(argv, environment), event_log=SilentEventLog())
        return
    with started_http(kind) as url:
        transport = "sse" if kind == "sse" else "http"
        yield tool_source_opener(RemoteUpstream(url, transport=transport), event_log=SilentEventLog())


@pytest.mark.anyio
@pytest.mark.matrix
@pytest.mark.parametrize("upstream", KINDS)
@EVERY_HOST
@EVERY_PROXY
async def test_results_and_errors_are_equal_as_parsed_json(
    open_transport, environment, transport, stateless, upstream
):
    upstream_stateless = "stateless" in upstream
    with real_upstream(upstream, environment) as opener:
        async with (
            open_transport(transport, opener=opener) as opened,
            opened.host(stateless=stateless) as host,
        ):
            await host.connect()
            for name, text in RESULTS.items():
                if name == "input required" and upstream_stateless != stateless:
                    continue  # this one is no result between generations, but a question
                got, sent = await host.call("answer", name=name), json.loads(text)
                if upstream_stateless != stateless:
                    got, sent = without_envelope(got), without_envelope(sent)
                assert exact(got) == exact(sent), name
            for name, text in ERRORS.items():
                answer = await host.request("tools/call", {"name": "answer", "arguments": {"name": name}})
                for key in ("code", "message", "data"):
                    assert exact(answer["error"].get(key)) == exact(json.loads(text).get(key)), name


@pytest.mark.parametrize("flags", [(), ("--stateless",)], ids=["handshake", "stateless"])
def test_the_relay_passes_the_same_bytes(open_host, proxy, environment, flags):
    argv = (sys.executable, SCRIPTS / "over_stdio.py", *flags)
    *command, dashes = proxy
    path = ("-e", f"PYTHONPATH={environment.get('PYTHONPATH', '')}")
    direct, relayed = open_host(*argv), open_host(*command, *path, dashes, *argv)
    for host in (direct, relayed):
        host.request("server/discover") if flags else host.connect()
    for number, name in enumerate([*RESULTS, *ERRORS], start=100):
        call = {"name": "answer", "arguments": {"name": name}}
        for host in (direct, relayed):
            host.send("tools/call", call, id=number)
        assert relayed.answer_line(number) == direct.answer_line(number), name
