"""The settings select the provider, the store, the lock and the log."""

import subprocess
import sys
from unittest.mock import AsyncMock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio.connection import parse_url

from genui_adapters.compose import UnusableFile, provider_from, store_from, wrapper_from
from genui_adapters.llm.anthropic import AnthropicProvider
from genui_adapters.llm.choice import choose
from genui_adapters.llm.provider_shell import ProviderOptions
from genui_adapters.registry import UnknownAdapter
from genui_adapters.telemetry.configured_event_log import known_secrets
from genui_adapters.view_store.redis_server import BadStoreUrl, redis_place
from genui_adapters.view_store.redis_store import RedisLock
from genui_core.domain.generation.completion import CompletionRequest
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.configuration import Configuration, LoggingSettings
from genui_core.domain.settings.llm_settings import LlmSettings
from genui_core.domain.settings.settings import Settings
from genui_core.errors import ProviderErrorCode, ProviderFailed
from genui_core.testing.event_log import RecordingEventLog
from genui_core.testing.view_store import a_view

pytestmark = pytest.mark.anyio


def told(**llm):
    return Settings(llm=LlmSettings(**llm))


def test_the_provider_none_is_no_provider():
    assert provider_from(told(provider="none"), {"ANTHROPIC_API_KEY": "k"}) is None


@pytest.mark.parametrize(
    ("llm", "environment", "called"),
    [
        ({}, {"ANTHROPIC_API_KEY": "k"}, "anthropic"),
        ({"provider": "openai"}, {"OPENAI_API_KEY": "k"}, "openai"),
        ({"provider": "openai", "base_url": "http://x/v1", "model": "m"}, {}, "openai"),
        ({"provider": "ollama", "model": "m"}, {}, "ollama"),
        ({"provider": "replay", "model": "folder"}, {}, "replay"),
        ({"provider": "manual", "model": "folder"}, {}, "manual"),
    ],
)
def test_a_provider_is_made_from_the_settings(llm, environment, called):
    provider = provider_from(told(**llm), environment)
    assert provider.name == called
    assert provider.model


@pytest.mark.parametrize(
    ("llm", "code", "said"),
    [
        ({"provider": "anthropic"}, ProviderErrorCode.AUTHENTICATION, "ANTHROPIC_API_KEY"),
        ({"provider": "openai"}, ProviderErrorCode.AUTHENTICATION, "OPENAI_API_KEY"),
        (
            {"provider": "openai", "base_url": "http://x/v1"},
            ProviderErrorCode.INVALID_REQUEST,
            "llm.model for another server: set it, or use --llm openai:MODEL",
        ),
        ({"provider": "replay"}, ProviderErrorCode.INVALID_REQUEST, "--llm replay:FOLDER"),
        (
            {"provider": "ollama", "base_url": "http://127.0.0.1:9"},
            ProviderErrorCode.INVALID_REQUEST,
            "ollama pull",
        ),
    ],
)
def test_a_missing_setting_is_an_error_that_names_it(llm, code, said):
    with pytest.raises(ProviderFailed, match=said) as caught:
        provider_from(told(**llm), {})
    assert caught.value.code is code


def test_an_unknown_provider_is_an_error():
    with pytest.raises(UnknownAdapter, match="no LLM provider named 'nosuch'"):
        provider_from(told(provider="nosuch"), {})


def test_making_a_provider_loads_no_library_of_its_own():
    code = (
        "import sys; from genui_adapters.compose import *; from genui_core.domain.settings.settings import Settings;"
        "from genui_adapters.llm.choice import choose;"
        "provider_from(choose(Settings(), {'ANTHROPIC_API_KEY': 'k'}).settings, {'ANTHROPIC_API_KEY': 'k'});"
        "sys.exit(not {'anthropic', 'pydantic', 'http', 'importlib.metadata'}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_choice_names_the_models_of_its_provider():
    settings = choose(Settings(), {"ANTHROPIC_API_KEY": "k"}).settings
    assert settings.llm.model.startswith("claude-")
    assert settings.generation.classify_model.startswith("claude-")


ASKED = CompletionRequest(system="", prompt="Hello", max_tokens=1, request_id="r")


class Client:
    """A stand-in for a library's client, which never answers."""

    closed = False

    async def close(self):
        self.closed = True


async def test_the_client_of_a_library_is_made_once_at_the_first_request(monkeypatch):
    made, provider = [], AnthropicProvider(ProviderOptions(model="m", api_key="k"))
    monkeypatch.setattr(provider, "_make_client", lambda: made.append(Client()) or made[-1])
    monkeypatch.setattr(provider, "_answer", AsyncMock(return_value="Hello"))
    await provider.close()
    assert made == []
    assert [await provider.complete(ASKED), await provider.complete(ASKED)] == ["Hello", "Hello"]
    await provider.close()
    assert [each.closed for each in made] == [True]


async def test_a_missing_library_is_a_failure_like_others(monkeypatch):
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ProviderFailed, match="the library of anthropic cannot be loaded"):
        await AnthropicProvider(ProviderOptions(model="m", api_key="k")).complete(ASKED)


