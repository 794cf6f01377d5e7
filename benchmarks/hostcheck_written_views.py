"""Run hostcheck, an independent host, over written views as mcp-gen-ui serves them.

The views are those of ``tests/written_views`` with a result in ``results.json`` there, and the good and bad
answers in ``tests/system/recordings``. They are played back as the answers of a model (``--llm replay:``),
validated, repaired and served by mcp-gen-ui; the server behind it gives the result that the view draws.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import field, frozen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from system.made_views import answers_in, tool

REPOSITORY = Path(__file__).resolve().parent.parent
WRITTEN = REPOSITORY / "tests" / "written_views"
RECORDINGS = {
    mode: REPOSITORY / "tests" / "system" / "recordings" / f"{mode}s" for mode in ("fragment", "document")
}
READINGS = {"rows": [{"name": "Harbour", "value": 31.5}, {"name": "Tower", "value": 1200}]}
UPSTREAM = REPOSITORY / "tests" / "corpus" / "recorded_upstream.py"
RULESETS = {"fragment": "genui", "document": "generic"}
"""A document need not contain the kit's form or the raw data."""
OF_ANOTHER_SHAPE = "all-content-items"
"""For this check hostcheck answers a second submit with texts that the tool never gives; a view that was written
for the tool need not know what to do with them."""
LIMIT_S = 900
PATIENT = {"serveWithinMs": 60_000, "timeoutMs": 60_000, "maxConcurrentGenerations": 8}


@frozen
class View:
    """A view, and the tool that it is for.

    Attributes:
        name: The name in the report.
        answers: The model's answers, and to which requests.
        tool: The tool's definition.
        arguments: The arguments of a call.
        result: The tool's result: its structured content, or a text.
        related: More tools of the kind, which the view may call.
    """

    name: str
    answers: tuple[dict[str, Any], ...]
    tool: dict[str, Any]
    arguments: dict[str, Any]
    result: object
    related: tuple["View", ...] = field(default=())


def written_views(mode: str) -> Iterator[View]:
    """Yield the written views of a mode."""
    for name, said in json.loads((WRITTEN / "results.json").read_text(encoding="utf-8")).items():
        if name.startswith(mode):
            text = (WRITTEN / f"{name}.html").read_text(encoding="utf-8")
            related = tuple(
                View("", (), each["tool"], each["arguments"], each["result"])
                for each in said.get("related", [])
            )
            answer = {"when": [f'"{said["tool"]["name"]}"', "Write the view"], "text": text}
            yield View(name, (answer,), said["tool"], said["arguments"], said["result"], related)
    answers = answers_in(RECORDINGS[mode])
    for name in dict.fromkeys(each.split(".")[0] for each in answers):
        mine = tuple(answers[each] for each in answers if each.split(".")[0] == name)
        yield View(f"recordings/{name}", mine, tool(name), {}, READINGS)


def prepare(folder: Path, mode: str, views: list[View]) -> None:
    """Write the files for the wrapper, the model and the server."""
    answers = folder / "answers"
    answers.mkdir()
    for number, answer in enumerate(answer for view in views for answer in view.answers):
        (answers / f"{number:02}.json").write_text(json.dumps(answer))
    all_views = [each for view in views for each in (view, *view.related)]
    tools = [
        {**each.tool, "outputSchema": shape(each.result)} if isinstance(each.result, dict) else each.tool
        for each in all_views
    ]
    calls = [
        {
            "tool": each.tool["name"],
            "arguments": each.arguments,
            "response": {"result": result_of(each.result)},
        }
        for each in all_views
    ]
    (folder / "tools.json").write_text(json.dumps({"tools": tools}))
    (folder / "calls.json").write_text(json.dumps(calls))
    names = [view.tool["name"] for view in views]
    generation = {**PATIENT, "mode": mode, "uiType": dict.fromkeys(names, "rich"), "enabledTools": names}
    (folder / "config.json").write_text(json.dumps({"generation": generation}))


def shape(value: object) -> dict[str, Any]:
    """Return a JSON Schema of a value."""
    if isinstance(value, dict):
        return {"type": "object", "properties": {key: shape(each) for key, each in value.items()}}
    if isinstance(value, list):
        return {"type": "array", "items": shape(value[0])}
    return {"type": {str: "string", int: "integer", float: "number", bool: "boolean"}[type(value)]}


def result_of(value: object) -> dict[str, Any]:
    """Return the result of a call."""
    if isinstance(value, dict):
        return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}
    text = value if isinstance(value, str) else json.dumps(value)
    return {"content": [{"type": "text", "text": text}]}


def wrapper_command(folder: Path) -> list[str]:
    """Return the command line of the wrapper."""
    wrapper = [sys.executable, "-P", "-m", "genui_cli", "--config", str(folder / "config.json")]
    return [
        *wrapper,
        "--llm",
        f"replay:{folder / 'answers'}",
        "--",
        sys.executable,
        str(UPSTREAM),
        str(folder),
    ]


def check(hostcheck: Path, profiles: str, folder: Path, mode: str, views: list[View]) -> list[dict[str, Any]]:
    """Run hostcheck over the views and return its output."""
    arguments = folder / "arguments.json"
    arguments.write_text(json.dumps({view.tool["name"]: view.arguments for view in views}))
    inherited = ["--env", f"PYTHONPATH={os.environ['PYTHONPATH']}"] if "PYTHONPATH" in os.environ else []
    ours = [
        "--profile",
        profiles,
        "--ruleset",
        RULESETS[mode],
        "--args",
        f"@{arguments}",
        "--out",
        str(folder / "out"),
    ]
    words = [
        "node",
        str(hostcheck / "bin" / "hostcheck.mjs"),
        *ours,
        *inherited,
        "--",
        *wrapper_command(folder),
    ]
    subprocess.run(words, stdout=subprocess.DEVNULL, timeout=LIMIT_S, check=False)
    lines = (folder / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def report(views: list[View], said: list[dict[str, Any]]) -> bool:
    """Print the outcome of each view, and return whether all passed."""
    passed = True
    for view in views:
        mine = [each for each in said if each.get("tool") == view.tool["name"] and each["type"] == "check"]
        bad = [each for each in mine if each["status"] == "fail" and each["check"] != OF_ANOTHER_SHAPE]
        failed = [f"{each['check']}: {each['detail']}" for each in bad]
        passed = passed and bool(mine) and not failed
        print(f"{view.name:<36}{len(mine):>7}  {'failed' if failed else 'passed' if mine else 'not tried'}")
        for each in failed:
            print(f"    {each}")
    return passed


def main() -> None:
    """Try all views; the exit status says whether something failed."""
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("--hostcheck", type=Path, required=True, help="the folder hostcheck is installed in")
    said.add_argument("--profiles", default="spec", help="as hostcheck takes them (default: spec)")
    said.add_argument("--modes", nargs="+", choices=[*RULESETS], default=[*RULESETS])
    said.add_argument("--only", default="", help="a part of the names of the views to try")
    given = said.parse_args()
    passed = True
    for mode in given.modes:
        views = [each for each in written_views(mode) if given.only in each.name]
        with tempfile.TemporaryDirectory() as name:
            prepare(Path(name), mode, views)
            passed &= report(views, check(given.hostcheck, given.profiles, Path(name), mode, views))
    sys.exit(not passed)


if __name__ == "__main__":
    main()
