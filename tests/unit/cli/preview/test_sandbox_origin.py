"""The preview serves the sandbox page for any declared domains, which come from an untrusted server."""

import json
from functools import partial
from urllib.parse import urlencode

import pytest

from genui_cli.preview.guard import Guard
from genui_cli.preview.server import sandbox_origin

pytestmark = pytest.mark.anyio


@pytest.fixture
def get(ask_app):
    """A client of the sandbox for a page on port 4000."""
    app = sandbox_origin(Guard(port=5000, token="t"), page_port=4000)
    return partial(ask_app, app, "/", headers={"host": "127.0.0.1:5000"})


@pytest.mark.parametrize(
    "declared",
    [
        json.dumps({"connectDomains": ["https://\u4e2d.example", "https://a.example"]}),
        json.dumps({"connectDomains": ["\ud800", "https://a.example", "b\x00"]}),
        json.dumps({"connectDomains": ["https://a.example", "c\r\nset-cookie: d=e"]}),
    ],
)
async def test_a_declared_domain_that_fits_no_header_is_left_out(get, declared):
    answer = await get(urlencode({"csp": declared}))
    assert answer.status == 200
    assert "connect-src https://a.example;" in answer.headers["content-security-policy"]
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("declared", ["[" * 5000, "{", "7", ""])
async def test_a_view_that_declares_no_domain_gets_no_network(get, declared):
    answer = await get(urlencode({"csp": declared}))
    assert answer.status == 200
    assert "connect-src 'none';" in answer.headers["content-security-policy"]


async def test_only_the_page_may_frame_it(get):
    policy = (await get()).headers["content-security-policy"]
    assert policy.endswith("frame-ancestors http://127.0.0.1:4000 http://localhost:4000")
