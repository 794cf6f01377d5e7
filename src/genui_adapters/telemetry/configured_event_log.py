"""Builds the configured event log: redaction, the format of its lines, and listeners to its events."""

import contextlib
import json
import os
import select
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from attrs import define, field, frozen

from genui_core.domain.logging.redaction import (
    is_secret_name,
    redacted_value,
    secrets_in_command,
    secrets_in_proxies,
    secrets_in_request,
    secrets_in_url,
)
from genui_core.ports.event_log import EventLog, Level

if TYPE_CHECKING:
    from genui_adapters.telemetry.tally import Tally
    from genui_core.domain.settings.configuration import Configuration, LoggingSettings
    from genui_core.domain.settings.settings import Settings


LogFormat = Literal["text", "json"]

_PLACED = ("request_id", "tool_name", "duration_ms", "cache_key", "error")
_JSON_NAMES = {"request_id": "requestId"}
_MAX_CUT_CHARACTERS = 1500
_MAX_ID_CHARACTERS = 120
"""Values up to this length keep their field when a line is cut."""
_MAX_LINE_BYTES = 4096
"""A pipe writes this many bytes at once, or reports that it is full (POSIX PIPE_BUF on Linux)."""


@define(eq=False, repr=False)
class StreamEventLog(EventLog):
    """Writes events of a level and above to a file descriptor, by default to standard error.

    A reader that does not read never blocks the wrapper: a line that would block is dropped, and the next
    line that is written says how many were dropped.
    """

    level: Level = Level.INFO
    format: LogFormat = "text"
    fd: int = 2
    _dropped: int = 0

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Write the event unless it is below the level or the descriptor is full."""
        if level < self.level:
            return
        if self._dropped:
            metadata["dropped_before"] = self._dropped
        render = _json_line if self.format == "json" else _text_line
        line = render(datetime.now(UTC), level, component, event, metadata)
        if not _is_writable(self.fd):
            self._dropped += 1
            return
        self._dropped = 0
        with contextlib.suppress(OSError):
            os.write(self.fd, line)


def _is_writable(fd: int) -> bool:
    if sys.platform == "win32":  # where select() accepts only sockets
        return True
    try:
        return bool(select.select((), (fd,), (), 0)[1])
    except (OSError, ValueError):
        return False


def _text_line(
    when: datetime, level: Level, component: str, event: str, metadata: Mapping[str, object]
) -> bytes:
    fields = "".join(f" {key}={_text_value(value)}" for key, value in metadata.items() if value is not None)
    line = f"{when:%H:%M:%S} {level.name.lower():5} {component} {event}{fields}".encode(
        "utf-8", "backslashreplace"
    )
    if len(line) >= _MAX_LINE_BYTES:
        line = line[: _MAX_LINE_BYTES - 4].decode(errors="ignore").encode() + "…".encode()
    return line + b"\n"


def _json_line(
    when: datetime, level: Level, component: str, event: str, metadata: Mapping[str, object]
) -> bytes:
    record: dict[str, object] = {
        "timestamp": when.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": level.name.lower(),
        "component": component,
        "event": event,
    }
    placed = {_JSON_NAMES.get(key, key): metadata[key] for key in _PLACED if metadata.get(key) is not None}
    rest = {key: value for key, value in metadata.items() if key not in _PLACED}
    line = _encoded({**record, **placed, "metadata": rest})
    if len(line) <= _MAX_LINE_BYTES:
        return line
    # The JSON is ASCII, and encoding it a second time at most doubles its escapes.
    short = {
        key: each for key, each in placed.items() if len(json.dumps(each, default=str)) <= _MAX_ID_CHARACTERS
    }
    cut = json.dumps({**placed, **rest}, default=str)[:_MAX_CUT_CHARACTERS]
    return _encoded({**record, **short, "metadata": {"cut": cut}})


def _encoded(record: Mapping[str, object]) -> bytes:
    return json.dumps(record, default=str).encode() + b"\n"


def _text_value(value: object) -> str:
    """Return the text of a value, with control characters escaped: no upstream may control a terminal."""
    if not isinstance(value, str):
        return json.dumps(value, default=str)
    text = value if len(value) <= _MAX_LINE_BYTES else value[:_MAX_LINE_BYTES]
    plain = text.isprintable() and not any(mark in text for mark in " \"'=\\")
    return text if plain and text else json.dumps(text, ensure_ascii=not text.isprintable())


_MOST_CHARACTERS = 8192
"""A longer text is cut before redaction, which takes time: the log does not write more of it anyway."""


@frozen(eq=False, repr=False)
class RedactingEventLog(EventLog):
    """Forwards events without their secrets.

    Args:
        level: Events below this level are dropped, since the other log does not write them.
    """

    inner: EventLog
    level: Level
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Forward the event, with its secrets redacted."""
        if level < self.level:
            return
        for name, each in metadata.items():
            short = each[:_MOST_CHARACTERS] if isinstance(each, str) else each
            metadata[name] = redacted_value(short, self.secrets, name)
        self.inner.record(level, component, event, **metadata)


