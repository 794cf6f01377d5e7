#!/usr/bin/env python3
"""Set this project up on a machine that has CPython and nothing else, and run it.

    python3 dev.py demo [ARGS]         set up, then `mcp-gen-ui demo ARGS`
    python3 dev.py preview -- CMD ...  set up, then `mcp-gen-ui preview -- CMD ...`
    python3 dev.py test                set up all that tests need, then run the suite on all cores,
                                       with a few cases of each long matrix
    python3 dev.py test --full         the same with every case of every matrix
    python3 dev.py test --coverage     the tests without a browser, and how many branches of the code they take
    python3 dev.py test ARGS           the same set-up, then `pytest ARGS`
    python3 dev.py lock [ARGS]         rewrite the lock files; `--upgrade` takes newer versions
    python3 dev.py release VERSION     commit and tag a version; `--push` also starts its publication

Everything goes into .venv beside this file; a second run finds it there and starts at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    Command = list[str | Path]

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "set-up"
RUN_LOCK, DEV_LOCK = ROOT / "requirements-run.lock", ROOT / "requirements.lock"
NODE_FOLDERS = (
    ROOT / "view",
    ROOT / "tests" / "browser" / "host",
    ROOT / "tests" / "system" / "workflow_linter",
)
REDIS_SERVERS = ("redis-server", "valkey-server")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUICK_BROWSER = "chromium-headless-shell"
APT_INSTALL = ("-qq", "install", "-y", "--no-install-recommends")
OLDEST_PYTHON = (3, 11)
MOST_PROCESSES = 8


QUICK, FULL, COVERAGE = "--quick", "--full", "--coverage"
COVERED = ("tests/unit", "tests/contract", "tests/system")


class SetupError(Exception):
    """A step failed; the message names it and says what to do."""


def main(arguments: list[str]) -> None:
    """Run the command that the first argument names."""
    command, *rest = arguments or ["--help"]
    keep_compiled()
    if sys.version_info < OLDEST_PYTHON:
        raise SetupError(f"This is Python {sys.version.split()[0]}; mcp-gen-ui needs CPython 3.11 or newer.")
    if command in {"demo", "preview"}:
        set_up_python("run")
        become([BIN / "mcp-gen-ui", command, *rest])
    elif command == "test":
        set_up_python("dev")
        set_up_node()
        set_up_browser()
        set_up_redis()
        if rest == [COVERAGE]:
            measure_coverage()
        become([PYTHON, "-m", "pytest", *pytest_arguments(rest)], ROOT)
    elif command == "lock":
        lock(rest)
    elif command == "release":
        become([sys.executable, ROOT / "release" / "release.py", "prepare", *rest])
    else:
        sys.stdout.write(f"{__doc__}\n")
        sys.exit(command not in {"--help", "-h"} and 2)


def pytest_arguments(rest: list[str]) -> list[str]:
    """Return the arguments of pytest: the whole suite, quick or full, or those of the caller."""
    if rest == [FULL]:
        os.environ["GENUI_GUARD"] = "full"
        return all_tests()
    return rest or [*all_tests(), QUICK]


def all_tests() -> list[str]:
    """Return the arguments of pytest for the whole suite: each test file in one process, the longest first.

    Three processes share two cores, because many tests wait for a server, a browser or a limit: a third of the
    time of one process is waiting. The order is in `tests/conftest.py`.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    count = min(cores + (cores + 1) // 2, MOST_PROCESSES)
    return ["--numprocesses", str(count), "--dist", "loadfile", "--no-loadscope-reorder"]


def measure_coverage() -> NoReturn:
    """Run the covered tests, and report the branches that they and their child processes take.

    The exit status is that of a failed test, or of a coverage below `fail_under` in pyproject.toml.
    """
    coverage: Command = [PYTHON, "-m", "coverage"]
    subprocess.run([*coverage, "erase"], cwd=ROOT, check=True)
    tests = [*coverage, "run", "-m", "pytest", *COVERED, *all_tests(), QUICK]
    failed = subprocess.run(tests, cwd=ROOT, check=False).returncode
    subprocess.run([*coverage, "combine", "--quiet"], cwd=ROOT, check=True)
    if failed:
        sys.exit(failed)
    become([*coverage, "report"], ROOT)


def keep_compiled() -> None:
    """Store compiled Python in .venv if the environment forbids it beside the sources.

    The tests start hundreds of Python processes; one that compiles all that it imports takes three times as long.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))


def set_up_python(level: str) -> None:
    """Install the locked packages into .venv: "run" for the product, "dev" also for its tests."""
    wanted = digest(RUN_LOCK, DEV_LOCK, ROOT / "pyproject.toml", also=sys.version)
    found = STAMP.read_text().split() if STAMP.is_file() else []
    if found in ([wanted, level], [wanted, "dev"]):
        return
    make_venv()
    pip = installer()
    locked = DEV_LOCK if level == "dev" else RUN_LOCK
    run(f"Installing what {locked.name} lists", [*pip, "--require-hashes", "-r", locked])
    run("Installing mcp-gen-ui from this folder", [*pip, "--no-deps", "--editable", ROOT])
    STAMP.write_text(f"{wanted} {level}\n")


def digest(*files: Path, also: str = "") -> str:
    """Return a hash over the contents of files."""
    return hashlib.sha256(b"".join([*(file.read_bytes() for file in files), also.encode()])).hexdigest()


def make_venv() -> None:
    """Make .venv, unless it exists and its Python runs."""
    if PYTHON.exists() and succeeds([PYTHON, "-m", "pip", "--version"]):
        return
    say("Making .venv")
    try:
        venv.create(VENV, with_pip=True, clear=True, symlinks=os.name != "nt")
    except (subprocess.CalledProcessError, OSError) as error:
        raise SetupError(f"{error}\nCould not make .venv. On Debian: apt-get install python3-venv") from error


def installer() -> Command:
    """Return the start of the command that installs into .venv: uv if it runs, else pip."""
    uv: Command = [PYTHON, "-m", "uv"]
    plain: Command = [PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    if not succeeds([*uv, "--version"]):
        say("Installing uv, which installs the rest quickly")
        if not (succeeds([*plain, "uv"]) and succeeds([*uv, "--version"])):
            say("uv does not run here; pip does the same, more slowly")
            return plain
    return [*uv, "pip", "install", "--quiet", "--python", PYTHON]


def set_up_node() -> None:
    """Install the pinned tools of each JavaScript folder."""
    for folder in NODE_FOLDERS:
        if not (folder / "package.json").is_file():
            continue
        stamp, wanted = folder / "node_modules" / ".set-up", digest(folder / "package-lock.json")
        if not stamp.is_file() or stamp.read_text() != wanted:
            npm = shutil.which("npm")
            if npm is None:
                raise SetupError(
                    "npm is missing. Install Node.js 20 or newer; on Debian: apt-get install npm"
                )
            run(
                f"Installing the tools of {folder.relative_to(ROOT)}",
                [npm, "ci", "--no-audit", "--no-fund"],
                folder,
            )
            stamp.write_text(wanted)


def set_up_browser() -> None:
    """Install Chromium by apt if there is no browser and this user may install one.

    Also install the headless one, if apt has it: the tests open pages in it in half the time.
    """
    set_up_by_apt("Chromium", "chromium", BROWSERS, "the browser tests")
    if (
        shutil.which(QUICK_BROWSER)
        or not (prefix := apt_prefix())
        or not succeeds(["apt-cache", "show", QUICK_BROWSER])
    ):
        return
    with contextlib.suppress(SetupError):
        run("Installing a Chromium without windows, which is quicker", [*prefix, *APT_INSTALL, QUICK_BROWSER])


def set_up_redis() -> None:
    """Install a Redis server by apt if there is none and this user may install one."""
    set_up_by_apt("Redis", "redis-server", REDIS_SERVERS, "the tests of the shared store")


def set_up_by_apt(name: str, package: str, programs: tuple[str, ...], needed_by: str) -> None:
    """Install a package unless one of its programs is there."""
    if any(map(shutil.which, programs)):
        return
    prefix = apt_prefix()
    if not prefix:
        say(f"No {name} found, and no right to install it: {needed_by} cannot run.\n"
            f"  Install it yourself; on Debian: apt-get update && apt-get install -y {package}")  # fmt: skip
        return
    run("Refreshing the list of packages", [*prefix, "-qq", "update"])
    run(f"Installing {name}", [*prefix, *APT_INSTALL, package])


def apt_prefix() -> Command:
    """Return the start of an apt command; nothing if this user may not install."""
    apt, sudo = shutil.which("apt-get"), shutil.which("sudo")
    if apt is None:
        return []
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return [apt]
    return [sudo, "-n", apt] if sudo and succeeds([sudo, "-n", "true"]) else []


def lock(arguments: list[str]) -> None:
    """Rewrite both lock files; the second holds every line of the first."""
    make_venv()
    if "uv" not in installer():
        raise SetupError("Only uv can write the lock, and it does not run here.")
    options = ["--universal", "--generate-hashes", "--no-header", "--no-annotate", "--quiet", *arguments]
    compile_: Command = [PYTHON, "-m", "uv", "pip", "compile", "pyproject.toml", *options]
    run(f"Writing {RUN_LOCK.name}", [*compile_, "-o", RUN_LOCK.name])
    run(f"Writing {DEV_LOCK.name}", [*compile_, "--group", "dev", "-c", RUN_LOCK.name, "-o", DEV_LOCK.name])


def run(step: str, command: Command, folder: Path = ROOT) -> None:
    """Print a description and run the command; print its output if it fails.

    Raises:
        SetupError: the command failed.
    """
    say(step)
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        shown = " ".join(map(str, command))
        raise SetupError(
            f"{done.stdout.decode(errors='replace')}\n{step}: failed with status {done.returncode}.\n"
            f"  The command was: {shown}\n  Is the network there? To begin afresh, delete {VENV} and try again."
        )


def succeeds(command: Command) -> bool:
    """Return whether a command can be run and succeeds."""
    try:
        return subprocess.run(command, capture_output=True, check=False, cwd=ROOT).returncode == 0
    except OSError:
        return False


def become(command: Command, folder: Path | None = None) -> NoReturn:
    """Replace this process by the command, so that signals and the exit status are the command's."""
    if folder is not None:
        os.chdir(folder)
    sys.stderr.flush()
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], [str(part) for part in command])  # noqa: S606 -- there is no shell to be had


def say(text: str) -> None:
    """Print a message to standard error; standard output belongs to the command."""
    sys.stderr.write(f"· {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except SetupError as error:
        sys.exit(f"dev.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
