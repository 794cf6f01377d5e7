"""Makes relative paths absolute: a host starts its servers in a folder of its own."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from genui_cli.upstream_options import UpstreamOptions

_FILES = ("config", "frozen")


def with_absolute_paths(upstream: UpstreamOptions) -> UpstreamOptions:
    """Return the options with absolute paths; with ``--cwd``, the command stays relative to that folder."""
    cwd, env_file = (_absolute(each) if each else each for each in (upstream.cwd, upstream.env_file))
    upstream = upstream._replace(cwd=cwd, env_file=env_file)
    if cwd is not None:
        return upstream
    argv = _command(upstream.argv)
    return upstream._replace(argv=argv, upstream=_words(upstream.upstream) if upstream.upstream else None)


def with_absolute_files(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of flags with the paths of files made absolute."""
    return {
        name: _absolute(str(value)) if value and name in _FILES else value for name, value in values.items()
    }


def _words(upstream: str) -> str:
    """Return a command line in one text; it stays as it was typed if no word of it is a relative path."""
    if upstream.startswith(("http://", "https://")):
        return upstream
    try:
        words = shlex.split(upstream)
    except ValueError:
        return upstream
    absolute = _command(words)
    return upstream if list(absolute) == words else shlex.join(absolute)


def _command(argv: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        _absolute(word) if _is_relative_path(word, is_program=at == 0) else word
        for at, word in enumerate(argv)
    )


def _is_relative_path(word: str, *, is_program: bool) -> bool:
    """Whether a word names something in the working directory.

    A program without a slash comes from the search path. An argument without one may be the name of a
    package: it counts only if it is a file. A folder has to be spelled as a path: ``.`` or ``./data``.
    """
    if not word or word.startswith("-") or Path(word).is_absolute():
        return False
    is_spelled_as_path = Path(word).name != word or word in (".", "..")
    if is_program:
        return is_spelled_as_path and Path(word).is_file()
    return Path(word).is_file() or (word.startswith(".") and is_spelled_as_path and Path(word).exists())


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())