_STANDARD_OUTPUT, _STANDARD_ERROR = 1, 2


def event_log_from(logging: "LoggingSettings", secrets: frozenset[str] = frozenset()) -> EventLog:
    """Return the event log for these settings; raise `OSError` if its file cannot be written."""
    descriptor = _STANDARD_ERROR
    if logging.destination == "stdout":
        descriptor = _STANDARD_OUTPUT
    elif logging.destination == "file" and logging.file:
        descriptor = os.open(logging.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    event_log = StreamEventLog(Level[logging.level.upper()], logging.format, descriptor)
    return (
        RedactingEventLog(event_log, event_log.level, secrets) if logging.redact_sensitive_data else event_log
    )


def known_secrets(configuration: "Configuration | None", environment: Mapping[str, str]) -> frozenset[str]:
    """Return the secret values in a configuration and an environment, found by place or by name."""
    if configuration is None:
        return secrets_of(None, environment)
    upstream = configuration.upstream
    found = secrets_in_command(upstream.args, upstream.env)
    found |= secrets_in_request(upstream.url or "", upstream.headers)
    found |= {configuration.serve.token or ""} - {""}
    return secrets_of(configuration.settings, environment) | found


def secrets_of(settings: "Settings | None", environment: Mapping[str, str]) -> frozenset[str]:
    """Return the secret values in the settings and in the variables of an environment."""
    found = {value for name, value in environment.items() if is_secret_name(name)}
    found |= secrets_in_proxies(environment)
    if settings is not None:
        found |= {settings.llm.api_key or ""} | _secrets_in(settings.cache.url)
        found |= secrets_in_url(settings.llm.base_url or "")
    return frozenset(found - {""})


def _secrets_in(url: str | None) -> frozenset[str]:
    if url is None:
        return frozenset()
    from genui_adapters.view_store.redis_server import BadStoreUrl, redis_place  # noqa: PLC0415 -- only with Redis

    try:
        return redis_place(url).secrets | {url}
    except BadStoreUrl:
        return frozenset({url})


_TELEMETRY_VARIABLES = (
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    "OTEL_TRACES_EXPORTER",
    "OTEL_METRICS_EXPORTER",
    "OTEL_PYTHON_TRACER_PROVIDER",
    "OTEL_PYTHON_METER_PROVIDER",
)


def _is_telemetry_wanted(environment: Mapping[str, str]) -> bool:
    """Whether variables of OpenTelemetry are set, or the program has already loaded its SDK."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    return "opentelemetry.sdk" in sys.modules or any(environment.get(name) for name in _TELEMETRY_VARIABLES)


def listeners_for(
    environment: Mapping[str, str], tally: "Tally | None" = None
) -> Callable[[EventLog], EventLog] | None:
    """Return a function that wraps a log in the listeners to every event; None without listeners."""
    wanted = _is_telemetry_wanted(environment)
    if tally is None and not wanted:
        return None
    from genui_adapters.telemetry.tally import CountingEventLog, Tally  # noqa: PLC0415 -- rarely needed

    counted = tally or Tally()

    def with_listeners(event_log: EventLog) -> EventLog:
        return CountingEventLog(_with_telemetry(event_log, counted) if wanted else event_log, counted)

    return with_listeners


def _with_telemetry(event_log: EventLog, tally: "Tally") -> EventLog:
    try:
        from opentelemetry.trace import ProxyTracerProvider, get_tracer_provider  # noqa: PLC0415 -- slow

        from genui_adapters.telemetry.otel import telemetry_event_log  # noqa: PLC0415 -- slow
    except ImportError as error:
        event_log.record(
            Level.WARN, "wrapper", "telemetry_missing", reason=f"{error}; install mcp-gen-ui[otel]"
        )
        return event_log
    if isinstance(get_tracer_provider(), ProxyTracerProvider):
        reason = "no provider is set up: start the wrapper with opentelemetry-instrument"
        event_log.record(Level.WARN, "wrapper", "telemetry_idle", reason=reason)
    return telemetry_event_log(event_log, tally)
