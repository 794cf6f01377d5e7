"""A host on the official bridge that shows one view to each test."""

import pytest
from view_host import ViewHost


@pytest.fixture
def mount(browser, host_origins):
    """Show a page in a host and wait for its hello; an error, dialog, window or request fails the test."""
    hosts = []

    def mount(page_html, *, bridge="v2", **options):
        hosts.append(ViewHost(browser, host_origins, bridge=bridge))
        return hosts[-1].mount(page_html, **options)

    yield mount
    for host in hosts:
        host.close()
    assert [one for host in hosts for one in host.view.unexpected] == []
