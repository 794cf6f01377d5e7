"""Run hostcheck, an independent host that tries every view, over recorded tools, and print its findings.

The tools cover all servers and all features of schemas, and are always the same for a number of tools.
Each is served by mcp-gen-ui in front of a server that replays the recording. The results are in
OUT/results.jsonl; another run continues where they end, so a long run may be interrupted. Tools whose
definition calls them destructive ask for a second click before they run; hostcheck clicks once, so for
these its check `submit-calls-tool` fails by design.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from attrs import asdict, frozen
from recorded_views import (
    CORPUS,
    REPOSITORY,
    RecordedTool,
    calls_of,
    complaints,
    folders,
    sample_arguments,
    spread,
    tools_of,
)

UPSTREAM = REPOSITORY / "tests" / "corpus" / "recorded_upstream.py"
PROFILES = ("spec", "basic-host", "inspector", "mcpjam", "vscode", "url", "noforms", "strict")
WITH_A_BODY = {"inspector", "strict"}
"""The profiles whose host puts the page into its own body."""
POLICY_IN_A_BODY = "delivered via a <meta> element outside the document's <head>"
"""The browser's complaint about the page's policy there, until the page's first script moves it to the head."""
ASKS_FIRST = {"submit-calls-tool"}
START_S, TOOL_S = 60, 60


@frozen
class Outcome:
    """Hostcheck's findings for a tool in a profile; ``failed`` and ``warned`` are checks with reasons."""

    profile: str
    server: str
    tool: str
    destructive: bool
    done: bool
    failed: list[list[str]]
    warned: list[list[str]]

    @property
    def outcome(self) -> str:
        """One word: passed, asks (passed except for the second click), failed, or broken (not completed)."""
        checks = {check for check, _ in self.failed}
        if not self.done:
            return "broken"
        if not checks:
            return "passed"
        return "asks" if self.destructive and checks <= ASKS_FIRST else "failed"


