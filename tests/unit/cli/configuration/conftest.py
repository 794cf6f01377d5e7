"""Fixtures with an empty folder, an empty environment, and a configuration file."""

import json

import pytest


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty working directory, beside an empty home."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def home(tmp_path):
    """The environment variables of a person who has configured nothing."""
    return {
        "HOME": str(tmp_path / "home"),
        "LOCALAPPDATA": str(tmp_path / "home"),
        "USERPROFILE": str(tmp_path / "home"),
    }


@pytest.fixture
def write(place):
    """Write a configuration file into the working directory."""

    def writing(content, name="mcp-gen-ui.json"):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return writing
