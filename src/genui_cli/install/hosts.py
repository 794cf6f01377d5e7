"""The hosts that `install` supports: the files with their lists of servers, and patches of them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Protocol

from attrs import frozen

from genui_cli.cli_error import CliError
from genui_cli.configuration.files import read_text
from genui_cli.install.text_tree import in_common

FindFiles = Callable[[Mapping[str, str], str], Sequence[Path]]


@frozen
class Place:
    """A list of servers in one or several files of a host.

    Attributes:
        find: Returns the files for the environment and the platform; new servers go into the first.
        keys: The path of keys to the list; "." stands for the working directory.
        is_user: Whether the list belongs to the user; otherwise, to the working directory.
        takes_new: Whether new servers are added here; otherwise servers are only looked up.
    """

    find: FindFiles
    keys: tuple[str, ...]
    is_user: bool = True
    takes_new: bool = True


@frozen
class Host:
    """A host with its lists of servers.

    Attributes:
        places: Its lists, in the order of the lookup.
        states_type: Whether an entry states the type of its transport.
        is_yaml: Whether the file is Goose's YAML, not JSON.
    """

    title: str
    places: tuple[Place, ...]
    states_type: bool = False
    is_yaml: bool = False

    def files(
        self, environment: Mapping[str, str], platform: str, *, only_user: bool = False
    ) -> Iterator[tuple[Place, "ServerFile"]]:
        """Yield the lists with their files; each file is read on demand. Raises as `file`."""
        for place in self.places:
            if place.is_user or not only_user:
                for path in place.find(environment, platform):
                    keys = (str(Path.cwd()) if key == "." else key for key in place.keys)
                    yield place, self.file(path, tuple(keys))

    def file(self, path: Path, keys: tuple[str, ...]) -> "ServerFile":
        """Read a file with its list of servers at a path of keys.

        Raises CliError if the file cannot be parsed, or holds something else than a list of servers there.
        """
        content = read_text(path) if path.is_file() else None
        try:
            if self.is_yaml:
                from genui_cli.install.goose_file import GooseFile  # noqa: PLC0415 -- for YAML only

                return GooseFile.of(path, content)
            from genui_cli.install.json_file import JsonFile  # noqa: PLC0415

            return JsonFile.of(path, keys, content)
        except (ValueError, RecursionError) as error:
            hint = "correct the file by hand; it was not changed"
            raise CliError(f"{path} cannot be used: {error}", hint=hint) from error


def home(environment: Mapping[str, str]) -> Path:
    """Return the home folder of the user."""
    named = environment.get("HOME") or environment.get("USERPROFILE")
    return Path(named) if named else Path.home()


def _in_folder(*parts: str) -> FindFiles:
    return lambda _environment, _platform: [Path(*parts)]


def _application_data(environment: Mapping[str, str], platform: str) -> Path:
    """Return the folder in which desktop programs keep their settings."""
    if platform == "darwin":
        return home(environment) / "Library" / "Application Support"
    if platform == "win32":
        return _roaming(environment)
    return Path(environment.get("XDG_CONFIG_HOME") or home(environment) / ".config")


def _claude_desktop(environment: Mapping[str, str], platform: str) -> Sequence[Path]:
    return [_application_data(environment, platform) / "Claude" / "claude_desktop_config.json"]


def _cursor(environment: Mapping[str, str], _platform: str) -> Sequence[Path]:
    return [home(environment) / ".cursor" / "mcp.json"]


def _of_vscode_users(environment: Mapping[str, str], platform: str) -> Sequence[Path]:
    """Return the files of the user and of the profiles, for each installed edition of VS Code."""
    settings = _application_data(environment, platform)
    folders = [settings / edition / "User" for edition in ("Code", "Code - Insiders")]
    used = [folder for folder in folders if folder.is_dir()] or folders[:1]
    return [each for at in used for each in (at / "mcp.json", *sorted(at.glob("profiles/*/mcp.json")))]


def _roaming(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("APPDATA") or home(environment) / "AppData" / "Roaming")


def _claude_code(environment: Mapping[str, str], _platform: str) -> Sequence[Path]:
    return [Path(environment.get("CLAUDE_CONFIG_DIR") or home(environment)) / ".claude.json"]


def _goose(environment: Mapping[str, str], platform: str) -> Sequence[Path]:
    root, ours = environment.get("GOOSE_PATH_ROOT", ""), environment.get("XDG_CONFIG_HOME", "")
    if Path(root).is_absolute():
        return [Path(root, "config", "config.yaml")]
    if platform == "win32":
        return [_roaming(environment) / "Block" / "goose" / "config" / "config.yaml"]
    # Goose ignores a relative path, as the XDG specification demands.
    settings = Path(ours) if Path(ours).is_absolute() else home(environment) / ".config"
    return [settings / "goose" / "config.yaml"]


_SERVERS = ("mcpServers",)
HOSTS: Mapping[str, Host] = {
    "claude-desktop": Host("Claude Desktop", (Place(_claude_desktop, _SERVERS),)),
    "claude-code": Host(
        "Claude Code",
        (
            Place(_claude_code, ("projects", ".", *_SERVERS), takes_new=False),
            Place(_in_folder(".mcp.json"), _SERVERS, is_user=False),
            Place(_claude_code, _SERVERS),
        ),
    ),
    "vscode": Host(
        "VS Code",
        (
            Place(_in_folder(".vscode", "mcp.json"), ("servers",), is_user=False),
            Place(_of_vscode_users, ("servers",)),
        ),
        states_type=True,
    ),
    "cursor": Host(
        "Cursor",
        (
            Place(_in_folder(".cursor", "mcp.json"), _SERVERS, is_user=False, takes_new=False),
            Place(_cursor, _SERVERS),
        ),
    ),
    "goose": Host("Goose", (Place(_goose, ("extensions",)),), states_type=True, is_yaml=True),
}


_CONTEXT = 3
_HUNK = re.compile(r"@@ -(\d+)(\S*) \+(\d+)")


class ServerFile(Protocol):
    """A host's parsed file; changes return a new one, and none is written."""

    @property
    def path(self) -> Path:
        """The path of the file, which may not exist."""

    @property
    def content(self) -> str | None:
        """The text of the file; None if there is no file, or a change removes it."""

    @property
    def servers(self) -> Mapping[str, object]:
        """The entries of servers by name, with the usual keys: ``command``, ``args``, ``env``, ``url``."""

    def with_server(self, name: str, entry: Mapping[str, object] | None) -> "ServerFile":
        """Return the file with one server added, changed or removed; the order of the others stays.

        Raises CliError if the entry cannot be changed without harm to the rest.
        """


def difference(path: Path, before: str | None, after: str | None) -> str:
    """Return the change of a file as a patch; None stands for no file."""
    old, new = ((each or "").splitlines(keepends=True) for each in (before, after))
    first = max(0, in_common(old, new) - _CONTEXT)
    last = max(0, in_common(old[first:][::-1], new[first:][::-1]) - _CONTEXT)
    old, new = old[first : len(old) - last], new[first : len(new) - last]
    patch = unified_diff(old, new, str(path), str(path), n=_CONTEXT)
    return "".join(_moved(line, first) for line in patch)


def _moved(line: str, by: int) -> str:
    """Return a line of a patch; in the head of a hunk, the line numbers are increased."""
    found = _HUNK.match(line)
    if found is None:
        return line
    return f"@@ -{int(found[1]) + by}{found[2]} +{int(found[3]) + by}{line[found.end(3) :]}"
