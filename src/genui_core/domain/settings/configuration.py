"""All that can be configured (SPEC §11): the core's settings, and what is around the core."""

from collections.abc import Mapping
from typing import Literal

from attrs import Factory, field, frozen

from genui_core.domain.settings.setting import note
from genui_core.domain.settings.settings import Settings


@frozen(kw_only=True)
class UpstreamTarget:
    """Which server gets UIs: the rest of ``upstream``. Each field says itself what it is for."""

    transport: Literal["stdio", "sse", "http"] | None = field(
        default=None,
        metadata=note(
            "upstream.transport",
            "How the upstream is reached.",
            fallback="`stdio` for a command; `http` for a URL, or SSE where it has only that",
        ),
    )
    command: str | None = field(
        default=None, metadata=note("upstream.command", "The program of the upstream.", expands=True)
    )
    args: tuple[str, ...] = field(
        default=(), metadata=note("upstream.args", "What the program is called with.", expands=True)
    )
    env: Mapping[str, str] = field(
        factory=dict,
        repr=False,
        metadata=note(
            "upstream.env",
            "Variables for the upstream, which gets no others but a few harmless ones.",
            is_secret=True,
            expands=True,
        ),
    )
    cwd: str | None = field(
        default=None,
        metadata=note(
            "upstream.cwd",
            "The folder the upstream is started in.",
            fallback="that of the wrapper",
            expands=True,
            is_path=True,
        ),
    )
    url: str | None = field(
        default=None,
        metadata=note(
            "upstream.url", "The address of a running upstream, instead of a command.", expands=True
        ),
    )
    headers: Mapping[str, str] = field(
        factory=dict,
        repr=False,
        metadata=note(
            "upstream.headers", "Sent with every request to the URL.", is_secret=True, expands=True
        ),
    )
    protocol: Literal["auto", "legacy", "modern"] = field(
        default="auto",
        metadata=note(
            "upstream.protocol",
            "Which generation of MCP is spoken with a URL or behind HTTP: with a handshake, without, "
            "or what the upstream can.",
        ),
    )


@frozen(kw_only=True)
class LoggingSettings:
    """What is logged, and where to (``logging``). Each field says itself what it is for."""

    level: Literal["debug", "info", "warn", "error"] = field(
        default="info", metadata=note("logging.level", "The least that is worth a line.")
    )
    format: Literal["text", "json"] = field(
        default="text", metadata=note("logging.format", "One line an event, for people or for programs.")
    )
    destination: Literal["stderr", "file", "stdout"] = field(
        default="stderr",
        metadata=note(
            "logging.destination",
            "Where the lines go; `stdout` only where hosts are not served on it.",
        ),
    )
    file: str | None = field(
        default=None,
        metadata=note("logging.file", "The file for `destination: file`, which needs it.", is_path=True),
    )
    redact_sensitive_data: bool = field(
        default=True,
        metadata=note("logging.redactSensitiveData", "Leave out of the log what looks like a secret."),
    )


@frozen(kw_only=True)
class ServeSettings:
    """How hosts reach the wrapper (``serve``). Each field says itself what it is for."""

    transport: Literal["stdio", "http", "sse"] = field(
        default="stdio",
        metadata=note(
            "serve.transport", "Serve the host that starts us, or many over Streamable HTTP or SSE."
        ),
    )
    host: str = field(default="127.0.0.1", metadata=note("serve.host", "The address to serve on."))
    port: int = field(
        default=8000, metadata=note("serve.port", "Its port; 0 takes a free one.", least=0, most=65535)
    )
    token: str | None = field(
        default=None,
        repr=False,
        metadata=note(
            "serve.token",
            "What every request must carry as its bearer token.",
            fallback="none is needed on this machine",
            is_secret=True,
            variable="MCP_GEN_UI_TOKEN",
        ),
    )
    allowed_hosts: tuple[str, ...] = field(
        default=(),
        metadata=note("serve.allowedHosts", "Names we may be called by besides those of this machine."),
    )
    allowed_origins: tuple[str, ...] = field(
        default=(),
        metadata=note("serve.allowedOrigins", "Web pages that may speak to us, as `https://app.example`."),
    )


@frozen(kw_only=True)
class Configuration:
    """All that can be configured.

    Attributes:
        upstream: Which server gets UIs.
        settings: What the core obeys.
        logging: What is logged.
        serve: How hosts reach us.
        debug: Whether a person wants to see everything; no file says that.
        frozen: The folder of exported views to serve instead of a model's; no file says that.
        export_dir: The folder into which every view goes as it is made; no file says that.
        serving_flags: Those of ``--host`` and ``--port`` that were typed.
    """

    upstream: UpstreamTarget = Factory(UpstreamTarget)
    settings: Settings = Factory(Settings)
    logging: LoggingSettings = Factory(LoggingSettings)
    serve: ServeSettings = Factory(ServeSettings)
    debug: bool = False
    frozen: str | None = None
    export_dir: str | None = None
    serving_flags: tuple[str, ...] = ()
