"""``mcp-gen-ui check``: checks every view of a server, for continuous integration."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.cli_error import FAILED, OK, writing
from genui_cli.command_words import shown_upstream
from genui_cli.flags import examples_with_models, json_flag, proxy_flags
from genui_cli.output import cut, note, say, say_json, say_table
from genui_cli.upstream_options import UpstreamOptions, proxy_arguments

if TYPE_CHECKING:
    from genui_cli.check.checking import CheckedTool


@click.command(
    epilog=examples_with_models(
        "mcp-gen-ui check -- python my_server.py",
        "mcp-gen-ui check --stories stories --report report.html --junit report.xml -- python my_server.py",
        "mcp-gen-ui check --browser none --json --upstream https://example.org/mcp",
    )
)
@proxy_flags
@click.option("--tool", "names", metavar="NAME", multiple=True, help="Check only this tool.")
@click.option(
    "--stories", metavar="DIR", help="Show the recorded calls in this folder, one JSON file for each."
)
@click.option(
    "--browser", metavar="PATH", show_default="Chromium or Chrome, if there is one",
    help="The browser that shows the views; none leaves it out.",
)  # fmt: skip
@click.option(
    "--axe", metavar="FILE", show_default="from node_modules",
    help="The axe.min.js to run in every view; none leaves it out.",
)  # fmt: skip
@click.option("--report", metavar="FILE", help="Write an HTML page with a picture of every view.")
@click.option("--junit", metavar="FILE", help="Write the results as JUnit XML.")
@json_flag
def check(
    upstream: UpstreamOptions,
    names: tuple[str, ...],
    stories: str | None,
    browser: str | None,
    axe: str | None,
    report: str | None,
    junit: str | None,
    *,
    as_json: bool,
    **values: object,
) -> int:
    """Check every tool's view, for continuous integration. Exit with 1 if a view has a fault.

    Each view is read as a host reads it, validated, and shown in a browser with its stories. Its form is
    filled in and sent. No tool is called: the stories answer, or samples made from the tools' schemas.
    """
    from genui_cli.check.checking import Check, check_tools, programs  # noqa: PLC0415 -- not for --help
    from genui_cli.check.report import as_data, as_junit, as_page, rows  # noqa: PLC0415
    from genui_cli.check.stories import read_stories  # noqa: PLC0415
    from genui_cli.configuration.loading import load_and_report  # noqa: PLC0415
    from genui_cli.preview.server import PreviewOptions  # noqa: PLC0415

    target, configuration = load_and_report(upstream, values, quiet=True)
    title = shown_upstream(target)
    words = ("--log-level", "warn", *(("--json",) if as_json else ()), *proxy_arguments(upstream, values))
    options = PreviewOptions(proxy_argv=(sys.executable, "-P", "-m", "genui_cli", *words), title=title)
    found, script = programs(browser, axe)
    recorded = read_stories(Path(stories)) if stories else []
    plan = Check(options, configuration.settings, recorded, names, found, script)
    tools = check_tools(plan, target, configuration)
    facts = {"browser": found, "axe": None if script is None else str(script)}
    if junit is not None:
        _write(junit, as_junit(tools, title))
    if report is not None:
        _write(report, as_page(tools, title, facts))
    if as_json:
        say_json(as_data(tools, facts))
    else:
        say_table([*rows(tools)])
        _tell_faults(tools)
    return FAILED if any(each.faults for each in tools) else OK


def _tell_faults(tools: "list[CheckedTool]") -> None:
    for tool in tools:
        for each in tool.shown:
            for fault in each.faults:
                say(f"{cut(tool.name)}, {each.story}: {fault.rule}: {fault.text}")
        for text in tool.notes:
            note(f"{tool.name}: {text}")


def _write(file: str, text: str) -> None:
    with writing(file, "name a file in a folder that you may write"):
        Path(file).write_text(text, encoding="utf-8")
