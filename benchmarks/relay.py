"""Measure the relay against a direct connection and a bare byte pipe, in turn, in one run."""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
UPSTREAM = (sys.executable, str(HERE / "echo_upstream.py"))
SUBJECTS = {
    "direct": UPSTREAM,
    "byte pipe": (sys.executable, str(HERE / "byte_pipe.py"), *UPSTREAM),
    "mcp-gen-ui": (sys.executable, "-P", "-m", "genui_cli", "--", *UPSTREAM),
}
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": APPS,
    "clientInfo": {"name": "benchmark", "version": "1"},
}
Measured = dict[str, float]
Rounds = dict[str, list[Measured]]


class Connection:
    """A host that writes a request and waits for its answer."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start the subject and complete the handshake."""
        self.started = time.perf_counter()
        self.child = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._id = 0
        self.request("initialize", HELLO)
        self.child.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        self.tools = self.request("tools/list", {})["result"]["tools"]
        self.start_ms = (time.perf_counter() - self.started) * 1000

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request."""
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def call(self, name: str, **arguments: object) -> dict[str, Any]:
        """Call a tool."""
        return self.request("tools/call", {"name": name, "arguments": arguments})

    def timed_us(self, count: int, name: str, **arguments: object) -> list[float]:
        """Return how long each of some calls took, in microseconds."""
        took = []
        for _ in range(count):
            begun = time.perf_counter()
            self.call(name, **arguments)
            took.append((time.perf_counter() - begun) * 1e6)
        return took

    def close(self) -> None:
        """Disconnect and wait for the subject to exit."""
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()


def cost(pid: int) -> tuple[float, int]:
    """Return the processor time in microseconds and the voluntary context switches of a process so far."""
    nanoseconds = switches = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        nanoseconds += int((task / "schedstat").read_text().split()[0])
        status = (task / "status").read_text()
        switches += int(status.partition("\nvoluntary_ctxt_switches:")[2].split()[0])
    return nanoseconds / 1000, switches


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmRSS:")[2].split()[0]) / 1024


def measure(argv: Sequence[str], calls: int) -> Measured:
    """Start a subject, make the calls and return the measurements."""
    return measure_connection(Connection(argv), calls)


def measure_connection(connection: Connection, calls: int) -> Measured:
    """Make the calls on a connection, close it, and return the measurements."""
    pid = connection.child.pid
    start_cpu_ms = cost(pid)[0] / 1000
    connection.timed_us(calls // 5, "echo", text="warm")
    cpu_us, switches = cost(pid)
    took = sorted(connection.timed_us(calls, "echo", text="hello"))
    cpu_after_us, switches_after = cost(pid)
    measured = {
        "start_ms": connection.start_ms,
        "start_cpu_ms": start_cpu_ms,
        "p50_us": statistics.median(took),
        "p99_us": took[int(len(took) * 0.99)],
        "cpu_us": (cpu_after_us - cpu_us) / calls,
        "switches": (switches_after - switches) / calls,
        "megabyte_us": statistics.median(connection.timed_us(5, "payload", bytes=1_000_000)),
        "memory_mb": memory_mb(pid),
    }
    connection.close()
    return measured


def measure_all(rounds: int, subjects: Mapping[str, Callable[[], Measured]]) -> Rounds:
    """Return the measurements of each round; every round starts each subject again."""
    seen: Rounds = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, measure_once in subjects.items():
            seen[name].append(measure_once())
    return seen


def medians(seen: Rounds) -> dict[str, Measured]:
    """Return the medians over rounds."""
    return {
        name: {key: statistics.median(each[key] for each in rows) for key in rows[0]}
        for name, rows in seen.items()
    }


def added_us(seen: Rounds, name: str) -> list[float]:
    """Return by how much a call was slower than the direct one of the same round, at the median, in each round."""
    return [
        ours["p50_us"] - direct["p50_us"] for ours, direct in zip(seen[name], seen["direct"], strict=True)
    ]


def options(about: str | None) -> argparse.ArgumentParser:
    """Return the options of the command line."""
    options = argparse.ArgumentParser(description=about)
    options.add_argument(
        "--rounds", type=int, default=5, help="how often each subject is started (default: 5)"
    )
    options.add_argument("--calls", type=int, default=500, help="sequential calls a round (default: 500)")
    options.add_argument(
        "--peer",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="measure another proxy beside; {upstream} in its command is the upstream's",
    )
    options.add_argument(
        "--shielded",
        action="store_true",
        help="run everything in real time, before all other programs (Linux, as root)",
    )
    return options


def peers(given: Sequence[str], **places: object) -> dict[str, list[str]]:
    """Return the command of each peer, by its name."""
    found = {}
    for each in given:
        name, _, command = each.partition("=")
        found[name] = shlex.split(command.format(upstream=shlex.join(UPSTREAM), **places))
    return found


def print_rows(seen: Rounds, unit: str) -> None:
    """Print a table whose last columns are the added time, and that as a multiple of what one subject adds.

    Both are medians of what the rounds give, each for itself.
    """
    rows = medians(seen)
    print("".join(f"{title:>14}" for title in ("", *rows["direct"], "added_us", "added, ratio")))
    floors = added_us(seen, unit)
    for name, row in rows.items():
        added = added_us(seen, name)
        ratio = statistics.median(each / floor for each, floor in zip(added, floors, strict=True))
        print(
            f"{name:>14}"
            + "".join(f"{value:14.1f}" for value in (*row.values(), statistics.median(added), ratio))
        )


def shield() -> None:
    """Give this process and the measured programs a higher priority than all others on the machine."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    except PermissionError:
        sys.exit("--shielded takes root")


def main() -> None:
    """Measure and print a table."""
    given = options(__doc__).parse_args()
    if given.shielded:
        shield()
    argvs = {**SUBJECTS, **peers(given.peer)}
    subjects = {name: partial(measure, argv, given.calls) for name, argv in argvs.items()}
    print_rows(measure_all(given.rounds, subjects), "byte pipe")


if __name__ == "__main__":
    main()
