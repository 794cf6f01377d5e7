"""Make many calls over HTTP while the process behind the transport is killed at random.

storms.py --transport http --calls 10000 --kills 100        the upstream of the wrapper is killed
storms.py --transport attached --calls 10000 --kills 100    the server of the wrapper is killed

Half of the callers have a session. Every call must get exactly one answer, and no upstream may get a
request twice. The storm over stdio is in faults.py.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
from faults import APPS, CONTRACT, QUICK_RESTARTS, Row, descendants, left_alive, print_table

SERVER = str(CONTRACT / "scripted_upstream.py")
CALLERS = 16
LIMIT_S = 60.0
PAUSE_S = 0.002
"""The time of an answer of the upstream, so that calls are pending whenever it is killed."""
_INFO = {"name": "storm", "version": "1"}
_STATELESS = "2026-07-28"
_ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": _STATELESS,
    "io.modelcontextprotocol/clientInfo": _INFO,
    "io.modelcontextprotocol/clientCapabilities": APPS,
}


class Subject:
    """A process that serves on a local port."""

    def __init__(self, port: int, child: subprocess.Popen[bytes]) -> None:
        """Record every process that belongs to the subject."""
        self.port, self.child = port, child
        self.address = f"http://127.0.0.1:{port}/mcp"
        self.pids = {child.pid}

    def upstreams(self) -> list[int]:
        """Return the upstream processes."""
        found = descendants(self.child.pid)
        self.pids |= {self.child.pid, *found}
        return found

    def kill(self) -> None:
        """Kill the upstreams, or the server with the wrapper attached."""
        for pid in self.upstreams():
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGKILL)


class Attached(Subject):
    """A server with the wrapper attached, which is restarted at the same address after a kill."""

    def __init__(self, port: int) -> None:
        """Start it."""
        super().__init__(port, _start_attached(port))

    def kill(self) -> None:
        """Kill it, and start it again."""
        self.child.kill()
        self.child.wait()
        self.child = _start_attached(self.port)
        self.pids.add(self.child.pid)


def _start_attached(port: int) -> subprocess.Popen[bytes]:
    words = (sys.executable, str(CONTRACT / "run_attached.py"), str(port))
    return subprocess.Popen(words, stderr=subprocess.DEVNULL)


@asynccontextmanager
async def behind_http(heard: Path) -> AsyncIterator[Subject]:
    """Serve a scripted upstream over HTTP, with short waits between its starts."""
    flags = (SERVER, "--heard", str(heard), "--pause", str(PAUSE_S))
    words = (sys.executable, str(CONTRACT / "run_http.py"), json.dumps(QUICK_RESTARTS), *flags)
    log = heard.with_suffix(".log")
    with log.open("wb") as stderr:
        child = subprocess.Popen(words, stderr=stderr)  # noqa: ASYNC220 -- nothing else goes on yet
    try:
        while not (found := re.search(r"serves http://127.0.0.1:(\d+)", log.read_text())):  # noqa: ASYNC110 -- another process writes it
            await asyncio.sleep(0.02)
        yield Subject(int(found[1]), child)
    finally:
        child.terminate()
        child.wait(LIMIT_S)


@asynccontextmanager
async def attached(_heard: Path) -> AsyncIterator[Subject]:
    """Serve a server with the wrapper attached."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    subject = Attached(port)
    try:
        await until_it_listens(port)
        yield subject
    finally:
        subject.child.terminate()
        subject.child.wait(LIMIT_S)


async def until_it_listens(port: int) -> None:
    """Wait until a process listens on a local port."""
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            return
    raise TimeoutError


