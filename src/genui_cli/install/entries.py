"""Entries of a host's list of servers: new entries of the wrapper, wrapped and unwrapped ones.

Relative paths become absolute, and so do programs that only this shell finds: a host starts its servers in
another folder and with another search path.
"""

import json
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from shutil import which

from genui_adapters.environment import PREFIX, UNDO_VARIABLE
from genui_cli.cli_error import CliError
from genui_cli.configuration.files import TRANSPORTS
from genui_cli.upstream_options import UpstreamOptions, split_at_dashes, upstream_argv

_URL, _TRANSPORT, _HEADERS = (f"{PREFIX}UPSTREAM_{each}" for each in ("URL", "TRANSPORT", "HEADERS"))
ORIGINAL = UNDO_VARIABLE
"""The variable with the original text of a wrapped URL entry, which `--undo` restores byte for byte."""

Entry = dict[str, object]

_FILES = ("config", "frozen")
_RUNNERS = frozenset(("bun", "hatch", "npm", "pdm", "pipenv", "pnpm", "poetry", "uv", "yarn"))


def new_entry(words: Sequence[str], *, states_type: bool = False) -> Entry:
    """Return an entry that starts the wrapper with the words as arguments."""
    script = which(sys.argv[0]) if Path(sys.argv[0]).stem == "mcp-gen-ui" else None
    # The search path of a host may differ from this one.
    command, *args = [str(Path(script).absolute())] if script else [sys.executable, "-P", "-m", "genui_cli"]
    stated: Entry = {"type": "stdio"} if states_type else {}
    return {**stated, "command": command, "args": [*args, *words]}


def is_wrapper(entry: object) -> bool:
    """Whether an entry starts the wrapper, from any place of installation."""
    if not isinstance(entry, Mapping):
        return False
    program, *args = str(entry.get("command")), *texts(entry.get("args"))
    return "genui_cli" in (program, *args[:3]) or program.lower().removesuffix(".exe").endswith("mcp-gen-ui")


def wrapped(entry: Mapping[str, object], words: Sequence[str]) -> Entry:
    """Return an entry that starts the wrapper in front of its server; its other members stay.

    The wrapper passes on only named variables, so the words name those of the entry, and those that the host
    stores elsewhere and only names in it (``env_keys``). A URL and its headers may be secret: they go into
    variables, which a list of the machine's processes does not show.
    """
    command, env = entry.get("command"), entry.get("env")
    if not isinstance(command, str):
        return _wrapped_url(entry, words)
    names = dict.fromkeys([*map(str, env if isinstance(env, Mapping) else ()), *texts(entry.get("env_keys"))])
    passed = [word for name in names for word in ("-e", name)]
    args = entry.get("args")
    target = [*passed, "--", command, *(args if isinstance(args, list) else ())]
    return {**entry, **new_entry([*words, *target])}


def _wrapped_url(entry: Mapping[str, object], words: Sequence[str]) -> Entry:
    url, env = entry.get("url"), entry.get("env")
    rest = {key: each for key, each in entry.items() if key not in ("url", "headers", "type")}
    transport = TRANSPORTS.get(str(entry.get("type")))
    variables = {
        _URL: url,
        **({_TRANSPORT: transport} if transport else {}),
        **({_HEADERS: json.dumps(entry["headers"])} if "headers" in entry else {}),
    }
    others = env if isinstance(env, Mapping) else {}
    return {**new_entry(words, states_type="type" in entry), **rest, "env": {**others, **variables}}


def unwrapped(entry: Mapping[str, object]) -> Entry | None:
    """Return the entry as it was before wrapping; None if it wraps no server."""
    args = entry.get("args")
    _, target = split_at_dashes(args if isinstance(args, list) else ())
    if target:
        return {**entry, "command": target[0], "args": [*target[1:]]}
    env = entry.get("env")
    if not isinstance(env, Mapping) or _URL not in env:
        return None
    ours = (_URL, _TRANSPORT, _HEADERS, ORIGINAL)
    others = {name: value for name, value in env.items() if name not in ours}
    rest = {key: each for key, each in entry.items() if key not in ("command", "args", "type", "env")}
    return {
        **({"type": env[_TRANSPORT]} if _TRANSPORT in env else {}),
        "url": env[_URL],
        **({"headers": _headers(env[_HEADERS])} if _HEADERS in env else {}),
        **({"env": others} if others else {}),
        **rest,
    }


