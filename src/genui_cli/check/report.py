"""What a check found: as a table, as JSON, as JUnit XML, and as one HTML page with pictures."""

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from xml.etree import ElementTree as ET

from genui_cli.check.checking import CheckedTool
from genui_cli.check.stage import RULES, Shown

_HEAD = "<tr><th>broken rule</th><th>what it asks</th><th>broken by the view of</th></tr>"
_MOST_CHARACTERS = 300


def rows(tools: Sequence[CheckedTool]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a table, with its head."""
    yield ("tool", "view", "stories", "result")
    for each in tools:
        yield (each.name, each.view, str(max(len(each.shown) - 1, 0)), _outcome(each))


def _outcome(tool: CheckedTool) -> str:
    count = len(tool.faults)
    return f"{count} fault{'s' * (count != 1)}" if count else "passed" if tool.shown else "no view"


def as_data(tools: Sequence[CheckedTool], facts: Mapping[str, str | None]) -> dict[str, object]:
    """Return the check as JSON, without pictures."""
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
    """Return the check as JUnit XML: a suite for each tool, a case for each story."""
    root = ET.Element("testsuites", name=f"mcp-gen-ui check: {_printable(server)}")
    for tool in tools:
        failed = sum(bool(each.faults) for each in tool.shown)
        counts = {"tests": str(len(tool.shown)), "failures": str(failed)}
        suite = ET.SubElement(root, "testsuite", {"name": _printable(tool.name), **counts})
        for each in tool.shown:
            names = {"classname": _printable(tool.name), "name": _printable(each.story)}
            case = ET.SubElement(suite, "testcase", {**names, "time": f"{each.seconds:.3f}"})
            if each.faults:
                lines = [_printable(f"{fault.rule}: {fault.text}") for fault in each.faults]
                ET.SubElement(case, "failure", message=lines[0]).text = "\n".join(lines)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _printable(text: str) -> str:
    """Return a text without characters that XML cannot hold."""
    return "".join(each if each.isprintable() or each in "\n\t" else "\ufffd" for each in text)


def as_page(tools: Sequence[CheckedTool], server: str, facts: Mapping[str, str | None]) -> str:
    """Return the check as one HTML page, which loads nothing."""
    failed = [each for each in tools if each.faults]
    passed = "The tool passed" if len(tools) == 1 else f"All {len(tools)} tools passed"
    ends = f"Faults in {len(failed)} of {len(tools)} tools" if failed else passed
    told = ", ".join(f"{name}: {value or 'none'}" for name, value in facts.items())
    listed = [
        f'<li><a href="#{_id(at)}">{_escaped(each.name)}</a> {_chip(each)}</li>'
        for at, each in enumerate(tools)
    ]
    parts = {
        "title": _escaped(server),
        "style": (files("genui_cli.check") / "report.css").read_text("utf-8"),
        "summary": f'<p class="{"bad" if failed else "good"}">{ends}</p><p class="facts">{_escaped(told)}</p>',
        "tools": "\n".join(listed),
        "rules": f"<table>{_HEAD}{broken}</table>" if (broken := "\n".join(_broken(tools))) else "",
        "sections": "\n".join(_section(at, each) for at, each in enumerate(tools)),
    }
    page = (files("genui_cli.check") / "report.html").read_text("utf-8")
    pieces = page.split("%%")
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def _broken(tools: Sequence[CheckedTool]) -> Iterator[str]:
    """Yield a row for each rule that a view breaks: what it asks, and links to the tools."""
    for rule, asks in RULES.items():
        found = [at for at, each in enumerate(tools) if any(fault.rule == rule for fault in each.faults)]
        if found:
            links = ", ".join(f'<a href="#{_id(at)}">{_escaped(tools[at].name)}</a>' for at in found)
            yield f"<tr><th>{rule}</th><td>{asks}</td><td>{links}</td></tr>"


def _section(at: int, tool: CheckedTool) -> str:
    notes = "".join(f'<p class="note">{_escaped(each)}</p>' for each in tool.notes)
    title = f"<small>{_escaped(tool.title)}</small>" if tool.title else ""
    kind = f"<small>{tool.view} view</small>" if tool.shown else ""
    head = f"<h2><code>{_escaped(tool.name)}</code> {title} {kind} {_chip(tool)}</h2>"
    return f'<section id="{_id(at)}">{head}{notes}<div class="stories">{"".join(map(_story, tool.shown))}</div></section>'


def _story(shown: Shown) -> str:
    faults = "".join(f"<li><b>{fault.rule}</b> {_escaped(fault.text)}</li>" for fault in shown.faults)
    listed = f'<ul class="faults">{faults}</ul>' if faults else ""
    if not shown.pictures:
        return listed
    name = _escaped(shown.story)
    pictures = "".join(
        f'<img class="{theme}" src="data:image/webp;base64,{picture}" alt="The view, {name}, {theme}">'
        for theme, picture in shown.pictures.items()
    )
    given = "" if shown.arguments is None else json.dumps(shown.arguments, ensure_ascii=False)
    more = "…" if len(given) > _MOST_CHARACTERS else ""
    label = "Filled in and sent after the picture" if shown.sends else "Arguments"
    arguments = f"<p>{label}: <code>{_escaped(given[:_MOST_CHARACTERS])}{more}</code></p>" if given else ""
    caption = f'<figcaption>{name} <span class="{"bad" if faults else "good"}">{"faults" if faults else "passed"}</span>'
    return f"<figure>{caption}</figcaption>{arguments}{pictures}{listed}</figure>"


def _chip(tool: CheckedTool) -> str:
    return f'<span class="chip {"bad" if tool.faults else "good"}">{_outcome(tool)}</span>'


def _id(at: int) -> str:
    return f"tool-{at + 1}"


def _escaped(text: object) -> str:
    return html.escape(_printable(str(text)))
