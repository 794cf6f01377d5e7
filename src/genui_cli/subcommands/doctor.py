"""``mcp-gen-ui doctor``: checks each part and prints the results, with a hint for each failure."""

import os
from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.cli_error import FAILED, OK, last_words_lines
from genui_cli.flags import examples_with_models, json_flag, server_flags
from genui_cli.output import say, say_json, short_words
from genui_cli.upstream_options import UpstreamOptions

if TYPE_CHECKING:
    from genui_cli.subcommands.doctor_checks import Checks, Finding


@click.command(
    epilog=examples_with_models(
        "mcp-gen-ui doctor", "mcp-gen-ui doctor --llm anthropic -- python my_server.py"
    )
)
@server_flags
@json_flag
@click.option("--no-browser", is_flag=True, help="Do not show the views in a browser of this machine.")
def doctor(upstream: UpstreamOptions, *, as_json: bool, no_browser: bool, **values: object) -> int:
    """Check everything that the proxy needs, and say what to do about each failure."""
    import anyio  # noqa: PLC0415 -- not for --help

    from genui_cli.configuration.loading import examine  # noqa: PLC0415
    from genui_cli.subcommands.about import versions_here  # noqa: PLC0415
    from genui_cli.subcommands.doctor_checks import Checks  # noqa: PLC0415

    loaded = examine(values, os.environ, names_upstream=upstream.is_named, needs_upstream=False)
    target = upstream._replace(configured=loaded.configuration.upstream)
    checks = Checks(loaded, target, os.environ, browser=not no_browser)
    found = anyio.run(_report_findings, checks, as_json)
    if as_json:
        say_json({"versions": versions_here(), "checks": [each.as_data() for each in found]})
    return OK if not any(each.error for each in found) else FAILED


async def _report_findings(checks: "Checks", as_json: bool) -> "list[Finding]":  # noqa: FBT001 -- a callback's argument
    found = []
    async for each in checks.findings():
        found.append(each)
        if not as_json:
            say(f"{'BAD' if each.error else 'ok '} {each.part}: {short_words(str(each.result))}")
            if each.error:
                for line in last_words_lines(each.error.last_words):
                    say(f"    {line}")
                say(f"    hint: {short_words(each.error.hint)}")
    return found
