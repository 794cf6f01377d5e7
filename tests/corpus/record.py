"""Record MCP servers into the sample, which the tests use if there is no larger corpus.

usage: record.py OUT [NAME ...]      (all servers of sample_servers.json, or those that are named)

Each server is started as the manifest says, in an empty folder; its tools and the answers to the
calls of the manifest go to OUT/NAME/tools.json and calls.json. Texts that name this machine are
replaced, and a recording that still has one is refused.
"""

import getpass
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
MANIFEST = HERE / "sample_servers.json"
VERSION = "2025-11-25"


def main(out: Path, *names: str) -> None:
    """Record the servers of the manifest."""
    for name, server in json.loads(MANIFEST.read_text(encoding="utf-8")).items():
        if not names or name in names:
            tools, calls = recorded(server)
            write(out / name / "tools.json", {"tools": tools})
            write(out / name / "calls.json", calls)
            sys.stderr.write(f"{name}: {len(tools)} tools, {len(calls)} calls\n")


def recorded(server: dict) -> tuple[list, list]:
    """Return the tools of a server, and its answers to the calls of the manifest."""
    with tempfile.TemporaryDirectory() as folder:
        names = {"work": folder, "repository": str(REPOSITORY), "python": sys.executable}
        for command in server.get("before", []):
            subprocess.run(
                filled(command, names), cwd=folder, env=environment(), check=True, stdout=sys.stderr
            )
        child = subprocess.Popen(
            filled(server["command"], names), cwd=folder, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )  # fmt: skip
        try:
            found = list(talk(child, filled(server["calls"], names)))
        finally:
            child.communicate(timeout=30)
        tools, *calls = json.loads(scrubbed(json.dumps(found), folder))
    return tools, calls


def filled(value: object, names: dict[str, str]) -> object:
    """Return a value with its placeholders filled in, in all texts inside of it."""
    text = json.dumps(value)
    for name, meaning in names.items():
        text = text.replace(f"{{{name}}}", meaning)
    return json.loads(text)


def environment() -> dict[str, str]:
    """Return the environment of every server: a fixed time zone, and authors and dates for git."""
    fixed = {f"GIT_{who}_{what}": said for who in ("AUTHOR", "COMMITTER") for what, said in GIT.items()}
    return {**os.environ, **fixed, "TZ": "UTC", "LC_ALL": "C.UTF-8"}


GIT = {"NAME": "Ada", "EMAIL": "ada@example.com", "DATE": "2026-01-01T00:00:00Z"}


def talk(child: subprocess.Popen, calls: list) -> Iterator[object]:
    """Yield the tools, then each call with its answer."""
    client = {"name": "recorder", "version": "1"}
    ask(child, 0, "initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client})
    send(child, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    yield ask(child, 1, "tools/list", {})["result"]["tools"]
    for number, (tool, arguments) in enumerate(calls, 2):
        answer = ask(child, number, "tools/call", {"name": tool, "arguments": arguments})
        response = {key: answer[key] for key in ("result", "error") if key in answer}
        yield {"tool": tool, "arguments": arguments, "response": response}


def send(child: subprocess.Popen, message: dict) -> None:
    """Send a message."""
    child.stdin.write(json.dumps(message).encode() + b"\n")
    child.stdin.flush()


def ask(child: subprocess.Popen, number: int, method: str, params: dict) -> dict:
    """Send a request and return its answer; skip all other messages of the server."""
    send(child, {"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    for line in child.stdout:
        message = json.loads(line)
        if message.get("id") == number and "method" not in message:
            return message
    raise EOFError(f"The server ended before it answered {method}.")


def scrubbed(text: str, folder: str) -> str:
    """Return a text in which the names of this machine are replaced."""
    for path, said in (
        (folder, "/srv/sample"),
        (str(REPOSITORY), "/srv/project"),
        (str(Path.home()), "/home/ada"),
    ):
        text = text.replace(path, said)
    named = names_of_machine(text)
    if named:
        raise ValueError(
            f"The recording names this machine: {', '.join(named)}. Leave out the call that does."
        )
    return text


def names_of_machine(text: str) -> list[str]:
    """Return the parts of a text that name this machine or a path on it."""
    own = {socket.gethostname(), getpass.getuser(), str(REPOSITORY.parent)} - {"root", "localhost", "user"}
    paths = re.findall(r"/(?:tmp|home(?!/ada)|root|Users|private|var/folders)/[\w./-]+", text)
    return sorted({*paths, *(each for each in own if re.search(rf"(?<!\w){re.escape(each)}\b", text))})


def write(path: Path, value: object) -> None:
    """Write JSON in the format of the larger corpus: indented by one, in the order that the server sent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