async def test_a_store_is_made_from_the_settings(tmp_path):
    home = {"HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "USERPROFILE": str(tmp_path)}
    settings = Settings(cache=CacheSettings(type="filesystem"))
    assert await store_from(settings, home, RecordingEventLog()).set(a_view())
    assert await store_from(settings, home).get(a_view().key) == a_view()
    assert await store_from(Settings(), home).get(a_view().key) is None


async def test_the_folder_of_the_store_can_be_named(tmp_path):
    cache = CacheSettings(type="filesystem", directory=str(tmp_path / "here"))
    await store_from(Settings(cache=cache), {"HOME": str(tmp_path)}).set(a_view())
    assert list((tmp_path / "here").glob("*.view"))


async def test_a_disabled_cache_stores_nothing(tmp_path):
    cache = CacheSettings(type="filesystem", directory=str(tmp_path / "here"), enabled=False)
    store = store_from(Settings(cache=cache), {"HOME": str(tmp_path)})
    assert not await store.set(a_view())
    assert await store.get(a_view().key) is None
    assert not (tmp_path / "here").exists()


async def test_a_store_in_memory_is_written_at_the_end_if_configured(tmp_path):
    home = {"HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "USERPROFILE": str(tmp_path)}
    settings = Settings(cache=CacheSettings(persist_on_shutdown=True, directory=str(tmp_path / "views")))
    store = store_from(settings, home)
    await store.set(a_view())
    await store.close()
    assert await store_from(settings, home).get(a_view().key) == a_view()


def test_an_unknown_store_is_an_error():
    with pytest.raises(UnknownAdapter, match="There are: memory, filesystem, redis"):
        store_from(Settings(cache=CacheSettings(type="punched cards")), {})


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (None, "does not say where"),
        ("", "does not say where"),
        ("http://x:6379", "must begin with redis://"),
        ("redis://", "names no host"),
        ("redis://x:notaport", "is no URL"),
        ("redis://x/many", "number of a database"),
        ("redis://:secret-word@x/?ssl=1", "has an option 'ssl'"),
        ("unix://host/path", "by its whole path"),
    ],
)
def test_an_unreachable_shared_store_is_an_error_with_the_key_and_without_the_secret(url, said):
    with pytest.raises(BadStoreUrl, match=said) as caught:
        store_from(Settings(cache=CacheSettings(type="redis", url=url)), {})
    assert "cache.url" in str(caught.value)
    assert "secret-word" not in str(caught.value)


@given(
    st.sampled_from(["redis://", "rediss://", "unix://", "unix:", "redis:", ""]),
    st.text(alphabet="ab1:/@[]?#%=&. \x00é", max_size=30),
)
def test_any_text_as_the_address_of_a_shared_store_is_read_or_refused(scheme, rest):
    found = place_or_refusal(scheme + rest)
    if isinstance(found, BadStoreUrl):
        assert str(found).startswith("cache.url ")
    else:
        assert found.name
        assert len(found.secret) == 32
        known = parse_url(found.url)
        assert known.get("host") or known.get("path")
        assert known.get("db", 0) >= 0


def place_or_refusal(url):
    try:
        return redis_place(url)
    except BadStoreUrl as refusal:
        return refusal


def test_a_wrapper_with_a_shared_store_shares_the_lock_and_if_configured_the_histories():
    cache = CacheSettings(type="redis", url="rediss://me:secret-word@x:1/2?seal=other-word&ca=ca.pem")
    for refinements, shares in (("session", False), ("persist", True)):
        configuration = Configuration(settings=Settings(cache=cache, refinements=refinements))
        assert {"secret-word", "other-word", cache.url} <= known_secrets(configuration, {})
        services = wrapper_from(configuration, {}).open().services
        assert isinstance(services.lock, RedisLock)
        assert (services.histories is not None) is shares
        place = services.store.inner.server.place
        assert (place.name, place.authorities) == ("x:1/2", "ca.pem")
        assert "word" not in repr(place)


def test_making_a_shared_store_loads_no_library():
    code = (
        "import sys; from genui_adapters.compose import *; from genui_core.domain.settings.cache_settings import CacheSettings;"
        "store_from(Settings(cache=CacheSettings(type='redis', url='redis://x')), {});"
        "sys.exit('redis' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_log_file_that_cannot_be_written_is_an_error_that_names_it(tmp_path):
    logging = LoggingSettings(destination="file", file=str(tmp_path / "missing" / "log"))
    with pytest.raises(UnusableFile, match="missing/log cannot be used: No such file or directory"):
        wrapper_from(Configuration(logging=logging), {})
