"""Configuration files: where they are looked for, and what they say."""

import json
from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from genui_cli.cli_error import USAGE, CliError
from genui_cli.configuration.places import CONFIG_VARIABLE, usual_places

_MOST_BYTES = 10_000_000


@frozen
class ConfigurationFile:
    """A file that was read.

    Attributes:
        path: Where it is.
        content: What it says, as JSON would; nothing of it is checked.
    """

    path: Path
    content: object

    @property
    def source(self) -> str:
        """Its name, for messages."""
        name = str(self.path)
        return name if name.isprintable() else json.dumps(name)

    @property
    def folder(self) -> Path:
        """What its relative paths are relative to."""
        return self.path.parent


def find_file(named: str | None, environment: Mapping[str, str]) -> Path | None:
    """Return the file to read: the named file, or the first that exists; None without any.

    Args:
        named: The value of ``--config``.
        environment: ``MCP_GEN_UI_CONFIG`` names one too.

    Raises:
        CliError: The file that was named is not there.
    """
    for name, origin in ((named, "--config"), (environment.get(CONFIG_VARIABLE), CONFIG_VARIABLE)):
        if name:
            path = Path(name).expanduser()
            if not path.is_file():
                raise CliError(
                    f"{origin} names {name!r}, and there is no such file",
                    hint="mcp-gen-ui config init writes one",
                    exit_code=USAGE,
                )
            return path
    return next((path for path in map(Path, usual_places(environment)) if path.is_file()), None)


def read_text(path: Path) -> str:
    """Return a file's text as it is, with its byte order mark and its line ends.

    Raises:
        CliError: It cannot be read, is too large or is not UTF-8.
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
    """Return what a file says: TOML where its name ends so, else JSON.

    Raises:
        CliError: It cannot be read or understood; the text says where it stops making sense.
    """
    text = read_text(path).removeprefix("\ufeff")
    try:
        return ConfigurationFile(path.absolute(), _parsed(text, is_toml=path.suffix == ".toml"))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise _unreadable(path, f"{place}: {error.msg}", "JSON has no comments and no last comma") from error
    except (ValueError, RecursionError) as error:
        raise _unreadable(path, str(error)) from error


def _parsed(text: str, *, is_toml: bool) -> object:
    if is_toml:
        import tomllib  # noqa: PLC0415 -- not for JSON

        return tomllib.loads(text)
    return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{json.dumps(twice)} is written twice")
    return made


def _unreadable(
    path: Path, reason: str, hint: str = "name another with --config; mcp-gen-ui config init writes one"
) -> CliError:
    line = " ".join(reason.split())
    return CliError(f"{path} cannot be used: {line}", hint=hint, exit_code=USAGE)
