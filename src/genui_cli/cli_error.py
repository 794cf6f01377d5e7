"""CLI errors: a message of one line, a hint, and one of the exit codes below."""

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

from genui_cli.output import printable, short_words

OK = 0
FAILED = 1
USAGE = 2
NOT_LET_IN = 3
UPSTREAM_UNREACHABLE = 4
TOOL_OR_MODEL_FAILED = 5
INTERRUPTED = 130

NO_HINT = "there is none for this error; --debug shows where it comes from"
_NO_TOOL = "the upstream has no tool named"
_CODES = {
    FAILED: "FAILED",
    USAGE: "USAGE",
    NOT_LET_IN: "AUTHENTICATION",
    UPSTREAM_UNREACHABLE: "UPSTREAM_UNREACHABLE",
    TOOL_OR_MODEL_FAILED: "TOOL_OR_MODEL_FAILED",
}


class CliError(Exception):
    """An error that ends the command; it is printed with its hint.

    Args:
        message: What is wrong, naming the input.
        hint: What to do about it; None prints that there is no hint.
        exit_code: One of the codes of this module; by default a usage error.
        last_words: The last lines that an upstream wrote before it failed, without secrets.
    """

    def __init__(
        self, message: str, *, hint: str | None = None, exit_code: int = USAGE, last_words: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.hint = hint or NO_HINT
        self.exit_code = exit_code
        self.last_words = tuple(last_words)


@contextmanager
def writing(place: object, hint: str) -> Iterator[None]:
    """Convert an OSError of the block into a CliError: the file or folder cannot be written."""
    try:
        yield
    except OSError as error:
        text = f"{place} cannot be written: {error.strerror or error}"
        raise CliError(text, hint=hint) from error


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return "did you mean X?" for the closest of some words; an empty text if none is close."""
    from difflib import get_close_matches  # noqa: PLC0415 -- for errors only

    near = get_close_matches(word, words, n=1)
    return f"did you mean {near[0]}?" if near else ""


def demand_known(names: Iterable[str], there: Collection[str], text: str = _NO_TOOL) -> None:
    """Raise a CliError about the first name that is not in `there`; its message begins with `text`."""
    for name in names:
        if name not in there:
            raise CliError(f"{text} {name!r}", hint=f"there are: {', '.join(there)}")


def report(cli_error: CliError, *, as_json: bool = False) -> int:
    """Write an error to standard error, for a person or for a program, and return its exit code."""
    if as_json:
        import json  # noqa: PLC0415 -- not for --help

        _say(json.dumps({"error": _as_data(cli_error)}))
        return cli_error.exit_code
    _say(f"mcp-gen-ui: {short_words(on_one_line(str(cli_error)))}")
    for line in last_words_lines(cli_error.last_words):
        _say(f"  {line}")
    _say(f"  hint: {short_words(on_one_line(cli_error.hint))}")
    return cli_error.exit_code


def last_words_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield a title and the last lines of an upstream, each escaped; nothing if there are no lines."""
    if lines:
        yield "its last words:"
    for line in lines:
        yield f"  {on_one_line(line)}"


def on_one_line(text: str) -> str:
    """Return a text on one line, with its unprintable characters escaped."""
    return printable(" ".join(text.split()))


def _as_data(cli_error: CliError) -> dict[str, object]:
    data: dict[str, object] = {
        "code": _CODES.get(cli_error.exit_code, "FAILED"),
        "message": on_one_line(str(cli_error)),
        "hint": None if cli_error.hint == NO_HINT else cli_error.hint,
    }
    return {**data, "lastWords": [*cli_error.last_words]} if cli_error.last_words else data


def _say(line: str) -> None:
    if sys.stderr is not None:
        print(line.encode("utf-8", "backslashreplace").decode(), file=sys.stderr)  # noqa: T201 -- the error itself
