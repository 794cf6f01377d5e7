"""Where hosts keep their lists of servers."""

from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen


@frozen
class Host:
    """A program that starts servers.

    Attributes:
        title: What people call it.
        servers_key: Under which key its file lists them.
        place: Where the file is, by the variables of the session and the platform.
        states_type: Whether an entry says that it is on standard streams.
    """

    title: str
    servers_key: str
    place: Callable[[Mapping[str, str], str], Path]
    states_type: bool = False


def _home(environment: Mapping[str, str]) -> Path:
    named = environment.get("HOME") or environment.get("USERPROFILE")
    return Path(named) if named else Path.home()


def _claude_desktop(environment: Mapping[str, str], platform: str) -> Path:
    name = Path("Claude", "claude_desktop_config.json")
    if platform == "darwin":
        return _home(environment) / "Library" / "Application Support" / name
    if platform == "win32":
        return Path(environment.get("APPDATA") or _home(environment) / "AppData" / "Roaming") / name
    return Path(environment.get("XDG_CONFIG_HOME") or _home(environment) / ".config") / name


HOSTS: Mapping[str, Host] = {
    "claude-desktop": Host("Claude Desktop", "mcpServers", _claude_desktop),
    "claude-code": Host(
        "Claude Code, in this folder", "mcpServers", lambda _env, _platform: Path(".mcp.json")
    ),
    "cursor": Host("Cursor", "mcpServers", lambda env, _platform: _home(env) / ".cursor" / "mcp.json"),
    "vscode": Host(
        "VS Code, in this folder",
        "servers",
        lambda _env, _platform: Path(".vscode", "mcp.json"),
        states_type=True,
    ),
}
