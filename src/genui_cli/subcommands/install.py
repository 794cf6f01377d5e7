"""``mcp-gen-ui install``: adds the wrapper to a host's list of servers, and removes it again."""

from typing import TYPE_CHECKING, NamedTuple

import rich_click as click

from genui_cli.cli_error import CliError
from genui_cli.flags import configuration_flags, examples_with_models, model_flags, upstream_flags
from genui_cli.output import note, say, say_json, say_raw
from genui_cli.upstream_options import UpstreamOptions, passed_on

if TYPE_CHECKING:
    from genui_cli.install.hosts import ServerFile

_HOSTS = ("claude-desktop", "claude-code", "cursor", "vscode", "goose")


class _Request(NamedTuple):
    """What was typed: one of `name` and `wrap` names the server."""

    target: str
    words: tuple[str, ...]
    name: str
    wrap: str | None
    undo: bool
    user: bool
    skill: bool


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
@click.option("--dry-run", is_flag=True, help="Print the change as a patch, and write nothing.")
@click.option("--undo", is_flag=True, help="Remove the entry that --name added, or unwrap --wrap.")
@click.option("--skill", is_flag=True, help="Teach the host's agent to use the companion page.")
@click.option("--wrap", metavar="NAME", help="Wrap this server, which the host lists already.")
@click.option("--user", is_flag=True, help="Change the user's file, not the one of this folder.")
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
    from genui_cli.install.entries import (  # noqa: PLC0415 -- not for --help
        new_entry,
        with_absolute_files,
        with_absolute_paths,
    )

    words = passed_on(with_absolute_paths(upstream), with_absolute_files(values))
    if wrap and upstream.is_named:
        raise click.UsageError("--wrap takes the upstream from the host; do not name another", context)
    if not (wrap or undo or upstream.is_named or values["config"]):
        raise CliError("no upstream MCP server was given", hint="for example: -- uvx mcp-server-git")
    if target == "mcp-json":
        if skill:
            raise click.UsageError("--skill needs a host, and mcp-json is none", context)
        say_json({"mcpServers": {name: new_entry(words)}})
        return
    _change(_Request(target, words, name, wrap, undo=undo, user=user, skill=skill), dry_run=dry_run)


def _change(request: _Request, *, dry_run: bool) -> None:
    import os  # noqa: PLC0415 -- not for --help

    from genui_cli.install.agent_skill import skill_change, write_change  # noqa: PLC0415
    from genui_cli.install.hosts import difference  # noqa: PLC0415

    title, before, after = _changed(request)
    skill, (target, user, undo) = None, (request.target, request.user, request.undo)
    if undo or request.skill:
        skill = skill_change(target, request.wrap or request.name, os.environ, user=user, undo=undo)
    if dry_run:
        say_raw(difference(before, after) + ("" if skill is None else difference(*skill)))
        return
    _write(title, before, after)
    if skill is not None and skill[0].content != skill[1].content:
        backup = write_change(*skill)
        note(f"{skill[1].path} is {'removed' if undo else 'written'}: it teaches the agent to use the page")
        if backup is not None:
            note(f"backup of the file: {backup}")


def _write(title: str, before: "ServerFile", after: "ServerFile") -> None:
    from genui_cli.install.installing import replace_file  # noqa: PLC0415 -- not for --help

    if after.content == before.content:
        note(f"{before.path} already has this entry")
        return
    backup = replace_file(after.path, before.content, after.content)
    say(str(before.path))
    if backup is not None:
        note(f"backup of the file: {backup}")
    if after.content is None:
        note(f"{before.path} is removed: install had created it")
    note(f"restart {title}: it reads the file when it starts")


def _changed(request: _Request) -> "tuple[str, ServerFile, ServerFile]":
    """Return the host's title, and its file before and after the change."""
    import os  # noqa: PLC0415 -- not for --help

    from genui_cli.install.hosts import HOSTS  # noqa: PLC0415
    from genui_cli.install.installing import (  # noqa: PLC0415
        added,
        file_for,
        with_unwrapped,
        with_wrapped,
        without,
    )

    host, name = HOSTS[request.target], request.wrap or request.name
    is_listed, undo = request.undo or request.wrap is not None, request.undo
    file = file_for(host, os.environ, name, is_listed=is_listed, only_ours=undo, only_user=request.user)
    if request.wrap:
        return (
            host.title,
            file,
            with_unwrapped(file, name) if undo else with_wrapped(file, name, request.words),
        )
    if undo:
        return host.title, file, without(file, name)
    return host.title, file, added(file, name, request.words, states_type=host.states_type)
