"""Fixtures and hooks for all tests: hosts on stdio, the browser, Redis, and the order of the tests."""

import contextlib
import gc
import json
import os
import subprocess
import sys
import threading
from collections import defaultdict
from pathlib import Path

import missing_parts
import pytest
import quick_run
from attrs import define, field
from fault_list import FAULTS
from hypothesis import HealthCheck, settings
from recordings import corpus_used
from redis_process import RedisProcess, program
from view_host import NotSetUpError, open_browser, serve_host

ANSWER_TIMEOUT_S = 60
LONGEST = (
    "tests/unit/cli/flags/test_every_flag.py",
    "tests/unit/core/domain/validation/test_hostile_input.py",
    "tests/unit/house/test_checkers.py",
    "tests/unit/view/test_kit.py",
)
"""Long test files of the last folders; they run early, so that no process waits for them at the end."""

# Machines that run tests are shared: how long an example takes says nothing there.
settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "long",
    settings.get_profile("shared machine"),
    max_examples=int(os.environ.get("GENUI_FUZZ_EXAMPLES", "20000")),
)
settings.register_profile("quick", settings.get_profile("shared machine"), max_examples=34)
PROFILE = os.environ.get("GENUI_FUZZ_PROFILE", "")
settings.load_profile(PROFILE or "shared machine")


pytest_runtest_makereport = missing_parts.pytest_runtest_makereport
pytest_addoption = quick_run.pytest_addoption


def pytest_configure(config):
    """Make a third of the random examples in a quick run; test modules read the profile when they load."""
    if config.getoption("--quick") and not PROFILE:
        settings.load_profile("quick")


def pytest_terminal_summary(terminalreporter):
    """Print which tests did not run, and which recordings the tests used."""
    missing_parts.pytest_terminal_summary(terminalreporter)
    terminalreporter.line(corpus_used())


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect tests without the garbage collector, because the collected objects stay alive anyway."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config, items):
    """Select the tests of a quick run, mark those of the fault list, and order all tests.

    The longest files run first, then the tests in a browser, by folder, so that it starts only a few times.
    """
    quick_run.pytest_collection_modifyitems(config, items)
    in_browser = {item.module for item in items if "browser" in item.fixturenames}
    items.sort(
        key=lambda item: (
            not item.nodeid.startswith(LONGEST),
            item.module not in in_browser,
            item.module in in_browser and hasattr(item.module, "WHOLE_BROWSER"),
        )
    )
    listed = {each for tests in FAULTS.values() for each in tests}
    for item in items:
        if item.nodeid.partition("[")[0] in listed or "tests/system/faults/" in item.nodeid:
            item.add_marker("faults")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root folder of the project."""
    return Path(__file__).resolve().parent.parent


@define(eq=False)
class StdioHost:
    """A host on a child process's standard streams: it sends bytes and records every line that it gets."""

    argv: list
    options: dict = field(factory=dict)
    child: subprocess.Popen = field(init=False)
    lines: list = field(init=False, factory=list)
    log: list = field(init=False, factory=list)
    _arrived: threading.Condition = field(init=False, factory=threading.Condition)
    _readers: list = field(init=False, factory=list)
    _id: int = field(init=False, default=0)

    def __attrs_post_init__(self):
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.child = subprocess.Popen(self.argv, **{**pipes, **self.options})
        for stream, kept in ((self.child.stdout, self.lines), (self.child.stderr, self.log)):
            if stream is not None:
                reader = threading.Thread(target=self._read, args=(stream, kept), daemon=True)
                reader.start()
                self._readers.append(reader)

    def _read(self, stream, kept):
        with contextlib.suppress(ValueError):  # closed at the end of the test, with a line on its way
            for line in stream:
                with self._arrived:
                    kept.append(line)
                    self._arrived.notify_all()
        with self._arrived:
            self._arrived.notify_all()

    def send_bytes(self, data):
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def send(self, method, params=None, **fields):
        message = {
            "jsonrpc": "2.0",
            "method": method,
            **fields,
            **({} if params is None else {"params": params}),
        }
        self.send_bytes(json.dumps(message).encode() + b"\n")

    def request(self, method, params=None):
        """Send a request and return the whole answer."""
        self._id += 1
        self.send(method, params, id=self._id)
        return self.answer(self._id)

    def answer(self, request_id):
        """Wait for the answer to a request."""
        return json.loads(self.answer_line(request_id))

    def answer_line(self, request_id):
        """Wait for the answer to a request and return its bytes."""
        return self.wait_for(lambda: next((line for line in self.lines if _answers(line, request_id)), None))

    def wait_for(self, look):
        """Wait until ``look`` returns something true about the received lines, and return it."""
        with self._arrived:
            found = self._arrived.wait_for(look, ANSWER_TIMEOUT_S)
            assert found, f"nothing in time; log: {b''.join(self.log).decode(errors='replace')[-2000:]}"
            return look()

    def connect(self, capabilities=None):
        """Complete the handshake as a host of 2025-11-25 that shows MCP Apps; stop after an error."""
        apps = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": apps if capabilities is None else capabilities,
            "clientInfo": {"name": "test host", "version": "1"},
        }
        answer = self.request("initialize", params)
        if "result" in answer:  # after an error the child may have ended already
            self.send("notifications/initialized")
        return answer

    def close(self):
        """Close the child's input, as a host does that leaves; return the exit code."""
        if not self.child.stdin.closed:
            self.child.stdin.close()
        return self.wait()

    def wait(self):
        """Wait until the child ends and all its output is read; return its exit code."""
        code = self.child.wait(ANSWER_TIMEOUT_S)
        for reader in self._readers:
            reader.join(ANSWER_TIMEOUT_S)
        return code

    def log_text(self):
        return b"".join(self.log).decode(errors="replace")

    def _end(self):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _answers(line, request_id):
    try:
        message = json.loads(line)
    except ValueError:
        return False
    return isinstance(message, dict) and "method" not in message and message.get("id") == request_id


