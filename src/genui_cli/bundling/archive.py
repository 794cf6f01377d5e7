"""What a bundle holds: a manifest, the wrapper's modules, and the files of the server."""

import json
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import requires, version
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

from attrs import frozen

from genui_cli.cli_error import USAGE, CliError

MOST_BYTES = 5_000_000
_PACKAGES = ("genui_core", "genui_adapters", "genui_cli")
_HERE = "${__dirname}"
_SERVER = "server"
_LEFT_OUT = frozenset(("__pycache__", "node_modules"))


@frozen
class Bundle:
    """A bundle before it is written.

    Attributes:
        name: The name that the host lists.
        words: The wrapper's arguments, with the upstream's command.
        variables: The variables that the host asks the person for.
        packages: The Python packages that the server needs.
        included: The files of the server, by their path in the bundle.
    """

    name: str
    words: tuple[str, ...]
    variables: tuple[str, ...]
    packages: tuple[str, ...]
    included: Mapping[str, Path]

    def manifest(self) -> dict[str, Any]:
        """Return the manifest (version 0.4)."""
        made: dict[str, Any] = json.loads((files("genui_cli.bundling") / "manifest.json").read_text("utf-8"))
        made |= {"name": self.name, "version": version("mcp-gen-ui")}
        made["description"] = f"{self.name}, with an interactive view for every tool"
        start = made["server"]["mcp_config"]
        start["args"] += self.words
        for each in self.variables:
            start["env"][each] = f"${{user_config.{each}}}"
            text = f"The server reads this from the variable {each}."
            asked = {
                "type": "string",
                "title": each,
                "description": text,
                "sensitive": True,
                "required": True,
            }
            made["user_config"][each] = asked
        return made

    def write(self, target: Path, *, force: bool) -> int:
        """Write the archive in one step, and return its size in bytes.

        Raises:
            CliError: The file exists, cannot be written, or the bundle is too large.
        """
        if target.exists() and not force:
            hint = "add --force to replace it, or name another file with --output"
            raise CliError(f"{target} exists", hint=hint, exit_code=USAGE)
        try:
            with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder:
                made = Path(folder, "bundle")
                self._write(made)
                size = made.stat().st_size
                if size > MOST_BYTES:
                    hint = "include fewer files, or publish the server and bundle its command: -- uvx SERVER"
                    text = f"the bundle would have {size} bytes, and {MOST_BYTES} are allowed"
                    raise CliError(text, hint=hint, exit_code=USAGE)
                made.replace(target)
        except OSError as error:
            text = f"{target} cannot be written: {error.strerror or error}"
            hint = "name a file in a folder that you may write: --output FILE"
            raise CliError(text, hint=hint, exit_code=USAGE) from error
        return size

    def _write(self, path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr("manifest.json", json.dumps(self.manifest(), indent=2))
            archive.writestr("pyproject.toml", self._project())
            for name in ("main.py", "icon.png"):
                archive.writestr(name, (files("genui_cli.bundling") / name).read_bytes())
            for package in _PACKAGES:
                root = Path(str(files(package)))
                for file in files_in(root):
                    archive.write(file, PurePosixPath(package, file.relative_to(root).as_posix()))
            for name, file in self.included.items():
                archive.write(file, name)

    def _project(self) -> str:
        ours = [each for each in requires("mcp-gen-ui") or () if "extra ==" not in each]
        table = f"version = {json.dumps(version('mcp-gen-ui'))}\ndependencies = {json.dumps([*ours, *self.packages])}"
        return f'[project]\nname = "bundled-server"\nrequires-python = ">=3.11"\n{table}\n'


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without caches, installed packages and hidden files."""
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_OUT or path.name.startswith("."):
            continue
        if path.is_dir():
            yield from files_in(path)
        elif path.is_file():
            yield path


def with_files(argv: Sequence[str], more: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Path]]:
    """Return a command whose files are in the bundle, and these files by their path there.

    Args:
        argv: The upstream's command; a word that is a file in the working directory goes into the bundle.
        more: Other files and folders of the server.

    Raises:
        CliError: A file is missing, or outside the working directory.
    """
    here, included = Path.cwd(), dict[str, Path]()
    words = []
    for word in argv:
        path = Path(word)
        is_inside = path.is_file() and path.absolute().is_relative_to(here)
        if is_inside:
            included |= _placed(path, here)
        words.append(
            f"{_HERE}/{_SERVER}/{path.absolute().relative_to(here).as_posix()}" if is_inside else word
        )
    for name in more:
        path = Path(name)
        if not path.exists() or not path.resolve().is_relative_to(here.resolve()):
            text = f"--include {name}: there is no such file or folder in {here}"
            hint = "run the command in the server's folder, and name files below it"
            raise CliError(text, hint=hint, exit_code=USAGE)
        included |= _placed(path, here)
    return tuple(words), included


def _placed(path: Path, here: Path) -> dict[str, Path]:
    found = files_in(path) if path.is_dir() else (path,)
    return {f"{_SERVER}/{each.absolute().relative_to(here).as_posix()}": each for each in found}


def name_for(words: Sequence[str]) -> str:
    """Return a name for a bundle: that of the program or script that the words start."""
    named = [each for each in words if not each.startswith("-")]
    program = next((each for each in named[1:] if not each.isdigit()), named[0])
    stem = program.rstrip("/").rpartition("/")[2].removesuffix(".py").removesuffix(".js").partition("==")[0]
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "server"
