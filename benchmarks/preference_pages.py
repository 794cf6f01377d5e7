"""The pages of a blind comparison: the command's page for a recorded tool, and its pictures in one host."""

import contextlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import define, field, frozen
from preference_cases import Case
from recorded_views import REPOSITORY, ViewHost, picture, settle

UPSTREAM = REPOSITORY / "tests" / "corpus" / "recorded_upstream.py"
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
CHARACTERS_A_TOKEN = 4
WIDE, NARROW = (760, "light"), (360, "dark")
TALLEST = 1_500
_MANUAL_MS = 600_000
_LIMIT_S = 120
_LOOK_EVERY_S = 0.1
_REPAIRED = ("mended_by_model",)


@frozen
class Served:
    """The page that the command made from an answer.

    Attributes:
        outcome: ``at once``, ``repaired``, ``after a retry``, ``fallback`` or ``repair wanted``.
        reason: The reason of a fallback.
        page: The served page, or "".
    """

    outcome: str
    reason: str = ""
    page: str = ""


@define
class Command:
    """The command in front of a recorded server, and its host."""

    folder: Path
    _child: subprocess.Popen[bytes]
    _id: int = field(init=False, default=0)

    def request(self, method: str, **params: object) -> dict[str, Any]:
        """Send a request and return its result."""
        self._id += 1
        self._say({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        for line in self._child.stdout or ():
            message = json.loads(line)
            if message.get("id") == self._id and "method" not in message:
                return message.get("result") or {"error": message.get("error")}
        raise SystemExit(f"The command ended; its log is in {self.folder}.")

    def read(self, tool: str) -> str:
        """Read a tool's view as a host does: at the address that the tool advertises."""
        listed = self.request("tools/list")["tools"]
        address = next(each["_meta"]["ui"]["resourceUri"] for each in listed if each["name"] == tool)
        return self.request("resources/read", uri=address)["contents"][0]["text"]

    def events(self, name: str) -> list[dict[str, Any]]:
        """Return the log's records of an event so far."""
        log = self.folder / "log.jsonl"
        lines = log.read_text(encoding="utf-8").splitlines() if log.is_file() else []
        return [each for each in map(_record, lines) if each.get("event") == name]

    def begin(self) -> None:
        """Complete the handshake."""
        info = {"name": "preference", "version": "1"}
        self.request("initialize", protocolVersion="2025-11-25", capabilities=APPS, clientInfo=info)
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _say(self, message: dict[str, Any]) -> None:
        if self._child.stdin is not None:
            self._child.stdin.write(json.dumps(message).encode() + b"\n")
            self._child.stdin.flush()


def _record(line: str) -> dict[str, Any]:
    with contextlib.suppress(ValueError):
        read = json.loads(line)
        return read if isinstance(read, dict) else {}
    return {}


@contextlib.contextmanager
def command(case: Case, recordings: Path, folder: Path, llm: str) -> Iterator[Command]:
    """Run the command in front of a case's server, and make the call of the case."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    tool = case.call.tool.name
    settings = {
        "generation": {"uiType": {tool: "rich"}, "serveWithinMs": 1, "timeoutMs": _MANUAL_MS},
        "logging": {
            "level": "debug",
            "format": "json",
            "destination": "file",
            "file": str(folder / "log.jsonl"),
        },
        "host": {"apps": "always"},
    }
    if llm == "none":
        del settings["generation"]["uiType"]
    (folder / "config.json").write_text(json.dumps(settings), encoding="utf-8")
    ours = [
        sys.executable,
        "-P",
        "-m",
        "genui_cli",
        "--config",
        str(folder / "config.json"),
        "--llm",
        llm,
        "--no-cache",
    ]
    upstream = [sys.executable, str(UPSTREAM), str(recordings / case.call.tool.server), "--without-uis"]
    child = subprocess.Popen([*ours, "--", *upstream], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        one = Command(folder, child)
        one.begin()
        one.request("tools/list")
        one.request("tools/call", name=tool, arguments=case.call.arguments)
        yield one
    finally:
        if child.stdin is not None:
            child.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_LIMIT_S)
        child.kill()


def minimal_page(case: Case, recordings: Path, folder: Path) -> str:
    """Return the page that is served without a model."""
    with command(case, recordings, folder, "none") as one:
        return one.read(case.call.tool.name)


def prompt(case: Case, recordings: Path, folder: Path) -> str:
    """Return the exact prompt that a model would get."""
    with command(case, recordings, folder, f"manual:{folder / 'questions'}") as one:
        one.read(case.call.tool.name)
        return _question(one).read_text(encoding="utf-8")


def serve(case: Case, recordings: Path, folder: Path, answer: str, repair: Path) -> Served:
    """Give the command an answer and return the page that it serves.

    Args:
        case: The case.
        recordings: The folder of recorded servers.
        folder: The folder for the command's files.
        answer: The writer's answer.
        repair: The file for the request for a repair, if ``repair.answer.md`` beside it does not exist.
    """
    with command(case, recordings, folder, f"manual:{folder / 'questions'}") as one:
        one.read(case.call.tool.name)
        _give(_question(one), answer)
        asked = _until(lambda: one.events("generation_completed") or one.events("answer_wanted")[1:])
        if asked[0]["event"] == "answer_wanted":
            question = _question(one)
            repair.write_text(question.read_text(encoding="utf-8"), encoding="utf-8")
            answered = repair.with_name("repair.answer.md")
            if not answered.is_file():
                return Served("repair wanted")
            _give(question, answered.read_text(encoding="utf-8"))
        done = _until(lambda: one.events("generation_completed"))[0]["metadata"]
        reasons = [each["metadata"]["reason"] for each in one.events("fallback_used")]
        return Served(outcome_of(done), reasons[0] if reasons else "", one.read(case.call.tool.name))


def outcome_of(done: dict[str, Any]) -> str:
    """Return the outcome of a finished generation, from its record in the log."""
    if done.get("outcome") != "generated":
        return "fallback"
    repairs = done.get("repairs") or []
    return "after a retry" if set(_REPAIRED) & set(repairs) else "repaired" if repairs else "at once"


def _question(one: Command) -> Path:
    return _until(lambda: list((one.folder / "questions").glob("*.prompt.md")))[0]


def _give(question: Path, answer: str) -> None:
    """Answer a question and wait until the answer was read, because the next question has the same name."""
    given = question.with_name(question.name.replace(".prompt.", ".answer."))
    given.write_text(answer, encoding="utf-8")
    _until(lambda: not given.exists())


def _until(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + _LIMIT_S
    while not (found := look()):
        if time.monotonic() > deadline:
            raise SystemExit(f"Nothing came within {_LIMIT_S} seconds.")
        time.sleep(_LOOK_EVERY_S)
    return found


def pictures(host: ViewHost, case: Case, page: str, look: tuple[int, str]) -> tuple[bytes, list[str]]:
    """Return a picture of a page with the result of its case, and the complaints of the browser.

    Some servers list a tool whose schema has no type; pages with the official SDK refuse such a tool, so it gets one.
    """
    width, theme = look
    tool = {**case.call.tool.definition}
    tool["inputSchema"] = {"type": "object", **tool["inputSchema"]}
    view = host.mount(page, tool=tool, tool_input=case.call.arguments, width=width, theme=theme)
    view.send_result(case.call.result)
    settle(view)
    return picture(view, theme, width, TALLEST)[0], list(view.unexpected)
