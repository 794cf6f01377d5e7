"""Converts typed options to an upstream's command or URL, and to the arguments of another proxy.

Every proxy imports this module before it starts the upstream, so it imports no library at its top.
"""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from genui_cli.cli_error import CliError

if TYPE_CHECKING:
    from genui_adapters.io.process import UpstreamCommand
    from genui_adapters.upstream.options import RemoteUpstream
    from genui_core.domain.settings.configuration import UpstreamTarget

_REMOTE_EXAMPLE = "for example: mcp-gen-ui --upstream https://example.org/mcp"
_EXAMPLE = "-- python my_server.py"
_HINT = f"write its command after the dashes: {_EXAMPLE}; mcp-gen-ui demo shows a server that is bundled"
_TWICE = "the upstream was given twice"
_WITH_VALUE = ("config", "server", "llm", "model", "frozen")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "transport": ("stdio", "http", "sse"),
    "log_level": ("debug", "info", "warn", "error"),
    "log_format": ("text", "json"),
    "protocol": ("auto", "legacy", "modern"),
    "apps": ("auto", "always", "never"),
    "companion": ("onDemand", "always", "never"),
}
"""The flags of the proxy that take one of a few words, with the words."""
SWITCHES = ("debug", "no_cache", "quiet")


class UpstreamOptions(NamedTuple):
    """The options of an upstream: the typed ones, and the configured ones that they replace.

    Attributes:
        argv: The words after ``--``.
        env: Each ``-e``: ``KEY=VALUE``, or ``KEY`` to copy the variable from this environment.
        headers: Each ``-H``: ``NAME: VALUE``, for an upstream behind a URL.
        configured: The configured upstream, used where nothing was typed.
    """

    upstream: str | None = None
    argv: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    cwd: str | None = None
    headers: tuple[str, ...] = ()
    env_file: str | None = None
    configured: "UpstreamTarget | None" = None

    @property
    def is_named(self) -> bool:
        """Whether the command line names the upstream."""
        return self.upstream is not None or bool(self.argv)

    @property
    def url(self) -> str | None:
        """The upstream's URL; None for a command. Raises CliError if the typed URL has no host."""
        if not self.is_named:
            return self.configured.url if self.configured is not None else None
        if self.upstream is None or not is_url(self.upstream):
            return None
        if not is_whole_url(self.upstream):
            raise CliError(f"{self.upstream!r} is no URL", hint="for example https://example.org/mcp")
        return self.upstream


def is_url(word: str) -> bool:
    """Whether a word is the URL of an upstream."""
    return word.startswith(("http://", "https://"))


