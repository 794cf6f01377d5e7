"""How the command says that something is wrong: one clear line, a hint, an exit code."""

import sys

from genui_cli.exit_codes import FAILED, NOT_LET_IN, TOOL_OR_MODEL_FAILED, UPSTREAM_UNREACHABLE, USAGE

_CODES = {
    FAILED: "FAILED",
    USAGE: "USAGE",
    NOT_LET_IN: "AUTHENTICATION",
    UPSTREAM_UNREACHABLE: "UPSTREAM_UNREACHABLE",
    TOOL_OR_MODEL_FAILED: "TOOL_OR_MODEL_FAILED",
}


class Complaint(Exception):
    """Ends the command with a line for the person.

    Args:
        message: What is wrong, naming the input.
        hint: What to do about it.
        exit_code: One of `genui_cli.exit_codes`.
    """

    def __init__(self, message: str, *, hint: str | None = None, exit_code: int) -> None:
        super().__init__(message)
        self.hint = hint
        self.exit_code = exit_code


def report(complaint: Complaint, *, as_json: bool = False) -> int:
    """Write a complaint to standard error, for a person or for a program, and return its exit code."""
    if as_json:
        import json  # noqa: PLC0415 -- not for --help

        error = {
            "code": _CODES.get(complaint.exit_code, "FAILED"),
            "message": _on_one_line(str(complaint)),
            "hint": complaint.hint,
        }
        _say(json.dumps({"error": error}))
        return complaint.exit_code
    from genui_cli.output import short_words  # noqa: PLC0415 -- where something is wrong

    _say(f"mcp-gen-ui: {short_words(_on_one_line(str(complaint)))}")
    if complaint.hint:
        _say(f"  hint: {short_words(_on_one_line(complaint.hint))}")
    return complaint.exit_code


def _say(line: str) -> None:
    if sys.stderr is not None:
        print(line.encode("utf-8", "backslashreplace").decode(), file=sys.stderr)  # noqa: T201 -- this is what is said


def _on_one_line(text: str) -> str:
    """Return a text that may quote anything so that it stays one line and draws nothing."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)
