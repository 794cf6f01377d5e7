"""What ``install`` changes in a host's file, before anything is written."""

import shutil
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from genui_cli.cli_error import USAGE, CliError
from genui_cli.install.entries import is_ours, new_entry, unwrapped, wrapped
from genui_cli.install.hosts import Host
from genui_cli.install.server_file import ServerFile


def our_command() -> tuple[str, ...]:
    """Return the words that start us from anywhere: hosts have a search path of their own."""
    script = shutil.which(sys.argv[0]) if Path(sys.argv[0]).stem == "mcp-gen-ui" else None
    return (str(Path(script).absolute()),) if script else (sys.executable, "-P", "-m", "genui_cli")


def file_for(
    host: Host,
    environment: Mapping[str, str],
    name: str,
    *,
    is_listed: bool,
    only_ours: bool,
    only_user: bool,
) -> ServerFile:
    """Return the host's file to change.

    Args:
        host: The host.
        environment: The variables of the session.
        name: The name of the server.
        is_listed: Whether the host lists the server already; otherwise it is a new one.
        only_ours: Whether an entry of the wrapper comes before an entry of another program.
        only_user: Whether to leave out the files of the working directory.

    Raises:
        CliError: A file cannot be understood, or no file lists the server.
    """
    files = host.files(environment, sys.platform, only_user=only_user)
    if not is_listed:
        return next(file for place, file in files if place.takes_new)
    seen: list[ServerFile] = []
    for _, file in files:
        seen.append(file)
        if name in file.servers and (not only_ours or is_ours(file.servers[name], our_command())):
            return file
    found = next((file for file in seen if name in file.servers), None)
    if found is None:
        raise _not_listed(name, seen)
    return found


def _not_listed(name: str, files: Sequence[ServerFile]) -> CliError:
    names = dict.fromkeys(each for file in files for each in file.servers)
    near = get_close_matches(name, names, n=1)
    paths = ", ".join(dict.fromkeys(str(file.path) for file in files))
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(names) or 'none'}"
    return CliError(f"no MCP server named {name!r} in {paths}", hint=hint, exit_code=USAGE)


def added(file: ServerFile, name: str, words: Sequence[str], *, states_type: bool) -> ServerFile:
    """Return the file with an entry for us.

    Raises:
        CliError: There is a server of that name that is not ours.
    """
    us = our_command()
    if name in file.servers and not is_ours(file.servers[name], us):
        raise CliError(
            f"{file.path} lists a server {name!r} that is not ours",
            hint=f"--wrap {name} puts us in front of it, --name gives us another name",
            exit_code=USAGE,
        )
    return file.with_server(name, new_entry(us, words, states_type=states_type))


def without(file: ServerFile, name: str) -> ServerFile:
    """Return the file without an entry that was added for us.

    Raises:
        CliError: There is no such entry of the wrapper.
    """
    _ours(file, name)
    return file.with_server(name, None)


def with_wrapped(file: ServerFile, name: str, words: Sequence[str]) -> ServerFile:
    """Return the file with us in front of a server that is there; twice is once.

    Raises:
        CliError: There is no such server, or it cannot be wrapped.
    """
    us = our_command()
    if is_ours(_there(file, name), us):
        file = with_unwrapped(file, name)
    after = file.with_server(name, wrapped(_there(file, name), us, words))
    if with_unwrapped(after, name).text() != file.text():
        raise CliError(
            f"the server {name!r} in {file.path} is written so that it could not be put back as it was",
            hint="write its command in quotes, and its arguments as a list",
            exit_code=USAGE,
        )
    return after


def with_unwrapped(file: ServerFile, name: str) -> ServerFile:
    """Return the file with the server that we stood in front of as it was.

    Raises:
        CliError: We stand in front of no such server.
    """
    before = unwrapped(_ours(file, name))
    if before is None:
        hint = f"take it out with --undo --name {name}"
        raise CliError(f"{name!r} in {file.path} stands in front of no server", hint=hint, exit_code=USAGE)
    return file.with_server(name, before)


def _ours(file: ServerFile, name: str) -> Mapping[str, object]:
    entry = _there(file, name)
    if not is_ours(entry, our_command()):
        hint = "name the server that was installed: --name NAME, or --wrap NAME"
        raise CliError(f"the server {name!r} in {file.path} is not ours", hint=hint, exit_code=USAGE)
    return entry


def _there(file: ServerFile, name: str) -> Mapping[str, object]:
    entry = file.servers.get(name)
    if isinstance(entry, Mapping):
        return entry
    if name in file.servers:
        hint = "write it as an object of its own in that file"
        raise CliError(
            f"the server {name!r} in {file.path} is no object of its own", hint=hint, exit_code=USAGE
        )
    raise _not_listed(name, [file])
