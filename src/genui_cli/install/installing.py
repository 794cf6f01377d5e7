"""The changes of ``install`` in a host's file. The file is replaced in one step, with a backup."""

import shutil
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from genui_adapters.view_store.private_files import replace_whole
from genui_cli.cli_error import CliError, did_you_mean, writing
from genui_cli.install.entries import is_wrapper, new_entry, unwrapped, wrapped
from genui_cli.install.hosts import Host, ServerFile
from genui_cli.output import note, say


def file_for(
    host: Host,
    environment: Mapping[str, str],
    name: str,
    *,
    is_listed: bool,
    only_ours: bool,
    only_user: bool,
) -> ServerFile:
    """Return the host's file that lists the server; without `is_listed`, the file for new servers.

    With `only_ours`, an entry of the wrapper comes before an entry of another program; `only_user` leaves out
    the files of the working directory.

    Raises CliError if a file cannot be parsed, or no file lists the server.
    """
    files = host.files(environment, sys.platform, only_user=only_user)
    if not is_listed:
        return next(file for place, file in files if place.takes_new)
    seen: list[ServerFile] = []
    for _, file in files:
        seen.append(file)
        if name in file.servers and (not only_ours or is_wrapper(file.servers[name])):
            return file
    found = next((file for file in seen if name in file.servers), None)
    if found is None:
        raise _not_listed(name, seen)
    return found


def _not_listed(name: str, files: Sequence[ServerFile]) -> CliError:
    names = dict.fromkeys(each for file in files for each in file.servers)
    paths = ", ".join(dict.fromkeys(str(file.path) for file in files))
    hint = did_you_mean(name, names) or f"there are: {', '.join(names) or 'none'}"
    return CliError(f"no MCP server named {name!r} in {paths}", hint=hint)


def changed(
    file: ServerFile, name: str, words: Sequence[str], *, wrap: bool, undo: bool, states_type: bool
) -> ServerFile:
    """Return the file with a server added or wrapped; with `undo`, removed or unwrapped."""
    if undo:
        return with_unwrapped(file, name) if wrap else without(file, name)
    if wrap:
        return with_wrapped(file, name, words)
    return added(file, name, words, states_type=states_type)


def added(file: ServerFile, name: str, words: Sequence[str], *, states_type: bool) -> ServerFile:
    """Return the file with an entry of the wrapper. Raises CliError if another server has the name."""
    if name in file.servers and not is_wrapper(file.servers[name]):
        hint = f"--wrap {name} wraps it, --name gives the new server another name"
        raise CliError(f"{file.path} lists another server as {name!r}", hint=hint)
    return file.with_server(name, new_entry(words, states_type=states_type))


def without(file: ServerFile, name: str) -> ServerFile:
    """Return the file without an entry of the wrapper. Raises CliError if there is none."""
    _wrapper_entry(file, name)
    return file.with_server(name, None)


def with_wrapped(file: ServerFile, name: str, words: Sequence[str]) -> ServerFile:
    """Return the file with a listed server wrapped; a server that is wrapped already is unwrapped first.

    Raises CliError if there is no such server, or it cannot be wrapped.
    """
    if is_wrapper(_entry(file, name)):
        file = with_unwrapped(file, name)
    entry = _entry(file, name)
    if not any(isinstance(entry.get(key), str) for key in ("command", "url")):
        text = f"the server {name!r} in {file.path} has neither a command nor a URL"
        raise CliError(text, hint="give its entry a command or a url first")
    after = file.with_server(name, wrapped(entry, words))
    if with_unwrapped(after, name).content != file.content:
        raise CliError(
            f"the server {name!r} in {file.path} is written so that --undo could not restore it",
            hint="write its command in quotes, and its arguments as a list",
        )
    return after


def with_unwrapped(file: ServerFile, name: str) -> ServerFile:
    """Return the file with a wrapped server restored. Raises CliError if the entry wraps none."""
    before = unwrapped(_wrapper_entry(file, name))
    if before is None:
        hint = f"remove it with --undo --name {name}"
        raise CliError(f"{name!r} in {file.path} wraps no server", hint=hint)
    return file.with_server(name, before)


def _wrapper_entry(file: ServerFile, name: str) -> Mapping[str, object]:
    entry = _entry(file, name)
    if not is_wrapper(entry):
        hint = "name the server that was installed: --name NAME, or --wrap NAME"
        raise CliError(f"the server {name!r} in {file.path} does not start mcp-gen-ui", hint=hint)
    return entry


def _entry(file: ServerFile, name: str) -> Mapping[str, object]:
    entry = file.servers.get(name)
    if isinstance(entry, Mapping):
        return entry
    if name in file.servers:
        hint = "write it as an object, without an alias, in that file"
        raise CliError(f"the server {name!r} in {file.path} is not an object", hint=hint)
    raise _not_listed(name, [file])


def write(title: str, before: ServerFile, after: ServerFile) -> None:
    """Write or remove a host's file, and print what was done; `title` is the name of the host.

    Raises CliError if the file cannot be written, or another program has changed it.
    """
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


def replace_file(path: Path, before: str | None, after: str | None) -> Path | None:
    """Write or remove a file; a process that is killed leaves the old file or the new one.

    Args:
        path: The file; a link stays a link.
        before: The text that was read; None if there was no file.
        after: The new text; None removes the file.

    Returns:
        The backup of the old file, if there was one.

    Raises CliError if the file cannot be written, or another program has changed it. It stays as it was.
    """
    target = path.resolve()
    with writing(path, "make the file and its folder writable for you; nothing was changed"):
        target.parent.mkdir(parents=True, exist_ok=True)
        present = target.read_bytes() if target.exists() else None
        if present != (None if before is None else before.encode()):
            raise CliError(
                f"{path} was changed by another program at this moment; nothing was written",
                hint="run the command again",
            )
        backup = None
        if before is not None:
            backup = target.with_name(f"{target.name}.{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.backup")
            replace_whole(backup, before.encode())
            shutil.copystat(target, backup)
        if after is None:
            target.unlink(missing_ok=True)
        else:
            replace_whole(target, after.encode(), keeps_mode=True)
    return backup