def original_members(entry: Mapping[str, object]) -> Entry:
    """Return an entry with a URL as `unwrapped` reports it after `wrapped`, to find later edits by hand."""
    return unwrapped(wrapped(entry, ())) or {}


def _headers(text: object) -> object:
    try:
        return json.loads(str(text))
    except ValueError as error:
        hint = f"write {_HEADERS} as a JSON object of texts"
        raise CliError(f"{_HEADERS} is not JSON: {error}", hint=hint) from error


def texts(value: object) -> list[str]:
    """Return the items of a list as texts; an empty list if the value is not a list."""
    return [str(each) for each in value] if isinstance(value, list) else []


def with_absolute_paths(upstream: UpstreamOptions) -> UpstreamOptions:
    """Return the options with absolute paths; with ``--cwd``, the arguments stay relative to that folder.

    For a server of the working directory, ``cwd`` is set to it.

    Raises CliError if two upstreams are named, or the words of ``--upstream`` cannot be parsed.
    """
    cwd, env_file = (_absolute(each) if each else each for each in (upstream.cwd, upstream.env_file))
    typed = upstream_argv(upstream) if upstream.is_named and not upstream.url else ()
    words = [
        _absolute(word) if cwd is None and _is_relative_path(word, is_program=at == 0) else word
        for at, word in enumerate(typed)
    ]
    argv = (*map(_absolute_program, words[:1]), *words[1:])
    is_named = argv[:1] == typed[:1] or os.sep in typed[0]
    env = upstream.env if is_named else (*_search_path(argv[0]), *upstream.env)
    if cwd is None and _is_from_here(typed):
        cwd = str(Path.cwd())
    upstream = upstream._replace(cwd=cwd, env_file=env_file, env=env)
    if upstream.upstream is None:
        return upstream._replace(argv=argv)
    return upstream if argv == typed else upstream._replace(upstream=shlex.join(argv))


def with_absolute_files(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of flags with absolute file paths."""
    return {
        name: _absolute(str(value)) if value and name in _FILES else value for name, value in values.items()
    }


def _is_from_here(argv: Sequence[str]) -> bool:
    """Whether a command names a file or a module of the working directory, or runs the project in it."""
    names_file = any(not Path(word).is_absolute() and Path(word).is_file() for word in argv[1:])
    modules = [name.partition(".")[0] for flag, name in pairwise(argv) if flag == "-m"]
    has_module = any(Path(name).is_dir() or Path(f"{name}.py").is_file() for name in modules)
    return names_file or has_module or Path(*argv[:1]).stem in _RUNNERS


def _absolute_program(program: str) -> str:
    """Return a program's path if the default search path lacks it; on Windows, hosts use the user's."""
    is_known = os.name == "nt" or os.sep in program or which(program, path=os.defpath)
    return program if is_known else which(program) or program


def _search_path(program: str) -> tuple[str, ...]:
    """Return the search path for a script such as `npx`: `env` finds the script's interpreter there."""
    try:
        with Path(program).open("rb") as file:
            is_script = file.read(14) == b"#!/usr/bin/env"
    except OSError:
        return ()
    return (f"PATH={Path(program).parent}{os.pathsep}{os.defpath}",) if is_script else ()


def _is_relative_path(word: str, *, is_program: bool) -> bool:
    """Whether a word is a relative path to an existing file or folder.

    A program without a slash comes from the search path. An argument without one may be the name of a
    package: it counts only if it is a file. A folder must be written as a path: ``.`` or ``./data``.
    """
    if not word or word.startswith("-") or Path(word).is_absolute():
        return False
    is_spelled_as_path = Path(word).name != word or word in (".", "..")
    if is_program:
        return is_spelled_as_path and Path(word).is_file()
    return Path(word).is_file() or (word.startswith(".") and is_spelled_as_path and Path(word).exists())


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())
