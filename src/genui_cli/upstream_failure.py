"""Explains why an upstream gave no answer: its exit code, its last words, and what to do."""

import shlex
from collections import deque
from pathlib import Path

from attrs import Factory, define

from genui_adapters.io.process import UpstreamCommand
from genui_adapters.upstream.options import RemoteUpstream
from genui_cli.cli_error import CliError
from genui_cli.command_words import is_url
from genui_cli.failures import rule_for
from genui_cli.unknown_command import interpreted
from genui_core.domain.logging.redaction import redacted
from genui_core.errors import GenUiError, UpstreamForbidden
from genui_core.ports.event_log import EventLog, Level

_MOST_LINES = 10
_MOST_CHARACTERS = 500
_TOLD_AS_ERROR = frozenset(("upstream_unreachable", "upstream_died"))


@define(eq=False)
class LastWords(EventLog):
    """Keeps the last lines that an upstream wrote, and its exit code; forwards events to another log.

    The end of the upstream is not forwarded: the command's own error says it.

    Args:
        inner: Takes the events.
        secrets: What must not appear in the lines.
    """

    inner: EventLog
    secrets: frozenset[str]
    exit_code: int | None = None
    _lines: deque[str] = Factory(lambda: deque(maxlen=_MOST_LINES))
    _strays: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines, the oldest first."""
        return tuple(self._lines)

    @property
    def wrote_no_message(self) -> bool:
        """Whether it wrote something else than messages to its standard output."""
        return self._strays > 0

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Keep what an upstream wrote, and forward the event."""
        if event in ("upstream_stderr", "not_a_message"):
            self._keep(str(metadata.get("text", "")))
            self._strays += event == "not_a_message"
        code = metadata.get("exit_code")
        if event == "upstream_ended" and isinstance(code, int):
            self.exit_code = code
        if event not in _TOLD_AS_ERROR:
            self.inner.record(level, component, event, **metadata)

    def _keep(self, text: str) -> None:
        self._lines.append(redacted(text[:_MOST_CHARACTERS], self.secrets))


def upstream_failure(
    error: GenUiError, target: UpstreamCommand | RemoteUpstream, heard: LastWords
) -> CliError:
    """Return the CLI error about an upstream that gave no answer.

    Args:
        error: Why.
        target: The upstream.
        heard: What it wrote.
    """
    rule, code = rule_for(error), heard.exit_code
    text = str(error)
    if text.endswith(": it stopped") and code is not None:
        text = f"{text.removesuffix('it stopped')}it ended with exit code {code} before it answered"
    return CliError(
        text,
        hint=rule.hint if isinstance(error, UpstreamForbidden) else _hint(text, target, heard),
        exit_code=rule.exit_code,
        last_words=heard.lines,
    )


def starting_hint(command: UpstreamCommand) -> str:
    """Return what to do about an upstream whose command cannot be started."""
    program = command.argv[0]
    if is_url(program):
        return f"a URL is given as --upstream {program}"
    if command.cwd is not None and not Path(command.cwd).is_dir():
        return "name a directory that is there: --cwd DIR, or upstream.cwd"
    if Path(program).is_file():
        return f"start it as {_in_shell((*_runnable(program), *command.argv[1:]), command.secrets)}"
    if " " in program:
        return "write each word of its command by itself, or all of it in --upstream"
    return f"install {program}, or write its whole path"


def _hint(text: str, target: UpstreamCommand | RemoteUpstream, heard: LastWords) -> str:
    if isinstance(target, RemoteUpstream):
        return "check the URL, and that the server runs there; curl -i URL shows what answers"
    if "cannot start" in text:
        return starting_hint(target)
    by_itself = f"run it by itself: {_in_shell(target.argv, heard.secrets)}"
    if heard.wrote_no_message:
        return f"have it write MCP messages alone to standard output, and all else to standard error; {by_itself}"
    if heard.exit_code is None:
        return f"{by_itself}; a slow start needs more time: upstream.startTimeoutMs"
    return f"{by_itself}; it gets a small environment: pass variables that it needs with -e NAME"


def _runnable(program: str) -> tuple[str, ...]:
    words = interpreted(program)
    return words if len(words) > 1 else (f"./{program}" if "/" not in program else program,)


def _in_shell(argv: tuple[str, ...], secrets: frozenset[str]) -> str:
    return redacted(shlex.join(argv), secrets)
