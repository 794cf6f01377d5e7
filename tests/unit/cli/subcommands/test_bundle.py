"""``mcp-gen-ui bundle``: its errors, its warnings, and the name of the bundle."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from genui_adapters.environment import CREDENTIALS
from genui_cli.subcommands.bundle import name_for
from genui_core.domain.settings.llm_settings import BUILT_IN_PROVIDERS


def test_an_existing_file_stays_without_force(command):
    Path("git.mcpb").write_text("mine")
    code, _, err = command("bundle", "--name", "git", "--", "uvx", "mcp-server-git")
    assert (code, Path("git.mcpb").read_text()) == (2, "mine")
    assert "git.mcpb exists" in err
    assert "--force" in err


def test_a_bundle_that_is_too_large_leaves_no_file(command, monkeypatch):
    monkeypatch.setattr("genui_cli.subcommands.bundle.MOST_BYTES", 1000)
    code, _, err = command("bundle", "--name", "git", "--", "uvx", "mcp-server-git")
    assert code == 2
    assert "1000 are allowed" in err
    assert [*Path().iterdir()] == []


def test_a_crash_leaves_no_file(command, monkeypatch):
    def fail(*_words, **_named):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "write", fail)
    code, _, err = command("bundle", "--name", "git", "--", "uvx", "mcp-server-git")
    assert code == 2
    assert "No space left on device" in err
    assert [*Path().iterdir()] == []


def test_a_missing_file_is_an_error_that_names_it(command):
    code, _, err = command("bundle", "--include", "nothing", "--", "uvx", "mcp-server-git")
    assert code == 2
    assert "--include nothing" in err


def test_a_server_starts_in_the_folder_of_its_files(command):
    Path("data").mkdir()
    Path("data/books.json").write_text("[]")
    Path("server.py").write_text("")
    assert command("bundle", "--name", "b", "--include", "data", "--", "python", "server.py")[0] == 0
    with zipfile.ZipFile("b.mcpb") as archive:
        args = json.loads(archive.read("manifest.json"))["server"]["mcp_config"]["args"]
        assert {"server/server.py", "server/data/books.json"} <= {*archive.namelist()}
    assert args[-5:] == ["--cwd", "${__dirname}/server", "--", "python", "${__dirname}/server/server.py"]
    assert command("bundle", "--name", "git", "--", "uvx", "mcp-server-git")[0] == 0
    with zipfile.ZipFile("git.mcpb") as archive:
        assert "--cwd" not in json.loads(archive.read("manifest.json"))["server"]["mcp_config"]["args"]


def test_a_host_asks_for_a_provider_and_for_the_key_of_each(command):
    assert command("bundle", "--name", "git", "--", "uvx", "mcp-server-git")[0] == 0
    with zipfile.ZipFile("git.mcpb") as archive:
        manifest = json.loads(archive.read("manifest.json"))
    asked, env = manifest["user_config"], manifest["server"]["mcp_config"]["env"]
    named = {*re.findall(r"\w+", asked["provider"]["description"])}
    unnamed = {"auto", "none", *BUILT_IN_PROVIDERS} - named
    assert unnamed == {"replay", "manual"}, "bundle_manifest.json names all that need no folder"
    for key, *_ in CREDENTIALS.values():
        assert key in env, "bundle_manifest.json lacks this key"
        assert env[key] == f"${{user_config.{key.lower()}}}"
        assert asked[key.lower()]["sensitive"]


def test_a_stored_value_is_a_warning_without_the_value(command):
    code, _, err = command("bundle", "-e", "KEY=secret", "--", "uvx", "mcp-server-git")
    assert code == 0
    assert "plain text: KEY" in err
    assert "secret" not in err


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("uvx", "mcp-server-git"), "mcp-server-git"),
        (("python", "src/My_Server.py"), "my-server"),
        (("npx", "-y", "@scope/server"), "server"),
        (("server",), "server"),
    ],
)
def test_the_name_is_that_of_the_program(words, name):
    assert name_for(words) == name
