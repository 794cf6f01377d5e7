"""Has models write views: one generation, many at once, and who waits for them (SPEC §4)."""
