"""A scripted upstream behind each of the stdio drivers."""

import json
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def without_authorities(tmp_path_factory):
    """Give HTTP clients an empty folder of certificate authorities, because no test connects by TLS.

    Each client loads all authorities of the machine when it is made, which takes 30 ms.
    """
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("SSL_CERT_FILE", raising=False)
        environment.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("authorities")))
        yield


@pytest.fixture(params=["loop", "threads"])
def driver(request):
    """The name of a stdio driver."""
    return request.param


@pytest.fixture
def serve(driver, open_host):
    """Start the driver in front of a scripted upstream with these flags and these ``upstream`` settings."""

    def start(*flags, upstream=None, **options):
        settings = {"reconnect_delay_ms": 100, **(upstream or {})}
        words = (sys.executable, HERE / "run_driver.py", driver, json.dumps(settings))
        return open_host(*words, HERE / "scripted_upstream.py", *flags, **options)

    return start


@pytest.fixture
def call():
    """Call a tool and return the text of its result."""

    def text_of(host, name, **arguments):
        answer = host.request("tools/call", {"name": name, "arguments": arguments})
        return answer["result"]["content"][0]["text"]

    return text_of


@pytest.fixture
def pid_in():
    """Wait until a process has written its id into a file, and return the id."""

    def read(path):
        deadline = time.monotonic() + 20
        while not (path.exists() and path.read_text()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return int(path.read_text())

    return read


@pytest.fixture
def gone(alive):
    """Return whether a process ends within some seconds."""

    def wait(pid, within_s=10):
        deadline = time.monotonic() + within_s
        while alive(pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        return not alive(pid)

    return wait
