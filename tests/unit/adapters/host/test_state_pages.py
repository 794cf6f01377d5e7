"""Whether the HTTP server is ready, told from what is known of its upstream."""

import pytest
from attrs import define
from starlette.applications import Starlette
from starlette.testclient import TestClient

from genui_adapters.host.connections import Connections
from genui_adapters.host.http_security import Admission
from genui_adapters.host.proxy_server import ProxyServer
from genui_adapters.host.state_pages import state_pages
from genui_adapters.host.upstream_connection import UpstreamConnection
from genui_adapters.telemetry.tally import Tally
from genui_core.application.request_router import RequestRouter
from genui_core.application.wrapper import Wrapper
from genui_core.errors import UpstreamUnreachable


@define
class Source:
    is_connected: bool


@pytest.fixture
def proxy():
    """A server whose upstream's tools are known, and that has no connection yet."""
    wrapper = Wrapper()
    made = ProxyServer(wrapper, None, Connections(wrapper, None, None))
    made.knows_tools = True
    return made


def connected(proxy, *states):
    """Have one connection a state: it stands, was lost, is being made, or could not be."""
    for number, state in enumerate(states):
        one = UpstreamConnection(str(number), RequestRouter(proxy.wrapper), is_shared=True)
        if state == "failed":
            one.failed(UpstreamUnreachable("gone"))
        elif state != "being made":
            one.opened(Source(state == "stands"), None)
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
def test_hosts_can_be_served_while_any_connection_stands_or_none_is_needed(proxy, states, ready):
    connected(proxy, *states)
    assert (proxy.unready is None) is ready


def test_the_state_is_for_all_who_know_the_name_and_the_numbers_for_who_has_the_token(proxy):
    proxy.knows_tools = False
    admission = Admission(hosts=("box.example",), token="s3cret", is_local=False)
    host = TestClient(Starlette(routes=[*state_pages(proxy, admission, Tally())]), "http://box.example")
    assert host.get("/healthz").json() == {"status": "alive"}
    told = host.get("/readyz")
    assert (told.status_code, told.json()["reason"]) == (503, "the upstream's tools were not listed yet")
    assert host.get("/readyz", headers={"host": "evil.example"}).status_code == 421
    assert host.get("/healthz", headers={"origin": "https://evil.example"}).status_code == 403
    assert host.get("/metrics").status_code == 401
    assert host.get("/metrics", headers={"authorization": "Bearer s3cret"}).status_code == 200
