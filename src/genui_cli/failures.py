"""Converts errors to CLI errors: the exit code and the hint of each, and an upstream's last output."""

import shlex
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from genui_adapters.bundle import UnfitFolder
from genui_adapters.compose import UnusableFile
from genui_adapters.configured_files import BrokenPrompts
from genui_adapters.host.listening_socket import CannotListen
from genui_adapters.io.process import UpstreamCommand
from genui_adapters.llm.replay import BrokenRecording
from genui_adapters.registry import BrokenAdapter, UnknownAdapter
from genui_adapters.upstream.options import RemoteUpstream
from genui_adapters.view_store.redis_server import BadStoreUrl, StoreUnreachable
from genui_cli.cli_error import (
    FAILED,
    NO_HINT,
    NOT_LET_IN,
    TOOL_OR_MODEL_FAILED,
    UPSTREAM_UNREACHABLE,
    USAGE,
    CliError,
)
from genui_cli.command_words import interpreted
from genui_cli.upstream_options import is_url
from genui_core import errors
from genui_core.domain.logging.redaction import redacted
from genui_core.domain.settings.brand import InvalidBrand
from genui_core.domain.views.exported_views import NotAnExport
from genui_core.errors import GenUiError, ProviderErrorCode, ProviderFailed, UpstreamForbidden
from genui_core.ports.event_log import EventLog, Level

_MOST_LINES = 10
_MOST_CHARACTERS = 500
_REPORTED_AS_ERROR = frozenset(("upstream_unreachable", "upstream_died"))


class LastWords(EventLog):
    """An event log that keeps an upstream's last lines and exit code, and forwards events to another log.

    It does not forward that the upstream is unreachable or died, which the command's own error reports, and only
    the first lines that are no messages: an upstream may print without end.

    Attributes:
        lines: The last lines, the oldest first.
        lines_of_noise: The number of lines on the upstream's standard output that were no messages.
    """

    def __init__(self, inner: EventLog, secrets: frozenset[str]) -> None:
        self.inner = inner
        self.secrets = secrets
        self.exit_code: int | None = None
        self.lines: deque[str] = deque(maxlen=_MOST_LINES)
        self.lines_of_noise = 0

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Keep the upstream's lines and its exit code, and forward the event."""
        if event in ("upstream_stderr", "not_a_message"):
            text = redacted(str(metadata.get("text", "")), self.secrets)
            self.lines.append(text[:_MOST_CHARACTERS])  # a cut before may split a secret
            self.lines_of_noise += event == "not_a_message"
        if event == "upstream_ended" and isinstance(code := metadata.get("exit_code"), int):
            self.exit_code = code
        is_flood = event == "not_a_message" and self.lines_of_noise > _MOST_LINES
        if not is_flood and event not in _REPORTED_AS_ERROR:
            self.inner.record(level, component, event, **metadata)


def upstream_failure(
    error: GenUiError, target: UpstreamCommand | RemoteUpstream, heard: LastWords
) -> CliError:
    """Return the CLI error about an upstream that did not answer."""
    rule, code, text = rule_for(error), heard.exit_code, str(error)
    if text.endswith(": it stopped") and code is not None:
        text = f"{text.removesuffix('it stopped')}it ended with exit code {code} before it answered"
    return CliError(
        text,
        hint=rule.hint if isinstance(error, UpstreamForbidden) else _hint(text, target, heard),
        exit_code=rule.exit_code,
        last_words=heard.lines,
    )


def starting_hint(command: UpstreamCommand) -> str:
    """Return the hint for an upstream whose command cannot be started."""
    program = command.argv[0]
    if "://" in program:
        return f"a URL is given as --upstream {program if is_url(program) else 'https://…'}"
    if command.cwd is not None and not Path(command.cwd).is_dir():
        return "name a directory that is there: --cwd DIR, or upstream.cwd"
    if Path(program).is_file():
        words = interpreted(program)
        if words == (program,) and "/" in program:
            return f"make it executable, chmod +x {program}, or write the program that runs it before it"
        if words == (program,):
            words = (f"./{program}",)
        line = shlex.join((*words, *command.argv[1:]))
        return f"start it as {redacted(line, command.secrets)}"
    if not program or " " in program:
        return "write each word of its command by itself, or all of it in --upstream"
    is_there = Path(program).exists()
    return "name a program, not a folder" if is_there else f"install {program}, or write its whole path"


_BUILD: Final = "install what the server needs and build it, for example: npm install, then npm run build"
_MISSING: Final[Mapping[str, str]] = {
    "No module named": "install what the server needs, for example with uv sync or with pip install -e . "
    "in a .venv; if the module is its own, name its folder with --cwd",
    "MODULE_NOT_FOUND": _BUILD,
    "sh: 1: ": _BUILD,
    ": command not found": _BUILD,
}
"""By a part of a server's output: the hint for a server with missing dependencies."""


def _hint(text: str, target: UpstreamCommand | RemoteUpstream, heard: LastWords) -> str:
    if isinstance(target, RemoteUpstream):
        return "check the URL and the headers, and that the server runs there; curl -i URL shows what answers"
    if "cannot start" in text:
        return starting_hint(target)
    by_itself = f"run it by itself: {redacted(shlex.join(target.argv), heard.secrets)}"
    if heard.lines_of_noise:
        return f"it must write only MCP messages to standard output, the rest to standard error; {by_itself}"
    if heard.exit_code is None or "not ready within" in text:  # its end is then the wrapper's doing
        return f"{by_itself}; a slow start needs more time: upstream.startTimeoutMs"
    said = " ".join(heard.lines)
    missing = next((hint for words, hint in _MISSING.items() if words in said), None)
    return missing or f"{by_itself}; it gets a small environment: pass variables that it needs with -e NAME"


