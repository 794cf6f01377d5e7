"""The choice of a provider if the settings name none (requirement L3)."""

import json
import time
from contextlib import contextmanager, nullcontext
from http.server import BaseHTTPRequestHandler, HTTPServer
from socket import socket
from threading import Thread

import pytest

from genui_adapters.compose import provider_from
from genui_adapters.environment import CREDENTIALS, NO_MODEL, is_model_likely
from genui_adapters.llm.choice import (
    PROBE_WITHIN_S,
    check_provider,
    choose,
    last_pulled_model,
    ollama_address,
)
from genui_core.domain.settings.llm_settings import GenerationSettings, LlmSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import ProviderFailed
from genui_core.testing.event_log import RecordingEventLog


def never(_address, _within_s):
    raise AssertionError("no server may be asked")


def no_server(_address, _within_s):
    return None


@pytest.mark.parametrize(
    ("environment", "provider", "reason"),
    [
        ({"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "b"}, "anthropic", "ANTHROPIC_API_KEY is set"),
        ({"ANTHROPIC_AUTH_TOKEN": "a"}, "anthropic", "ANTHROPIC_AUTH_TOKEN is set"),
        ({"OPENAI_API_KEY": "b", "OLLAMA_HOST": "x"}, "openai", "OPENAI_API_KEY is set"),
    ],
)
def test_a_credential_decides_without_a_request_to_ollama(environment, provider, reason):
    choice = choose(Settings(), environment, never)
    assert (choice.settings.llm.provider, choice.reason) == (provider, reason)
    assert choice.settings.llm.model
    assert choice.settings.generation.classify_model


@pytest.mark.parametrize("provider", CREDENTIALS)
def test_a_start_looks_for_a_model_wherever_a_credential_would_choose_one(provider):
    for variable in CREDENTIALS[provider]:
        assert is_model_likely({variable: "k"})
        llm = choose(Settings(), {variable: "k"}, never).settings.llm
        assert llm.provider == provider
        assert llm.model, f"default_models.json names no model of {provider}"
    assert CREDENTIALS[provider][0] in str(NO_MODEL["change"])


def test_a_named_provider_wins_over_any_credential():
    settings = Settings(llm=LlmSettings(provider="none"))
    assert choose(settings, {"ANTHROPIC_API_KEY": "a"}, never).settings.llm.provider == "none"


def test_named_models_stay():
    settings = Settings(llm=LlmSettings(model="big"), generation=GenerationSettings(classify_model="small"))
    chosen = choose(settings, {"OPENAI_API_KEY": "b"}, never).settings
    assert (chosen.llm.model, chosen.generation.classify_model) == ("big", "small")


@pytest.mark.parametrize(
    ("llm", "environment"),
    [
        (LlmSettings(provider="openai", base_url="http://x/v1", model="own"), {}),
        (LlmSettings(provider="openai", model="own"), {"OPENAI_BASE_URL": "http://x/v1"}),
    ],
)
def test_a_custom_server_is_not_asked_for_the_providers_small_model(llm, environment):
    assert choose(Settings(llm=llm), environment, never).settings.generation.classify_model is None


@pytest.mark.parametrize(
    ("llm", "environment"),
    [
        (LlmSettings(provider="openai", base_url="https://eu.api.openai.com/v1"), {}),
        (LlmSettings(provider="anthropic"), {"ANTHROPIC_API_KEY": "a", "ANTHROPIC_BASE_URL": "http://x"}),
        (LlmSettings(), {"OPENAI_API_KEY": "b", "OPENAI_BASE_URL": "http://x/v1"}),
    ],
)
def test_the_choice_names_the_model_that_is_asked(llm, environment):
    settings = Settings(llm=llm)
    model = choose(settings, environment, never).settings.llm.model
    assert model
    assert provider_from(settings, environment).model == model


def test_a_running_ollama_is_taken_with_its_model():
    choice = choose(Settings(), {"OLLAMA_HOST": "h:1"}, lambda address, _within_s: f"model of {address}")
    assert (choice.settings.llm.provider, choice.settings.llm.model) == ("ollama", "model of http://h:1")


def test_the_choice_without_any_credential_is_no_model_and_a_hint():
    choice = choose(Settings(), {"ANTHROPIC_API_KEY": ""}, no_server)
    assert choice.settings.llm.provider == "none"
    assert "ANTHROPIC_API_KEY" in choice.change


@pytest.mark.parametrize(
    ("named", "address"),
    [
        (None, "http://127.0.0.1:11434"),
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104 -- where a server listens
        ("0.0.0.0:99", "http://127.0.0.1:99"),
        (":99", "http://127.0.0.1:99"),
        ("box", "http://box:11434"),
        ("http://box:99/", "http://box:99"),
        ("http://box", "http://box:80"),
        ("https://box/ollama", "https://box:443/ollama"),
        ("[::1]:99", "http://[::1]:99"),
        ("box:port", "http://127.0.0.1:11434"),
    ],
)
def test_the_address_of_ollama_is_read_as_ollama_reads_it(named, address):
    assert ollama_address({} if named is None else {"OLLAMA_HOST": named}) == address


@contextmanager
def ollama(body, status=200):
    class Tags(BaseHTTPRequestHandler):
        def do_GET(self):
            assert self.path == "/api/tags"
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args):
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Tags) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def models(*names):
    return json.dumps({"models": [{"name": name} for name in names]}).encode()


@pytest.mark.parametrize(
    ("body", "model"),
    [
        (models("nomic-embed-text:latest", "qwen3:8b", "llama"), "qwen3:8b"),
        (models("nomic-embed-text:latest"), None),
        (models(), None),
        (b'{"models": null}', None),
        (b'{"models": [1, {"name": 2}]}', None),
        (b"[]", None),
        (b"<html>", None),
    ],
)
def test_the_model_that_came_last_and_writes_is_taken(body, model):
    with ollama(body) as address:
        assert last_pulled_model(address) == model


def test_the_wait_for_a_silent_server_is_limited():
    with socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        before = time.monotonic()
        assert last_pulled_model(f"http://127.0.0.1:{silent.getsockname()[1]}", PROBE_WITHIN_S) is None
        assert time.monotonic() - before < 10 * PROBE_WITHIN_S


def test_a_refused_connection_ends_the_wait():
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    assert last_pulled_model(address) is None


def test_a_choice_is_described_in_one_line():
    settings, environment = Settings(), {"ANTHROPIC_API_KEY": "canary"}
    choice = choose(settings, environment, never)
    event_log = RecordingEventLog()
    choice.log_to(event_log)
    (event,) = event_log.events
    told = repr(event)
    assert "provider_chosen" in told
    assert "ANTHROPIC_API_KEY is set" in told
    assert "--llm" in told
    assert "canary" not in told


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("qwen3:8b", None),
        ("llama", None),
        ("mistral", "has no model 'mistral'. Get it with: ollama pull mistral"),
    ],
)
def test_the_check_of_ollama_looks_for_the_named_model(model, said):
    with ollama(models("qwen3:8b", "llama:latest")) as address:
        expected = pytest.raises(ProviderFailed, match=said) if said else nullcontext()
        with expected:
            check_provider(LlmSettings(provider="ollama", model=model, base_url=address), {})


def test_a_server_that_lists_no_models_without_a_key_is_not_checked():
    with ollama(b'{"error": "unauthorized"}', status=401) as address:
        check_provider(LlmSettings(provider="ollama", model="m", base_url=address), {})
