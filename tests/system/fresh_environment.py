"""Builds the wheel, and environments with only the wheel and its locked dependencies."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def built_wheel(repository: Path, folder: Path) -> Path:
    """Build the wheel into a folder."""
    if find_spec("uv"):
        must(sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", folder, repository)
    else:
        must(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, repository)
    (built,) = folder.glob("*.whl")
    return built


def fresh_environment(repository: Path, wheel: Path, folder: Path) -> Path:
    """Make an environment with the wheel beside the locked packages; return its folder of programs."""
    must(sys.executable, "-m", "venv", *(["--without-pip"] if find_spec("uv") else []), folder)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    if find_spec("uv"):
        install = (sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", programs / "python")
    else:
        install = (programs / "python", "-m", "pip", "install", "--quiet")
    must(*install, "--require-hashes", "-r", repository / "requirements-run.lock")
    must(*install, "--no-deps", wheel)
    return programs


def must(*command: object) -> str:
    """Run a command that must succeed, and return its output."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