class Rule(NamedTuple):
    """The exit code and the hint of an error."""

    exit_code: int
    hint: str


_LIST_TOOLS: Final = "mcp-gen-ui inspect lists the upstream's tools"
_NO_EXPORT: Final = "name another folder; mcp-gen-ui export --export-dir DIR -- CMD writes into an empty one"
_CREDENTIALS: Final = "look at what -H sends, or upstream.headers: -H 'Authorization: Bearer ${MY_TOKEN}'"
_TRY_BY_ITSELF: Final = "run the upstream's command by itself; pass variables that it needs with -e NAME"
_HINTS: Final[Mapping[int, Mapping[type[GenUiError], str]]] = {
    USAGE: {
        UnknownAdapter: "use one of these names, or a class of an installed package: package.module:Class",
        BrokenAdapter: "install its package where mcp-gen-ui is installed, and check its name",
        UnusableFile: "see logging.file and cache.directory",
        BadStoreUrl: "write cache.url as redis://HOST:PORT/0",
        UnfitFolder: _NO_EXPORT,
        NotAnExport: _NO_EXPORT,
        BrokenPrompts: "see generation.promptsDirectory; "
        "mcp-gen-ui prompts eject FOLDER writes prompts that work",
        InvalidBrand: 'docs/views.md, "Your brand", says what these files hold',
        errors.UnsetVariable: "set the variable, or give it a default: ${NAME:-default}",
        BrokenRecording: "record the answers again, or name another folder: --llm replay:FOLDER",
    },
    FAILED: {StoreUnreachable: "see cache.url; mcp-gen-ui doctor tries it"},
    NOT_LET_IN: {UpstreamForbidden: _CREDENTIALS},
    UPSTREAM_UNREACHABLE: {
        errors.UpstreamUnreachable: _TRY_BY_ITSELF,
        errors.UpstreamDied: _TRY_BY_ITSELF,
        errors.UpstreamTimeout: "give it more time: upstream.startTimeoutMs, upstream.callTimeoutMs",
    },
    TOOL_OR_MODEL_FAILED: {
        errors.UpstreamFailed: "the message is the upstream's; its own log may say more",
        errors.HostRefused: "the message is the host's; its own log may say more",
        errors.UnknownTool: _LIST_TOOLS,
        errors.ResourceNotFound: _LIST_TOOLS,
        errors.ToolChanged: _LIST_TOOLS,
        errors.InvalidArguments: "the message names the argument",
        errors.NoModel: "name a model with --llm; mcp-gen-ui --help lists the providers",
        errors.NotValidated: "try again; mcp-gen-ui doctor tries the checks of views",
        errors.NoSampling: "name another provider with --llm",
        errors.NotAugmented: "the message says what the result lacks",
        errors.NotCanonical: "give finite numbers and plain JSON values",
        errors.InvalidAddress: "an address is written ui://NAME",
        GenUiError: NO_HINT,
    },
}
RULES: Final = {
    kind: Rule(exit_code, hint) for exit_code, hints in _HINTS.items() for kind, hint in hints.items()
}
"""The rules by error class; the nearest listed base class of an error decides."""
_PROVIDER_HINTS: Final = {
    ProviderErrorCode.TIMEOUT: "use a faster model, or more time: generation.timeoutMs",
    ProviderErrorCode.RATE_LIMIT: "wait, or raise the limit of your account; --llm none needs no model",
    ProviderErrorCode.SERVER_ERROR: "try again later, or name another provider with --llm",
    ProviderErrorCode.NETWORK_ERROR: "check the network, the proxy variables and llm.baseUrl",
    ProviderErrorCode.INVALID_REQUEST: "check the model or folder that --llm names; mcp-gen-ui doctor shows it",
    ProviderErrorCode.AUTHENTICATION: "set the provider's key where mcp-gen-ui starts; --llm none needs no key",
    ProviderErrorCode.CONTENT_FILTERED: "name another model with --llm; the model refuses this tool",
    ProviderErrorCode.ABORTED: "run the command again",
}
PROVIDER_RULES: Final = {
    code: Rule(NOT_LET_IN if code is ProviderErrorCode.AUTHENTICATION else TOOL_OR_MODEL_FAILED, hint)
    for code, hint in _PROVIDER_HINTS.items()
}
_FILE_HINT: Final = "check that the file or folder is there and that you may use it; --debug shows where"


def rule_for(error: GenUiError) -> Rule:
    """Return the exit code and the hint of an error."""
    nearest = next(kind for kind in type(error).__mro__ if kind in RULES)
    if nearest is GenUiError and isinstance(error, ProviderFailed):
        return PROVIDER_RULES[error.code]
    return RULES[nearest]


def error_about(error: Exception) -> CliError:
    """Return the CLI error for an error that no command handled."""
    if isinstance(error, GenUiError):
        rule, text = rule_for(error), str(error)
        if isinstance(error, ProviderFailed):
            text = text.removeprefix(f"{error.code}: ")
        return CliError(text, hint=rule.hint, exit_code=rule.exit_code)
    if isinstance(error, CannotListen):
        return CliError(str(error), hint=error.hint)
    text = f"something went wrong: {type(error).__name__}: {error}"
    if isinstance(error, OSError) and error.filename is not None:
        text = f"{error.filename} cannot be used: {error.strerror}"
    is_of_files = isinstance(error, OSError) and not isinstance(error, ConnectionError | TimeoutError)
    hint = _FILE_HINT if is_of_files else "--debug shows where; please report it with that"
    return CliError(text, hint=hint, exit_code=FAILED)
