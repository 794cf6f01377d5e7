"""The tools of the wrapper's own (requirement T3)."""
