"""Runs all property tests with many more examples than the tests do, for as long as asked.

    python benchmarks/fuzz.py [--minutes 10] [PYTEST ARGUMENTS]

It goes over extraction, validation, repair, relay, forms of schemas, canonical JSON and the loading of stored
views, again and again, until the time is up or something fails. A failing example is shown in its smallest
form, and kept by Hypothesis: it is the first one that is tried the next time.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Fuzz until the time is up; return the exit code of the run that failed, or 0."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    options, rest = parser.parse_known_args()
    end = time.monotonic() + options.minutes * 60
    files = property_tests()
    turn = 0
    while (left := end - time.monotonic()) > 0:
        name = files[turn % len(files)]
        print(f"{left / 60:.1f} min left: {name}", flush=True)
        if failed := fuzzed(name, left, rest):
            return failed
        turn += 1
    return 0


def property_tests() -> list[Path]:
    """Return the test files that hold properties."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [each.relative_to(ROOT) for each in files if "hypothesis import given" in each.read_text("utf-8")]


def fuzzed(name: Path, seconds: float, rest: list[str]) -> int:
    """Run the properties of one file; return 0 where they held, or the time ran out."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "hypothesis", str(name), *rest]
    environment = os.environ | {"GENUI_FUZZ_PROFILE": "long"}
    try:
        code = subprocess.run(command, cwd=ROOT, env=environment, timeout=seconds, check=False).returncode
    except subprocess.TimeoutExpired:
        return 0
    return 0 if code == NO_TESTS else code


NO_TESTS = 5
"""What pytest says where no test was selected."""

if __name__ == "__main__":
    sys.exit(main())
