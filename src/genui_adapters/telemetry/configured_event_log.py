"""The event log as it is configured, and what must not be written into it."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from genui_adapters.telemetry.stream_event_log import StreamEventLog
from genui_core.domain.logging.redaction import (
    is_secret_name,
    redacted_value,
    secrets_in_command,
    secrets_in_proxies,
    secrets_in_request,
    secrets_in_url,
)
from genui_core.ports.event_log import EventLog, Level
from genui_core.records import field, frozen

if TYPE_CHECKING:
    from genui_core.domain.settings.configuration import Configuration, LoggingSettings
    from genui_core.domain.settings.settings import Settings


_MOST_CHARACTERS = 8192
"""More of a text is not written anyway, and looking through it takes time."""


@frozen
class RedactingEventLog(EventLog):
    """Hands events on without secrets.

    Args:
        inner: Writes them.
        level: Skips events below it, since the log does not write them.
        secrets: The known secrets.
    """

    inner: EventLog
    level: Level
    secrets: frozenset[str] = field(default=frozenset(), repr=False)

    def record(self, level: Level, component: str, event: str, **metadata: object) -> None:
        """Hand the event on."""
        if level < self.level:
            return
        safe = {name: redacted_value(_short(each), self.secrets, name) for name, each in metadata.items()}
        self.inner.record(level, component, event, **safe)


def _short(value: object) -> object:
    return value[:_MOST_CHARACTERS] if isinstance(value, str) else value


_STANDARD_OUTPUT, _STANDARD_ERROR = 1, 2


def event_log_from(logging: "LoggingSettings", secrets: frozenset[str] = frozenset()) -> EventLog:
    """Return what writes the log where it is wanted.

    Args:
        logging: What is configured.
        secrets: What must not be written, unless that is configured.

    Raises:
        OSError: The file cannot be written.
    """
    descriptor = _STANDARD_ERROR
    if logging.destination == "stdout":
        descriptor = _STANDARD_OUTPUT
    elif logging.destination == "file" and logging.file:
        descriptor = os.open(logging.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    event_log = StreamEventLog(Level[logging.level.upper()], logging.format, descriptor)
    return redacting_event_log(event_log, secrets) if logging.redact_sensitive_data else event_log


def known_secrets(configuration: "Configuration | None", environment: Mapping[str, str]) -> frozenset[str]:
    """Return the values that are secret by where they stand, or by their names."""
    if configuration is None:
        return secrets_of(None, environment)
    upstream = configuration.upstream
    found = secrets_in_command(upstream.args, upstream.env)
    found |= secrets_in_request(upstream.url or "", upstream.headers)
    found |= {configuration.serve.token or ""} - {""}
    return secrets_of(configuration.settings, environment) | found


def secrets_of(settings: "Settings | None", environment: Mapping[str, str]) -> frozenset[str]:
    """Return the secret values among the settings and the variables of an environment."""
    found = {value for name, value in environment.items() if is_secret_name(name)}
    found |= secrets_in_proxies(environment)
    if settings is not None:
        found |= {settings.llm.api_key or ""} | _secrets_in(settings.cache.url)
        found |= secrets_in_url(settings.llm.base_url or "")
    return frozenset(found - {""})


def _secrets_in(url: str | None) -> frozenset[str]:
    if url is None:
        return frozenset()
    from genui_adapters.view_store.redis_place import BadStoreUrl, redis_place  # noqa: PLC0415 -- only for who has one

    try:
        return redis_place(url).secrets | {url}
    except BadStoreUrl:
        return frozenset({url})


def redacting_event_log(event_log: StreamEventLog, secrets: frozenset[str]) -> EventLog:
    """Return what keeps secrets out of an event log."""
    return RedactingEventLog(event_log, event_log.level, secrets)
