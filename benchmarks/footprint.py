"""Measure what an installation costs: time, size, packages, and the imports of the command.

    python benchmarks/footprint.py

The wheel is built from this tree; its dependencies come from the configured package index. Nothing comes from a
cache of packages, so the times depend on the network.
"""

import importlib.metadata
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STARTS = 15
LARGEST = 8
IMPORTS = """
import sys, time
before = time.perf_counter()
import {module}
print((time.perf_counter() - before) * 1000, len(sys.modules))
"""


def main() -> None:
    """Measure in a new environment and print the figures."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        run(sys.executable, "-m", "hatchling", "build", "-d", folder / "dist", cwd=ROOT)
        (wheel,) = (folder / "dist").glob("*.whl")
        (sdist,) = (folder / "dist").glob("*.tar.gz")
        print(f"wheel {kilobytes(wheel)} kB, sdist {kilobytes(sdist)} kB")
        for name, words in installers(folder, wheel):
            begun = time.perf_counter()
            run(*words)
            print(f"{name}: {time.perf_counter() - begun:.1f} s")
        measure_environment(folder / "with-pip")


def installers(folder: Path, wheel: Path) -> list[tuple[str, list[object]]]:
    """Return the commands that install the wheel into new environments."""
    pip = folder / "with-pip" / "bin" / "pip"
    uv = [sys.executable, "-m", "uv"]
    return [
        ("a new environment", [sys.executable, "-m", "venv", folder / "with-pip"]),
        ("pip install", [pip, "install", "-q", "--no-cache-dir", wheel]),
        ("a new environment by uv", [*uv, "venv", "-q", folder / "with-uv"]),
        (
            "uv pip install",
            [*uv, "pip", "install", "-q", "--no-cache", "--python", folder / "with-uv", wheel],
        ),
    ]


def measure_environment(environment: Path) -> None:
    """Print sizes and times of an environment with the wheel in it."""
    (site,) = environment.glob("lib/python*/site-packages")
    sizes = {}
    for package in importlib.metadata.distributions(path=[str(site)]):
        files = [site / str(file) for file in package.files or []]
        sizes[package.metadata["Name"]] = sum(each.stat().st_size for each in files if each.exists())
    ours = {name: size for name, size in sizes.items() if name not in {"pip", "setuptools"}}
    print(f"{len(ours)} packages, {sum(ours.values()) / 1e6:.0f} MB with compiled modules")
    for name, size in sorted(ours.items(), key=lambda each: -each[1])[:LARGEST]:
        print(f"  {name} {size / 1e6:.1f} MB")
    command, python = environment / "bin" / "mcp-gen-ui", environment / "bin" / "python"
    starts: list[list[str | Path]] = [
        [python, "-c", "pass"],
        [command, "--version"],
        [command, "demo", "--help"],
    ]
    for words in starts:
        print(f"{' '.join([Path(words[0]).name, *map(str, words[1:])])}: {times(words)}")
    for module in ("genui_cli.entry", "genui_cli.commands", "genui_core"):
        found = [json.loads(f"[{','.join(imported(python, module))}]") for _ in range(STARTS)]
        took = statistics.median(each[0] for each in found)
        print(f"import {module}: {took:.0f} ms, {found[0][1]} modules loaded")


def imported(python: Path, module: str) -> list[str]:
    """Return how long an import took and how many modules it loaded."""
    return run(python, "-c", IMPORTS.format(module=module)).split()


def times(words: Sequence[str | Path]) -> str:
    """Return the median and the range of the time that a command takes."""
    found = []
    for _ in range(STARTS):
        begun = time.perf_counter()
        run(*words)
        found.append((time.perf_counter() - begun) * 1000)
    return f"{statistics.median(found):.0f} ms ({min(found):.0f} to {max(found):.0f})"


def kilobytes(file: Path) -> int:
    """Return the size of a file."""
    return round(file.stat().st_size / 1000)


def run(*words: object, cwd: Path | None = None) -> str:
    """Run a command that must succeed, and return its output."""
    return subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
