"""Goose's words for what other hosts' entries say too."""

import re
from collections.abc import Mapping

from genui_cli.cli_error import CliError
from genui_cli.exit_codes import USAGE
from genui_cli.install.entries import Entry

_OURS = {"cmd": "command", "envs": "env", "uri": "url"}
_THEIRS = {ours: theirs for theirs, ours in _OURS.items()}
_TYPES = {"http": "streamable_http"}
_IDLE = ("uri", "headers")
"""What says nothing in an entry that starts a program: Goose passes over it."""


def from_goose(entry: Mapping[str, object]) -> Entry:
    """Return an extension as other hosts would list it."""
    idle = _IDLE if "cmd" in entry else ()
    return {_OURS.get(key, key): value for key, value in entry.items() if key not in idle}


def to_goose(entry: Mapping[str, object]) -> Entry:
    """Return an entry as Goose would list it."""
    told = {_THEIRS.get(key, key): value for key, value in entry.items()}
    return {**told, "type": _TYPES.get(str(told["type"]), told["type"])} if "type" in told else told


def new_extension(name: str, entry: Mapping[str, object]) -> Entry:
    """Return an entry with all that Goose asks of an extension; views may take minutes to be written."""
    return {"name": name, "enabled": True, "description": "", **to_goose(entry), "timeout": 300}


def demand_no_filling_in(name: str, old: Mapping[str, object], new: Mapping[str, object]) -> None:
    """Refuse to stand between Goose and a URL where Goose fills variables into the headers.

    Raises:
        CliError: It does; of us it would be asked with the names of the variables.
    """
    variables = _filled_in(old) if "cmd" in new and "cmd" not in old else []
    if variables:
        raise CliError(
            f"Goose fills {', '.join(variables)} into what it sends to {name!r}, and we cannot",
            hint="it can be wrapped where its headers have the values themselves",
            exit_code=USAGE,
        )


def is_kept(key: str, entry: Mapping[str, object]) -> bool:
    """Whether a key of an extension stays as it is though its new entry does not have it."""
    return key in _IDLE and "cmd" in entry


def _filled_in(entry: Mapping[str, object]) -> list[str]:
    """Return the variables in headers, ``$NAME`` or ``${NAME}``, that the extension has values for."""
    envs, keys, headers = (entry.get(each) for each in ("envs", "env_keys", "headers"))
    texts = " ".join(map(str, headers.values())) if isinstance(headers, Mapping) else ""
    known = {*(envs if isinstance(envs, Mapping) else ()), *(keys if isinstance(keys, list) else ())}
    return sorted(known.intersection(re.findall(r"\$(?:\{\s*)?([A-Za-z_]\w*)", texts)))
