"""``mcp-gen-ui bundle``: a server and its wrapper as one file that a desktop host installs."""

import shutil

import rich_click as click

from genui_cli.cli_error import USAGE, CliError
from genui_cli.flags import examples, json_flag, upstream_flags
from genui_cli.output import note, say, say_json
from genui_cli.upstream_options import UpstreamOptions, passed_on, upstream_argv

_FIXED = (("--cwd", "cwd"), ("--env-file", "env_file"))


@click.command(
    epilog=examples(
        "mcp-gen-ui bundle -- uvx mcp-server-git",
        "mcp-gen-ui bundle --name books --with httpx -- python server.py",
        "mcp-gen-ui bundle -e GITHUB_TOKEN --output github.mcpb -- npx -y my-server",
        "mcp-gen-ui bundle --upstream https://example.org/mcp",
    )
)
@upstream_flags
@click.option("--name", metavar="NAME", help="The name that the host lists; default: that of the program.")
@click.option("-o", "--output", metavar="FILE", help="The file to write; default: NAME.mcpb.")
@click.option(
    "--include", metavar="PATH", multiple=True, help="Put this file or folder of the server into the bundle."
)
@click.option(
    "--with", "packages", metavar="PACKAGE", multiple=True, help="Install this Python package for the server."
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@json_flag
def bundle(
    upstream: UpstreamOptions,
    name: str | None,
    output: str | None,
    include: tuple[str, ...],
    packages: tuple[str, ...],
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Write a desktop bundle (.mcpb) that starts the wrapper with your server.

    The bundle holds the wrapper, and the files of the working directory that the command names. The host
    asks for the provider, its key and the model, and for each variable that -e KEY names without a value.
    """
    from pathlib import Path  # noqa: PLC0415 -- not for --help

    from genui_cli.bundling.archive import Bundle, name_for, with_files  # noqa: PLC0415

    for flag, field in _FIXED:
        if getattr(upstream, field) is not None:
            hint = "run the command in that folder, and name each variable with -e"
            raise CliError(f"{flag} names a place on this machine only", hint=hint, exit_code=USAGE)
    argv = () if upstream.url else upstream_argv(upstream)
    title = name or name_for(argv or (upstream.url or "").rpartition("//")[2].partition("/")[:1])
    words, included = with_files(argv, include)
    for text in _remarks(argv, words, upstream):
        note(text)
    wrapped = upstream._replace(upstream=upstream.url, argv=words)
    asked = tuple(each for each in upstream.env if "=" not in each)
    made = Bundle(title, passed_on(wrapped, {}), asked, packages, included)
    target = Path(output or f"{title.replace('/', '-')}.mcpb").expanduser()
    size = made.write(target, force=force)
    if as_json:
        say_json({"file": str(target), "name": title, "bytes": size, "included": [*included]})
        return
    say(str(target))
    note(
        f"{size} bytes, files of the server: {len(included)}; open the file with a host such as Claude Desktop"
    )


def _remarks(argv: tuple[str, ...], words: tuple[str, ...], upstream: UpstreamOptions) -> list[str]:
    """Return what the person should know about the command on other machines."""
    remarks = [
        f"warning: {word} is a path on this machine; the bundle works only where it exists"
        for word in words
        if word.startswith("/")
    ]
    if argv and shutil.which(argv[0]) is None and words[0] == argv[0]:
        remarks.append(f"warning: {argv[0]} is not found on this machine")
    stored = [each.partition("=")[0] for each in upstream.env if "=" in each]
    stored += [each.partition(":")[0] for each in upstream.headers if "${" not in each]
    if stored:
        remarks.append(f"warning: the bundle stores values in plain text: {', '.join(stored)}")
    return remarks
