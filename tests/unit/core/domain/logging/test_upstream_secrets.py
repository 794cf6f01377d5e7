"""The secrets in the command line, variables, URL and headers of an upstream."""

from base64 import b64encode

import pytest

from genui_core.domain.logging.redaction import (
    secrets_in_command,
    secrets_in_proxies,
    secrets_in_request,
    secrets_in_url,
)

CANARY = "canary-4f1c9a77"


@pytest.mark.parametrize(
    ("argv", "found"),
    [
        ((), set()),
        (("server", "--token", CANARY, "--verbose"), {CANARY}),
        (("server", f"--api-key={CANARY}"), {CANARY}),
        (("npm", "run", "refresh-token", "now"), set()),
        (("server", "--token", "--verbose"), set()),
        (("server", f"postgres://me:{CANARY}@db/x"), {CANARY, b64encode(f"me:{CANARY}".encode()).decode()}),
    ],
)
def test_an_argument_after_a_secret_flag_is_a_secret(argv, found):
    assert secrets_in_command(argv, {}) == found


def test_a_variable_is_a_secret_by_its_name_or_an_account_in_it():
    env = {"A_TOKEN": CANARY, "MODE": "plain", "DATABASE_URL": "postgres://me:hunter22@db/x", "B_TOKEN": ""}
    assert {CANARY, "hunter22"} <= secrets_in_command((), env)
    assert not {"plain", ""} & secrets_in_command((), env)


@pytest.mark.parametrize(
    ("headers", "alone"),
    [
        ({"Authorization": f"Bearer {CANARY}"}, CANARY),
        ({"authorization": f"Basic {b64encode(f'me:{CANARY}'.encode()).decode()}"}, CANARY),
        ({"Authorization": "Basic ///"}, "///"),
        ({"Cookie": f"theme=dark; session={CANARY}"}, CANARY),
        ({"X-Api-Key": CANARY}, CANARY),
    ],
)
def test_a_header_is_secret_and_what_a_server_may_repeat_of_it(headers, alone):
    found = secrets_in_request("https://a.example/mcp", headers)
    assert {*headers.values(), alone} <= found
    assert "" not in found


def test_a_header_that_is_no_credential_is_not_split():
    assert secrets_in_request("", {"Accept": "text/plain; q=0.5"}) == {"text/plain; q=0.5"}


@pytest.mark.parametrize(
    ("url", "found"),
    [
        (f"https://a.example/mcp?mode=read&key={CANARY}", {CANARY}),
        ("https://a.example/?api_key=a%2Bb%20c&x=1", {"a%2Bb%20c", "a+b c"}),
        (f"https://{CANARY}@a.example/", {CANARY}),
        ("https://me:p%40ss@a.example/", {"p%40ss", "p@ss", b64encode(b"me:p@ss").decode()}),
        ("https://a.example:8000/mcp?tokens=3", set()),
        ("https://[oops/?key=x", set()),
        (f"--key={CANARY}", set()),
    ],
)
def test_a_url_is_secret_in_its_account_and_where_its_query_says_so(url, found):
    assert secrets_in_url(url) == found


@pytest.mark.parametrize("name", ["HTTPS_PROXY", "http_proxy", "ALL_PROXY"])
@pytest.mark.parametrize("address", [f"http://me:{CANARY}@proxy:3128", f"me:{CANARY}@proxy:3128"])
def test_a_proxy_is_secret_in_its_account_with_a_scheme_and_without(name, address):
    for found in (secrets_in_proxies({name: address}), secrets_in_command((), {name: address})):
        assert CANARY in found
        assert "proxy:3128" not in found
    assert secrets_in_proxies({name: "http://proxy:3128", "OTHER": address}) == frozenset()