class Caller:
    """A host that makes calls in sequence, and returns the outcome of each."""

    def __init__(self, client: httpx2.AsyncClient, address: str, *, stateless: bool) -> None:
        """Start without a session."""
        self._client, self._address, self._stateless = client, address, stateless
        self._session: str | None = None

    async def outcome(self, number: int) -> str:
        """Make a call and return how it ended."""
        params = {"name": "echo", "arguments": {"text": str(number)}}
        try:
            if not self._stateless and self._session is None:
                await self._begin()
            status, answers = await self._post("tools/call", params, number + 1)
        except (httpx2.TransportError, ConnectionError):
            self._session = None
            return "connection lost"
        if status == httpx2.codes.NOT_FOUND:
            self._session = None
            return "session lost"
        return _told(answers, number)

    async def _begin(self) -> None:
        hello = {"protocolVersion": "2025-11-25", "capabilities": APPS, "clientInfo": _INFO}
        _, answers = await self._post("initialize", hello, 0)
        if "error" in answers[0]:
            raise ConnectionError
        await self._post("notifications/initialized", {}, None)

    async def _post(
        self, method: str, params: dict[str, Any], request_id: int | None
    ) -> tuple[int, list[dict[str, Any]]]:
        """Return the status and every answer to the request on the response."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request_id is not None:
            message["id"] = request_id
        headers = {"accept": "application/json, text/event-stream"}
        if self._stateless:
            message["params"] = {**params, "_meta": _ENVELOPE}
            headers |= {"mcp-protocol-version": _STATELESS, "mcp-method": method, "mcp-name": "echo"}
        elif self._session is not None:
            headers["mcp-session-id"] = self._session
        response = await self._client.post(self._address, json=message, headers=headers)
        self._session = response.headers.get("mcp-session-id") or self._session
        return response.status_code, [each for each in _messages(response) if each.get("id") == request_id]


def _messages(response: httpx2.Response) -> Iterator[dict[str, Any]]:
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        for line in response.text.split("\n"):
            if line.startswith("data: {"):
                yield json.loads(line.removeprefix("data: "))
    elif response.text.startswith("{"):
        yield response.json()


def _told(answers: list[dict[str, Any]], number: int) -> str:
    if len(answers) != 1:
        return f"wrong: {len(answers)} answers"
    if "error" in answers[0]:
        return str((answers[0]["error"].get("data") or {}).get("errorType", "wrong: another error"))
    said = answers[0]["result"]["content"][0]["text"]
    return "results" if said == str(number) else "wrong: another's answer"


TRANSPORTS: dict[str, Callable[..., Any]] = {"http": behind_http, "attached": attached}


async def storm(transport: str, calls: int, kills: int, seed: int = 1) -> Row:
    """Make the calls; return their outcomes, and the processes that still run."""
    chance = random.Random(seed)  # noqa: S311 -- nothing secret
    kill_at = set(chance.sample(range(1, calls), kills))
    numbers, ended, began = iter(range(calls)), Counter[str](), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        heard = Path(folder) / "heard"
        heard.touch()
        async with TRANSPORTS[transport](heard) as subject, httpx2.AsyncClient(timeout=LIMIT_S) as client:

            async def call_on(caller: Caller) -> None:
                for number in numbers:
                    if number in kill_at:
                        asyncio.get_running_loop().call_later(chance.uniform(0, 0.02), subject.kill)
                    end = await caller.outcome(number)
                    ended[end] += 1
                    if end == "connection lost":
                        await until_it_listens(subject.port)

            callers = [Caller(client, subject.address, stateless=bool(each % 2)) for each in range(CALLERS)]
            await asyncio.gather(*map(call_on, callers))
            subject.upstreams()
        said = [json.loads(line)[1] for line in heard.read_text().splitlines()]
    texts = Counter(each["params"]["arguments"]["text"] for each in said if each["method"] == "tools/call")
    return {
        "transport": transport,
        "calls": calls,
        "kills": kills,
        **dict(sorted(ended.items())),
        "asked twice": sum(count > 1 for count in texts.values()),
        "left alive": left_alive(subject.pids),
        "seconds": round(time.monotonic() - began, 1),
    }


def main() -> None:
    """Run the storm and print the outcomes of the calls."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--transport", choices=[*TRANSPORTS], default="http")
    options.add_argument("--calls", type=int, default=1000, help="calls to make (default: 1000)")
    options.add_argument("--kills", type=int, default=10, help="how often it is killed (default: 10)")
    options.add_argument("--seed", type=int, default=1, help="decides when (default: 1)")
    given = options.parse_args()
    print_table([asyncio.run(storm(given.transport, given.calls, given.kills, given.seed))])


if __name__ == "__main__":
    main()
