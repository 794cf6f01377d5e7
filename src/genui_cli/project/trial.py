"""Tries the commands that may start a server: starts each, lists its tools, and stops it."""

from collections.abc import Mapping, Sequence

import anyio
from attrs import frozen

from genui_cli.cli_error import UPSTREAM_UNREACHABLE, CliError
from genui_cli.failures import error_about
from genui_cli.project.candidates import Candidate
from genui_cli.subcommands.upstream_tools import upstream_tools
from genui_core.domain.settings.configuration import Configuration
from genui_core.errors import GenUiError
from genui_core.ports.event_log import EventLog, Level


@frozen
class Trial:
    """The result of one command.

    Attributes:
        candidate: The command.
        tools: The names of the server's tools; None if the command does not work.
        error: Why it does not work.
    """

    candidate: Candidate
    tools: tuple[str, ...] | None
    error: CliError | None = None


class _NoLog(EventLog):
    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Drop the event."""


async def tried(found: Sequence[Candidate], environment: Mapping[str, str], within_s: float) -> list[Trial]:
    """Return the result of each command. One runs at a time, and no tool is called.

    Args:
        found: The commands.
        environment: The variables of the person's session.
        within_s: The most seconds for one command.
    """
    return [await _tried(each, environment, within_s) for each in found]


async def _tried(candidate: Candidate, environment: Mapping[str, str], within_s: float) -> Trial:
    try:
        with anyio.fail_after(within_s):
            listed = await upstream_tools(candidate.upstream, Configuration(), environment, _NoLog())
    except TimeoutError:
        text = f"it listed no tools within {within_s:g} s"
        error = CliError(text, hint="give it more time: --timeout SECONDS", exit_code=UPSTREAM_UNREACHABLE)
        return Trial(candidate, None, error)
    except CliError as error:
        return Trial(candidate, None, error)
    except GenUiError as error:
        return Trial(candidate, None, error_about(error))
    return Trial(candidate, tuple(each.name for each in listed.tools))
