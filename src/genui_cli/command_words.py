"""Reorders a command line: accepts flags before the command, and an upstream's command without ``--``."""

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, takewhile
from pathlib import Path
from typing import NamedTuple, cast

import rich_click as click

from genui_cli.cli_error import CliError
from genui_cli.upstream_options import UpstreamOptions, is_url, upstream_argv

_EVERYWHERE = frozenset(("--json", "--debug", "--no-color", "--quiet", "-q"))
"""Flags that every command accepts; a command that does not need one ignores it."""
_HELP: Mapping[str, bool] = {"-h": False, "--help": False}
_ROOT_FLAGS = frozenset(("--version", "-V"))
_DASHES = "--"
_OTHER_NAMES = {
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
"""The commands by the names that people try; an empty tuple is the proxy, which needs no command."""
_INTERPRETERS = {".py": "python", ".js": "node", ".mjs": "node", ".cjs": "node"}
CommandLine = tuple[list[str], tuple[str, ...]]
"""The words in the order that the command line library requires, and the upstream's command line."""


class _TypedCommand(NamedTuple):
    """A typed command with the words around its name: each flag with its value, each other word alone."""

    path: tuple[str, ...]
    command: click.Command
    before: list[list[str]]
    after: list[list[str]]


def arrange(root: click.Group, words: Sequence[str], argv: tuple[str, ...]) -> CommandLine:
    """Return the command line with each flag after its command, and the upstream's command line.

    A command line with an unknown flag is returned unchanged: the command line library reports the flag.

    Raises CliError if there is no such command, it does not have a flag that was typed before it, or a
    flag may belong to it or to the upstream.
    """
    named = _typed_command(root, words, argv)
    if named is None:
        return list(words), argv
    own = flags_of(named.command)
    for flag in named.before:
        if not _fits(flag[0], own):
            others = _flat(each for each in (*named.before, *named.after) if each is not flag)
            line = exact_command([*named.path, *others], argv)
            raise _unused_word(f"{_name(flag[0])} is no flag", named, line)
    return _with_upstream(named, own, [*named.before, *named.after], argv)


def exact_command(words: Sequence[str], argv: Sequence[str] = ()) -> str:
    """Return a command line as a person types it in a shell, without secrets."""
    return _without_secrets(("mcp-gen-ui", *words, *((_DASHES, *argv) if argv else ())))


def shown_upstream(upstream: UpstreamOptions) -> str:
    """Return an upstream's command or URL as a person types it, without secrets."""
    return _without_secrets((upstream.url,) if upstream.url else upstream_argv(upstream))


def _without_secrets(line: Sequence[str]) -> str:
    from genui_core.domain.logging.redaction import redacted, secrets_in_command  # noqa: PLC0415

    return redacted(shlex.join(line), secrets_in_command(line, {}))


def flags_of(command: click.Command) -> dict[str, bool]:
    """Return every name of each of a command's flags, and whether a value follows it."""
    options = [each for each in command.params if isinstance(each, click.Option)]
    named = {
        name: not (each.is_flag or each.count)
        for each in options
        for name in (*each.opts, *each.secondary_opts)
    }
    return {**named, **_HELP}


def is_program(word: str) -> bool:
    """Whether a word names a program or a file."""
    # Path.is_file raises on a name that is too long.
    return bool(word) and (os.path.isfile(word) or shutil.which(word) is not None)  # noqa: PTH113


def _typed_command(root: click.Group, words: Sequence[str], argv: tuple[str, ...]) -> _TypedCommand | None:
    """Return the typed command; None if there is none, or the command line library must report an error."""
    flags, before, path = _all_flags(root), list[list[str]](), tuple[str, ...]()
    rest, command = [*_flags_and_words(words, flags)], cast("click.Command", root)
    while isinstance(command, click.Group):
        leading = [*takewhile(lambda each: _is_flag(each[0]), rest)]
        before += leading
        rest = rest[len(leading) :]
        if not rest or not {_name(each[0]) for each in before} <= {*flags} - _ROOT_FLAGS:
            return None
        (name,), *rest = rest
        if name not in command.commands:
            if command is root:
                raise _unknown_command(root, _flat(before), name, _flat(rest), argv)
            return None
        path, command = (*path, name), command.commands[name]
    return _TypedCommand(path, command, before, rest)


def _unused_word(text: str, named: _TypedCommand, line: str) -> CliError:
    name = " ".join(named.path)
    hint = f"leave it out: {line}; mcp-gen-ui {name} --help lists its flags"
    return CliError(f"{text} of {name}", hint=hint)


def _with_upstream(
    named: _TypedCommand, own: Mapping[str, bool], typed: list[list[str]], argv: tuple[str, ...]
) -> CommandLine:
    """Return the command line, with the upstream's command separated if one stands in it without ``--``."""
    at = _upstream_at(named.command, own, typed)
    ours = [*named.path, *_flat(each for each in typed[:at] if each[0] in own or each[0] not in _EVERYWHERE)]
    if at is None:
        return ours, argv
    upstream = _flat(typed[at:])
    if is_url(upstream[0]):
        return [*ours, "--upstream", *upstream], argv
    if argv and not is_program(upstream[0]):
        flags = _flat(each for each in _flags_and_words(upstream, own) if _is_flag(each[0]))
        raise _unused_word(f"{upstream[0]!r} is no argument", named, exact_command([*ours, *flags], argv))
    if argv or named.path == ("install",):  # `install` changes a file: it does not guess
        raise CliError(
            f"{upstream[0]!r} begins the upstream's command, which stands after --",
            hint=f"type: {exact_command(ours, (*upstream, *argv))}",
        )
    shared = next((each for each in upstream if _name(each) in own), None)
    if shared is not None:
        raise _ambiguous(ours, own, upstream, _name(shared))
    return ours, tuple(upstream)


def _upstream_at(command: click.Command, own: Mapping[str, bool], typed: list[list[str]]) -> int | None:
    """Return the index at which the upstream's command begins, or None."""
    if "--upstream" not in own:
        return None
    arguments = sum(isinstance(each, click.Argument) for each in command.params)
    places = [at for at, each in enumerate(typed) if not _is_flag(each[0])][arguments:]
    if not places:
        return None
    flags = [each[0] for each in typed[: places[0]] if _is_flag(each[0])]
    return places[0] if all(_fits(each, own) for each in flags) else None


def _ambiguous(ours: list[str], own: Mapping[str, bool], upstream: list[str], flag: str) -> CliError:
    parts = [*_flags_and_words(upstream, own)]
    moved = _flat(each for each in parts if _name(each[0]) in own)
    left = _flat(each for each in parts if _name(each[0]) not in own)
    return CliError(
        f"{flag} stands after the upstream's command, and mcp-gen-ui has a flag of that name",
        hint=f"for mcp-gen-ui, type: {exact_command([*ours, *moved], left)}; "
        f"for the upstream, type: {exact_command(ours, upstream)}",
    )


def _all_flags(command: click.Command) -> dict[str, bool]:
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    flags: dict[str, bool] = {}
    for each in inner:
        flags.update(_all_flags(each))
    return {**flags, **flags_of(command)}


def _flags_and_words(words: Sequence[str], flags: Mapping[str, bool]) -> Iterator[list[str]]:
    """Yield each flag with its value, and each other word alone."""
    rest = iter(words)
    for word in rest:
        value = next(rest, None) if flags.get(word, False) else None
        yield [word] if value is None else [word, value]


def _flat(parts: Iterable[list[str]]) -> list[str]:
    return [*chain.from_iterable(parts)]


def _is_flag(word: str) -> bool:
    return len(word) > 1 and word.startswith("-")


def _name(word: str) -> str:
    """Return the name of the flag in ``--flag=value``, ``-fvalue`` or ``--flag``."""
    return word.partition("=")[0] if word.startswith("--") else word[:2]


def _fits(word: str, own: Mapping[str, bool]) -> bool:
    return _name(word) in own or word in _EVERYWHERE


def _unknown_command(
    root: click.Group, before: list[str], name: str, after: list[str], argv: tuple[str, ...]
) -> CliError:
    hint = "mcp-gen-ui --help lists the commands; an upstream's command stands after --"
    if is_url(name):
        line = exact_command([*before, "--upstream", name, *after], argv)
        hint = f"for an upstream behind a URL, type: {line}"
    elif name in _OTHER_NAMES:
        words = [*before, *_OTHER_NAMES[name], *after]
        if not _OTHER_NAMES[name]:
            words, argv = before, (*after, *argv) or ("python", "my_server.py")
        hint = f"type: {exact_command(words, argv)}"
    elif is_program(name):
        upstream = (*interpreted(name), *after, *argv)
        hint = (
            f"an upstream's command stands after --: {exact_command(before, upstream)}; "
            f"to see it in the browser: {exact_command(['preview', *before], upstream)}"
        )
    elif near := get_close_matches(name, root.commands, n=1):
        hint = f"did you mean: {exact_command([*before, near[0], *after], argv)}"
    return CliError(f"There is no command {name!r}.", hint=hint)


def interpreted(program: str) -> tuple[str, ...]:
    """Return the words that run a program: a script gets its interpreter, another program none."""
    interpreter = _INTERPRETERS.get(Path(program).suffix.lower())
    return (interpreter, program) if interpreter else (program,)
