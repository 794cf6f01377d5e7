import pytest

from genui_cli.preview.guard import Guard

GUARD = Guard(port=4000, token="secret")
OURS = {
    "host": "127.0.0.1:4000",
    "origin": "http://127.0.0.1:4000",
    "x-preview-token": "secret",
    "content-type": "application/json",
}


def without(name):
    return {key: value for key, value in OURS.items() if key != name}


def test_the_servers_own_page_may_send_requests():
    assert GUARD.refusal("POST", "/api/rpc", OURS) is None


def test_the_servers_own_page_is_also_at_localhost():
    at_localhost = {**OURS, "host": "localhost:4000", "origin": "http://localhost:4000"}
    assert GUARD.refusal("POST", "/api/rpc", at_localhost) is None


def test_a_get_of_the_own_page_needs_no_origin():
    assert GUARD.refusal("GET", "/api/events", without("origin")) is None


def test_the_page_itself_needs_no_token():
    assert GUARD.refusal("GET", "/", {"host": "127.0.0.1:4000"}) is None


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "[::1]:4000"]
)
@pytest.mark.parametrize("path", ["/", "/api/rpc"])
def test_a_foreign_host_is_refused_everywhere(host, path):
    assert "loopback" in GUARD.refusal("GET", path, {**OURS, "host": host})


@pytest.mark.parametrize("token", ["", "Secret", "secret ", "s\u00e9cret"])
def test_a_wrong_token_is_refused(token):
    assert "token" in GUARD.refusal("POST", "/api/rpc", {**OURS, "x-preview-token": token})


def test_a_missing_token_is_refused():
    assert "token" in GUARD.refusal("GET", "/api/session", without("x-preview-token"))


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", "http://127.0.0.1:4001", "https://127.0.0.1:4000"]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_foreign_origin_is_refused(origin, method):
    assert "origin" in GUARD.refusal(method, "/api/rpc", {**OURS, "origin": origin})


def test_a_post_without_an_origin_is_refused():
    assert "origin" in GUARD.refusal("POST", "/api/rpc", without("origin"))


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_only_json_is_taken(kind):
    assert "application/json" in GUARD.refusal("POST", "/api/rpc", {**OURS, "content-type": kind})


@pytest.mark.parametrize("path", ["/state", "/wait"])
def test_a_subscribed_program_needs_the_token_and_may_send_it_as_a_bearer_token(path):
    program = {"host": "127.0.0.1:4000"}
    assert "token" in GUARD.refusal("GET", path, program)
    assert "token" in GUARD.refusal("GET", path, {**program, "authorization": "Bearer guess"})
    assert GUARD.refusal("GET", path, {**program, "authorization": "Bearer secret"}) is None
    assert GUARD.refusal("GET", path, {**program, "x-preview-token": "secret"}) is None
    assert "origin" in GUARD.refusal("GET", path, {**OURS, "origin": "http://evil.example"})


WITH_COOKIE = Guard(port=4000, token="secret", cookie="mine")
ENTERED = {**without("origin"), "cookie": "other=1; mine=secret"}


@pytest.mark.parametrize("path", ["/", "/assets/api.js", "/api/rpc", "/wait", "/state"])
@pytest.mark.parametrize(
    "changed",
    [
        {"cookie": ""},
        {"cookie": "mine=wrong"},
        {"cookie": "other=secret"},
        {"host": "evil.example:4000"},
        {"origin": "http://127.0.0.1:4001"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_a_page_with_a_cookie_refuses_requests_without_it_or_from_elsewhere(path, changed):
    assert WITH_COOKIE.refusal("GET", path, ENTERED) is None
    assert WITH_COOKIE.refusal("GET", path, {**ENTERED, **changed})


def test_only_the_entrance_needs_no_cookie():
    assert WITH_COOKIE.refusal("GET", "/open", {"host": "127.0.0.1:4000"}) is None
    assert WITH_COOKIE.refusal("GET", "/open", {"host": "evil.example:4000"})
