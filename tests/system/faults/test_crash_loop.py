"""An upstream that dies again and again, of its start or of being asked."""

import time


def test_it_is_started_six_times_a_minute_at_most_while_cached_views_are_served(faulty, full):
    """The times are those of the default settings; a minute of them is tried in full."""
    made = faulty("viewone")
    assert "viewone" in made.page("read_rows")
    made.broken.touch()
    began, starts = time.monotonic(), made.starts
    made.kill_upstream()
    seconds = 62 if full else 4
    while time.monotonic() - began < seconds:
        assert "viewone" in made.page("read_rows")
        assert made.host.child.poll() is None
        time.sleep(0.2)
    again = made.starts - starts
    assert again <= (5 if full else 2)
    assert again >= (5 if full else 1)
    made.broken.unlink()
