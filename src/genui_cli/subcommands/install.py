"""``mcp-gen-ui install``: adds the wrapper to a host's list of servers, and removes it again."""

import os

import rich_click as click

from genui_cli.cli_error import CliError
from genui_cli.flags import HOST_NAMES, examples_with_models, server_flags
from genui_cli.output import say_json, say_raw
from genui_cli.upstream_options import UpstreamOptions, proxy_arguments


@click.command(
    epilog=examples_with_models(
        "mcp-gen-ui install claude-desktop --name git -- uvx mcp-server-git",
        "mcp-gen-ui install cursor --wrap git --llm anthropic",
        "mcp-gen-ui install cursor --wrap git --undo",
        "mcp-gen-ui install mcp-json -- uvx mcp-server-git",
    )
)
@click.argument("target", metavar="HOST", type=click.Choice([*HOST_NAMES, "mcp-json"]))
@server_flags
@click.option("--dry-run", is_flag=True, help="Print the change as a patch, and write nothing.")
@click.option("--undo", is_flag=True, help="Remove the entry that --name added, or unwrap --wrap.")
@click.option("--skill", is_flag=True, help="Teach the host's agent to use the companion page.")
@click.option("--wrap", metavar="NAME", help="Wrap this server, which the host lists already.")
@click.option("--user", is_flag=True, help="Change the user's file, not the one of this folder.")
@click.option(
    "--name", metavar="NAME", default="mcp-gen-ui", show_default=True, help="What to call the new server."
)
def install(
    target: str,
    upstream: UpstreamOptions,
    name: str,
    wrap: str | None,
    *,
    undo: bool,
    user: bool,
    skill: bool,
    dry_run: bool,
    **values: object,
) -> None:
    """Add a wrapped server to a host's list of servers, or wrap a server that the host lists already.

    HOST is claude-desktop, claude-code, cursor, vscode, goose or mcp-json.

    The file is backed up first, and only the entry of that server changes. mcp-json prints an entry to
    put into a file by hand.
    """
    from genui_cli.install.agent_skill import skill_change  # noqa: PLC0415 -- not for --help
    from genui_cli.install.entries import new_entry, with_absolute_files, with_absolute_paths  # noqa: PLC0415
    from genui_cli.install.hosts import HOSTS, difference  # noqa: PLC0415
    from genui_cli.install.installing import changed, file_for, write  # noqa: PLC0415

    words = proxy_arguments(with_absolute_paths(upstream), with_absolute_files(values))
    if wrap and upstream.is_named:
        raise click.UsageError("--wrap takes the upstream from the host; do not name another")
    if not name:
        raise CliError("--name is empty", hint="for example: --name weather")
    if not (wrap or undo or upstream.is_named or values["config"]):
        raise CliError("no upstream MCP server was given", hint="for example: -- uvx mcp-server-git")
    if target == "mcp-json":
        if skill or wrap or undo:
            raise click.UsageError("--skill, --wrap and --undo need a host, and mcp-json is none")
        say_json({"mcpServers": {name: new_entry(words)}})
        return
    host, server, is_listed = HOSTS[target], wrap or name, undo or wrap is not None
    before = file_for(host, os.environ, server, is_listed=is_listed, only_ours=undo, only_user=user)
    after = changed(before, server, words, wrap=bool(wrap), undo=undo, states_type=host.states_type)
    taught = skill_change(target, server, os.environ, user=user, undo=undo) if undo or skill else None
    if dry_run:
        say_raw(difference(before.path, before.content, after.content))
        if taught is not None:
            say_raw(difference(taught.path, taught.before, taught.after))
        return
    write(host.title, before, after)
    if taught is not None:
        taught.write()
