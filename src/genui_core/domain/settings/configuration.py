"""The whole configuration (requirement S1): the settings of core, upstream, log and transport."""

import re
from collections.abc import Mapping
from typing import Literal

from attrs import Factory, frozen

from genui_core.domain.settings.setting import section, setting
from genui_core.domain.settings.settings import Settings
from genui_core.errors import UnsetVariable


@frozen(kw_only=True, field_transformer=section("upstream"))
class UpstreamTarget:
    """The upstream to wrap: the rest of ``upstream``; each field has its own description."""

    transport: Literal["stdio", "sse", "http"] | None = setting(
        None,
        "The transport to the upstream.",
        fallback="`stdio` for a command; `http` for a URL, or SSE where it has only that",
    )
    command: str | None = setting(None, "The command that starts the upstream.", expands=True)
    args: tuple[str, ...] = setting((), "The command's arguments.", expands=True)
    env: Mapping[str, str] = setting(
        Factory(dict),
        "Environment variables for the upstream. It gets these and a safe base of the wrapper's own.",
        is_secret=True,
        expands=True,
    )
    cwd: str | None = setting(
        None, "The upstream's working directory.", fallback="that of the wrapper", expands=True, is_path=True
    )
    url: str | None = setting(None, "The URL of a running upstream, instead of a command.", expands=True)
    headers: Mapping[str, str] = setting(
        Factory(dict), "HTTP headers for every request to the URL.", is_secret=True, expands=True
    )
    protocol: Literal["auto", "legacy", "modern"] = setting(
        "auto",
        "The MCP protocol era for an upstream behind a URL or HTTP: with a handshake, without one, "
        "or what the upstream supports.",
    )


@frozen(kw_only=True, field_transformer=section("logging"))
class LoggingSettings:
    """What the wrapper logs, and where (``logging``); each field has its own description."""

    level: Literal["debug", "info", "warn", "error"] = setting("info", "The lowest level that is logged.")
    format: Literal["text", "json"] = setting(
        "text", "The format of each event's line: for people or for programs."
    )
    destination: Literal["stderr", "file", "stdout"] = setting(
        "stderr", "Where the log goes; `stdout` works only if no host is served on it."
    )
    file: str | None = setting(None, "The log file; required for `destination: file`.", is_path=True)
    redact_sensitive_data: bool = setting(True, "Redact in the log what looks like a secret.")


@frozen(kw_only=True, field_transformer=section("serve"))
class ServeSettings:
    """How hosts reach the wrapper (``serve``); each field has its own description."""

    transport: Literal["stdio", "http", "sse"] = setting(
        "stdio", "Serve one host on standard input and output, or many hosts over Streamable HTTP or SSE."
    )
    host: str = setting("127.0.0.1", "The address to listen on.")
    port: int = setting(8000, "The port to listen on; 0 selects a free one.", least=0, most=65535)
    token: str | None = setting(
        None,
        "The bearer token that every request must send.",
        fallback="none is needed on this machine",
        is_secret=True,
        variable="MCP_GEN_UI_TOKEN",
    )
    allowed_hosts: tuple[str, ...] = setting(
        (), "Host names that requests may use, besides those of this machine."
    )
    allowed_origins: tuple[str, ...] = setting(
        (), "Origins of web pages that may send requests, such as `https://app.example`."
    )


@frozen(kw_only=True)
class Configuration:
    """The whole configuration.

    Attributes:
        debug: Whether to log everything; no config file sets this.
        frozen: The folder of exported views to serve, without a model; no config file sets this.
        export_dir: The folder to which the wrapper exports each finished view; no config file sets this.
        serving_flags: The flags among ``--host`` and ``--port`` that the command line has.
    """

    upstream: UpstreamTarget = Factory(UpstreamTarget)
    settings: Settings = Factory(Settings)
    logging: LoggingSettings = Factory(LoggingSettings)
    serve: ServeSettings = Factory(ServeSettings)
    debug: bool = False
    frozen: str | None = None
    export_dir: str | None = None
    serving_flags: tuple[str, ...] = ()


_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def expanded(text: str, environment: Mapping[str, str], place: str) -> str:
    """Return the text with every variable replaced by its value; values are not expanded again.

    As in a shell, a default also replaces an empty variable. Text that only resembles a variable
    stays unchanged.

    Raises:
        UnsetVariable: A variable is not set and has no default.
    """

    def value(match: re.Match[str]) -> str:
        name, default = match.groups()
        found = environment.get(name)
        if default is not None:
            return found or default
        if found is None:
            raise UnsetVariable(name, place)
        return found

    return _VARIABLE.sub(value, text)
