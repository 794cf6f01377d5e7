"""A host on the official bridge that shows one view to each test."""

from collections import defaultdict

import pytest
from view_host import ViewHost


@pytest.fixture(scope="module")
def idle_hosts(browser):
    """Keep the hosts that no test uses, by bridge: opening one takes several times as long as showing a view in it."""
    idle = defaultdict(list)
    yield idle
    for hosts in idle.values():
        for host in hosts:
            host.close()


@pytest.fixture
def mount(browser, host_origins, idle_hosts):
    """Show a page in a host and wait for its hello; an error, dialog, window or request fails the test."""
    taken = []

    def mount(page_html, *, bridge="v2", **options):
        idle = idle_hosts[bridge]
        taken.append((idle, idle.pop() if idle else ViewHost(browser, host_origins, bridge=bridge)))
        return taken[-1][1].mount(page_html, **options)

    yield mount
    unexpected = []
    for idle, host in taken:
        unexpected += host.clear()
        idle.append(host)
    assert unexpected == []
