"""``mcp-gen-ui inspect``: lists an upstream's tools, and the kind of view that each would get."""

import json
from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.cli_error import demand_known
from genui_cli.flags import examples_with_models, json_flag, server_flags
from genui_cli.output import counted, cut, note, say, say_json, say_table
from genui_cli.upstream_options import UpstreamOptions

if TYPE_CHECKING:
    from genui_cli.subcommands.upstream_tools import InspectedTool


@click.command(
    epilog=examples_with_models(
        "mcp-gen-ui inspect -- python my_server.py",
        "mcp-gen-ui inspect --tool get_forecast --json -- python my_server.py",
        "mcp-gen-ui inspect --upstream https://example.org/mcp",
    )
)
@server_flags
@click.option("--tool", "name", metavar="NAME", help="Only this tool, with its schemas.")
@json_flag
def inspect(
    upstream: UpstreamOptions, name: str | None, *, as_json: bool, quiet: bool, **values: object
) -> None:
    """Name a server's tools, and what kind of UI each would get. No tool is called, and no model asked."""
    import anyio  # noqa: PLC0415 -- not for --help

    from genui_cli.configuration.loading import load_and_report  # noqa: PLC0415
    from genui_cli.subcommands.upstream_tools import inspect_tools, provider_note  # noqa: PLC0415

    upstream, configuration = load_and_report(upstream, values, quiet=quiet)
    models = provider_note(configuration.settings)
    tools = anyio.run(inspect_tools, upstream, configuration)
    if not quiet:
        note(models)
    if name is not None:
        demand_known((name,), [each.name for each in tools])
        tools = [each for each in tools if each.name == name]
    if as_json:
        say_json([each.as_data() for each in tools])
    elif name is not None:
        _describe(tools[0])
    else:
        head = ("tool", "UI", "why", "kept", "description")
        say_table([head, *(each.row() for each in tools)])
        note(f"{counted(len(tools), 'tool')}; --tool NAME shows one with its schemas")


def _describe(tool: "InspectedTool") -> None:
    say(f"{cut(tool.name)}: {tool.ui_type} ({tool.reason})")
    for key in ("description", "inputSchema", "outputSchema", "annotations"):
        if key in tool.definition:
            say()
            say(f"{key}:")
            value = tool.definition[key]
            say(value if isinstance(value, str) else json.dumps(value, indent=2))
