"""Generates the reference of the command line from its commands."""

import re
from collections.abc import Iterator
from typing import Final

import rich_click as click

from genui_cli.commands import cli
from genui_cli.flags import PROVIDER_EXAMPLES

_HEAD: Final = """\
# Command line reference

<!-- Written by `python docs/generators`; a test compares the two. -->

Every command and every flag. [Command line](../command-line.md) explains how to use them and how to order them.

Everything after the first `--` is the command that starts your server; mcp-gen-ui does not read flags there.
`-h` and `--help` explain each command.
"""
_MARKUP: Final = re.compile(r"\[/?(?:b|dim)\]")


def cli_page() -> str:
    """Return the page."""
    return _HEAD + "".join(_section(words, command) for words, command in shown_commands()) + _providers()


def _providers() -> str:
    rows = "".join(f"| `--llm {value}` | {meaning} |\n" for value, meaning in PROVIDER_EXAMPLES.items())
    return f"\n## Providers\n\nThe values of `--llm`, with an example for each provider.\n\n| | |\n|---|---|\n{rows}"


def shown_commands(
    command: click.Command = cli, words: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command that help shows, with the words that name it."""
    yield words, command
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            if not command.commands[name].hidden:
                yield from shown_commands(command.commands[name], (*words, name))


def _section(words: tuple[str, ...], command: click.Command) -> str:
    name = " ".join(("mcp-gen-ui", *words))
    arguments = [each for each in command.params if isinstance(each, click.Argument)]
    usage = " ".join((name, "[FLAGS]", *(each.make_metavar(click.Context(command)) for each in arguments)))
    options = [each for each in command.params if isinstance(each, click.Option)]
    rows = "".join(_row(each) for each in options if not each.hidden)
    table = f"\n| flag | takes | default | |\n|---|---|---|---|\n{rows}" if rows else ""
    examples = "".join(f"{line}\n" for line in _examples(command))
    text = _plain(command.help or "")
    return f"\n## `{name}`\n\n{text}\n\n```text\n{usage}\n```\n{table}\n```sh\n{examples}```\n"


def _row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    repeated = "; may be given again" if option.multiple else ""
    takes = "" if option.is_flag else f"{_takes(option)}{repeated}"
    return (
        f"| {names} | {takes} | {_default(option)} | {_cell(option.help or _MEANINGS[option.opts[-1]])} |\n"
    )


_MEANINGS: Final = {
    "--host": "The address to listen on.",
    "--port": "The port to listen on; 0 selects a free one.",
}
"""Descriptions of flags that have none in the help, because their names say enough there."""


def _takes(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return ", ".join(f"`{each}`" for each in option.type.choices)
    if isinstance(option.type, click.IntRange):
        return f"{option.type.min} to {option.type.max}"
    return f"`{_cell(option.metavar or option.name or '')}`"


def _default(option: click.Option) -> str:
    shown = option.show_default
    if isinstance(shown, str):
        return f"`{shown}`" if " " not in shown else shown
    if option.is_flag or option.multiple or option.default is None or "UNSET" in repr(option.default):
        return ""
    return f"`{option.default}`"


def _examples(command: click.Command) -> Iterator[str]:
    for line in _MARKUP.sub("", str(command.epilog or "")).splitlines():
        if line.startswith("$ "):
            yield line.removeprefix("$ ")


def _plain(text: str) -> str:
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
