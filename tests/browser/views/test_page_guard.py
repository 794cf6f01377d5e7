"""A page stops every spelling and every channel of `spellings` by itself, without the validator.

The normal run takes two kinds of hosts; ``GENUI_GUARD=full`` takes all of them. `test_page_layers.py` says
which layer stops which attempt.
"""

import os

import pytest
from playwright.sync_api import Error as PlaywrightError
from spellings import CALLS, CHANNELS, LINKS, PICTURES, SPELLINGS, TOOL, listener, page_of
from view_host import ViewHost

IS_FULL = os.environ.get("GENUI_GUARD") == "full"
PROFILES = ("spec", "opaque", "noforms", "vscode", "url") if IS_FULL else ("spec", "opaque")


@pytest.fixture
def attempt(browser, host_origins):
    """Show a page with attempts; return the names of those that got a window, and the view."""
    hosts = []

    def attempt(attempts, profile, mode="fragment", layers="all", port=0, patience_ms=None):
        host = ViewHost(browser, host_origins)
        hosts.append(host)
        called = {"content": [{"type": "text", "text": "x"}]}
        view = host.mount(
            page_of(attempts, mode, layers, port), profile=profile, tool=TOOL, call=lambda *_: called
        )
        view.frame.evaluate("window.realMark = 'real'")
        view.send_result(called)
        root = view.frame.locator("[data-done]")
        root.wait_for(state="attached", timeout=patience_ms)
        seen = root.evaluate("(root) => ({ ...root.dataset })")
        return {value for key, value in seen.items() if key != "done"}, view

    yield attempt
    for host in hosts:
        host.close()


@pytest.mark.matrix
@pytest.mark.parametrize("mode", ["fragment", "document"])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_spelling_hands_a_script_the_window(attempt, profile, mode):
    got, _ = attempt(SPELLINGS, profile, mode)
    assert got == set()


def test_the_same_spellings_get_the_window_without_the_guard(attempt):
    got, _ = attempt(SPELLINGS, "spec", layers="none")
    assert len(got) > len(SPELLINGS) / 2


@pytest.mark.parametrize("profile", PROFILES)
def test_no_channel_leaves_the_page(attempt, profile):
    with listener() as (port, heard):
        _, view = attempt(CHANNELS, profile, port=port)
        assert (len(heard), view.requests) == (0, [])


@pytest.mark.matrix
@pytest.mark.parametrize("mode", ["fragment", "document"])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_picture_that_a_script_names_is_fetched(attempt, profile, mode):
    with listener() as (port, heard):
        _, view = attempt(PICTURES, profile, mode, port=port)
        assert (len(heard), view.requests) == (0, [])


@pytest.mark.matrix
@pytest.mark.parametrize("mode", ["fragment", "document"])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_link_form_or_address_sends_the_page_elsewhere(attempt, profile, mode):
    with listener() as (port, heard):
        _, view = attempt(LINKS, profile, mode, port=port)
        assert (len(heard), view.requests) == (0, [])


def test_a_detached_link_sends_a_page_elsewhere_without_the_guard(attempt):
    with listener() as (port, _), pytest.raises(PlaywrightError):
        attempt({"click": LINKS["detached link"]}, "spec", layers="policy", port=port, patience_ms=3_000)


def test_a_peer_connection_leaves_a_page_without_the_guard(attempt):
    one = {name: body for name, body in CHANNELS.items() if name == "peer connection"}
    with listener() as (port, heard):
        attempt(one, "spec", layers="policy", port=port)
        assert heard != []


@pytest.mark.matrix
@pytest.mark.parametrize("mode", ["fragment", "document"])
@pytest.mark.parametrize("profile", PROFILES)
def test_no_channel_calls_a_tool_that_is_not_the_views(attempt, profile, mode):
    _, view = attempt(CALLS, profile, mode)
    assert view.calls == []
