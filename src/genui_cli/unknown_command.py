"""Explains a word that names no command, with the command line that was probably meant."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from genui_cli.cli_error import CliError
from genui_cli.command_words import exact_command, is_program, is_url

_MEANT = {
    "list": ("inspect",),
    "ls": ("inspect",),
    "tools": ("inspect",),
    "clear": ("cache", "clear"),
    "help": ("--help",),
    "uninstall": ("install", "--undo"),
    "dev": ("preview",),
    "open": ("preview",),
    "ui": ("preview",),
    "proxy": (),
    "run": (),
    "serve": (),
    "start": (),
    "wrap": (),
}
"""What other tools call our commands; an empty one is the proxy, which needs no command."""
_INTERPRETERS = {".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node"}


def unknown_command(
    known: Sequence[str], before: list[str], name: str, after: list[str], argv: tuple[str, ...]
) -> CliError:
    """Return the error about a word that names no command."""
    message = f"There is no command {name!r}."
    return CliError(message, hint=_hint(known, before, name, after, argv))


def _hint(known: Sequence[str], before: list[str], name: str, after: list[str], argv: tuple[str, ...]) -> str:
    if is_url(name):
        return f"for an upstream behind a URL, type: {exact_command([*before, '--upstream', name, *after], argv)}"
    if name in _MEANT:
        return f"type: {_meant(_MEANT[name], before, after, argv)}"
    if is_program(name):
        upstream = (*interpreted(name), *after, *argv)
        return (
            f"an upstream's command stands after --: {exact_command(before, upstream)}; "
            f"to see it in the browser: {exact_command(['preview', *before], upstream)}"
        )
    near = get_close_matches(name, known, n=1)
    if near:
        return f"did you mean: {exact_command([*before, near[0], *after], argv)}"
    return "mcp-gen-ui --help lists the commands; an upstream's command stands after --"


def interpreted(program: str) -> tuple[str, ...]:
    """Return the words that run a program: a script with its interpreter, anything else as it is."""
    interpreter = _INTERPRETERS.get(Path(program).suffix.lower())
    return (interpreter, program) if interpreter else (program,)


def _meant(words: tuple[str, ...], before: list[str], after: list[str], argv: tuple[str, ...]) -> str:
    if not words:
        return exact_command(before, (*after, *argv) or ("python", "my_server.py"))
    return exact_command([*before, *words, *after], argv)
