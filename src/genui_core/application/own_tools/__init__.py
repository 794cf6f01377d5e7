"""The tools of the wrapper's own (SPEC §8)."""