def chosen_tools(corpus: Path, count: int) -> list[RecordedTool]:
    """Choose tools: a quarter with recorded results, which are shown, and the rest from all others."""
    tools: dict[tuple[str, str], RecordedTool] = {}
    called: set[tuple[str, str]] = set()
    for folder in folders(corpus):
        for tool in tools_of(folder):
            tools.setdefault((tool.server, tool.name), tool)
        called |= {(call.tool.server, call.tool.name) for call in calls_of(folder)}
    first = spread([tool for key, tool in tools.items() if key in called], count // 4)
    kept = {(tool.server, tool.name) for tool in first}
    return first + spread([tool for key, tool in tools.items() if key not in kept], count - len(first))


def is_destructive(tool: RecordedTool) -> bool:
    """Return whether a tool's definition calls it destructive."""
    return (tool.definition.get("annotations") or {}).get("destructiveHint") is True


def command(given: argparse.Namespace, profile: str, tools: Iterable[RecordedTool], out: Path) -> list[str]:
    """Return the command that tries tools of one server."""
    tools = list(tools)
    wrapper = [sys.executable, "-P", "-m", "genui_cli", "--", sys.executable, str(UPSTREAM)]
    names = [word for tool in tools for word in ("--tool", tool.name)]
    inherited = [f"PYTHONPATH={os.environ['PYTHONPATH']}"] if "PYTHONPATH" in os.environ else []
    environment = [word for each in inherited for word in ("--env", each)]
    expected = ("--allow-console", POLICY_IN_A_BODY) if profile in WITH_A_BODY else ()
    arguments = out / "arguments.json"
    arguments.write_text(json.dumps(samples(tools)), encoding="utf-8")
    folder = str(given.recordings / tools[0].server)
    return [
        *("node", str(given.hostcheck / "bin" / "hostcheck.mjs"), "--profile", profile, "--out", str(out)),
        *names,
        *environment,
        *expected,
        *("--args", f"@{arguments}"),
        *("--", *wrapper, folder, "--without-uis"),
    ]


def samples(tools: Iterable[RecordedTool]) -> dict[str, dict[str, Any]]:
    """Return fitting arguments by tool, because hostcheck's samples do not fit every schema with alternatives."""
    made = {tool.name: (sample_arguments(schema_of(tool)), schema_of(tool)) for tool in tools}
    return {
        name: arguments for name, (arguments, schema) in made.items() if not complaints(arguments, schema)
    }


def schema_of(tool: RecordedTool) -> dict[str, Any]:
    """Return the schema of a tool's arguments."""
    return tool.definition.get("inputSchema") or {}


def try_batch(given: argparse.Namespace, profile: str, tools: tuple[RecordedTool, ...]) -> list[Outcome]:
    """Run hostcheck over tools of one server; try tools that it did not complete again, alone."""
    with tempfile.TemporaryDirectory() as out:
        argv = command(given, profile, tools, Path(out))
        with contextlib.suppress(subprocess.TimeoutExpired):
            silent = subprocess.DEVNULL
            limit = START_S + TOOL_S * len(tools)
            subprocess.run(argv, stdout=silent, stderr=silent, timeout=limit, check=False)
        written = Path(out) / "results.jsonl"
        lines = written.read_text(encoding="utf-8").splitlines() if written.is_file() else []
    outcomes = [outcome(profile, tool, lines) for tool in tools]
    if len(tools) == 1:
        return outcomes
    return [
        each if each.done else try_batch(given, profile, (tool,))[0]
        for each, tool in zip(outcomes, tools, strict=True)
    ]


def outcome(profile: str, tool: RecordedTool, lines: list[str]) -> Outcome:
    """Return the outcome that hostcheck wrote for a tool."""
    said = [entry for entry in map(parsed, lines) if entry.get("tool") == tool.name]
    checks = [entry for entry in said if entry["type"] == "check"]
    return Outcome(
        profile,
        tool.server,
        tool.name,
        is_destructive(tool),
        any(entry["type"] == "tool" and entry["status"] != "skip" for entry in said),
        [[entry["check"], entry["detail"]] for entry in checks if entry["status"] == "fail"],
        [[entry["check"], entry["detail"]] for entry in checks if entry["status"] == "warn"],
    )


def parsed(line: str) -> dict[str, Any]:
    """Parse a line; return nothing if it was cut off."""
    try:
        return json.loads(line)
    except ValueError:
        return {}


def earlier_outcomes(results: Path) -> dict[tuple[str, str, str], Outcome]:
    """Return the outcomes of earlier runs; the last one of a tool counts."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.is_file() else []
    outcomes = [Outcome(**entry) for entry in map(parsed, lines) if entry]
    return {(each.profile, each.server, each.tool): each for each in outcomes}


def batches(tools: list[RecordedTool], size: int) -> Iterator[tuple[RecordedTool, ...]]:
    """Yield tools of one server at a time, at most ``size``."""
    by_server: dict[str, list[RecordedTool]] = {}
    for tool in tools:
        by_server.setdefault(tool.server, []).append(tool)
    for of_server in by_server.values():
        yield from (tuple(of_server[start : start + size]) for start in range(0, len(of_server), size))


def try_all(given: argparse.Namespace, tools: list[RecordedTool]) -> list[Outcome]:
    """Try all tools without an outcome, and return all outcomes."""
    results = given.out / "results.jsonl"
    before = earlier_outcomes(results)
    redo = {"broken", "failed"} if given.again else {"broken"}
    with results.open("a", encoding="utf-8") as kept, ThreadPoolExecutor(given.jobs) as pool:
        for profile in given.profiles:
            have = {key[1:] for key, each in before.items() if key[0] == profile and each.outcome not in redo}
            left = [tool for tool in tools if (tool.server, tool.name) not in have]
            parts = list(batches(left, given.batch))
            for done in pool.map(lambda part, profile=profile: try_batch(given, profile, part), parts):
                kept.writelines(json.dumps(asdict(each)) + "\n" for each in done)
                kept.flush()
                print(
                    f"{profile}: {' '.join(f'{each.tool} {each.outcome}' for each in done)}", file=sys.stderr
                )
    wanted = {(tool.server, tool.name) for tool in tools}
    return [
        each
        for key, each in earlier_outcomes(results).items()
        if key[0] in given.profiles and key[1:] in wanted
    ]


def report(outcomes: list[Outcome]) -> None:
    """Print tables: outcomes by profile, checks that failed, and each failure with its reason."""
    print(
        f"{'profile':<12}{'tools':>7}{'servers':>9}{'passed':>8}{'ask first':>11}{'failed':>8}{'broken':>8}"
    )
    for profile in dict.fromkeys(each.profile for each in outcomes):
        of_profile = [each for each in outcomes if each.profile == profile]
        count = Counter(each.outcome for each in of_profile)
        servers = len({each.server for each in of_profile})
        print(f"{profile:<12}{len(of_profile):>7}{servers:>9}{count['passed']:>8}{count['asks']:>11}{count['failed']:>8}{count['broken']:>8}")  # fmt: skip
    bad = [each for each in outcomes if each.outcome in {"failed", "broken"}]
    table("failed check", Counter(check for each in bad for check, _ in each.failed))
    table("warning", Counter(check for each in outcomes for check, _ in each.warned))
    for each in bad:
        print(f"\n{each.profile}  {each.server} / {each.tool}: {each.outcome}")
        for check, detail in each.failed:
            print(f"    {check}: {detail}")


def table(title: str, counts: Counter[str]) -> None:
    """Print how often each finding occurred, if there are any."""
    if counts:
        print(f"\n{title:<32}{'tools':>7}")
        for name, count in counts.most_common():
            print(f"{name:<32}{count:>7}")


def options() -> argparse.Namespace:
    """Read the command line."""
    said = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    said.add_argument("--hostcheck", type=Path, required=True, help="the folder hostcheck is installed in")
    said.add_argument("--out", type=Path, required=True, help="a folder for the results")
    said.add_argument("--recordings", type=Path, default=CORPUS, help="a folder of recorded servers")
    said.add_argument("--profiles", nargs="+", choices=PROFILES, default=["spec"])
    said.add_argument("--tools", type=int, default=40, help="how many to try (default: 40)")
    said.add_argument("--jobs", type=int, default=1, help="how many browsers at once (default: 1)")
    said.add_argument(
        "--batch", type=int, default=8, help="at most so many tools in one browser (default: 8)"
    )
    said.add_argument("--again", action="store_true", help="try those again that failed")
    return said.parse_args()


def main() -> None:
    """Try tools and print the findings; the exit status says whether something failed."""
    given = options()
    given.out.mkdir(parents=True, exist_ok=True)
    outcomes = try_all(given, chosen_tools(given.recordings, given.tools))
    report(outcomes)
    sys.exit(any(each.outcome in {"failed", "broken"} for each in outcomes))


if __name__ == "__main__":
    main()
