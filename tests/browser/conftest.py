"""The fixture `mount`, which shows one view to each test in a host with the official bridge."""

import pytest
from playwright.sync_api import expect
from view_host import WAIT_MS, ViewHost

expect.set_options(timeout=WAIT_MS)


@pytest.fixture
def mount(browser, host_origins):
    """Show a page in a host and wait until it is ready; an error, dialog, window or request fails the test.

    To open a host takes several times as long as to show a view in it, so the browser keeps idle hosts.
    """
    taken = []

    def mount(page_html, *, bridge="v2", **options):
        idle = browser.idle_hosts[bridge]
        taken.append((idle, idle.pop() if idle else ViewHost(browser, host_origins, bridge=bridge)))
        return taken[-1][1].mount(page_html, **options)

    yield mount
    unexpected = []
    for idle, host in taken:
        unexpected += host.clear()
        idle.append(host)
    assert unexpected == []
