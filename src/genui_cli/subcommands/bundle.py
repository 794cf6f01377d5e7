"""``mcp-gen-ui bundle``: writes one file (``.mcpb``) that installs a server with the wrapper."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import requires, version
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import rich_click as click

from genui_cli.cli_error import CliError, writing
from genui_cli.flags import examples, json_flag, upstream_flags
from genui_cli.output import note, say, say_json
from genui_cli.upstream_options import UpstreamOptions, proxy_arguments, upstream_argv

_FIXED = (("--cwd", "cwd"), ("--env-file", "env_file"))
MOST_BYTES = 5_000_000
_PACKAGES = ("genui_core", "genui_adapters", "genui_cli")
_SERVER = "server"
_LEFT_OUT = frozenset(("__pycache__", "node_modules"))


@click.command(
    epilog=examples(
        "mcp-gen-ui bundle -- uvx mcp-server-git",
        "mcp-gen-ui bundle --name books --with httpx -- python server.py",
        "mcp-gen-ui bundle -e GITHUB_TOKEN --output github.mcpb -- npx -y my-server",
        "mcp-gen-ui bundle --upstream https://example.org/mcp",
    )
)
@upstream_flags
@click.option("--name", metavar="NAME", help="The name that the host lists; default: that of the program.")
@click.option("-o", "--output", metavar="FILE", help="The file to write; default: NAME.mcpb.")
@click.option(
    "--include", metavar="PATH", multiple=True, help="Put this file or folder of the server into the bundle."
)
@click.option(
    "--with", "packages", metavar="PACKAGE", multiple=True, help="Install this Python package for the server."
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@json_flag
def bundle(
    upstream: UpstreamOptions,
    name: str | None,
    output: str | None,
    include: tuple[str, ...],
    packages: tuple[str, ...],
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Write a desktop bundle (.mcpb) that starts the wrapper with your server.

    The bundle holds the wrapper, and the files of the working directory that the command names. The host
    asks for the provider, its key and the model, and for each variable that -e KEY names without a value.
    """
    for flag, field in _FIXED:
        if getattr(upstream, field) is not None:
            hint = "run the command in that folder, and name each variable with -e"
            raise CliError(f"{flag} names a path that exists only on this machine", hint=hint)
    argv = () if upstream.url else upstream_argv(upstream)
    title = name or name_for(argv or (upstream.url or "").rpartition("//")[2].partition("/")[:1])
    words, included = _with_files(argv, include)
    for text in _remarks(argv, words, upstream):
        note(f"warning: {text}")
    folder = f"${{__dirname}}/{_SERVER}" if included else None  # the server opens its files by relative paths
    wrapped = upstream._replace(upstream=upstream.url, argv=words, cwd=folder)
    asked = tuple(each for each in upstream.env if "=" not in each)
    target = Path(output or f"{title.replace('/', '-')}.mcpb").expanduser()
    if target.exists() and not force:
        raise CliError(
            f"{target} exists", hint="add --force to replace it, or name another file with --output"
        )
    made = Bundle(title, proxy_arguments(wrapped, {}), asked, packages, included)
    size = made.write(target)
    if as_json:
        say_json({"file": str(target), "name": title, "bytes": size, "included": [*included]})
        return
    say(str(target))
    note(f"{size} bytes, files of the server: {len(included)}; open it with a host such as Claude Desktop")


