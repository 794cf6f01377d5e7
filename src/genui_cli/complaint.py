"""How the command says that something is wrong: one clear line, a hint, an exit code."""

import sys


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


def report(complaint: Complaint) -> int:
    """Write a complaint to standard error and return its exit code."""
    print(f"mcp-gen-ui: {complaint}", file=sys.stderr)  # noqa: T201 -- this is what is said
    if complaint.hint:
        print(f"  hint: {complaint.hint}", file=sys.stderr)  # noqa: T201 -- this is what is said
    return complaint.exit_code
