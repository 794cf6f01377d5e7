"""Fixtures that install third-party MCP servers, and the wheel in a fresh environment, once for all tests."""

import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest
from attrs import frozen

from genui_adapters.io.process import upstream_environment

from .fresh_environment import built_wheel, fresh_environment

LOCKS = Path(__file__).parent / "servers"
UV = [sys.executable, "-m", "uv"] if find_spec("uv") else []
SERVERS = Path(__file__).resolve().parents[2] / "build" / "third-party"


@pytest.fixture(scope="session")
def wheel(repository, tmp_path_factory):
    """The wheel, built from the repository."""
    return built_wheel(repository, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def installed(repository, wheel, tmp_path_factory):
    """The folder of programs in a fresh environment with only the wheel and its dependencies."""
    return fresh_environment(repository, wheel, tmp_path_factory.mktemp("installed"))


@frozen
class Upstream:
    """A third-party server: how to start it in a fresh folder, and real calls to make."""

    argv: tuple
    cwd: Path
    calls: tuple

    @property
    def options(self):
        """Options of a process that give the server the same environment direct and behind the wrapper."""
        return {"cwd": self.cwd, "env": upstream_environment(os.environ, {})}


INSTALL_S = 600
"""A limit, because a package manager waits for hours if its registry stops answering."""


def install_once(name, files, install, locks=LOCKS):
    """Run an install command in its own folder, unless the same files were installed there before."""
    folder = SERVERS / name
    stamp = folder / "installed"
    wanted = sha256(b"".join((locks / each).read_bytes() for each in files)).hexdigest()
    if not stamp.is_file() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for each in files:
            shutil.copy(locks / each, folder)
        for command in install(folder):
            subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr, timeout=INSTALL_S)
        stamp.write_text(wanted)
    return folder


def python_environment(name):
    """Install the packages of a lock file into an environment; return its folder of programs."""

    def install(folder):
        yield [sys.executable, "-m", "venv", *(["--without-pip"] if UV else []), folder / "venv"]
        python = folder / "venv" / "bin" / "python"
        pip = (
            [*UV, "pip", "install", "--python", python]
            if UV
            else [python, "-m", "pip", "install", "--no-deps"]
        )
        yield [*pip, "--quiet", "--require-hashes", "-r", folder / f"{name}.lock"]

    return install_once(name, [f"{name}.lock"], install) / "venv" / "bin"


def installed_python_server(name):
    return python_environment(name) / f"mcp-server-{name}"


NPM = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
NPM_FILES = ["package.json", "package-lock.json"]


def node_program(name, *program):
    """Install an official program and its Node.js; return its command line, or skip the test."""
    try:
        folder = install_once(name, NPM_FILES, lambda _: [NPM], Path(__file__).parent / name)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"{name} cannot be installed: {error}")
    node = next(folder.glob("node_modules/node-*/bin/node"), None) or shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version[1:].partition(".")[0]) < 22:
        pytest.skip(f"{name} needs Node.js 22, and this is {version}")
    return (node, folder.joinpath("node_modules", "@modelcontextprotocol", *program))


@pytest.fixture(scope="session")
def conformance_suite():
    """The command line of the official conformance suite; skips the test if it cannot be installed."""
    return node_program("conformance", "conformance", "dist", "index.js")


@pytest.fixture(scope="session")
def inspector_program():
    """The command line of the official MCP Inspector; skips the test if it cannot be installed."""
    return node_program("inspector", "inspector", "clients", "launcher", "build", "index.js")


@pytest.fixture(scope="session")
def fastmcp_python():
    """The interpreter of an environment with the package `fastmcp` and the wrapper's dependencies."""
    return python_environment("fastmcp") / "python"


@pytest.fixture(scope="session")
def agent_python():
    """The interpreter of an environment with the agent framework of an example."""
    return python_environment("agent") / "python"


def everything(_folder):
    folder = install_once("everything", NPM_FILES, lambda _: [NPM])
    calls = (
        ("echo", {"message": 'héllo <b>"world"</b> & ${x} {{y}} 世界'}),
        ("get-sum", {"a": 2, "b": 40.5}),
        ("get-sum", {"a": "not a number"}),
        ("get-structured-content", {"location": "Chicago"}),
        ("get-tiny-image", {}),
        ("get-annotated-message", {"messageType": "error", "includeImage": True}),
        ("get-resource-links", {"count": 3}),
        ("get-env", {}),
        ("no-such-tool", {}),
    )
    return (folder / "node_modules" / ".bin" / "mcp-server-everything",), calls


def git(folder):
    repository = folder / "repo"
    config = ["-c", "user.email=t@example.org", "-c", "user.name=T", "-c", "init.defaultBranch=main"]
    env = {
        **os.environ,
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    }
    repository.mkdir(parents=True)
    (repository / "a.txt").write_text("one\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first commit"]):
        subprocess.run(["git", *config, *command], cwd=repository, env=env, check=True)
    place = {"repo_path": "repo"}
    calls = (
        ("git_status", place),
        ("git_log", {**place, "max_count": 3}),
        ("git_show", {**place, "revision": "HEAD"}),
        ("git_create_branch", {**place, "branch_name": "feature"}),
        ("git_branch", {**place, "branch_type": "local"}),
        ("git_show", {**place, "revision": "nope"}),
        ("git_status", {}),
    )
    return (installed_python_server("git"),), calls


def sqlite(folder):
    calls = (
        ("create_table", {"query": "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, price REAL)"}),
        ("write_query", {"query": "INSERT INTO t(name,price) VALUES('tea',2.5),('café',3.25),(NULL,0)"}),
        ("read_query", {"query": "SELECT * FROM t"}),
        ("describe_table", {"table_name": "t"}),
        ("append_insight", {"insight": "Tea is cheap"}),
        ("read_query", {"query": "SELECT * FROM nope"}),
    )
    return (installed_python_server("sqlite"), "--db-path", folder / "t.db"), calls


def weather(_folder):
    program = Path(__file__).resolve().parents[2] / "examples" / "weather-server" / "weather_server.py"
    calls = (
        ("get_current_weather", {"city": "Oslo"}),
        ("get_forecast", {"city": "Lima", "days": 5}),
        ("get_current_weather", {"city": "Atlantis"}),
    )
    return (sys.executable, program), calls


KINDS = {"everything": everything, "git": git, "sqlite": sqlite, "weather": weather}


@pytest.fixture(scope="module", params=list(KINDS))
def upstream(request, tmp_path_factory):
    """Return a third-party server with an empty folder, always at the same path, which results may name."""
    folder = tmp_path_factory.mktemp(request.param) / "work"

    def fresh():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        argv, calls = KINDS[request.param](folder)
        return Upstream(tuple(map(str, argv)), folder, calls)

    return fresh


@pytest.fixture
def say():
    """Return a message as one line of JSON."""
    return lambda message: json.dumps(message).encode() + b"\n"
