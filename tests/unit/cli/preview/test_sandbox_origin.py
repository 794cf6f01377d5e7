"""The preview serves the sandbox page for any declared domains, which come from an untrusted server."""

import json

import pytest
from starlette.testclient import TestClient

from genui_cli.preview.guard import Guard
from genui_cli.preview.server import sandbox_origin


@pytest.fixture
def sandbox():
    """A client of the sandbox for a page on port 4000."""
    return TestClient(
        sandbox_origin(Guard(port=5000, token="t"), page_port=4000), base_url="http://127.0.0.1:5000"
    )


@pytest.mark.parametrize(
    "declared",
    [
        json.dumps({"connectDomains": ["https://\u4e2d.example", "https://a.example"]}),
        json.dumps({"connectDomains": ["\ud800", "https://a.example", "b\x00"]}),
        json.dumps({"connectDomains": ["https://a.example", "c\r\nset-cookie: d=e"]}),
    ],
)
def test_a_declared_domain_that_fits_no_header_is_left_out(sandbox, declared):
    answer = sandbox.get("/", params={"csp": declared})
    assert answer.status_code == 200
    assert "connect-src https://a.example;" in answer.headers["content-security-policy"]
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("declared", ["[" * 5000, "{", "7", ""])
def test_a_view_that_declares_no_domain_gets_no_network(sandbox, declared):
    answer = sandbox.get("/", params={"csp": declared})
    assert answer.status_code == 200
    assert "connect-src 'none';" in answer.headers["content-security-policy"]


def test_only_the_page_may_frame_it(sandbox):
    policy = sandbox.get("/").headers["content-security-policy"]
    assert policy.endswith("frame-ancestors http://127.0.0.1:4000 http://localhost:4000")
