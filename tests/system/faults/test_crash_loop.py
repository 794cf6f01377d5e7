"""An upstream that dies again and again, at its start or at a request."""

import time
from itertools import pairwise

WAITS_S = (1, 2, 4, 8, 16, 30)
"""The wrapper's default delays before each start, in seconds."""
LOOK_S = 0.5
"""Tolerance for the time between two checks of the starts, which is shorter."""


def test_an_upstream_in_a_crash_loop_is_started_at_most_six_times_a_minute_while_cached_views_are_served(
    faulty, full
):
    """The test uses the default settings and runs for a whole minute of them."""
    made = faulty("viewone")
    assert "viewone" in made.page("read_rows")
    made.broken.touch()
    seen = [time.monotonic()]
    starts = made.starts - len(seen)
    made.kill_upstream()
    while time.monotonic() - seen[0] < (62 if full else 4):
        assert "viewone" in made.page("read_rows")
        assert made.host.child.poll() is None
        seen += [time.monotonic()] * (made.starts - starts - len(seen))
        time.sleep(0.2)
    waits = [later - earlier for earlier, later in pairwise(seen)]
    assert len(waits) >= (5 if full else 1)
    assert [wait for wait, least in zip(waits, WAITS_S, strict=False) if wait < least - LOOK_S] == []
    assert max(sum(0 <= each - first < 60 for each in seen) for first in seen) <= 6
    made.broken.unlink()
