"""``mcp-gen-ui install``: into a host's list of servers, and out of it again."""

from typing import TYPE_CHECKING

import rich_click as click

from genui_cli.complaint import Complaint
from genui_cli.exit_codes import USAGE
from genui_cli.flags import configuration_flags, examples_with_models, model_flags, upstream_flags
from genui_cli.output import note, say, say_raw
from genui_cli.upstream_options import UpstreamOptions

if TYPE_CHECKING:
    from genui_cli.install.server_file import ServerFile

_HOSTS = ("claude-desktop", "claude-code", "cursor", "vscode", "goose")


@click.command(
    epilog=examples_with_models(
        "mcp-gen-ui install claude-desktop --name git -- uvx mcp-server-git",
        "mcp-gen-ui install cursor --wrap git --llm anthropic",
        "mcp-gen-ui install cursor --wrap git --undo",
        "mcp-gen-ui install mcp-json -- uvx mcp-server-git",
    )
)
@click.argument("target", metavar="HOST", type=click.Choice([*_HOSTS, "mcp-json"]))
@upstream_flags
@configuration_flags
@model_flags
@click.option("--dry-run", is_flag=True, help="Show what would be changed, and change nothing.")
@click.option("--undo", is_flag=True, help="Take out what was put in, by --name or by --wrap.")
@click.option("--wrap", metavar="NAME", help="Put us in front of this server, which the host has already.")
@click.option(
    "--name", metavar="NAME", default="mcp-gen-ui", show_default=True, help="What to call the new server."
)
@click.pass_context
def install(
    context: click.Context,
    /,
    target: str,
    upstream: UpstreamOptions,
    name: str,
    wrap: str | None,
    *,
    undo: bool,
    dry_run: bool,
    **values: object,
) -> None:
    """Put the proxy into a host's list of servers: a new one, or in front of one that is there.

    HOST is claude-desktop, claude-code, cursor, vscode, goose or mcp-json.

    The file is backed up first. mcp-json only prints what to put into a file yourself.
    """
    from genui_cli.passed_on import passed_on  # noqa: PLC0415 -- not for --help

    words = passed_on(upstream, values)
    if wrap and upstream.is_named:
        raise click.UsageError("--wrap takes the upstream from the host; do not name another", context)
    if not (wrap or undo or upstream.is_named or values["config"]):
        raise Complaint(
            "no upstream MCP server was given", hint="for example: -- uvx mcp-server-git", exit_code=USAGE
        )
    if target == "mcp-json":
        _print(name, words)
        return
    _change(target, words, name=name, wrap=wrap, undo=undo, dry_run=dry_run)


def _print(name: str, words: tuple[str, ...]) -> None:
    from genui_cli.install.installing import our_command  # noqa: PLC0415 -- not for --help
    from genui_cli.install.printed import as_mcp_json  # noqa: PLC0415

    say_raw(as_mcp_json(name, our_command(), words))


def _change(
    target: str, words: tuple[str, ...], *, name: str, wrap: str | None, undo: bool, dry_run: bool
) -> None:
    import os  # noqa: PLC0415 -- not for --help
    import sys  # noqa: PLC0415

    from genui_cli.install.hosts import HOSTS  # noqa: PLC0415
    from genui_cli.install.replacing import replace_file  # noqa: PLC0415
    from genui_cli.install.server_file import difference  # noqa: PLC0415

    host = HOSTS[target]
    before = host.file(os.environ, sys.platform)
    after = _changed(before, words, name, wrap, undo=undo, states_type=host.states_type)
    if dry_run:
        say_raw(difference(before, after))
        return
    if after == before:
        note(f"{before.path} says that already")
        return
    backup = replace_file(after.path, after.text())
    say(str(before.path))
    if backup is not None:
        note(f"what it said before is in {backup}")
    note(f"{host.title} reads it when it starts the next time")


def _changed(
    file: "ServerFile", words: tuple[str, ...], name: str, wrap: str | None, *, undo: bool, states_type: bool
) -> "ServerFile":
    from genui_cli.install.installing import added, with_unwrapped, with_wrapped, without  # noqa: PLC0415

    if wrap:
        return with_unwrapped(file, wrap) if undo else with_wrapped(file, wrap, words)
    return without(file, name) if undo else added(file, name, words, states_type=states_type)
