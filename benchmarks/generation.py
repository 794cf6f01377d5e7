"""Measure what a generation costs the calls beside it, and the wrapper's share of a cold view's wait.

Each round starts the command again, makes tool calls while it is idle, then reads a view that is not
cached, which a model takes a while to write, and makes calls until the view is finished. A second such
view shows the same when all modules are loaded.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
UPSTREAM = HERE.parent / "tests" / "contract" / "scripted_upstream.py"
ROWS = {"type": "object", "properties": {"rows": {"type": "array"}}}
TOOLS = [
    {"name": "echo", "inputSchema": {"type": "object"}},
    *(
        {"name": name, "inputSchema": {"type": "object"}, "outputSchema": ROWS}
        for name in ("first", "second")
    ),
]
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
PATIENT = {"serveWithinMs": 120_000, "timeoutMs": 120_000}
Measured = dict[str, float]


class Host:
    """A host that can make calls while another request is pending."""

    def __init__(self, folder: Path, model_seconds: float) -> None:
        """Start the command and complete the handshake."""
        (folder / "tools.json").write_text(json.dumps(TOOLS))
        configured = {"llm": {"provider": "generation_model:unhurried"}, "generation": PATIENT}
        (folder / "config.json").write_text(json.dumps({**configured, "logging": {"level": "error"}}))
        self.diary = folder / "diary"
        variables = {"UNHURRIED_SECONDS": str(model_seconds), "UNHURRIED_DIARY": str(self.diary)}
        paths = os.pathsep.join(filter(None, (str(HERE), os.environ.get("PYTHONPATH"))))
        ours = (sys.executable, "-P", "-m", "genui_cli", "--config", folder / "config.json")
        self.child = subprocess.Popen(
            [*ours, "--", sys.executable, UPSTREAM, "--tools", folder / "tools.json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **variables, "PYTHONPATH": paths},
        )
        self._id = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self.answer(self.send("initialize", {"protocolVersion": "2025-11-25", "capabilities": APPS}))
        self.answer(self.send("tools/list", {}))

    def send(self, method: str, params: dict[str, Any]) -> int:
        """Send a request; return its id."""
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()
        return self._id

    def answer(self, number: int) -> dict[str, Any]:
        """Return the answer to a request; store other answers that come before it."""
        while number not in self._answers:
            message = json.loads(self.child.stdout.readline())
            if "method" not in message:
                self._answers[message["id"]] = message
        return self._answers.pop(number)

    def has(self, number: int) -> bool:
        """Return whether the answer to a request has come during the wait for another."""
        return number in self._answers

    def timed_us(self) -> float:
        """Return how long one tool call took, in microseconds."""
        begun = time.perf_counter()
        self.answer(self.send("tools/call", {"name": "echo", "arguments": {"text": "hello"}}))
        return (time.perf_counter() - begun) * 1e6

    def close(self) -> None:
        """Disconnect and wait for the command to exit."""
        self.child.stdin.close()
        self.child.wait()
        self.child.stdout.close()


def while_made(host: Host, tool: str) -> tuple[list[float], float]:
    """Read a cold view; return the times of calls until it came, and the wrapper's share of the wait in ms."""
    begun, took = time.perf_counter(), []
    read = host.send("resources/read", {"uri": f"ui://{tool}"})
    while not host.has(read):
        took.append(host.timed_us())
        time.sleep(0.001)
    waited_ms = (time.perf_counter() - begun) * 1000
    if "No richer view could be made" in json.dumps(host.answer(read)):
        raise SystemExit("the view could not be made")
    return took, waited_ms - float(host.diary.read_text().splitlines()[-1]) * 1000


def measure_run(calls: int, model_seconds: float) -> Measured:
    """Return the figures of one run of the command."""
    with tempfile.TemporaryDirectory() as name:
        host = Host(Path(name), model_seconds)
        for _ in range(calls // 5):
            host.timed_us()
        idle = []
        for _ in range(calls):
            idle.append(host.timed_us())
            time.sleep(0.001)
        first, first_ours_ms = while_made(host, "first")
        second, second_ours_ms = while_made(host, "second")
        host.close()
    return {
        "idle p50 us": statistics.median(idle),
        "idle p99 us": p99(idle),
        "first p99 us": p99(first),
        "first x idle": p99(first) / p99(idle),
        "first ours ms": first_ours_ms,
        "later p99 us": p99(second),
        "later x idle": p99(second) / p99(idle),
        "later ours ms": second_ours_ms,
    }


def p99(took: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(took)[int(len(took) * 0.99)]


def main() -> None:
    """Measure and print a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--rounds", type=int, default=5, help="how often the command is started (default: 5)"
    )
    options.add_argument("--calls", type=int, default=1000, help="calls while idle (default: 1000)")
    options.add_argument("--model", type=float, default=4.0, help="seconds the model takes (default: 4)")
    given = options.parse_args()
    rows = [measure_run(given.calls, given.model) for _ in range(given.rounds)]
    for what in rows[0]:
        print(f"{what:>16}{statistics.median(row[what] for row in rows):12.1f}")


if __name__ == "__main__":
    main()
