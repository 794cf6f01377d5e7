"""Runs all property tests repeatedly, with more examples each round, for a given time.

    python benchmarks/fuzz.py [--minutes 10] [--seed 1] [--target NAME] [PYTEST ARGUMENTS]

Each round goes over all targets: extraction, validation, repair, relay, schema to form, canonical JSON, cache
loading and the rest. The first round makes a few hundred examples of each property, every later one twice as
many, with its own seed. At the end it prints the number of examples per target, and the failures. Hypothesis
shows a failing example in its smallest form, stores it, and tries it first in the next run.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRST_EXAMPLES = 200
TARGETS = {
    "test_extraction": "extraction",
    "test_validator_fuzz": "validation",
    "test_hostile_input": "validation",
    "test_documents": "validation",
    "test_repairs": "repair",
    "test_relay": "relay",
    "test_relay_deaths": "relay",
    "test_relay_fuzz": "relay",
    "test_lines": "relay",
    "test_message_lines": "relay",
    "test_form_fuzz": "schema to form",
    "test_minimal_view": "schema to form",
    "test_canonical_json": "canonical JSON",
    "test_stored_fuzz": "cache loading",
    "test_stores": "cache loading",
}
"""The target of each file of property tests; files that are not named here belong to the other targets."""
OTHERS = "others"
_MADE = re.compile(
    r"(\d+) passing, (\d+) failing(?:, and (\d+) invalid)?|(\d+) passing examples, (\d+) failing"
)
_NO_TESTS = 5
"""The exit code of pytest if no test was selected."""


def main() -> int:
    """Fuzz until the time is up; return 1 if anything failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="of the first round (default: 1)")
    parser.add_argument("--target", choices=sorted({*TARGETS.values(), OTHERS}), help="only this one")
    options, rest = parser.parse_known_args()
    made, failed = Counter[str](), Counter[str]()
    end = time.monotonic() + options.minutes * 60
    for name, examples, seed in rounds(options.seed, options.target):
        if (left := end - time.monotonic()) <= 0:
            break
        code, count = fuzz_file(name, examples, seed, left, rest)
        made[target_of(name)] += count
        failed[target_of(name)] += code not in (0, _NO_TESTS)
        print(f"{left / 60:5.1f} min left  seed {seed}  {count:>9,} examples  {name}", flush=True)
    print(f"\nseed {options.seed}, {options.minutes:g} minutes")
    for target in sorted(made):
        print(f"{target:<16} {made[target]:>12,} examples  {failed[target]} failures")
    return 1 if failed.total() else 0


def target_of(name: Path) -> str:
    """Return the target of a file of property tests."""
    return TARGETS.get(name.stem, OTHERS)


def rounds(seed: int, target: str | None) -> Iterator[tuple[Path, int, int]]:
    """Yield the next file, its number of examples per property and its seed, without end."""
    files = [each for each in property_tests() if target in (None, target_of(each))]
    examples = FIRST_EXAMPLES
    while True:
        for each in files:
            yield each, examples, seed
        examples, seed = examples * 2, seed + 1


def property_tests() -> list[Path]:
    """Return the test files that hold properties."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    holding = (each for each in files if "from hypothesis" in each.read_text("utf-8"))
    return [each.relative_to(ROOT) for each in holding if "node_modules" not in each.parts]


def fuzz_file(name: Path, examples: int, seed: int, seconds: float, rest: list[str]) -> tuple[int, int]:
    """Run the properties of one file; return the exit code, 0 where the time ran out, and the examples made."""
    options = ["-q", "-m", "hypothesis", f"--hypothesis-seed={seed}", "--hypothesis-show-statistics"]
    command = [sys.executable, "-m", "pytest", *options, str(name), *rest]
    environment = os.environ | {"GENUI_FUZZ_PROFILE": "long", "GENUI_FUZZ_EXAMPLES": str(examples)}
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=seconds, capture_output=True, text=True, check=False
        )
    except subprocess.TimeoutExpired:
        return 0, 0
    if done.returncode not in (0, _NO_TESTS):
        print(done.stdout[-8_000:], done.stderr[-2_000:], flush=True)
    counts = (map(int, filter(None, found.groups())) for found in _MADE.finditer(done.stdout))
    return done.returncode, sum(map(sum, counts))


if __name__ == "__main__":
    sys.exit(main())
