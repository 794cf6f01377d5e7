"""The commands with views on a Redis server."""

import json
from pathlib import Path

import anyio
import pytest

from genui_adapters.configured_store import store_from
from genui_core.domain.settings import CacheSettings, Settings
from genui_core.testing.view_store import a_view


@pytest.fixture
def shared(command, redis_process):
    """Two views on the server of the configuration."""
    cache = {"type": "redis", "url": redis_process.url}
    Path("mcp-gen-ui.json").write_text(json.dumps({"cache": cache}))

    async def keep():
        store = store_from(Settings(cache=CacheSettings(**cache)), {})
        await store.clear()
        for key, tool in (("a" * 64, "one"), ("b" * 64, "two")):
            await store.set(a_view(key=key, tool_name=tool))
        await store.close()

    anyio.run(keep)
    return command


def test_views_that_wrappers_share_are_listed_and_forgotten(shared):
    assert [each["toolName"] for each in json.loads(shared("cache", "list", "--json")[1])] == ["one", "two"]
    doctor = json.loads(shared("doctor", "--llm", "none", "--json")[1])
    told = {each["part"]: each for each in doctor["checks"]}["cache"]
    assert told["ok"]
    assert told["message"].endswith("keeps views; it has 2 of ours")
    assert shared("cache", "clear", "--tool", "one")[1] == "1 view forgotten\n"
    assert json.loads(shared("cache", "clear", "--json")[1]) == {"cleared": 1}
    assert shared("cache", "list")[1] == ""


@pytest.mark.parametrize("words", [("cache", "list"), ("cache", "clear"), ("doctor", "--llm", "none")])
def test_a_server_that_is_not_there_is_said_without_its_password(command, words):
    url = "redis://:secret-word@127.0.0.1:1/0"
    Path("mcp-gen-ui.json").write_text(json.dumps({"cache": {"type": "redis", "url": url}}))
    code, out, err = command(*words)
    assert code == 1
    assert "the Redis server at 127.0.0.1:1/0 cannot be reached" in out + err
    assert "secret-word" not in out + err


def test_a_url_that_can_be_none_is_said_with_its_key(command):
    Path("mcp-gen-ui.json").write_text('{"cache": {"type": "redis", "url": "http://me:secret-word@x"}}')
    code, out, err = command("config", "check")
    assert code != 0
    assert "cache.url must begin with redis://" in out + err
    assert "secret-word" not in out + err
