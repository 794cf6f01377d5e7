"""Finds and parses config files, and the files of variables that ``--env-file`` names.

A host's list of servers (``mcpServers``, ``servers``) is a config file too: one of its entries is the
upstream.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from genui_adapters.environment import CONFIG_VARIABLE, usual_places
from genui_cli.cli_error import CliError, did_you_mean
from genui_cli.output import printable
from genui_core.domain.mcp.json_text import refuse_constant

_MOST_BYTES = 10_000_000

LISTS = ("mcpServers", "servers")
TRANSPORTS = {
    "stdio": "stdio",
    "sse": "sse",
    "http": "http",
    "streamable-http": "http",
    "streamableHttp": "http",
    "streamable_http": "http",
}
"""Our transport for each name that hosts' files use."""

_KEYS = ("command", "args", "env", "cwd", "url", "headers")


@frozen
class ConfigurationFile:
    """A parsed config file.

    Attributes:
        content: Its content as JSON data, unchecked.
    """

    path: Path
    content: object

    @property
    def source(self) -> str:
        """The file's path, for messages."""
        return printable(str(self.path))


def find_file(named: str | None, environment: Mapping[str, str]) -> Path | None:
    """Return the named file, else the file in ``MCP_GEN_UI_CONFIG``, else the first usual file there is.

    Raises CliError if a named file does not exist.
    """
    for name, origin in ((named, "--config"), (environment.get(CONFIG_VARIABLE), CONFIG_VARIABLE)):
        if name:
            path = Path(name).expanduser()
            if not path.is_file():
                other = "that is a folder" if path.is_dir() else "that is no plain file"
                what = other if path.exists() else "there is no such file"
                text = f"{origin} names {name!r}, and {what}"
                raise CliError(text, hint="mcp-gen-ui config init writes one")
            return path
    return next((path for path in map(Path, usual_places(environment)) if path.is_file()), None)


def read_text(path: Path) -> str:
    """Return a file's text unchanged, with its byte order mark and line ends.

    Raises CliError if the file cannot be read, is too large or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise _unreadable(path, f"line {line}: it is not written in UTF-8 (byte {error.start})") from error
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    if len(data) > _MOST_BYTES:
        raise _unreadable(path, "it is too large")
    return text


def read_file(path: Path) -> ConfigurationFile:
    """Parse a file: TOML if its name ends in ``.toml``, else JSON.

    Raises CliError if the file cannot be read or parsed; the message names the place of a syntax error.
    """
    text = read_text(path).removeprefix("\ufeff")
    try:
        if path.suffix == ".toml":
            import tomllib  # noqa: PLC0415 -- not for JSON

            return ConfigurationFile(path.absolute(), tomllib.loads(text))
        content = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=_object)
        return ConfigurationFile(path.absolute(), content)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _unreadable(path, f"{place}: {error.msg}", _FORMATS) from error
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, str(error)) from error


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{json.dumps(twice)} is written twice")
    return made


_FORMATS = (
    "write JSON without comments and without a last comma, or TOML into a file whose name ends in .toml"
)


def _unreadable(path: Path, reason: str, hint: str = "correct the file, or name another") -> CliError:
    return CliError(f"{path} cannot be used: {reason}", hint=hint)


def lists_servers(content: object) -> bool:
    """Whether a file has a list of servers, as hosts' files have."""
    return isinstance(content, Mapping) and any(isinstance(content.get(each), Mapping) for each in LISTS)


def with_server(content: Mapping[str, object], name: str | None, source: str) -> dict[str, object]:
    """Return a file's content with the named server as ``upstream``, in place of its list of servers.

    Raises CliError if there is no such server, or there is no name and not exactly one server.
    """
    servers = next(listed for each in LISTS if isinstance(listed := content.get(each), Mapping))
    name = _chosen(servers, name, source)
    entry = servers[name]
    if not isinstance(entry, Mapping):
        hint = 'write it as {"command": "…", "args": […]}, or {"url": "…"}'
        raise CliError(f"{source}: the server {name!r} is no object", hint=hint)
    rest = {key: value for key, value in content.items() if key not in LISTS}
    ours = rest.get("upstream")
    return {**rest, "upstream": {**(ours if isinstance(ours, Mapping) else {}), **_upstream(entry)}}


def _chosen(servers: Mapping[str, object], name: str | None, source: str) -> str:
    there = ", ".join(map(str, servers)) or "none"
    if name is None and len(servers) == 1:
        return next(iter(servers))
    if name is None:
        raise CliError(f"{source} lists {len(servers)} servers: {there}", hint="name one with --server NAME")
    if name not in servers:
        hint = did_you_mean(name, map(str, servers)) or f"there are: {there}"
        raise CliError(f"{source} lists no server named {name!r}", hint=hint)
    return name


def _upstream(entry: Mapping[str, object]) -> dict[str, object]:
    """Return an upstream section with the members of a host's entry that the wrapper supports."""
    taken = {key: entry[key] for key in _KEYS if key in entry}
    spoken = entry.get("type", entry.get("transport"))
    if isinstance(spoken, str) and spoken in TRANSPORTS:
        taken["transport"] = TRANSPORTS[spoken]
    return taken


_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")


def read_env_file(path: str) -> dict[str, str]:
    """Return the variables of a file. Empty lines and lines that begin with ``#`` are ignored.

    A value may stand in quotes; without them it ends before a ``#`` that follows a space.
    Variables in a value are not expanded.

    Raises CliError if the file cannot be read, or a line sets no variable.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not written in UTF-8"
        hint = "name a file of variables that you may read, a NAME=value a line"
        raise CliError(f"--env-file {path}: {reason}", hint=hint) from error
    variables = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or "\0" in line:
            text = f"--env-file {path}: line {number} sets no variable"
            raise CliError(text, hint="a line is written NAME=value")
        variables[match[1]] = _value(match[2])
    return variables


def _value(written: str) -> str:
    if len(written) > 1 and written[0] in ("'", '"') and written[-1] == written[0]:
        return written[1:-1]
    return re.split(r"\s#", written, maxsplit=1)[0].rstrip()
