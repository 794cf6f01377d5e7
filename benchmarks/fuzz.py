"""Runs all property tests again and again, with ever more examples, for as long as asked.

    python benchmarks/fuzz.py [--minutes 10] [--seed 1] [--target NAME] [PYTEST ARGUMENTS]

Each round goes over all targets: extraction, validation, repair, relay, schema to form, canonical JSON, cache
loading and the rest. The first round makes a few hundred examples of each property, every later one twice as
many, with a seed of its own. At the end it says how many examples were made for each target, and what failed;
a failing example is shown in its smallest form, and kept by Hypothesis: it is the first one that is tried the
next time.
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
"""What a file of property tests is about; whatever is not named here is of the other targets."""
OTHERS = "others"
_MADE = re.compile(
    r"(\d+) passing, (\d+) failing(?:, and (\d+) invalid)?|(\d+) passing examples, (\d+) failing"
)
_NO_TESTS = 5
"""What pytest says where no test was selected."""


def main() -> int:
    """Fuzz until the time is up; return 1 where anything failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="of the first round (default: 1)")
    parser.add_argument("--target", choices=sorted({*TARGETS.values(), OTHERS}), help="only this one")
    options, rest = parser.parse_known_args()
    made, failed = Counter[str](), Counter[str]()
    end = time.monotonic() + options.minutes * 60
    for name, examples, seed in leases(options.seed, options.target):
        if (left := end - time.monotonic()) <= 0:
            break
        code, count = fuzzed(name, examples, seed, left, rest)
        made[target_of(name)] += count
        failed[target_of(name)] += code not in (0, _NO_TESTS)
        print(f"{left / 60:5.1f} min left  seed {seed}  {count:>9,} examples  {name}", flush=True)
    print(f"\nseed {options.seed}, {options.minutes:g} minutes")
    for target in sorted(made):
        print(f"{target:<16} {made[target]:>12,} examples  {failed[target]} failures")
    return 1 if failed.total() else 0


def target_of(name: Path) -> str:
    """Return what a file of property tests is about."""
    return TARGETS.get(name.stem, OTHERS)


def leases(seed: int, target: str | None) -> Iterator[tuple[Path, int, int]]:
    """Yield which file is next, with how many examples of each property and which seed, without end."""
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


def fuzzed(name: Path, examples: int, seed: int, seconds: float, rest: list[str]) -> tuple[int, int]:
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
