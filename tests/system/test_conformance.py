"""The official conformance suite scores a server the same behind the wrapper as direct (requirement W6).

By hand, against any server: ``npx @modelcontextprotocol/conformance server --url URL --requirements 2026-07-28``.
"""

import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

FIXTURE = Path(__file__).parent / "conformance" / "fixture_server.py"
LEAST_CHECKS = {"2025-11-25": 70, "2026-07-28": 160}
"""The least number of checks that the fixture server passes, so that an empty suite is noticed."""

FEWER_CHECKS = {"2025-11-25": {"server-sse-multiple-streams": 1}}
"""The number of checks that a scenario skips for a server that answers with JSON and opens no streams."""


@pytest.fixture(scope="module")
def fixture_server():
    """The URL of the server that the suite tests."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    child = subprocess.Popen([sys.executable, "-W", "ignore", FIXTURE, str(port)])
    deadline = time.monotonic() + 60
    while True:
        assert child.poll() is None
        assert time.monotonic() < deadline
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/mcp"
    child.kill()
    child.wait()


@pytest.fixture(scope="module")
def proxied(start_host, fixture_server):
    """The URL of the wrapper in front of the fixture server."""
    words = ("--transport", "http", "--port", "0", "--upstream", fixture_server)
    host = start_host(sys.executable, "-P", "-m", "genui_cli", *words)
    (url,) = host.wait_for(lambda: re.findall(r"serves (http://\S+)", host.log_text()))
    return url


def scores(suite, url, revision):
    """Run the suite's requirements for servers of a revision; return (passed, failed) by scenario."""
    words = (*suite, "server", "--url", url, "--requirements", revision)
    ended = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    summary = ended.stdout.partition("=== SUMMARY ===")[2]
    found = re.findall(r"[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", summary)
    assert found, ended.stdout[-2000:] + ended.stderr[-2000:]
    return {name: (int(passed), int(failed)) for name, passed, failed in found}


def unscored(name):
    """Return whether a scenario is about an extension that the fixture server does not offer."""
    return name.startswith("tasks-")


@pytest.mark.parametrize("revision", LEAST_CHECKS)
def test_the_suite_scores_the_same_through_the_wrapper(conformance_suite, fixture_server, proxied, revision):
    direct = scores(conformance_suite, fixture_server, revision)
    assert {name: each for name, each in direct.items() if each[1] and not unscored(name)} == {}
    assert sum(passed for passed, _ in direct.values()) >= LEAST_CHECKS[revision]
    for scenario, fewer in FEWER_CHECKS.get(revision, {}).items():
        passed, failed = direct[scenario]
        direct[scenario] = (passed - fewer, failed)
    assert scores(conformance_suite, proxied, revision) == direct
