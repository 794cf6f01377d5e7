"""Other programs' lists of MCP servers: one entry of theirs is the upstream (``mcpServers``, ``servers``)."""

from collections.abc import Mapping
from difflib import get_close_matches

from genui_cli.cli_error import USAGE, CliError

LISTS = ("mcpServers", "servers")
TRANSPORTS = {
    "stdio": "stdio",
    "sse": "sse",
    "http": "http",
    "streamable-http": "http",
    "streamableHttp": "http",
    "streamable_http": "http",
}
"""What hosts call the ways to reach a server, and what we call them."""

_KEYS = ("command", "args", "env", "cwd", "url", "headers")


def lists_servers(content: object) -> bool:
    """Whether a file lists servers, as hosts' own files do."""
    return isinstance(content, Mapping) and any(isinstance(content.get(each), Mapping) for each in LISTS)


def with_server(content: Mapping[str, object], name: str | None, source: str) -> dict[str, object]:
    """Return a file's content with one of its servers as ``upstream``, and without the list.

    Args:
        content: What the file says.
        name: Which server; where the file has only one, it need not be named.
        source: The file's name, for messages.

    Raises:
        CliError: There is no such server, or several and none was named.
    """
    listed = next(content[each] for each in LISTS if isinstance(content.get(each), Mapping))
    servers = listed if isinstance(listed, Mapping) else {}
    entry = servers[_chosen(servers, name, source)]
    if not isinstance(entry, Mapping):
        hint = 'write it as {"command": "…", "args": […]}, or {"url": "…"}'
        raise CliError(f"{source}: the server {name!r} is no object", hint=hint, exit_code=USAGE)
    rest = {key: value for key, value in content.items() if key not in LISTS}
    ours = rest.get("upstream")
    return {**rest, "upstream": {**(ours if isinstance(ours, Mapping) else {}), **_upstream(entry)}}


def _chosen(servers: Mapping[str, object], name: str | None, source: str) -> str:
    there = ", ".join(map(str, servers)) or "none"
    if name is None and len(servers) == 1:
        return next(iter(servers))
    if name is None:
        raise CliError(
            f"{source} lists several servers or none: {there}",
            hint="say which with --server NAME",
            exit_code=USAGE,
        )
    if name not in servers:
        near = get_close_matches(name, map(str, servers), n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {there}"
        raise CliError(f"{source} lists no server named {name!r}", hint=hint, exit_code=USAGE)
    return name


def _upstream(entry: Mapping[str, object]) -> dict[str, object]:
    """Take over what both sides know; what else a host keeps there is its own."""
    taken = {key: entry[key] for key in _KEYS if key in entry}
    spoken = entry.get("type", entry.get("transport"))
    if isinstance(spoken, str) and spoken in TRANSPORTS:
        taken["transport"] = TRANSPORTS[spoken]
    return taken
