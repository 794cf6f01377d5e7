"""Recordings of real servers: a folder each, with ``tools.json`` and, where tools were called, ``calls.json``.

The corpus is the folder that MCP_RECORDINGS names, else the large one beside the checkout, else the
sample in this repository.
"""

import json
import os
from pathlib import Path

from attrs import frozen

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "corpus"
SAMPLE = Path(__file__).resolve().parent / "sample"
CORPUS = Path(os.environ.get("MCP_RECORDINGS") or (BESIDE if BESIDE.is_dir() else SAMPLE))


@frozen
class RecordedTool:
    """A tool as its server listed it."""

    server: str
    definition: dict

    @property
    def name(self) -> str:
        """The tool's own name."""
        return self.definition["name"]


@frozen
class RecordedCall:
    """A recorded call with its result or its protocol error."""

    tool: RecordedTool
    number: int
    arguments: dict
    response: dict

    @property
    def result(self) -> dict:
        """The result as a view gets it: hosts forward a protocol error as a failed result."""
        if "result" in self.response:
            return self.response["result"]
        words = self.response.get("error", {}).get("message", "no answer was recorded")
        return {"content": [{"type": "text", "text": words}], "isError": True}


def folders(corpus: Path = CORPUS) -> list[Path]:
    """The folder of each recorded server, in the order of names."""
    return sorted(each.parent for each in corpus.glob("*/tools.json"))


def corpus_used(corpus: Path = CORPUS) -> str:
    """Return a line that says which recordings the tests use."""
    which = "the sample in the repository" if corpus == SAMPLE else str(corpus)
    return f"recordings of {len(folders(corpus))} servers: {which}"


def tools_of(folder: Path) -> list[RecordedTool]:
    """Return the tools of a server as it listed them; one server lists a name twice."""
    listed = json.loads((folder / "tools.json").read_text(encoding="utf-8"))["tools"]
    return [RecordedTool(folder.name, each) for each in listed]


def calls_of(folder: Path) -> list[RecordedCall]:
    """The calls of a server's tools, in the order they were made."""
    recorded = folder / "calls.json"
    tools = {each.name: each for each in tools_of(folder)}
    calls = json.loads(recorded.read_text(encoding="utf-8")) if recorded.is_file() else []
    return [
        RecordedCall(
            tools.get(call["tool"], RecordedTool(folder.name, {"name": call["tool"]})),
            number,
            call.get("arguments") or {},
            call.get("response") or {},
        )
        for number, call in enumerate(calls)
    ]
