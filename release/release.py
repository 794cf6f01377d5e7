"""Prepare and check a release. The version stands once, in `pyproject.toml`; everything else follows from it.

    python release/release.py prepare VERSION [--push]   set the version, commit and tag it; --push publishes it
    python release/release.py check TAG                  fail unless the tag, server.json and CHANGELOG.md fit
    python release/release.py notes VERSION              print the section of CHANGELOG.md for a version

A release needs the project's address in `tool.mcp-gen-ui.address`.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]
VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
UNRELEASED = "## Unreleased\n"
UNPUBLISHED_NAME = "com.example/mcp-gen-ui"


class ReleaseError(Exception):
    """A release cannot be made; the message says why and what to do."""


def main(arguments: list[str]) -> None:
    """Run the command that the first argument names."""
    match arguments:
        case ["prepare", version]:
            prepare(ROOT, version)
            print(f"To publish it: git push --atomic origin HEAD v{version}")
        case ["prepare", version, "--push"] | ["prepare", "--push", version]:
            prepare(ROOT, version)
            git(ROOT, "push", "--atomic", "origin", "HEAD", f"v{version}")
        case ["check", tag]:
            check(ROOT, tag)
        case ["notes", version]:
            print(notes(read(ROOT, "CHANGELOG.md"), version))
        case _:
            sys.exit(f"{__doc__}")


def prepare(root: Path, version: str) -> None:
    """Set the version in each file that has it, commit the files, and tag the commit.

    Raises:
        ReleaseError: The version, the address or the state of the repository does not allow a release.
    """
    address, old = address_of(root), version_of(root)
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"{version!r} is not a version. Write it like 1.2.3 or 1.2.3rc1.")
    if not address:
        raise ReleaseError(
            "The project has no address. Set `tool.mcp-gen-ui.address` in pyproject.toml first."
        )
    if git(root, "status", "--porcelain"):
        raise ReleaseError("There are uncommitted changes. Commit them first.")
    if git(root, "tag", "--list", f"v{version}"):
        raise ReleaseError(f"The tag v{version} exists. Choose a newer version.")
    today = dt.datetime.now(dt.UTC).date().isoformat()
    write(root, "CHANGELOG.md", release_changelog(read(root, "CHANGELOG.md"), version, today))
    settings = read(root, "pyproject.toml").replace(f'version = "{old}"', f'version = "{version}"', 1)
    write(root, "pyproject.toml", settings)
    write(root, "server.json", entry_text(registry_entry(server_json(root), address, version)))
    git(root, "commit", "--quiet", "-a", "-m", f"Release {version}")
    git(root, "tag", "-a", f"v{version}", "-m", f"mcp-gen-ui {version}")


def check(root: Path, tag: str) -> None:
    """Check that a tag may be published.

    Raises:
        ReleaseError: A file does not fit the tag.
    """
    address, version = address_of(root), version_of(root)
    if tag != f"v{version}":
        raise ReleaseError(f"The tag {tag} does not fit the version {version} of pyproject.toml.")
    if not address:
        raise ReleaseError("The project has no address. Set `tool.mcp-gen-ui.address` in pyproject.toml.")
    entry = server_json(root)
    if registry_entry(entry, address, version) != entry:
        raise ReleaseError("server.json does not fit pyproject.toml. Make the release with `dev.py release`.")
    notes(read(root, "CHANGELOG.md"), version)


def notes(changelog: str, version: str) -> str:
    """Return the text of a version's section.

    Raises:
        ReleaseError: There is no such section, or it is empty.
    """
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        if heading.split()[:1] == [version]:
            if text.strip():
                return text.strip()
            raise ReleaseError(f"The section of {version} in CHANGELOG.md is empty.")
    raise ReleaseError(f"CHANGELOG.md has no section for {version}.")


def release_changelog(changelog: str, version: str, date: str) -> str:
    """Return the changelog with its unreleased entries under a version's heading.

    Raises:
        ReleaseError: Nothing is unreleased.
    """
    before, found, after = changelog.partition(UNRELEASED)
    if not found or not after.partition("\n## ")[0].strip():
        raise ReleaseError("CHANGELOG.md has nothing under `## Unreleased`. Describe the changes first.")
    return f"{before}{UNRELEASED}\n## {version} - {date}\n{after}"


def registry_entry(entry: dict[str, Any], address: str, version: str) -> dict[str, Any]:
    """Return the entry of the MCP registry for a version, with the name that the address gives."""
    fields = {key: value for key, value in entry.items() if key != "repository"} | {
        "name": registry_name(address),
        "version": version,
        "packages": [{**package, "version": version} for package in entry["packages"]],
    }
    if address:
        host = urlsplit(address).netloc
        fields["repository"] = {"url": address, "source": host.removeprefix("www.").partition(".")[0]}
    return fields


def registry_name(address: str) -> str:
    """Return the name in the MCP registry: the owner of the address in reverse order, a slash, and the product."""
    if not address:
        return UNPUBLISHED_NAME
    parts = urlsplit(address)
    if parts.netloc == "github.com":
        return f"io.github.{parts.path.split('/')[1]}/mcp-gen-ui"
    return f"{'.'.join(reversed(parts.netloc.split('.')))}/mcp-gen-ui"


def project(root: Path) -> dict[str, Any]:
    """Return `pyproject.toml`."""
    return tomllib.loads(read(root, "pyproject.toml"))


def version_of(root: Path) -> str:
    """Return the version of the project."""
    return str(project(root)["project"]["version"])


def address_of(root: Path) -> str:
    """Return the address of the project's repository; it is empty until the project is published."""
    return str(project(root)["tool"]["mcp-gen-ui"]["address"])


def server_json(root: Path) -> dict[str, Any]:
    """Return the entry of the MCP registry."""
    entry: dict[str, Any] = json.loads(read(root, "server.json"))
    return entry


def entry_text(entry: dict[str, Any]) -> str:
    """Return the entry as the text of its file."""
    return json.dumps(entry, indent=2, ensure_ascii=False) + "\n"


def read(root: Path, name: str) -> str:
    """Return the text of a file."""
    return (root / name).read_text(encoding="utf-8")


def write(root: Path, name: str, text: str) -> None:
    """Write the text of a file."""
    (root / name).write_text(text, encoding="utf-8", newline="\n")


def git(root: Path, *words: str) -> str:
    """Run git and return what it prints.

    Raises:
        ReleaseError: The command failed.
    """
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)  # noqa: S607
    if done.returncode:
        raise ReleaseError(f"git {words[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ReleaseError as error:
        sys.exit(f"release: {error}")
