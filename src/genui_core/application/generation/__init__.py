"""Generations: one run, several at once, and the callers that share a run (requirements G4 to G6)."""
