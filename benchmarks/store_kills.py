"""Share one folder of views between processes that are killed at random moments.

Every process writes and reads the same keys, and reports the views that it has stored. At the end no view may
be wrong, set aside or lost: each reported view is there, and whole.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

WRITER = Path(__file__).parents[1] / "tests" / "contract" / "view_store" / "writer_process.py"
_MOST_PATIENCE_S, _LOOK_S = 60, 0.02
_LONGEST_LIFE_S = 1.5


class Writers:
    """Processes that write until they are killed, and their reports."""

    def __init__(self, folder: Path, count: int) -> None:
        """Start them."""
        self.reported: set[str] = set()
        self.seen: Counter[str] = Counter()
        self._folder = folder
        self._number = 0
        self._alive = [self._started() for _ in range(count)]

    def first_word_s(self) -> float:
        """Wait until one process has written something, a minute at most; return how long that took."""
        began_s = time.monotonic()
        while time.monotonic() < began_s + _MOST_PATIENCE_S:
            if any(os.fstat(child.log.fileno()).st_size for child in self._alive):
                break
            time.sleep(_LOOK_S)
        return time.monotonic() - began_s

    def kill_one(self) -> None:
        """Kill one process at any moment, and start another in its place."""
        victim = self._alive.pop(0)
        self._alive.append(self._started())
        self._end(victim)

    def kill_all(self) -> None:
        """Kill all processes."""
        for victim in self._alive:
            self._end(victim)

    def _started(self) -> subprocess.Popen[bytes]:
        self._number += 1
        log = (self._folder / f"said-{self._number}").open("w+")
        words = [sys.executable, WRITER, self._folder, str(self._number)]
        child = subprocess.Popen(words, stdout=log)
        child.log = log
        return child

    def _end(self, victim: subprocess.Popen[bytes]) -> None:
        victim.kill()
        victim.wait()
        victim.log.seek(0)
        for line in victim.log.read().splitlines():
            if line.endswith("}"):  # the last one may be cut
                said = json.loads(line)
                self.reported.add(said["key"])
                self.seen.update(written=1, wrong=said["wrong"])
        victim.log.close()
        self.seen["killed"] += 1


def storm(seconds: float, writers: int = 2, seed: int | None = None) -> dict[str, int]:
    """Run the storm, and return its result.

    Args:
        seconds: How long processes are killed and replaced.
        writers: The number of simultaneous writers.
        seed: The seed of the random moments.
    """
    chance = random.Random(seed)  # noqa: S311 -- only to be different
    with tempfile.TemporaryDirectory() as folder:
        running = Writers(Path(folder), writers)
        longest_s = max(_LONGEST_LIFE_S, 2 * running.first_word_s())  # or a busy machine lets none write
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(chance.uniform(0, longest_s))
            running.kill_one()
        running.kill_all()
        words = [sys.executable, str(WRITER), folder, "--list"]
        found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    return {
        "killed": running.seen["killed"],
        "written": running.seen["written"],
        "wrong": running.seen["wrong"] + found["wrong"],
        "set aside": found["set_aside"],
        "lost": len(running.reported - set(found["keys"])),
    }


def main() -> None:
    """Run the storm and print its result; fail if anything was wrong."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60, help="how long (default: 60)")
    options.add_argument("--writers", type=int, default=2, help="how many at the same time (default: 2)")
    options.add_argument("--seed", type=int, help="the same moments each time")
    given = options.parse_args()
    came = storm(given.seconds, given.writers, given.seed)
    print("  ".join(f"{what}: {count}" for what, count in came.items()))
    if came["wrong"] or came["set aside"] or came["lost"]:
        sys.exit("something was wrong")


if __name__ == "__main__":
    main()
