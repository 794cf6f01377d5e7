"""Finds commands that may start a project's server, in the project's files. Starts none of them."""

import json
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from attrs import frozen

from genui_cli.cli_error import CliError
from genui_cli.configuration.files import read_text
from genui_cli.install.entries import is_wrapper
from genui_cli.install.hosts import HOSTS
from genui_cli.upstream_options import UpstreamOptions

LOOKED_FOR = (
    "pyproject.toml (scripts), Python files that use the MCP SDK or FastMCP, package.json (bin, scripts, main), "
    ".mcp.json, .vscode/mcp.json and .cursor/mcp.json"
)
_LEFT_OUT = {"tests", "test", "node_modules", "build", "dist", "venv", "site-packages", "__pycache__"}
_SDK = re.compile(r"^\s*(?:from|import)\s+(?:mcp|fastmcp)\b", re.MULTILINE)
_STARTS = re.compile(r"\.run(?:_\w+)?\(|stdio_server\(")
_MOST_FILES = 500
_DEEPEST = 4


@frozen
class Candidate:
    """A command that may start the server.

    Attributes:
        source: The file, and the place in it, that names the command.
        upstream: The command, or the URL.
        host: The host that lists the server already, by its name in `install`.
        name: The server's name in that host's list, or in the project.
    """

    source: str
    upstream: UpstreamOptions
    host: str | None = None
    name: str | None = None


def candidates(folder: Path) -> list[Candidate]:
    """Return the commands in the files of a folder, each once, the most certain first.

    Raises CliError if a file that may have a command cannot be parsed.
    """
    sources = (_listed_by_hosts(folder), _of_pyproject(folder), _of_package(folder), _of_modules(folder))
    found = [each for source in sources for each in source][::-1]
    unique = {(each.upstream.url, each.upstream.argv, each.upstream.env): each for each in found}
    return [*unique.values()][::-1]


def _listed_by_hosts(folder: Path) -> Iterator[Candidate]:
    for name, host in HOSTS.items():
        lists = ((path, each.keys) for each in host.places if not each.is_user for path in each.find({}, ""))
        for path, keys in lists:
            for server, entry in host.file(folder / path, keys).servers.items():
                upstream = (
                    _entry(entry, folder) if isinstance(entry, Mapping) and not is_wrapper(entry) else None
                )
                if upstream is not None:
                    source = f"{path.as_posix()} ({server}), for {host.title}"
                    yield Candidate(source, upstream, name, server)


def _entry(entry: Mapping[str, object], folder: Path) -> UpstreamOptions | None:
    url, command, args, cwd = (entry.get(each) for each in ("url", "command", "args", "cwd"))
    env, headers = (_pairs(entry.get(each)) for each in ("env", "headers"))
    if isinstance(url, str):
        return UpstreamOptions(url, headers=tuple(f"{key}: {value}" for key, value in headers))
    if not isinstance(command, str):
        return None
    words = [command, *(args if isinstance(args, list) else ()), *([cwd] if isinstance(cwd, str) else ())]
    filled = [str(each).replace("${workspaceFolder}", str(folder)) for each in words]
    at = filled.pop() if isinstance(cwd, str) else None
    return UpstreamOptions(argv=tuple(filled), env=tuple(f"{key}={value}" for key, value in env), cwd=at)


def _pairs(value: object) -> list[tuple[object, object]]:
    return [*value.items()] if isinstance(value, Mapping) else []


def _of_pyproject(folder: Path) -> Iterator[Candidate]:
    project = _read(folder / "pyproject.toml", tomllib.loads).get("project")
    scripts = project.get("scripts") if isinstance(project, Mapping) else None
    for name, target in _pairs(scripts):
        module, _, function = str(target).partition(":")
        if re.fullmatch(r"[\w.]+:[\w.]+", str(target)):
            argv = _script(folder, str(name), module, function)
            yield Candidate(f"pyproject.toml, scripts.{name}", UpstreamOptions(argv=argv), name=str(name))


def _script(folder: Path, name: str, module: str, function: str) -> tuple[str, ...]:
    """Return the command of a project's script: the installed one, with uv, or from the sources."""
    programs = _programs(folder)
    if programs is not None and (installed := shutil.which(name, path=str(programs))):
        return (installed,)
    if (folder / "uv.lock").is_file() and shutil.which("uv"):
        return ("uv", "run", "--quiet", name)
    at = f"sys.path.insert(0, {str(folder / 'src' if (folder / 'src').is_dir() else folder)!r}); "
    outer = function.partition(".")[0]
    code = f"import sys; {at}from {module} import {outer}; sys.exit({function}())"
    return (_python(folder), "-c", code)


def _programs(folder: Path) -> Path | None:
    places = (folder / venv / part for venv in (".venv", "venv") for part in ("bin", "Scripts"))
    return next((each for each in places if each.is_dir()), None)


def _python(folder: Path) -> str:
    programs = _programs(folder)
    own = shutil.which("python", path=str(programs)) if programs is not None else None
    return own or shutil.which("python") or shutil.which("python3") or sys.executable


def _of_package(folder: Path) -> Iterator[Candidate]:
    package = _read(folder / "package.json", json.loads)
    named, main = package.get("bin"), package.get("main")
    title = str(package.get("name", "")).rpartition("/")[2] or None
    programs = [(f"bin.{key}", each) for key, each in _pairs(named)]
    for place, file in (("bin", named), *programs, ("main", main)):
        if isinstance(file, str) and (folder / file).is_file():
            upstream = UpstreamOptions(argv=("node", Path(file).as_posix()))
            yield Candidate(f"package.json, {place}", upstream, name=title)
    scripts = package.get("scripts")
    for name in ("start", "mcp", "serve"):
        if isinstance(scripts, Mapping) and name in scripts:
            upstream = UpstreamOptions(argv=("npm", "run", "--silent", name))
            yield Candidate(f"package.json, scripts.{name}", upstream, name=title)


def _of_modules(folder: Path) -> Iterator[Candidate]:
    for path in islice(_python_files(folder, _DEEPEST), _MOST_FILES):
        text = path.read_text(encoding="utf-8", errors="replace")
        if _SDK.search(text) and _STARTS.search(text):
            name = path.relative_to(folder).as_posix()
            yield Candidate(name, UpstreamOptions(argv=(_python(folder), name)))


def _python_files(folder: Path, depth: int) -> Iterator[Path]:
    for path in sorted(folder.iterdir(), key=lambda each: (each.is_dir(), each.name)):
        if path.name in _LEFT_OUT or path.name.startswith((".", "test_")):
            continue
        if path.is_dir() and not path.is_symlink() and depth > 1:
            yield from _python_files(path, depth - 1)
        elif path.suffix == ".py" and path.is_file():
            yield path


def _read(path: Path, parse: Callable[[str], object]) -> Mapping[str, object]:
    if not path.is_file():
        return {}
    try:
        content = parse(read_text(path).removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise CliError(f"{path} cannot be read: {error}", hint="correct the file") from error
    return content if isinstance(content, Mapping) else {}
