"""The folders of a user for a program's configuration, cache and data, per system."""

from pathlib import Path

import platformdirs
import pytest

from genui_adapters.environment import user_folder

NAMES = {
    "config": platformdirs.user_config_dir,
    "cache": platformdirs.user_cache_dir,
    "data": platformdirs.user_data_dir,
}


@pytest.mark.parametrize("purpose", NAMES)
@pytest.mark.parametrize(
    "variables", [{}, {"XDG_CONFIG_HOME": "/x", "XDG_CACHE_HOME": "/y", "XDG_DATA_HOME": "/z"}]
)
def test_the_folders_are_those_of_other_programs(purpose, variables, monkeypatch, environment):
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
        environment.pop(name, None)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    expected = NAMES[purpose]("mcp-gen-ui", appauthor=False)
    assert Path(user_folder(purpose, {**environment, **variables})) == Path(expected)


@pytest.mark.parametrize(
    ("platform", "purpose", "variables", "folder"),
    [
        ("linux", "config", {"HOME": "/h"}, "/h/.config/mcp-gen-ui"),
        ("linux", "cache", {"HOME": "/h", "XDG_CACHE_HOME": "relative"}, "/h/.cache/mcp-gen-ui"),
        ("linux", "data", {"HOME": "/h", "XDG_DATA_HOME": "/d"}, "/d/mcp-gen-ui"),
        ("darwin", "config", {"HOME": "/h"}, "/h/Library/Application Support/mcp-gen-ui"),
        ("darwin", "cache", {"HOME": "/h"}, "/h/Library/Caches/mcp-gen-ui"),
        ("win32", "config", {"LOCALAPPDATA": "/l"}, "/l/mcp-gen-ui"),
        ("win32", "cache", {"USERPROFILE": "/u"}, "/u/AppData/Local/mcp-gen-ui/Cache"),
    ],
)
def test_each_system_has_its_own_folders(platform, purpose, variables, folder):
    assert user_folder(purpose, variables, platform) == folder
