"""``mcp-gen-ui prompts`` and ``mcp-gen-ui cache``."""

import json
import os
from pathlib import Path

import anyio
import pytest

from genui_adapters.compose import store_from
from genui_adapters.view_store import factories
from genui_core.application.services import SilentEventLog, built_prompts
from genui_core.domain.settings.cache_settings import CacheSettings
from genui_core.domain.settings.settings import Settings
from genui_core.domain.views.stored_view import ViewHistory
from genui_core.testing.view_store import a_view

TEMPLATES = built_prompts().templates


def test_ejected_prompts_are_used_after_they_are_configured(command):
    code, out, err = command("prompts", "eject", "mine", "generate")
    assert (code, Path(out.strip())) == (0, Path("mine/generate.mustache"))
    assert "promptsDirectory" in err
    path = Path("mine/generate.mustache")
    path.write_text(path.read_text() + "More.")
    Path("mcp-gen-ui.json").write_text('{"generation": {"promptsDirectory": "mine"}}')
    assert command("prompts", "show", "generate")[1].endswith("More.")
    listed = json.loads(command("prompts", "list", "--json")[1])["prompts"]
    sources = {each["name"]: each["source"] for each in listed}
    assert Path(sources["generate"]) == Path("mine").absolute()
    assert sources["system"] == "built in"


def test_a_prompt_is_shown_as_it_is(command):
    assert command("prompts", "show", "system")[1] == TEMPLATES["system"]
    assert command("prompts", "list")[1].count("built in") == len(TEMPLATES)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "sistem"), "there is no prompt 'sistem'"),
        (("eject", "mine", "sistem"), "there is no prompt 'sistem'"),
        (("eject", "there"), "exists"),
        (("eject", "file"), "is a file"),
        (("eject", "file/in"), "cannot be written"),
    ],
)
def test_missing_prompts_and_existing_folders_are_errors(command, words, said):
    Path("there").mkdir()
    Path("there/system.mustache").write_text("mine")
    Path("file").write_text("")
    code, out, err = command("prompts", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert Path("there/system.mustache").read_text() == "mine"


def test_broken_prompts_are_an_error_of_one_line(command):
    Path("mine").mkdir()
    Path("mine/generate.mustache").write_text("nothing")
    Path("mcp-gen-ui.json").write_text('{"generation": {"promptsDirectory": "mine"}}')
    code, _, err = command("prompts", "list")
    assert code == 2
    assert "the first line must be" in err


@pytest.fixture
def with_views(command):
    """The fixture `command`, after two views were stored in the configured folder."""
    Path("mcp-gen-ui.json").write_text('{"cache": {"type": "filesystem", "directory": "views"}}')
    store = store_from(Settings(cache=CacheSettings(type="filesystem", directory="views")), os.environ)
    for key, tool in (("a" * 64, "one"), ("b" * 64, "two")):
        anyio.run(store.set, a_view(key=key, tool_name=tool))
    return command


def test_views_are_listed_and_forgotten(with_views):
    assert [each["toolName"] for each in json.loads(with_views("cache", "list", "--json")[1])] == [
        "one",
        "two",
    ]
    assert "two" in with_views("cache", "list")[1]
    assert with_views("cache", "clear", "--tool", "one")[1] == "1 view deleted\n"
    assert json.loads(with_views("cache", "clear", "--json")[1]) == {"cleared": 1}
    assert with_views("cache", "list")[1] == ""


def test_a_server_is_refused_because_views_of_one_server_cannot_be_told_apart(with_views):
    for words in (("cache", "list"), ("cache", "clear")):
        code, _, err = with_views(*words, "--server", "one")
        assert (code, "No such option '--server'" in err) == (2, True)
    assert len(json.loads(with_views("cache", "list", "--json")[1])) == 2


def test_views_in_memory_are_not_listed(command):
    code, out, err = command("cache", "list", "--json")
    assert (code, json.loads(out)) == (0, [])
    assert "end with their process" in err


def test_a_long_name_is_cut_in_the_table_of_views_and_whole_in_json(command):
    Path("mcp-gen-ui.json").write_text('{"cache": {"type": "filesystem", "directory": "views"}}')
    store = store_from(Settings(cache=CacheSettings(type="filesystem", directory="views")), os.environ)
    anyio.run(store.set, a_view(key="a" * 64, tool_name="n" * 5_000))
    out = command("cache", "list")[1]
    assert "nnn…" in out
    assert max(map(len, out.splitlines())) < 400
    assert json.loads(command("cache", "list", "--json")[1])[0]["toolName"] == "n" * 5_000


def test_histories_are_cleared_with_the_flag_and_stay_without_it(with_views):
    settings = Settings(cache=CacheSettings(type="filesystem", directory="views"), refinements="persist")
    histories = factories.histories(settings.cache, os.environ, SilentEventLog())
    for tool in ("one", "two"):
        anyio.run(histories.save, ViewHistory(tool_name=tool, upstream_name="files"))
    assert "histor" not in with_views("cache", "clear")[1]
    assert anyio.run(histories.load, "one", "files") is not None
    assert with_views("cache", "clear", "--histories", "--tool", "one")[1].endswith("1 history deleted\n")
    assert anyio.run(histories.load, "one", "files") is None
    cleared = json.loads(with_views("cache", "clear", "--histories", "--json")[1])
    assert cleared == {"cleared": 0, "clearedHistories": 1}
