"""Print the walk of a tool call, a cached read, a generation and a start: the files visited, in order.

A call from one file of the packages into another is a step. A step into a file that was visited before
the caller's file is a turn back; each pair of files counts once.

    python benchmarks/walk.py            the table
    python benchmarks/walk.py generation the files of one walk, with the turns back to them
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "contract" / "transports"))

from generation_workers import WorkerAtOnce  # type: ignore[import-not-found] # of the tests

from genui_cli.entry import main as run
from genui_core.application.stdio.router import StdioRouter
from genui_core.application.wrapper import Wrapper
from genui_core.domain.settings.settings import Settings
from genui_core.domain.tools.classification import UiType
from genui_core.testing.llm_provider import ScriptedProvider

SOURCE = Path(__file__).parent.parent / "src"
ELSEWHERE = ("/testing/", "/domain/validation/")
"""Folders that no walk enters: the test doubles, and the validation, which runs in another process."""
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
VIEW = "<style>.v{color:inherit}</style><template><p class=v>a</p></template><script>function render(data, ui) {}</script>"
TOOL = {"name": "echo", "description": "Echo a text.", "inputSchema": {"type": "object"}}
_NAMELESS = ("<lambda>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")


class Walk:
    """The files that calls entered, in order, and the turns back.

    Attributes:
        files: The files, relative to the source folder.
        back: Pairs of a caller's file and an earlier one that it called.
    """

    def __init__(self) -> None:
        """Start without files."""
        self.files: list[str] = []
        self.back: list[tuple[str, str]] = []

    def of(self, step: Callable[[], object]) -> "Walk":
        """Run a function and record its calls."""
        sys.setprofile(self.seen)
        try:
            step()
        finally:
            sys.setprofile(None)
        return self

    def seen(self, frame: FrameType, event: str, _what: Any) -> None:
        """Record a call; the interpreter calls this."""
        if event != "call" or frame.f_code.co_name in _NAMELESS or not _is_function(frame):
            return
        file, caller = _file_of(frame), _caller_of(frame)
        if file is None or (caller is not None and not _is_function(caller)):
            return
        self._enter(file, None if caller is None else _file_of(caller))

    def _enter(self, file: str, caller: str | None) -> None:
        if file not in self.files:
            self.files.append(file)
        elif caller in self.files[self.files.index(file) + 1 :] and (caller, file) not in self.back:
            self.back.append((str(caller), file))


def _is_function(frame: FrameType) -> bool:
    """Return whether a frame runs a function, and not the body of a module or class."""
    return bool(frame.f_code.co_flags & CO_OPTIMIZED)


def _file_of(frame: FrameType) -> str | None:
    name = frame.f_code.co_filename
    is_ours = name.startswith(f"{SOURCE}/") and not any(each in name for each in ELSEWHERE)
    return name.removeprefix(f"{SOURCE}/") if is_ours else None


def _caller_of(frame: FrameType) -> FrameType | None:
    """Return the nearest calling frame of the packages, across frames of other code."""
    above = frame.f_back
    while above is not None and _file_of(above) is None:
        above = above.f_back
    return above


class Wire:
    """A host and an upstream at the two ends of a relay, in one thread."""

    def __init__(self, *views: str) -> None:
        """Complete the handshake and list the tools, whose views a model writes."""
        llm = ScriptedProvider.saying(views) if views else None
        wrapper = Wrapper(settings=Settings(ui_type={"echo": UiType.RICH}), llm=llm)
        self.relay = StdioRouter(wrapper.open(WorkerAtOnce)).relay
        self.exchange(
            "initialize", {"capabilities": {"tools": {}}}, capabilities=APPS, protocolVersion="2025-11-25"
        )
        self.exchange("tools/list", {"tools": [TOOL]})

    def exchange(self, method: str, result: object, **params: object) -> None:
        """Send a request as the host, and answer it as the upstream if the upstream gets it."""
        self.host_sends(method, **params)
        if self.relay.to_upstream:
            self.relay.to_upstream.clear()
            self.relay.upstream_sent(_line({"id": 1, "result": result}))
        self.relay.to_host.clear()

    def host_sends(self, method: str, **params: object) -> None:
        """Send a request as the host."""
        self.relay.host_sent(_line({"id": 1, "method": method, "params": params}))

    def call(self) -> None:
        """Call a tool."""
        self.exchange("tools/call", {"content": []}, name="echo", arguments={})

    def read(self) -> None:
        """Read the tool's view."""
        self.exchange("resources/read", None, uri="ui://echo")


def _line(message: dict[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def generation() -> Walk:
    """Walk through the first read of a view, which a model writes."""
    Wire(VIEW).read()  # loads the modules
    return Walk().of(Wire(VIEW).read)


def cached_read() -> Walk:
    """Walk through a read of a view that was read before."""
    wire = Wire(VIEW)
    wire.read()
    return Walk().of(wire.read)


def tool_call() -> Walk:
    """Walk through a call of a tool."""
    return Walk().of(Wire().call)


def start() -> Walk:
    """Walk through the start of the program up to the first list of tools, in a process of its own."""
    upstream = [sys.executable, str(Path(__file__).parent / "echo_upstream.py")]
    asked = (
        {"id": 1, "method": "initialize", "params": {"capabilities": APPS, "protocolVersion": "2025-11-25"}},
        {"id": 2, "method": "tools/list", "params": {}},
    )
    command = [sys.executable, __file__, "--inside", "--", *upstream]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdin is not None and child.stdout is not None and child.stderr is not None  # noqa: S101, PT018 -- for the type checker
        for message in asked:
            child.stdin.write(_line(message))
            child.stdin.flush()
            child.stdout.readline()
        child.stdin.close()
        seen = child.stderr.read()
    walk = Walk()
    walk.files, walk.back = json.loads(seen.splitlines()[-1])
    return walk


def _inside() -> None:
    """Run the program as a child of `start`, and write its walk to standard error."""
    walk = Walk()
    sys.argv = ["mcp-gen-ui", *sys.argv[2:]]
    with suppress(SystemExit):
        walk.of(run)
    print(json.dumps((walk.files, walk.back)), file=sys.stderr)


WALKS = {"call": tool_call, "cached": cached_read, "generation": generation, "start": start}


def main() -> None:
    """Print the table, or one walk."""
    if "--inside" in sys.argv[1:2]:
        _inside()
        return
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("walk", nargs="?", choices=WALKS, help="the walk whose files to print")
    chosen = words.parse_args().walk
    if chosen is not None:
        walk = WALKS[chosen]()
        print(*walk.files, "", *(f"{caller} -> {file}" for caller, file in walk.back), sep="\n")
    else:
        for name, begin in WALKS.items():
            walk = begin()
            print(f"{name:12}{len(walk.files):4} files, {len(walk.back)} turned back")


if __name__ == "__main__":
    main()
