"""Shows requirement D4."""

import socket

import pytest

from genui_adapters.host.http.app import Admission
from genui_adapters.host.listening_socket import CannotListen, bound_socket, is_loopback, reason_against


def status(admission, **headers):
    refusal = admission.refusal(headers)
    return refusal.status if refusal else 200


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("127.8.8.8", True),
        ("192.0.2.1", False),
        ("box", False),
    ],
)
def test_only_this_machines_own_addresses_are_loopback(host, local):
    assert is_loopback(host) is local


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil",
        "127.0.0.1.evil",
        "evil:127",
        "localhost.evil:80",
        "127.0.0.1:80:80",
        "localhost:x",
        "[::1].evil",
    ],
)
def test_names_that_only_look_local_are_refused(host):
    assert status(Admission(), host=host) == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "LOCALHOST:8000", "[::1]:8000", "[::1]"])
def test_names_of_this_machine_are_accepted(host):
    assert status(Admission(), host=host) == 200


def test_a_server_for_others_does_not_answer_to_this_machines_names():
    admission = Admission(hosts=["Box.example", "other:8443"], is_local=False)
    assert status(admission, host="localhost") == 421
    assert status(admission, host="box.example:80") == 200
    assert status(admission, host="other:8443") == 200
    assert status(admission, host="other:80") == 421


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://127.0.0.1:8000", 200),
        ("https://app.example", 200),
        ("https://App.Example", 200),
        ("http://localhost:6274", 200),
        ("http://localhost:3000", 403),
        ("http://localhost:8000", 200),
        ("http://127.0.0.1", 403),
        ("http://127.0.0.1:3000", 403),
        ("https://127.0.0.1:8000", 403),
        ("app://127.0.0.1:8000", 403),
        ("http://[::1]:3000", 403),
        ("http://app.example", 403),
        ("https://app.example.evil", 403),
        ("null", 403),
        ("", 403),
        ("localhost", 403),
        ("http://[", 403),
    ],
)
def test_only_pages_of_configured_origins_and_of_the_own_one_are_served(origin, expected):
    admission = Admission(origins=["https://app.example/", "http://localhost:6274"])
    assert status(admission, host="127.0.0.1:8000", origin=origin) == expected


def test_a_page_of_the_servers_own_origin_is_served_at_any_address():
    admission = Admission(hosts=["box.example"], is_local=False)
    assert status(admission, host="box.example", origin="https://box.example") == 200
    assert status(admission, host="box.example", origin="http://localhost") == 403


def test_a_program_that_names_no_origin_is_served():
    assert status(Admission(), host="127.0.0.1:8000") == 200


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic secret", "secret", "Bearer sécret"]
)
def test_a_wrong_token_is_refused(given):
    assert status(Admission(token="secret"), host="localhost", authorization=given) == 401


def test_the_right_token_is_accepted_in_any_case_of_the_scheme():
    assert status(Admission(token="secret"), host="localhost", authorization="bearer secret") == 200


def test_small_answers_leave_at_once():
    """An event loop turns Nagle's delay off, but only for sockets with the protocol number of TCP."""
    with bound_socket("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_an_address_of_another_machine_is_an_error_that_names_it():
    with pytest.raises(CannotListen, match=r"192\.0\.2\.1 port 0"):
        bound_socket("192.0.2.1", 0)


def test_a_port_is_tried_without_listening_on_it():
    assert reason_against("127.0.0.1", 0) is None
    with bound_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert "it is in use" in str(reason_against("127.0.0.1", port))
    assert reason_against("127.0.0.1", port) is None
