"""Where hosts keep their lists of servers."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from genui_cli.install.server_file import ServerFile


@frozen
class Host:
    """A program that starts servers.

    Attributes:
        title: What people call it.
        servers_key: Under which key its file lists them.
        place: Where the file is, by the variables of the session and the platform.
        states_type: Whether an entry says that it is on standard streams.
        is_yaml: Whether the file is Goose's YAML, not JSON.
    """

    title: str
    servers_key: str
    place: Callable[[Mapping[str, str], str], Path]
    states_type: bool = False
    is_yaml: bool = False

    def file(self, environment: Mapping[str, str], platform: str) -> "ServerFile":
        """Return its file; an empty one where there is none.

        Raises:
            Complaint: It cannot be understood.
        """
        path = self.place(environment, platform)
        if self.is_yaml:
            from genui_cli.install.goose_file import GooseFile  # noqa: PLC0415 -- what it takes to read YAML

            return GooseFile.read(path)
        from genui_cli.install.json_file import JsonFile  # noqa: PLC0415

        return JsonFile.read(path, self.servers_key)


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


def _goose(environment: Mapping[str, str], platform: str) -> Path:
    root, ours = environment.get("GOOSE_PATH_ROOT", ""), environment.get("XDG_CONFIG_HOME", "")
    if Path(root).is_absolute():
        return Path(root, "config", "config.yaml")
    if platform == "win32":
        roaming = Path(environment.get("APPDATA") or _home(environment) / "AppData" / "Roaming")
        return roaming / "Block" / "goose" / "config" / "config.yaml"
    # Goose, as the specification has it, passes over a relative one.
    return (
        (Path(ours) if Path(ours).is_absolute() else _home(environment) / ".config") / "goose" / "config.yaml"
    )


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
    "goose": Host("Goose", "extensions", _goose, states_type=True, is_yaml=True),
}
