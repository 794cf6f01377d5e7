"""Files of variables, a ``NAME=value`` a line (``--env-file``)."""

import re
from pathlib import Path

from genui_cli.cli_error import USAGE, CliError

_LINE = re.compile(r"(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)")
_QUOTES = ("'", '"')


def read_env_file(path: str) -> dict[str, str]:
    """Return the variables of a file. Empty lines and those that begin with ``#`` say nothing.

    A value may stand in quotes; without them it ends before a ``#`` that follows a space.
    Nothing in it is filled in.

    Raises:
        CliError: It cannot be read, or a line sets no variable.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not written in UTF-8"
        hint = "name a file of variables that you may read, a NAME=value a line"
        raise CliError(f"--env-file {path}: {reason}", hint=hint, exit_code=USAGE) from error
    variables = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or "\0" in line:
            raise CliError(
                f"--env-file {path}: line {number} sets no variable",
                hint="a line is written NAME=value",
                exit_code=USAGE,
            )
        variables[match[1]] = _value(match[2])
    return variables


def _value(written: str) -> str:
    if len(written) > 1 and written[0] in _QUOTES and written[-1] == written[0]:
        return written[1:-1]
    return re.split(r"\s#", written, maxsplit=1)[0].rstrip()
