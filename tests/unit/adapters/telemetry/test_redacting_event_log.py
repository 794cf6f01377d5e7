"""The event log that redacts secrets."""

import pytest

from genui_adapters.compose import wrapper_from
from genui_adapters.telemetry.configured_event_log import RedactingEventLog, event_log_from, known_secrets
from genui_core.domain.settings.configuration import (
    Configuration,
    LoggingSettings,
    ServeSettings,
    UpstreamTarget,
)
from genui_core.domain.settings.llm_settings import LlmSettings
from genui_core.domain.settings.settings import Settings
from genui_core.ports.event_log import Level
from genui_core.testing.event_log import RecordingEventLog

CONFIGURATION = Configuration(
    settings=Settings(llm=LlmSettings(provider="openai", api_key="canary-key")),
    upstream=UpstreamTarget(
        command="x", env={"A_TOKEN": "canary-env", "MODE": "plain"}, headers={"X": "canary-head"}
    ),
    serve=ServeSettings(token="canary-serve"),
)


def test_events_are_forwarded_without_secrets():
    inner = RecordingEventLog()
    event_log = RedactingEventLog(inner, Level.INFO, frozenset({"canary-4711"}))
    event_log.record(Level.INFO, "llm", "failed", reason="no canary-4711", count=2, request_id=None)
    event_log.record(Level.DEBUG, "llm", "quiet")
    (event,) = inner.events
    assert event.metadata == {"reason": "no [hidden]", "count": 2, "request_id": None}


def test_secrets_are_recognised_by_their_field_names():
    found = known_secrets(CONFIGURATION, {"MY_API_KEY": "canary-own", "PATH": "/bin", "EMPTY_TOKEN": ""})
    assert found == {"canary-key", "canary-env", "canary-head", "canary-serve", "canary-own"}


def test_the_log_of_a_wrapper_is_without_secrets(tmp_path, capfd):
    for event_log in (
        wrapper_from(None, {"MY_TOKEN": "canary-1"}).event_log,
        wrapper_from(CONFIGURATION, {"MY_TOKEN": "canary-1"}).event_log,
    ):
        event_log.record(Level.WARN, "relay", "odd", line="it said canary-1 and canary-key=x")
    assert "canary-1" not in capfd.readouterr().err


def test_secrets_stay_without_redaction(capfd):
    event_log_from(LoggingSettings(redact_sensitive_data=False), frozenset({"canary-1"})).record(
        Level.WARN, "relay", "odd", line="canary-1"
    )
    assert "canary-1" in capfd.readouterr().err


@pytest.mark.parametrize("configuration", [None, CONFIGURATION])
def test_the_password_of_a_proxy_is_known_as_a_secret(configuration):
    found = known_secrets(configuration, {"https_proxy": "http://me:canary-proxy@proxy:3128"})
    assert "canary-proxy" in found
