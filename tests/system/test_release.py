"""A release has one version, one address, a changelog section and an entry in the MCP registry."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import release

from genui_adapters.environment import CREDENTIALS

PACKAGE = (
    "registryType",
    "registryBaseUrl",
    "identifier",
    "version",
    "runtimeHint",
    "transport",
    "fileSha256",
)
INPUT = (
    "description",
    "isRequired",
    "format",
    "value",
    "isSecret",
    "default",
    "placeholder",
    "choices",
    "variables",
)
TYPES = {"isRequired": bool, "isSecret": bool, "isRepeated": bool, "choices": list, "variables": dict}
"""The fields of packages and inputs in the schema of 2025-12-11; other values are texts."""
ADDRESS = "https://github.com/example/mcp-gen-ui"
CHANGELOG = "# Changes\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n- The start.\n"
SETTINGS = '[project]\nversion = "0.1.0"\n\n[tool.mcp-gen-ui]\naddress = "{}"\n'
GIT = ("git", "-c", "user.name=test", "-c", "user.email=test@example.org")


@pytest.fixture
def project(tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project with an address, as a clone without changes."""
    for kind in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{kind}_NAME", "test")
        monkeypatch.setenv(f"GIT_{kind}_EMAIL", "test@example.org")
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    (tmp_path / "pyproject.toml").write_text(SETTINGS.format(ADDRESS))
    (tmp_path / "server.json").write_bytes((repository / "server.json").read_bytes())
    commit_all(tmp_path)
    return tmp_path


def commit_all(folder: Path) -> None:
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "Start")):
        subprocess.run([*GIT, *words], cwd=folder, check=True)


def test_a_release_sets_the_version_everywhere_commits_and_tags(project: Path) -> None:
    release.prepare(project, "0.2.0")
    assert release.version_of(project) == "0.2.0"
    assert release.git(project, "tag", "--list") == "v0.2.0"
    assert release.git(project, "log", "-1", "--format=%s") == "Release 0.2.0"
    assert release.git(project, "status", "--porcelain") == ""
    entry = release.server_json(project)
    assert (entry["name"], entry["version"]) == ("io.github.example/mcp-gen-ui", "0.2.0")
    assert entry["repository"] == {"url": ADDRESS, "source": "github"}
    assert entry["packages"][0]["version"] == "0.2.0"
    assert release.notes(release.read(project, "CHANGELOG.md"), "0.2.0") == "### Added\n\n- A thing."
    release.check(project, "v0.2.0")


@pytest.mark.parametrize("version", ["next", "v0.2.0", "0.2", "", "0.2.0; rm"])
def test_a_release_refuses_a_wrong_version(project: Path, version: str) -> None:
    with pytest.raises(release.ReleaseError, match="is not a version"):
        release.prepare(project, version)


def test_a_release_refuses_uncommitted_changes_and_a_tag_that_exists(project: Path) -> None:
    (project / "new").write_text("x")
    with pytest.raises(release.ReleaseError, match="uncommitted"):
        release.prepare(project, "0.2.0")
    (project / "new").unlink()
    release.git(project, "tag", "v0.2.0")
    with pytest.raises(release.ReleaseError, match="exists"):
        release.prepare(project, "0.2.0")


def test_a_release_without_an_address_is_refused(project: Path) -> None:
    (project / "pyproject.toml").write_text(SETTINGS.format(""))
    for attempt in (lambda: release.prepare(project, "0.2.0"), lambda: release.check(project, "v0.1.0")):
        with pytest.raises(release.ReleaseError, match="no address"):
            attempt()


def test_a_tag_is_checked_against_the_version_and_the_registry_entry(project: Path) -> None:
    with pytest.raises(release.ReleaseError, match=r"does not fit the version 0\.1\.0"):
        release.check(project, "v0.2.0")
    with pytest.raises(release.ReleaseError, match=r"server\.json does not fit"):
        release.check(project, "v0.1.0")


def test_notes_are_the_section_of_one_version() -> None:
    assert release.notes(CHANGELOG, "0.1.0") == "- The start."
    with pytest.raises(release.ReleaseError, match=r"no section for 0\.1"):
        release.notes(CHANGELOG, "0.1")
    with pytest.raises(release.ReleaseError, match="is empty"):
        release.notes("## 1.0.0\n\n## 0.9.0\n\n- x\n", "1.0.0")
    with pytest.raises(release.ReleaseError, match="nothing under"):
        release.release_changelog("# Changes\n\n## Unreleased\n\n## 0.1.0\n\n- x\n", "0.2.0", "2026-01-01")


def test_the_command_prints_notes_and_says_what_is_wrong(repository: Path) -> None:
    words = [sys.executable, "release/release.py"]
    done = subprocess.run(
        [*words, "notes", "9.9.9"], cwd=repository, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "release: CHANGELOG.md has no section for 9.9.9.\n"
    done = subprocess.run(
        [*words, "notes", "Unreleased"], cwd=repository, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("### Added")


def test_the_registry_entry_fits_the_project(repository: Path) -> None:
    entry, settings = release.server_json(repository), release.project(repository)["project"]
    assert entry == release.registry_entry(entry, release.address_of(repository), settings["version"])
    assert release.read(repository, "server.json") == release.entry_text(entry)
    assert entry["description"] == settings["description"]
    assert entry["packages"][0]["identifier"] == settings["name"]


def test_the_registry_entry_has_the_fields_that_its_schema_wants(repository: Path) -> None:
    """The limits come from the schema of 2025-12-11."""
    entry = release.server_json(repository)
    assert entry.keys() <= {"$schema", "name", "title", "description", "version", "repository", "packages"}
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 1 <= len(entry["description"]) <= 100
    assert 1 <= len(entry["title"]) <= 100
    assert len(entry["version"]) <= 255
    (package,) = entry["packages"]
    assert package["registryType"] == "pypi"
    assert package["transport"] == {"type": "stdio"}
    assert package.keys() <= {*PACKAGE, "packageArguments", "environmentVariables"}
    for argument in (*package["packageArguments"], *package["environmentVariables"]):
        assert argument.keys() <= {*INPUT, "type", "name", "isRepeated"}
        assert all(isinstance(each, TYPES.get(key, str)) for key, each in argument.items())
    for argument in package["packageArguments"]:
        assert argument["type"] == "named"
        assert argument["name"].startswith("--")
    for variable in package["environmentVariables"]:
        assert variable.get("isSecret", False) is variable["name"].endswith("_KEY")
        assert variable.get("default", "") in ["", *variable.get("choices", [])]


def test_the_registry_entry_names_flags_and_variables_that_the_command_has(repository: Path) -> None:
    (package,) = release.server_json(repository)["packages"]
    help_text = subprocess.run(
        [sys.executable, "-m", "genui_cli", "--help"], capture_output=True, text=True, check=True
    ).stdout
    for argument in package["packageArguments"]:
        assert argument["name"] in help_text
    schema = json.loads(
        subprocess.run(
            [sys.executable, "-m", "genui_cli", "config", "schema"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    section = schema["properties"]["llm"]["properties"]
    named = {each["name"]: each for each in package["environmentVariables"]}
    assert {
        f"MCP_GEN_UI_LLM_{key.upper()}" for key in ("provider", "model") if key in section
    } <= named.keys()
    assert {names[0] for names in CREDENTIALS.values()} <= named.keys(), "server.json lacks a key"
    without_a_folder = [each for each in section["provider"]["examples"] if each not in ("replay", "manual")]
    assert named["MCP_GEN_UI_LLM_PROVIDER"]["choices"] == without_a_folder
