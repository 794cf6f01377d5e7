"""Cause every known fault of an upstream behind a URL, with real processes, and report what the host got.

remote_faults.py        the table of faults, with the command as it is installed, in front of a URL
"""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import frozen
from faults import COMMAND, CONTRACT, Host, Row, observe, print_table

SERVER = (sys.executable, str(CONTRACT / "faulty_http.py"))
START_S = 30.0


class Upstream:
    """A server on a fixed port, which can be stopped and restarted there."""

    def __init__(self) -> None:
        """Take a port; nothing listens there yet."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.child: subprocess.Popen[bytes] | None = None

    def start(self, *words: str) -> None:
        """Start it and wait until it listens."""
        self.child = subprocess.Popen((*SERVER, str(self.port), *words))
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise TimeoutError

    def end(self) -> None:
        """End it, if it runs."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()


@frozen
class Fault:
    """A fault of an upstream behind a URL.

    Attributes:
        break_it: Causes the fault and returns what the host saw.
        clear: Ends the fault.
    """

    break_it: Callable[[Host, Upstream], str]
    clear: Callable[[Upstream], None] = lambda _upstream: None


def text_of(answer: dict[str, Any] | None) -> str:
    """Return the text of an answer."""
    if answer is None:
        return "no answer (no limit set)"
    if "error" in answer:
        data = answer["error"].get("data") or {}
        return str(data.get("errorType", answer["error"]["message"]))
    return "the result"


def calls(kind: str, within_s: float = 60.0) -> Callable[[Host, Upstream], str]:
    """Make a call fail in some way."""
    return lambda host, _upstream: text_of(host.wait(host.call("fault", kind=kind), within_s))


def is_away(host: Host, upstream: Upstream) -> str:
    """End the server, so that its port refuses connections."""
    upstream.end()
    return text_of(host.wait(host.call("echo", text="x")))


def restart(upstream: Upstream) -> None:
    """Restart the upstream without the fault."""
    upstream.end()
    upstream.start()


FAULTS = {
    "refuses connections": Fault(is_away, restart),
    "dies while it answers": Fault(calls("die"), restart),
    "resets the connection": Fault(calls("reset")),
    "cuts an event in half": Fault(calls("half an event")),
    "answers HTTP 500": Fault(calls("500")),
    "answers HTTP 401": Fault(calls("401"), restart),
    "answers with a page": Fault(calls("page")),
    "loses the session": Fault(calls("forget")),
    "drips": Fault(calls("drip")),
    "sends an event of 3 MiB": Fault(calls("big")),
    "sends garbage before the answer": Fault(calls("garbage")),
    "hangs": Fault(calls("hang", 1)),
}


@contextmanager
def started() -> Iterator[Upstream]:
    """Start a server, which ends with the block."""
    upstream = Upstream()
    upstream.start()
    try:
        yield upstream
    finally:
        upstream.end()


def run_fault(name: str) -> Row:
    """Return the row of one fault."""
    fault = FAULTS[name]
    with started() as upstream:
        host = Host((*COMMAND[:-1], "--upstream", f"http://127.0.0.1:{upstream.port}/mcp"))
        host.connect()

        def break_it(host: Host) -> str:
            saw = fault.break_it(host, upstream)
            fault.clear(upstream)
            return saw

        return observe(name, host, break_it)


if __name__ == "__main__":
    print_table([run_fault(name) for name in FAULTS])
