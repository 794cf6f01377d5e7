"""CLI errors: one clear line, a hint, and an exit code of the table below."""

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
    """Ends the command with an error for the person.

    Args:
        message: What is wrong, naming the input.
        hint: What to do about it; without one, the person reads that there is none.
        exit_code: One of the codes of this module; most errors are about what was typed or configured.
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
    """Make an error of the system inside the block one about a file or folder that cannot be written."""
    try:
        yield
    except OSError as error:
        text = f"{place} cannot be written: {error.strerror or error}"
        raise CliError(text, hint=hint) from error


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return the question whether the closest of some words was meant; an empty text where none is close."""
    from difflib import get_close_matches  # noqa: PLC0415 -- for errors only

    near = get_close_matches(word, words, n=1)
    return f"did you mean {near[0]}?" if near else ""


def demand_known(names: Iterable[str], there: Collection[str], text: str = _NO_TOOL) -> None:
    """Raise a CliError, which begins with the text, about the first name that is none of those there."""
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
    for line in told_last_words(cli_error.last_words):
        _say(f"  {line}")
    _say(f"  hint: {short_words(on_one_line(cli_error.hint))}")
    return cli_error.exit_code


def told_last_words(lines: Sequence[str]) -> Iterator[str]:
    """Yield the last lines of an upstream under a title, each as one line that draws nothing."""
    if lines:
        yield "its last words:"
    for line in lines:
        yield f"  {on_one_line(line)}"


def on_one_line(text: str) -> str:
    """Return a text on one line, with characters that draw on a terminal escaped."""
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
        print(line.encode("utf-8", "backslashreplace").decode(), file=sys.stderr)  # noqa: T201 -- this is what is said
