"""Starts the command with recorded model answers, and reads its views and its log."""

import contextlib
import json
import sys
from pathlib import Path

from attrs import define

HERE = Path(__file__).parent
FRAGMENTS = HERE / "recordings" / "fragments"
UPSTREAM = HERE.parent / "contract" / "scripted_upstream.py"
ROWS = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"type": "object"}}},
}


def tool(name, **more):
    """Return a tool that a rule classifies as rich, so that no model is asked."""
    return {
        "name": name,
        "description": "Reads rows.",
        "inputSchema": {"type": "object"},
        "outputSchema": ROWS,
        **more,
    }


@define
class MadeViews:
    """A host of the command that reads views and the command's log."""

    host: object

    def page(self, name):
        answer = self.host.request("resources/read", {"uri": f"ui://{name}"})
        return answer["result"]["contents"][0]["text"]

    def call(self, name, /, **arguments):
        return self.host.request("tools/call", {"name": name, "arguments": arguments})["result"]

    def inspected(self, name):
        return self.call("_ui_inspect", toolName=name)["structuredContent"]

    def events(self, event, **wanted):
        """Return the log's records of an event so far."""
        logged = (one for one in map(record, self.host.log) if one.get("event") == event)
        return [one for one in logged if wanted.items() <= one.items()]

    def wait_for_event(self, event, **wanted):
        return self.host.wait_for(lambda: self.events(event, **wanted))[0]

    def told(self, method):
        """Return the notifications of a method that the host has received."""
        return [one for one in map(record, list(self.host.lines)) if one.get("method") == method]


def record(line):
    with contextlib.suppress(ValueError):
        read = json.loads(line)
        if isinstance(read, dict):
            return read
    return {}


def command(folder, tools, *flags, upstream=(), **sections):
    """Return the command line with an upstream that has these tools, and a configuration with these sections."""
    (folder / "tools.json").write_text(json.dumps(tools))
    sections = {"logging": {"level": "debug", "format": "json"}, **sections}
    (folder / "config.json").write_text(json.dumps(sections))
    ours = (sys.executable, "-P", "-m", "genui_cli", "--config", folder / "config.json", *flags)
    return (*ours, "--", sys.executable, UPSTREAM, "--tools", folder / "tools.json", *upstream)


def recordings(folder, *answers):
    """Write recordings that answer any requests, in this order; return the value of ``--llm``."""
    folder.mkdir()
    for number, text in enumerate(answers):
        (folder / f"{number:02}.json").write_text(json.dumps({"text": text}))
    return f"replay:{folder}"


def answers_in(folder):
    """Return recordings from a folder of answers, by name: first answers, and second ones after findings."""
    found = {}
    for path in sorted(folder.glob("*.txt")):
        name, *number = path.name.removesuffix(".txt").split(".")
        when = (
            [name, "Correct what the findings name"] if number == ["2"] else [f'"{name}"', "Write the view"]
        )
        found[path.stem] = {"when": when, "text": path.read_text()}
    return found


def recorded(folder, answers):
    """Write the recordings of a folder of answers, and return the folder for ``--llm replay:``."""
    folder.mkdir()
    for name, recording in answers_in(answers).items():
        (folder / f"{name}.json").write_text(json.dumps(recording))
    return folder
