import json
from http.client import HTTPConnection

import pytest

PING = json.dumps({"method": "ping", "params": {}})


def ask(preview, method, path, body=None, **changed):
    """Send a request as the page does, with some headers changed; return status, headers and text."""
    headers = {
        "host": f"127.0.0.1:{preview.port}",
        "origin": preview.origin,
        "x-preview-token": preview.token,
        "content-type": "application/json",
        **{name.replace("_", "-"): value for name, value in changed.items()},
    }
    connection = HTTPConnection("127.0.0.1", preview.port, timeout=20)
    try:
        connection.request(
            method, path, body, {name: value for name, value in headers.items() if value is not None}
        )
        response = connection.getresponse()
        return response.status, response.headers, response.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize(
    "changed",
    [
        {"host": "evil.example"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": None},
        {"x_preview_token": None},
        {"x_preview_token": "guess"},
        {"content_type": "text/plain"},
    ],
)
def test_a_request_that_does_not_come_from_the_page_is_refused(preview, changed):
    assert ask(preview, "POST", "/api/rpc", PING, **changed)[0] == 403


def test_a_request_without_the_token_may_not_subscribe_to_the_events(preview):
    assert ask(preview, "GET", "/api/events", x_preview_token="")[0] == 403


def test_the_page_is_not_served_under_a_foreign_name(preview):
    assert ask(preview, "GET", "/", host="rebound.example")[0] == 403


def test_the_sandbox_serves_no_api_and_only_the_previews_page_may_frame_it(preview):
    sandbox = json.loads(ask(preview, "GET", "/api/session")[2])["sandboxPort"]
    connection = HTTPConnection("127.0.0.1", sandbox, timeout=20)
    connection.request("GET", "/", headers={"host": f"localhost:{sandbox}"})
    response = connection.getresponse()
    policy = response.headers["content-security-policy"]
    response.read()
    connection.close()
    assert "connect-src 'none'" in policy
    assert f"frame-ancestors {preview.origin} http://localhost:{preview.port}" in policy


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("nonsense", "not a JSON object"),
        ('{"method": "logging/setLevel"}', "passes on only"),
        ('{"method": "ping", "params": []}', "params"),
    ],
)
def test_a_body_that_is_no_call_is_refused(preview, body, words):
    status, _, text = ask(preview, "POST", "/api/rpc", body)
    assert status == 400
    assert words in text


def test_a_body_beyond_the_limit_is_refused(preview):
    status, _, text = ask(preview, "POST", "/api/rpc", " " * (16 * 1024 * 1024 + 1))
    assert status == 413
    assert "larger" in text


@pytest.mark.parametrize(
    "path", ["/assets/..%2Fserver.py", "/assets/%2e%2e/server.py", "/assets/none.js", "/server.py"]
)
def test_only_the_files_of_the_page_are_served(preview, path):
    assert ask(preview, "GET", path)[0] == 404


def test_every_answer_carries_the_security_headers(preview):
    for path in ("/", "/assets/main.js", "/none", "/api/session"):
        headers = ask(preview, "GET", path)[1]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "require-trusted-types-for 'script'" in headers["content-security-policy"]


def test_a_subscriber_gets_the_state_and_no_event_if_nothing_happened(preview):
    status, _, text = ask(preview, "GET", "/state")
    assert status == 200
    assert json.loads(text).keys() == {"server", "page", "waiting"}
    assert ask(preview, "GET", "/wait?timeout=0")[0] == 204
    assert ask(preview, "GET", "/wait?timeout=0", x_preview_token="guess")[0] == 403
    status, _, text = ask(preview, "GET", "/wait?timeout=121")
    assert (status, "from 0 to 120" in text) == (400, True)


def test_events_of_the_page_wait_for_the_next_request_of_a_subscriber(preview):
    ask(preview, "POST", "/api/page", json.dumps({"tool": "greet"}))
    ask(preview, "POST", "/api/happened", json.dumps({"kind": "called", "tool": "greet"}))
    assert json.loads(ask(preview, "GET", "/state")[2])["page"] == {"tool": "greet"}
    (told,) = json.loads(ask(preview, "GET", "/wait?timeout=0")[2])
    assert (told["number"], told["kind"], told["tool"]) == (1, "called", "greet")
    assert ask(preview, "GET", "/wait?timeout=0")[0] == 204
    assert ask(preview, "POST", "/api/happened", "[]")[0] == 400


def test_the_end_of_the_preview_answers_waiting_subscribers(start_preview):
    preview = start_preview()
    connection = HTTPConnection("127.0.0.1", preview.port, timeout=20)
    host = {"host": f"127.0.0.1:{preview.port}", "authorization": f"Bearer {preview.token}"}
    connection.request("GET", "/wait?timeout=120", headers=host)
    later = HTTPConnection("127.0.0.1", preview.port, timeout=20)
    later.request("GET", "/wait?timeout=0", headers=host)
    later.getresponse()  # so the first one waits already
    assert preview.stop()[0] == 0
    assert connection.getresponse().status == 204
    connection.close()
    later.close()
