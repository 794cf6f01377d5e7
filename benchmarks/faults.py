"""Cause every known fault of an upstream, with real processes, and report what the host got.

faults.py                              the table of faults, with the command as it is installed
faults.py --calls 10000 --kills 100    that many calls while the upstream is killed at random
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

CONTRACT = Path(__file__).resolve().parent.parent / "tests" / "contract"
SERVER = (sys.executable, str(CONTRACT / "scripted_upstream.py"))
COMMAND = (sys.executable, "-P", "-m", "genui_cli", "--")
QUICK_RESTARTS = {"reconnect_delay_ms": 10, "max_reconnect_delay_ms": 50}
DRIVER = (sys.executable, str(CONTRACT / "run_driver.py"), "loop", json.dumps(QUICK_RESTARTS))
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
LIMIT_S = 60.0

DEATHS = {
    "exits": "exit",
    "is killed": "kill",
    "exits in the middle of a line": "half a line",
    "exits in the middle of a long line": "half a long line",
    "exits, a child holds its output": "exit, child holds output",
    "closes its output, lives on": "close output",
    "closes its input, lives on": "close input",
}
NUISANCES = {"writes garbage": "garbage", "floods its log": "flood"}
STANDSTILLS = {
    "hangs": "hang",
    "hangs in the middle of a line": "hang in a line",
    "is stopped (SIGSTOP)": "stop",
}
LONG_LINE_BYTES = 50_000_000
Row = dict[str, object]


class Host:
    """A host that counts every answer it gets."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start the subject."""
        self.child = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.answers: dict[object, list[dict[str, Any]]] = {}
        self.unreadable = 0
        self._arrived = threading.Condition()
        self._asked = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.child.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self.unreadable += 1
                continue
            if "method" not in message:
                with self._arrived:
                    self.answers.setdefault(message["id"], []).append(message)
                    self._arrived.notify_all()

    def send(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Send a request and return its id."""
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params or {}}
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()
        return self._asked

    def wait(self, request_id: int, limit_s: float = LIMIT_S) -> dict[str, Any] | None:
        """Return the first answer to a request, or None where there is none in time."""
        with self._arrived:
            self._arrived.wait_for(lambda: request_id in self.answers, limit_s)
            return self.answers.get(request_id, [None])[0]

    def request(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the answer to a request."""
        answer = self.wait(self.send(method, params))
        if answer is None:
            raise TimeoutError(f"no answer to {method}")
        return answer

    def connect(self) -> None:
        """Complete the handshake."""
        self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": APPS})

    def call(self, name: str, **arguments: object) -> int:
        """Call a tool; return the id of the request."""
        return self.send("tools/call", {"name": name, "arguments": arguments})

    def until_it_answers(self) -> None:
        """Call until the upstream answers."""
        while "error" in self.request("tools/call", {"name": "echo", "arguments": {"text": "again"}}):
            time.sleep(0.01)

    def close(self) -> int:
        """Leave, and return the exit code."""
        self.child.stdin.close()
        code = self.child.wait(LIMIT_S)
        self._reader.join(LIMIT_S)
        self.child.stdout.close()
        return code


def descendants(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [each for child in map(int, children) for each in (child, *descendants(child))]


def still_there(pids: set[int]) -> list[int]:
    """Return which of these processes, or of the process sessions that they lead, still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _parent, _group, session = stat.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it has just ended
            continue
        if state != "Z" and not pids.isdisjoint({int(stat.parent.name), int(session)}):
            found.append(int(stat.parent.name))
    return found


def left_alive(pids: set[int]) -> int:
    """Return how many of these processes and their children still run after a moment; end them."""
    deadline = time.monotonic() + 5
    while (left := still_there(pids)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return len(left)


Break = Callable[[Host], str]


def run_fault(fault: str, break_it: Break, flags: Sequence[str] = (), *, recovers: bool = True) -> Row:
    """Return the row of a fault: what the host got, how soon, the time to recover, and processes left."""
    host = Host((*COMMAND, *SERVER, *flags))
    if not flags:
        host.connect()
    return observe(fault, host, break_it, recovers=recovers)


def observe(fault: str, host: Host, break_it: Break, *, recovers: bool = True) -> Row:
    """Cause a fault behind a host's connection and return its row."""
    pids = {host.child.pid, *descendants(host.child.pid)}
    began = time.monotonic()
    saw = break_it(host)
    told_s = time.monotonic() - began
    pids |= set(descendants(host.child.pid))
    if recovers:
        host.until_it_answers()
    again_s = time.monotonic() - began
    pids |= set(descendants(host.child.pid))
    code = host.close()
    return {
        "the upstream": fault,
        "the host saw": saw,
        "told after ms": round(told_s * 1000),
        "well after ms": round(again_s * 1000) if recovers else None,
        "exit code": code,
        "left alive": left_alive(pids),
    }


def dies(kind: str) -> Break:
    """Make the upstream die during a pending call."""

    def break_it(host: Host) -> str:
        call = host.call("fault", kind=kind)
        if kind == "close input":  # noticed when somebody writes to it
            while host.wait(call, 0.05) is None:
                host.send("ping")
        answer = host.wait(call)
        return answer["error"]["data"]["errorType"] if answer else "no answer"

    return break_it


def annoys(kind: str) -> Break:
    """Make the upstream do something harmless."""

    def break_it(host: Host) -> str:
        answer = host.wait(host.call("fault", kind=kind))
        return "the result" if answer and "result" in answer else "no answer"

    return break_it


def stands_still(kind: str) -> Break:
    """Make the upstream stop answering; without a timeout for calls, the host must end the call."""

    def break_it(host: Host) -> str:
        host.wait(host.call("fault", kind=kind), 1)
        return "no answer (no limit set)"

    return break_it


def asks(method: str) -> Break:
    """Send a request that kills the upstream."""
    return lambda host: host.request(method)["error"]["data"]["errorType"]


def starts_slowly(host: Host) -> str:
    """Wait for an upstream that starts slowly."""
    host.connect()
    return annoys("none")(host)


def says_much(host: Host) -> str:
    """Make the upstream write a line that is longer than the limit."""
    answer = host.wait(host.call("big", bytes=LONG_LINE_BYTES))
    return "the result" if answer and "result" in answer else "no answer"


FAULTS: dict[str, Callable[[str], Row]] = {
    **{name: lambda name, kind=kind: run_fault(name, dies(kind)) for name, kind in DEATHS.items()},
    **{name: lambda name, kind=kind: run_fault(name, annoys(kind)) for name, kind in NUISANCES.items()},
    **{
        name: lambda name, kind=kind: run_fault(name, stands_still(kind), recovers=False)
        for name, kind in STANDSTILLS.items()
    },
    "starts slowly": lambda name: run_fault(name, starts_slowly, ("--slow", "3")),
    "writes a line of 50 MB": lambda name: run_fault(name, says_much),
    "exits when it is probed": lambda name: run_fault(
        name, asks("server/discover"), ("--die-on", "server/discover")
    ),
    "exits before it ever answered": lambda name: run_fault(
        name, asks("initialize"), ("--die-on", "initialize"), recovers=False
    ),
}


def storm(calls: int, kills: int, seed: int = 1) -> Row:
    """Make many calls, several at a time, while the upstream is killed; every call must get one answer."""
    chance = random.Random(seed)  # noqa: S311 -- nothing secret
    kill_at = set(chance.sample(range(1, calls), kills))
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        pid_file = Path(folder) / "pid"
        host = Host((*DRIVER, SERVER[1], "--pid-file", str(pid_file)))
        host.connect()
        pids, made = {host.child.pid}, []
        for number in range(calls):
            made.append(host.call("echo", text=str(number)))
            if number in kill_at:
                pids.add(pid := int(pid_file.read_text()))
                os.kill(pid, signal.SIGKILL)
                host.until_it_answers()
            elif number % 8 == 0:
                host.wait(made[-1 - chance.randrange(min(8, len(made)))])
        for call in made:
            host.wait(call)
        pids.add(int(pid_file.read_text()))
        host.close()
    kinds = Counter(
        "wrong" if len(host.answers.get(call, ())) != 1 else outcome(host.answers[call][0], str(number))
        for number, call in enumerate(made)
    )
    return {
        "calls": calls,
        "kills": kills,
        **dict(sorted(kinds.items())),
        "unreadable lines": host.unreadable,
        "left alive": left_alive(pids),
        "seconds": round(time.monotonic() - began, 1),
    }


def outcome(answer: dict[str, Any], text: str) -> str:
    """Return how a call ended."""
    if "error" in answer:
        return answer["error"]["data"]["errorType"]
    return "results" if answer["result"]["content"][0]["text"] == text else "wrong"


def print_table(rows: list[Row]) -> None:
    """Print rows as a table."""
    texts = [[*rows[0]], *([str("-" if value is None else value) for value in row.values()] for row in rows)]
    widths = [max(len(text[column]) for text in texts) for column in range(len(rows[0]))]
    for text in texts:
        print("  ".join(cell.ljust(width) for cell, width in zip(text, widths, strict=True)).rstrip())


def main() -> None:
    """Run the faults or the storm, and print the results."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--calls", type=int, default=0, help="calls to make while the upstream is killed")
    options.add_argument("--kills", type=int, default=10, help="how often it is killed (default: 10)")
    options.add_argument("--seed", type=int, default=1, help="decides when (default: 1)")
    given = options.parse_args()
    if not given.calls:
        print_table([measure(name) for name, measure in FAULTS.items()])
    else:
        print_table([storm(given.calls, given.kills, given.seed)])


if __name__ == "__main__":
    main()