@contextlib.contextmanager
def host_starter():
    """Yield a function that starts a command with a host on its standard streams; end all hosts at exit."""
    hosts = []

    def start(*argv, **options):
        host = StdioHost([str(word) for word in argv], options)
        hosts.append(host)
        return host

    yield start
    for host in hosts:
        host._end()


@pytest.fixture
def open_host():
    """Start a command with a host on its standard streams; all end with the test."""
    with host_starter() as start:
        yield start


@pytest.fixture(scope="module")
def start_host():
    """Start a command as `open_host` does, for all tests of a module."""
    with host_starter() as start:
        yield start


@pytest.fixture(scope="session")
def proxy():
    """The command line of the wrapper over stdio, up to the upstream's command."""
    return (sys.executable, "-P", "-m", "genui_cli", "--")


def is_alive(pid):
    """Return whether a process runs; a zombie does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def alive():
    """Return whether the process with this id runs."""
    return is_alive


@pytest.fixture
def environment():
    """A copy of the environment variables, which a test may change."""
    return dict(os.environ)


@pytest.fixture(scope="module")
def module_environment():
    """A copy of the environment variables for fixtures that all tests of a module share."""
    return dict(os.environ)


class OneBrowser:
    """The browser that consecutive tests share; it ends before tests that need an event loop in its thread."""

    def __init__(self):
        self._opened, self._chromium = contextlib.ExitStack(), None
        self._is_whole = False
        self.module = None
        """The module of the last test that used it."""

    def chromium(self, module):
        """Return the browser for a module; start it if it does not run.

        It is the quicker headless one, unless the module sets ``WHOLE_BROWSER = "why"``.
        """
        self.module, is_whole = module, hasattr(module, "WHOLE_BROWSER")
        if is_whole is not self._is_whole:
            self.close()
        if self._chromium is None:
            self._is_whole = is_whole
            self._chromium = self._opened.enter_context(open_or_skip(open_browser(whole=is_whole)))
            self._chromium.idle_hosts = defaultdict(list)
        return self._chromium

    def close(self):
        """End the browser."""
        self._chromium = None
        self._opened.close()


one_browser = OneBrowser()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """End the browser before a test of another module that uses none."""
    if "browser" not in item.fixturenames and item.module is not one_browser.module:
        one_browser.close()


def pytest_unconfigure():
    """End the browser at the end of the run."""
    one_browser.close()


@pytest.fixture(scope="module")
def browser(request):
    """The Chromium that consecutive modules share; each opens its own pages in it, or reuses idle hosts."""
    return one_browser.chromium(request.module)


@pytest.fixture(scope="session")
def host_origins():
    """The addresses of the servers of the host that shows views, and what they offer."""
    with open_or_skip(serve_host()) as origins:
        yield origins


@pytest.fixture(scope="session")
def redis_process():
    """A Redis server of the test run, which all tests share."""
    with open_or_skip(_redis()) as server:
        yield server


@contextlib.contextmanager
def _redis():
    program()
    with RedisProcess() as server:
        yield server


@contextlib.contextmanager
def open_or_skip(opened):
    """Open a program that a test needs; if it is not installed, skip the test, or fail it on a build server."""
    try:
        with opened as one:
            yield one
    except NotSetUpError as error:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(error))
