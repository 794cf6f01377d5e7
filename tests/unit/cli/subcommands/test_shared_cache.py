"""``mcp-gen-ui cache`` with views and histories on a Redis server."""

import json
from pathlib import Path

import anyio
import pytest

from genui_adapters.compose import store_from
from genui_adapters.view_store import factories
from genui_core.application.services import SilentEventLog
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.settings import Settings
from genui_core.domain.views.stored_view import ViewHistory
from genui_core.testing.view_store import a_view


@pytest.fixture
def shared(command, redis_process):
    """The fixture `command`, after two views were stored on the configured server."""
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
    assert told["message"].endswith("keeps views; it holds 2")
    assert shared("cache", "clear", "--tool", "one")[1] == "1 view deleted\n"
    assert json.loads(shared("cache", "clear", "--json")[1]) == {"cleared": 1}
    assert shared("cache", "list")[1] == ""


class SharedHistories:
    """The histories on the server, as another wrapper reads them."""

    def __init__(self, url):
        self.settings = Settings(cache=CacheSettings(type="redis", url=url), refinements="persist")

    def _run(self, step):
        async def on_server():
            histories = factories.histories(self.settings.cache, {}, SilentEventLog())
            try:
                return await step(histories)
            finally:
                await histories.server.close()

        return anyio.run(on_server)

    def save(self, *names):
        async def step(histories):
            await histories.clear()
            for name in names:
                assert await histories.save(ViewHistory(tool_name=name, upstream_name="files"))

        self._run(step)

    def names(self):
        async def step(histories):
            found = [await histories.load(name, "files") for name in ("one", "two", "t*o")]
            return [each.tool_name for each in found if each is not None]

        return self._run(step)

    def mark(self, name):
        return self._run(lambda histories: histories.mark(name, "files"))


def test_histories_that_wrappers_share_are_cleared_with_the_flag(shared, redis_process):
    histories = SharedHistories(redis_process.url)
    histories.save("one", "two", "t*o")
    assert "histor" not in shared("cache", "clear")[1]
    assert histories.names() == ["one", "two", "t*o"]
    before = histories.mark("t*o"), histories.mark("two")
    assert shared("cache", "clear", "--histories", "--tool", "t*o")[1].endswith("1 history deleted\n")
    assert histories.names() == ["one", "two"]
    assert histories.mark("t*o") != before[0]
    assert histories.mark("two") == before[1]
    cleared = json.loads(shared("cache", "clear", "--histories", "--json")[1])
    assert cleared == {"cleared": 0, "clearedHistories": 2}
    assert histories.names() == []
    assert shared("cache", "clear", "--histories")[1].endswith("0 histories deleted\n")


def test_only_histories_are_cleared_on_a_server_with_data_of_other_programs(shared, redis_process):
    histories = SharedHistories(redis_process.url)
    histories.save("one")
    other = SharedHistories(f"{redis_process.url}?seal=of-others")
    other.save("two")
    assert json.loads(shared("cache", "clear", "--histories", "--json")[1])["clearedHistories"] == 1
    assert (histories.names(), other.names()) == ([], ["two"])


@pytest.mark.parametrize(
    "words",
    [("cache", "list"), ("cache", "clear"), ("cache", "clear", "--histories"), ("doctor", "--llm", "none")],
)
def test_a_missing_server_is_an_error_without_its_password(command, words):
    url = "redis://:secret-word@127.0.0.1:1/0"
    Path("mcp-gen-ui.json").write_text(json.dumps({"cache": {"type": "redis", "url": url}}))
    code, out, err = command(*words)
    assert code == 1
    assert "the Redis server at 127.0.0.1:1/0 cannot be reached" in out + err
    assert "secret-word" not in out + err


def test_a_wrong_url_is_an_error_with_its_key(command):
    Path("mcp-gen-ui.json").write_text('{"cache": {"type": "redis", "url": "http://me:secret-word@x"}}')
    code, out, err = command("config", "check")
    assert code != 0
    assert "cache.url must begin with redis://" in out + err
    assert "secret-word" not in out + err