def is_whole_url(text: str) -> bool:
    """Whether a text is an HTTP or HTTPS URL with a host and a usable port."""
    from urllib.parse import urlsplit  # noqa: PLC0415 -- not for a command

    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def split_at_dashes(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Split a command line at the first ``--``: our words, and the upstream's unchanged."""
    if "--" not in words:
        return list(words), ()
    at = words.index("--")
    return list(words[:at]), tuple(words[at + 1 :])


def upstream_command(options: UpstreamOptions) -> "UpstreamCommand":
    """Return how to start the upstream.

    Raises CliError if no upstream or two are named, or an option cannot be parsed.
    """
    from genui_adapters.io.process import UpstreamCommand, upstream_environment  # noqa: PLC0415 -- not for --help

    argv, configured = upstream_argv(options), options.configured
    cwd = options.cwd or (configured.cwd if configured else None)
    return UpstreamCommand(argv, upstream_environment(os.environ, upstream_variables(options)), cwd)


def upstream_variables(options: UpstreamOptions) -> dict[str, str]:
    """Return the typed and configured variables of the upstream; raises as `upstream_command`."""
    configured = options.configured.env if options.configured else {}
    if options.env_file is not None:
        from genui_cli.configuration.files import read_env_file  # noqa: PLC0415 -- rarely needed

        configured = {**configured, **read_env_file(options.env_file)}
    return {**configured, **_typed(options.env)}


def upstream_argv(options: UpstreamOptions) -> tuple[str, ...]:
    """Return the upstream's command line; raises as `upstream_command`."""
    if options.upstream is not None and options.argv:
        raise CliError(_TWICE, hint="use --upstream or --, not both")
    if options.upstream is not None:
        return words_of(options.upstream)
    if options.argv:
        return options.argv
    if options.configured is not None and options.configured.command is not None:
        return (options.configured.command, *options.configured.args)
    raise CliError("no upstream MCP server was given", hint=_HINT)


def words_of(upstream: str, *, on_windows: bool = os.name == "nt") -> tuple[str, ...]:
    """Return the words of ``--upstream``. Raises CliError if there are none, or a quote is open."""
    import shlex  # noqa: PLC0415 -- not for words after --

    lexer = shlex.shlex(upstream, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    lexer.escape = "" if on_windows else "\\"  # on Windows, a backslash separates folders
    try:
        words = tuple(lexer)
    except ValueError as error:
        raise CliError(f"--upstream {upstream!r}: {error}", hint="check the quotes") from error
    if not words:
        raise CliError("--upstream is empty", hint='for example: --upstream "python my_server.py"')
    return words


def _typed(settings: Sequence[str]) -> dict[str, str]:
    given = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not name or (not equals and name not in os.environ):
            raise CliError(f"-e {setting}: no such variable is set here", hint="write -e KEY=VALUE")
        given[name] = value if equals else os.environ[name]
    return given


def upstream_of(
    options: UpstreamOptions, environment: Mapping[str, str]
) -> "RemoteUpstream | UpstreamCommand":
    """Return how to start the upstream, or its URL with headers, in which ``${VARIABLES}`` are replaced.

    Raises CliError if options exclude each other or cannot be parsed, or no upstream is named.
    """
    url, configured = options.url, options.configured
    if url is None:
        if options.headers:
            raise CliError("-H is for an upstream behind a URL", hint=_REMOTE_EXAMPLE)
        return upstream_command(options)
    if options.argv:
        raise CliError(_TWICE, hint="use --upstream or --, not both")
    if options.env or options.cwd or options.env_file:
        text = "-e, --env-file and --cwd are for an upstream that is started here, not for one behind a URL"
        raise CliError(text, hint=_REMOTE_EXAMPLE)
    from genui_adapters.upstream.options import RemoteUpstream  # noqa: PLC0415 -- for this kind of upstream

    typed = dict(_header(each, environment) for each in options.headers)
    if configured is None:
        return RemoteUpstream(url, typed)
    headers = {**configured.headers, **typed}
    return RemoteUpstream(url, headers, "sse" if configured.transport == "sse" else "http")


def _header(typed: str, environment: Mapping[str, str]) -> tuple[str, str]:
    from genui_core.domain.settings.configuration import expanded  # noqa: PLC0415 -- see above
    from genui_core.errors import UnsetVariable  # noqa: PLC0415

    name, colon, value = typed.partition(":")
    if not colon or not name.strip():
        raise CliError(
            "-H is written NAME: VALUE", hint='for example: -H "Authorization: Bearer ${MY_TOKEN}"'
        )
    try:
        return name.strip(), expanded(value.strip(), environment, f"-H {name.strip()}")
    except UnsetVariable as error:
        raise CliError(str(error), hint="set it, or write the value itself") from error


def proxy_arguments(upstream: UpstreamOptions, values: Mapping[str, object]) -> tuple[str, ...]:
    """Return the arguments that start a proxy with the same options; CliError for an unnamed -e or -H."""
    words: list[str] = []
    for name in _WITH_VALUE:
        words += [f"--{name}", str(values[name])] if values.get(name) else []
    words += [f"--{name.replace('_', '-')}" for name in SWITCHES if values.get(name)]
    for flag, typed, sign in (("-e", upstream.env, "="), ("-H", upstream.headers, ":")):
        for each in typed:
            if not each.partition(sign)[0].strip():
                raise CliError(f"{flag} {each!r} has no name", hint=f"write {flag} NAME{sign}VALUE")
            words += (flag, each)
    for name in ("env_file", "cwd", "upstream"):
        value = getattr(upstream, name)
        words += [f"--{name.replace('_', '-')}", value] if value is not None else []
    return (*words, "--", *upstream.argv) if upstream.argv else tuple(words)
