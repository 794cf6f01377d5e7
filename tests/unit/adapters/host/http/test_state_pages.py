"""The pages of the HTTP server about its state, which depends on its upstream connections (requirement O2)."""

import pytest
from attrs import define

from genui_adapters.host.channels import router_in_event_loop
from genui_adapters.host.http.app import Admission, HttpApp, StatePages
from genui_adapters.host.sessions.proxy_server import ProxyServer
from genui_adapters.host.sessions.upstream_connection import Connections, UpstreamConnection
from genui_adapters.telemetry.tally import Tally
from genui_core.application.wrapper import Wrapper
from genui_core.errors import UpstreamUnreachable


@define
class Source:
    is_connected: bool


@pytest.fixture
def proxy():
    """A server that knows the upstream's tools and has no upstream connection yet."""
    views = Wrapper().open()
    made = ProxyServer(views, None, Connections(views, None, None))
    made.knows_tools = True
    return made


def add_connections(proxy, *states):
    """Add one upstream connection per state: stands, lost, being made, or failed."""
    for number, state in enumerate(states):
        one = UpstreamConnection(str(number), router_in_event_loop(proxy.views), is_shared=True)
        if state == "failed":
            one.fail(UpstreamUnreachable("gone"))
        elif state != "being made":
            one.set_source(Source(state == "stands"), None)
        proxy._connections._open[str(number)] = one


@pytest.mark.parametrize(
    ("states", "ready"),
    [
        ((), True),
        (("stands",), True),
        (("lost", "stands"), True),
        (("being made",), True),
        (("lost",), False),
        (("failed",), False),
        (("lost", "failed"), False),
    ],
)
def test_the_server_is_ready_while_any_connection_stands_or_none_is_needed(proxy, states, ready):
    add_connections(proxy, *states)
    assert (proxy.unready is None) is ready


@pytest.mark.anyio
async def test_the_state_needs_a_known_host_name_and_the_metrics_also_the_token(proxy, ask_app):
    proxy.knows_tools = False
    admission = Admission(hosts=("box.example",), token="s3cret", is_local=False)
    app = HttpApp({}, StatePages(proxy, admission, Tally()), admission)

    async def get(path, **headers):
        return await ask_app(app, path, headers={"host": "box.example", **headers})

    assert (await get("/healthz")).json() == {"status": "alive"}
    told = await get("/readyz")
    assert (told.status, told.json()["reason"]) == (503, "the upstream's tools were not listed yet")
    assert (await get("/readyz", host="evil.example")).status == 421
    assert (await get("/healthz", origin="https://evil.example")).status == 403
    assert (await get("/metrics")).status == 401
    assert (await get("/metrics", authorization="Bearer s3cret")).status == 200
    assert (await get("/metrics", authorization="  Bearer s3cret\t")).status == 200
    assert (await get("/other")).status == 404
