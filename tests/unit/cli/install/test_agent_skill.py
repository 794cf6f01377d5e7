"""`install --skill` writes a file that teaches agents the companion page, and `--undo` removes it."""

import json
import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from genui_cli.install.agent_skill import skill_change
from genui_core.domain.tools.wrapper_tools import companion_tools

SERVER = ("--name", "git", "--", "uvx", "mcp-server-git")
HOME = Path("../home")
FILES = {
    ("claude-code",): Path(".claude/skills/git-page/SKILL.md"),
    ("claude-code", "--user"): HOME / ".claude/skills/git-page/SKILL.md",
    ("cursor",): Path(".cursor/rules/git-page.mdc"),
}
EVERY_FILE = pytest.mark.parametrize(("words", "path"), FILES.items(), ids=map(" ".join, FILES))


@pytest.fixture(autouse=True)
def no_moved_files(monkeypatch):
    """Remove the variables that move the files of a host."""
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)


def tree(*roots):
    """Return the files below some folders with their bytes, without backups of hosts' lists."""
    files = (path for root in roots for path in Path(root).rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in files if not path.name.endswith("json.backup")}


def told(text):
    """Return the head of a file, and the text after it."""
    _, head, text = text.split("---\n", 2)
    return yaml.safe_load(head), text


@EVERY_FILE
def test_the_file_names_the_tools_of_the_page_and_undo_removes_it(command, words, path):
    Path("AGENTS.md").write_text("mine")
    before = tree(".", HOME)
    code, _, err = command("install", *words, "--skill", *SERVER)
    assert code == 0
    assert str(path.name) in err
    head, text = told(path.read_text())
    assert '"git"' in text
    assert "git" in head["description"]
    assert head.get("name", "git-page") == "git-page"
    assert all(f"`{name}`" in text for name in companion_tools(()))
    assert command("install", *words, "--skill", *SERVER)[0] == 0
    assert command("install", *words, "--undo", "--name", "git")[0] == 0
    assert {each: each.read_bytes() for each in tree(".", HOME) if ".backup" not in each.name} == before
    assert not path.exists()
    assert path.suffix == ".mdc" or not path.parent.exists()


@EVERY_FILE
def test_a_dry_run_shows_the_file_and_writes_nothing(command, words, path):
    before = tree(".", HOME)
    code, out, _ = command("install", *words, "--skill", "--dry-run", *SERVER)
    assert code == 0
    assert path.name in out
    assert "+1. Call `_ui_open` once" in out
    assert tree(".", HOME) == before


def test_a_wrapped_server_has_its_file_too_and_a_server_without_one_is_undone(command):
    Path(".mcp.json").write_text(json.dumps({"mcpServers": {"git": {"command": "uvx", "args": []}}}))
    before = Path(".mcp.json").read_bytes()
    skill = FILES["claude-code",]
    for words in (("--skill",), ()):
        assert command("install", "claude-code", "--wrap", "git", *words)[0] == 0
        assert skill.exists() is bool(words)
        assert command("install", "claude-code", "--wrap", "git", "--undo")[0] == 0
        assert (Path(".mcp.json").read_bytes(), skill.exists()) == (before, False)


def test_a_file_that_a_person_wrote_stays_and_nothing_is_installed(command):
    path = FILES["cursor",]
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    code, _, err = command("install", "cursor", "--skill", *SERVER)
    assert code == 2
    assert "was not written for the server 'git'" in err
    assert not (HOME / ".cursor/mcp.json").exists()
    command("install", "cursor", *SERVER)
    command("install", "cursor", "--undo", "--name", "git")
    assert path.read_text() == "mine"


def test_the_backup_holds_what_a_person_added_to_the_file(command):
    path = FILES["claude-code",]
    command("install", "claude-code", "--skill", *SERVER)
    changed = path.read_text() + "And sing.\n"
    path.write_text(changed)
    code, _, err = command("install", "claude-code", "--undo", "--name", "git")
    (backup,) = path.parent.iterdir()
    assert (code, backup.read_text()) == (0, changed)
    assert str(backup.name) in err


@pytest.mark.parametrize("words", [("vscode",), ("goose",), ("cursor", "--user"), ("mcp-json",)])
def test_a_host_without_such_a_file_is_named(command, words):
    code, out, err = command("install", *words, "--skill", *SERVER)
    assert (code, out) == (2, "")
    assert "--skill" in err
    assert tree(".", HOME) == {}


@given(name=st.text(min_size=1, max_size=80), target=st.sampled_from(["claude-code", "cursor"]))
def test_any_name_of_a_server_makes_a_file_that_can_be_read_and_undone(name, target):
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        change = {"target": target, "name": name, "environment": {"HOME": folder}, "user": False}
        written = skill_change(**change, undo=False)
        written.write()
        head, text = told(written.path.read_text())
        assert isinstance(head["description"], str)
        assert text.startswith("<!-- ")
        assert text.index("-->") == text.index("\n") - 3
        assert skill_change(**change, undo=False).before == written.after
        skill_change(**change, undo=True).write()
        assert tree(".") == {}
        assert skill_change(**change, undo=True) is None
