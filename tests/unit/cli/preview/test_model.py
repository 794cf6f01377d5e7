"""Whether the preview has a model that can change its views."""

from types import SimpleNamespace

import pytest

from genui_cli.commands import _has_model
from genui_core.domain.settings.llm_settings import LlmSettings
from genui_core.domain.settings.settings import Settings


@pytest.mark.parametrize(
    ("provider", "has_model"),
    [("none", False), ("host", False), ("anthropic", True), ("replay", True), ("package.module:Class", True)],
)
def test_a_provider_other_than_none_and_the_hosts_model_can_change_views(provider, has_model):
    settings = Settings(llm=LlmSettings(provider=provider))
    assert _has_model(SimpleNamespace(settings=settings)) is has_model


def test_a_credential_in_the_environment_is_a_model(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not a real key")
    assert _has_model(SimpleNamespace(settings=Settings()))
