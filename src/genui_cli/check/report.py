"""Reports of a check: a table, JSON, JUnit XML, and an HTML page with pictures."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from xml.etree import ElementTree as ET

import chevron

from genui_cli.check.checking import CheckedTool
from genui_cli.check.stage import RULES, Shown
from genui_cli.output import counted, printable

_MOST_CHARACTERS = 300


def rows(tools: Sequence[CheckedTool]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table, the header first."""
    yield ("tool", "view", "stories", "result")
    for each in tools:
        yield (each.name, each.view, str(max(len(each.shown) - 1, 0)), _outcome(each))


def _outcome(tool: CheckedTool) -> str:
    return counted(len(tool.faults), "fault") if tool.faults else "passed" if tool.shown else "no view"


def as_data(tools: Sequence[CheckedTool], facts: Mapping[str, str | None]) -> dict[str, object]:
    """Return the report as JSON data, without pictures."""
    return {
        "passed": not any(each.faults for each in tools),
        **facts,
        "tools": [
            {
                "tool": each.name,
                "view": each.view,
                "notes": each.notes,
                "stories": [
                    {
                        "story": one.story,
                        "faults": [{**fault._asdict(), "asks": RULES[fault.rule]} for fault in one.faults],
                    }
                    for one in each.shown
                ],
            }
            for each in tools
        ],
    }


def as_junit(tools: Sequence[CheckedTool], server: str) -> str:
    """Return the report as JUnit XML: a suite for each tool, a case for each story."""
    root = ET.Element("testsuites", name=f"mcp-gen-ui check: {server}")
    for tool in tools:
        failed = sum(bool(each.faults) for each in tool.shown)
        counts = {"tests": str(len(tool.shown)), "failures": str(failed)}
        suite = ET.SubElement(root, "testsuite", {"name": tool.name, **counts})
        for each in tool.shown:
            names = {"classname": tool.name, "name": each.story}
            case = ET.SubElement(suite, "testcase", {**names, "time": f"{each.seconds:.3f}"})
            if each.faults:
                lines = [f"{fault.rule}: {fault.text}" for fault in each.faults]
                ET.SubElement(case, "failure", message=lines[0]).text = "\n".join(lines)
    ET.indent(root)
    return _printable(ET.tostring(root, encoding="unicode", xml_declaration=True))


def _printable(text: str) -> str:
    """Return a text without characters that XML cannot hold."""
    return "\n".join(map(printable, text.split("\n")))


def as_page(tools: Sequence[CheckedTool], server: str, facts: Mapping[str, str | None]) -> str:
    """Return the report as one HTML page, which loads no other files."""
    failed = [each for each in tools if each.faults]
    passed = "The tool passed" if len(tools) == 1 else f"All {len(tools)} tools passed"
    broken = [*_broken(tools)]
    # The template engine replaces an empty value by one of the same name in the outer object: names must differ.
    data = {
        "server": server,
        "style": (files("genui_cli.check") / "report.css").read_text("utf-8"),
        "mark": "bad" if failed else "good",
        "ends": f"Faults in {len(failed)} of {len(tools)} tools" if failed else passed,
        "facts": ", ".join(f"{name}: {value or 'none'}" for name, value in facts.items()),
        "broken": {"rules": broken} if broken else None,
        "tools": [_tool(at, each) for at, each in enumerate(tools, 1)],
    }
    return _printable(chevron.render((files("genui_cli.check") / "report.html").read_text("utf-8"), data))


def _broken(tools: Sequence[CheckedTool]) -> Iterator[dict[str, object]]:
    """Yield each broken rule with its demand and the tools that break it."""
    for rule, asks in RULES.items():
        found = [
            {"id": f"tool-{at}", "name": each.name}
            for at, each in enumerate(tools, 1)
            if any(fault.rule == rule for fault in each.faults)
        ]
        if found:
            linked = [{**each, "comma": at > 0} for at, each in enumerate(found)]
            yield {"rule": rule, "asks": asks, "tools": linked}


def _tool(at: int, tool: CheckedTool) -> dict[str, object]:
    return {
        "id": f"tool-{at}",
        "name": tool.name,
        "title": tool.title,
        "kind": tool.view if tool.shown else "",
        "mark": "bad" if tool.faults else "good",
        "outcome": _outcome(tool),
        "notes": tool.notes,
        "stories": [_story(each) for each in tool.shown],
    }


def _story(shown: Shown) -> dict[str, object]:
    given = "" if shown.arguments is None else json.dumps(shown.arguments, ensure_ascii=False)
    return {
        "story": shown.story,
        "mark": "bad" if shown.faults else "good",
        "outcome": "faults" if shown.faults else "passed",
        "label": "Filled in and sent after the picture" if shown.sends else "Arguments",
        "given": given[:_MOST_CHARACTERS] + "…" * (len(given) > _MOST_CHARACTERS),
        "is_shown": bool(shown.pictures),
        "pictures": [{"theme": theme, "picture": each} for theme, each in shown.pictures.items()],
        "is_faulty": bool(shown.faults),
        "faults": [each._asdict() for each in shown.faults],
    }
