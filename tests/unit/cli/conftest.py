"""The fixture `command`, which runs a command line in this process."""

import io
import os
import sys

import pytest

from genui_cli.entry import run


class Terminal(io.TextIOWrapper):
    """The standard input of a person at a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Run a command line in an empty folder; return its exit code, standard output and standard error.

    ``piped`` is its standard input, and ``typed`` what a person types at a terminal instead; further keywords are
    environment variables.
    """
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in [name for name in os.environ if name.startswith("MCP_GEN_UI_") or name.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    for name in ("HOME", "LOCALAPPDATA", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)

    def running(*words, piped="", typed=None, **variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        stream = io.TextIOWrapper if typed is None else Terminal
        monkeypatch.setattr(sys, "stdin", stream(io.BytesIO((typed or piped).encode())))
        code = run([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return running