class Bundle(NamedTuple):
    """A bundle before it is written.

    Attributes:
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
        made: dict[str, Any] = json.loads(_part("manifest.json"))
        made |= {"name": self.name, "version": version("mcp-gen-ui")}
        made["description"] = f"{self.name}, with an interactive view for every tool"
        start = made["server"]["mcp_config"]
        start["args"] += self.words
        for each in self.variables:
            text = f"The server reads this from the variable {each}."
            asked = {
                "type": "string",
                "title": each,
                "description": text,
                "sensitive": True,
                "required": True,
            }
            start["env"][each], made["user_config"][each] = f"${{user_config.{each}}}", asked
        return made

    def write(self, target: Path) -> int:
        """Write the archive in one step, and return its size in bytes.

        Raises CliError if the file cannot be written, or the bundle is too large.
        """
        import tempfile  # noqa: PLC0415 -- not for --help

        with (
            writing(target, "name a file in a folder that you may write: --output FILE"),
            tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as folder,
        ):
            made = Path(folder, "bundle")
            self._write(made)
            size = made.stat().st_size
            if size > MOST_BYTES:
                hint = "include fewer files, or publish the server and bundle its command: -- uvx SERVER"
                text = f"the bundle would have {size} bytes, and {MOST_BYTES} are allowed"
                raise CliError(text, hint=hint)
            made.replace(target)
        return size

    def _write(self, path: Path) -> None:
        import zipfile  # noqa: PLC0415 -- not for --help

        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            archive.writestr("manifest.json", json.dumps(self.manifest(), indent=2))
            archive.writestr("pyproject.toml", self._project())
            archive.writestr("icon.png", _part("icon.png"))
            for package in _PACKAGES:
                root = Path(str(files(package)))
                for file in _files_in(root):
                    archive.write(file, f"{package}/{file.relative_to(root).as_posix()}")
            for name, file in self.included.items():
                archive.write(file, name)

    def _project(self) -> str:
        """Return the project file, from which uv installs the packages of the wrapper and the server."""
        ours = [each for each in requires("mcp-gen-ui") or () if "extra ==" not in each]
        packages = json.dumps([*ours, *self.packages])
        head = '[project]\nname = "bundled-server"\nversion = "1"\nrequires-python = ">=3.11"\n'
        return f"{head}dependencies = {packages}\n"


def _part(name: str) -> bytes:
    return (files("genui_cli.subcommands") / f"bundle_{name}").read_bytes()


def _files_in(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, without caches, installed packages and hidden files."""
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_OUT or path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _files_in(path)
        elif path.is_file():
            yield path


def _with_files(argv: Sequence[str], more: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Path]]:
    """Return the command with the paths that its files have in the bundle, and the files by these paths.

    Args:
        argv: The upstream's command; files of the working directory that it names go into the bundle.
        more: Other files and folders of the server (``--include``).

    Raises CliError if a file is missing, or outside the working directory.
    """
    included, words = dict[str, Path](), list[str]()
    for word in argv:
        place = _place(Path(word)) if Path(word).is_file() else None
        words.append(word if place is None else f"${{__dirname}}/{place}")
        included |= {} if place is None else {place: Path(word)}
    for name in more:
        path = Path(name)
        if not path.exists() or not path.resolve().is_relative_to(Path.cwd().resolve()):
            text = f"--include {name}: there is no such file or folder in {Path.cwd()}"
            raise CliError(text, hint="run the command in the server's folder, and name files below it")
        found = _files_in(path) if path.is_dir() else (path,)
        included |= {str(_place(each)): each for each in found}
    return tuple(words), included


def _place(path: Path) -> str | None:
    """Return the path of a file in the bundle; None if the file is outside the working directory."""
    path, here = path.absolute(), Path.cwd()
    return f"{_SERVER}/{path.relative_to(here).as_posix()}" if path.is_relative_to(here) else None


def name_for(words: Sequence[str]) -> str:
    """Return a name for a server, from the program or script in its command."""
    named = [each for each in words if not each.startswith("-")]
    program = next((each for each in named[1:] if not each.isdigit()), named[0])
    stem = program.rstrip("/").rpartition("/")[2].removesuffix(".py").removesuffix(".js").partition("==")[0]
    return re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-") or "server"


def _remarks(argv: tuple[str, ...], words: tuple[str, ...], upstream: UpstreamOptions) -> Iterator[str]:
    """Yield warnings about a command that may fail on other machines, or that holds values in plain text."""
    for word in words:
        if word.startswith("/"):
            yield f"{word} is a path on this machine; the bundle works only where it exists"
    if argv and shutil.which(argv[0]) is None and words[0] == argv[0]:
        yield f"{argv[0]} is not found on this machine"
    stored = [each.partition("=")[0] for each in upstream.env if "=" in each]
    stored += [each.partition(":")[0] for each in upstream.headers if "${" not in each]
    if stored:
        yield f"the bundle stores values in plain text: {', '.join(stored)}"
