"""The composition root: which adapters a wrapper is made of."""

from genui_adapters.telemetry.stream_journal import LogFormat, StreamJournal
from genui_core.application.wrapper import Wrapper
from genui_core.domain.apps_extension import AppsSetting
from genui_core.domain.settings import Settings
from genui_core.ports.journal import Level


def stdio_wrapper(*, log_level: str, log_format: LogFormat, apps: str) -> Wrapper:
    """Return a wrapper that logs to standard error.

    Args:
        log_level: ``debug``, ``info``, ``warn`` or ``error``.
        log_format: One line an event, as text or as JSON.
        apps: ``auto``, ``always`` or ``never`` (SPEC W14).
    """
    journal = StreamJournal(Level[log_level.upper()], log_format)
    return Wrapper(settings=Settings(apps=AppsSetting(apps)), journal=journal)
