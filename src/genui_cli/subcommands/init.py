"""``mcp-gen-ui init``: finds the command that starts this folder's server, and prints the next steps."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import rich_click as click
from click import get_current_context

from genui_cli.cli_error import OK, UPSTREAM_UNREACHABLE, CliError
from genui_cli.command_words import CommandLine, exact_command, shown_upstream
from genui_cli.flags import HOST_NAMES, examples, json_flag
from genui_cli.output import counted, note, say, say_json, say_table, short_words
from genui_cli.upstream_options import proxy_arguments, split_at_dashes

if TYPE_CHECKING:
    from genui_cli.install.project import Candidate


@click.command(
    epilog=examples(
        "mcp-gen-ui init",
        "mcp-gen-ui init --yes --json",
        "mcp-gen-ui init --preview",
        "mcp-gen-ui init --install cursor",
    )
)
@click.option("--preview", "shows", is_flag=True, help="Open the preview of the server that was found.")
@click.option(
    "--install", "host", metavar="HOST", type=click.Choice(HOST_NAMES), help="Add the server to this host."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1, 600),
    metavar="SECONDS",
    default=20,
    show_default=True,
    help="The most time that one command has to list its tools.",
)
@click.option("-y", "--yes", is_flag=True, help="Do not ask before commands are started or a file changes.")
@json_flag
def init(*, shows: bool, host: str | None, timeout: float, yes: bool, as_json: bool) -> int:
    """Find how the project in this folder starts its MCP server, and say what to do next.

    Each command that the project's files name is started, asked for its tools, and stopped. No tool is
    called. No file changes, except with --install.
    """
    from genui_cli.install.project import LOOKED_FOR, candidates  # noqa: PLC0415 -- not for --help

    if as_json and (shows or host):
        raise CliError("--json goes with neither --preview nor --install", hint="leave one out")
    folder = Path.cwd()
    found = candidates(folder)
    if not found:
        hint = f"it looked for {LOOKED_FOR}; if you know the command: mcp-gen-ui preview -- CMD"
        raise CliError(f"no command that starts an MCP server was found in {folder}", hint=hint)
    _ask(found, yes=yes)
    trials = [_try(each, timeout) for each in found]
    works = [each.candidate for each in trials if not isinstance(each.outcome, CliError)]
    if not works:
        raise _none_works(trials, folder)
    if as_json:
        say_json({"folder": str(folder), "candidates": [_as_data(each) for each in trials]})
        return OK
    _tell(trials, works)
    if host:
        return _install(works[0], host, yes=yes)
    return _run(_preview_words(works[0])) if shows else OK


def _ask(found: "list[Candidate]", *, yes: bool) -> None:
    """Print the commands, and ask whether to start them.

    Raises CliError if there is no terminal to ask on.
    """
    for each in found:
        note(f"found {each.source}: {shown_upstream(each.upstream)}")
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        hint = "add --yes to start them without a question"
        raise CliError("these commands of the folder were not started", hint=hint)
    click.confirm("Start each for a moment, to list its tools?", default=True, abort=True, err=True)


class Trial(NamedTuple):
    """The result of one command: the names of the server's tools, or the error."""

    candidate: "Candidate"
    outcome: tuple[str, ...] | CliError


def _try(candidate: "Candidate", within_s: float) -> Trial:
    import anyio  # noqa: PLC0415 -- not for --help

    from genui_cli.subcommands.upstream_tools import tool_names  # noqa: PLC0415

    try:
        return Trial(candidate, anyio.run(tool_names, candidate.upstream, within_s))
    except CliError as error:
        return Trial(candidate, error)


def _none_works(trials: list[Trial], folder: Path) -> CliError:
    """Return the error about trials that all failed, with the hint and last words of the first."""
    tried = "; ".join(f"{each.candidate.source}: {each.outcome}" for each in trials)
    text = f"no command in {folder} starts an MCP server that lists its tools: {tried}"
    first = next(each.outcome for each in trials if isinstance(each.outcome, CliError))
    return CliError(text, hint=first.hint, exit_code=UPSTREAM_UNREACHABLE, last_words=first.last_words)


def _tell(trials: list[Trial], works: "list[Candidate]") -> None:
    rows = [("found in", "result", "command")]
    for candidate, outcome in trials:
        result = counted(len(outcome), "tool") if isinstance(outcome, tuple) else short_words(str(outcome))
        rows.append((candidate.source, result, shown_upstream(candidate.upstream)))
    say_table(rows)
    say()
    if len(works) > 1:
        say("Several commands work; these are the next steps for the first:")
    steps = _next_steps(works[0])
    say(f"See its views:     {steps['preview']}")
    say(f"Add it to a host:  {steps['install']}")


def _as_data(trial: Trial) -> dict[str, object]:
    candidate, outcome = trial
    has_failed = isinstance(outcome, CliError)
    return {
        "source": candidate.source,
        "command": shown_upstream(candidate.upstream),
        "tools": None if has_failed else outcome,
        "error": str(outcome) if has_failed else None,
        "next": None if has_failed else _next_steps(candidate),
    }


def _next_steps(candidate: "Candidate") -> dict[str, str]:
    """Return the commands of the next steps; one with a secret is replaced by a command of `init`."""
    from genui_core.domain.logging.redaction import HIDDEN  # noqa: PLC0415 -- not for --help

    host = candidate.host or "claude-desktop"
    lines = {"preview": _preview_words(candidate), "install": _install_words(candidate, host)}
    steps = {name: exact_command(*line) for name, line in lines.items()}
    by_init = {"preview": "mcp-gen-ui init --preview", "install": f"mcp-gen-ui init --install {host}"}
    return {name: by_init[name] if HIDDEN in step else step for name, step in steps.items()}


def _preview_words(candidate: "Candidate") -> CommandLine:
    return split_at_dashes(["preview", *proxy_arguments(candidate.upstream, {})])


def _install_words(candidate: "Candidate", host: str) -> CommandLine:
    if candidate.host == host and candidate.name:
        return ["install", host, "--wrap", candidate.name], ()
    from genui_cli.subcommands.bundle import name_for  # noqa: PLC0415 -- not for --help

    name = candidate.name or name_for((os.path.basename(os.getcwd()),))  # noqa: PTH109, PTH119 -- a text
    upstream = candidate.upstream  # a host starts it elsewhere, where it would not find its files
    here = upstream if upstream.cwd or upstream.url else upstream._replace(cwd=".")
    return split_at_dashes(["install", host, "--name", name, *proxy_arguments(here, {})])


def _install(candidate: "Candidate", host: str, *, yes: bool) -> int:
    words = _install_words(candidate, host)
    note(f"this changes the list of servers of {host}: {exact_command(*words)}")
    if not yes:
        click.confirm("Change it?", default=True, abort=True, err=True)
    return _run(words)


def _run(line: CommandLine) -> int:
    words, argv = line
    program = get_current_context().find_root().command
    code = program.main(words, prog_name="mcp-gen-ui", obj=argv, standalone_mode=False)
    return code if isinstance(code, int) else OK
