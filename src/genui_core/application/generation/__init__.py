"""Has models write views: one generation, many at once, and who waits for them (requirements G4 to G6)."""
